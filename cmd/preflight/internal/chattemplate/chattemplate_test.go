package chattemplate

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// alternates is a template in the manner of those of local models.
const alternates = `{{ bos_token }}{% for message in messages %}
{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}
{{ raise_exception('roles must alternate') }}
{% endif %}
[{{ message['role'] }}] {{ message['content'] | trim }}
{% if message.tool_calls is defined %}
{% for call in message.tool_calls %}
{{ call.function.arguments.city }} {{ call.function | tojson }}
{% endfor %}
{% endif %}
{% endfor %}`

func TestRender(t *testing.T) {
	template, err := Compile(alternates, "<s>", "</s>")
	require.NoError(t, err)
	prompt, err := template.Render([]byte(`{"messages":[{"role":"user","content":"a"},
		{"role":"assistant","content":[{"type":"text","text":"b"},{"type":"text","text":"c"}],
		"tool_calls":[{"function":{"name":"f","arguments":"{\"city\":\"<Oslo>\"}"}}]}]}`))
	require.NoError(t, err)
	require.Contains(t, prompt, "<s>[user] a\n")
	require.Contains(t, prompt, "[assistant] b\nc\n")
	require.Contains(t, prompt, `<Oslo> {"arguments":{"city":"<Oslo>"},"name":"f"}`)

	_, err = template.Render([]byte(`{"messages":[{"role":"user","content":"a"},
		{"role":"user","content":"b"}]}`))
	var raised *RaisedError
	require.ErrorAs(t, err, &raised)
	require.Equal(t, &RaisedError{"roles must alternate"}, raised)
	_, err = template.Render([]byte(`{"messages":[{"role":"user","content":null}]}`))
	require.ErrorAs(t, err, &raised)
	for _, wrong := range []string{"", "[]", "{}", `{"messages":[1]}`, `{"messages":[]} x`} {
		_, err = template.Render([]byte(wrong))
		require.Error(t, err, wrong)
		require.False(t, errors.As(err, &raised), wrong)
	}
}

// TestCompileErrors: what the engine does not know is an error, and no file can be included.
func TestCompileErrors(t *testing.T) {
	for _, source := range []string{"{% for %}", "{% nothing %}", "{{ (a }}"} {
		_, err := Compile(source, "", "")
		var wrong *CompileError
		require.ErrorAs(t, err, &wrong, source)
	}
	secret := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(secret, []byte("secret"), 0o600))
	template, err := Compile(`{% include '`+secret+`' %}`, "", "")
	if err == nil {
		var prompt string
		prompt, err = template.Render([]byte(`{"messages":[]}`))
		require.NotContains(t, prompt, "secret")
	}
	require.Error(t, err)
}

func TestLoad(t *testing.T) {
	plain, withTools := "plain {{ bos_token }}", "tools"
	config := func(template any) []byte {
		data, err := json.Marshal(map[string]any{
			"chat_template": template, "bos_token": map[string]any{"content": "<b>"},
		})
		require.NoError(t, err)
		return data
	}
	named := []map[string]string{
		{"name": "default", "template": plain}, {"name": "tool_use", "template": withTools},
	}
	for name, c := range map[string]struct {
		data         []byte
		prompt, tool string
	}{
		"a.jinja":     {[]byte(plain), "plain <s>", "plain <s>"},
		"one.json":    {config(plain), "plain <b>", "plain <b>"},
		"two.json":    {config(named), "plain <b>", "tools"},
		"model.gguf":  {gguf(plain, withTools), "plain <s>", "tools"},
		"model2.gguf": {gguf(plain, ""), "plain <s>", "plain <s>"},
	} {
		file := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.WriteFile(file, c.data, 0o600))
		template, err := Load(file)
		require.NoError(t, err, name)
		prompt, err := template.Render([]byte(`{"messages":[]}`))
		require.NoError(t, err)
		require.Equal(t, c.prompt, prompt)
		prompt, err = template.Render([]byte(`{"messages":[],"tools":[{}]}`))
		require.NoError(t, err)
		require.Equal(t, c.tool, prompt)
	}
	whole := gguf(plain, withTools)
	for k := range whole {
		file := filepath.Join(t.TempDir(), "cut.gguf")
		require.NoError(t, os.WriteFile(file, whole[:k], 0o600))
		_, err := Load(file)
		if k >= 4 {
			require.Error(t, err, "%d bytes", k)
		}
	}
	file := filepath.Join(t.TempDir(), "none.json")
	require.NoError(t, os.WriteFile(file, []byte(`{"a":1}`), 0o600))
	_, err := Load(file)
	require.Error(t, err)
	_, err = Load(file + "x")
	require.Error(t, err)
}

// gguf is the metadata of a file, with the values of other kinds before the templates.
func gguf(plain, tools string) []byte {
	var b bytes.Buffer
	put := func(values ...any) {
		for _, v := range values {
			if s, ok := v.(string); ok {
				_ = binary.Write(&b, binary.LittleEndian, uint64(len(s)))
				b.WriteString(s)
				continue
			}
			_ = binary.Write(&b, binary.LittleEndian, v)
		}
	}
	b.WriteString("GGUF")
	keys := uint64(4)
	if tools != "" {
		keys++
	}
	put(uint32(3), uint64(0), keys)
	put("general.name", uint32(ggufString), "acme")
	put("general.count", uint32(ggufUint64), uint64(7))
	put("tokenizer.tokens", uint32(ggufArray), uint32(ggufString), uint64(2), "a", "b")
	put("tokenizer.chat_template", uint32(ggufString), plain)
	if tools != "" {
		put("tokenizer.chat_template.tool_use", uint32(ggufString), tools)
	}
	return b.Bytes()
}

// FuzzLoadGGUF: no metadata makes the reader panic, or read without end.
func FuzzLoadGGUF(f *testing.F) {
	f.Add(gguf("a", "b")[4:])
	f.Fuzz(func(t *testing.T, data []byte) {
		_, _ = loadGGUF(bytes.NewReader(data))
	})
}
