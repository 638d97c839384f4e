package preflightextproc

import (
	"bytes"
	"errors"
	"slices"
	"strconv"

	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	extprocv3 "github.com/envoyproxy/go-control-plane/envoy/service/ext_proc/v3"

	"github.com/go-preflight/preflight/preflighthttp"
)

// This file repairs the body of a request, which comes whole or in pieces. Whatever is not sent
// back: in STREAMED a piece that is cleared, in FULL_DUPLEX_STREAMED every piece, is held here
// alone, and is part of a later answer.

// answers are those to one message.
type answers = []*extprocv3.ProcessingResponse

// body answers a message with a body or a piece of one.
func (r *request) body(body *extprocv3.HttpBody) answers {
	given, last := body.GetBody(), body.GetEndOfStream()
	if !r.decision.Sanitize || r.done {
		return r.after(given, last)
	}
	// a body with trailers does not end its stream
	whole := r.end.add(given) || last
	switch {
	case !whole && !r.holds():
		return r.leave(preflighthttp.Partial, given, last)
	case len(r.held)+len(given) > r.maxBody():
		return r.leave(preflighthttp.TooLarge, given, last)
	}
	if !r.transport.Budget.Take(int64(len(given))) {
		return r.leave(preflighthttp.Busy, given, last)
	}
	r.room += int64(len(given))
	if !whole {
		r.held = append(r.held, given...)
		return r.wait()
	}
	return r.judge(given, last)
}

// trailers answers the trailers of a request, after which nothing of its body comes.
func (r *request) trailers() answers {
	out := answers{{Response: &extprocv3.ProcessingResponse_RequestTrailers{
		RequestTrailers: &extprocv3.TrailersResponse{},
	}}}
	if len(r.held) == 0 {
		return out
	}
	// the JSON has no end, or there would be nothing held
	if r.mode == duplex {
		return append(r.judge(nil, false), out...)
	}
	_, report, _ := r.decision.Body(r.ctx, r.held)
	r.done = true
	r.release()
	r.tell(report)
	return answers{refusal(&preflighthttp.Error{
		Host: report.Host, Provider: report.Provider, Err: report.Err,
	})}
}

// judge repairs what was held and given, and returns it.
func (r *request) judge(given []byte, last bool) answers {
	whole := given
	if len(r.held) > 0 {
		whole = append(r.held, given...)
	}
	sent, report, err := r.decision.Body(r.ctx, whole)
	held := len(r.held) > 0
	r.done, r.report = true, report
	r.release()
	r.tell(report)
	var unsent *preflighthttp.Error
	switch {
	case errors.As(err, &unsent):
		return answers{refusal(unsent)}
	case report.Changed && !r.transport.DryRun:
		return r.changed(sent, last, report.Renames())
	case held:
		return r.changed(whole, last, false)
	}
	return r.unchanged(given, last)
}

// leave leaves a body alone for a reason, and returns what was held and given.
func (r *request) leave(why preflighthttp.Reason, given []byte, last bool) answers {
	r.decision.Sanitize, r.decision.Skipped = false, why
	_, report, err := r.decision.Body(r.ctx, nil)
	report.Bytes = len(r.held) + len(given)
	r.tell(report)
	var unsent *preflighthttp.Error
	if errors.As(err, &unsent) {
		r.done = true
		r.release()
		return answers{refusal(unsent)}
	}
	return r.pass(given, last)
}

// after answers a piece of a body that was judged, or is left alone. Only white space may follow a
// body that hooks were run on.
func (r *request) after(given []byte, last bool) answers {
	rest := r.decision
	if r.done && rest.Sanitize && len(bytes.TrimSpace(given)) > 0 {
		rest.Sanitize, rest.Skipped = false, preflighthttp.Partial
		_, report, err := rest.Body(r.ctx, nil)
		var unsent *preflighthttp.Error
		if errors.As(err, &unsent) {
			r.tell(report)
			return answers{refusal(unsent)}
		}
	}
	return r.unchanged(given, last)
}

// pass returns what was held and given as it came.
func (r *request) pass(given []byte, last bool) answers {
	r.done = true
	if len(r.held) == 0 {
		return r.unchanged(given, last)
	}
	whole := append(r.held, given...)
	r.release()
	return r.changed(whole, last, false)
}

