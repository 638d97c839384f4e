package preflightgoopenai_test

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	openai "github.com/sashabaranov/go-openai"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/adapter"
	preflightgoopenai "github.com/go-preflight/preflight/adapter/goopenai"
	"github.com/go-preflight/preflight/internal/clienttest"
	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/wire"
)

// session is a conversation with a strict fake of the provider, through the SDK's own client.
type session struct {
	client  *openai.Client
	request openai.ChatCompletionRequest
}

func newSession(server *preflighttest.Server) *session {
	config := openai.DefaultConfig("none")
	config.BaseURL = server.URL + "/v1"
	return &session{
		openai.NewClientWithConfig(config),
		openai.ChatCompletionRequest{
			Model:    "gpt-5.4",
			Messages: []openai.ChatCompletionMessage{{Role: "system", Content: "You are terse."}},
			Tools: []openai.Tool{
				{
					Type: openai.ToolTypeFunction,
					Function: &openai.FunctionDefinition{
						Name:       "run",
						Parameters: json.RawMessage(`{"type":"object"}`),
					},
				},
			},
		},
	}
}

func (s *session) add(messages ...openai.ChatCompletionMessage) {
	s.request.Messages = append(s.request.Messages, messages...)
}

func (s *session) say(
	text string,
) {
	s.add(openai.ChatCompletionMessage{Role: "user", Content: text})
}

// ask sends the conversation as it is and appends the answer, as an agent does.
func (s *session) ask(t *testing.T) {
	t.Helper()
	response, err := s.client.CreateChatCompletion(context.Background(), s.request)
	if err != nil {
		t.Fatal(err)
	}
	s.add(response.Choices[0].Message)
}

// answer answers the last call.
func (s *session) answer(text string) {
	call := s.request.Messages[len(s.request.Messages)-1].ToolCalls[0]
	s.add(openai.ChatCompletionMessage{Role: "tool", ToolCallID: call.ID, Content: text})
}

func TestBrokenSessions(t *testing.T) {
	call := preflighttest.Reply{
		Calls: []preflighttest.Call{
			{Name: "run", Arguments: `{"command":"a <b> & c","size":12345678901234567890}`},
		},
	}
	tests := []struct {
		name    string
		breaks  func(*testing.T, *session)
		refusal string      // the provider's words, without preflight
		codes   []string    // what preflight says it did
		kept    map[int]int // messages of the refused request that arrive byte for byte, and where
	}{
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
			s.request.Messages = s.request.Messages[3:]
		}, "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'",
			[]string{"orphan-removed"}, map[int]int{1: 0, 2: 1}},
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
		}, "An assistant message with 'tool_calls' must be followed by tool messages",
			[]string{"dangling-answered"}, map[int]int{0: 0, 1: 1, 2: 2, 3: 4}},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			server := preflighttest.New(t, "openai-chat", nil)
			server.Script(call, preflighttest.Reply{Text: "Built."})
			s := newSession(server)
			c.breaks(t, s)
			before := len(server.Requests())

			_, err := s.client.CreateChatCompletion(context.Background(), s.request)
			if err == nil || !strings.Contains(err.Error(), c.refusal) {
				t.Fatalf("without preflight: %v", err)
			}
			options := &wire.Options{
				Options: preflight.Options{Dangling: preflight.DanglingAnswer},
			}
			request, warnings, err := preflightgoopenai.Request(context.Background(), s.request,
				options)
			if err != nil {
				t.Fatal(err)
			}
			if got := clienttest.Codes(warnings); !slices.Equal(got, c.codes) {
				t.Errorf("warnings %v, want %v", got, c.codes)
			}
			if _, err := s.client.CreateChatCompletion(context.Background(), request); err != nil {
				t.Fatalf("with preflight: %v", err)
			}
			requests := server.Requests()[before:]
			clienttest.CompareBodies(t, requests[0].Body, requests[1].Body, c.kept)
			again, warnings, err := preflightgoopenai.Request(context.Background(), request,
				options)
			if err != nil || len(warnings) > 0 || &again.Messages[0] != &request.Messages[0] {
				t.Errorf("what came out is repaired again: %v %v", warnings, err)
			}
		})
	}
}

func TestMessages(t *testing.T) {
	index := 3
	two := openai.ChatCompletionMessage{
		Role:             "assistant",
		ReasoningContent: "hm",
		ToolCalls: []openai.ToolCall{
			{
				Index:    &index,
				ID:       "call_1",
				Type:     "function",
				Function: openai.FunctionCall{Name: "f", Arguments: `{"n":12345678901234567890}`},
			},
			{
				ID:       "call_2",
				Type:     "function",
				Function: openai.FunctionCall{Name: "g", Arguments: "{}"},
			},
			{
				ID:       "call_3",
				Type:     "function",
				Function: openai.FunctionCall{Name: "h", Arguments: "{}"},
			}},
	}
	picture := openai.ChatCompletionMessage{
		Role: "user",
		MultiContent: []openai.ChatMessagePart{
			{Type: "text", Text: "a"},
			{
				Type: "image_url",
				ImageURL: &openai.ChatMessageImageURL{
					URL:    "https://example.org/a.png",
					Detail: "low",
				},
			},
		},
	}
	result := openai.ChatCompletionMessage{Role: "tool", ToolCallID: "call_1", Content: "r"}
	in := []openai.ChatCompletionMessage{
		picture,
		two,
		result,
		{Role: "tool", ToolCallID: "call_9", Content: "orphan"},
		picture,
	}
	out, warnings, err := preflightgoopenai.Messages(context.Background(), in, nil)
	if err != nil || len(warnings) != 3 || len(out) != 4 {
		t.Fatalf("%v %v %v", err, warnings, out)
	}
	if calls := out[1].ToolCalls; len(calls) != 1 || *calls[0].Index != 3 ||
		calls[0].Function != two.ToolCalls[0].Function || out[1].ReasoningContent != "hm" {
		t.Errorf("the changed message is %+v", out[1])
	}
	if &out[0].MultiContent[0] != &picture.MultiContent[0] ||
		&out[3].MultiContent[0] != &picture.MultiContent[0] || out[2].Content != "r" {
		t.Error("messages that needed no repair are not the caller's own")
	}
	if len(two.ToolCalls) != 3 || in[1].ToolCalls[1].ID != "call_2" {
		t.Error("the input was written to")
	}
}

