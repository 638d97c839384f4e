package preflightlangchaingo_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/openai"

	"github.com/go-preflight/preflight"
	preflightlangchaingo "github.com/go-preflight/preflight/adapter/langchaingo"
	"github.com/go-preflight/preflight/internal/clienttest"
	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/wire"
)

// This file drives langchaingo's OpenAI model against a strict fake of the provider, through the
// ways in which sessions break.

// session is a conversation with the fake.
type session struct {
	llm     *openai.LLM
	history []llms.MessageContent
}

func newSession(t *testing.T, server *preflighttest.Server) *session {
	t.Helper()
	llm, err := openai.New(openai.WithBaseURL(server.URL+"/v1"), openai.WithToken("none"),
		openai.WithModel("gpt-5.4"))
	if err != nil {
		t.Fatal(err)
	}
	return &session{
		llm,
		[]llms.MessageContent{llms.TextParts(llms.ChatMessageTypeSystem, "You are terse.")},
	}
}

func (s *session) generate(history []llms.MessageContent) (*llms.ContentResponse, error) {
	tools := []llms.Tool{
		{
			Type: "function",
			Function: &llms.FunctionDefinition{
				Name:       "run",
				Parameters: map[string]any{"type": "object"},
			},
		},
	}
	return s.llm.GenerateContent(context.Background(), history, llms.WithTools(tools))
}

func (s *session) say(text string) {
	s.history = append(s.history, llms.TextParts(llms.ChatMessageTypeHuman, text))
}

// ask sends the conversation as it is and appends the answer, as an agent does.
func (s *session) ask(t *testing.T) {
	t.Helper()
	response, err := s.generate(s.history)
	if err != nil {
		t.Fatal(err)
	}
	choice := response.Choices[0]
	answer := llms.MessageContent{Role: llms.ChatMessageTypeAI}
	if choice.Content != "" {
		answer.Parts = append(answer.Parts, llms.TextPart(choice.Content))
	}
	for _, c := range choice.ToolCalls {
		answer.Parts = append(answer.Parts, c)
	}
	s.history = append(s.history, answer)
}

// answer answers the calls of the last message, in one message.
func (s *session) answer(texts ...string) {
	message := llms.MessageContent{Role: llms.ChatMessageTypeTool}
	for i, p := range s.history[len(s.history)-1].Parts {
		call := p.(llms.ToolCall)
		message.Parts = append(message.Parts, llms.ToolCallResponse{
			ToolCallID: call.ID,
			Name:       call.FunctionCall.Name,
			Content:    texts[i],
		})
	}
	s.history = append(s.history, message)
}

func TestBrokenSessions(t *testing.T) {
	call := preflighttest.Call{
		Name:      "run",
		Arguments: `{"command":"a <b> & c","size":12345678901234567890}`,
	}
	one := []preflighttest.Reply{{Calls: []preflighttest.Call{call}}, {Text: "Built."}}
	tests := []struct {
		name    string
		replies []preflighttest.Reply
		breaks  func(*testing.T, *session)
		refusal string      // the provider's words, without preflight
		codes   []string    // what preflight says it did
		kept    map[int]int // messages of the refused request that arrive byte for byte, and where
	}{
		{"a tool call is aborted", one, func(t *testing.T, s *session) {
			s.say("Build it.")
			s.ask(t)
			s.say("Stop. What is <main> & why?")
		}, "An assistant message with 'tool_calls' must be followed by tool messages",
			[]string{"dangling-answered"}, map[int]int{0: 0, 1: 1, 2: 2, 3: 4}},
		{"the window is trimmed between a call and its result", one,
			func(t *testing.T, s *session) {
				s.say("Build it.")
				s.ask(t)
				s.answer("ok")
				s.ask(t)
				s.say("Thanks. Again?")
				s.history = s.history[3:]
			},
			"messages with role 'tool' must be a response to a preceeding message with 'tool_calls'",
			[]string{"orphan-removed"}, map[int]int{1: 0, 2: 1}},
		{"a session that died in mid-turn is resumed from a file", one,
			func(t *testing.T, s *session) {
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
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			server := preflighttest.New(t, "openai-chat", nil)
			server.Script(c.replies...)
			s := newSession(t, server)
			c.breaks(t, s)
			before := len(server.Requests())

			if _, err := s.generate(s.history); err == nil ||
				!strings.Contains(err.Error(), c.refusal) {
				t.Fatalf("without preflight: %v", err)
			}
			options := &wire.Options{
				Options: preflight.Options{Dangling: preflight.DanglingAnswer},
			}
			history, warnings, err := preflightlangchaingo.Messages(context.Background(), s.history,
				options)
			if err != nil {
				t.Fatal(err)
			}
			if got := clienttest.Codes(warnings); !slices.Equal(got, c.codes) {
				t.Errorf("warnings %v, want %v", got, c.codes)
			}
			if _, err := s.generate(history); err != nil {
				t.Fatalf("with preflight: %v", err)
			}
			requests := server.Requests()[before:]
			clienttest.CompareBodies(t, requests[0].Body, requests[1].Body, c.kept)
			again, warnings, err := preflightlangchaingo.Messages(context.Background(), history,
				options)
			if err != nil || len(warnings) > 0 || &again[0] != &history[0] {
				t.Errorf("what came out is repaired again: %v %v", warnings, err)
			}
		})
	}
}

// TestResultsOfOneMessage: langchaingo itself refuses what some of its models write, before
// anything is sent.
func TestResultsOfOneMessage(t *testing.T) {
	server := preflighttest.New(t, "openai-chat", nil)
	server.Script(preflighttest.Reply{
		Calls: []preflighttest.Call{{Name: "run", Arguments: "{}"}, {Name: "run", Arguments: "{}"}},
	})
	s := newSession(t, server)
	s.say("Build both.")
	s.ask(t)
	s.answer("ok", "failed")
	if _, err := s.generate(s.history); err == nil ||
		!strings.Contains(err.Error(), "expected exactly one part for role tool, got 2") {
		t.Fatal(err)
	}
	history, warnings, err := preflightlangchaingo.Messages(context.Background(), s.history, nil)
	if err != nil || len(warnings) == 0 {
		t.Fatalf("%v %v", warnings, err)
	}
	if _, err := s.generate(history); err != nil {
		t.Fatal(err)
	}
}
