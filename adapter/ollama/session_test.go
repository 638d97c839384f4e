package preflightollama_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"testing"

	"github.com/ollama/ollama/api"

	preflightollama "github.com/go-preflight/preflight/adapter/ollama"
	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/wire"
)

// This file drives Ollama's own client against a strict fake of the server, through the ways in
// which sessions break.

// session is a conversation with the fake.
type session struct {
	client  *api.Client
	request *api.ChatRequest
}

func newSession(t *testing.T, server *preflighttest.Server) *session {
	t.Helper()
	base, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	request := &api.ChatRequest{
		Model:    "qwen3",
		Options:  map[string]any{"num_ctx": 4096},
		Messages: []api.Message{{Role: "system", Content: "You are terse."}},
	}
	if err := json.Unmarshal([]byte(`[{"type":"function","function":{"name":"run",`+
		`"parameters":{"type":"object","properties":{}}}}]`), &request.Tools); err !=
		nil {
		t.Fatal(err)
	}
	return &session{api.NewClient(base, http.DefaultClient), request}
}

func (s *session) say(text string) {
	s.request.Messages = append(s.request.Messages, api.Message{Role: "user", Content: text})
}

// answer answers the last call.
func (s *session) answer(text string) {
	call := s.request.Messages[len(s.request.Messages)-1].ToolCalls[0]
	s.request.Messages = append(s.request.Messages,
		api.Message{Role: "tool", ToolName: call.Function.Name, ToolCallID: call.ID, Content: text})
}

// send sends a request and puts its streamed answer together.
func (s *session) send(t *testing.T, request *api.ChatRequest) api.Message {
	t.Helper()
	answer := api.Message{Role: "assistant"}
	err := s.client.Chat(context.Background(), request, func(r api.ChatResponse) error {
		answer.Content += r.Message.Content
		answer.Thinking += r.Message.Thinking
		answer.ToolCalls = append(answer.ToolCalls, r.Message.ToolCalls...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// ask sends the conversation as it is and appends the answer, as an agent does.
func (s *session) ask(t *testing.T) {
	t.Helper()
	s.request.Messages = append(s.request.Messages, s.send(t, s.request))
}

// TestBrokenSessions: Ollama answers calls without results and results without calls, and the model
// reads them, so that they are sent as they are.
func TestBrokenSessions(t *testing.T) {
	call := preflighttest.Reply{
		Reasoning: "Let me look.",
		Calls:     []preflighttest.Call{{Name: "run", Arguments: `{"z":"a <b> & c","a":4096}`}},
	}
	tests := []struct {
		name   string
		breaks func(*testing.T, *session)
	}{
		{"a tool call is aborted", func(t *testing.T, s *session) {
			s.say("Build it.")
			s.ask(t)
			s.say("Stop. What is <main> & why?")
		}},
		{"the window is trimmed between a call and its result", func(t *testing.T, s *session) {
			s.say("Build it.")
			s.ask(t)
			s.answer("ok")
			s.ask(t)
			s.say("Thanks. Again?")
			s.request.Messages = s.request.Messages[3:]
		}},
		{"a session that died in mid-turn is resumed from a file", func(t *testing.T, s *session) {
			s.say("Build it.")
			s.ask(t)
			file, err := json.Marshal(s.request.Messages)
			if err != nil {
				t.Fatal(err)
			}
			s.request.Messages = nil
			if err := json.Unmarshal(file, &s.request.Messages); err != nil {
				t.Fatal(err)
			}
			s.say("Where were we?")
		}},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			server := preflighttest.New(t, "ollama", nil)
			server.Script(call, preflighttest.Reply{Text: "Built."})
			s := newSession(t, server)
			c.breaks(t, s)
			request, warnings, err := preflightollama.Request(context.Background(), s.request,
				nil)
			if err != nil || len(warnings) > 0 || request != s.request {
				t.Errorf("the request is repaired: %v %v", warnings, err)
			}
			s.send(t, request)
			requests := server.Requests()
			if got := breaches(t, requests[len(requests)-1].Body); len(got) > 0 {
				t.Errorf("the request breaks %v", got)
			}
		})
	}
}

// breaches are the rules that a body breaks, and where.
func breaches(t *testing.T, body []byte) []string {
	t.Helper()
	report, err := wire.Check(body, &wire.Options{Provider: "ollama"})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, v := range report.Violations {
		out = append(out, v.Path+" "+v.Rule)
	}
	return out
}
