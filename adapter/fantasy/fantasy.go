// Package preflightfantasy puts preflight in front of the language models of charm.land/fantasy:
// right before a model is called, the prompt is repaired wherever its provider would refuse it. A
// provider does it for all its models, a model for all its calls, streamed or not, alone or in an
// agent:
//
//	provider = preflightfantasy.Provider(provider, options, report)
//	model = preflightfantasy.Model(model, options, report)
//
// An agent takes it as a step of its own as well, which repairs the messages of each step:
//
//	agent := fantasy.NewAgent(model,
//		fantasy.WithPrepareStep(preflightfantasy.PrepareStep(options, report)))
//
// Or repair the stored messages of a session before they are given to an agent, and keep them:
//
//	history, warnings, err := preflightfantasy.Messages(ctx, history, options)
//	result, err := agent.Generate(ctx, fantasy.AgentCall{Prompt: prompt, Messages: history})
//
// # Which provider serves the model
//
// A model of fantasy names its provider, and so do the rules, unless the options name another.
// Messages does not know the model: name the provider in its options (OpenAI's Chat Completions
// when it is empty).
//
// # What is preserved
//
// Everything. A message that needs no repair comes back with the caller's own content, and a
// repaired one keeps the parts that did not change and the provider options of the others. What was
// changed is only what a warning reports; its position counts in the caller's list. A repair for
// which fantasy's types have no place is an error that satisfies errors.Is with adapter.ErrInexact.
//
// Reasoning with provider options is taken for signed: its turn is not cut, and its open calls are
// answered whatever the option. What the options hold is left to fantasy's providers.
//
// # Errors
//
// Errors are those of adapter.Neutral; on error the functions return what they were given,
// unchanged. They are safe for concurrent use, keep no state, and do not write to their arguments.
package preflightfantasy

import (
	"context"
	"fmt"
	"strings"

	"charm.land/fantasy"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/adapter"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/wire"
)

// Messages repairs a history. options may be nil.
func Messages(
	ctx context.Context,
	messages []fantasy.Message,
	options *wire.Options,
) ([]fantasy.Message, []wire.Warning, error) {
	return of(options).Messages(ctx, messages, options)
}

var (
	neutral   = newNeutral(readPart)
	chat      = newNeutral(readChatPart)
	responses = newNeutral(readResponsesPart)
)

func newNeutral(read reader) *adapter.Neutral[fantasy.Message] {
	return &adapter.Neutral[fantasy.Message]{
		Provider: "openai-chat", Read: read.message, Write: read.write, Adjust: adjust,
	}
}

// of returns how messages are read for the provider that options name.
func of(options *wire.Options) *adapter.Neutral[fantasy.Message] {
	if options == nil || options.Provider == "" {
		return chat
	}
	if _, ok := wire.Dialect(options.Provider, "openai-chat"); ok {
		return chat
	}
	if _, ok := wire.Dialect(options.Provider, "openai-responses"); ok {
		return responses
	}
	return neutral
}

// adjust: a message of results holds all of them, media too, and fantasy's providers make of it
// what their APIs want. They also name files that have no name. But the one for Gemini leaves out
// results with media, and the one for Anthropic sends them as images, whatever they are. Both leave
// out system messages after others, and the one for Gemini all but the first.
func adjust(p *preflight.Profile) {
	p.Pairing.OneResultPerMessage = false
	p.Media.FileNeedsName, p.Media.DocumentNeedsTitle = false, false
	p.Media.InResult = p.Provider != "gemini"
	switch p.Provider {
	case "anthropic":
		p.Media.ResultKinds = []string{"image"}
		p.System.Placement = provider.SystemLeading
	case "gemini":
		p.System.Single = true
	}
}

// Report is told what was repaired before a call of a model, or why nothing could be.
type Report = adapter.Report

// Keep returns a context for calls of a Model, or of Messages. When one with the slice *history is
// repaired, *history becomes the repaired one before the model is called. An agent calls its model
// with a slice of its own: give it what Messages returned. See adapter.Neutral.Keep.
func Keep(ctx context.Context, history *[]fantasy.Message) context.Context {
	return neutral.Keep(ctx, history)
}

// PrepareStep is for fantasy.WithPrepareStep and for single calls of an agent: it repairs the
// messages of each step. A history that cannot be repaired ends the run with the error of Messages.
// Both arguments may be nil.
func PrepareStep(options *wire.Options, report Report) fantasy.PrepareStepFunction {
	return func(
		ctx context.Context,
		step fantasy.PrepareStepFunctionOptions,
	) (context.Context, fantasy.PrepareStepResult, error) {
		options := optionsFor(step.Model, options)
		messages, warnings, err := Messages(ctx, step.Messages, options)
		if err := report.Tell(ctx, warnings, err); err != nil {
			return ctx, fantasy.PrepareStepResult{}, err
		}
		return ctx, fantasy.PrepareStepResult{Messages: sendable(messages, options)}, nil
	}
}

// providers are the rules for the providers of fantasy that have another name in package wire.
var providers = map[string]string{
	"azure": "openai-chat", "bedrock": "anthropic", "google": "gemini", "kronk": "openai-chat",
	"openai": "openai-chat", "openai-compat": "openai-compatible", "vercel": "openai-compatible",
}

// isResponses reports whether a model of OpenAI speaks the Responses API. Only its type says so.
func isResponses(m fantasy.LanguageModel) bool {
	if own, ok := m.(*languageModel); ok {
		return isResponses(own.LanguageModel)
	}
	return strings.Contains(fmt.Sprintf("%T", m), "responsesLanguageModel")
}

// optionsFor returns the caller's options, with the provider and the name of a model where they
// name none. A provider that package wire does not know is taken for one that speaks OpenAI's Chat
// Completions.
func optionsFor(m fantasy.LanguageModel, options *wire.Options) *wire.Options {
	var own wire.Options
	if options != nil {
		own = *options
	}
	if m == nil {
		return &own
	}
	if own.Provider == "" {
		own.Provider = m.Provider()
		if name, ok := providers[own.Provider]; ok {
			own.Provider = name
			if name == "openai-chat" && isResponses(m) {
				own.Provider = "openai-responses"
			}
		} else if _, err := wire.Decode([]byte("[]"), &own); err != nil {
			own.Provider = ""
		}
	}
	if own.Model == "" {
		own.Model = m.Model()
	}
	return &own
}
