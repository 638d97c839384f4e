package preflightollama

import (
	"context"
	"net/http"

	"github.com/ollama/ollama/api"

	"github.com/go-preflight/preflight/adapter"
	"github.com/go-preflight/preflight/preflighthttp"
)

// This file repairs requests inside a client.

// HTTPClient returns a copy of client, nil for http.DefaultClient, that repairs every request:
//
//	client := api.NewClient(base, preflightollama.HTTPClient(nil, nil))
//
// The transport, nil for one without settings, says how: its options, Report and Endpoints count
// as they do for any client, at any host and port; its Base is the Transport of client, if that has
// one. The caller's request stays as it is: Keep writes the repaired messages back.
func HTTPClient(client *http.Client, transport *preflighthttp.Transport) *http.Client {
	return adapter.HTTPClient(client, transport)
}

// Keep returns a context for requests through HTTPClient. When one with the messages of *history is
// repaired, *history becomes the repaired one before it is sent, with the caller's own values where
// nothing changed. A repair that the SDK's types cannot hold is not kept, and made again for the
// next request. See adapter.Format.Keep.
func Keep(ctx context.Context, history *[]api.Message) context.Context {
	return format.Keep(ctx, history)
}
