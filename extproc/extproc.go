// Package preflightextproc is an external processor for Envoy that repairs the message history of
// LLM requests.
//
//	server := grpc.NewServer(preflightextproc.Options(0)...)
//	processor := &preflightextproc.Processor{Transport: &preflighthttp.Transport{}}
//	extprocv3.RegisterExternalProcessorServer(server, processor)
//
// By the headers of a request it decides, as [preflighthttp.Transport.Judge] does, whether Envoy is
// to buffer the body and send it; all other requests pass by without their bodies, where Envoy's
// allow_mode_override is set. A body that is repaired is sent back with its new length.
//
// It never sends requests: the transport's Base, Endpoints for redirects and Remedies have no effect,
// so a request that the provider refuses is not repaired and sent again. Of responses it asks for the
// bodies alone whose request was sent with other names for tools, and gives the calls in them their
// declared names back. Without allow_mode_override Envoy sends no response, and the client gets the
// names that were sent.
package preflightextproc

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"

	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	filterv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/ext_proc/v3"
	extprocv3 "github.com/envoyproxy/go-control-plane/envoy/service/ext_proc/v3"
	typev3 "github.com/envoyproxy/go-control-plane/envoy/type/v3"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/go-preflight/preflight/preflighthttp"
)

// Processor is the service. Its fields must not change once it is used; it is safe for concurrent
// use.
type Processor struct {
	extprocv3.UnimplementedExternalProcessorServer

	// Transport has the endpoints, policies and limits, and the Report. Nil means the zero
	// Transport. A panic in the Report ends the stream, as one in Host does.
	Transport *preflighthttp.Transport
	// Host is the provider's host for a request to an authority, where Envoy is called by another
	// name than the provider's: it may return "api.anthropic.com" for "llm.internal". Nil means
	// that the authority is the provider's. A panic in it ends the stream of the request with an
	// error that wraps preflight.ErrHook and has the code Internal; Envoy's failure_mode_allow says
	// what becomes of the request.
	Host func(authority string) string
}

// messageOverhead is what a message takes beside the body.
const messageOverhead = 1 << 20

// Options are those a gRPC server needs for bodies of maxBody bytes; 0 means
// preflighthttp.DefaultMaxBody. gRPC's own limit is 4 MiB.
func Options(maxBody int) []grpc.ServerOption {
	if maxBody <= 0 {
		maxBody = preflighthttp.DefaultMaxBody
	}
	return []grpc.ServerOption{
		grpc.MaxRecvMsgSize(maxBody + messageOverhead),
		grpc.MaxSendMsgSize(2*maxBody + messageOverhead), // a repair may add to a body
	}
}

// Process answers the messages about one request.
func (p *Processor) Process(stream extprocv3.ExternalProcessor_ProcessServer) error {
	done := make(chan error, 1)
	// in a goroutine that a function of the caller may end without ending that of the server
	go func() {
		var err error = &fault{errEnded}
		defer func() { done <- err }()
		err = p.process(stream)
	}()
	return <-done
}

func (p *Processor) process(stream extprocv3.ExternalProcessor_ProcessServer) error {
	r := request{transport: p.Transport, ctx: stream.Context()}
	if r.transport == nil {
		r.transport = new(preflighthttp.Transport)
	}
	defer func() {
		if r.names != nil {
			r.names.Close()
		}
	}()
	for {
		message, err := stream.Recv()
		switch {
		case errors.Is(err, io.EOF), status.Code(err) == codes.Canceled:
			return nil
		case err != nil:
			return err
		}
		answer := p.answer(&r, message)
		if r.fault != nil {
			return &fault{r.fault}
		}
		if err := stream.Send(answer); err != nil {
			return err
		}
	}
}

// request is what is known of one request.
type request struct {
	ctx       context.Context
	transport *preflighthttp.Transport
	target    *url.URL
	decision  preflighthttp.Decision
	pieces    int // of the body
	report    *preflighthttp.Report
	names     *names // of the calls in the response, if tools were sent with others
	fault     error  // of a function of the caller
}

// answer is the answer to one message; every message needs one.
func (p *Processor) answer(
	r *request, message *extprocv3.ProcessingRequest,
) *extprocv3.ProcessingResponse {
	out := new(extprocv3.ProcessingResponse)
	switch m := message.Request.(type) {
	case *extprocv3.ProcessingRequest_RequestHeaders:
		out.Response = &extprocv3.ProcessingResponse_RequestHeaders{
			RequestHeaders: &extprocv3.HeadersResponse{},
		}
		out.ModeOverride = p.headers(r, m.RequestHeaders)
	case *extprocv3.ProcessingRequest_RequestBody:
		return r.body(m.RequestBody)
	case *extprocv3.ProcessingRequest_RequestTrailers:
		out.Response = &extprocv3.ProcessingResponse_RequestTrailers{
			RequestTrailers: &extprocv3.TrailersResponse{},
		}
	case *extprocv3.ProcessingRequest_ResponseHeaders:
		return r.responseHeaders(m.ResponseHeaders)
	case *extprocv3.ProcessingRequest_ResponseBody:
		return r.responseBody(m.ResponseBody)
	case *extprocv3.ProcessingRequest_ResponseTrailers:
		out.Response = &extprocv3.ProcessingResponse_ResponseTrailers{
			ResponseTrailers: &extprocv3.TrailersResponse{},
		}
	}
	return out
}

