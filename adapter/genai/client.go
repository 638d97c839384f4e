package preflightgenai

import (
	"context"
	"net/http"

	"google.golang.org/genai"

	"github.com/go-preflight/preflight/adapter"
	"github.com/go-preflight/preflight/preflighthttp"
)

// This file repairs requests inside a client.

// HTTPClient returns a copy of client, nil for http.DefaultClient, that repairs every request:
//
//	client, err := genai.NewClient(ctx, &genai.ClientConfig{
//		HTTPClient: preflightgenai.HTTPClient(nil, nil),
//	})
//
// On Vertex AI a client of the caller's own has to bring its credentials: call
// UseDefaultCredentials of the config after HTTPClient is set.
//
// The transport, nil for one without settings, says how: its options, Report, Remedies and
// Endpoints count as they do for any client, at any host; its Base is the Transport of client, if
// that has one. The caller's contents stay as they are: Keep writes the repaired ones back.
func HTTPClient(client *http.Client, transport *preflighthttp.Transport) *http.Client {
	return adapter.HTTPClient(client, transport)
}

// Keep returns a context for requests through HTTPClient. When one with the contents of *history is
// repaired, *history becomes the repaired one before it is sent, with the caller's own pointers
// where nothing changed. A repair that the SDK's types cannot hold is not kept, and made again for
// the next request. See adapter.Format.Keep.
func Keep(ctx context.Context, history *[]*genai.Content) context.Context {
	return format.Keep(ctx, history)
}
