package gateway_test

import (
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/cmd/preflight/internal/gateway"
)

// TestStuckReader: a reader of the log that reads nothing holds up no request, and what it misses
// is counted. One that reads gets every line.
func TestStuckReader(t *testing.T) {
	stuck, w := io.Pipe()
	queue := gateway.NewLogQueue(w)
	_, url, _ := running(t, gateway.Config{
		Routes: []gateway.Route{{Prefix: "/a", Upstream: answering(t, 200, "yes")}},
	}, func(g *gateway.Gateway) {
		g.Log, g.LogQueue = slog.New(slog.NewJSONHandler(queue, nil)), queue
	})
	client := http.Client{Timeout: 10 * time.Second}
	for range 200 {
		resp, err := client.Get(url + "/a/x")
		require.NoError(t, err)
		resp.Body.Close()
	}
	for range 5000 {
		_, err := queue.Write([]byte("line\n"))
		require.NoError(t, err)
	}
	require.Positive(t, queue.Dropped())
	require.NotContains(t, get(t, url+"/metrics"), "preflight_log_dropped_total 0\n")
	queue.Close(time.Millisecond)
	stuck.Close()

	var all strings.Builder
	queue = gateway.NewLogQueue(&all)
	for range 100 {
		_, _ = queue.Write([]byte("line\n"))
	}
	queue.Close(time.Minute)
	require.Equal(t, 100, strings.Count(all.String(), "line\n"))
	require.Zero(t, queue.Dropped())
}
