package command

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/provider"
)

// alternating is a server whose template raises on consecutive messages of one role. It wants a
// key.
func alternating(t *testing.T) (url string, requests *atomic.Int64) {
	requests = new(atomic.Int64)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/chat/completions" {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		requests.Add(1)
		var body struct{ Messages []struct{ Role string } }
		_ = json.NewDecoder(r.Body).Decode(&body)
		if r.Header.Get("Authorization") != "Bearer sk-verysecret" {
			w.WriteHeader(http.StatusUnauthorized)
			io.WriteString(w, "wrong key "+r.Header.Get("Authorization"))
			return
		}
		for k, m := range body.Messages {
			if k > 0 && m.Role == body.Messages[k-1].Role && m.Role != "tool" {
				w.WriteHeader(http.StatusBadRequest)
				io.WriteString(w, `{"error":{"message":"Conversation roles must alternate `+
					`user/assistant/user/assistant/..."}}`)
				return
			}
		}
		io.WriteString(w, `{"choices":[{"message":{"role":"assistant","content":"ok"}}]}`)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1/chat/completions", requests
}

const twiceUser = `{"model":"acme","messages":[{"role":"user","content":"a"},` +
	`{"role":"user","content":"b"}]}`

// TestProbe: a server is measured, the profile is used, and compared with.
func TestProbe(t *testing.T) {
	url, requests := alternating(t)
	t.Setenv("ACME_KEY", "sk-verysecret")
	out := filepath.Join(t.TempDir(), "acme.json")
	args := []string{"probe", "--url", url, "--model", "acme", "--provider", "openai-compatible",
		"--rate", "0", "--key-env", "ACME_KEY", "--out", out, "--rules", "chat-template"}

	code, stdout, stderr := call(t, "n\n", args...)
	require.Equal(t, exitWrong, code)
	require.Contains(t, stderr, "small requests to")
	require.Contains(t, stderr, "nothing was sent")
	require.Empty(t, stdout)
	require.Zero(t, requests.Load())

	code, stdout, stderr = call(t, "y\n", args...)
	require.Equal(t, exitOK, code, stderr)
	require.Contains(t, stdout, "chat-template/alternation")
	require.NotContains(t, stdout+stderr, "sk-verysecret")
	data, err := os.ReadFile(out)
	require.NoError(t, err)
	require.NotContains(t, string(data), "sk-verysecret")
	m, err := provider.ReadMeasured(data)
	require.NoError(t, err)
	require.Contains(t, m.Enforced, "chat-template/alternation")
	require.NoFileExists(t, out+".part")

	code, stdout, stderr = call(t, twiceUser, "fix", "--profile", out)
	require.Equal(t, exitOK, code, stderr)
	require.NotEqual(t, twiceUser, stdout)
	code, stdout, _ = call(t, twiceUser, "check", "--profile", out)
	require.Equal(t, exitWrong, code)
	require.Contains(t, stdout, "chat-template/alternation")

	claude := `{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[` +
		`{"role":"user","content":"a"},{"role":"user","content":"b"}]}`
	code, stdout, stderr = call(t, claude, "convert", "--profile", out)
	require.Equal(t, exitOK, code, stderr)
	require.JSONEq(t, `{"model":"acme","max_tokens":9,"messages":[{"role":"user","content":[`+
		`{"type":"text","text":"a"},{"type":"text","text":"b"}]}]}`, stdout)
	code, plain, stderr := call(t, claude, "convert", "--to", "openai-compatible")
	require.Equal(t, exitOK, code, stderr)
	require.Contains(t, plain, `"content":"b"`, "without the profile they stay apart")
	code, stdout, stderr = call(t, twiceUser, "convert", "--profile", out)
	require.Equal(t, exitOK, code, stderr)
	require.NotContains(t, stdout, `"content":"b"`, "a body in the format already")
	body := filepath.Join(t.TempDir(), "body.json")
	require.NoError(t, os.WriteFile(body, []byte(twiceUser), 0o600))
	const alternate = "Conversation roles must alternate user/assistant/user/assistant/..."
	code, stdout, stderr = call(t, "", "explain", "--body", body, "--profile", out, alternate)
	require.Equal(t, exitOK, code, stderr)
	require.Contains(t, stdout, "preflight fix repairs it in this request, at messages[1]")
	_, stdout, _ = call(t, "", "explain", "--body", body, "--provider", "openai-compatible", alternate)
	require.NotContains(t, stdout, "preflight fix repairs it in")

	code, stdout, stderr = call(t, "", append(args, "--yes", "--diff", out)...)
	require.Equal(t, exitOK, code, stderr)
	require.Contains(t, stdout, "nothing changed since")
	m.Enforced, m.Lifted = nil, append(m.Lifted, "chat-template/alternation")
	data, err = json.Marshal(m)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(out, data, 0o600))
	code, stdout, _ = call(t, "", append(args, "--yes", "--json", "--diff", out)...)
	require.Equal(t, exitWrong, code)
	require.Contains(t, stdout, "chat-template/alternation: not enforced, and now enforced")
}

