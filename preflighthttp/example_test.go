package preflighthttp_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"

	"github.com/go-preflight/preflight/preflighthttp"
	"github.com/go-preflight/preflight/preflighthttp/remedy"
)

// provider is a fake of a provider: it refuses every call without a result, and thinking that it
// does not remember.
func provider() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		switch {
		case strings.Contains(string(body), "tool_use") && !strings.Contains(string(body),
			"tool_result"):
			refuse(w,
				"messages.1: `tool_use` ids were found without `tool_result` blocks immediately "+
					"after: toolu_1. Each `tool_use` block must have a corresponding "+
					"`tool_result` block in the next message.")
		case strings.Contains(string(body), "signature"):
			refuse(w, bound)
		default:
			io.WriteString(w, `{"role":"assistant","content":[{"type":"text","text":"Stopped."}]}`)
		}
	}))
}

// ask sends a history, as any SDK does, and prints the answer.
func ask(client *http.Client, address, history string) {
	body := `{"model":"claude-opus-5-5","max_tokens":100,"messages":[` + history + `]}`
	resp, err := client.Post(address+"/v1/messages", "application/json", strings.NewReader(body))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	answer, _ := io.ReadAll(resp.Body)
	fmt.Println(resp.StatusCode, string(answer))
}

// The user stopped a tool, and the call was stored without a result. The loop continues as if
// nothing had happened.
func Example() {
	server := provider()
	defer server.Close()
	host := strings.TrimPrefix(server.URL, "http://")

	client := &http.Client{
		Transport: &preflighthttp.Transport{
			Endpoints: []preflighthttp.Endpoint{{Host: host}}, // api.anthropic.com is known without
			Report: func(_ context.Context, r *preflighthttp.Report) {
				for _, w := range r.Warnings {
					fmt.Println(w.Path, w.Code)
				}
			},
		}}
	ask(client, server.URL,
		`{"role":"user","content":"Build it."},`+
			`{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"run",`+
			`"input":{}}]},`+
			`{"role":"user","content":"Stop."}`)
	// Output:
	// messages[1].content[0] dangling-removed
	// messages[2] messages-merged
	// 200 {"role":"assistant","content":[{"type":"text","text":"Stopped."}]}
}

// Only the provider knows that a thinking block belongs to another conversation. With Remedies, its
// refusal is answered by the same request without the thinking.
func ExampleTransport_remedies() {
	server := provider()
	defer server.Close()
	host := strings.TrimPrefix(server.URL, "http://")

	client := &http.Client{
		Transport: &preflighthttp.Transport{
			Endpoints: []preflighthttp.Endpoint{{Host: host}},
			Remedies:  remedy.All(),
			Report: func(_ context.Context, r *preflighthttp.Report) {
				if r.Refusal != nil {
					fmt.Println("refused:", r.Refusal.Rule.ID, "tried:", r.Remedy, "now:", r.Status)
				}
			},
		},
	}
	ask(client, server.URL,
		`{"role":"user","content":"Build it."},`+
			`{"role":"assistant","content":[{"type":"thinking","thinking":"Hm.",`+
			`"signature":"QUJD"},{"type":"text","text":"Done."}]},`+
			`{"role":"user","content":"Stop."}`)
	// Output:
	// refused: anthropic/thinking-binding-prefix tried: drop-reasoning now: 200
	// 200 {"role":"assistant","content":[{"type":"text","text":"Stopped."}]}
}

// The owner of a history keeps what was repaired, so that the next request needs no repair.
func ExampleWithRepaired() {
	server := provider()
	defer server.Close()
	client := &http.Client{Transport: &preflighthttp.Transport{
		Endpoints: []preflighthttp.Endpoint{{}}, // any host
	}}
	history := `{"model":"claude-opus-5-5","max_tokens":100,"messages":[` +
		`{"role":"user","content":"Build it."},` +
		`{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"run",` +
		`"input":{}}]},` +
		`{"role":"user","content":"Stop."}]}`
	ctx := preflighthttp.WithRepaired(context.Background(), func(r *preflighthttp.Repaired) {
		history = string(r.Result.Body)
	})
	req, _ := http.NewRequestWithContext(ctx, http.MethodPost, server.URL+"/v1/messages",
		strings.NewReader(history))
	resp, err := client.Do(req)
	if err != nil {
		fmt.Println(err)
		return
	}
	resp.Body.Close()
	_, messages, _ := strings.Cut(history, `"messages":`)
	fmt.Println(messages)
	// Output:
	// [{"role":"user","content":[{"type":"text","text":"Build it."},{"type":"text","text":"Stop."}]}]}
}

// A reverse proxy repairs what its clients send, in whatever language they are written.
func ExampleTransport_reverseProxy() {
	server := provider()
	defer server.Close()
	upstream, _ := url.Parse(server.URL)

	proxy := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(upstream) },
		Transport: &preflighthttp.Transport{
			Endpoints: []preflighthttp.Endpoint{{Host: upstream.Host}},
		},
	})
	defer proxy.Close()

	ask(http.DefaultClient, proxy.URL,
		`{"role":"user","content":"Build it."},`+
			`{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"run",`+
			`"input":{}}]},`+
			`{"role":"user","content":"Stop."}`)
	// Output:
	// 200 {"role":"assistant","content":[{"type":"text","text":"Stopped."}]}
}

// Local servers and gateways are told by host, path, or both.
func ExampleEndpoint() {
	_ = &preflighthttp.Transport{
		Endpoints: []preflighthttp.Endpoint{
			// vLLM: any known path
			{Host: "localhost:8000", Provider: "chat-template"},
			// a gateway that speaks like OpenRouter
			{Host: "llm.example.com", Provider: "openrouter"},
			// a path of its own
			{Host: "llm.example.com", Path: "/claude/{model}/invoke", Provider: "anthropic"},
			// left alone
			{Host: "api.openai.com", Path: "/v1/responses", Provider: preflighthttp.Skip},
		}}
}
