package preflighthttp_test

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/preflighthttp"
	"github.com/go-preflight/preflight/preflighthttp/remedy"
)

// TestReportsQuoteNothing puts a secret into keys, values, names, ids and roles of requests and
// into the answer of the provider: reports are logged without it.
func TestReportsQuoteNothing(t *testing.T) {
	const secret = "alice@example.org"
	value := `{"` + secret + `":"` + secret + `"}`
	bodies := []string{
		`{"messages":[{"role":"user","content":[{"type":"text","text":"a","VALUE":1}]}]}`,
		`{"messages":[{"role":"VALUE","content":[{"type":"VALUE","VALUE":1}]}]}`,
		`{"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":OBJECT}]},` +
			`{"role":"assistant","content":[{"type":"tool_use","id":"VALUE","name":"VALUE",` +
			`"input":OBJECT}]},{"role":"user","name":"VALUE","content":"VALUE"}]}`,
		`{"messages":[{"role":"assistant","tool_calls":[{"id":OBJECT,"function":{"name":OBJECT,` +
			`"arguments":"VALUE"}}]},{"role":"tool","tool_call_id":"VALUE"}]}`,
		`{"contents":"VALUE","input":"VALUE","messages":"VALUE"}`,
		`{"messages":[{"role":"user","content":"VALUE`,
	}
	refusals := []string{ // of the first body, and of the others
		`[{"code":"unrecognized_keys","keys":["VALUE"],"path":["messages",0,"content",0]}]`,
		`{"type":"error","error":{"type":"invalid_request_error","message":` +
			`"messages.1.content.0: Invalid signature in thinking block VALUE"}}`,
	}
	fill := strings.NewReplacer("VALUE", secret, "OBJECT", value).Replace
	for _, url := range []string{
		"https://api.anthropic.com/v1/messages", "https://api.openai.com/v1/chat/completions",
		"https://api.openai.com/v1/responses",
		"https://generativelanguage.googleapis.com/v1beta/models/gemini-3-pro:generateContent",
	} {
		for k, body := range bodies {
			refusal := refusals[min(k, len(refusals)-1)]
			var all reports
			transport := &preflighthttp.Transport{
				Remedies: remedy.All(), Report: all.add,
				Base: roundTripper(func(*http.Request) (*http.Response, error) {
					return &http.Response{
						StatusCode: http.StatusBadRequest, Header: http.Header{},
						Body: io.NopCloser(strings.NewReader(fill(refusal))),
					}, nil
				}),
			}
			req, err := http.NewRequest(http.MethodPost, url, strings.NewReader(fill(body)))
			require.NoError(t, err)
			if resp, err := transport.RoundTrip(req); err == nil {
				require.NoError(t, resp.Body.Close())
			}
			require.NotEmpty(t, all.all)
			var log bytes.Buffer
			for _, r := range all.all {
				slog.New(slog.NewTextHandler(&log, nil)).Info("sent", "report", r)
				slog.New(slog.NewJSONHandler(&log, nil)).Info("sent", "report", r)
				fmt.Fprintf(&log, "%v %v %+v\n", r.Err, r.Warnings, r.Warnings)
			}
			require.NotContains(t, log.String(), secret, "%s of %s", url, body)
		}
	}
}
