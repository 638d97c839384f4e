package preflighteino_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/flow/agent/react"
	"github.com/cloudwego/eino/schema"

	"github.com/go-preflight/preflight"
	preflighteino "github.com/go-preflight/preflight/adapter/eino"
	"github.com/go-preflight/preflight/internal/clienttest"
	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/wire"
)

// This file drives models and agents of eino against a strict fake of a provider, through the ways
// in which sessions break.

// broken is a way to break a session.
type broken struct {
	name    string
	breaks  func(*testing.T, *session)
	refusal string      // the provider's words, without preflight
	codes   []string    // what preflight says it did
	kept    map[int]int // messages of the refused request that arrive byte for byte, and where
}

// session is a conversation with the fake.
type session struct {
	model   *chatModel
	history []*schema.Message
}

func (s *session) say(text string) { s.history = append(s.history, schema.UserMessage(text)) }

// ask sends the conversation as it is and appends the answer, as an agent does.
func (s *session) ask(t *testing.T) {
	t.Helper()
	answer, err := s.model.Generate(context.Background(), s.history)
	if err != nil {
		t.Fatal(err)
	}
	s.history = append(s.history, answer)
}

// answer answers the last call.
func (s *session) answer(text string) {
	call := s.history[len(s.history)-1].ToolCalls[0]
	s.history = append(s.history,
		schema.ToolMessage(text, call.ID, schema.WithToolName(call.Function.Name)))
}

var (
	call = preflighttest.Reply{
		Calls: []preflighttest.Call{
			{Name: "run", Arguments: `{"command":"a <b> & c","size":12345678901234567890}`},
		},
	}

	answering = &wire.Options{Options: preflight.Options{Dangling: preflight.DanglingAnswer}}

	sessions = []broken{
		{"a tool call is aborted", func(t *testing.T, s *session) {
			s.say("Build it.")
			s.ask(t)
			s.say("Stop. What is <main> & why?")
		}, "An assistant message with 'tool_calls' must be followed by tool messages",
			[]string{"dangling-answered"}, map[int]int{0: 0, 1: 1, 2: 2, 3: 4}},
		{"the window is trimmed between a call and its result", func(t *testing.T, s *session) {
			s.say("Build it.")
			s.ask(t)
			s.answer("ok")
			s.ask(t)
			s.say("Thanks. Again?")
			s.history = s.history[3:]
		}, "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'",
			[]string{"orphan-removed"}, map[int]int{1: 0, 2: 1}},
		{"a session that died in mid-turn is resumed from a file", func(t *testing.T, s *session) {
			s.say("Build it.")
			s.ask(t)
			file, err := json.Marshal(s.history)
			if err != nil {
				t.Fatal(err)
			}
			s.history = nil
			if err := json.Unmarshal(file, &s.history); err != nil {
				t.Fatal(err)
			}
			s.say("Where were we?")
		}, "An assistant message with 'tool_calls' must be followed by tool messages",
			[]string{"dangling-answered"}, map[int]int{0: 0, 1: 1, 2: 2, 3: 4}},
	}
)

func newSession(t *testing.T, b broken) (*preflighttest.Server, *session) {
	t.Helper()
	server := preflighttest.New(t, "openai-chat", nil)
	server.Script(call, preflighttest.Reply{Text: "Built."})
	s := &session{
		&chatModel{url: server.URL, tools: []*schema.ToolInfo{{Name: "run"}}},
		[]*schema.Message{schema.SystemMessage("You are terse.")},
	}
	b.breaks(t, s)
	return server, s
}

func TestBrokenSessions(t *testing.T) {
	for _, c := range sessions {
		t.Run(c.name, func(t *testing.T) {
			server, s := newSession(t, c)
			before := len(server.Requests())
			ctx := context.Background()

			if _, err := s.model.Generate(ctx, s.history); err == nil ||
				!strings.Contains(err.Error(), c.refusal) {
				t.Fatalf("without preflight: %v", err)
			}
			history, warnings, err := preflighteino.Messages(ctx, s.history, answering)
			if err != nil {
				t.Fatal(err)
			}
			if got := clienttest.Codes(warnings); !slices.Equal(got, c.codes) {
				t.Errorf("warnings %v, want %v", got, c.codes)
			}
			if _, err := s.model.Generate(ctx, history); err != nil {
				t.Fatalf("with preflight: %v", err)
			}
			requests := server.Requests()[before:]
			clienttest.CompareBodies(t, requests[0].Body, requests[1].Body, c.kept)
			again, warnings, err := preflighteino.Messages(ctx, history, answering)
			if err != nil || len(warnings) > 0 || &again[0] != &history[0] {
				t.Errorf("what came out is repaired again: %v %v", warnings, err)
			}
		})
	}
}

