// Package preflightanthropicv2 puts preflight in front of version 2 of anthropic-sdk-go: right
// before a request is sent, its history is repaired wherever the provider would refuse it. A client
// does it for all its requests, streamed or not:
//
//	client := anthropic.NewClient(option.WithMiddleware(preflightanthropicv2.Middleware(nil)))
//
// With the context that Keep returns, the repaired messages are written back into the caller's
// history. Or repair before a single call, and get the warnings:
//
//	params, warnings, err := preflightanthropicv2.Params(ctx, params, nil)
//	message, err := client.Messages.New(ctx, params)
//
// Messages repairs a history without its request. BetaParams and BetaMessages are for the beta API.
// ParamsFromJSON reads a request that wire.Convert made of another provider's.
//
// # What is preserved
//
// Everything. A message that needs no repair is returned as the caller's own value. A repaired one
// is read through its JSON, because the values that ToParam and param.Override make hold JSON that
// their fields do not show, and only what a warning reports is changed: unknown blocks, cache
// breakpoints, signatures and 20-digit numbers stay. A repaired message has the SDK's fields where
// they can hold all of it. A block that they cannot hold is a param.Override of its JSON, whose
// fields are empty, and so is a message that holds more than a role and a list of blocks.
//
// # Errors
//
// Errors are those of adapter.Format; on error the functions return what they were given,
// unchanged. They are safe for concurrent use, keep no state, and do not write to their arguments.
package preflightanthropicv2

import (
	"context"
	"encoding/json"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/packages/param"

	"github.com/go-preflight/preflight/adapter"
	"github.com/go-preflight/preflight/wire"
)

// Messages repairs a history. The model and the other settings of the request are not known to it,
// unless options name a model: Params knows them. options may be nil.
func Messages(
	ctx context.Context,
	messages []anthropic.MessageParam,
	options *wire.Options,
) ([]anthropic.MessageParam, []wire.Warning, error) {
	return plain.Messages(ctx, messages, options)
}

// BetaMessages is Messages for the beta API.
func BetaMessages(
	ctx context.Context,
	messages []anthropic.BetaMessageParam,
	options *wire.Options,
) ([]anthropic.BetaMessageParam, []wire.Warning, error) {
	return beta.Messages(ctx, messages, options)
}

// Params repairs a whole request: the history, by what the model and the rest of the request ask of
// it, and the few members beside it that can make a request fail with its history (tools that are
// not declared, thinking that cannot go on). A member that its field cannot hold exactly becomes an
// extra field, which the SDK sends in place of the typed one. options may be nil.
//
// A tool whose name the provider refuses gets another one, and the model calls it by that:
// wire.RenamedTools tells the declared one. Middleware gives it back by itself.
func Params(
	ctx context.Context,
	params anthropic.MessageNewParams,
	options *wire.Options,
) (anthropic.MessageNewParams, []wire.Warning, error) {
	return plainParams.Sanitize(ctx, params, options)
}

// BetaParams is Params for the beta API.
func BetaParams(
	ctx context.Context,
	params anthropic.BetaMessageNewParams,
	options *wire.Options,
) (anthropic.BetaMessageNewParams, []wire.Warning, error) {
	return betaParams.Sanitize(ctx, params, options)
}

// The formats of the SDK's two message types, and the requests that hold them.
var (
	plain       = format(message)
	beta        = format(betaMessage)
	plainParams = request(plain, messagesOf)
	betaParams  = request(beta, betaMessagesOf)
)

// message returns a message of the user or the assistant. Those of other roles have blocks of their
// own.
func message(role string, content []anthropic.ContentBlockParamUnion) anthropic.MessageParam {
	switch role {
	case "user":
		return anthropic.NewUserMessage(content...)
	case "assistant":
		return anthropic.NewAssistantMessage(content...)
	}
	return anthropic.MessageParam{}
}

// betaMessage is message for the beta API.
func betaMessage(
	role string, content []anthropic.BetaContentBlockParamUnion,
) anthropic.BetaMessageParam {
	switch role {
	case "user":
		return anthropic.NewBetaUserMessage(content...)
	case "assistant":
		return anthropic.BetaMessageParam{
			OfAssistant: &anthropic.BetaAssistantMessageParam{Content: content},
		}
	}
	return anthropic.BetaMessageParam{}
}

func messagesOf(p *anthropic.MessageNewParams) *[]anthropic.MessageParam { return &p.Messages }

func betaMessagesOf(p *anthropic.BetaMessageNewParams) *[]anthropic.BetaMessageParam {
	return &p.Messages
}

// format is the format of messages that assemble puts together.
func format[M, B param.ParamStruct, MP param.InferPtr[M], BP param.InferPtr[B]](
	assemble func(role string, content []B) M,
) *adapter.Format[M] {
	typed := adapter.Typed[M, B]{
		Message:    assemble,
		RawMessage: func(raw json.RawMessage) M { return param.Override[M, MP](raw) },
		RawBlock:   func(raw json.RawMessage) B { return param.Override[B, BP](raw) },
	}
	return &adapter.Format[M]{
		Provider: "anthropic", List: "messages", Unmarshal: typed.Unmarshal,
	}
}

// request is the shape of one of the SDK's params, whose messages are at list.
func request[M any, P param.ParamStruct, PP param.InferPtr[P]](
	f *adapter.Format[M], list func(*P) *[]M,
) *adapter.Params[M, P] {
	return &adapter.Params[M, P]{
		Format: f, Messages: list, Omit: param.Omit,
		SetRaw: func(p *P, body []byte) { param.SetJSON(body, PP(p)) },
	}
}
