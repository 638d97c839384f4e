package gateway_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/cmd/preflight/internal/gateway"
)

// TestVerdicts: the reasoning that the model did not get to see is counted and logged, apart by
// whose edit it was, where the route asks for it.
func TestVerdicts(t *testing.T) {
	const said = `{"type":"message","content":[],"input_transformations":[` +
		`{"type":"thinking_dropped","path":"messages.1.content.0","reason":"prefix_binding_mismatch"},` +
		`{"type":"thinking_dropped","path":"messages.3.content.0","reason":"prefix_binding_mismatch"},` +
		`{"type":"thinking_dropped","path":"messages.3.content.0","reason":"model_mismatch"}]}`
	thought := `{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"c2ln"},` +
		`{"type":"text","text":"b"}]}`
	body := `{"model":"claude-opus-5-5","max_tokens":9,"thinking":{"type":"adaptive","block_binding":` +
		`{"prefix_mismatch_behavior":"drop_block"}},"messages":[{"role":"user","content":"a"},` +
		thought + `,{"role":"user","content":[{"type":"text","text":"c"},{"type":"text","text":""}]},` +
		thought + `,{"role":"user","content":"d"}]}`
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, said)
	}))
	t.Cleanup(upstream.Close)
	for _, counts := range []bool{true, false} {
		g, url, log := running(t, gateway.Config{Routes: []gateway.Route{
			{Prefix: "/a", Upstream: upstream.URL, Verdicts: counts},
		}}, nil)
		status, _, answer := post(t, url+"/a/v1/messages", body)
		require.Equal(t, 200, status)
		require.Equal(t, said, string(answer))
		line := lineOf(t, g, log)
		metrics := metricsOf(t, url)
		if !counts {
			require.NotContains(t, line, "transformations")
			require.NotContains(t, metrics, "preflight_transformations_total{")
			continue
		}
		require.EqualValues(t, 3, line["transformations"])
		require.EqualValues(t, 1, line["transformations_ours"])
		const name = `preflight_transformations_total{route="/a",type="thinking_dropped",`
		for _, by := range []string{
			`reason="prefix_binding_mismatch",by="others"} 1`,
			`reason="prefix_binding_mismatch",by="repair"} 1`,
		} {
			require.Contains(t, metrics, name+by)
		}
		require.Equal(t, 3, strings.Count(metrics, "\n"+name))
	}
}