// TestAgents: the same sessions go on in an agent, whose loop calls the model and the tool.
func TestAgents(t *testing.T) {
	tools := []tool.BaseTool{run{}}
	agents := map[string]func(
		m *chatModel, report preflighteino.Report, with bool,
	) func([]*schema.Message) (*schema.Message, error){
		"adk": func(
			m *chatModel, report preflighteino.Report, with bool,
		) func([]*schema.Message) (*schema.Message, error) {
			config := &adk.ChatModelAgentConfig{
				Name:        "builder",
				Description: "Builds.",
				Model:       m,
				ToolsConfig: adk.ToolsConfig{
					ToolsNodeConfig: compose.ToolsNodeConfig{Tools: tools},
				},
			}
			if with {
				config.Middlewares = []adk.AgentMiddleware{
					preflighteino.Middleware(answering, report),
				}
			}
			return func(history []*schema.Message) (last *schema.Message, err error) {
				agent, err := adk.NewChatModelAgent(context.Background(), config)
				if err != nil {
					return nil, err
				}
				events := adk.NewRunner(context.Background(), adk.RunnerConfig{Agent: agent}).Run(
					context.Background(), history)
				for {
					event, ok := events.Next()
					if !ok {
						return last, err
					}
					if event.Err != nil {
						err = event.Err
					}
					if event.Output != nil && event.Output.MessageOutput != nil {
						last = event.Output.MessageOutput.Message
					}
				}
			}
		},
		"react": func(
			m *chatModel, report preflighteino.Report, with bool,
		) func([]*schema.Message) (*schema.Message, error) {
			config := &react.AgentConfig{
				ToolCallingModel: m,
				ToolsConfig:      compose.ToolsNodeConfig{Tools: tools},
			}
			if with {
				config.MessageRewriter = preflighteino.Rewriter(answering, report)
			}
			return func(history []*schema.Message) (*schema.Message, error) {
				agent, err := react.NewAgent(context.Background(), config)
				if err != nil {
					return nil, err
				}
				return agent.Generate(context.Background(), history)
			}
		},
	}
	for name, agent := range agents {
		for _, c := range sessions {
			t.Run(name+": "+c.name, func(t *testing.T) {
				_, s := newSession(t, c)
				server := preflighttest.New(t, "openai-chat", nil)
				server.Script(call, preflighttest.Reply{Text: "Done."})
				s.model.url = server.URL
				if _, err := agent(s.model, nil, false)(s.history); err == nil ||
					!strings.Contains(err.Error(), c.refusal) {
					t.Fatalf("without preflight: %v", err)
				}
				var codes []string
				last, err := agent(s.model,
					func(_ context.Context, warnings []wire.Warning, err error) {
						if err != nil {
							t.Error(err)
						}
						codes = append(codes, clienttest.Codes(warnings)...)
					}, true)(s.history)
				if err != nil || last.Content != "Done." {
					t.Fatalf("with preflight: %v %v", last, err)
				}
				if !slices.Equal(codes, c.codes) {
					t.Errorf("reported %v, want %v: once, since the agent keeps what is repaired",
						codes, c.codes)
				}
				requests := server.Requests()
				if len(requests) != 3 {
					t.Fatalf("%d requests, want one refused, one that is answered with a call,"+
						" and one with its result",
						len(requests))
				}
				_, was := clienttest.Members(t, requests[0].Body)
				_, is := clienttest.Members(t, requests[2].Body)
				for from := range c.kept {
					if !slices.ContainsFunc(is,
						func(m json.RawMessage) bool { return string(m) == string(was[from]) }) {
						t.Errorf("messages[%d] did not arrive as it was\n was %s\n in  %s", from,
							was[from], is)
					}
				}
			})
		}
	}
}

// TestBeyondRepair: an agent ends with the error of a history that cannot be repaired.
func TestBeyondRepair(t *testing.T) {
	var reported error
	middleware := preflighteino.Middleware(nil,
		func(_ context.Context, _ []wire.Warning, err error) { reported = err })
	state := &adk.ChatModelAgentState{Messages: []*schema.Message{schema.UserMessage("a"), nil}}
	if err := middleware.BeforeChatModel(context.Background(), state); err == nil ||
		reported != err || len(state.Messages) != 2 {
		t.Errorf("%v, reported %v", err, reported)
	}
	reported = nil
	rewrite := preflighteino.Rewriter(nil,
		func(_ context.Context, _ []wire.Warning, err error) { reported = err })
	if out := rewrite(context.Background(), state.Messages); reported == nil || len(out) != 2 {
		t.Errorf("%v, reported %v", out, reported)
	}
	hiding := new(wire.Options) // a hook that could not run may have had something to remove
	hiding.Options.Hooks = []preflight.Hook{preflight.HookFunc("hide",
		func(m preflight.Message) preflight.Message { return m })}
	rewrite = preflighteino.Rewriter(hiding, nil)
	if out := rewrite(context.Background(), state.Messages); len(out) != 0 {
		t.Errorf("%v", out)
	}
}
