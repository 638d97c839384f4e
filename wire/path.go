package wire

import (
	"strconv"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file makes the paths of values and positions in a body: messages[3].content[1]. They quote
// no content: a path consists of indices and of names that the wire formats define. Other names may
// be data (the keys of a tool's arguments or of metadata): the path gives their index among the
// members instead, and ends there. So a path is short, whatever the body holds.

// Path returns the path in the body of a position in r.Messages: "messages[3].content[1]",
// "messages[2].tool_calls[0]", "system". A bare list of messages is called messages too. A position
// that is not in the body, such as one after the last message, gives the name of the list. A
// Request that Decode did not make has no paths.
func (r *Request) Path(at preflight.Position) string {
	if r == nil || r.format == nil {
		return ""
	}
	return r.wrappedPath(r.removed.original(r.requestPath(at)))
}

// requestPath is Path without the wrapper, in the body without duplicate fields.
func (r *Request) requestPath(at preflight.Position) string {
	var room [128]byte
	return string(r.appendPath(room[:0], at))
}

// appendPath appends the requestPath of a position.
func (r *Request) appendPath(path []byte, at preflight.Position) []byte {
	if at.Message() < 0 || at.Message() >= len(r.Messages) {
		return append(path, r.format.list...)
	}
	path = r.appendListPath(path, r.sources[at.Message()].index)
	parts := r.Messages[at.Message()].Parts
	if at.Part() < 0 || at.Part() >= len(parts) {
		return path
	}
	path = r.appendPartPath(path, at.Message(), nativeOf(parts[at.Part()]))
	if result, ok := parts[at.Part()].(*preflight.ToolResult); ok && at.Inner() >= 0 &&
		at.Inner() < len(result.Content) {
		path = append(path, r.innerPath(result, at.Inner())...)
	}
	return path
}

// pathRoom holds the paths of many warnings in a few blocks of memory, each twice as large as the
// one before.
type pathRoom struct{ block strings.Builder }

// keep returns path as a string.
func (r *pathRoom) keep(path []byte) string {
	const least, most = 1 << 10, 1 << 20
	if full := r.block.Cap(); full-r.block.Len() < len(path) {
		r.block = strings.Builder{}
		r.block.Grow(max(len(path), least, min(2*full, most)))
	}
	start := r.block.Len()
	r.block.Write(path)
	return r.block.String()[start:]
}

// listPath returns the path of element k of the list.
func (r *Request) listPath(k int) string {
	var room [64]byte
	return string(r.appendListPath(room[:0], k))
}

// appendListPath appends the path of element k of the list, or of the system member if k is -1.
func (r *Request) appendListPath(path []byte, k int) []byte {
	switch {
	case k < 0:
		return append(path, r.systemKey()...)
	case r.list.Kind() == jsonscan.String, r.listsOne():
		return append(path, r.format.list...)
	}
	return appendIndex(append(path, r.format.list...), k)
}

// indexed returns the path of element k of the list at.
func indexed(at string, k int) string {
	var room [64]byte
	return string(appendIndex(append(room[:0], at...), k))
}

// appendIndex appends the step to element k of a list.
func appendIndex(path []byte, k int) []byte {
	return append(strconv.AppendInt(append(path, '['), int64(k), 10), ']')
}

// appendPartPath appends the path, within message i, of the JSON that a part was decoded from. If
// the message is long, all of its paths are listed once, when the first one is needed.
func (r *Request) appendPartPath(path []byte, i int, native preflight.Native) []byte {
	if len(native.JSON) == 0 {
		return path
	}
	if out, ok := appendPathIn(path, r.sources[i].value, native.JSON); ok {
		return out
	}
	paths, ok := r.partPaths[i]
	if !ok {
		paths = make(map[*byte]string)
		listPaths(paths, r.sources[i].value)
		if r.partPaths == nil {
			r.partPaths = make(map[int]map[*byte]string)
		}
		r.partPaths[i] = paths
	}
	return append(path, paths[&native.JSON[0]]...)
}

// maxSteppedOver is the number of values that appendPathIn visits at most.
const maxSteppedOver = 32

// appendPathIn appends the path that listPaths has for target. ok is false if there is none, or
// many values come before it.
func appendPathIn(path []byte, v jsonscan.Value, target []byte) (out []byte, ok bool) {
	if v.Kind() != jsonscan.Object {
		return path, false
	}
	k, visited := 0, 0
	for m := v.First(); m.Exists() && visited < maxSteppedOver; m = m.Next() {
		if &m.Raw()[0] == &target[0] {
			return append(path, step(m, k)...), true
		}
		if _, inside := jsonscan.OffsetIn(m.Raw(), target); inside && m.Kind() == jsonscan.Array {
			n := 0
			for e := m.First(); e.Exists() && visited < maxSteppedOver; e = e.Next() {
				if &e.Raw()[0] == &target[0] {
					return appendIndex(append(path, step(m, k)...), n), true
				}
				n++
				visited++
			}
			return path, false
		}
		k++
		visited++
	}
	return path, false
}

// listPaths lists the paths of the values in v, down to the elements of member lists, where parts
// are. A system member may itself be a list.
func listPaths(paths map[*byte]string, v jsonscan.Value) {
	if v.Kind() == jsonscan.Array {
		listElementPaths(paths, v, "")
		return
	}
	for k, m := range v.All() {
		paths[&m.Raw()[0]] = step(m, k)
		if m.Kind() == jsonscan.Array {
			listElementPaths(paths, m, step(m, k))
		}
	}
}

// listElementPaths lists the paths of the elements of the list at path.
func listElementPaths(paths map[*byte]string, list jsonscan.Value, path string) {
	for k, e := range list.All() {
		paths[&e.Raw()[0]] = indexed(path, k)
	}
}

// listWrappedPaths lists the paths inside the value of a block with a single member.
func listWrappedPaths(paths map[*byte]string, v jsonscan.Value) {
	wrapped := v.First()
	if v.Len() != 1 || wrapped.Kind() != jsonscan.Object {
		return
	}
	inner := make(map[*byte]string)
	listPaths(inner, wrapped)
	for at, path := range inner {
		paths[at] = step(wrapped, 0) + path
	}
}

// innerPath returns the path, within a result, of one of its inner parts. All paths of a result are
// listed once.
func (r *Request) innerPath(result *preflight.ToolResult, k int) string {
	native := nativeOf(result.Content[k]).JSON
	if len(native) == 0 {
		return ""
	}
	paths, ok := r.innerPaths[result]
	if !ok {
		paths = make(map[*byte]string)
		block := valueOf(result.Native.JSON)
		listPaths(paths, block)
		listWrappedPaths(paths, block)
		if r.innerPaths == nil {
			r.innerPaths = make(map[*preflight.ToolResult]map[*byte]string)
		}
		r.innerPaths[result] = paths
	}
	return paths[&native[0]]
}

// bodyPath is the path of a value in the body.
type bodyPath struct {
	path  string
	steps int
	ends  ending
}

// ending tells whether a path may be continued inside a value.
type ending uint8

const (
	goesOn    ending = iota
	inContent        // one more step, by ordinal
	ended            // nothing inside has a path of its own
)

// maxSteps is the maximum length of a path. No format nests more deeply.
const maxSteps = 16

func (p bodyPath) to(path string, ends ending) bodyPath {
	if p.steps++; p.steps >= maxSteps {
		ends = ended
	}
	p.path, p.ends = path, ends
	return p
}

// element returns the path of element k of the array at p.
func (p bodyPath) element(k int) bodyPath {
	switch p.ends {
	case ended:
		return p
	case inContent:
		return p.to(indexed(p.path, k), ended)
	}
	return p.to(indexed(p.path, k), goesOn)
}

// member returns the path of m, the k-th member of the object at p.
func (p bodyPath) member(m jsonscan.Value, k int) bodyPath {
	if p.ends == ended {
		return p
	}
	word := wordFor(m.Key())
	switch {
	case p.ends == inContent || word == "":
		return p.to(p.path+ordinal(k), ended)
	// at the top, input is the list of the Responses format
	case contentWords[word] && !(p.path == "" && word == "input"):
		return p.to(within(p.path, word), inContent)
	}
	return p.to(within(p.path, word), goesOn)
}

// within returns the path of the member word of the object at path.
func within(path, word string) string {
	if path == "" {
		return word
	}
	return path + "." + word
}

// step returns the part of a path that leads to m, the k-th member of an object: its name if that
// is a format's word, else [#k].
func step(m jsonscan.Value, k int) string {
	if word := wordFor(m.Key()); word != "" {
		return "." + word
	}
	return ordinal(k)
}

// ordinal returns the step to the k-th member of an object.
func ordinal(k int) string { return "[#" + strconv.Itoa(k) + "]" }
