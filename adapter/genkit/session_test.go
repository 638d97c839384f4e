package preflightgenkit_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/genkit"
	"github.com/firebase/genkit/go/plugins/compat_oai"

	"github.com/go-preflight/preflight"
	preflightgenkit "github.com/go-preflight/preflight/adapter/genkit"
	"github.com/go-preflight/preflight/internal/clienttest"
	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/wire"
)

// This file drives generations of Genkit, on its plugin for Chat Completions, against strict fakes,
// through the ways in which sessions break.

var (
	answering = &wire.Options{Options: preflight.Options{Dangling: preflight.DanglingAnswer}}

	both = preflighttest.Reply{Calls: []preflighttest.Call{
		{Name: "read", Arguments: "{}"}, {Name: "slow", Arguments: "{}"},
	}}
)

type empty struct{}

// session is a user of Genkit, who stores what it says.
type session struct {
	g        *genkit.Genkit
	tools    []ai.ToolRef
	stop     context.CancelFunc // called by the slow tool
	asks     bool               // the slow tool interrupts
	messages []*ai.Message
}

func newSession(t *testing.T, servers map[string]*preflighttest.Server) *session {
	t.Helper()
	ctx := context.Background()
	var plugins []genkit.GenkitOption
	var made []*compat_oai.OpenAICompatible
	for name, server := range servers {
		p := &compat_oai.OpenAICompatible{
			Provider: name, APIKey: "none", BaseURL: server.URL + "/v1",
		}
		p.Init(ctx)
		made = append(made, p)
	}
	s := &session{g: genkit.Init(ctx, plugins...)}
	for _, p := range made {
		supports := &ai.ModelSupports{Multiturn: true, Tools: true, SystemRole: true}
		genkit.RegisterAction(s.g, p.DefineModel(p.Provider, "model",
			ai.ModelOptions{Label: p.Provider, Supports: supports}))
	}
	s.tools = []ai.ToolRef{
		genkit.DefineTool(s.g, "read", "Reads.",
			func(*ai.ToolContext, empty) (string, error) { return "port=8080", nil }),
		genkit.DefineTool(s.g, "slow", "Is slow.",
			func(ctx *ai.ToolContext, _ empty) (string, error) {
				switch {
				case s.asks:
					return "", ctx.Interrupt(&ai.InterruptOptions{})
				case s.stop != nil:
					s.stop()
					return "", ctx.Err()
				}
				return "ok", nil
			}),
	}
	return s
}

