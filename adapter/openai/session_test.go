package preflightopenai_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/responses"

	preflightopenai "github.com/go-preflight/preflight/adapter/openai"
	"github.com/go-preflight/preflight/internal/clienttest"
	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/wire"
)

// This file drives the SDK's own client against strict fakes of the provider's two APIs, through
// the ways in which sessions break.

// session is a conversation with a fake, by one of the APIs.
type session interface {
	say(text string)
	answer(output string) // answers the last call
	// sends the conversation as it is and appends the answer, as an agent does
	ask(t *testing.T)
	trim(n int)           // drops the first n messages
	restore(t *testing.T) // stores the conversation and reads it back
	send() error          // sends the conversation as it is
	repair() ([]wire.Warning, error)
}

// chatSession speaks Chat Completions.
type chatSession struct {
	client openai.Client
	params openai.ChatCompletionNewParams
}

func newChat(client openai.Client) session {
	return &chatSession{
		client,
		openai.ChatCompletionNewParams{
			Model: "gpt-5.4",
			Messages: []openai.ChatCompletionMessageParamUnion{
				openai.SystemMessage("You are terse."),
			},
			Tools: []openai.ChatCompletionToolUnionParam{
				openai.ChatCompletionFunctionTool(openai.FunctionDefinitionParam{
					Name:       "run",
					Parameters: openai.FunctionParameters{"type": "object"},
				}),
			},
		},
	}
}

func (s *chatSession) say(text string) {
	s.params.Messages = append(s.params.Messages, openai.UserMessage(text))
}

func (s *chatSession) answer(output string) {
	calls := s.params.Messages[len(s.params.Messages)-1].OfAssistant.ToolCalls
	s.params.Messages = append(s.params.Messages, openai.ToolMessage(output, *calls[0].GetID()))
}

func (s *chatSession) ask(t *testing.T) {
	t.Helper()
	completion, err := s.client.Chat.Completions.New(context.Background(), s.params)
	if err != nil {
		t.Fatal(err)
	}
	s.params.Messages = append(s.params.Messages, completion.Choices[0].Message.ToParam())
}

func (s *chatSession) trim(n int) { s.params.Messages = s.params.Messages[n:] }

func (s *chatSession) restore(t *testing.T) {
	file, err := json.Marshal(s.params.Messages)
	if err != nil {
		t.Fatal(err)
	}
	s.params.Messages = nil
	if err := json.Unmarshal(file, &s.params.Messages); err != nil {
		t.Fatal(err)
	}
}

func (s *chatSession) send() error {
	_, err := s.client.Chat.Completions.New(context.Background(), s.params)
	return err
}

func (s *chatSession) repair() (warnings []wire.Warning, err error) {
	s.params, warnings, err = preflightopenai.ChatParams(context.Background(), s.params, nil)
	return warnings, err
}

// responsesSession speaks Responses, with nothing stored by the provider.
type responsesSession struct {
	client openai.Client
	params responses.ResponseNewParams
}

func newResponses(client openai.Client) session {
	return &responsesSession{
		client,
		responses.ResponseNewParams{
			Model: "gpt-5.4", Store: openai.Bool(false),
			Instructions: openai.String("You are terse."),
			Include: []responses.ResponseIncludable{
				responses.ResponseIncludableReasoningEncryptedContent,
			},
			Tools: []responses.ToolUnionParam{
				responses.ToolParamOfFunction("run", map[string]any{"type": "object"}, false),
			},
		},
	}
}

func (s *responsesSession) add(items ...responses.ResponseInputItemUnionParam) {
	s.params.Input.OfInputItemList = append(s.params.Input.OfInputItemList, items...)
}

func (s *responsesSession) say(text string) {
	s.add(responses.ResponseInputItemParamOfMessage(text, responses.EasyInputMessageRoleUser))
}

func (s *responsesSession) answer(output string) {
	var last struct {
		CallID string `json:"call_id"`
	}
	raw, _ := json.Marshal(s.params.Input.OfInputItemList[len(s.params.Input.OfInputItemList)-1])
	_ = json.Unmarshal(raw, &last)
	result := responses.ResponseInputItemParamOfFunctionCallOutput(output)
	result.OfFunctionCallOutput.CallID = openai.String(last.CallID)
	s.add(result)
}

func (s *responsesSession) ask(t *testing.T) {
	t.Helper()
	response, err := s.client.Responses.New(context.Background(), s.params)
	if err != nil {
		t.Fatal(err)
	}
	for _, item := range response.Output {
		s.add(param.Override[responses.ResponseInputItemUnionParam](json.RawMessage(item.RawJSON())))
	}
}

func (s *responsesSession) trim(n int) {
	s.params.Input.OfInputItemList = s.params.Input.OfInputItemList[n:]
}

