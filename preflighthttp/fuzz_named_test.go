package preflighthttp

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/wire"
)

// FuzzReturnNames answers with any bytes: those that hold no name of a tool that was renamed arrive
// as they are, and how they are cut into reads makes no difference.
func FuzzReturnNames(f *testing.F) {
	types := []string{
		"text/event-stream", "application/json", "application/x-ndjson",
		"application/vnd.amazon.eventstream", "", "text/plain",
	}
	for k := range types {
		for _, a := range answers {
			f.Add(uint8(k), []byte(spelled(a.body, sentTool)))
		}
		f.Add(uint8(k), []byte(awsFrame(packed(`{"content_block":{"name":"`+sentTool+`"}}`))))
	}
	f.Fuzz(func(t *testing.T, kind uint8, body []byte) {
		read := func(r io.Reader) []byte {
			resp := returnNames(&http.Response{
				StatusCode: http.StatusOK, Body: io.NopCloser(r),
				Header: http.Header{"Content-Type": {types[int(kind)%len(types)]}},
			}, renaming)
			out, err := io.ReadAll(resp.Body)
			require.NoError(t, err)
			return out
		}
		whole := read(bytes.NewReader(body))
		require.Equal(t, whole, read(iotest.OneByteReader(bytes.NewReader(body))))
		if !bytes.Contains(body, []byte(`"name"`)) && !bytes.Contains(body, []byte(`"bytes"`)) {
			require.Equal(t, string(body), string(whole))
		}
	})
}

// FuzzDropNamed refuses any body with any words: what is dropped leaves JSON, and every message keeps
// its role, its content and what pairs it.
func FuzzDropNamed(f *testing.F) {
	for _, words := range []string{
		"Unknown parameter: 'input[1].status'.", `Unknown name "id" at 'contents[0].parts[0]'`,
		"messages.0.content.0.text.cache_control: Extra inputs are not permitted",
		`{"type":"extra_forbidden","loc":["body","messages",0,"x"]}`,
	} {
		f.Add([]byte(`{"messages":[{"role":"user","x":1,"content":[{"type":"text","text":"a",`+
			`"cache_control":{}}]}],"input":[{"type":"message","status":"s","content":[]}]}`), words)
	}
	f.Fuzz(func(t *testing.T, body []byte, words string) {
		got, dropped, forms := dropNamed(body, words)
		if len(forms) == 0 {
			require.Equal(t, string(body), string(got))
			return
		}
		require.True(t, json.Valid(got))
		require.NotEmpty(t, dropped)
		require.Less(t, len(got), len(body))
		for _, path := range dropped {
			name := plain(path[strings.LastIndexByte(path, '.')+1:])
			require.False(t, empty[name] || name == "content", path)
		}
		result, _ := withoutNamed(&wire.Result{}, body, body, words)
		require.True(t, result.Changed)
		for _, form := range forms { // what was learned drops the same
			require.False(t, form.plain() && breaksMember(got, form.id()), form.id())
		}
	})
}
