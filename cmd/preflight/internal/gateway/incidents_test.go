package gateway_test

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/cmd/preflight/internal/gateway"
)

// night is what somebody sees who was woken: the metrics and the log.
type night struct{ metrics, log string }

// seen waits until no request is under way, and reads both.
func seen(t *testing.T, g *gateway.Gateway, log *bytes.Buffer) night {
	require.NoError(t, g.Drained(t.Context()))
	return night{page(g.Admin(), "/metrics"), log.String()}
}

// TestIncidents stages what gateways are woken for. From the metrics and the log alone, an alert
// and its row of the runbook name the cause.
func TestIncidents(t *testing.T) {
	runbook, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "docs", "runbook.md"))
	require.NoError(t, err)
	routes := func(upstream string) []gateway.Route {
		return []gateway.Route{{Prefix: "/a", Upstream: upstream, Provider: "anthropic"}}
	}
	for _, c := range []struct {
		name    string
		stage   func(t *testing.T) night
		metric  string   // that the alert is about, as it is written
		logged  []string // in one line of the log
		alert   string
		runbook []string // what the row names, in these words
	}{
		{
			"a reader of the log is stuck", func(t *testing.T) night {
				stuck, w := io.Pipe()
				queue := gateway.NewLogQueue(w)
				g, url, log := running(t, gateway.Config{Routes: routes(answering(t, 200, "yes"))},
					func(g *gateway.Gateway) {
						g.Log, g.LogQueue = slog.New(slog.NewJSONHandler(queue, nil)), queue
					})
				for range 4200 { // what waits, and more
					_, _ = queue.Write([]byte("{}\n"))
				}
				status, _, _ := post(t, url+"/a/v1/messages", emptyText)
				require.Equal(t, 200, status)
				defer stuck.Close()
				return seen(t, g, log)
			},
			"preflight_log_dropped_total 10", nil,
			"PreflightLogDrops", []string{"the reader of standard error is stuck"},
		},
		{
			"a key has expired", func(t *testing.T) night {
				g, url, log := running(t, gateway.Config{Routes: routes(answering(t, 401, "{}"))}, nil)
				post(t, url+"/a/v1/messages", emptyText)
				return seen(t, g, log)
			},
			`preflight_answers_total{route="/a",status="401"} 1`,
			[]string{`"level":"WARN"`, `"status":401`, `"result":"ok"`},
			"PreflightDenied", []string{"has expired", "renew it"},
		},
		{
			"a wrong lesson", func(t *testing.T) night {
				upstream, _ := startAlternating(t)
				var log bytes.Buffer
				g, err := gateway.New(gateway.Config{Routes: []gateway.Route{
					{Prefix: "/r", Upstream: upstream},
				}})
				require.NoError(t, err)
				g.Log = slog.New(slog.NewJSONHandler(&log, nil))
				ask(t, g)
				ask(t, g)
				return seen(t, g, &log)
			},
			`preflight_learned_total{rule="chat-template/alternation"} `,
			[]string{`"outcome":"repaired"`, `"learned":["chat-template/alternation"]`,
				`"rule":"chat-template/alternation"`},
			"PreflightLearns", []string{"`learned`", "remove the file", "`off`"},
		},
		{
			"the upstream's certificate", func(t *testing.T) night {
				secured := httptest.NewTLSServer(http.NotFoundHandler())
				secured.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
				t.Cleanup(secured.Close)
				g, url, log := running(t, gateway.Config{Routes: routes(secured.URL)}, nil)
				post(t, url+"/a/v1/messages", emptyText)
				return seen(t, g, log)
			},
			`preflight_failures_total{cause="tls"} 1`,
			[]string{`"level":"ERROR"`, `"result":"failed"`, `"cause":"tls"`},
			"PreflightUpstreamFails", []string{"`tls`: a certificate"},
		},
		{
			"a tenant floods", flooded,
			`client="flood",provider="anthropic",model="",outcome="busy",result="refused",status="503"} `,
			[]string{`"level":"WARN"`, `"client":"flood"`, `"outcome":"busy"`, "by this client alone"},
			"PreflightBusy", []string{"`preflight_client_open_requests` says who", "`max_held_client`"},
		},
		{
			"a wrong configuration", func(t *testing.T) night {
				g, _, log := running(t, gateway.Config{Routes: routes(answering(t, 200, ""))}, nil)
				_, err := gateway.ParseConfig([]byte("{\n\"admin\": {\"listen\": \"nowhere\"}}"))
				require.ErrorContains(t, err, "line 2")
				g.CountReload(err)
				return seen(t, g, log)
			},
			"preflight_config_failed 1", nil,
			"PreflightReloadFails", []string{"standard error", "`preflight serve --check-config`"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			saw := c.stage(t)
			require.Contains(t, saw.metrics, c.metric)
			about := len(c.logged) == 0
			for line := range strings.Lines(saw.log) {
				all := true
				for _, words := range c.logged {
					all = all && strings.Contains(line, words)
				}
				about = about || all
			}
			require.True(t, about, "no line has %q:\n%s", c.logged, saw.log)
			name, _, _ := strings.Cut(c.metric, "{")
			name, _, _ = strings.Cut(name, " ")
			if !strings.HasPrefix(c.metric, "client") && c.alert != "PreflightUpstreamFails" {
				require.Contains(t, alertNamed(t, c.alert), name, "the alert is about the metric")
			}
			_, row, found := strings.Cut(string(runbook), "`"+c.alert+"`")
			require.True(t, found)
			row, _, _ = strings.Cut(row, "\n")
			for _, words := range c.runbook {
				require.Contains(t, strings.ToLower(row), strings.ToLower(words))
			}
		})
	}
}

