package wire

import (
	"bytes"
	"strings"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file gives tools that were renamed their names back in what the model answers.
//
//	request    a tool "a.b" is sent as "a_b_2e7336dc"
//	answer     {"name":"a_b_2e7336dc"…}  becomes  {"name":"a.b"…}

// renames notes that a declared tool gets another name. The strings are copied.
func (r *Request) renames(declared, sent string) {
	if r.renamed == nil {
		r.renamed = make(map[string]string)
	}
	r.renamed[strings.Clone(sent)] = strings.Clone(declared)
}

// namesToReturn returns the renamed tools of the repaired body, by the names that they have there.
// A name that two of its tools have is none of them: nothing says which one the model calls.
func (r *Request) namesToReturn(repaired []byte) map[string]string {
	if len(r.renamed) == 0 {
		return nil
	}
	root := valueOf(repaired)
	if r.wrapped {
		root = root.Get(r.format.wrapper)
	}
	count := make(map[string]int)
	for _, name := range declaredIn(root) {
		count[name]++
	}
	for sent := range r.renamed {
		if count[sent] > 1 {
			delete(r.renamed, sent)
		}
	}
	renamed := r.renamed
	r.renamed = nil
	return renamed
}

// RenamedTools returns what Result.Renamed holds, for a request that was not repaired by Sanitize
// but, for example, by an adapter's Params: a map from the names of renamed tools in sent to the
// names that they were declared with. given and sent are the JSON of the request before and after
// its repair.
//
//	names := &wire.Result{Renamed: wire.RenamedTools(given, sent)}
//	answer = names.ReturnNames(answer)
//
// It is nil if no tool was renamed. Tools are compared by their order: repairs declare further ones
// at the end.
func RenamedTools(given, sent []byte) map[string]string {
	was, is := declaredIn(valueOf(given)), declaredIn(valueOf(sent))
	if len(was) > len(is) {
		return nil
	}
	count := make(map[string]int)
	for _, name := range is {
		count[name]++
	}
	var renamed map[string]string
	for k, declared := range was {
		name := is[k]
		if name == declared || count[name] > 1 {
			continue
		}
		if renamed == nil {
			renamed = make(map[string]string)
		}
		renamed[name] = declared
	}
	return renamed
}

// declaredIn returns the names of the functions that a request declares.
func declaredIn(root jsonscan.Value) []string {
	var names []string
	add := func(v jsonscan.Value) {
		if v.Kind() == jsonscan.String {
			names = append(names, strings.Clone(v.Str()))
		}
	}
	for _, list := range []jsonscan.Value{root.Get("tools"), root.Get("toolConfig").Get("tools")} {
		for t := first(list); t.Exists(); t = t.Next() {
			for _, holder := range []string{"function", "toolSpec", "custom"} {
				add(t.Get(holder).Get("name"))
			}
			add(t.Get("name"))
			declarations := spelledEither(t, "functionDeclarations", "function_declarations")
			for f := first(declarations); f.Exists(); f = f.Next() {
				add(f.Get("name"))
			}
		}
	}
	return names
}

// ReturnNames gives the calls in a response their declared names back, where the request was sent
// with others: see Renamed. response is the JSON of a whole answer, of one chunk or of one event of
// a stream, in any format. What needs no change keeps its bytes, and what is no JSON is returned as
// it is. The cost is linear in response.
//
//	result, err := wire.Sanitize(ctx, body, options)
//	// send result.Body, receive answer
//	response, err := wire.DecodeResponse(result.Provider, result.ReturnNames(answer))
//
// A preflighthttp.Transport does so itself.
func (r *Result) ReturnNames(response []byte) []byte {
	if r == nil || len(r.Renamed) == 0 || !bytes.Contains(response, nameMember) {
		return response
	}
	var edits jsonscan.Edits
	returnNames(valueOf(response), r.Renamed, &edits)
	return edited(response, &edits)
}

// nameMember is the member that calls have.
var nameMember = []byte(`"name"`)

// leadToCalls are the members of responses and of their events that lead to calls, of all formats.
// Arguments are not among them, nor are the tools that a response repeats.
var leadToCalls = jsonscan.NewNames(
	"choices", "message", "delta", "tool_calls", "function", "function_call", "custom",
	"content", "content_block", "output", "item", "response", "steps", "step",
	"candidates", "parts", "functionCall",
	"toolUse", "start", "contentBlockStart",
)

// returnNames gives the calls in v their names back.
func returnNames(v jsonscan.Value, renamed map[string]string, edits *jsonscan.Edits) {
	switch v.Kind() {
	case jsonscan.Array:
		for e := v.First(); e.Exists(); e = e.Next() {
			returnNames(e, renamed, edits)
		}
	case jsonscan.Object:
		for m := v.First(); m.Exists(); m = m.Next() {
			key := m.Key()
			if m.Kind() == jsonscan.String && key.StrIs("name") {
				if declared, ok := renamed[m.Str()]; ok {
					edits.Replace(m.Start(), m.End(), quoted(declared))
				}
				continue
			}
			if leadToCalls.Has(key) {
				returnNames(m, renamed, edits)
			}
		}
	}
}
