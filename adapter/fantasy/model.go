package preflightfantasy

import (
	"context"
	"slices"
	"strings"

	"charm.land/fantasy"

	"github.com/go-preflight/preflight/adapter"
	"github.com/go-preflight/preflight/wire"
)

// This file repairs prompts inside models and providers.

// Provider returns a provider whose models repair as those of Model do. options and report may be
// nil. A panic in p passes to the caller.
func Provider(p fantasy.Provider, options *wire.Options, report Report) fantasy.Provider {
	return &repairingProvider{p, options, report}
}

// repairingProvider is a Provider.
type repairingProvider struct {
	fantasy.Provider
	options *wire.Options
	report  Report
}

// LanguageModel implements fantasy.Provider.
func (p *repairingProvider) LanguageModel(
	ctx context.Context,
	modelID string,
) (fantasy.LanguageModel, error) {
	m, err := p.Provider.LanguageModel(ctx, modelID)
	if err != nil {
		return nil, err
	}
	return Model(m, p.options, p.report), nil
}

// Model returns a model that repairs the prompt of every call, and then has m answer. Several texts
// of an assistant's message, of which fantasy's providers for Chat Completions send only the last,
// are joined. A prompt that cannot be repaired ends the call with the error of Messages. The
// caller's messages stay as they are: Keep writes the repaired ones back. options and report may be
// nil. A panic in m passes to the caller.
func Model(
	m fantasy.LanguageModel,
	options *wire.Options,
	report Report,
) fantasy.LanguageModel {
	return &languageModel{m, options, report}
}

// languageModel is a Model.
type languageModel struct {
	fantasy.LanguageModel
	options *wire.Options
	report  Report
}

// Generate implements fantasy.LanguageModel.
func (m *languageModel) Generate(
	ctx context.Context,
	call fantasy.Call,
) (*fantasy.Response, error) {
	var err error
	if call.Prompt, err = m.repair(ctx, call.Prompt); err != nil {
		return nil, err
	}
	return m.LanguageModel.Generate(ctx, call)
}

// Stream implements fantasy.LanguageModel.
func (m *languageModel) Stream(
	ctx context.Context,
	call fantasy.Call,
) (fantasy.StreamResponse, error) {
	var err error
	if call.Prompt, err = m.repair(ctx, call.Prompt); err != nil {
		return nil, err
	}
	return m.LanguageModel.Stream(ctx, call)
}

// GenerateObject implements fantasy.LanguageModel.
func (m *languageModel) GenerateObject(
	ctx context.Context,
	call fantasy.ObjectCall,
) (*fantasy.ObjectResponse, error) {
	var err error
	if call.Prompt, err = m.repair(ctx, call.Prompt); err != nil {
		return nil, err
	}
	return m.LanguageModel.GenerateObject(ctx, call)
}

// StreamObject implements fantasy.LanguageModel.
func (m *languageModel) StreamObject(
	ctx context.Context,
	call fantasy.ObjectCall,
) (fantasy.ObjectStreamResponse, error) {
	var err error
	if call.Prompt, err = m.repair(ctx, call.Prompt); err != nil {
		return nil, err
	}
	return m.LanguageModel.StreamObject(ctx, call)
}

func (m *languageModel) repair(
	ctx context.Context,
	prompt fantasy.Prompt,
) (fantasy.Prompt, error) {
	options := optionsFor(m.LanguageModel, m.options)
	messages, warnings, err := Messages(ctx, prompt, options)
	return sendable(messages, options), m.report.Tell(ctx, warnings, err)
}

// sendable returns messages of which a provider sends all. Of the texts of an assistant's message,
// and of its reasoning, those for Chat Completions send only the last.
func sendable(messages []fantasy.Message, options *wire.Options) []fantasy.Message {
	if of(options) != chat {
		return messages
	}
	out := messages
	for i, m := range messages {
		if m.Role != fantasy.MessageRoleAssistant {
			continue
		}
		joined := joinTexts(m.Content)
		if len(joined) == len(m.Content) {
			continue
		}
		if &out[0] == &messages[0] {
			out = slices.Clone(messages)
		}
		out[i].Content = joined
	}
	return out
}

// joinTexts returns content with one text, in place of the first, and one part of reasoning without
// provider options.
func joinTexts(content []fantasy.MessagePart) []fantasy.MessagePart {
	out := make([]fantasy.MessagePart, 0, len(content))
	text, reasoning := -1, -1 // where they are in out
	var texts, thoughts []string
	var options []fantasy.ProviderOptions
	for _, p := range content {
		if t, ok := fantasy.AsMessagePart[fantasy.TextPart](p); ok {
			texts, options = append(texts, t.Text), append(options, t.ProviderOptions)
			if text >= 0 {
				continue
			}
			text = len(out)
		}
		if r, ok := fantasy.AsMessagePart[fantasy.ReasoningPart](p); ok && len(r.ProviderOptions) == 0 {
			if thoughts = append(thoughts, r.Text); reasoning >= 0 {
				continue
			}
			reasoning = len(out)
		}
		out = append(out, p)
	}
	if len(texts) > 1 {
		out[text] = fantasy.TextPart{
			Text: strings.Join(texts, "\n"), ProviderOptions: adapter.Union(options[0], options[1:]...),
		}
	}
	if len(thoughts) > 1 {
		out[reasoning] = fantasy.ReasoningPart{Text: strings.Join(thoughts, "\n")}
	}
	return out
}