// alertNamed is the text of an alert.
func alertNamed(t *testing.T, name string) string {
	_, text, found := strings.Cut(deployed(t, "alerts.yaml"), "alert: "+name+"\n")
	require.True(t, found)
	text, _, _ = strings.Cut(text, "- alert:")
	return text
}

// flooded is a gateway whose upstream answers one client late, while that one sends all it can: the
// requests of another client are answered.
func flooded(t *testing.T) night {
	release := make(chan bool)
	upstream := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if r.Header.Get("X-Team") == "flood" {
			<-release
		}
	}))
	t.Cleanup(upstream.Close)
	g, url, log := running(t, gateway.Config{
		ClientHeader: "X-Team", MaxBody: 64 << 10, MaxHeld: 1 << 20, MaxHeldClient: 300 << 10,
		Routes: []gateway.Route{{Prefix: "/a", Upstream: upstream.URL, Provider: "anthropic"}},
	}, nil)
	ask := func(team string) int {
		body := strings.Replace(emptyText, "hi", strings.Repeat("hi", 20<<10), 1)
		req, err := http.NewRequest(http.MethodPost, url+"/a/v1/messages", strings.NewReader(body))
		require.NoError(t, err)
		req.Header.Set("X-Team", team)
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		resp.Body.Close()
		return resp.StatusCode
	}
	var all sync.WaitGroup
	var mu sync.Mutex
	count := map[int]int{}
	for range 30 {
		all.Add(1)
		go func() {
			defer all.Done()
			status := ask("flood")
			mu.Lock()
			defer mu.Unlock()
			count[status]++
		}()
	}
	require.Eventually(t, func() bool {
		mu.Lock()
		defer mu.Unlock()
		return count[503] > 20
	}, 10*time.Second, 5*time.Millisecond)
	for range 5 {
		require.Equal(t, 200, ask("other"), "its own part is free")
	}
	require.Regexp(t, `preflight_client_open_requests{client="flood"} [1-9]`,
		page(g.Admin(), "/metrics"))
	close(release)
	all.Wait()
	require.Positive(t, count[200])
	return seen(t, g, log)
}
