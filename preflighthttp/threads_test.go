package preflighthttp_test

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/internal/rapidseed"
	"github.com/go-preflight/preflight/preflighttest"
)

// The tests of this file run agents whose server keeps the conversation: most of their requests are
// only what is new. Nobody may say there what he did not say, and no result may be lost.

// threadAgent is an agent, and what it knows of its conversation.
type threadAgent struct {
	t      *testing.T
	rng    *rand.Rand
	format threadFormat
	server *preflighttest.Server
	client *http.Client

	branch
	earlier  []branch // as it was after each answer
	next     int
	requests int
	full     int // requests that sent everything
}

// branch is a conversation.
type branch struct {
	all  []json.RawMessage // all of it
	link string            // the id of the last answer, "" if the server keeps nothing
	open []string          // the ids of calls that have no result yet
	late []string          // those whose results may come at any time
	said []string          // by the user and the tools, in order
}

func (b branch) clone() branch {
	return branch{slices.Clone(b.all), b.link, slices.Clone(b.open), slices.Clone(b.late),
		slices.Clone(b.said)}
}

// threadFormat is what a format says about threads.
type threadFormat struct {
	provider, path string
	text           func(string) json.RawMessage
	results        func(ids, outputs []string) []json.RawMessage
	request        func(list []json.RawMessage, link string) map[string]any
	answer         func(answer map[string]json.RawMessage) (string, []json.RawMessage, []call)
	async          bool // calls may stay open
}

type call struct {
	id    string
	async bool
}

// asJSON is the JSON of a value.
func asJSON(v any) json.RawMessage {
	out, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return out
}

type object = map[string]any

var threadFormats = []threadFormat{
	{
		provider: "anthropic", path: "/v1/messages",
		text: func(s string) json.RawMessage { return asJSON(object{"role": "user", "content": s}) },
		results: func(ids, outputs []string) []json.RawMessage {
			var blocks []object
			for k, id := range ids {
				blocks = append(blocks, object{"type": "tool_result", "tool_use_id": id,
					"content": outputs[k]})
			}
			return []json.RawMessage{asJSON(object{"role": "user", "content": blocks})}
		},
		request: func(list []json.RawMessage, link string) map[string]any {
			r := object{"model": "claude-opus-5-5", "max_tokens": 64, "messages": list,
				"thread": object{"type": "continue", "previous_message_id": link}}
			if link == "" {
				r["thread"] = object{"type": "create"}
				r["system"] = "You help."
				r["tools"] = []object{{"name": "run", "input_schema": object{"type": "object"}}}
			}
			return r
		},
		answer: func(a map[string]json.RawMessage) (id string, items []json.RawMessage, calls []call) {
			var blocks []struct{ Type, ID string }
			_ = json.Unmarshal(a["content"], &blocks)
			for _, b := range blocks {
				if b.Type == "tool_use" {
					calls = append(calls, call{b.ID, false})
				}
			}
			_ = json.Unmarshal(a["id"], &id)
			return id, []json.RawMessage{
				asJSON(object{"role": "assistant", "content": a["content"]})}, calls
		},
	},
	{
		provider: "openai-responses", path: "/v1/responses", async: true,
		text: func(s string) json.RawMessage { return asJSON(object{"role": "user", "content": s}) },
		results: func(ids, outputs []string) (items []json.RawMessage) {
			for k, id := range ids {
				items = append(items, asJSON(object{"type": "function_call_output", "call_id": id,
					"output": outputs[k]}))
			}
			return items
		},
		request: func(list []json.RawMessage, link string) map[string]any {
			r := object{"model": "gpt-6-astra", "input": list,
				"tools": []object{{"type": "function", "name": "run", "async": true,
					"parameters": object{"type": "object", "properties": object{}}}}}
			if link != "" {
				r["previous_response_id"] = link
			}
			return r
		},
		answer: func(a map[string]json.RawMessage) (id string, items []json.RawMessage, calls []call) {
			_ = json.Unmarshal(a["id"], &id)
			_ = json.Unmarshal(a["output"], &items)
			for _, raw := range items {
				var item struct {
					Type  string
					ID    string `json:"call_id"`
					Async bool
				}
				_ = json.Unmarshal(raw, &item)
				if item.Type == "function_call" {
					calls = append(calls, call{item.ID, item.Async})
				}
			}
			return id, items, calls
		},
	},
}

// word is a text that nobody said before.
func (a *threadAgent) word(kind string) string {
	a.next++
	return fmt.Sprintf("%s %d of %s", kind, a.next, a.t.Name())
}

