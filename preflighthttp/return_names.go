package preflighthttp

import (
	"bytes"
	"compress/gzip"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/wire"

	"github.com/go-preflight/preflight/internal/headers"
)

// This file gives tools that a repair renamed their names back in the response, so that the caller
// gets calls of the tools that it has.

// maxUnit limits how much of a response is in memory at once: an event, a line, or a whole answer.
// A longer one passes as it is, and what follows it does not.
var maxUnit = 16 << 20

// returnNames returns a response whose calls have their declared names, if the request was sent
// with others. Other bytes pass as they come. What cannot be read passes as it is: another encoding
// than gzip, and another type of content.
func returnNames(resp *http.Response, sent *wire.Result) *http.Response {
	if sent == nil || len(sent.Renamed) == 0 {
		return resp
	}
	resp, _ = throughUnits(resp, sent.ReturnNamesInStream())
	return resp
}

// throughUnits returns a response whose body is what give makes of each unit that has JSON in it.
// ok is false for one that cannot be read, or is no answer: it passes as it is.
func throughUnits(resp *http.Response, give func([]byte) []byte) (out *http.Response, ok bool) {
	if resp == nil || resp.Body == nil || resp.StatusCode/100 != 2 {
		return resp, false
	}
	cut := cutFor(headers.Value(resp.Header, "Content-Type"))
	if cut == nil {
		return resp, false
	}
	body := &unitsBody{Closer: resp.Body, from: resp.Body, cut: cut, give: give}
	switch strings.ToLower(strings.TrimSpace(headers.Value(resp.Header, "Content-Encoding"))) {
	case "", "identity":
	case "gzip", "x-gzip":
		body.from = &gunzip{from: resp.Body}
		headers.Remove(resp.Header, "Content-Encoding")
		resp.Uncompressed = true
	default:
		return resp, false
	}
	resp.Body, resp.ContentLength = body, -1
	headers.Remove(resp.Header, "Content-Length")
	return resp, true
}

// toolsOf returns what returning names needs of a result: the renamed tools, and those that the
// body declares. A report may be kept, and the rest of the body not.
func toolsOf(result *wire.Result) *wire.Result {
	body := []byte("{}")
	if doc, err := jsonscan.Parse(result.Body); err == nil {
		empty, _ := jsonscan.Parse(body)
		tools := jsonscan.EditObject(empty.Root())
		for _, name := range []string{"tools", "toolConfig"} {
			if v := doc.Root().Get(name); v.Exists() {
				tools.SetMember(name, v.Raw())
			}
		}
		body = tools.Bytes()
	}
	return &wire.Result{Body: body, Renamed: result.Renamed}
}

// Renames reports whether tools have other names in the body that is sent, so that the response has
// to be passed to ReturnNames.
func (r *Report) Renames() bool { return r != nil && r.sent != nil }

// ReturnNames gives the calls in the response to the body of a [Decision] their declared names, if
// tools have others there, as RoundTrip does. It returns resp, with another body if so.
func (r *Report) ReturnNames(resp *http.Response) *http.Response {
	if !r.Renames() {
		return resp
	}
	return returnNames(resp, r.sent)
}

// alias notes in the warnings about tools that were renamed that their names are given back, unless
// that is not certain for one of them.
func alias(result *wire.Result) {
	tools := 0
	for _, w := range result.Warnings {
		if w.Code == codes.ToolRenamed && strings.Contains(w.Path, "tools[") {
			tools++
		}
	}
	if tools != len(result.Renamed) {
		return
	}
	for k, w := range result.Warnings {
		if w.Code == codes.ToolRenamed {
			result.Warnings[k].Code = codes.ToolAliased
		}
	}
}

// cut is the form of a stream: unit returns how long the first unit of data is, 0 if it is not all
// there, and write writes it with the names given back. Where unit has looked at all data, and the
// unit is too long, skip returns how much of further data belongs to it, and whether it ends there.
type cut interface {
	unit(data []byte) int
	skip(data []byte) (n int, ended bool)
	write(out *bytes.Buffer, unit []byte, give func([]byte) []byte)
}

// cutFor returns the form of a type of content, nil for one that has no calls.
func cutFor(contentType string) cut {
	kind, _, err := mime.ParseMediaType(contentType)
	switch {
	case err != nil && contentType != "":
		return nil
	case kind == "text/event-stream":
		return &sseLines{}
	case kind == "application/vnd.amazon.eventstream":
		return awsFrames{}
	case kind == "", kind == "application/json", kind == "text/json",
		kind == "application/x-ndjson", kind == "application/jsonl",
		strings.HasSuffix(kind, "+json"):
		return &jsonValues{}
	}
	return nil
}

// unitsBody is the body of a response that passes through a function, unit by unit.
type unitsBody struct {
	io.Closer
	from  io.Reader
	cut   cut
	give  func([]byte) []byte
	got   []byte       // what was read, and is no unit yet
	out   bytes.Buffer // what can be passed on
	plain bool         // the rest of a long unit passes as it is
	err   error        // of from
}

// Read returns what can be passed on as soon as there is any.
func (n *unitsBody) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for n.out.Len() == 0 {
		if n.err != nil {
			return 0, n.err
		}
		n.fill()
	}
	return n.out.Read(p)
}

// fill reads once, and passes on what is whole.
func (n *unitsBody) fill() {
	const chunk = 32 << 10
	if cap(n.got)-len(n.got) < chunk {
		n.got = append(make([]byte, 0, 2*len(n.got)+chunk), n.got...)
	}
	k, err := n.from.Read(n.got[len(n.got) : len(n.got)+chunk])
	n.got = n.got[:len(n.got)+k]
	n.err = err
	done := 0
	if n.plain && k > 0 {
		size, ended := n.cut.skip(n.got)
		n.out.Write(n.got[:size])
		done, n.plain = size, !ended
	}
	for !n.plain && done < len(n.got) {
		size := n.cut.unit(n.got[done:])
		if size == 0 {
			break
		}
		n.cut.write(&n.out, n.got[done:done+size], n.give)
		done += size
	}
	rest := n.got[done:]
	switch {
	case done == 0 && err == nil && !n.plain && len(rest) <= maxUnit:
		return // a long unit is not copied again and again
	case len(rest) > maxUnit:
		n.plain = true
		n.out.Write(rest)
		rest = nil
	case err != nil && len(rest) > 0: // a last line without its end, or half of something
		n.cut.write(&n.out, rest, n.give)
		rest = nil
	}
	n.got = append(n.got[:0], rest...)
}

// gunzip uncompresses as it is read.
type gunzip struct {
	from io.Reader
	r    *gzip.Reader
}

func (g *gunzip) Read(p []byte) (int, error) {
	if g.r == nil {
		r, err := gzip.NewReader(g.from)
		if err != nil {
			return 0, err
		}
		g.r = r
	}
	return g.r.Read(p)
}
