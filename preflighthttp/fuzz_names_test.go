package preflighthttp

import (
	"bytes"
	"io"
	"net/http"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
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
