package preflightlangchaingo

import (
	"context"
	"fmt"
	"strings"

	"github.com/tmc/langchaingo/llms"

	"github.com/go-preflight/preflight/adapter"
	"github.com/go-preflight/preflight/wire"
)

// This file repairs histories inside a model.

// Report is told what was repaired before a call of a model, or why nothing could be.
type Report = adapter.Report

// Model returns a model that repairs the messages of every call, and then has llm generate the
// content. langchaingo's models for Anthropic, OpenAI and Ollama get the messages in a form that
// they send whole: without cache breakpoints that they do not read, for Anthropic with each part of
// an assistant's message as a message of its own, and for Ollama with one text in a message.
//
// A history that cannot be repaired ends the call with the error of Messages. The caller's messages
// stay as they are: Keep writes the repaired ones back. options and report may be nil. A panic in
// llm passes to the caller.
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
	return m.llm.GenerateContent(ctx, sendable(m.llm, messages), options...)
}

// sendable returns messages in a form that langchaingo's own models send whole: the one for
// Anthropic takes several parts, and cache breakpoints, only from the user, the one for OpenAI no
// parts with cache breakpoints, and the one for Ollama neither these nor several texts.
func sendable(llm llms.Model, messages []llms.MessageContent) []llms.MessageContent {
	split, join := false, false
	switch fmt.Sprintf("%T", llm) {
	case "*anthropic.LLM":
		split = true
	case "*ollama.LLM":
		join = true
	case "*openai.LLM":
	default:
		return messages
	}
	out := make([]llms.MessageContent, 0, len(messages))
	for _, message := range messages {
		if split && message.Role == llms.ChatMessageTypeHuman {
			out = append(out, message)
			continue
		}
		made := llms.MessageContent{Role: message.Role}
		for _, p := range message.Parts {
			if split && len(made.Parts) > 0 {
				out = append(out, made)
				made.Parts = nil
			}
			made.Parts = append(made.Parts, uncached(p))
		}
		if join {
			made.Parts = joinTexts(made.Parts)
		}
		out = append(out, made)
	}
	return out
}

// joinTexts returns parts with one text, in place of the first.
func joinTexts(parts []llms.ContentPart) []llms.ContentPart {
	out := make([]llms.ContentPart, 0, len(parts))
	var texts []string
	first := 0
	for _, p := range parts {
		if t, ok := p.(llms.TextContent); ok {
			if texts = append(texts, t.Text); len(texts) > 1 {
				continue
			}
			first = len(out)
		}
		out = append(out, p)
	}
	if len(texts) > 1 {
		out[first] = llms.TextContent{Text: strings.Join(texts, "\n")}
	}
	return out
}

// uncached returns a part without its cache breakpoint.
func uncached(p llms.ContentPart) llms.ContentPart {
	for {
		cached, ok := p.(llms.CachedContent)
		if !ok {
			return p
		}
		p = cached.ContentPart
	}
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
