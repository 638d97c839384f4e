package gateway_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/cmd/preflight/internal/gateway"
)

// This file is about what somebody reads who is woken at night.

const emptyText = `{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[{"role":"user","content":` +
	`[{"type":"text","text":"hi"},{"type":"text","text":""}]}]}`

// lineOf returns the last line of a log, which is written when the request has ended.
func lineOf(t *testing.T, g *gateway.Gateway, log fmt.Stringer) map[string]any {
	t.Helper()
	require.NoError(t, g.Drained(t.Context()))
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	var line map[string]any
	require.NoError(t, json.Unmarshal([]byte(lines[len(lines)-1]), &line))
	return line
}

func metricsOf(t *testing.T, url string) string {
	t.Helper()
	resp, err := http.Get(url + "/metrics")
	require.NoError(t, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return string(text)
}

// TestCauses: the line of a request without an answer says why there is none.
func TestCauses(t *testing.T) {
	speaking := func(text string) string {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		t.Cleanup(func() { listener.Close() })
		go func() {
			for {
				conn, err := listener.Accept()
				if err != nil {
					return
				}
				if req, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
					_, _ = io.Copy(io.Discard, req.Body)
				}
				_, _ = io.WriteString(conn, text)
				conn.Close()
			}
		}()
		return listener.Addr().String()
	}
	secured := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(secured.Close)
	for cause, upstream := range map[string]string{
		"refused": "http://127.0.0.1:1", // which nobody listens on
		"reset":   "http://" + speaking(""),
		"garbage": "http://" + speaking("hello\r\n\r\n"),
		"tls":     secured.URL, // its certificate is nobody's
	} {
		g, url, log := running(t, gateway.Config{Routes: []gateway.Route{
			{Prefix: "/a", Upstream: upstream, Provider: "anthropic"},
		}}, nil)
		resp, err := http.Post(url+"/a/v1/messages", "application/json", strings.NewReader(emptyText))
		require.NoError(t, err)
		resp.Body.Close()
		require.Equal(t, http.StatusBadGateway, resp.StatusCode)
		line := lineOf(t, g, log)
		require.Equal(t, cause, line["cause"], line)
		require.Equal(t, line["id"], resp.Header.Get("X-Preflight-Id"))
		require.Contains(t, metricsOf(t, url), `preflight_failures_total{cause="`+cause+`"} 1`)
	}
}

// TestUnread: a client that leaves while it sends has no history that cannot be repaired.
func TestUnread(t *testing.T) {
	g, url, log := running(t, gateway.Config{Routes: []gateway.Route{
		{Prefix: "/a", Upstream: answering(t, 200, "yes"), Provider: "anthropic"},
	}}, nil)
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	require.NoError(t, err)
	_, err = io.WriteString(conn, "POST /a/v1/messages HTTP/1.1\r\nHost: 127.0.0.1\r\n"+
		"Content-Type: application/json\r\nContent-Length: 9000\r\n\r\n{\"messages\":[")
	require.NoError(t, err)
	require.NoError(t, conn.Close())
	require.Eventually(t, func() bool {
		return strings.Contains(metricsOf(t, url),
			"preflight_client_left_total 1")
	}, 5*time.Second, 10*time.Millisecond)
	line := lineOf(t, g, log)
	require.Equal(t, "left", line["result"])
	require.NotEqual(t, "unfixable", line["outcome"], line)
	require.Contains(t, metricsOf(t, url), "preflight_unfixable_total 0")
}

// TestDryRunIsCounted: what a dry run would have done is told apart from what was done.
func TestDryRunIsCounted(t *testing.T) {
	g, url, log := running(t, gateway.Config{Routes: []gateway.Route{
		{Prefix: "/a", Upstream: answering(t, 200, "yes"), Provider: "anthropic", DryRun: 1},
	}}, func(g *gateway.Gateway) { g.Version = "v9" })
	resp, err := http.Post(url+"/a/v1/messages", "application/json", strings.NewReader(emptyText))
	require.NoError(t, err)
	resp.Body.Close()
	require.Equal(t, "would-repair", lineOf(t, g, log)["outcome"])
	metrics := metricsOf(t, url)
	for _, want := range []string{
		"preflight_dry_histories_total 1\n", "preflight_dry_repaired_total 1\n",
		"preflight_dry_repairs_total{rule=\"anthropic/empty-text-block\"} 1\n",
		"preflight_histories_total 0\n", "preflight_repaired_total 0\n",
		`preflight_build_info{version="v9",config="`,
	} {
		require.Contains(t, metrics, want)
	}
}

