package preflightgoopenai

import (
	"context"
	"net/http"

	openai "github.com/sashabaranov/go-openai"

	"github.com/go-preflight/preflight/adapter"
	"github.com/go-preflight/preflight/preflighthttp"
)

// This file repairs requests inside a client.

// HTTPClient returns an HTTPDoer that repairs every request, and has client send it:
//
//	config := openai.DefaultConfig(key)
//	config.HTTPClient = preflightgoopenai.HTTPClient(config.HTTPClient, nil)
//	client := openai.NewClientWithConfig(config)
//
// The transport, nil for one without settings, says how: its options, Report, Remedies and
// Endpoints count as they do over HTTP, at any host that the client is for. Its Base is not used.
// The host selects the dialect where it is known; for another one name it in an Endpoint. The
// caller's request stays as it is: Keep writes the repaired messages back.
func HTTPClient(client openai.HTTPDoer, transport *preflighthttp.Transport) openai.HTTPDoer {
	if client == nil {
		client = http.DefaultClient
	}
	return doer{adapter.AnyHost(transport), client}
}

// doer is an HTTP client behind a transport.
type doer struct {
	transport *preflighthttp.Transport
	client    openai.HTTPDoer
}

// Do implements openai.HTTPDoer.
func (d doer) Do(req *http.Request) (*http.Response, error) {
	return d.transport.Middleware(req, d.client.Do)
}

// Keep returns a context for requests through HTTPClient. When one with the messages of *history is
// repaired, *history becomes the repaired one before it is sent, with the caller's own values where
// nothing changed. A repair that the SDK's types cannot hold is not kept, and made again for the
// next request. See adapter.Format.Keep.
func Keep(ctx context.Context, history *[]openai.ChatCompletionMessage) context.Context {
	return format.Keep(ctx, history)
}
