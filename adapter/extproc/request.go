package preflightextproc

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	filterv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/ext_proc/v3"
	extprocv3 "github.com/envoyproxy/go-control-plane/envoy/service/ext_proc/v3"

	"github.com/go-preflight/preflight/preflighthttp"
)

// This file decides about a request by its headers.

// bodyMode is how Envoy sends a body.
type bodyMode = filterv3.ProcessingMode_BodySendMode

// The modes, by shorter names.
const (
	none     = filterv3.ProcessingMode_NONE // or unknown
	streamed = filterv3.ProcessingMode_STREAMED
	buffered = filterv3.ProcessingMode_BUFFERED
	partial  = filterv3.ProcessingMode_BUFFERED_PARTIAL
	duplex   = filterv3.ProcessingMode_FULL_DUPLEX_STREAMED
)

// request is what is known of one request.
type request struct {
	ctx          context.Context
	transport    *preflighthttp.Transport
	mode         bodyMode // as Envoy is configured
	responseMode bodyMode
	target       *url.URL
	decision     preflighthttp.Decision
	done         bool    // the body was judged, or is left alone: what else comes of it passes
	held         []byte  // the pieces of a body that is not complete
	room         int64   // what held takes of the budget
	end          jsonEnd // of held
	report       *preflighthttp.Report
	names        *names // of the calls in the response, if tools were sent with others
	fault        error  // of a function of the caller
}

// close releases what the request holds.
func (r *request) close() {
	r.release()
	if r.names != nil {
		r.names.Close()
	}
}

// holds reports whether pieces can be held until the body is complete. In the other modes no
// further piece is certain to come.
func (r *request) holds() bool { return r.mode == streamed || r.mode == duplex }

// headers judges a request, and tells Envoy what to send of it.
func (p *Processor) headers(
	r *request, headers *extprocv3.HttpHeaders,
) *extprocv3.ProcessingResponse {
	header, pseudo := split(headers)
	target, err := url.ParseRequestURI(pseudo[":path"])
	if err == nil && !headers.GetEndOfStream() {
		target.Scheme, target.Host = "https", pseudo[":authority"]
		if p.Host != nil {
			r.call("Processor.Host", func() { target.Host = p.Host(target.Host) })
		}
		r.target = target
		r.decision = r.transport.Judge(pseudo[":method"], target, header)
	}
	if r.decision.Skipped != "" {
		_, report, err := r.decision.Body(r.ctx, nil) // it has nothing to sanitize
		r.tell(report)
		var unsent *preflighthttp.Error
		if errors.As(err, &unsent) {
			return refusal(unsent)
		}
	}
	return &extprocv3.ProcessingResponse{
		Response: &extprocv3.ProcessingResponse_RequestHeaders{
			RequestHeaders: &extprocv3.HeadersResponse{Response: r.readable(header)},
		},
		ModeOverride: r.override(),
	}
}

// override returns what Envoy is to send of this request, nil for what it is configured to send.
// Envoy begins to send a body in FULL_DUPLEX_STREAMED before it has this answer.
func (r *request) override() *filterv3.ProcessingMode {
	if r.mode == duplex {
		return nil
	}
	mode := &filterv3.ProcessingMode{ResponseHeaderMode: filterv3.ProcessingMode_SKIP}
	if !r.decision.Sanitize {
		return mode
	}
	mode.RequestBodyMode, mode.ResponseBodyMode = r.mode, r.responseMode
	switch r.mode {
	case none:
		mode.RequestBodyMode = buffered
	case streamed: // the body may end with them
		mode.RequestTrailerMode = filterv3.ProcessingMode_SEND
	}
	mode.ResponseHeaderMode = filterv3.ProcessingMode_SEND // tools may get other names
	return mode
}

// readable asks for a response in an encoding that can be read, where the head of the request is
// sent before its body is known: tools may get other names. It returns nil for nothing to change.
func (r *request) readable(header http.Header) *extprocv3.CommonResponse {
	accepted := header.Values("Accept-Encoding")
	if !r.decision.Sanitize || !r.holds() || len(accepted) == 0 {
		return nil
	}
	list := strings.ToLower(strings.Join(accepted, ","))
	encoding := "identity"
	if strings.Contains(list, "gzip") {
		encoding = "gzip"
	}
	if list == encoding {
		return nil
	}
	return &extprocv3.CommonResponse{HeaderMutation: &extprocv3.HeaderMutation{
		SetHeaders: []*corev3.HeaderValueOption{headerOption("accept-encoding", encoding)},
	}}
}

func (r *request) tell(report *preflighthttp.Report) {
	if r.transport.Report != nil {
		r.call("Transport.Report", func() { r.transport.Report(r.ctx, report) })
	}
}
