package preflightfantasy_test

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"charm.land/fantasy"
	"charm.land/fantasy/providers/anthropic"
	"charm.land/fantasy/providers/openaicompat"

	"github.com/go-preflight/preflight"
	preflightfantasy "github.com/go-preflight/preflight/adapter/fantasy"
	"github.com/go-preflight/preflight/internal/clienttest"
	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/wire"
)

// This file drives fantasy's agents, on its own providers, against strict fakes, through the ways
// in which sessions break.

var (
	answering = &wire.Options{Options: preflight.Options{Dangling: preflight.DanglingAnswer}}

	both = preflighttest.Reply{
		Calls: []preflighttest.Call{
			{Name: "read", Arguments: "{}"}, {Name: "slow", Arguments: "{}"},
		},
	}
)

// kind is a provider of fantasy, with the fake that it sends to.
type kind struct {
	fake, model, refusal string
	open                 func(url string) (fantasy.Provider, error)
}

var kinds = map[string]kind{
	"anthropic": {
		"anthropic", "claude-sonnet-4-5",
		"`tool_use` ids were found without `tool_result` blocks",
		func(url string) (fantasy.Provider, error) {
			return anthropic.New(anthropic.WithAPIKey("none"), anthropic.WithBaseURL(url))
		},
	},
	"openai-compat": {
		"openai-chat", "gpt-4o", "must be followed by tool messages",
		func(url string) (fantasy.Provider, error) {
			return openaicompat.New(openaicompat.WithAPIKey("none"),
				openaicompat.WithBaseURL(url+"/v1"))
		},
	},
}

// server is a fake, and the model that sends to it, with and without preflight.
type server struct {
	*preflighttest.Server
	plain, model fantasy.LanguageModel
	codes        []string
}

