package command

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/cmd/preflight/internal/gateway"
	"github.com/go-preflight/preflight/preflighttest"
)

// This file plays an agent whose tool is killed: a client that keeps what it got, as clients do.

type object = map[string]any

// dialect is how a client of a format writes its history.
type dialect struct {
	provider, path, stream string
	// body is a request with a history.
	body func(history []any, stream bool) object
	user func(text string) any
	// turn are the elements of the history for an answer, and the ids of its calls.
	turn   func(answer object) (elements []any, calls []string)
	result func(id string) any
}

var runTool = object{"type": "object", "properties": object{}}

var dialects = []dialect{
	{
		provider: "anthropic", path: "/v1/messages", stream: "/v1/messages",
		body: func(history []any, stream bool) object {
			return object{
				"model": "claude-sonnet-4-5", "max_tokens": 64, "messages": history,
				"stream": stream,
				"tools":  []any{object{"name": "run", "input_schema": runTool}},
			}
		},
		user: func(text string) any { return object{"role": "user", "content": text} },
		turn: func(answer object) ([]any, []string) {
			return []any{object{"role": "assistant", "content": answer["content"]}},
				idsIn(answer["content"], "tool_use", "id")
		},
		result: func(id string) any {
			block := object{"type": "tool_result", "tool_use_id": id, "content": "done"}
			return object{"role": "user", "content": []any{block}}
		},
	},
	{
		provider: "openai-chat", path: "/v1/chat/completions", stream: "/v1/chat/completions",
		body: func(history []any, stream bool) object {
			return object{
				"model": "gpt-5", "messages": history, "stream": stream,
				"tools": []any{object{
					"type": "function", "function": object{"name": "run", "parameters": runTool},
				}},
			}
		},
		user: func(text string) any { return object{"role": "user", "content": text} },
		turn: func(answer object) ([]any, []string) {
			message := answer["choices"].([]any)[0].(object)["message"].(object)
			return []any{message}, idsIn(message["tool_calls"], "function", "id")
		},
		result: func(id string) any {
			return object{"role": "tool", "tool_call_id": id, "content": "done"}
		},
	},
	{
		provider: "openai-responses", path: "/v1/responses", stream: "/v1/responses",
		body: func(history []any, stream bool) object {
			return object{
				"model": "gpt-5", "input": history, "store": false, "stream": stream,
				"tools": []any{object{"type": "function", "name": "run", "parameters": runTool}},
			}
		},
		user: func(text string) any { return object{"role": "user", "content": text} },
		turn: func(answer object) ([]any, []string) {
			return answer["output"].([]any), idsIn(answer["output"], "function_call", "call_id")
		},
		result: func(id string) any {
			return object{"type": "function_call_output", "call_id": id, "output": "done"}
		},
	},
	{
		provider: "gemini", path: "/v1beta/models/gemini-1.5-pro:generateContent",
		stream: "/v1beta/models/gemini-1.5-pro:streamGenerateContent?alt=sse",
		body: func(history []any, _ bool) object {
			return object{
				"contents": history,
				"tools":    []any{object{"functionDeclarations": []any{object{"name": "run"}}}},
			}
		},
		user: func(text string) any {
			return object{"role": "user", "parts": []any{object{"text": text}}}
		},
		turn: func(answer object) ([]any, []string) {
			content := answer["candidates"].([]any)[0].(object)["content"].(object)
			var calls []string
			for _, p := range content["parts"].([]any) {
				if call, ok := p.(object)["functionCall"].(object); ok {
					calls = append(calls, call["name"].(string))
				}
			}
			return []any{content}, calls
		},
		result: func(name string) any {
			part := object{"functionResponse": object{"name": name, "response": object{"ok": true}}}
			return object{"role": "user", "parts": []any{part}}
		},
	},
}

// idsIn returns the ids of the blocks of a type in a list.
func idsIn(list any, kind, member string) (ids []string) {
	blocks, _ := list.([]any)
	for _, b := range blocks {
		if b := b.(object); b["type"] == kind {
			ids = append(ids, b[member].(string))
		}
	}
	return ids
}