// TestEmptyTexts: the SDK cannot send an empty text, without which a picture is accepted.
func TestEmptyTexts(t *testing.T) {
	picture := openai.ChatMessagePart{
		Type: "image_url", ImageURL: &openai.ChatMessageImageURL{URL: "https://example.org/a.png"},
	}
	in := []openai.ChatCompletionMessage{
		{Role: "user", MultiContent: []openai.ChatMessagePart{{Type: "text"}, picture}},
	}
	out, warnings, err := preflightgoopenai.Messages(context.Background(), in, nil)
	if err != nil || len(warnings) == 0 || !reflect.DeepEqual(out, []openai.ChatCompletionMessage{
		{Role: "user", MultiContent: []openai.ChatMessagePart{picture}},
	}) {
		t.Fatalf("%v %v %v", err, warnings, out)
	}
	if _, warnings, err = preflightgoopenai.Messages(context.Background(), out, nil); err != nil ||
		len(warnings) > 0 {
		t.Errorf("again: %v %v", err, warnings)
	}
}

func TestErrors(t *testing.T) {
	user := openai.ChatCompletionMessage{Role: "user", Content: "a"}
	both := openai.ChatCompletionMessage{
		Role:         "user",
		Content:      "a",
		MultiContent: []openai.ChatMessagePart{{Type: "text", Text: "b"}},
	}
	var e *adapter.MessageError
	out, _, err := preflightgoopenai.Messages(context.Background(),
		[]openai.ChatCompletionMessage{user, both}, nil)
	if !errors.As(err, &e) || e.Message != 1 || !errors.Is(err, openai.ErrContentFieldsMisused) ||
		len(out) != 2 {
		t.Error(err)
	}
	if _, _, err := preflightgoopenai.Messages(context.Background(), nil, nil); !errors.Is(err,
		preflight.ErrEmptyHistory) {
		t.Error(err)
	}
}

// TestHosts: the repairs for all hosts fit into the SDK's type, which has no way to send raw JSON,
// but for those few that need an empty field.
func TestHosts(t *testing.T) {
	call := openai.ChatCompletionMessage{
		Role: "assistant",
		ToolCalls: []openai.ToolCall{
			{
				ID:       "call_1",
				Type:     "function",
				Function: openai.FunctionCall{Name: "f g", Arguments: `{"a":`},
			},
		},
	}
	user := openai.ChatCompletionMessage{Role: "user", Content: "a"}
	histories := map[string][]openai.ChatCompletionMessage{
		"a call whose arguments were cut off": {user, call,
			{Role: "tool", ToolCallID: "call_1", Content: "r"}, user},
		"an open call":    {user, call, user},
		"an empty result": {user, call, {Role: "tool", ToolCallID: "call_1"}, user},
		"an empty turn":   {user, {Role: "assistant"}, user},
		"roles of other formats": {{Role: "developer", Content: "s"}, {Role: "human", Content: "a"},
			{Role: "model", Content: "b"}, {Role: "function", Name: "f", Content: "r"}, user},
		"a system message late": {user, {Role: "assistant", Content: "b"},
			{Role: "system", Content: "s"}, user},
		"a trailing assistant turn": {user, {Role: "assistant", Content: "b"}},
		"an old function call": {user,
			{Role: "assistant", FunctionCall: &openai.FunctionCall{Name: "f", Arguments: "{}"}},
			{Role: "function", Name: "f", Content: "r"}, user},
		"a picture in an assistant turn": {user,
			{
				Role: "assistant",
				MultiContent: []openai.ChatMessagePart{
					{Type: "text", Text: "b"},
					{
						Type:     "image_url",
						ImageURL: &openai.ChatMessageImageURL{URL: "data:image/png;base64,AAAA"},
					},
				},
			}, user},
	}
	emptyFields := map[string]bool{"deepseek": true, "moonshot": true, "xai": true}
	for _, provider := range []string{
		"openai-chat", "azure", "openrouter", "deepseek", "mistral", "moonshot", "qwen", "minimax",
		"glm", "xai", "groq", "openai-compatible", "chat-template",
	} {
		for name, history := range histories {
			out, _, err := preflightgoopenai.Messages(context.Background(), history,
				&wire.Options{Provider: provider})
			if err != nil {
				if !emptyFields[provider] || !errors.Is(err, adapter.ErrInexact) {
					t.Errorf("%s: %s: %v", provider, name, err)
				}
				continue
			}
			body, err := json.Marshal(out)
			if err != nil {
				t.Fatal(err)
			}
			report, err := wire.Check(body, &wire.Options{Provider: provider})
			if err != nil || len(report.Violations) > 0 {
				t.Errorf("%s: %s: %v %v", provider, name, err, report)
			}
		}
	}
}
