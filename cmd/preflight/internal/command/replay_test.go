package command

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/cmd/preflight/internal/gateway"
)

// TestReplay: a line of the log and the saved samples show what was done with a request, and a
// sample is a body that fix takes.
func TestReplay(t *testing.T) {
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.Header.Get("X-Answer"), "400") {
			w.WriteHeader(http.StatusBadRequest)
		}
	}))
	t.Cleanup(upstream.Close)
	g, err := gateway.New(gateway.Config{Samples: 10, Routes: []gateway.Route{
		{Prefix: "/a", Upstream: upstream.URL, Provider: "anthropic"},
	}})
	require.NoError(t, err)
	var log bytes.Buffer
	g.Log = slog.New(slog.NewJSONHandler(&log, nil))
	g.Version = "v0.0.1"
	server := httptest.NewServer(g)
	t.Cleanup(server.Close)
	for body, answer := range map[string]string{dangling: "", healthy: "400"} {
		req, err := http.NewRequest(http.MethodPost, server.URL+"/a/v1/messages", strings.NewReader(body))
		require.NoError(t, err)
		req.Header.Set("X-Answer", answer)
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		resp.Body.Close()
	}
	require.NoError(t, g.Drained(t.Context()))
	dir := t.TempDir()
	saved := filepath.Join(dir, "night.jsonl")
	require.NoError(t, os.WriteFile(saved, []byte(text(t, server.URL+"/samples")), 0o600))
	for line := range strings.Lines(log.String()) {
		require.Contains(t, line, `"version":"v0.0.1","config":"`)
		for _, place := range []string{dir, saved} {
			code, out, stderr := call(t, line, "replay", "-", "--samples", place)
			require.Zero(t, code, stderr)
			require.Contains(t, out, "it was v0.0.1 that ran")
			if strings.Contains(line, `"repaired"`) {
				require.Contains(t, out, "anthropic/tool-result-missing")
				require.Contains(t, out, "repaired, status 200")
			} else {
				require.Contains(t, out, "valid, status 400")
				require.Contains(t, out, "nothing is repaired in it")
			}
		}
		code, _, stderr := call(t, "", "replay", strings.TrimSpace(line), "--samples", saved)
		require.Zero(t, code, stderr)
	}
	for _, c := range []struct {
		code int
		args []string
	}{
		{exitUsage, nil}, {exitUsage, []string{"x"}}, {exitUsage, []string{"{}", "--samples", dir}},
		{exitWrong, []string{"no-such-id", "--samples", dir}},
		{exitWrong, []string{"x", "--samples", dir + "x"}},
	} {
		code, _, _ := call(t, "", append([]string{"replay"}, c.args...)...)
		require.Equal(t, c.code, code, c.args)
	}
}
