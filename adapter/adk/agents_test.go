package preflightadk_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"google.golang.org/adk/agent"
	"google.golang.org/adk/agent/llmagent"
	"google.golang.org/adk/session"
	"google.golang.org/adk/tool"
	"google.golang.org/adk/tool/functiontool"
	"google.golang.org/genai"

	preflightadk "github.com/go-preflight/preflight/adapter/adk"
	"github.com/go-preflight/preflight/preflighttest"
)

// This file has runs with what only ADK knows: hand-offs, long-running tools and confirmations.

// respond is a message of the client that answers a call.
func respond(id, name string, response map[string]any) *genai.Content {
	p := genai.NewPartFromFunctionResponse(name, response)
	p.FunctionResponse.ID = id
	return genai.NewContentFromParts([]*genai.Part{p}, genai.RoleUser)
}

// callOf is the last call of a tool in events.
func callOf(t *testing.T, events []*session.Event, name string) *genai.FunctionCall {
	t.Helper()
	for _, e := range slices.Backward(events) {
		for _, p := range e.Content.Parts {
			if p.FunctionCall != nil && p.FunctionCall.Name == name {
				return p.FunctionCall
			}
		}
	}
	t.Fatalf("there is no call of %s", name)
	return nil
}

// sent is the body of the last request, of which nothing may have been refused.
func sent(t *testing.T, server *preflighttest.Server) string {
	t.Helper()
	if refused := server.Refused(); len(refused) > 0 {
		t.Fatal(refused[0].Refusal)
	}
	requests := server.Requests()
	return string(requests[len(requests)-1].Body)
}

// TestLongRunning: a long-running tool is pending, and then done: the last response counts, and
// neither is changed. What is stopped before there is any response is said to be unfinished, not
// interrupted, and stays open in the session.
func TestLongRunning(t *testing.T) {
	server := preflighttest.New(t, "gemini", nil)
	deploy := preflighttest.Reply{Calls: []preflighttest.Call{call("deploy")}}
	server.Script(deploy, preflighttest.Reply{Text: "It runs."}, preflighttest.Reply{Text: "Still."},
		preflighttest.Reply{Text: "It is done."}, deploy, preflighttest.Reply{Text: "I wait."},
		preflighttest.Reply{Text: "Both are done."})
	ctx, stop := context.WithCancel(context.Background())
	pending := func() (map[string]any, error) { return map[string]any{"status": "pending"}, nil }
	root := newAgent(t, llmagent.Config{
		Name: "builder", Model: newModel(t, server, modelName),
		Tools: []tool.Tool{newTool(t,
			functiontool.Config{Name: "deploy", IsLongRunning: true},
			func() (map[string]any, error) { return pending() })},
	})
	sessions := stored(t, "file::memory:")
	repair, codes := newPlugin(t, preflightadk.Config{Options: answering, Keep: sessions})
	r := newRunner(t, root, sessions, repair)
	turn := func(want string, message *genai.Content) []*session.Event {
		t.Helper()
		text, events, err := run(ctx, r, agent.StreamingModeNone, message)
		if err != nil || text != want {
			t.Fatalf("%q, %v; want %q", text, err, want)
		}
		return events
	}

	events := turn("It runs.", say("Deploy it."))
	turn("Still.", say("And?"))
	id := callOf(t, events, "deploy").ID
	turn("It is done.", respond(id, "deploy", map[string]any{"status": "done"}))
	if body := sent(t, server); !strings.Contains(body, `"status":"done"`) ||
		strings.Contains(body, `"status":"pending"`) {
		t.Errorf("sent %s", body)
	}
	if len(*codes) > 0 {
		t.Errorf("reported %v", *codes)
	}

	pending = func() (map[string]any, error) { stop(); return nil, ctx.Err() }
	_, events, err := run(ctx, r, agent.StreamingModeNone, say("Again."))
	if err == nil {
		t.Fatal("the run was not stopped")
	}
	ctx = context.Background()
	turn("I wait.", say("And?"))
	if body := sent(t, server); !strings.Contains(body, "has not finished yet") ||
		strings.Contains(body, "interrupted") {
		t.Errorf("sent %s", body)
	}
	id = callOf(t, events, "deploy").ID
	turn("Both are done.", respond(id, "deploy", map[string]any{"status": "finished"}))
	if body := sent(t, server); !strings.Contains(body, "finished") ||
		strings.Contains(body, "has not") {
		t.Errorf("sent %s", body)
	}
}

