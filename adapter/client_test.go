package adapter_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/adapter"
	"github.com/go-preflight/preflight/preflighthttp"
)

// TestHTTPClient: the copy of a client keeps its settings, and its own transport.
func TestHTTPClient(t *testing.T) {
	require.Nil(t, http.DefaultClient.Transport)
	base := &http.Transport{}
	own := &http.Client{Transport: base, Timeout: 7}
	client := adapter.HTTPClient(own, &preflighthttp.Transport{Base: http.DefaultTransport})
	require.Same(t, base, own.Transport, "the caller's client was changed")
	require.EqualValues(t, 7, client.Timeout)
	require.Same(t, base, client.Transport.(*preflighthttp.Transport).Base)
	adapter.HTTPClient(nil, nil)
	require.Nil(t, http.DefaultClient.Transport)
}

// TestMiddleware: an error that every attempt would end with comes with a response that forbids
// further ones; that of a connection does not.
func TestMiddleware(t *testing.T) {
	errLost, errStop := errors.New("connection lost"), errors.New("stop")
	send := func(hook error) (*http.Response, error) {
		body := strings.NewReader(`{"messages":[{"role":"user","content":"a"}]}`)
		req, err := http.NewRequest("POST", "https://api.anthropic.com/v1/messages", body)
		require.NoError(t, err)
		options := preflight.Options{Hooks: []preflight.Hook{{
			Name: "guard",
			Message: func(_ context.Context, m preflight.Message) (preflight.Message, error) {
				return m, hook
			},
		}}}
		middleware := adapter.Middleware(&preflighthttp.Transport{Options: options})
		return middleware(req, func(*http.Request) (*http.Response, error) { return nil, errLost })
	}
	resp, err := send(nil)
	require.ErrorIs(t, err, errLost)
	require.Nil(t, resp)
	resp, err = send(errStop)
	require.ErrorIs(t, err, errStop)
	require.Equal(t, "false", resp.Header.Get("x-should-retry"))
	require.Equal(t, "400 not sent", resp.Status)
}
