package preflighthttp_test

import (
	"bytes"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/preflighthttp"
	"github.com/go-preflight/preflight/preflighthttp/remedy"
	"github.com/go-preflight/preflight/wire"
)

// FuzzRoundTrip sends any bytes as the body of a request to any path, and answers with any bytes:
// nothing panics; what is sent differs from what came only if the report says so, and then it is
// sound; lengths and GetBody agree with it; and the answer arrives whole.
func FuzzRoundTrip(f *testing.F) {
	urls := []string{
		"https://api.anthropic.com/v1/messages", "https://api.openai.com/v1/chat/completions",
		"https://api.openai.com/v1/responses",
		"https://generativelanguage.googleapis.com/v1beta/models/gemini-3-pro:generateContent",
		"https://api.mistral.ai/v1/chat/completions",
		"https://bedrock-runtime.us-east-1.amazonaws.com/model/m/converse",
		"https://api.cohere.com/v2/chat", "http://localhost:11434/api/chat",
		"https://api.deepseek.com/chat/completions", "https://elsewhere.example/v1/messages",
	}
	for k := range urls {
		for _, body := range []string{
			dirty,
			clean,
			thought,
			"",
			"{",
			"null",
			`{"messages":[]}`,
			`{"contents":[{}]}`,
			`{"input":[{"type":"item_reference","id":"x"}]}`,
		} {
			f.Add(uint8(k), []byte(body), uint16(400), []byte(refusal(bound)), true)
			f.Add(uint8(k), []byte(body), uint16(200), []byte("ok"), false)
		}
	}
	f.Fuzz(func(t *testing.T, to uint8, body []byte, status uint16, answer []byte, known bool) {
		var all reports
		var sent [][]byte
		transport := &preflighthttp.Transport{Remedies: remedy.All(), Report: all.add}
		transport.Base = roundTripper(func(r *http.Request) (*http.Response, error) {
			data, err := io.ReadAll(r.Body)
			require.NoError(t, err)
			require.NoError(t, r.Body.Close())
			if r.ContentLength > 0 {
				require.EqualValues(t, len(data), r.ContentLength)
			}
			if r.GetBody != nil {
				again, err := r.GetBody()
				require.NoError(t, err)
				copied, err := io.ReadAll(again)
				require.NoError(t, err)
				require.True(t, bytes.Equal(data, copied))
			}
			sent = append(sent, data)
			return &http.Response{
				StatusCode: int(status),
				Header:     http.Header{},
				Body:       io.NopCloser(bytes.NewReader(answer)),
			}, nil
		})
		var reader io.Reader = bytes.NewReader(body)
		if !known {
			reader = struct{ io.Reader }{reader}
		}
		req, err := http.NewRequest(http.MethodPost, urls[int(to)%len(urls)], reader)
		require.NoError(t, err)
		given := bytes.Clone(body)
		resp, err := transport.RoundTrip(req)
		require.NoError(t, err)
		got, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.True(t, bytes.Equal(answer, got))
		require.True(t, bytes.Equal(given, body), "the caller's bytes are not written to")
		require.LessOrEqual(t, len(sent), 2)
		for k, report := range all.all {
			require.Equal(t, report.Changed, !bytes.Equal(given, sent[k]))
			if report.Changed && report.Refusal == nil {
				left, err := wire.Check(sent[k],
					&wire.Options{Provider: report.Provider, Model: report.Model})
				require.NoError(t, err)
				require.Empty(t, left.Violations)
			}
		}
		if len(all.all) == 0 {
			require.True(t, bytes.Equal(given, sent[0]))
		} else {
			require.Len(t, sent, len(all.all))
		}
	})
}