// step is one turn of the agent: what is new, sent as it can be.
func (a *threadAgent) step() {
	if len(a.earlier) > 1 && a.rng.IntN(10) == 0 { // another branch, from an earlier answer on
		a.branch = a.earlier[a.rng.IntN(len(a.earlier)-1)].clone()
	}
	var fresh []json.RawMessage
	answer := func(ids []string) {
		var outputs []string
		for range ids {
			outputs = append(outputs, a.word("result"))
		}
		a.said = append(a.said, outputs...)
		fresh = append(fresh, a.format.results(ids, outputs)...)
	}
	if len(a.open) > 0 {
		a.rng.Shuffle(len(a.open), func(i, j int) { a.open[i], a.open[j] = a.open[j], a.open[i] })
		answer(a.open)
		a.open = nil
	}
	for len(a.late) > 0 && a.rng.IntN(2) == 0 {
		answer(a.late[:1])
		a.late = a.late[1:]
	}
	if len(fresh) == 0 || a.rng.IntN(4) == 0 {
		text := a.word("text")
		a.said = append(a.said, text)
		fresh = append(fresh, a.format.text(text))
	}
	switch a.rng.IntN(12) {
	case 0:
		a.server.Forget() // the thread expired
	case 1:
		a.link = "" // the agent was started anew
	}
	a.all = append(a.all, fresh...)
	list := fresh
	if a.link == "" {
		list = a.all
	}
	status, reply := a.send(list)
	if status == http.StatusNotFound || status == http.StatusBadRequest && a.link != "" {
		a.link = "" // the client replays everything
		status, reply = a.send(a.all)
	}
	require.Equal(a.t, http.StatusOK, status, "%s", reply)
	var answered map[string]json.RawMessage
	require.NoError(a.t, json.Unmarshal(reply, &answered))
	id, items, calls := a.format.answer(answered)
	a.all, a.link = append(a.all, items...), id
	for _, c := range calls {
		if c.async {
			a.late = append(a.late, c.id)
		} else {
			a.open = append(a.open, c.id)
		}
	}
	a.earlier = append(a.earlier, a.branch.clone())
}

// send sends a request, and holds the server to have got exactly it.
func (a *threadAgent) send(list []json.RawMessage) (int, []byte) {
	body := asJSON(a.format.request(list, a.link))
	a.requests++
	if a.link == "" {
		a.full++
	}
	resp, err := a.client.Post(a.server.URL+a.format.path, "application/json",
		strings.NewReader(string(body)))
	require.NoError(a.t, err)
	defer resp.Body.Close()
	reply, err := io.ReadAll(resp.Body)
	require.NoError(a.t, err)
	got := a.server.Requests()
	require.Equal(a.t, string(body), string(got[len(got)-1].Body))
	return resp.StatusCode, reply
}

// heard are the texts of users and tools in a conversation that the server keeps, in order.
func heard(t *testing.T, list json.RawMessage) (texts []string) {
	var items []struct {
		Role, Type, Output string
		Content            json.RawMessage
	}
	require.NoError(t, json.Unmarshal(list, &items))
	for _, item := range items {
		var text string
		var blocks []struct{ Content string }
		switch {
		case item.Output != "":
			texts = append(texts, item.Output)
		case item.Role != "user":
		case json.Unmarshal(item.Content, &text) == nil:
			texts = append(texts, text)
		default:
			require.NoError(t, json.Unmarshal(item.Content, &blocks))
			for _, b := range blocks {
				texts = append(texts, b.Content)
			}
		}
	}
	return texts
}

// TestThreads: in sessions whose server keeps the conversation every request arrives as the agent
// sent it, and what the server has in the end is what the user and the tools said: no result is
// lost, and no word is invented, though threads expire, are forked and begin anew, and outputs come
// late.
func TestThreads(t *testing.T) {
	sessions := rapidseed.Size(1000, 60) // of each format
	for _, format := range threadFormats {
		t.Run(format.provider, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, 2))
			server := preflighttest.New(t, format.provider, &preflighttest.Options{
				Remember: true,
				Respond: func(preflighttest.Request) preflighttest.Reply {
					reply := preflighttest.Reply{Text: "ok"}
					if rng.IntN(3) == 0 {
						reply.Reasoning = "hm"
					}
					for range rng.IntN(3) {
						reply.Calls = append(reply.Calls, preflighttest.Call{
							Name: "run", Async: format.async && rng.IntN(2) == 0})
					}
					return reply
				},
			})
			transport, _ := to(t, server.URL)
			requests, full, results := 0, 0, 0
			for range sessions {
				a := &threadAgent{t: t, rng: rng, format: format, server: server,
					client: &http.Client{Transport: transport}}
				for range 3 + rng.IntN(6) {
					a.step()
				}
				kept := heard(t, server.Conversation(a.link))
				require.Equal(t, a.said, kept)
				requests, full = requests+a.requests, full+a.full
				for _, s := range kept {
					if strings.HasPrefix(s, "result") {
						results++
					}
				}
			}
			require.Greater(t, requests-full, sessions, "deltas")
			require.Greater(t, results, sessions)
			t.Logf("%d sessions, %d requests, %d of them whole, %d results", sessions, requests, full,
				results)
		})
	}
}

// TestThreadsBroken: the whole conversation that a client sends after its thread broke is repaired
// as ever, and so is what a delta holds besides what the server has.
func TestThreadsBroken(t *testing.T) {
	server := preflighttest.New(t, "anthropic", &preflighttest.Options{Remember: true})
	transport, told := to(t, server.URL)
	status, _ := do(t, transport, post(t, server.URL+"/v1/messages", strings.NewReader(
		`{"model":"claude-opus-5-5","max_tokens":9,"thread":{"type":"create"},"messages":[`+
			`{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"tool_use",`+
			`"id":"toolu_1","name":"run","input":{}}]},{"role":"user","content":"Go on."}],`+
			`"tools":[{"name":"run","input_schema":{"type":"object"}}]}`)))
	require.Equal(t, http.StatusOK, status)
	require.True(t, told.only(t).Changed)
	require.True(t, slices.ContainsFunc(server.Requests(), func(r preflighttest.Request) bool {
		return r.Refusal == nil && !strings.Contains(string(r.Body), "toolu_1")
	}))
}