// restore uses raw JSON: the SDK cannot read the items that it writes (a message without a type
// is none that it knows).
func (s *responsesSession) restore(t *testing.T) {
	file, err := json.Marshal(s.params.Input.OfInputItemList)
	if err != nil {
		t.Fatal(err)
	}
	var items []json.RawMessage
	if err := json.Unmarshal(file, &items); err != nil {
		t.Fatal(err)
	}
	s.params.Input.OfInputItemList = nil
	for _, raw := range items {
		s.add(param.Override[responses.ResponseInputItemUnionParam](raw))
	}
}

func (s *responsesSession) send() error {
	_, err := s.client.Responses.New(context.Background(), s.params)
	return err
}

func (s *responsesSession) repair() (warnings []wire.Warning, err error) {
	s.params, warnings, err = preflightopenai.ResponseParams(context.Background(), s.params, nil)
	return warnings, err
}

var call = preflighttest.Reply{
	Reasoning: "Let me look.",
	Calls: []preflighttest.Call{
		{Name: "run", Arguments: `{"command":"a <b> & c","size":12345678901234567890}`},
	},
}

func TestBrokenSessions(t *testing.T) {
	aborted := func(t *testing.T, s session) {
		s.say("Build it.")
		s.ask(t)
		s.say("Stop. What is <main> & why?")
	}
	trimmed := func(n int) func(*testing.T, session) {
		return func(t *testing.T, s session) {
			s.say("Build it.")
			s.ask(t)
			s.answer("ok")
			s.ask(t)
			s.say("Thanks. Again?")
			s.trim(n)
		}
	}
	resumed := func(t *testing.T, s session) {
		s.say("Build it.")
		s.ask(t)
		s.restore(t)
		s.say("Where were we?")
	}
	tests := []struct {
		name     string
		provider string
		open     func(openai.Client) session
		breaks   func(*testing.T, session)
		refusal  string   // the provider's words, without preflight
		codes    []string // what preflight says it did
		// elements of the refused request's list that arrive byte for byte, and where
		kept map[int]int
	}{
		{"chat: a tool call is aborted", "openai-chat", newChat, aborted,
			"An assistant message with 'tool_calls' must be followed by tool messages",
			[]string{"dangling-removed"}, map[int]int{0: 0, 1: 1, 3: 2}},
		{"chat: the window is trimmed between a call and its result", "openai-chat", newChat,
			trimmed(3),
			"messages with role 'tool' must be a response to a preceeding message with 'tool_calls'",
			[]string{"orphan-removed"}, map[int]int{1: 0, 2: 1}},
		{"chat: a session that died in mid-turn is resumed", "openai-chat", newChat, resumed,
			"An assistant message with 'tool_calls' must be followed by tool messages",
			[]string{"dangling-removed"}, map[int]int{0: 0, 1: 1, 3: 2}},
		{"responses: a tool call is aborted", "openai-responses", newResponses, aborted,
			"No tool output found for function call", []string{"dangling-answered"},
			map[int]int{0: 0, 1: 1, 2: 2, 3: 4}},
		{"responses: the window is trimmed between a call and its result", "openai-responses",
			newResponses, trimmed(3), "No tool call found for function call output",
			[]string{"orphan-removed"}, map[int]int{1: 0, 2: 1}},
		{"responses: a session that died in mid-turn is resumed", "openai-responses", newResponses,
			resumed, "No tool output found for function call", []string{"dangling-answered"},
			map[int]int{0: 0, 1: 1, 2: 2, 3: 4}},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			server := preflighttest.New(t, c.provider, nil)
			server.Script(call, preflighttest.Reply{Text: "Built."})
			s := c.open(openai.NewClient(option.WithBaseURL(server.URL+"/v1"),
				option.WithAPIKey("none"), option.WithMaxRetries(0)))
			c.breaks(t, s)
			before := len(server.Requests())

			if refusal := refusalOf(s.send()); !strings.Contains(refusal, c.refusal) {
				t.Fatalf("without preflight: %q", refusal)
			}
			warnings, err := s.repair()
			if err != nil {
				t.Fatal(err)
			}
			if got := clienttest.Codes(warnings); !slices.Equal(got, c.codes) {
				t.Errorf("warnings %v, want %v", got, c.codes)
			}
			if err := s.send(); err != nil {
				t.Fatalf("with preflight: %v", err)
			}
			if again, err := s.repair(); err != nil || len(again) > 0 {
				t.Errorf("what came out is repaired again: %v %v", again, err)
			}
			requests := server.Requests()[before:]
			clienttest.CompareBodies(t, requests[0].Body, requests[1].Body, c.kept)
		})
	}
}

// refusalOf is the text of the provider's error, which the SDK's error does not print.
func refusalOf(err error) string {
	var refused *openai.Error
	if !errors.As(err, &refused) {
		return ""
	}
	return refused.Message
}
