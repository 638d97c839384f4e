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

// Beyond the budget for bodies a request is refused in the provider's form, or passed on unchanged.
func TestBudget(t *testing.T) {
	release, bodies := make(chan bool), make(chan string, 4)
	upstream := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		bodies <- string(body)
		<-release
	}))
	defer upstream.Close()
	body := aborted[0].body
	for _, busy := range []string{gateway.BusyRefuse, gateway.BusyPass} {
		url := start(t, gateway.Route{Upstream: upstream.URL, Provider: "anthropic"},
			func(c *gateway.Config) {
				c.MaxBody, c.MaxHeld, c.Busy = int64(len(body)), int64(len(body))+10, busy
			})
		send := func() <-chan int {
			status := make(chan int, 1)
			go func() {
				resp, err := http.Post(url+"/r/v1/messages", "application/json",
					strings.NewReader(body))
				if err != nil {
					status <- 0
					return
				}
				resp.Body.Close()
				status <- resp.StatusCode
			}()
			return status
		}
		first := send()
		require.NotEqual(t, body, <-bodies, "the first is repaired")
		if busy == gateway.BusyRefuse {
			status, header, answer := post(t, url+"/r/v1/messages", body)
			require.Equal(t, http.StatusServiceUnavailable, status)
			require.Equal(t, "1", header.Get("Retry-After"))
			require.Contains(t, answer, `"type":"overloaded_error"`)
			require.Contains(t, get(t, url+"/metrics"), "preflight_refused_total 1")
			release <- true
		} else {
			second := send()
			require.Equal(t, body, <-bodies, "the second passes unchanged")
			release <- true
			release <- true
			require.Equal(t, http.StatusOK, <-second)
		}
		require.Equal(t, http.StatusOK, <-first)
		metrics := get(t, url+"/metrics")
		require.Contains(t, metrics, "preflight_busy_total 1")
		require.Contains(t, metrics, "preflight_held_bytes 0")
	}
}
