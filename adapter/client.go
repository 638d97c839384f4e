package adapter

import (
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighthttp"
)

// This file puts a transport into the clients of SDKs.

// AnyHost returns a copy of transport that repairs requests at the known paths of every host,
// because a client made for one API sends requests of that API to any address. The rules are those
// of the host if it is known, or else those of the format. A nil transport is the zero Transport.
func AnyHost(transport *preflighthttp.Transport) *preflighthttp.Transport {
	var own preflighthttp.Transport
	if transport != nil {
		own = *transport
	}
	own.Endpoints = append(slices.Clip(own.Endpoints), preflighthttp.Endpoint{})
	return &own
}

// Middleware returns the Middleware of AnyHost(transport), for SDKs that Stainless generates. They
// take any error for a broken connection, and send the request again, unless a response forbids it.
// So an error by which the transport keeps a request from being sent comes with a response of its
// own, whose Status says "not sent". An SDK returns the error.
func Middleware(transport *preflighthttp.Transport) func(
	*http.Request, func(*http.Request) (*http.Response, error),
) (*http.Response, error) {
	own := AnyHost(transport)
	return func(
		req *http.Request, next func(*http.Request) (*http.Response, error),
	) (*http.Response, error) {
		resp, err := own.Middleware(req, next)
		var unsent *preflighthttp.Error
		final := errors.As(err, &unsent) && !errors.Is(err, preflighthttp.ErrBusy) ||
			errors.Is(err, preflight.ErrHook)
		if final && resp == nil {
			status := http.StatusBadRequest
			if unsent != nil && unsent.Status != 0 {
				status = unsent.Status
			}
			resp = &http.Response{
				StatusCode: status, Status: fmt.Sprint(status, " not sent"), Request: req,
				Body: http.NoBody, Header: http.Header{"X-Should-Retry": {"false"}},
			}
		}
		return resp, err
	}
}

// HTTPClient returns a copy of client that sends its requests through AnyHost(transport), and then
// through the client's own Transport if it has one. A nil client is http.DefaultClient, a nil
// transport the zero Transport.
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