func newServer(t *testing.T, k kind, replies ...preflighttest.Reply) *server {
	t.Helper()
	s := &server{Server: preflighttest.New(t, k.fake, nil)}
	s.Script(replies...)
	p, err := k.open(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	if s.plain, err = p.LanguageModel(context.Background(), k.model); err != nil {
		t.Fatal(err)
	}
	repairing := preflightfantasy.Provider(p, answering, s.report(t))
	if s.model, err = repairing.LanguageModel(context.Background(), k.model); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *server) report(t *testing.T) preflightfantasy.Report {
	return func(_ context.Context, warnings []wire.Warning, err error) {
		if err != nil {
			t.Error(err)
		}
		s.codes = append(s.codes, clienttest.Codes(warnings)...)
	}
}

type empty struct{}

// session is a user of an agent, who stores what it says.
type session struct {
	messages []fantasy.Message
	stop     context.CancelFunc // called by the slow tool
	options  []fantasy.AgentOption
}

// ask has an agent of the model answer, streamed or not. What a stopped agent said before is
// stored, too.
func (s *session) ask(m fantasy.LanguageModel, prompt string, stream bool) (string, error) {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	if s.stop != nil {
		s.stop = stop
	}
	tools := fantasy.WithTools(
		fantasy.NewAgentTool("read", "Reads.",
			func(context.Context, empty, fantasy.ToolCall) (fantasy.ToolResponse, error) {
				return fantasy.NewTextResponse("port=8080"), nil
			}),
		fantasy.NewAgentTool("slow", "Is slow.",
			func(ctx context.Context, _ empty, _ fantasy.ToolCall) (fantasy.ToolResponse, error) {
				if s.stop == nil {
					return fantasy.NewTextResponse("ok"), nil
				}
				s.stop()
				return fantasy.ToolResponse{}, ctx.Err()
			}),
	)
	agent := fantasy.NewAgent(m, append(s.options, tools, fantasy.WithMaxRetries(0),
		fantasy.WithSystemPrompt("You are terse."), fantasy.WithMaxOutputTokens(4096))...)
	history := s.messages
	s.messages = append(s.messages, fantasy.NewUserMessage(prompt))
	var result *fantasy.AgentResult
	var err error
	if stream {
		result, err = agent.Stream(ctx, fantasy.AgentStreamCall{
			Prompt: prompt, Messages: history,
			OnToolCall: func(c fantasy.ToolCallContent) error { // as clients store it
				part := fantasy.ToolCallPart{
					ToolCallID: c.ToolCallID, ToolName: c.ToolName, Input: c.Input,
				}
				if last := &s.messages[len(s.messages)-1]; last.Role == "assistant" {
					last.Content = append(last.Content, part)
					return nil
				}
				s.messages = append(s.messages, fantasy.Message{
					Role: "assistant", Content: []fantasy.MessagePart{part},
				})
				return nil
			},
		})
	} else {
		result, err = agent.Generate(ctx,
			fantasy.AgentCall{Prompt: prompt, Messages: history})
	}
	if err != nil {
		return "", err
	}
	s.messages = append(history[:len(history):len(history)], fantasy.NewUserMessage(prompt))
	for _, step := range result.Steps {
		s.messages = append(s.messages, step.Messages...)
	}
	return result.Response.Content.Text(), nil
}

// restart stores the messages as JSON, and reads them again.
func (s *session) restart(t *testing.T) {
	t.Helper()
	stored, err := json.Marshal(s.messages)
	if err != nil {
		t.Fatal(err)
	}
	s.messages = nil
	if err := json.Unmarshal(stored, &s.messages); err != nil {
		t.Fatal(err)
	}
}

// stopped has a streaming agent stopped in the middle of parallel calls.
func (s *session) stopped(t *testing.T, m fantasy.LanguageModel) {
	t.Helper()
	s.stop = func() {}
	if _, err := s.ask(m, "Build it.", true); !errors.Is(err, context.Canceled) {
		t.Fatalf("the agent was not stopped: %v", err)
	}
	s.stop = nil
}

// TestStoppedCalls: parallel calls are stopped, the session is stored and resumed, and goes on.
func TestStoppedCalls(t *testing.T) {
	for name, k := range kinds {
		for _, stream := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				s := newServer(t, k, both, preflighttest.Reply{Text: "You stopped me."}, both,
					preflighttest.Reply{Text: "Done."})
				var user session
				user.stopped(t, s.plain)
				user.restart(t)
				stored := slices.Clone(user.messages)
				if _, err := user.ask(s.plain, "Why?", stream); err == nil ||
					!strings.Contains(err.Error(), k.refusal) {
					t.Fatalf("without preflight: %v", err)
				}

				user.messages = stored
				before := len(s.Refused())
				text, err := user.ask(s.model, "Why?", stream)
				if err != nil || text != "You stopped me." {
					t.Fatalf("with preflight: %q, %v", text, err)
				}
				if want := []string{"dangling-answered", "dangling-answered"}; !slices.Equal(
					s.codes, want) {
					t.Errorf("reported %v, want %v", s.codes, want)
				}
				s.codes = nil

				// what is repaired once is kept, and the agent's own messages need no repair
				user.messages, _, err = preflightfantasy.Messages(context.Background(),
					user.messages, answering)
				if err != nil {
					t.Fatal(err)
				}
				text, err = user.ask(s.model, "Again.", stream)
				if err != nil || text != "Done." {
					t.Fatalf("with preflight: %q, %v", text, err)
				}
				if len(s.codes) > 0 || len(s.Refused()) != before {
					t.Errorf("reported %v, refused %v", s.codes, s.Refused()[before:])
				}
			})
		}
	}
}

// TestPrepareStep: the step repairs, and the model needs not.
func TestPrepareStep(t *testing.T) {
	k := kinds["openai-compat"]
	s := newServer(t, k, both, both, preflighttest.Reply{Text: "Done."})
	var user session
	user.stopped(t, s.plain)
	user.options = []fantasy.AgentOption{
		fantasy.WithPrepareStep(preflightfantasy.PrepareStep(answering, s.report(t))),
	}
	text, err := user.ask(s.plain, "Go on.", false)
	if err != nil || text != "Done." || len(s.Refused()) > 0 {
		t.Fatalf("%q, %v", text, err)
	}
	if len(s.codes) != 4 {
		t.Errorf("reported %v, want two answers in each of two steps", s.codes)
	}
	beyond := func() error {
		_, _, err := preflightfantasy.PrepareStep(nil, nil)(context.Background(),
			fantasy.PrepareStepFunctionOptions{})
		return err
	}
	if err := beyond(); !errors.Is(err, preflight.ErrEmptyHistory) {
		t.Errorf("%v", err)
	}
}