// TestProbeTemplate: a template is measured without a server.
func TestProbeTemplate(t *testing.T) {
	dir := t.TempDir()
	file, out := filepath.Join(dir, "a.jinja"), filepath.Join(dir, "acme.json")
	require.NoError(t, os.WriteFile(file, []byte(`{% for m in messages %}
{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception(
'Conversation roles must alternate user/assistant/user/assistant/...') }}{% endif %}
{% if m.role == 'user' or m.role == 'assistant' %}{{ m.content | trim }}{% endif %}
{% endfor %}`), 0o600))
	code, stdout, stderr := call(t, "", "probe", "--template", file, "--model", "acme", "--out", out)
	require.Equal(t, exitOK, code, stderr)
	require.Contains(t, stdout, "a.jinja")
	over := []string{"probe", "--template", file, "--model", "acme", "--out", file}
	code, _, stderr = call(t, "", over...)
	require.Equal(t, exitWrong, code)
	require.Contains(t, stderr, "would overwrite the input")
	require.Contains(t, readFile(t, file), "raise_exception")
	m, err := readProfile(out)
	require.NoError(t, err)
	require.Contains(t, m.Enforced, "chat-template/alternation")
	require.Contains(t, m.Enforced, "chat-template/roles-supported")
	code, stdout, _ = call(t, `{"model":"acme","messages":[{"role":"user","content":"q"},`+
		`{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function",`+
		`"function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c1",`+
		`"content":"the result"}]}`, "fix", "--profile", out)
	require.Equal(t, exitOK, code)
	require.NotContains(t, stdout, `"tool"`)
	require.Contains(t, stdout, "the result")
}

func TestProbeErrors(t *testing.T) {
	dir := t.TempDir()
	broken := filepath.Join(dir, "broken.jinja")
	require.NoError(t, os.WriteFile(broken, []byte("{% for %}"), 0o600))
	for _, c := range []struct {
		args []string
		code int
		part string
	}{
		{nil, 2, "--url"},
		{[]string{"--url", "localhost:8000", "--model", "m"}, 2, "--url"},
		{[]string{"--url", "http://localhost:1/v1/chat/completions"}, 2, "--model"},
		{[]string{"--url", "http://localhost:1/x", "--model", "m"}, 2, "--provider"},
		{[]string{"--url", "http://localhost:1/v1/messages", "--model", "m", "--key-env", "NO_SUCH_KEY"}, 2, "NO_SUCH_KEY"},
		{[]string{"--url", "http://localhost:1/v1/messages", "--model", "m", "--header", "x"}, 2, "--header"},
		{[]string{"--url", "http://localhost:1/v1/messages", "--model", "m", "--diff", broken}, 2, "measured profile"},
		{[]string{"--template", broken}, 2, "cannot be compiled"},
		{[]string{"--template", broken + "x"}, 2, "no such file"},
		{[]string{"--url", "http://localhost:1/v1/messages", "--model", "m", "--provider", "nobody", "--yes"}, 1, "nobody"},
		{[]string{"more"}, 2, "more"},
	} {
		code, stdout, stderr := call(t, "", append([]string{"probe"}, c.args...)...)
		require.Equal(t, c.code, code, "%v: %s", c.args, stderr)
		require.Contains(t, stderr, c.part)
		require.Empty(t, stdout)
		require.Equal(t, 1, strings.Count(stderr, "\n"), stderr)
	}
	url, requests := alternating(t)
	t.Setenv("ACME_KEY", "sk-wrongsecret")
	code, _, stderr := call(t, "", "probe", "--url", url, "--model", "acme", "--yes", "--key-env",
		"ACME_KEY", "--provider", "openai-compatible")
	require.Equal(t, exitWrong, code)
	require.Contains(t, stderr, "401")
	require.NotContains(t, stderr, "sk-wrongsecret")
	require.EqualValues(t, 1, requests.Load())
}
