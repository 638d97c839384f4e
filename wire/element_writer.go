package wire

import (
	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file writes messages for formats whose list has items or steps. A message becomes one
// element of the list; one with parts for several, such as a hook's, becomes several in a row.

// elementWriter writes the elements of one message.
type elementWriter struct {
	r       *Request
	m       *preflight.Message
	v       jsonscan.Value // see own
	pieces  [][]byte
	err     error
	started bool     // the message's own JSON was used
	content *matcher // of the message's own JSON
}

// write writes each part that is an element of its own by element, and the parts between them by
// message.
func (w *elementWriter) write(
	isElement func(preflight.Part) bool, element func(preflight.Part) ([][]byte, error),
	message func([]preflight.Part) ([][]byte, error),
) ([][]byte, error) {
	var content []preflight.Part
	for _, p := range w.m.Parts {
		if !isElement(p) {
			content = append(content, p)
			continue
		}
		if len(content) > 0 {
			w.add(message(content))
			content = nil
		}
		w.add(element(p))
	}
	if len(content) > 0 || len(w.pieces) == 0 {
		w.add(message(content))
	}
	return w.pieces, w.err
}

func (w *elementWriter) add(pieces [][]byte, err error) {
	if err != nil {
		w.err = err
	}
	if len(w.pieces) > 0 {
		w.pieces = append(w.pieces, comma)
	}
	w.pieces = append(w.pieces, pieces...)
}

// native returns what the next element with the message's content was decoded from: for the first
// one it is the message's own JSON.
func (w *elementWriter) native() preflight.Native {
	if w.started {
		return preflight.Native{}
	}
	w.started = true
	return w.m.Native
}

// own returns the message's own JSON, Absent if it was not decoded from the format.
func (w *elementWriter) own() jsonscan.Value {
	if !w.v.Exists() && w.m.Native.Format == w.r.format.name {
		w.v = valueOf(w.m.Native.JSON)
	}
	return w.v
}

// isWhole reports whether a part holds its elements without content.
func isWhole(p preflight.Part) bool {
	switch p.(type) {
	case *preflight.Reasoning, *preflight.ToolCall, *preflight.ToolResult:
		return true
	}
	return false
}

// wasElement reports whether a part of an unknown kind was an element of the list in the request.
// One that was not in the request is taken for an element if it may be one, and if the message's
// own JSON does not hold it.
func (w *elementWriter) wasElement(p *preflight.Other, may bool) bool {
	if _, ok := jsonscan.OffsetIn(w.r.list.Raw(), p.Native.JSON); ok {
		return w.r.elementOf(p.Native.JSON) >= 0
	}
	if w.content == nil {
		w.content = newMatcher(w.own().Get("content"))
	}
	return may && w.content.find(p.Native.JSON) < 0
}
