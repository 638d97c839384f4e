package bulk_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/cmd/preflight/internal/bulk"
	"github.com/go-preflight/preflight/wire"
)

const (
	chatBody = `{"model":"gpt-5","messages":[{"role":"user","content":"a"},{"role":"assistant",` +
		`"tool_calls":[{"id":"call_1","type":"function","function":{"name":"run",` +
		`"arguments":"{}"}}]},{"role":"user","content":"b"}]}`
	responsesBody = `{"model":"gpt-5","input":[{"role":"user","content":"a"},` +
		`{"type":"function_call","call_id":"call_1","name":"run","arguments":"{}"},` +
		`{"role":"user","content":"b"}]}`
	claudeBody = `{"max_tokens":9,"messages":[{"role":"user","content":"a"},{"role":"assistant",` +
		`"content":[{"type":"tool_use","id":"toolu_1","name":"run","input":{}}]},` +
		`{"role":"user","content":"b"}]}`
	geminiBody = `{"contents":[{"role":"user","parts":[{"text":"a"}]},{"role":"model","parts":` +
		`[{"functionCall":{"name":"run","args":{}}}]},{"role":"user","parts":[{"text":"b"}]}]}`
)

// The bodies in the lines of batch APIs are repaired as they are alone, and everything around them
// stays.
func TestEnvelopes(t *testing.T) {
	named := func(version string) string {
		return strings.Replace(claudeBody, "{", `{"anthropic_version":"`+version+`",`, 1)
	}
	for name, c := range map[string]struct{ before, body, after, provider, path string }{
		"OpenAI chat": {`{"custom_id": "1", "method":"POST","url":"/v1/chat/completions","body": `,
			chatBody, ` , "x":1.0}`, "openai-chat", "body."},
		"OpenAI responses": {`{"custom_id":"1","url":"/v1/responses","body":`, responsesBody, `}`,
			"openai-responses", "body."},
		"body first": {`{"body":`, chatBody, `,"custom_id":"1"}`, "openai-chat", "body."},
		"Anthropic": {`{"custom_id":"1","params":`,
			strings.Replace(claudeBody, "{", `{"model":"claude-sonnet-4-5",`, 1), `}`, "anthropic",
			"params."},
		"Bedrock": {`{"recordId":"1","modelInput":`, named("bedrock-2023-05-31"), `}`,
			"bedrock-anthropic", "modelInput."},
		"Vertex": {`{"request":`, geminiBody, `}`, "gemini", "request."},
		"Vertex, Claude": {`{"custom_id":"1","request":`, named("vertex-2023-10-16"), `}`,
			"vertex-anthropic", "request."},
		"Gemini": {`{"key":"1","request":`, geminiBody, `}`, "gemini", "request."},
	} {
		t.Run(name, func(t *testing.T) {
			alone, err := wire.Sanitize(context.Background(), []byte(c.body),
				&wire.Options{Provider: c.provider})
			require.NoError(t, err)
			require.True(t, alone.Changed)
			var out, reports bytes.Buffer
			lines := bulk.Lines{Reports: &reports}
			// a repaired line is left alone
			fixed := c.before + string(alone.Body) + c.after
			count, err := lines.Run(context.Background(),
				strings.NewReader(c.before+c.body+c.after+"\n"+fixed), &out)
			require.NoError(t, err)
			require.Equal(t, bulk.Count{Lines: 2, Changed: 1}, count, reports.String())
			require.Equal(t, fixed+"\n"+fixed, out.String())
			var report wire.Outcome
			first, _, _ := strings.Cut(reports.String(), "\n")
			require.NoError(t, json.Unmarshal([]byte(first), &report))
			require.Equal(t, c.provider, report.Provider)
			require.True(t, strings.HasPrefix(report.Warnings[0].Path, c.path), report.Warnings)
		})
	}
}

