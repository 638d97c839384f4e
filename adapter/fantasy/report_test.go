package preflightfantasy_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"charm.land/fantasy"

	"github.com/go-preflight/preflight"
	preflightfantasy "github.com/go-preflight/preflight/adapter/fantasy"
	"github.com/go-preflight/preflight/internal/clienttest"
)

// scripted is a model that records its prompts.
type scripted struct{ prompts []fantasy.Prompt }

func (*scripted) Provider() string { return "anthropic" }
func (*scripted) Model() string    { return "claude-sonnet-4-5" }

func (s *scripted) Generate(_ context.Context, call fantasy.Call) (*fantasy.Response, error) {
	s.prompts = append(s.prompts, call.Prompt)
	return &fantasy.Response{}, nil
}

func (s *scripted) Stream(
	_ context.Context, call fantasy.Call,
) (fantasy.StreamResponse, error) {
	s.prompts = append(s.prompts, call.Prompt)
	return slices.Values([]fantasy.StreamPart(nil)), nil
}

func (s *scripted) GenerateObject(
	_ context.Context, call fantasy.ObjectCall,
) (*fantasy.ObjectResponse, error) {
	s.prompts = append(s.prompts, call.Prompt)
	return &fantasy.ObjectResponse{}, nil
}

func (s *scripted) StreamObject(
	_ context.Context, call fantasy.ObjectCall,
) (fantasy.ObjectStreamResponse, error) {
	s.prompts = append(s.prompts, call.Prompt)
	return slices.Values([]fantasy.ObjectStreamPart(nil)), nil
}

// stopped is a history whose call was stopped.
func stopped() []fantasy.Message {
	return []fantasy.Message{
		fantasy.NewUserMessage("Build it."),
		{Role: "assistant", Content: []fantasy.MessagePart{
			fantasy.TextPart{Text: "Building."},
			fantasy.ToolCallPart{ToolCallID: "call_1", ToolName: "build", Input: "{}"},
		}},
		fantasy.NewUserMessage("Stop."),
	}
}

// entries are the ways through a model.
func entries(m fantasy.LanguageModel) map[string]func(fantasy.Prompt) error {
	ctx := context.Background()
	return map[string]func(fantasy.Prompt) error{
		"Generate": func(p fantasy.Prompt) error {
			_, err := m.Generate(ctx, fantasy.Call{Prompt: p})
			return err
		},
		"Stream": func(p fantasy.Prompt) error {
			_, err := m.Stream(ctx, fantasy.Call{Prompt: p})
			return err
		},
		"GenerateObject": func(p fantasy.Prompt) error {
			_, err := m.GenerateObject(ctx, fantasy.ObjectCall{Prompt: p})
			return err
		},
		"StreamObject": func(p fantasy.Prompt) error {
			_, err := m.StreamObject(ctx, fantasy.ObjectCall{Prompt: p})
			return err
		},
	}
}

// TestModel: every way repairs, and passes on what needs no repair as it is.
func TestModel(t *testing.T) {
	own := &scripted{}
	for entry, send := range entries(preflightfantasy.Model(own, nil, nil)) {
		own.prompts = nil
		valid := stopped()[:1]
		if err := errors.Join(send(valid), send(stopped())); err != nil {
			t.Fatalf("%s: %v", entry, err)
		}
		if &own.prompts[0][0] != &valid[0] || len(own.prompts[1][1].Content) != 1 {
			t.Errorf("%s: passed on %v", entry, own.prompts)
		}
		if err := send(nil); !errors.Is(err, preflight.ErrEmptyHistory) || len(own.prompts) != 2 {
			t.Errorf("%s: %v", entry, err)
		}
	}
}

// TestKeep: what a model repairs is written back to the caller's history.
func TestKeep(t *testing.T) {
	history := stopped()
	ctx := preflightfantasy.Keep(context.Background(), &history)
	m := preflightfantasy.Model(&scripted{}, answering, nil)
	if _, err := m.Generate(ctx, fantasy.Call{Prompt: history}); err != nil {
		t.Fatal(err)
	}
	if len(history) != 4 || history[2].Role != "tool" {
		t.Errorf("%v", history)
	}
}

// TestFaultyReport: a report that panics is a typed error of the call, which quotes nothing; one
// that ends its goroutine is not held back.
func TestFaultyReport(t *testing.T) {
	faulty := func(report clienttest.ReportFunc) (map[string]func() error, func() int) {
		own := &scripted{}
		sends := entries(preflightfantasy.Model(own, nil, report))
		sends["PrepareStep"] = func(p fantasy.Prompt) error {
			_, _, err := preflightfantasy.PrepareStep(nil, report)(context.Background(),
				fantasy.PrepareStepFunctionOptions{Model: own, Messages: p})
			return err
		}
		calls := make(map[string]func() error)
		for entry, send := range sends {
			calls[entry] = func() error { return send(stopped()) }
		}
		return calls, func() int { return len(own.prompts) }
	}
	clienttest.FaultyReport(t, faulty)
}
