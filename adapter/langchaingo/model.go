package preflightlangchaingo

import (
	"context"

	"github.com/tmc/langchaingo/llms"

	"github.com/go-preflight/preflight/adapter"
	"github.com/go-preflight/preflight/wire"
)

// This file repairs histories inside a model.

// Report is told what was repaired before a call of a model, or why nothing could be.
type Report = adapter.Report

// Model returns a model that repairs the messages of every call, and then has llm generate the
// content. A history that cannot be repaired ends the call with the error of Messages. The caller's
// messages stay as they are: Keep writes the repaired ones back. options and report may be nil. A
// panic in llm passes to the caller.
func Model(llm llms.Model, options *wire.Options, report Report) llms.Model {
	return &model{llm, options, report}
}

// Keep returns a context for calls of a Model. When one with the slice *history is repaired,
// *history becomes the repaired one before llm is called, with the caller's own messages where
// nothing changed. See adapter.Neutral.Keep.
func Keep(ctx context.Context, history *[]llms.MessageContent) context.Context {
	return neutral.Keep(ctx, history)
}

// model is a Model.
type model struct {
	llm     llms.Model
	options *wire.Options
	report  Report
}

// GenerateContent implements llms.Model.
func (m *model) GenerateContent(
	ctx context.Context,
	messages []llms.MessageContent,
	options ...llms.CallOption,
) (*llms.ContentResponse, error) {
	messages, warnings, err := Messages(ctx, messages, m.options)
	if err := m.report.Tell(ctx, warnings, err); err != nil {
		return nil, err
	}
	return m.llm.GenerateContent(ctx, messages, options...)
}

// Call implements llms.Model.
func (m *model) Call(
	ctx context.Context,
	prompt string,
	options ...llms.CallOption,
) (string, error) {
	return llms.GenerateFromSinglePrompt(ctx, m, prompt, options...)
}

// SupportsReasoning implements llms.ReasoningModel.
func (m *model) SupportsReasoning() bool {
	reasoning, ok := m.llm.(llms.ReasoningModel)
	return ok && reasoning.SupportsReasoning()
}
