package adapter

import (
	"net/http"
	"slices"

	"github.com/go-preflight/preflight/preflighthttp"
)

// This file puts a transport into the clients of SDKs.

// AnyHost returns a copy of transport that knows the paths of LLM requests at every host, not only
// at those of the providers: a client that is made for one API sends requests of that API to
// whatever address it has. The rules are those of a known host, and else those of the format. nil
// is a transport without settings.
func AnyHost(transport *preflighthttp.Transport) *preflighthttp.Transport {
	var own preflighthttp.Transport
	if transport != nil {
		own = *transport
	}
	own.Endpoints = append(slices.Clip(own.Endpoints), preflighthttp.Endpoint{})
	return &own
}

// HTTPClient returns a copy of client whose requests pass AnyHost of transport, and then the
// client's own Transport if it has one. nil is http.DefaultClient, and a transport without
// settings.
func HTTPClient(client *http.Client, transport *preflighthttp.Transport) *http.Client {
	if client == nil {
		client = http.DefaultClient
	}
	own := *client
	through := AnyHost(transport)
	if own.Transport != nil {
		through.Base = own.Transport
	}
	own.Transport = through
	return &own
}
