package preflightanthropicv2

import (
	"context"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"

	"github.com/go-preflight/preflight/adapter"
	"github.com/go-preflight/preflight/preflighthttp"
)

// This file repairs requests inside a client.

// Middleware repairs every request of a client:
//
//	client := anthropic.NewClient(option.WithMiddleware(preflightanthropicv2.Middleware(nil)))
//
// The transport, nil for one without settings, says how: its options, Report, Remedies and
// Endpoints count as they do over HTTP, at any host that the client is for. Its Base is not used.
// Give it before the options of the packages bedrock and vertex, so that the repaired body is the
// one that is signed. Each attempt of the SDK is repaired, and the caller's params stay as they
// are: Keep writes the repaired messages back.
//
// The SDK does not try again after an error by which the transport, or a hook, keeps a request from
// being sent: the response with it, which option.WithResponseInto gets, too, is "400 not sent", or
// has the Status of the preflighthttp.Error.
func Middleware(transport *preflighthttp.Transport) option.Middleware {
	return adapter.Middleware(transport)
}

// Keep returns a context for requests through Middleware. When one with the messages of *history is
// repaired, *history becomes the repaired one before it is sent, with the caller's own values where
// nothing changed. See adapter.Format.Keep.
func Keep(ctx context.Context, history *[]anthropic.MessageParam) context.Context {
	return plain.Keep(ctx, history)
}

// BetaKeep is Keep for the beta API.
func BetaKeep(ctx context.Context, history *[]anthropic.BetaMessageParam) context.Context {
	return beta.Keep(ctx, history)
}

// ParamsFromJSON reads a request body, such as one that wire.Convert has made of another
// provider's. Nothing of it is lost: what the SDK's types cannot hold exactly becomes a
// param.Override or an extra field. The error is about the JSON.
func ParamsFromJSON(body []byte) (anthropic.MessageNewParams, error) {
	return plainParams.FromJSON(body)
}
