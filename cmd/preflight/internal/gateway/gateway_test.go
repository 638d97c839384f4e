package gateway_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/cmd/preflight/internal/gateway"
	"github.com/go-preflight/preflight/preflighttest"
)

// start runs a gateway with one route, "/r", to an upstream.
func start(t *testing.T, route gateway.Route, change func(*gateway.Config)) string {
	t.Helper()
	route.Prefix = "/r"
	config := gateway.Config{Routes: []gateway.Route{route}}
	if change != nil {
		change(&config)
	}
	g, err := gateway.New(config)
	require.NoError(t, err)
	server := httptest.NewServer(g)
	t.Cleanup(server.Close)
	return server.URL
}

func post(t *testing.T, url, body string) (int, http.Header, string) {
	t.Helper()
	resp, err := http.Post(url, "application/json", strings.NewReader(body))
	require.NoError(t, err)
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, resp.Header, string(answer)
}

func get(t *testing.T, url string) string {
	t.Helper()
	resp, err := http.Get(url)
	require.NoError(t, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return string(text)
}

// aborted are sessions whose tool was killed before it gave a result, with the user going on, by
// format.
var aborted = []struct{ provider, path, body string }{
	{"anthropic", "/v1/messages",
		`{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[{"role":"user",` +
			`"content":"a secret"},{"role":"assistant","content":[{"type":"tool_use",` +
			`"id":"toolu_1","name":"run","input":{}}]},` +
			`{"role":"user","content":"Go on."}],` +
			`"tools":[{"name":"run","input_schema":{"type":"object"}}]}`},
	{"openai-chat", "/v1/chat/completions",
		`{"model":"gpt-5","messages":[{"role":"user","content":"a secret"},` +
			`{"role":"assistant","tool_calls":[{"id":"call_1","type":"function",` +
			`"function":{"name":"run","arguments":"{}"}}]},{"role":"user","content":"Go on."}]}`},
	{"openai-responses", "/v1/responses",
		`{"model":"gpt-5","input":[{"role":"user","content":"a secret"},` +
			`{"type":"function_call","call_id":"call_1","name":"run","arguments":"{}"},` +
			`{"role":"user","content":"Go on."}]}`},
	{"gemini", "/v1beta/models/gemini-1.5-pro:generateContent",
		`{"contents":[{"role":"user","parts":[{"text":"a secret"}]},` +
			`{"role":"model","parts":[{"functionCall":{"name":"run","args":{}}}]},` +
			`{"role":"user","parts":[{"text":"Go on."}]}]}`},
}

func TestRepairs(t *testing.T) {
	for _, test := range aborted {
		t.Run(test.provider, func(t *testing.T) {
			upstream := preflighttest.New(t, test.provider, nil)
			status, _, _ := post(t, upstream.URL+test.path, test.body)
			require.Equal(t, http.StatusBadRequest, status, "without the gateway")

			url := start(t, gateway.Route{Upstream: upstream.URL, Provider: test.provider}, nil)
			status, _, answer := post(t, url+"/r"+test.path, test.body)
			require.Equal(t, http.StatusOK, status, answer)

			page, metrics := get(t, url+"/"), get(t, url+"/metrics")
			require.Contains(t, page, "repaired")
			require.Contains(t, page, test.provider)
			require.Contains(t, metrics, "preflight_repaired_total 1")
			require.Contains(t, metrics, `preflight_answers_total{route="/r",status="200"} 1`)
			require.NotContains(t, page+metrics, "secret")
		})
	}
}

func TestDryRun(t *testing.T) {
	upstream := preflighttest.New(t, "anthropic", nil)
	url := start(t, gateway.Route{Upstream: upstream.URL, Provider: "anthropic", DryRun: 1}, nil)
	status, _, _ := post(t, url+"/r"+aborted[0].path, aborted[0].body)
	require.Equal(t, http.StatusBadRequest, status)
}

// A history that cannot be repaired is refused in the provider's own form, if the route says so.
func TestUnfixable(t *testing.T) {
	reached := 0
	upstream := httptest.NewServer(http.HandlerFunc(
		func(http.ResponseWriter, *http.Request) { reached++ }))
	defer upstream.Close()
	body := `{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[]}`
	url := start(t,
		gateway.Route{Upstream: upstream.URL, Provider: "anthropic", Unfixable: "refuse"}, nil)
	status, header, answer := post(t, url+"/r/v1/messages", body)
	require.Equal(t, http.StatusBadRequest, status)
	require.Equal(t, "refused", header.Get("X-Preflight"))
	require.Contains(t, answer, `"type":"invalid_request_error"`)
	require.Zero(t, reached)

	url = start(t, gateway.Route{Upstream: upstream.URL, Provider: "anthropic"}, nil)
	status, _, _ = post(t, url+"/r/v1/messages", body)
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, 1, reached)
}

