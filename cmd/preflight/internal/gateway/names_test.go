package gateway_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/cmd/preflight/internal/gateway"
)

// TestNamesReturned: a client of the gateway gets calls of the tool that it has declared, event by
// event, although the upstream knows the tool by another name.
func TestNamesReturned(t *testing.T) {
	more := make(chan bool)
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		name := regexp.MustCompile(`docs_search_[0-9a-f]+`).Find(body)
		w.Header().Set("Content-Type", "text/event-stream")
		for range 2 {
			fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,"+
				"\"function\":{\"name\":%q}}]}}]}\n\n", name)
			_ = http.NewResponseController(w).Flush()
			<-more
		}
	}))
	defer upstream.Close()
	g, err := gateway.New(gateway.Config{
		Routes: []gateway.Route{{Prefix: "/r", Upstream: upstream.URL, Provider: "openai-chat"}},
	})
	require.NoError(t, err)
	server := httptest.NewServer(g)
	defer server.Close()
	resp, err := http.Post(server.URL+"/r/v1/chat/completions", "application/json", strings.NewReader(
		`{"model":"gpt-5","stream":true,"messages":[{"role":"user","content":"q"}],"tools":[`+
			`{"type":"function","function":{"name":"docs.search","parameters":{}}}]}`))
	require.NoError(t, err)
	defer resp.Body.Close()
	lines := bufio.NewReader(resp.Body)
	for range 2 {
		line, err := lines.ReadString('\n')
		require.NoError(t, err)
		require.Contains(t, line, `"name":"docs.search"`)
		_, err = lines.ReadString('\n')
		require.NoError(t, err)
		more <- true
	}
}