// TestSendable: fantasy's providers send all texts of an assistant's message.
func TestSendable(t *testing.T) {
	for name, k := range kinds {
		s := newServer(t, k)
		prompt := []fantasy.Message{
			fantasy.NewUserMessage("Read it."),
			assistant(fantasy.TextPart{Text: "I read."}, called("call_1"), fantasy.TextPart{Text: "Now."}),
			toolMessage(result("call_1", text)),
			fantasy.NewUserMessage("Go on."),
		}
		if name == "anthropic" { // which wants calls last
			prompt[1].Content[1], prompt[1].Content[2] = prompt[1].Content[2], prompt[1].Content[1]
		}
		before := slices.Clone(prompt[1].Content)
		if _, err := s.model.Generate(context.Background(), fantasy.Call{Prompt: prompt}); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		step := fantasy.PrepareStepFunctionOptions{Messages: prompt, Model: s.plain}
		_, made, err := preflightfantasy.PrepareStep(nil, nil)(context.Background(), step)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		call := fantasy.Call{Prompt: made.Messages}
		if _, err := s.plain.Generate(context.Background(), call); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, request := range s.Requests() {
			for _, part := range []string{"I read.", "Now.", "call_1", "port=8080"} {
				if !strings.Contains(string(request.Body), part) {
					t.Errorf("%s: %s is not in %s", name, part, request.Body)
				}
			}
		}
		if len(s.codes) > 0 || !reflect.DeepEqual(prompt[1].Content, before) {
			t.Errorf("%s: reported %v, the prompt is %v", name, s.codes, prompt)
		}
	}
}

// responsesLanguageModel has the name of fantasy's own.
type responsesLanguageModel struct{ scripted }

func (*responsesLanguageModel) Provider() string { return "openai" }

// TestPrepareStepOfModel: a Model in the step speaks the API that its own model speaks.
func TestPrepareStepOfModel(t *testing.T) {
	prompt := []fantasy.Message{
		fantasy.NewUserMessage("Find it."), assistant(search, found, fantasy.TextPart{Text: "Here."}),
		fantasy.NewUserMessage("Go on."),
	}
	step := fantasy.PrepareStepFunctionOptions{
		Messages: prompt, Model: preflightfantasy.Model(&responsesLanguageModel{}, nil, nil),
	}
	_, out, err := preflightfantasy.PrepareStep(nil, nil)(context.Background(), step)
	if err != nil || &out.Messages[0] != &prompt[0] {
		t.Errorf("%v %v", out.Messages, err)
	}
}

// TestSwitch: a session goes on with another provider, and back, each time after its parallel calls
// were stopped; and another agent takes it over.
func TestSwitch(t *testing.T) {
	claude := newServer(t, kinds["anthropic"], both, both, preflighttest.Reply{Text: "I am back."})
	gpt := newServer(t, kinds["openai-compat"], both, preflighttest.Reply{Text: "I am new."}, both)
	var user session
	user.stopped(t, claude.model)
	user.restart(t)
	if text, err := user.ask(gpt.model, "Go on.", false); err != nil || text != "I am new." {
		t.Fatalf("%q, %v", text, err)
	}
	user.stopped(t, gpt.model)
	user.restart(t)
	user.options = []fantasy.AgentOption{fantasy.WithSystemPrompt("You are another agent.")}
	if text, err := user.ask(claude.model, "Go on.", true); err != nil || text != "I am back." {
		t.Fatalf("%q, %v", text, err)
	}
	if n := len(claude.Refused()) + len(gpt.Refused()); n > 0 {
		t.Errorf("%d refused", n)
	}
}
