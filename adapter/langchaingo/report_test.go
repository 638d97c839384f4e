package preflightlangchaingo_test

import (
	"context"
	"testing"

	"github.com/tmc/langchaingo/llms"

	preflightlangchaingo "github.com/go-preflight/preflight/adapter/langchaingo"
	"github.com/go-preflight/preflight/internal/clienttest"
)

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

// TestFaultyReport: a report that panics is a typed error of the call, which quotes nothing; one
// that ends its goroutine is not held back.
func TestFaultyReport(t *testing.T) {
	history := []llms.MessageContent{
		llms.TextParts(llms.ChatMessageTypeHuman, "a"),
		{Role: llms.ChatMessageTypeTool, Parts: []llms.ContentPart{
			llms.ToolCallResponse{ToolCallID: "none", Content: "b"},
		}},
	}
	entries := func(report clienttest.ReportFunc) (map[string]func() error, func() int) {
		llm := &counting{}
		wrapped := preflightlangchaingo.Model(llm, nil, report)
		return map[string]func() error{
			"GenerateContent": func() error {
				_, err := wrapped.GenerateContent(context.Background(), history)
				return err
			},
		}, func() int { return llm.calls }
	}
	clienttest.FaultyReport(t, entries)
}