// headers judges a request, and returns what Envoy is to send of it.
func (p *Processor) headers(
	r *request, headers *extprocv3.HttpHeaders,
) *filterv3.ProcessingMode {
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
	mode := &filterv3.ProcessingMode{
		RequestBodyMode:    filterv3.ProcessingMode_NONE,
		ResponseHeaderMode: filterv3.ProcessingMode_SKIP,
		ResponseBodyMode:   filterv3.ProcessingMode_NONE,
	}
	switch {
	case r.decision.Sanitize:
		mode.RequestBodyMode = filterv3.ProcessingMode_BUFFERED
		mode.ResponseHeaderMode = filterv3.ProcessingMode_SEND // tools may get other names
	case r.decision.Skipped != "":
		_, report, _ := r.decision.Body(r.ctx, nil) // it has nothing to sanitize
		r.tell(report)
	}
	return mode
}

// split are the headers of a message, and those of HTTP/2.
func split(headers *extprocv3.HttpHeaders) (header http.Header, pseudo map[string]string) {
	header, pseudo = http.Header{}, map[string]string{}
	for _, h := range headers.GetHeaders().GetHeaders() {
		value := h.GetValue()
		if len(h.GetRawValue()) > 0 { // the newer field
			value = string(h.GetRawValue())
		}
		if name := h.GetKey(); len(name) > 0 && name[0] == ':' {
			pseudo[name] = value
		} else {
			header.Add(name, value)
		}
	}
	return header, pseudo
}

// body answers a message with a body. Only a whole one is sanitized: Envoy sends pieces in other
// modes than BUFFERED, and where its buffer is too small.
func (r *request) body(body *extprocv3.HttpBody) *extprocv3.ProcessingResponse {
	r.pieces++
	given := body.GetBody()
	switch {
	case !r.decision.Sanitize || r.pieces > 1:
		return unchanged()
	case !body.GetEndOfStream(), len(given) > r.maxBody():
		r.decision.Sanitize, r.decision.Skipped = false, preflighthttp.TooLarge
		_, report, _ := r.decision.Body(r.ctx, nil)
		r.tell(report)
		return unchanged()
	}
	if budget := r.transport.Budget; budget != nil {
		if !budget.Take(int64(len(given))) {
			return r.busy()
		}
		defer budget.Give(int64(len(given)))
	}
	sent, report, err := r.decision.Body(r.ctx, given)
	r.report = report
	r.tell(report)
	var unsent *preflighthttp.Error
	switch {
	case errors.As(err, &unsent):
		return refusal(unsent)
	case !report.Changed || r.transport.DryRun:
		return unchanged()
	}
	return changed(sent, report.Renames())
}

// busy answers a request that the budget has no room for.
func (r *request) busy() *extprocv3.ProcessingResponse {
	r.decision.Sanitize = false
	_, report, _ := r.decision.Body(r.ctx, nil)
	if r.transport.Busy == preflighthttp.SendUnchanged {
		report.Skipped = preflighthttp.Busy
		r.tell(report)
		return unchanged()
	}
	report.Err = preflighthttp.ErrBusy
	r.tell(report)
	return refusal(&preflighthttp.Error{
		Host: report.Host, Provider: report.Provider, Err: preflighthttp.ErrBusy,
	})
}

func (r *request) maxBody() int {
	if r.transport.MaxBody > 0 {
		return int(r.transport.MaxBody)
	}
	return preflighthttp.DefaultMaxBody
}

func (r *request) tell(report *preflighthttp.Report) {
	if r.transport.Report != nil {
		r.call("Transport.Report", func() { r.transport.Report(r.ctx, report) })
	}
}

func unchanged() *extprocv3.ProcessingResponse {
	return bodyResponse(&extprocv3.CommonResponse{})
}

// changed replaces the body and its length. The response is asked for without compression if it is
// to be read.
func changed(body []byte, readable bool) *extprocv3.ProcessingResponse {
	set := []*corev3.HeaderValueOption{header("content-length", strconv.Itoa(len(body)))}
	if readable {
		set = append(set, header("accept-encoding", "identity"))
	}
	return bodyResponse(&extprocv3.CommonResponse{
		HeaderMutation: &extprocv3.HeaderMutation{SetHeaders: set},
		BodyMutation: &extprocv3.BodyMutation{
			Mutation: &extprocv3.BodyMutation_Body{Body: body},
		},
	})
}

func bodyResponse(common *extprocv3.CommonResponse) *extprocv3.ProcessingResponse {
	return &extprocv3.ProcessingResponse{
		Response: &extprocv3.ProcessingResponse_RequestBody{
			RequestBody: &extprocv3.BodyResponse{Response: common},
		},
	}
}

// refusal answers in the provider's stead.
func refusal(err *preflighthttp.Error) *extprocv3.ProcessingResponse {
	resp := err.Response(nil)
	body, _ := io.ReadAll(resp.Body) // it is in memory
	set := make([]*corev3.HeaderValueOption, 0, len(resp.Header))
	for name := range resp.Header {
		if name != "Content-Length" { // Envoy counts itself
			set = append(set, header(name, resp.Header.Get(name)))
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

func header(name, value string) *corev3.HeaderValueOption {
	return &corev3.HeaderValueOption{
		Header:       &corev3.HeaderValue{Key: name, RawValue: []byte(value)},
		AppendAction: corev3.HeaderValueOption_OVERWRITE_IF_EXISTS_OR_ADD,
	}
}
