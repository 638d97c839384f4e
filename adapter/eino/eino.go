// Package preflighteino puts preflight in front of the chat models of cloudwego/eino: right before
// a model is called, the history is repaired wherever its provider would refuse it. A model does it
// for all its calls, streamed or not, alone, in a graph or in an agent:
//
//	options := &wire.Options{Provider: "anthropic"}
//	chatModel = preflighteino.ChatModel(chatModel, options, report)
//
// With the context that Keep returns, the repaired messages are written back into the caller's
// history. Or repair before a single call:
//
//	history, warnings, err := preflighteino.Messages(ctx, history, options)
//	answer, err := chatModel.Generate(ctx, history)
//
// An agent of eino's package adk takes it as a middleware, and one of its package react as a
// rewriter of messages, which repair the agent's own state, once for the whole loop:
//
//	middleware := preflighteino.Middleware(options, report)
//	adk.ChatModelAgentConfig{Middlewares: []adk.AgentMiddleware{middleware}, …}
//	react.AgentConfig{MessageRewriter: preflighteino.Rewriter(options, report), …}
//
// # Which provider serves the model
//
// eino talks to many providers, and a message does not say to which. The options do: Provider is
// one of wire.Providers (OpenAI's Chat Completions when it is empty), and Model narrows it to a
// model.
//
// # What is preserved
//
// Everything. A message that needs no repair comes back as the caller's own pointer, and a repaired
// one is a copy that keeps what the repair is not about: Extra of the message, of its calls and of
// its parts, ResponseMeta, indices. What was changed is only what a warning reports; its position
// counts in the caller's list. A repair for which eino's type has no place is an error that
// satisfies errors.Is with adapter.ErrInexact.
//
// What a component of eino-ext keeps in Extra, such as the signatures of reasoning, is not looked
// into. Where reasoning is signed, answer open calls (preflight.DanglingAnswer), which leaves the
// turn as it was signed. Reasoning in the content, which eino has since v0.9, counts as signed.
//
// # Go 1.26
//
// The module raises bytedance/sonic, which eino requires, to a version that compiles with Go 1.26.
//
// # Errors
//
// Errors are those of adapter.Neutral; on error the functions return what they were given,
// unchanged. They are safe for concurrent use, keep no state, and write to nothing but the state of
// an agent.
package preflighteino

import (
	"context"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/schema"

	"github.com/go-preflight/preflight/adapter"
	"github.com/go-preflight/preflight/wire"
)

// Messages repairs a history. options may be nil.
func Messages(
	ctx context.Context,
	messages []*schema.Message,
	options *wire.Options,
) ([]*schema.Message, []wire.Warning, error) {
	return neutral.Messages(ctx, messages, options)
}

var neutral = &adapter.Neutral[*schema.Message]{Provider: "openai-chat", Read: read, Write: write}

// Report is told what was repaired before a call of a model, or why nothing could be.
type Report = adapter.Report

// Keep returns a context for calls of a ChatModel, or of Messages. When one with the slice *history
// is repaired, *history becomes the repaired one before the model is called, with the caller's own
// pointers where nothing changed. See adapter.Neutral.Keep.
func Keep(ctx context.Context, history *[]*schema.Message) context.Context {
	return neutral.Keep(ctx, history)
}

// Middleware is for adk.ChatModelAgentConfig: it repairs the messages in the agent's state before
// each call of the model, after the middlewares before it. A history that cannot be repaired ends
// the run with the error of Messages. Both arguments may be nil.
func Middleware(options *wire.Options, report Report) adk.AgentMiddleware {
	return adk.AgentMiddleware{
		BeforeChatModel: func(ctx context.Context, state *adk.ChatModelAgentState) error {
			messages, warnings, err := Messages(ctx, state.Messages, options)
			if err := report.Tell(ctx, warnings, err); err != nil {
				return err
			}
			state.Messages = messages
			return nil
		},
	}
}

// Rewriter is for react.AgentConfig.MessageRewriter, which keeps what is repaired, or its
// MessageModifier, which sends it only. Its form has no place for an error: a history that cannot
// be repaired is passed to the model unchanged, and the report has the reason; where the options
// have hooks or Untrusted, which may keep something from being sent, no messages are returned then.
// A panic in the report is recovered and lost. Both arguments may be nil.
func Rewriter(
	options *wire.Options,
	report Report,
) func(context.Context, []*schema.Message) []*schema.Message {
	return func(ctx context.Context, messages []*schema.Message) []*schema.Message {
		out, warnings, err := Messages(ctx, messages, options)
		_ = report.Tell(ctx, warnings, err)
		if err != nil && options != nil &&
			(len(options.Options.Hooks) > 0 || options.Options.Untrusted) {
			return nil
		}
		return out
	}
}
