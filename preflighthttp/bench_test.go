package preflighthttp_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/go-preflight/preflight/preflighthttp"
)

// BenchmarkRoundTrip is what a request costs beside the network: nothing at all for one that is
// sent elsewhere, and a body of 1 MB, sound and broken, against a base transport alone, which reads
// it.
func BenchmarkRoundTrip(b *testing.B) {
	base := roundTripper(func(r *http.Request) (*http.Response, error) {
		_, err := io.Copy(io.Discard, r.Body)
		return &http.Response{StatusCode: 200, Body: http.NoBody}, err
	})
	turn := `{"role":"user","content":"` + strings.Repeat("word ", 200) +
		`"},{"role":"assistant","content":[{"type":"text","text":"ok"}]},`
	body := func(last string) string {
		return `{"model":"claude-sonnet-4-5","messages":[` + strings.Repeat(turn, 1000) + last +
			`]}`
	}
	const open = `{"role":"user","content":"q"},` +
		`{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"run",` +
		`"input":{}}]},{"role":"user","content":"r"}`
	for _, bb := range []struct {
		name, url, body string
		transport       http.RoundTripper
	}{
		{"alone", "https://api.anthropic.com/v1/messages", body(`{"role":"user","content":"q"}`),
			base},
		{"elsewhere", "https://example.com/v1/messages", body(`{"role":"user","content":"q"}`),
			&preflighthttp.Transport{Base: base}},
		{"sound", "https://api.anthropic.com/v1/messages", body(`{"role":"user","content":"q"}`),
			&preflighthttp.Transport{Base: base}},
		{"broken", "https://api.anthropic.com/v1/messages", body(open),
			&preflighthttp.Transport{Base: base}},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.SetBytes(int64(len(bb.body)))
			b.ReportAllocs()
			for b.Loop() {
				req, err := http.NewRequest(http.MethodPost, bb.url, strings.NewReader(bb.body))
				if err != nil {
					b.Fatal(err)
				}
				if _, err := bb.transport.RoundTrip(req); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