// TestShare: a share covers its part of the clients, always the same ones, and a larger one covers
// them, too.
func TestShare(t *testing.T) {
	covered := map[float64]map[string]bool{}
	for _, share := range []float64{0.1, 0.5} {
		covered[share] = map[string]bool{}
		g, url, log := running(t, gateway.Config{Routes: []gateway.Route{{
			Prefix: "/a", Upstream: answering(t, 200, "yes"), Provider: "anthropic",
			DryRun: gateway.Share(share),
		}}}, nil)
		for k := range 200 {
			key := fmt.Sprint("key", k)
			req, err := http.NewRequest(http.MethodPost, url+"/a/v1/messages",
				strings.NewReader(emptyText))
			require.NoError(t, err)
			req.Header.Set("X-Api-Key", key)
			resp, err := http.DefaultClient.Do(req)
			require.NoError(t, err)
			resp.Body.Close()
			covered[share][key] = lineOf(t, g, log)["outcome"] == "would-repair"
		}
	}
	count := map[float64]int{}
	for share, keys := range covered {
		for key, dry := range keys {
			if dry {
				count[share]++
				require.True(t, covered[0.5][key], key)
			}
		}
	}
	require.InDelta(t, 20, count[0.1], 15)
	require.InDelta(t, 100, count[0.5], 40)
}

func TestRequestID(t *testing.T) {
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Request-Id", "req_011")
	}))
	t.Cleanup(upstream.Close)
	g, url, log := running(t, gateway.Config{Routes: []gateway.Route{
		{Prefix: "/a", Upstream: upstream.URL, Provider: "anthropic"},
	}}, func(g *gateway.Gateway) { g.Version = "v9" })
	resp, err := http.Post(url+"/a/v1/messages", "application/json", strings.NewReader(emptyText))
	require.NoError(t, err)
	resp.Body.Close()
	line := lineOf(t, g, log)
	require.Contains(t, metricsOf(t, url), fmt.Sprintf("preflight_build_info{version=%q,config=%q} 1",
		line["version"], line["config"]))
	require.Equal(t, "v9", line["version"])
	require.NotEmpty(t, line["config"])
	require.Equal(t, "req_011", line["request_id"])
	require.NotEmpty(t, line["id"])
	require.Equal(t, line["id"], resp.Header.Get("X-Preflight-Id"))
	repairs := line["repairs"].([]any)[0].(map[string]any)
	require.Equal(t, []any{"messages[0].content[1]"}, repairs["paths"])
}

// TestTurnedAway: requests that the gateway passes to nobody are in the log and the metrics, for
// whoever misses their answers.
func TestTurnedAway(t *testing.T) {
	key := "sk-" + strings.Repeat("0", 40)
	for _, c := range []struct {
		method, path, cause, prefix string
		change                      func(*http.Request)
	}{
		{http.MethodPost, "/v1/messages", "no-route", "/v1", nil},
		{http.MethodPost, "/" + key + "/v1", "no-route", "", nil},
		{http.MethodPost, "/sk-short/v1", "no-route", "/…", nil},
		{http.MethodPost, "/a/../x", "path", "/a", nil},
		{http.MethodPost, "/a/v1/messages", "host", "/a", func(r *http.Request) {
			r.Host = "evil.example"
		}},
		{http.MethodPost, "/a/v1/messages", "origin", "/a", func(r *http.Request) {
			r.Header.Set("Origin", "https://evil.example")
		}},
	} {
		g, url, log := running(t, gateway.Config{ClientHeader: "X-Team", Routes: []gateway.Route{
			{Prefix: "/a", Upstream: answering(t, 200, "yes"), Provider: "anthropic"},
		}}, func(g *gateway.Gateway) { g.Local = true })
		req, err := http.NewRequest(c.method, url, strings.NewReader(emptyText))
		require.NoError(t, err)
		req.URL.Path = c.path
		req.Header.Set("X-Team", "search")
		if c.change != nil {
			c.change(req)
		}
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		resp.Body.Close()
		line := lineOf(t, g, log)
		require.Equal(t, c.cause, line["cause"])
		require.Equal(t, "refused", line["result"])
		require.Equal(t, "search", line["client"])
		require.EqualValues(t, resp.StatusCode, line["status"])
		if c.prefix == "" {
			require.NotContains(t, log.String(), "sk-")
		} else {
			require.Equal(t, c.prefix, line["prefix"])
		}
		require.Contains(t, metricsOf(t, url), `preflight_failures_total{cause="`+c.cause+`"} 1`)
	}
}