// release forgets what was held, and gives its room back.
func (r *request) release() {
	r.transport.Budget.Give(r.room)
	r.held, r.room = nil, 0
}

func (r *request) maxBody() int {
	if r.transport.MaxBody > 0 {
		return int(r.transport.MaxBody)
	}
	return preflighthttp.DefaultMaxBody
}

// wait answers a piece that is held.
func (r *request) wait() answers {
	if r.mode == duplex {
		return nil
	}
	return answers{bodyResponse(&extprocv3.CommonResponse{
		BodyMutation: &extprocv3.BodyMutation{
			Mutation: &extprocv3.BodyMutation_ClearBody{ClearBody: true},
		},
	})}
}

// unchanged passes a piece as it came.
func (r *request) unchanged(given []byte, last bool) answers {
	if r.mode == duplex {
		return inPieces(given, last)
	}
	return answers{bodyResponse(&extprocv3.CommonResponse{})}
}

// changed puts another body in the place of a piece. A whole one has a length; the response is
// asked for without compression if it is to be read. In pieces, the headers were sent before.
func (r *request) changed(body []byte, last, readable bool) answers {
	if r.mode == duplex {
		return inPieces(body, last)
	}
	out := &extprocv3.CommonResponse{
		BodyMutation: &extprocv3.BodyMutation{
			Mutation: &extprocv3.BodyMutation_Body{Body: body},
		},
	}
	if !r.holds() {
		out.HeaderMutation = lengthOf(body, last)
		if readable {
			out.HeaderMutation.SetHeaders = append(out.HeaderMutation.SetHeaders,
				headerOption("accept-encoding", "identity"))
		}
	}
	return answers{bodyResponse(out)}
}

// lengthOf sets the length of a body, or removes it where trailers follow.
func lengthOf(body []byte, last bool) *extprocv3.HeaderMutation {
	const name = "content-length"
	if !last {
		return &extprocv3.HeaderMutation{RemoveHeaders: []string{name}}
	}
	return &extprocv3.HeaderMutation{SetHeaders: []*corev3.HeaderValueOption{
		headerOption(name, strconv.Itoa(len(body))),
	}}
}

// maxPiece is how long the pieces are that a body is sent back in: Envoy recommends 64 KiB at most.
const maxPiece = 64 << 10

// inPieces sends a body back in FULL_DUPLEX_STREAMED.
func inPieces(body []byte, last bool) (out answers) {
	if len(body) == 0 {
		return answers{bodyResponse(&extprocv3.CommonResponse{BodyMutation: piece(nil, last)})}
	}
	sent := 0
	for part := range slices.Chunk(body, maxPiece) {
		sent += len(part)
		out = append(out, bodyResponse(&extprocv3.CommonResponse{
			BodyMutation: piece(part, last && sent == len(body)),
		}))
	}
	return out
}

// piece returns a piece of a body in FULL_DUPLEX_STREAMED.
func piece(part []byte, last bool) *extprocv3.BodyMutation {
	return &extprocv3.BodyMutation{Mutation: &extprocv3.BodyMutation_StreamedResponse{
		StreamedResponse: &extprocv3.StreamedBodyResponse{Body: part, EndOfStream: last},
	}}
}

func bodyResponse(common *extprocv3.CommonResponse) *extprocv3.ProcessingResponse {
	return &extprocv3.ProcessingResponse{
		Response: &extprocv3.ProcessingResponse_RequestBody{
			RequestBody: &extprocv3.BodyResponse{Response: common},
		},
	}
}

// jsonEnd finds the end of a JSON object or list that comes in pieces, so that a body is known to
// be complete when trailers follow it. It does not judge the JSON.
type jsonEnd struct {
	depth         int
	text, escaped bool
	ended         bool
}

// add reports whether the value has ended with or before a piece.
func (e *jsonEnd) add(piece []byte) bool {
	for _, c := range piece {
		switch {
		case e.ended:
			return true
		case e.escaped:
			e.escaped = false
		case e.text:
			e.escaped, e.text = c == '\\', c != '"'
		case c == '"':
			e.text = true
		case c == '{' || c == '[':
			e.depth++
		case c == '}' || c == ']':
			e.depth--
			e.ended = e.depth <= 0
		}
	}
	return e.ended
}
