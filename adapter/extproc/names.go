package preflightextproc

import (
	"io"
	"iter"
	"net/http"
	"strconv"

	filterv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/ext_proc/v3"
	extprocv3 "github.com/envoyproxy/go-control-plane/envoy/service/ext_proc/v3"
)

// This file gives the calls in a response the declared names of tools that were sent with others.

// responseHeaders asks for the body of a response that may have calls to be named.
func (r *request) responseHeaders(
	headers *extprocv3.HttpHeaders,
) *extprocv3.ProcessingResponse {
	out := &extprocv3.ProcessingResponse{Response: &extprocv3.ProcessingResponse_ResponseHeaders{
		ResponseHeaders: &extprocv3.HeadersResponse{},
	}}
	// of BUFFERED_PARTIAL the rest might not come
	if !r.report.Renames() || r.transport.DryRun || headers.GetEndOfStream() ||
		r.responseMode == partial {
		return out
	}
	header, pseudo := split(headers)
	status, _ := strconv.Atoi(pseudo[":status"])
	r.names = new(names)
	given := &http.Response{StatusCode: status, Header: header.Clone(), Body: r.names}
	named := r.report.ReturnNames(given)
	if named.Body == io.ReadCloser(r.names) {
		r.names = nil // nothing to name
		return out
	}
	r.names.start(named.Body)
	mutation := &extprocv3.HeaderMutation{RemoveHeaders: []string{"content-length"}}
	if header.Get("Content-Encoding") != named.Header.Get("Content-Encoding") {
		mutation.RemoveHeaders = append(mutation.RemoveHeaders, "content-encoding")
	}
	out.GetResponseHeaders().Response = &extprocv3.CommonResponse{HeaderMutation: mutation}
	if r.responseMode != none || r.mode == duplex { // it is sent as Envoy is configured to
		return out
	}
	out.ModeOverride = &filterv3.ProcessingMode{
		ResponseHeaderMode: filterv3.ProcessingMode_SEND,
		ResponseBodyMode:   filterv3.ProcessingMode_STREAMED,
	}
	return out
}

// responseBody replaces a piece of a body by what can be passed on with it.
func (r *request) responseBody(body *extprocv3.HttpBody) *extprocv3.ProcessingResponse {
	response := &extprocv3.BodyResponse{}
	given, last := body.GetBody(), body.GetEndOfStream()
	if r.names != nil {
		given = r.names.pass(given, last || r.responseMode == buffered)
	}
	switch {
	case r.responseMode == duplex:
		response.Response = &extprocv3.CommonResponse{BodyMutation: piece(given, last)}
	case r.names != nil:
		response.Response = &extprocv3.CommonResponse{BodyMutation: &extprocv3.BodyMutation{
			Mutation: &extprocv3.BodyMutation_Body{Body: given},
		}}
	}
	return &extprocv3.ProcessingResponse{Response: &extprocv3.ProcessingResponse_ResponseBody{
		ResponseBody: response,
	}}
}

// names is the body of a response as it comes, and what is read of it with the declared names.
// Reading and writing take turns: a read that finds no more bytes waits for the next piece.
type names struct {
	given []byte
	last  bool        // nothing comes after given
	await func() bool // waits for the next piece; false if there will be none
	next  func() ([]byte, bool)
	stop  func()
}

// start begins to read named, which reads n.
func (n *names) start(named io.Reader) {
	n.next, n.stop = iter.Pull(func(yield func([]byte) bool) {
		n.await = func() bool { return yield(nil) }
		buf := make([]byte, 32<<10)
		for {
			k, err := named.Read(buf)
			if k > 0 && !yield(buf[:k]) || err != nil {
				return
			}
		}
	})
}

// pass returns what can be passed on after a further piece.
func (n *names) pass(piece []byte, last bool) []byte {
	n.given, n.last = piece, last
	var out []byte
	for {
		part, more := n.next()
		if out = append(out, part...); !more || part == nil {
			return out
		}
	}
}

// Read reads what was given.
func (n *names) Read(p []byte) (int, error) {
	for len(n.given) == 0 {
		if n.last || !n.await() {
			return 0, io.EOF
		}
	}
	k := copy(p, n.given)
	n.given = n.given[k:]
	return k, nil
}

// Close ends the reading; what was not read is lost.
func (n *names) Close() error {
	if n.stop != nil {
		n.stop()
	}
	return nil
}
