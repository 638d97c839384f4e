package stored

import (
	"bytes"
	"slices"

	"github.com/go-preflight/preflight"
)

// This file finds the parts of the caller's history that the parts of a result were made of.

// sources are the caller's parts that the parts of one message were made of.
type sources struct {
	parts []source // of each part
	lost  bool     // content of the caller's message is in no part
}

// source is where a part comes from.
type source struct {
	at     preflight.Position // Part is -1 for a part that the caller did not have
	before preflight.Part     // nil for such a part
}

// likeness is what a part and its changed form have in common.
type likeness struct{ kind, native string }

func likenessOf(p preflight.Part) likeness {
	return likeness{preflight.PartKind(p), string(preflight.CarriedBy(p).Native.JSON)}
}

// isEmpty reports whether a part holds no content.
func isEmpty(s source) bool { return tallyOf(s.before).Bytes == 0 }

// sourcesOf finds the sources of the parts of all messages of res, which are not changed yet.
func sourcesOf(given []preflight.Message, res *preflight.Result) []sources {
	t := newTracer(given, res)
	all := make([]sources, len(res.Messages))
	for i := range all {
		all[i] = t.trace(i, &res.Messages[i], res.Origins[i])
	}
	return all
}

// keptSources returns the sources of message i, which the caller has at the same place.
func keptSources(history []preflight.Message, i int) sources {
	out := sources{parts: make([]source, len(history[i].Parts))}
	for j, p := range history[i].Parts {
		out.parts[j] = source{preflight.Position{Message: i, Part: j, Inner: -1}, p}
	}
	return out
}

// tracer finds the sources of messages: parts that were kept by identity, and changed ones by their
// kind, native JSON and order. It searches a message of the caller that is in several messages now
// once, and not for each of these.
type tracer struct {
	given  []preflight.Message
	split  []bool                    // of each message of the caller: it is in several now
	filled []int                     // of split messages, the number of parts that are not empty
	home   map[preflight.Part]source // of the parts of split messages

	// by native JSON, the first part that has it, and whether a message has; with all parts, by
	// identity; nil until one is looked for
	natives map[string]source
	all     map[preflight.Part]source
	wholes  map[string]bool
}

func newTracer(given []preflight.Message, res *preflight.Result) *tracer {
	t := &tracer{given: given, split: make([]bool, len(given)), filled: make([]int, len(given))}
	t.home = make(map[preflight.Part]source)
	seen := make([]bool, len(given))
	for _, from := range res.Origins {
		for _, k := range from {
			if seen[k] && !t.split[k] {
				t.split[k] = true
				for s := range t.partsOf(k) {
					if t.home[s.before] = s; !isEmpty(s) {
						t.filled[k]++
					}
				}
			}
			seen[k] = true
		}
	}
	return t
}

// partsOf yields the parts of the caller's message k that are not nil.
func (t *tracer) partsOf(k int) func(yield func(source) bool) {
	return func(yield func(source) bool) {
		for j, p := range t.given[k].Parts {
			s := source{preflight.Position{Message: k, Part: j, Inner: -1}, p}
			if preflight.CarriedBy(p) != nil && !yield(s) {
				return
			}
		}
	}
}

// trace finds the sources of the parts of message i, which came from these messages of the caller.
func (t *tracer) trace(i int, m *preflight.Message, from []int) sources {
	out := sources{parts: make([]source, len(m.Parts))}
	kept := make(map[preflight.Part][]source, len(m.Parts)) // a part may be there several times
	for j, p := range m.Parts {
		kept[p] = nil
		if out.parts[j] = t.home[p]; out.parts[j].before != nil {
			continue
		}
		out.parts[j].at = preflight.Position{Message: i, Part: -1, Inner: -1}
		if len(from) > 0 {
			out.parts[j].at.Message = from[0]
		}
	}
	gone := make(map[likeness][]source) // the caller's parts that were not kept
	whole := true                       // none of the messages was split
	for _, k := range from {
		if t.split[k] {
			whole = false
			continue
		}
		for s := range t.partsOf(k) {
			if list, ok := kept[s.before]; ok {
				kept[s.before] = append(list, s)
			} else {
				gone[likenessOf(s.before)] = append(gone[likenessOf(s.before)], s)
			}
		}
	}
	for j, p := range m.Parts {
		if list := kept[p]; len(list) > 0 {
			if out.parts[j] = list[0]; len(list) > 1 {
				kept[p] = list[1:]
			}
		}
	}
	out.match(gone, m.Parts)
	t.matchNative(&out, m.Parts)
	out.lost = out.lost || !whole && !t.holdsSplit(&out, from) || t.borrows(m.Native.JSON, from)
	return out
}

// match finds the sources of changed parts among those that are gone, by their order.
func (s *sources) match(gone map[likeness][]source, parts []preflight.Part) {
	if len(gone) == 0 {
		return
	}
	made := make(map[likeness][]int) // the parts that are not the caller's
	for j, p := range parts {
		if s.parts[j].before == nil {
			made[likenessOf(p)] = append(made[likenessOf(p)], j)
		}
	}
	for like, left := range gone {
		if len(left) != len(made[like]) {
			left = slices.DeleteFunc(left, isEmpty)
		}
		if len(left) != len(made[like]) && like.native == "" {
			s.lost = s.lost || len(left) > 0 // which became which is not known
			continue
		}
		for k := range left {
			if k == len(made[like]) {
				s.lost = true
				break
			}
			s.parts[made[like][k]] = left[k]
		}
	}
}

// matchNative finds the sources of the other parts that have the native JSON of one of the caller's
// parts, wherever that was: a hook may have moved or repeated it.
func (t *tracer) matchNative(s *sources, parts []preflight.Part) {
	for j, p := range parts {
		raw := preflight.CarriedBy(p).Native.JSON
		if _, other := p.(*preflight.Other); other || s.parts[j].before != nil || len(raw) == 0 {
			continue // the native JSON of an unknown part is its content
		}
		if t.natives == nil {
			t.natives, t.all = make(map[string]source), make(map[preflight.Part]source)
			for k := range t.given {
				for s := range t.partsOf(k) {
					t.all[s.before] = s
					raw := preflight.CarriedBy(s.before).Native.JSON
					if t.natives[string(raw)].before == nil {
						t.natives[string(raw)] = s
					}
				}
			}
		}
		if found := t.natives[string(raw)]; t.all[p].before != nil {
			s.parts[j] = t.all[p]
		} else if found.before != nil {
			s.parts[j] = found
		}
	}
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

// holdsSplit reports whether a message has all parts of the split messages that it came from, but
// for empty ones.
func (t *tracer) holdsSplit(s *sources, from []int) bool {
	missing := 0
	for _, k := range from {
		if t.split[k] {
			missing += t.filled[k]
		}
	}
	counted := make(map[preflight.Position]bool, len(s.parts))
	for _, p := range s.parts {
		_, here := slices.BinarySearch(from, p.at.Message)
		if here && p.before != nil && t.split[p.at.Message] && !counted[p.at] && !isEmpty(p) {
			counted[p.at] = true
			missing--
		}
	}
	return missing <= 0
}