// ask generates an answer, streamed or not. Of a generation that fails, what was streamed is
// stored, as clients do.
func (s *session) ask(
	provider, prompt string, stream bool, options ...ai.GenerateOption,
) (*ai.ModelResponse, error) {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	if s.stop != nil {
		s.stop = stop
	}
	options = append(options, ai.WithModelName(provider+"/model"), ai.WithTools(s.tools...),
		ai.WithMessages(s.messages...))
	if prompt != "" {
		options = append(options, ai.WithPrompt(prompt))
		s.messages = append(slices.Clip(s.messages), ai.NewUserTextMessage(prompt))
	}
	if stream {
		options = append(options, ai.WithStreaming(
			func(_ context.Context, chunk *ai.ModelResponseChunk) error {
				return nil
			}))
	}
	response, err := genkit.Generate(ctx, s.g, options...)
	if err != nil {
		return nil, err
	}
	s.messages = response.History()
	return response, nil
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

// stopped has the client run parallel calls itself, and end before they have a result.
func (s *session) stopped(t *testing.T, provider string, options ...ai.GenerateOption) {
	t.Helper()
	options = append(options, ai.WithReturnToolRequests(true))
	if _, err := s.ask(provider, "Build it.", false, options...); err != nil {
		t.Fatal(err)
	}
	s.restart(t)
}

// middleware is the middleware with a report, and the codes of its warnings.
func middleware(t *testing.T, options *wire.Options) (ai.GenerateOption, *[]string) {
	var codes []string
	return ai.WithMiddleware(preflightgenkit.Middleware(options,
		func(_ context.Context, warnings []wire.Warning, err error) {
			if err != nil {
				t.Error(err)
			}
			codes = append(codes, clienttest.Codes(warnings)...)
		})), &codes
}

// TestStoppedCalls: parallel calls are stopped, the session is stored and resumed, and goes on,
// with tools; its history is the repaired one.
func TestStoppedCalls(t *testing.T) {
	for _, stream := range []bool{false, true} {
		server := preflighttest.New(t, "openai-chat", nil)
		server.Script(both, preflighttest.Reply{Text: "You stopped me."}, both,
			preflighttest.Reply{Text: "Done."})
		s := newSession(t, map[string]*preflighttest.Server{"gpt": server})
		s.stopped(t, "gpt")
		stored := s.messages
		_, err := s.ask("gpt", "Why?", stream)
		if err == nil || !strings.Contains(err.Error(), "must be followed by tool messages") {
			t.Fatalf("without preflight: %v", err)
		}
		s.messages = stored
		before := len(server.Refused())
		repair, codes := middleware(t, answering)
		for _, turn := range []struct{ ask, answer string }{
			{"Why?", "You stopped me."}, {"Again.", "Done."},
		} {
			response, err := s.ask("gpt", turn.ask, stream, repair)
			if err != nil || response.Text() != turn.answer {
				t.Fatalf("with preflight: %v, %v", response, err)
			}
		}
		if want := []string{"dangling-answered", "dangling-answered"}; !slices.Equal(*codes, want) {
			t.Errorf("reported %v, want %v: once", *codes, want)
		}
		if len(server.Refused()) != before {
			t.Error(server.Refused()[before].Refusal)
		}
	}
}

// TestStoppedTool: a tool is stopped inside the loop of a generation, whose messages are lost.
func TestStoppedTool(t *testing.T) {
	server := preflighttest.New(t, "openai-chat", nil)
	server.Script(both, preflighttest.Reply{Text: "Here."})
	s := newSession(t, map[string]*preflighttest.Server{"gpt": server})
	repair, codes := middleware(t, answering)
	s.stop = func() {}
	if _, err := s.ask("gpt", "Build it.", true, repair); err == nil {
		t.Fatal("the generation was not stopped")
	}
	s.stop = nil
	if _, err := s.ask("gpt", "Are you there?", true, repair); err != nil ||
		len(server.Refused()) > 0 || len(*codes) > 0 {
		t.Errorf("%v, reported %v", err, *codes)
	}
}

// TestInterrupt: a tool waits for a person, who first asks something else. The result of the tool
// beside it is kept by Genkit, and is not lost.
func TestInterrupt(t *testing.T) {
	server := preflighttest.New(t, "openai-chat", nil)
	server.Script(both, preflighttest.Reply{Text: "I wait."}, preflighttest.Reply{Text: "Done."})
	s := newSession(t, map[string]*preflighttest.Server{"gpt": server})
	s.asks = true
	repair, codes := middleware(t, answering)
	response, err := s.ask("gpt", "Delete it.", false, repair)
	if err != nil || response.FinishReason != "interrupted" {
		t.Fatalf("%v, %v", response, err)
	}
	s.restart(t)
	waiting := s.messages
	response, err = s.ask("gpt", "Why?", false, repair)
	if err != nil || response.Text() != "I wait." {
		t.Fatalf("%v, %v", response, err)
	}
	requests := server.Requests()
	body := string(requests[len(requests)-1].Body)
	if !strings.Contains(body, "port=8080") || !strings.Contains(body, "has not finished yet") ||
		strings.Contains(body, "interrupted") {
		t.Errorf("sent %s", body)
	}
	if len(*codes) != 2 {
		t.Errorf("reported %v, want two answers", *codes)
	}

	// the person answers
	s.messages = waiting
	var parts []*ai.Part
	for _, p := range waiting[len(waiting)-1].Content {
		if p.IsInterrupt() {
			parts = append(parts, ai.NewResponseForToolRequest(p, "deleted"))
		}
	}
	response, err = s.ask("gpt", "", false, repair, ai.WithToolResponses(parts...))
	if err != nil || response.Text() != "Done." || len(server.Refused()) > 0 {
		t.Fatalf("%v, %v", response, err)
	}
}

// TestSwitch: a session goes on with another provider, whose ids have nine characters, and back.
func TestSwitch(t *testing.T) {
	gpt := preflighttest.New(t, "openai-chat", nil)
	gpt.Script(both, both, preflighttest.Reply{Text: "I am back."})
	mistral := preflighttest.New(t, "mistral", nil)
	mistral.Script(both, both, preflighttest.Reply{Text: "I am new."})
	s := newSession(t, map[string]*preflighttest.Server{"gpt": gpt, "mistral": mistral})
	s.stopped(t, "gpt")
	other := *answering
	other.Provider = "mistral"
	repair, _ := middleware(t, &other)
	s.stopped(t, "mistral", repair)
	response, err := s.ask("mistral", "Go on.", false, repair)
	if err != nil || response.Text() != "I am new." {
		t.Fatalf("%v, %v", response, err)
	}
	repair, _ = middleware(t, answering)
	response, err = s.ask("gpt", "Go on.", true, repair)
	if err != nil || response.Text() != "I am back." {
		t.Fatalf("%v, %v", response, err)
	}
	if n := len(gpt.Refused()) + len(mistral.Refused()); n > 0 {
		t.Errorf("%d refused", n)
	}
}

// broken is a request with a call that has no result.
func broken() *ai.ModelRequest {
	return &ai.ModelRequest{Messages: []*ai.Message{
		ai.NewUserTextMessage("Build it."),
		ai.NewModelMessage(ai.NewToolRequestPart(&ai.ToolRequest{Ref: "call_1", Name: "build"})),
		ai.NewUserTextMessage("Stop."),
	}}
}

// TestLogger: without a report, Genkit's logger is told. A valid request is passed on as it is, and
// one that cannot be repaired is not.
func TestLogger(t *testing.T) {
	var log bytes.Buffer
	ctx := context.Background()
	own := slog.Default() // which Genkit's logger is, unless the context has another
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(own)
	var seen *ai.ModelRequest
	send := preflightgenkit.Middleware(nil, nil)(func(
		_ context.Context, request *ai.ModelRequest, _ ai.ModelStreamCallback,
	) (*ai.ModelResponse, error) {
		seen = request
		return &ai.ModelResponse{}, nil
	})
	valid := &ai.ModelRequest{Messages: broken().Messages[:1]}
	if _, err := send(ctx, valid, nil); err != nil || seen != valid || log.Len() > 0 {
		t.Errorf("%v, passed on %v, logged %s", err, seen, &log)
	}
	given := broken()
	if _, err := send(ctx, given, nil); err != nil || seen == given || len(given.Messages) != 3 ||
		!strings.Contains(log.String(), "dangling-removed") {
		t.Errorf("%v, passed on %v, logged %s", err, seen, &log)
	}
	seen = nil
	if _, err := send(ctx, &ai.ModelRequest{Messages: []*ai.Message{nil}}, nil); err == nil ||
		seen != nil || !strings.Contains(log.String(), "level=ERROR") {
		t.Errorf("%v, passed on %v", err, seen)
	}
}

// TestFaultyReport: a report that panics is a typed error of the call, which quotes nothing; one
// that ends its goroutine is not held back.
func TestFaultyReport(t *testing.T) {
	entries := func(report clienttest.ReportFunc) (map[string]func() error, func() int) {
		calls := 0
		send := preflightgenkit.Middleware(nil, report)(func(
			context.Context, *ai.ModelRequest, ai.ModelStreamCallback,
		) (*ai.ModelResponse, error) {
			calls++
			return &ai.ModelResponse{}, nil
		})
		return map[string]func() error{
			"Middleware": func() error {
				_, err := send(context.Background(), broken(), nil)
				return err
			},
		}, func() int { return calls }
	}
	clienttest.FaultyReport(t, entries)
}
