package preflightlangchaingo_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/tmc/langchaingo/llms"

	"github.com/go-preflight/preflight"
	preflightlangchaingo "github.com/go-preflight/preflight/adapter/langchaingo"
	"github.com/go-preflight/preflight/wire"
)

const secret = "alice@example.org"

// counting is a model that counts its calls.
type counting struct{ calls int }

func (c *counting) GenerateContent(
	context.Context, []llms.MessageContent, ...llms.CallOption,
) (*llms.ContentResponse, error) {
	c.calls++
	return &llms.ContentResponse{}, nil
}

func (c *counting) Call(context.Context, string, ...llms.CallOption) (string, error) {
	return "", nil
}

// TestFaultyReport: a report that panics is a typed error of the call, which quotes nothing; after
// it, and after one that ends its goroutine, calls are as before.
func TestFaultyReport(t *testing.T) {
	history := []llms.MessageContent{
		llms.TextParts(llms.ChatMessageTypeHuman, "a"),
		{Role: llms.ChatMessageTypeTool, Parts: []llms.ContentPart{
			llms.ToolCallResponse{ToolCallID: "none", Content: "b"},
		}},
	}
	llm := &counting{}
	var fault func()
	wrapped := preflightlangchaingo.Model(llm, nil,
		func(context.Context, []wire.Warning, error) { fault() })
	call := func() (returned bool, err error) {
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_, err = wrapped.GenerateContent(context.Background(), history)
			returned = true
		}()
		<-ended
		return returned, err
	}
	fault = func() { panic(secret) }
	_, err := call()
	if !errors.Is(err, preflight.ErrHook) || strings.Contains(err.Error(), secret) {
		t.Error(err)
	}
	fault = runtime.Goexit
	if returned, _ := call(); returned || llm.calls > 0 {
		t.Errorf("returned: %v, calls of the model: %d", returned, llm.calls)
	}
	fault = func() {}
	if _, err := call(); err != nil || llm.calls != 1 {
		t.Error(err, llm.calls)
	}
}
