package preflighthttp

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/rule/explain"
)

// refusalOf is a response that refuses a request.
func refusalOf(body io.ReadCloser) *http.Response {
	return &http.Response{StatusCode: http.StatusBadRequest, Header: make(http.Header), Body: body}
}

// known is a refusal that the catalogue knows.
const known = `{"type":"error","error":{"type":"invalid_request_error",` +
	`"message":"messages.1.content.0: Invalid ` +
	"`signature` in `thinking` block. The block is bound to a different conversation.\"}}"

// TestStalledRefusal: a refusal whose body does not come is returned after a while, can be read
// when the body comes after all, and can be closed when it does not.
func TestStalledRefusal(t *testing.T) {
	defer func(was time.Duration) { refusalTime = was }(refusalTime)
	refusalTime = 20 * time.Millisecond
	r, w := io.Pipe()
	resp := refusalOf(r)
	refusal, _ := readRefusal(resp)
	require.Nil(t, refusal)
	go func() {
		_, _ = io.WriteString(w, known)
		_ = w.Close()
	}()
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.Equal(t, known, string(text))

	r, _ = io.Pipe()
	resp = refusalOf(r)
	refusal, _ = readRefusal(resp)
	require.Nil(t, refusal)
	require.NoError(t, resp.Body.Close())
	_, err = io.ReadAll(resp.Body)
	require.ErrorIs(t, err, io.ErrClosedPipe)
}

// TestCompressedRefusal: a refusal that the client asked to be compressed is understood, and
// returned as it came.
func TestCompressedRefusal(t *testing.T) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = io.WriteString(w, known)
	require.NoError(t, w.Close())
	resp := refusalOf(io.NopCloser(bytes.NewReader(packed.Bytes())))
	resp.Header.Set("Content-Encoding", "gzip")
	refusal, _ := readRefusal(resp)
	require.NotNil(t, refusal)
	require.Equal(t, explain.ClassHistory, refusal.Class)
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.Equal(t, packed.Bytes(), text)

	packed.Reset() // much out of little
	w.Reset(&packed)
	_, _ = io.WriteString(w, strings.Repeat(" ", 4<<20)+known)
	require.NoError(t, w.Close())
	require.Less(t, packed.Len(), maxRefusal)
	resp = refusalOf(io.NopCloser(&packed))
	resp.Header.Set("Content-Encoding", "gzip")
	refusal, _ = readRefusal(resp)
	require.Nil(t, refusal)
}

// TestUnknownHost: a request that looks like one to an LLM at an unknown host is reported,
// once, and left alone.
func TestUnknownHost(t *testing.T) {
	for _, c := range []struct {
		url  string
		skip Reason
	}{
		{"https://gateway.example/v1/messages", UnknownHost},
		{"https://gateway.example/llm/v1/chat/completions", UnknownHost},
		{"https://gateway.example/v1/users", ""},
		{"https://quiet.example/v1/messages", ""},
	} {
		var told []*Report
		transport := &Transport{
			Endpoints: []Endpoint{{Host: "quiet.example", Provider: Skip}},
			Report:    func(_ context.Context, r *Report) { told = append(told, r) },
			Log:       slog.New(slog.DiscardHandler),
		}
		req, err := http.NewRequest(http.MethodPost, c.url, strings.NewReader(`{"messages":[]}`))
		require.NoError(t, err)
		body := req.Body
		transport.Base = roundTripper(func(out *http.Request) (*http.Response, error) {
			require.Same(t, req, out)
			require.Equal(t, body, out.Body)
			return nil, io.EOF
		})
		_, err = transport.RoundTrip(req)
		require.ErrorIs(t, err, io.EOF)
		if c.skip == "" {
			require.Empty(t, told, c.url)
			continue
		}
		require.Len(t, told, 1)
		require.Equal(t, c.skip, told[0].Skipped)
		require.Equal(t, "gateway.example", told[0].Host)
	}
}