// TestConfirmation: a tool waits for the confirmation of a person, who first asks something else.
// The event with ADK's own response to the call, and with the results beside it, may have been
// lost.
func TestConfirmation(t *testing.T) {
	for name, lost := range map[string]bool{"whole": false, "lost": true} {
		t.Run(name, func(t *testing.T) {
			server := preflighttest.New(t, "gemini", nil)
			server.Script(
				preflighttest.Reply{Calls: []preflighttest.Call{call("read"), call("delete")}},
				preflighttest.Reply{Text: "I wait."}, preflighttest.Reply{Text: "It is deleted."},
			)
			root := newAgent(t, llmagent.Config{
				Name: "builder", Model: newModel(t, server, modelName),
				Tools: []tool.Tool{
					newTool(t, functiontool.Config{Name: "read"}, works),
					newTool(t, functiontool.Config{Name: "delete", RequireConfirmation: true},
						func() (map[string]any, error) {
							return map[string]any{"output": "gone"}, nil
						}),
				},
			})
			sessions := session.InMemoryService()
			ctx := context.Background()
			_, events, err := run(ctx, newRunner(t, root, sessions), agent.StreamingModeNone,
				say("Delete it."))
			if err != nil {
				t.Fatal(err)
			}
			if lost {
				events = slices.DeleteFunc(events, func(e *session.Event) bool {
					return e.Content.Parts[0].FunctionResponse != nil
				})
				sessions = newSession(t, append(
					[]*session.Event{event("user", say("Delete it."))}, events...))
			}
			repair, codes := newPlugin(t, preflightadk.Config{Keep: sessions})
			r := newRunner(t, root, sessions, repair)
			request := callOf(t, events, "adk_request_confirmation")
			text, _, err := run(ctx, r, agent.StreamingModeNone, say("Why?"))
			if err != nil || text != "I wait." {
				t.Fatalf("%q, %v", text, err)
			}
			if body := sent(t, server); !strings.Contains(body, "requires confirmation") {
				t.Errorf("sent %s", body)
			}
			text, _, err = run(ctx, r, agent.StreamingModeNone,
				respond(request.ID, request.Name, map[string]any{"confirmed": true}))
			if err != nil || text != "It is deleted." {
				t.Fatalf("%q, %v", text, err)
			}
			body := sent(t, server)
			if !strings.Contains(body, `"output":"gone"`) ||
				strings.Contains(body, `"output":"ok"`) == lost ||
				strings.Contains(body, "interrupted") != lost {
				t.Errorf("sent %s", body)
			}
			want := []string{"dangling-answered", "dangling-answered"}
			if !lost {
				want = nil
			}
			if !slices.Equal(*codes, want) {
				t.Errorf("reported %v, want %v", *codes, want)
			}
		})
	}
}

// TestHandOff: an agent is stopped, and its session goes on in another agent, and back.
func TestHandOff(t *testing.T) {
	server := preflighttest.New(t, "gemini", nil)
	transfer := func(to string) preflighttest.Reply {
		arguments, err := json.Marshal(map[string]string{"agent_name": to})
		if err != nil {
			t.Fatal(err)
		}
		return preflighttest.Reply{Calls: []preflighttest.Call{
			{Name: "transfer_to_agent", Arguments: string(arguments)},
		}}
	}
	both := preflighttest.Reply{Calls: []preflighttest.Call{call("read"), call("stop")}}
	server.Script(
		transfer("reader"), both, preflighttest.Reply{Text: "I was stopped."},
		transfer("builder"), both, preflighttest.Reply{Text: "I, too."},
	)
	ctx, stop := context.WithCancel(context.Background())
	tools := []tool.Tool{
		newTool(t, functiontool.Config{Name: "read"}, works),
		newTool(t, functiontool.Config{Name: "stop"},
			func() (map[string]any, error) { stop(); return nil, ctx.Err() }),
	}
	m := newModel(t, server, modelName)
	reader := newAgent(t, llmagent.Config{
		Name: "reader", Description: "Reads.", Model: m, Tools: tools,
	})
	builder := newAgent(t, llmagent.Config{
		Name: "builder", Description: "Builds.", Model: m, Tools: tools,
		SubAgents: []agent.Agent{reader},
	})
	sessions := stored(t, "file:handoff?mode=memory&cache=shared")
	repair, codes := newPlugin(t, preflightadk.Config{Keep: sessions})
	r := newRunner(t, builder, sessions, repair)

	if _, _, err := run(ctx, r, agent.StreamingModeNone, say("Read it.")); err == nil {
		t.Fatal("the run was not stopped")
	}
	text, events, err := run(context.Background(), r, agent.StreamingModeNone, say("Why?"))
	if err != nil || text != "I was stopped." || events[0].Author != "reader" {
		t.Fatalf("%q, %v", text, err)
	}
	ctx, stop = context.WithCancel(context.Background())
	defer stop()
	if _, _, err := run(ctx, r, agent.StreamingModeNone, say("Build it.")); err == nil {
		t.Fatal("the run was not stopped")
	}
	text, events, err = run(context.Background(), r, agent.StreamingModeNone, say("Why?"))
	if err != nil || text != "I, too." || events[0].Author != "builder" {
		t.Fatalf("%q, %v", text, err)
	}
	sent(t, server)
	if want := slices.Repeat([]string{"dangling-answered"}, 4); !slices.Equal(*codes, want) {
		t.Errorf("reported %v, want %v", *codes, want)
	}
}