// What only looks like an envelope is read as the body that it is.
func TestNoEnvelopes(t *testing.T) {
	for _, text := range []string{
		strings.Replace(chatBody, "{", `{"body":{"messages":[]},"custom_id":"1",`, 1),
		strings.Replace(chatBody, `"a"`, `"{\"custom_id\":1,\"body\":{}}"`, 1),
	} {
		var out bytes.Buffer
		count, err := (&bulk.Lines{
			Options: &wire.Options{Provider: "openai-chat"},
		}).Run(context.Background(), strings.NewReader(text), &out)
		require.NoError(t, err)
		require.Equal(t, bulk.Count{Lines: 1, Changed: 1}, count)
		require.NotContains(t, out.String(), "call_1")
	}
	for _, text := range []string{
		`{"body":{"messages":[]}}`, `{"custom_id":"1","body":"x"}`, `{"request":[]}`, `{"params":{}}`,
	} {
		var out bytes.Buffer
		count, err := new(bulk.Lines).Run(context.Background(), strings.NewReader(text), &out)
		require.NoError(t, err)
		require.Equal(t, bulk.Count{Lines: 1, Failed: 1}, count)
		require.Equal(t, text, out.String())
	}
}

// Lines of batch APIs that are for no chat are left alone, to the byte, and are no failures.
func TestNoChats(t *testing.T) {
	const dangling = `[{"role":"user","content":"a"},{"role":"assistant","tool_calls":[{"id":` +
		`"call_1","type":"function","function":{"name":"run","arguments":"{}"}}]},` +
		`{"role":"user","content":"b"}]`
	for _, text := range []string{
		// an envelope says what it is for
		`{"custom_id":"1","method":"POST","url":"/v1/embeddings","body":{"input":["a","b"]}}`,
		`{"custom_id":"1","url":"/v1/embeddings","body":{"input":[[1,2],[3]]}}`,
		`{"custom_id":"1","url":"/v1/embeddings","body":{"input":[1,2]}}`,
		`{"custom_id":"1","url":"https://x.example/v1/embeddings?v=1","body":{"input":["a"]}}`,
		`{"custom_id":"1","url":"/v1/moderations","body":{"input":[{"type":"text","text":"a"}]}}`,
		`{"custom_id":"1","url":"/v1/chat/moderations","body":{"input":` + dangling + `}}`,
		`{"custom_id":"1","url":"/v1/completions","body":{"prompt":"a"}}`,
		`{"custom_id":"1","url":"/v1/images/generations","body":{"prompt":"a"}}`,
		`{"custom_id":"1","url":"/v1/images/edits","body":{"input":[{"image_url":"x"}]}}`,
		`{"custom_id":"1","url":"/v1/videos","body":{"prompt":"a"}}`,
		`{"custom_id":"1","url":"/v1/audio/transcriptions","body":{"url":"x"}}`,
		`{"custom_id":"1","url":"/v1/rerank","body":{"query":"a","documents":["b"]}}`,
		`{"custom_id":"1","url":"/v2/classify","body":{"inputs":["a"]}}`,
		`{"custom_id":"1","url":"/v1/something-new","body":{"messages":` + dangling + `}}`,
		`{"custom_id":"1","url":7,"body":{"messages":` + dangling + `}}`,
		// one that does not leaves it to its body
		`{"custom_id":"1","body":{"input":["a","b"]}}`,
		`{"custom_id":"1","body":{"model":"mistral-moderation-latest","input":` + dangling + `}}`,
		`{"custom_id":"1","body":{"input":[[{"role":"user","content":"a"}]]}}`,
		`{"key":"1","request":{"input":["a"]}}`,
		`{"recordId":"1","modelInput":{"input":["a"]}}`,
		// bodies by themselves
		`{"model":"text-embedding-3-small","input":["a","b"]}`,
		`{"model":"voyage-3","input":["a","b"],"input_type":"query"}`,
		`{"model":"m","input":[[1,2],[3]]}`,
		`{"model":"m","input":[{"type":"text","text":"a"},{"type":"image_url",` +
			`"image_url":{"url":"https://x.example/y.png"}}]}`,
		`{"model":"jina","input":[{"text":"a"},{"image":"https://x.example/y.png"}]}`,
	} {
		var out, reports bytes.Buffer
		count, err := (&bulk.Lines{Reports: &reports}).Run(context.Background(),
			strings.NewReader(text), &out)
		require.NoError(t, err)
		require.Equal(t, text, out.String())
		require.Equal(t, bulk.Count{Lines: 1}, count, text)
		require.Contains(t, reports.String(), `"changed":false,"warnings":[]}`)
	}
	// the other side: chats with the same members are repaired
	for _, text := range []string{
		`{"custom_id":"1","url":"/v1/chat/completions/","body":` + chatBody + `}`,
		`{"custom_id":"1","url":"https://x.example/openai/v1/responses?v=1","body":` +
			responsesBody + `}`,
		`{"custom_id":"1","body":` + chatBody + `}`,
		`{"custom_id":"1","body":` + responsesBody + `}`,
		`{"custom_id":"1","url":"/v1/messages","body":` +
			strings.Replace(claudeBody, "{", `{"model":"claude-sonnet-4-5",`, 1) + `}`,
		responsesBody,
	} {
		var out bytes.Buffer
		count, err := new(bulk.Lines).Run(context.Background(), strings.NewReader(text), &out)
		require.NoError(t, err)
		require.Equal(t, bulk.Count{Lines: 1, Changed: 1}, count, text)
	}
}

