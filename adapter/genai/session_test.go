package preflightgenai_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"google.golang.org/genai"

	preflightgenai "github.com/go-preflight/preflight/adapter/genai"
	"github.com/go-preflight/preflight/internal/clienttest"
	"github.com/go-preflight/preflight/preflighttest"
)

// This file drives the SDK's own client against a strict fake of the provider, through the ways in
// which sessions break.

const thinker = "gemini-3-pro-preview" // signs its calls and wants the signatures back

// session is a conversation with the fake.
type session struct {
	client  *genai.Client
	history []*genai.Content
	config  *genai.GenerateContentConfig
}

func newSession(t *testing.T, server *preflighttest.Server) *session {
	t.Helper()
	client, err := genai.NewClient(context.Background(), &genai.ClientConfig{
		Backend:     genai.BackendGeminiAPI,
		APIKey:      "none",
		HTTPOptions: genai.HTTPOptions{BaseURL: server.URL},
	})
	if err != nil {
		t.Fatal(err)
	}
	return &session{
		client: client,
		config: &genai.GenerateContentConfig{
			SystemInstruction: genai.NewContentFromText("You are terse.", ""),
			Tools: []*genai.Tool{
				{
					FunctionDeclarations: []*genai.FunctionDeclaration{
						{Name: "run", ParametersJsonSchema: map[string]any{"type": "object"}},
					},
				},
			},
		},
	}
}

// ask sends the conversation as it is and appends the answer, as an agent does.
func (s *session) ask(t *testing.T) {
	t.Helper()
	answer, err := s.client.Models.GenerateContent(context.Background(), thinker, s.history,
		s.config)
	if err != nil {
		t.Fatal(err)
	}
	s.history = append(s.history, answer.Candidates[0].Content)
}

func TestBrokenSessions(t *testing.T) {
	call := preflighttest.Reply{
		Reasoning: "Let me look.",
		Calls: []preflighttest.Call{
			{Name: "run", Arguments: `{"command":"a <b> & c","size":4096}`},
		},
	}
	tests := []struct {
		name    string
		breaks  func(*testing.T, *session)
		refusal string      // the provider's words, without preflight
		codes   []string    // what preflight says it did
		kept    map[int]int // contents of the refused request that arrive byte for byte, and where
	}{
		{"a tool call is aborted", func(t *testing.T, s *session) {
			s.history = append(s.history, user("Build it."))
			s.ask(t)
			s.history = append(s.history, user("Stop. What is <main> & why?"))
		}, "number of function response parts is equal to the number of function call parts",
			[]string{"dangling-answered"}, map[int]int{0: 0, 1: 1}},
		{"the window is trimmed between a call and its result", func(t *testing.T, s *session) {
			s.history = append(s.history, user("Build it."))
			s.ask(t)
			s.history = append(s.history, result("run", map[string]any{"output": "ok"}))
			s.ask(t)
			s.history = append(s.history, user("Thanks. Again?"))[2:]
		}, "function response turn comes immediately after a function call turn",
			[]string{"orphan-removed"}, map[int]int{1: 0, 2: 1}},
		{"a session that died in mid-turn is resumed from a file", func(t *testing.T, s *session) {
			s.history = append(s.history, user("Build it."))
			s.ask(t)
			file, err := json.Marshal(s.history)
			if err != nil {
				t.Fatal(err)
			}
			s.history = nil
			if err := json.Unmarshal(file, &s.history); err != nil {
				t.Fatal(err)
			}
			s.history = append(s.history, user("Where were we?"))
		}, "number of function response parts is equal to the number of function call parts",
			[]string{"dangling-answered"}, map[int]int{0: 0, 1: 1}},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			server := preflighttest.New(t, "gemini", nil)
			server.Script(call, preflighttest.Reply{Text: "Built."})
			s := newSession(t, server)
			c.breaks(t, s)
			before := len(server.Requests())
			ctx := context.Background()

			_, err := s.client.Models.GenerateContent(ctx, thinker, s.history, s.config)
			var refused genai.APIError
			if !errors.As(err, &refused) || !strings.Contains(refused.Message, c.refusal) {
				t.Fatalf("without preflight: %v", err)
			}
			contents, config, warnings, err := preflightgenai.Request(ctx, thinker, s.history,
				s.config, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := clienttest.Codes(warnings); !slices.Equal(got, c.codes) {
				t.Errorf("warnings %v, want %v", got, c.codes)
			}
			if _, err := s.client.Models.GenerateContent(ctx, thinker, contents, config); err !=
				nil {
				t.Fatalf("with preflight: %v", err)
			}
			requests := server.Requests()[before:]
			clienttest.CompareBodies(t, requests[0].Body, requests[1].Body, c.kept)
			again, _, warnings, err := preflightgenai.Request(ctx, thinker, contents, config, nil)
			if err != nil || len(warnings) > 0 || &again[0] != &contents[0] {
				t.Errorf("what came out is repaired again: %v %v", warnings, err)
			}
		})
	}
}