// agent is a client and its history.
type agent struct {
	t       *testing.T
	base    string
	dialect dialect
	history []any
}

func (a *agent) post(path string, stream bool) (status int, answer []byte) {
	body, err := json.Marshal(a.dialect.body(a.history, stream))
	require.NoError(a.t, err)
	resp, err := http.Post(a.base+path, "application/json", bytes.NewReader(body))
	require.NoError(a.t, err)
	defer resp.Body.Close()
	answer, err = io.ReadAll(resp.Body)
	require.NoError(a.t, err)
	return resp.StatusCode, answer
}

// ask sends what the user says, and keeps the answer. It returns the ids of the answer's calls.
func (a *agent) ask(say ...any) (status int, calls []string) {
	a.history = append(a.history, say...)
	status, text := a.post(a.dialect.path, false)
	if status != http.StatusOK {
		return status, nil
	}
	var answer object
	require.NoError(a.t, json.Unmarshal(text, &answer))
	elements, calls := a.dialect.turn(answer)
	a.history = append(a.history, elements...)
	return status, calls
}

// play has the agent's tool killed twice and continues after it. It returns the statuses.
func (a *agent) play() []int {
	var statuses []int
	keep := func(status int, calls []string) []string {
		statuses = append(statuses, status)
		return calls
	}
	user, result := a.dialect.user, a.dialect.result
	calls := keep(a.ask(user("Build it.")))
	require.Len(a.t, calls, 1)
	keep(a.ask(result(calls[0])))
	calls = keep(a.ask(user("Test it."))) // killed before there is a result
	require.Len(a.t, calls, 1)
	calls = keep(a.ask(user("Stop. Go on with the docs.")))
	if len(calls) == 2 { // the first is done, the second killed
		a.history = append(a.history, result(calls[0]))
	}
	keep(a.ask(user("And now?")))
	status, text := a.post(a.dialect.stream, true)
	keep(status, nil)
	if status == http.StatusOK {
		require.Contains(a.t, string(text), "streamed")
	}
	return statuses
}

func TestServeAgents(t *testing.T) {
	run := preflighttest.Call{Name: "run"}
	script := []preflighttest.Reply{
		{Calls: []preflighttest.Call{run}}, {Text: "Built."}, {Calls: []preflighttest.Call{run}},
		{Calls: []preflighttest.Call{run, run}}, {Text: "Done."}, {Text: "streamed"},
	}
	for _, d := range dialects {
		t.Run(d.provider, func(t *testing.T) {
			direct := preflighttest.New(t, d.provider, nil)
			direct.Script(script...)
			require.Contains(t, (&agent{t: t, base: direct.URL, dialect: d}).play(),
				http.StatusBadRequest, "without the gateway a request is refused")

			upstream := preflighttest.New(t, d.provider, nil)
			upstream.Script(script...)
			base := served(t, gateway.Route{
				Prefix: "/" + d.provider, Upstream: upstream.URL, Provider: d.provider,
			})
			statuses := (&agent{t: t, base: base + "/" + d.provider, dialect: d}).play()
			require.Equal(t, []int{200, 200, 200, 200, 200, 200}, statuses)
			require.Empty(t, upstream.Refused())
			require.Len(t, upstream.Requests(), 6)
			page := text(t, base+"/")
			require.Contains(t, page, `<td class="repaired">repaired</td>`)
			require.Contains(t, page, "<code>"+d.provider+"/")
			require.Contains(t, text(t, base+"/metrics"), "preflight_repaired_total 3")
		})
	}
}

// served runs the gateway as serve does.
func served(t *testing.T, routes ...gateway.Route) (base string) {
	g, err := gateway.New(gateway.Config{Routes: routes})
	require.NoError(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- serve(ctx, listener, g, 0, 10*time.Second) }()
	t.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections()
		stop()
		require.NoError(t, <-ended)
	})
	return "http://" + listener.Addr().String()
}

func text(t *testing.T, url string) string {
	resp, err := http.Get(url)
	require.NoError(t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return string(body)
}