// With untrusted, a body that cannot be read is refused, unless the route sends what it cannot
// repair.
func TestUntrustedIsNotPassed(t *testing.T) {
	reached := 0
	upstream := httptest.NewServer(http.HandlerFunc(
		func(http.ResponseWriter, *http.Request) { reached++ }))
	defer upstream.Close()
	route := gateway.Route{Upstream: upstream.URL, Provider: "anthropic"}
	route.Options.Untrusted = true
	const body = `{"model":"claude-sonnet-4-5","max_tokens":9,"system":"secret","messages":[`
	url := start(t, route, nil)
	status, header, answer := post(t, url+"/r/v1/messages", body)
	require.Equal(t, http.StatusBadRequest, status)
	require.Equal(t, "refused", header.Get("X-Preflight"))
	require.Contains(t, answer, `"type":"invalid_request_error"`)
	require.Zero(t, reached)
	require.Contains(t, get(t, url+"/"), "refused: not-json")

	route.Unfixable = "send"
	status, _, _ = post(t, start(t, route, nil)+"/r/v1/messages", body)
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, 1, reached)
}

// Paths, queries and headers reach the upstream as they came.
func TestPassesOn(t *testing.T) {
	type seen struct{ uri, host, key, forwarded string }
	got := make(chan seen, 1)
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got <- seen{r.RequestURI, r.Host, r.Header.Get("X-Api-Key"),
			r.Header.Get("X-Forwarded-For")}
		w.Header().Set("X-Answer", "yes")
		w.WriteHeader(http.StatusTeapot)
	}))
	defer upstream.Close()
	url := start(t, gateway.Route{Upstream: upstream.URL + "/base"}, nil)
	req, err := http.NewRequest(http.MethodPost,
		url+"/r/model/arn%3Aaws%3Ab%2Fp/converse?a=1;b=%2F&c", strings.NewReader("not json"))
	require.NoError(t, err)
	req.Header.Set("X-Api-Key", "key")
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	require.Equal(t, http.StatusTeapot, resp.StatusCode)
	require.Equal(t, "yes", resp.Header.Get("X-Answer"))
	want := seen{
		"/base/model/arn%3Aaws%3Ab%2Fp/converse?a=1;b=%2F&c",
		strings.TrimPrefix(upstream.URL, "http://"),
		"key",
		"",
	}
	require.Equal(t, want, <-got)
	require.NotContains(t, get(t, url+"/")+get(t, url+"/metrics"), "key\n")
}

// Streams reach the client event by event: the upstream sends the next one only when the last
// arrived.
func TestStreams(t *testing.T) {
	next := make(chan bool)
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for n := range 3 {
			fmt.Fprintf(w, "data: %d\n\n", n)
			http.NewResponseController(w).Flush()
			select {
			case <-next:
			case <-r.Context().Done():
				return
			}
		}
	}))
	defer upstream.Close()
	url := start(t, gateway.Route{Upstream: upstream.URL, Provider: "anthropic"}, nil)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/r/v1/messages",
		strings.NewReader(aborted[0].body))
	require.NoError(t, err)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	lines := bufio.NewReader(resp.Body)
	for n := range 3 {
		line, err := lines.ReadString('\n')
		require.NoError(t, err)
		require.Equal(t, fmt.Sprintf("data: %d\n", n), line)
		_, err = lines.ReadString('\n')
		require.NoError(t, err)
		next <- true
	}
}

func TestUpstreamAway(t *testing.T) {
	upstream := httptest.NewServer(http.NotFoundHandler())
	upstream.Close()
	url := start(t, gateway.Route{Upstream: upstream.URL}, nil)
	status, _, answer := post(t, url+"/r/v1/messages", "{}")
	require.Equal(t, http.StatusBadGateway, status)
	require.Contains(t, answer, "refused the connection")
	require.NotContains(t, answer, upstream.URL)
}

func TestOwnPaths(t *testing.T) {
	g, err := gateway.New(gateway.Config{})
	require.NoError(t, err)
	server := httptest.NewServer(g)
	defer server.Close()
	require.Equal(t, "ok\n", get(t, server.URL+"/healthz"))
	require.Equal(t, "ready\n", get(t, server.URL+"/readyz"))
	g.Ready = func() bool { return false }
	require.Equal(t, "draining\n", get(t, server.URL+"/readyz"))
	require.Contains(t, get(t, server.URL+"/nowhere"), "no route")
	require.Contains(t, get(t, server.URL+"/anthropicx/v1"), "no route")
	require.Contains(t, get(t, server.URL+"/"), "api.anthropic.com")
}

// TestThreadsElsewhere: in front of a host without threads, which would answer what is new as if it
// were all, the continuation of a thread is refused in the client's words, and the whole
// conversation passes.
func TestThreadsElsewhere(t *testing.T) {
	upstream := preflighttest.New(t, "anthropic", nil)
	url := start(t, gateway.Route{Upstream: upstream.URL, Provider: "deepseek"}, nil)
	const form = `{"model":"m","max_tokens":9,"thread":%s,"messages":[{"role":"user","content":"q"}]}`
	status, header, answer := post(t, url+"/r/v1/messages",
		fmt.Sprintf(form, `{"type":"continue","previous_message_id":"msg_1"}`))
	require.Equal(t, http.StatusBadRequest, status)
	require.Equal(t, "refused", header.Get("X-Preflight"))
	require.Contains(t, answer, `"error_code":"thread_unsupported_request"`)
	require.Empty(t, upstream.Requests())
	_, header, _ = post(t, url+"/r/v1/messages", fmt.Sprintf(form, `{"type":"create"}`))
	require.NotEqual(t, "refused", header.Get("X-Preflight"))
}
