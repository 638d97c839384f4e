package adapter_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

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
