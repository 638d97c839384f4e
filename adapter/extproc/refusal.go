package preflightextproc

import (
	"io"

	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	extprocv3 "github.com/envoyproxy/go-control-plane/envoy/service/ext_proc/v3"
	typev3 "github.com/envoyproxy/go-control-plane/envoy/type/v3"

	"github.com/go-preflight/preflight/preflighthttp"
)

// This file answers requests that are not sent.

// refusal answers in the provider's stead.
func refusal(err *preflighthttp.Error) *extprocv3.ProcessingResponse {
	resp := err.Response(nil)
	body, _ := io.ReadAll(resp.Body) // it is in memory
	set := make([]*corev3.HeaderValueOption, 0, len(resp.Header))
	for name := range resp.Header {
		if name != "Content-Length" { // Envoy counts itself
			set = append(set, headerOption(name, resp.Header.Get(name)))
		}
	}
	return &extprocv3.ProcessingResponse{
		Response: &extprocv3.ProcessingResponse_ImmediateResponse{
			ImmediateResponse: &extprocv3.ImmediateResponse{
				Status:  &typev3.HttpStatus{Code: typev3.StatusCode(resp.StatusCode)},
				Headers: &extprocv3.HeaderMutation{SetHeaders: set},
				Body:    body,
				Details: "preflight",
			},
		},
	}
}

func headerOption(name, value string) *corev3.HeaderValueOption {
	return &corev3.HeaderValueOption{
		Header:       &corev3.HeaderValue{Key: name, RawValue: []byte(value)},
		AppendAction: corev3.HeaderValueOption_OVERWRITE_IF_EXISTS_OR_ADD,
	}
}
