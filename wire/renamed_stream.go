package wire

import (
	"bytes"
	"strings"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file gives tools that were renamed their names back in streams, where a name may come in
// pieces.

// ReturnNamesInStream returns a function for the events of one stream, in their order: it does what
// ReturnNames does, also for a name that comes in pieces over several chunks of OpenAI's Chat
// format. Such a piece is kept back until the name is whole, or is seen to be another one. The
// function is for one goroutine.
func (r *Result) ReturnNamesInStream() func(event []byte) []byte {
	if r == nil || len(r.Renamed) == 0 {
		return func(event []byte) []byte { return event }
	}
	s := &nameStream{
		result: &Result{Renamed: r.Renamed}, // the body is not kept for as long as the stream lasts
		begun:  make(map[callIndex]string), known: make(map[string]bool),
	}
	for _, name := range declaredIn(valueOf(r.Body)) {
		s.known[name] = true
	}
	return s.event
}

// nameStream is what is known of a stream so far.
type nameStream struct {
	result *Result
	known  map[string]bool      // the tools of the request, as they were sent
	begun  map[callIndex]string // what was kept back of names
}

// callIndex is a call of a stream.
type callIndex struct{ choice, call string }

// toolCalls is the member that chunks with pieces of names have.
var toolCalls = []byte(`"tool_calls"`)

func (s *nameStream) event(event []byte) []byte {
	if !bytes.Contains(event, toolCalls) {
		return s.result.ReturnNames(event)
	}
	var edits jsonscan.Edits
	chunks := false
	choices := valueOf(event).Get("choices")
	for c := first(choices); c.Exists(); c = c.Next() {
		for t := first(c.Get("delta").Get("tool_calls")); t.Exists(); t = t.Next() {
			chunks = true
			s.piece(callIndex{string(c.Get("index").Raw()), string(t.Get("index").Raw())}, t, &edits)
		}
	}
	if !chunks {
		return s.result.ReturnNames(event)
	}
	return edited(event, &edits)
}

// piece handles what a chunk has of one call.
func (s *nameStream) piece(at callIndex, t jsonscan.Value, edits *jsonscan.Edits) {
	function := t.Get("function")
	if !function.Exists() {
		function = t.Get("custom")
	}
	name, before := function.Get("name"), s.begun[at]
	so := before + name.Str()
	if name.Str() == "" { // it was whole
		if before == "" || function.Kind() != jsonscan.Object {
			return
		}
	} else if s.begins(so) && !holdsArguments(function) {
		s.begun[at] = so
		edits.Replace(name.Start(), name.End(), []byte(`""`))
		return
	}
	delete(s.begun, at)
	if declared, ok := s.result.Renamed[so]; ok {
		so = declared
	}
	switch {
	case so == name.Str():
	case name.Exists():
		edits.Replace(name.Start(), name.End(), quoted(so))
	default:
		object := jsonscan.EditObject(function)
		object.SetMember("name", quoted(so))
		object.AppendTo(edits)
	}
}

// holdsArguments reports whether a chunk has some of the arguments, which come after the whole
// name.
func holdsArguments(function jsonscan.Value) bool {
	return function.Get("arguments").Str() != "" || function.Get("input").Str() != ""
}

// begins reports whether a text is the start of a name that a tool was given, and no tool's name.
func (s *nameStream) begins(text string) bool {
	if s.known[text] {
		return false
	}
	for sent := range s.result.Renamed {
		if len(text) < len(sent) && strings.HasPrefix(sent, text) {
			return true
		}
	}
	return false
}
