package preflightfantasy

import (
	"context"

	"charm.land/fantasy"

	"github.com/go-preflight/preflight/wire"
)

// This file repairs prompts inside models and providers.

// Provider returns a provider whose models repair as those of Model do. options and report may be
// nil. A panic in p passes to the caller.
func Provider(p fantasy.Provider, options *wire.Options, report Report) fantasy.Provider {
	return &provider{p, options, report}
}

// provider is a Provider.
type provider struct {
	fantasy.Provider
	options *wire.Options
	report  Report
}

// LanguageModel implements fantasy.Provider.
func (p *provider) LanguageModel(
	ctx context.Context,
	modelID string,
) (fantasy.LanguageModel, error) {
	m, err := p.Provider.LanguageModel(ctx, modelID)
	if err != nil {
		return nil, err
	}
	return Model(m, p.options, p.report), nil
}

// Model returns a model that repairs the prompt of every call, and then has m answer. A prompt that
// cannot be repaired ends the call with the error of Messages. The caller's messages stay as they
// are: Keep writes the repaired ones back. options and report may be nil. A panic in m passes to
// the caller.
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
	messages, warnings, err := Messages(ctx, prompt, optionsFor(m.LanguageModel, m.options))
	return messages, m.report.Tell(ctx, warnings, err)
}
