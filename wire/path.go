package wire

import (
	"strconv"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file makes the paths of positions in a body: messages[3].content[1].

// Path is the path in the body of a position in r.Messages: "messages[3].content[1]",
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
	path = r.appendPlaceOf(path, at.Message(), nativeOf(parts[at.Part()]))
	if result, ok := parts[at.Part()].(*preflight.ToolResult); ok && at.Inner() >= 0 &&
		at.Inner() < len(result.Content) {
		path = append(path, r.placeInside(result, at.Inner())...)
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

// listPath is the path of element k of the list.
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

// indexed is the path of element k of the list at.
func indexed(at string, k int) string {
	var room [64]byte
	return string(appendIndex(append(room[:0], at...), k))
}

// appendIndex appends the step to element k of a list.
func appendIndex(path []byte, k int) []byte {
	return append(strconv.AppendInt(append(path, '['), int64(k), 10), ']')
}

// appendPlaceOf appends the path, within message i, of the JSON that a part was decoded from. If
// the message is long, all of its paths are listed once, when the first one is needed.
func (r *Request) appendPlaceOf(path []byte, i int, native preflight.Native) []byte {
	if len(native.JSON) == 0 {
		return path
	}
	if out, ok := appendPlace(path, r.sources[i].value, native.JSON); ok {
		return out
	}
	places, ok := r.places[i]
	if !ok {
		places = make(map[*byte]string)
		listPlaces(places, r.sources[i].value)
		if r.places == nil {
			r.places = make(map[int]map[*byte]string)
		}
		r.places[i] = places
	}
	return append(path, places[&native.JSON[0]]...)
}

// maxSteppedOver is the number of values that appendPlace visits at most.
const maxSteppedOver = 32

// appendPlace appends the path that listPlaces has for target. ok is false if there is none, or
// many values come before it.
func appendPlace(path []byte, v jsonscan.Value, target []byte) (out []byte, ok bool) {
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

// listPlaces lists the paths of the values in v, down to the elements of member lists, where parts
// are. A system member may itself be a list.
func listPlaces(places map[*byte]string, v jsonscan.Value) {
	if v.Kind() == jsonscan.Array {
		listElements(places, v, "")
		return
	}
	for k, m := range v.All() {
		places[&m.Raw()[0]] = step(m, k)
		if m.Kind() == jsonscan.Array {
			listElements(places, m, step(m, k))
		}
	}
}

// listElements lists the paths of the elements of the list at path.
func listElements(places map[*byte]string, list jsonscan.Value, path string) {
	for k, e := range list.All() {
		places[&e.Raw()[0]] = indexed(path, k)
	}
}

// listHeld lists the paths inside a block with a single member.
func listHeld(places map[*byte]string, v jsonscan.Value) {
	held := v.First()
	if v.Len() != 1 || held.Kind() != jsonscan.Object {
		return
	}
	inner := make(map[*byte]string)
	listPlaces(inner, held)
	for at, place := range inner {
		places[at] = step(held, 0) + place
	}
}

// placeInside is the path, within a result, of one of its inner parts. All paths of a result are
// listed once.
func (r *Request) placeInside(result *preflight.ToolResult, k int) string {
	native := nativeOf(result.Content[k]).JSON
	if len(native) == 0 {
		return ""
	}
	places, ok := r.inside[result]
	if !ok {
		places = make(map[*byte]string)
		if doc, err := jsonscan.Parse(result.Native.JSON); err == nil {
			listPlaces(places, doc.Root())
			listHeld(places, doc.Root())
		}
		if r.inside == nil {
			r.inside = make(map[*preflight.ToolResult]map[*byte]string)
		}
		r.inside[result] = places
	}
	return places[&native[0]]
}

// pathTo is the path from v to target, which is inside it; "" when they are the same.
func pathTo(v, target jsonscan.Value) string {
	path := ""
	for v.Exists() && v.Start() < target.Start() {
		k := 0
		child := v.First()
		for child.Exists() && child.End() <= target.Start() {
			child = child.Next()
			k++
		}
		if !child.Exists() || child.Start() > target.Start() {
			break // the target is a key
		}
		if v.Kind() == jsonscan.Array {
			path = indexed(path, k)
		} else {
			path += step(child, k)
		}
		v = child
	}
	return path
}
