// Package preflightgenkit puts preflight in front of the models of firebase/genkit/go: right before
// a model is called, the messages are repaired wherever its provider would refuse them. A model
// middleware does it for each turn of a generation, streamed or not:
//
//	options := &wire.Options{Provider: "gemini"}
//	response, err := genkit.Generate(ctx, g,
//		ai.WithMessages(history...), ai.WithPrompt(prompt),
//		ai.WithMiddleware(preflightgenkit.Middleware(options, nil)))
//	history = response.History()
//
// The history of the response is the repaired one: keep it, and each damage is repaired once. Or
// repair the stored messages of a session first:
//
//	history, warnings, err := preflightgenkit.Messages(ctx, history, options)
//
// # Which provider serves the model
//
// Genkit talks to many providers, and a request does not say to which. The options do: Provider is
// one of wire.Providers (OpenAI's Chat Completions when it is empty), and Model narrows it to a
// model.
//
// # What Genkit knows
//
// A request of a tool that was interrupted (ai.InterruptWith) is answered as one that has not
// finished. One that ran beside it gets its output, which Genkit keeps in the metadata of the
// request until the interrupt is resolved. Signatures, which plugins read as bytes, become bytes
// again in a session that was stored as JSON.
//
// # What is preserved
//
// Everything. A message that needs no repair comes back as the caller's own pointer, and a repaired
// one is a copy that shares the parts that did not change and keeps the metadata. What was changed
// is only what a warning reports; its position counts in the caller's list. A repair for which
// Genkit's types have no place is an error that satisfies errors.Is with adapter.ErrInexact.
//
// # Errors
//
// Errors are those of adapter.Neutral; on error the functions return what they were given,
// unchanged. They are safe for concurrent use, keep no state, and do not write to their arguments.
package preflightgenkit

import (
	"cmp"
	"context"

	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/core/logger"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/adapter"
	"github.com/go-preflight/preflight/wire"
)

// Report is told what was repaired before a call of a model, or why nothing could be.
type Report = adapter.Report

var neutral = &adapter.Neutral[*ai.Message]{
	Provider: "openai-chat", Read: read, Write: write, Adjust: adjust,
}

// adjust: a message of responses holds all of them, and the plugin makes of it what its API wants.
// But the plugins for Anthropic and Ollama send of a response only the output.
func adjust(p *preflight.Profile) {
	p.Pairing.OneResultPerMessage = false
	switch cmp.Or(p.Format, p.Provider) {
	case "anthropic", "ollama":
		p.Media.InResult = false
	}
}

// Messages repairs a history. options may be nil.
func Messages(
	ctx context.Context,
	messages []*ai.Message,
	options *wire.Options,
) ([]*ai.Message, []wire.Warning, error) {
	signed, restored := withSignatures(messages)
	repaired, warnings, err := neutral.Messages(ctx, signed, withOutputs(options))
	if err != nil {
		return messages, nil, err
	}
	return repaired, append(restored, warnings...), nil
}

// withOutputs adds to the options the outputs of tools that ran beside an interrupted one.
func withOutputs(options *wire.Options) *wire.Options {
	var own wire.Options
	if options != nil {
		own = *options
	}
	open := own.Options.OpenCall
	own.Options.OpenCall = func(call *preflight.ToolCall) preflight.Part {
		if output := call.Meta[pending]; output != nil {
			return &preflight.ToolResult{Output: output}
		}
		if open == nil {
			return nil
		}
		return open(call)
	}
	return &own
}

// Middleware is for ai.WithMiddleware: it repairs the messages of each request, after the
// middleware before it, and tells Genkit's tracer. A request that cannot be repaired ends the
// generation with the error of Messages. options may be nil; a nil report tells Genkit's logger.
func Middleware(options *wire.Options, report Report) ai.ModelMiddleware {
	return func(next ai.ModelFunc) ai.ModelFunc {
		return func(
			ctx context.Context, request *ai.ModelRequest, stream ai.ModelStreamCallback,
		) (*ai.ModelResponse, error) {
			messages, warnings, err := Messages(ctx, request.Messages, options)
			tell := report
			if tell == nil {
				tell = adapter.LogTo(logger.FromContext(ctx))
			}
			if err := tell.Tell(ctx, warnings, err); err != nil {
				return nil, err
			}
			if len(warnings) > 0 {
				record(ctx, warnings)
				repaired := *request
				repaired.Messages = messages
				request = &repaired
			}
			return next(ctx, request, stream)
		}
	}
}

// record adds an event to the current span for each warning. Like the warnings, it holds no
// content.
func record(ctx context.Context, warnings []wire.Warning) {
	span := trace.SpanFromContext(ctx)
	for _, w := range warnings {
		span.AddEvent("preflight", trace.WithAttributes(
			attribute.String("preflight.code", string(w.Code)),
			attribute.String("preflight.class", w.Class().String()),
			attribute.String("preflight.rule", w.Rule),
			attribute.String("preflight.path", w.Path),
		))
	}
}
