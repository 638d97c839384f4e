// Package preflightopenai puts preflight in front of openai-go: right before a request is sent, its
// history is repaired wherever the provider would refuse it. A client does it for all its requests,
// to both APIs, streamed or not:
//
//	client := openai.NewClient(option.WithMiddleware(preflightopenai.Middleware(nil)))
//
// With the context that KeepChat or KeepResponses returns, the repaired messages are written back
// into the caller's history. Or repair before a single call, and get the warnings:
//
//	params, warnings, err := preflightopenai.ChatParams(ctx, params, nil)
//	completion, err := client.Chat.Completions.New(ctx, params)
//
// and, with the Responses API,
//
//	params, warnings, err := preflightopenai.ResponseParams(ctx, params, nil)
//	response, err := client.Responses.New(ctx, params)
//
// Chat and Responses repair messages and input items without their request. ChatParamsFromJSON and
// ResponseParamsFromJSON read a request that wire.Convert made of another provider's.
//
// For another host than OpenAI's, name its dialect:
//
//	options := &wire.Options{Provider: "deepseek"}
//	params, warnings, err := preflightopenai.ChatParams(ctx, params, options)
//
// # What is preserved
//
// Everything. A message or item that needs no repair is returned as the caller's own value. A
// repaired one is read through its JSON, because the values that ToParam and param.Override make
// hold JSON that their fields do not show, and only what a warning reports is changed: unknown
// members, item ids, encrypted reasoning and 20-digit numbers stay. Where the SDK's type can hold
// the repaired message exactly, its fields are set; otherwise the message is a param.Override of
// its JSON, whose fields are empty.
//
// # Errors
//
// Errors are those of adapter.Format; on error the functions return what they were given,
// unchanged. They are safe for concurrent use, keep no state, and do not write to their arguments.
package preflightopenai

import (
	"context"
	"encoding/json"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/responses"

	"github.com/go-preflight/preflight/adapter"
	"github.com/go-preflight/preflight/wire"
)

// Chat repairs the messages of a Chat Completions request. The model and the other settings of the
// request are not known to it, unless options name a model: ChatParams knows them. options may be
// nil.
func Chat(
	ctx context.Context,
	messages []openai.ChatCompletionMessageParamUnion,
	options *wire.Options,
) ([]openai.ChatCompletionMessageParamUnion, []wire.Warning, error) {
	return chat.Messages(ctx, messages, options)
}

// ChatParams repairs a whole Chat Completions request: the messages, by what the model and the rest
// of the request ask of them, and the few members beside them that can make a request fail with its
// history. A member that its field cannot hold exactly becomes an extra field, which the SDK sends
// in place of the typed one. options may be nil.
// wire.RenamedTools tells the declared names of tools that got others.
func ChatParams(
	ctx context.Context,
	params openai.ChatCompletionNewParams,
	options *wire.Options,
) (openai.ChatCompletionNewParams, []wire.Warning, error) {
	return chatParams.Sanitize(ctx, params, options)
}

// Responses is Chat for the input items of a Responses request.
func Responses(
	ctx context.Context,
	input responses.ResponseInputParam,
	options *wire.Options,
) (responses.ResponseInputParam, []wire.Warning, error) {
	return items.Messages(ctx, input, options)
}

// ResponseParams is ChatParams for a Responses request. An input that is a string is one item, the
// user's.
// wire.RenamedTools tells the declared names of tools that got others.
func ResponseParams(
	ctx context.Context,
	params responses.ResponseNewParams,
	options *wire.Options,
) (responses.ResponseNewParams, []wire.Warning, error) {
	return responseParams.Sanitize(ctx, params, options)
}

// The formats of the SDK's two kinds of messages, and the requests that hold them.
var (
	chat       = format[openai.ChatCompletionMessageParamUnion]("openai-chat", "messages")
	chatParams = request(chat,
		func(p *openai.ChatCompletionNewParams) *[]openai.ChatCompletionMessageParamUnion {
			return &p.Messages
		})
	items          = format[responses.ResponseInputItemUnionParam]("openai-responses", "input")
	responseParams = request(items,
		func(p *responses.ResponseNewParams) *[]responses.ResponseInputItemUnionParam {
			return (*[]responses.ResponseInputItemUnionParam)(&p.Input.OfInputItemList)
		})
)

// format is the format of messages of type M, which are typed when M can hold all of them, and else
// sent as raw JSON.
func format[M param.ParamStruct, MP param.InferPtr[M]](provider, list string) *adapter.Format[M] {
	return &adapter.Format[M]{
		Provider: provider,
		List:     list,
		Unmarshal: func(raw []byte, from *M) (M, error) {
			if m, err := adapter.Exactly(raw, from); err == nil {
				return m, nil
			}
			return param.Override[M, MP](json.RawMessage(raw)), nil
		},
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
