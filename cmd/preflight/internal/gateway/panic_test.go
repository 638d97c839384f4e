package gateway

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPanic: a fault of the gateway itself, which net/http would only end the request for, is told
// and counted, without what it says of the request.
func TestPanic(t *testing.T) {
	g, err := New(Config{Routes: []Route{{Prefix: "/a", Upstream: "http://127.0.0.1:1"}}})
	require.NoError(t, err)
	var told []string
	var log bytes.Buffer
	g.Warn = func(text string) { told = append(told, text) }
	g.Log = slog.New(slog.NewJSONHandler(&log, nil))
	var none []int
	for _, c := range []struct {
		fault func()
		says  string
	}{
		{func() { none[len(told)] = 1 }, "index out of range"},
		{func() { panic("a secret") }, "fault, please report it: string\n"},
	} {
		g.state.Load().proxies[0] = http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
			c.fault()
		})
		require.PanicsWithValue(t, http.ErrAbortHandler, func() {
			g.ServeHTTP(httptest.NewRecorder(),
				httptest.NewRequest(http.MethodPost, "/a/v1/messages", strings.NewReader("{}")))
		})
		last := told[len(told)-1]
		require.Contains(t, last, c.says)
		require.Contains(t, last, "panic_test.go")
		require.NotContains(t, last+log.String(), "secret")
	}
	require.Equal(t, 2, strings.Count(log.String(), `"level":"ERROR"`))
	require.Equal(t, 2, strings.Count(log.String(), `"result":"panic"`))
	w := httptest.NewRecorder()
	g.Admin().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	require.Contains(t, w.Body.String(), "preflight_panics_total 2\n")
	require.Zero(t, g.stats.open())
}
