// Package preflightextproc is an external processor for Envoy that repairs the message history of
// LLM requests.
//
//	server := grpc.NewServer(preflightextproc.Options(0)...)
//	processor := &preflightextproc.Processor{Transport: &preflighthttp.Transport{}}
//	extprocv3.RegisterExternalProcessorServer(server, processor)
//
// By the headers of a request it decides, as [preflighthttp.Transport.Judge] does, whether it needs
// the body; all other requests pass by without their bodies, where Envoy's allow_mode_override is
// set. Where Envoy sends bodies in pieces (STREAMED, FULL_DUPLEX_STREAMED), they are held until the
// body is complete, and the repaired body takes their place. A part of a body (BUFFERED_PARTIAL) is
// left as it is and reported as [preflighthttp.Partial]. Where the transport's options have hooks,
// or Untrusted, what they could not see is answered with a refusal instead.
//
// It never sends requests: the transport's Base, Endpoints for redirects and Remedies have no
// effect, so a request that the provider refuses is not repaired and sent again. Of responses it
// asks for the bodies alone whose request was sent with other names for tools, and gives the calls
// in them their declared names back. Without allow_mode_override Envoy sends no response, and the
// client gets the names that were sent.
package preflightextproc

import (
	"errors"
	"io"
	"net/http"

	filterv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/ext_proc/v3"
	extprocv3 "github.com/envoyproxy/go-control-plane/envoy/service/ext_proc/v3"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/go-preflight/preflight/preflighthttp"
)

// Processor is the service. Its fields must not change once it is used; it is safe for concurrent
// use.
type Processor struct {
	extprocv3.UnimplementedExternalProcessorServer

	// Transport has the endpoints, options and limits, and the Report. Nil means the zero
	// Transport. A panic in the Report ends the stream, as one in Host does.
	Transport *preflighthttp.Transport
	// Host is the provider's host for a request to an authority, where Envoy is called by another
	// name than the provider's: it may return "api.anthropic.com" for "llm.internal". Nil means
	// that the authority is the provider's. A panic in it ends the stream of the request with an
	// error that wraps preflight.ErrHook and has the code Internal; Envoy's failure_mode_allow says
	// what becomes of the request.
	Host func(authority string) string
	// Mode is the request_body_mode that Envoy is configured with, for an Envoy that does not say
	// so itself (before 1.34). Only STREAMED and FULL_DUPLEX_STREAMED need it: without it, pieces
	// of a body pass as they come, and in FULL_DUPLEX_STREAMED no body would reach the provider.
	Mode filterv3.ProcessingMode_BodySendMode
}

// messageOverhead is what a message takes beside the body.
const messageOverhead = 1 << 20

// Options returns those a gRPC server needs for bodies of maxBody bytes; 0 means
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
	r := request{transport: p.Transport, ctx: stream.Context(), mode: p.Mode}
	if r.transport == nil {
		r.transport = new(preflighthttp.Transport)
	}
	defer r.close()
	for {
		message, err := stream.Recv()
		switch {
		case errors.Is(err, io.EOF), status.Code(err) == codes.Canceled:
			return nil
		case err != nil:
			return err
		}
		answers := p.answer(&r, message)
		if r.fault != nil {
			return &fault{r.fault}
		}
		for _, answer := range answers {
			if err := stream.Send(answer); err != nil {
				return err
			}
		}
	}
}

// answer returns the answers to a message. Every message needs one, but for pieces of a body in
// FULL_DUPLEX_STREAMED, which is sent back in pieces of its own.
func (p *Processor) answer(
	r *request, message *extprocv3.ProcessingRequest,
) []*extprocv3.ProcessingResponse {
	if config := message.GetProtocolConfig(); config != nil { // in the first message
		r.mode, r.responseMode = config.GetRequestBodyMode(), config.GetResponseBodyMode()
	}
	out := new(extprocv3.ProcessingResponse)
	switch m := message.Request.(type) {
	case *extprocv3.ProcessingRequest_RequestHeaders:
		out = p.headers(r, m.RequestHeaders)
	case *extprocv3.ProcessingRequest_RequestBody:
		return r.body(m.RequestBody)
	case *extprocv3.ProcessingRequest_RequestTrailers:
		return r.trailers()
	case *extprocv3.ProcessingRequest_ResponseHeaders:
		out = r.responseHeaders(m.ResponseHeaders)
	case *extprocv3.ProcessingRequest_ResponseBody:
		out = r.responseBody(m.ResponseBody)
	case *extprocv3.ProcessingRequest_ResponseTrailers:
		out.Response = &extprocv3.ProcessingResponse_ResponseTrailers{
			ResponseTrailers: &extprocv3.TrailersResponse{},
		}
	}
	return []*extprocv3.ProcessingResponse{out}
}

// split returns the headers of a message, and those of HTTP/2.
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
