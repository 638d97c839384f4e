package gateway_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/cmd/preflight/internal/gateway"
)

// TestLimits: a request beyond what a provider takes is answered in its stead, with what is
// largest, and without content; one within the limits arrives as it is.
func TestLimits(t *testing.T) {
	picture := `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` +
		"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ" + strings.Repeat("QUJD", 489) + `"}}`
	body := func(parts ...string) string {
		return `{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[{"role":"user","content":[` +
			strings.Join(parts, ",") + `,{"type":"text","text":"a secret"}]}]}`
	}
	for _, c := range []struct {
		limits gateway.Limits
		parts  []string
		over   string
	}{
		{gateway.Limits{Bytes: 3000}, []string{picture}, ""},
		{gateway.Limits{Bytes: 3000}, []string{picture, picture},
			"the body has 4.3 kB, and the provider takes 3.0 kB; largest: " +
				"messages[0].content[0] (image, 2.1 kB), messages[0].content[1] (image, 2.1 kB), "},
		{gateway.Limits{Media: 2}, []string{picture, picture}, ""},
		{gateway.Limits{Media: 2}, []string{picture, picture, picture},
			"the request has 3 images, documents, audio and video, and the provider takes 2; largest: "},
		{gateway.Limits{MediaBytes: 2000}, []string{picture}, ""},
		{gateway.Limits{MediaBytes: 1999}, []string{picture}, "one of its media has 2.0 kB"},
	} {
		t.Run(fmt.Sprintf("%+v, %d", c.limits, len(c.parts)), func(t *testing.T) {
			g, url, log := running(t, gateway.Config{Routes: []gateway.Route{{
				Prefix: "/a", Upstream: answering(t, 200, "yes"), Provider: "anthropic", Limits: c.limits,
			}}}, nil)
			status, header, answer := post(t, url+"/a/v1/messages", body(c.parts...))
			line := lineOf(t, g, log)
			if c.over == "" {
				require.Equal(t, http.StatusOK, status)
				require.Equal(t, "yes", answer)
				require.NotContains(t, line, "over")
				return
			}
			require.Equal(t, http.StatusRequestEntityTooLarge, status)
			require.Contains(t, answer, c.over)
			require.Contains(t, answer, `"type":"error"`, "in the provider's form")
			require.Equal(t, "refused", header.Get("X-Preflight"))
			require.Equal(t, "refused", line["result"])
			require.Equal(t, "too-large", line["cause"])
			require.Contains(t, line["over"], c.over)
			require.NotContains(t, log.String()+answer, "secret")
			require.Contains(t, metricsOf(t, url), `preflight_failures_total{cause="too-large"} 1`)
		})
	}
	_, err := gateway.New(gateway.Config{Routes: []gateway.Route{
		{Prefix: "/a", Upstream: "http://127.0.0.1:1", Limits: gateway.Limits{Bytes: 1 << 40}},
	}})
	require.ErrorContains(t, err, "max_body")
}