// form is a compression.
type form struct {
	writer func(io.Writer) io.WriteCloser
	reader func(io.Reader) (io.Reader, error)
}

var (
	gzipped = form{
		func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) },
		func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
	}
	zstandard = form{
		func(w io.Writer) io.WriteCloser { e, _ := zstd.NewWriter(w); return e },
		func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r) },
	}
)

func (f form) pack(t *testing.T, text string) []byte {
	var b bytes.Buffer
	w := f.writer(&b)
	_, err := io.WriteString(w, text)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.Bytes()
}

func (f form) unpack(t *testing.T, data []byte) string {
	r, err := f.reader(bytes.NewReader(data))
	require.NoError(t, err)
	text, err := io.ReadAll(r)
	require.NoError(t, err)
	return string(text)
}

// Compressed shards become compressed shards with the same lines as others, whatever their names.
func TestCompressedShards(t *testing.T) {
	text := input(300)
	want, _, _ := oneByOne(t, text, false)
	in, out := t.TempDir(), t.TempDir()
	for name, form := range map[string]form{
		"a.jsonl.gz": gzipped, "b.jsonl": gzipped, "c.jsonl.zst": zstandard, "d": zstandard,
	} {
		file := filepath.Join(in, name)
		// of two members, as concatenated files are
		half := strings.LastIndex(text[:len(text)/2], "\n") + 1
		require.NoError(t, os.WriteFile(file,
			append(form.pack(t, text[:half]), form.pack(t, text[half:])...), 0o600))
		run := bulk.Run{Lines: bulk.Lines{Jobs: 2}, Dir: out, Version: "v1"}
		count, err := run.Files(context.Background(), []string{file})
		require.NoError(t, err)
		data, err := os.ReadFile(filepath.Join(out, name))
		require.NoError(t, err)
		require.Equal(t, want, form.unpack(t, data))
		skipped := 0
		run.Skipped = func(string, int64) { skipped++ }
		again, err := run.Files(context.Background(), []string{file})
		require.NoError(t, err)
		require.Equal(t, count, again)
		require.Equal(t, 1, skipped)
		run.Version = "v2"
		_, err = run.Files(context.Background(), []string{file})
		require.NoError(t, err)
		require.Equal(t, 1, skipped, "another version repairs it again")
	}
	for name, data := range map[string][]byte{
		"plain.gz":   []byte(text),
		"plain.zst":  []byte(text),
		"broken.gz":  gzipped.pack(t, text)[:100],
		"broken.zst": zstandard.pack(t, text)[:100],
	} {
		file := filepath.Join(in, name)
		require.NoError(t, os.WriteFile(file, data, 0o600))
		_, err := (&bulk.Run{Dir: out}).Files(context.Background(), []string{file})
		require.Error(t, err, name)
		require.NoFileExists(t, filepath.Join(out, name))
	}
}
