package natives

import (
	"bytes"
	"slices"

	"github.com/go-preflight/preflight"
)

// This file finds the parts of the caller's history that the parts of a result were made of.

// Sources are the caller's parts that the parts of one message were made of.
type Sources struct {
	Parts []Source // of each part
	Lost  bool     // content of the caller's message is in no part
}

// Source is where a part comes from.
type Source struct {
	At     preflight.Position // Part is -1 for a part that the caller did not have
	Before preflight.Part     // nil for such a part
}

// isEmpty reports whether a part holds no content.
func isEmpty(p preflight.Part) bool { return TallyOf(p).Bytes == 0 }

// SourcesOf finds the sources of the parts of all messages of res, which are not changed yet.
func SourcesOf(given []preflight.Message, res *preflight.Result) []Sources {
	t := &tracer{given: given, filled: make([]int, len(given))}
	for k := range given {
		for _, p := range given[k].Parts {
			if !isEmpty(p) {
				t.filled[k]++
			}
		}
	}
	all := make([]Sources, len(res.Messages))
	for i := range all {
		all[i] = t.trace(i, &res.Messages[i], res.Origins[i], res.PartOrigins[i])
	}
	return all
}

// Kept returns the sources of message i, which the caller has at the same place.
func Kept(history []preflight.Message, i int) Sources {
	out := Sources{Parts: make([]Source, len(history[i].Parts))}
	for j, p := range history[i].Parts {
		out.Parts[j] = Source{preflight.PartAt(i, j), p}
	}
	return out
}

// tracer finds the sources of messages.
type tracer struct {
	given   []preflight.Message
	filled  []int             // of each of the caller's messages, the parts that are not empty
	natives map[string]Source // by native JSON, the first part with it; nil until it is needed
	wholes  map[string]bool   // native JSON of messages; nil until it is needed
}

// trace finds the sources of the parts of message i, which came from these messages of the caller.
func (t *tracer) trace(
	i int, m *preflight.Message, from []int, origins []preflight.Position,
) Sources {
	out := Sources{Parts: make([]Source, len(m.Parts))}
	held := 0 // parts of those messages that are here and are not empty
	counted := make(map[preflight.Position]bool, len(m.Parts))
	for j, at := range origins {
		s := &out.Parts[j]
		if at.Message() >= 0 && !becameUnknown(t.given[at.Message()].Parts[at.Part()], m.Parts[j]) {
			*s = Source{at, t.given[at.Message()].Parts[at.Part()]}
			_, here := slices.BinarySearch(from, at.Message())
			if here && !counted[at] && !isEmpty(s.Before) {
				counted[at] = true
				held++
			}
			continue
		}
		s.At = preflight.At(i)
		if len(from) > 0 {
			s.At = preflight.At(from[0])
		}
		if found, ok := t.withNative(m.Parts[j]); ok {
			*s = found
		}
	}
	for _, k := range from {
		held -= t.filled[k]
	}
	out.Lost = held < 0 || t.borrows(m.Native.JSON, from)
	return out
}

// becameUnknown reports whether a hook put an unknown part in the place of a known one. The native
// JSON of the unknown part is its content, and not that of the known one.
func becameUnknown(before, p preflight.Part) bool {
	_, was := before.(*preflight.Other)
	_, is := p.(*preflight.Other)
	return is && !was
}

// withNative finds the caller's part with the native JSON of a part that a hook made: the hook may
// have taken it from there.
func (t *tracer) withNative(p preflight.Part) (Source, bool) {
	raw := nativeOf(p)
	if len(raw) == 0 {
		return Source{}, false
	}
	if t.natives == nil {
		t.natives = make(map[string]Source)
		for k := range t.given {
			for j, p := range t.given[k].Parts {
				raw := string(nativeOf(p))
				if t.natives[raw].Before == nil {
					t.natives[raw] = Source{preflight.PartAt(k, j), p}
				}
			}
		}
	}
	found, ok := t.natives[string(raw)]
	return found, ok
}

// nativeOf returns the native JSON of a part; none for an unknown part, whose content it is.
func nativeOf(p preflight.Part) []byte {
	carried := preflight.CarriedBy(p)
	if _, other := p.(*preflight.Other); other || carried == nil {
		return nil
	}
	return carried.Native.JSON
}

// borrows reports whether a message that came from these messages of the caller has the native JSON
// of another one: what changed in it is not known.
func (t *tracer) borrows(raw []byte, from []int) bool {
	if len(raw) == 0 || slices.ContainsFunc(from, func(k int) bool {
		return bytes.Equal(raw, t.given[k].Native.JSON)
	}) {
		return false
	}
	if t.wholes == nil {
		t.wholes = make(map[string]bool)
		for k := range t.given {
			t.wholes[string(t.given[k].Native.JSON)] = true
		}
	}
	return t.wholes[string(raw)]
}
