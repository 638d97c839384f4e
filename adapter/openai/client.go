package preflightopenai

import (
	"context"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"

	"github.com/go-preflight/preflight/adapter"
	"github.com/go-preflight/preflight/preflighthttp"
)

// This file repairs requests inside a client.

// Middleware repairs every request of a client:
//
//	client := openai.NewClient(option.WithMiddleware(preflightopenai.Middleware(nil)))
//
// The transport, nil for one without settings, says how: its options, Report, Remedies and
// Endpoints count as they do over HTTP, at any host that the client is for. Its Base is not used.
// The host selects the dialect where it is known; for another one name it:
//
//	transport := &preflighthttp.Transport{
//		Endpoints: []preflighthttp.Endpoint{{Host: "llm.example.com", Provider: "deepseek"}},
//	}
//
// Each attempt of the SDK is repaired, and the caller's params stay as they are: KeepChat and
// KeepResponses write the repaired messages back.
//
// The SDK does not try again after an error by which the transport, or a hook, keeps a request from
// being sent: the response with it, which option.WithResponseInto gets, too, is "400 not sent", or
// has the Status of the preflighthttp.Error.
func Middleware(transport *preflighthttp.Transport) option.Middleware {
	return adapter.Middleware(transport)
}

// KeepChat returns a context for Chat Completions through Middleware. When a request with the
// messages of *history is repaired, *history becomes the repaired one before it is sent, with the
// caller's own values where nothing changed. See adapter.Format.Keep.
func KeepChat(
	ctx context.Context,
	history *[]openai.ChatCompletionMessageParamUnion,
) context.Context {
	return chat.Keep(ctx, history)
}

// KeepResponses is KeepChat for the input items of the Responses API.
func KeepResponses(ctx context.Context, history *responses.ResponseInputParam) context.Context {
	return items.Keep(ctx, (*[]responses.ResponseInputItemUnionParam)(history))
}

// ChatParamsFromJSON reads the body of a Chat Completions request, such as one that wire.Convert
// has made of another provider's. Nothing of it is lost: what the SDK's types cannot hold exactly
// becomes a param.Override or an extra field. The error is about the JSON.
func ChatParamsFromJSON(body []byte) (openai.ChatCompletionNewParams, error) {
	return chatParams.FromJSON(body)
}

// ResponseParamsFromJSON is ChatParamsFromJSON for a Responses request.
func ResponseParamsFromJSON(body []byte) (responses.ResponseNewParams, error) {
	return responseParams.FromJSON(body)
}
