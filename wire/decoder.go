package wire

import (
	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file holds what the formats' decoders share: reading values that may be of the wrong
// kind, and recording repairs.

// decoder reads the messages of one request.
type decoder struct {
	r     *Request
	value jsonscan.Value // the message being read, or the value of the system member
	index int            // its place in the list; -1 for the system member
	mend  bool           // it has to be written anew
	way   []stop         // the lists being read, from the outermost
	last  []stop         // where pathTo found its last target, by depth

	mayWait bool // texts may stay unread; see prose

	called   map[calledBy]bool // the calls of the first calledTo messages; see isCalled
	calledTo int

	served map[string]bool // the open provider-executed calls of the turn; see markContinued

	continues bool // the last call of the content goes on in the next part; see geminiCall

	stored string // the path of a message that is in a stored form

	slabs
}

// stop is a list on the path to the value being read, and the current element.
type stop struct {
	list, element jsonscan.Value
	index         int
}

// partReader reads one block, an object with a type.
type partReader func(d *decoder, v jsonscan.Value) preflight.Part

// native is v's JSON as what a message or part was decoded from.
func (d *decoder) native(v jsonscan.Value) preflight.Native {
	return preflight.Native{Format: d.r.format.name, JSON: v.Raw()}
}

// nativeOnly returns what a part carries that was decoded from v and cannot have a cache
// breakpoint.
func (d *decoder) nativeOnly(v jsonscan.Value) preflight.Carried {
	return preflight.Carried{Native: d.native(v)}
}

// carried returns what a part that was decoded from v carries.
func (d *decoder) carried(v jsonscan.Value) preflight.Carried {
	return preflight.Carried{Cache: cacheMarker(v), Native: d.native(v)}
}

// cacheMarker returns the cache breakpoint on a block, nil when there is none.
func cacheMarker(v jsonscan.Value) []byte {
	if c := v.Get("cache_control"); c.Exists() && c.Kind() != jsonscan.Null {
		return c.Raw()
	}
	return nil
}

// repaired records that v, or its member key, has a wrong shape and was read as the closest valid
// value.
func (d *decoder) repaired(v jsonscan.Value, key, rule, wrong, done string) {
	d.note(v, key, finding{code: codes.ShapeRepaired, rule: rule, wrong: wrong, done: done})
}

// shape is repaired for shapes that no rule of the provider covers.
func (d *decoder) shape(v jsonscan.Value, key, wrong, done string) {
	d.repaired(v, key, ruleShape, wrong, done)
}

// refused records a member that the provider refuses. The encoder leaves it out.
func (d *decoder) refused(v jsonscan.Value, key, rule string) {
	d.note(v, key, finding{code: codes.FieldRemoved, rule: rule, wrong: wrongField, done: doneField})
}

const (
	wrongField = "the provider refuses this field"
	doneField  = "removed a field that the provider refuses"
)

func (d *decoder) note(v jsonscan.Value, key string, f finding) {
	f.at = d.here()
	f.path = d.pathOf(v)
	if key != "" {
		f.path += "." + key
	}
	d.found(f)
}

// refusedMember records that the provider refuses m, the k-th member of v, whatever its name.
func (d *decoder) refusedMember(v, m jsonscan.Value, k int, rule string) {
	d.found(finding{
		code: codes.FieldRemoved, rule: rule, at: d.here(), path: d.pathOf(v) + step(m, k),
		wrong: wrongField, done: doneField,
	})
}

// refusedNames records the members of v with one of some names, which the provider refuses.
func (d *decoder) refusedNames(v jsonscan.Value, names *jsonscan.Names, rule string) {
	for k, m := range v.All() {
		if names.Has(m.Key()) {
			d.refusedMember(v, m, k, rule)
		}
	}
}

// here returns the position of the message being read.
func (d *decoder) here() preflight.Position {
	return preflight.At(len(d.r.Messages))
}

// found records a finding about the message being read, which has to be encoded again.
func (d *decoder) found(f finding) {
	if id, ok := d.r.format.rules[f.rule]; ok {
		f.rule = id
	}
	d.r.findings = append(d.r.findings, f)
	d.mend = true
}

// path returns the path of the message being read.
func (d *decoder) path() string {
	return d.r.listPath(d.index)
}

// pathOf returns the path of v, which is the value being read or is inside it. The cost does not
// depend on the length of the lists on the way.
func (d *decoder) pathOf(v jsonscan.Value) string {
	path, from, depth := d.path(), d.value, 0
	for _, s := range d.way {
		path, depth = d.pathTo(path, from, s.list, depth)
		path = indexed(path, s.index)
		from = s.element
	}
	path, _ = d.pathTo(path, from, v, depth)
	return path
}

// pathTo continues path, which is that of v, to target, which is v or inside it, and returns the
// depth there, too. It goes on from the last target at each depth, so that asking for all values of
// a long list in order is linear.
func (d *decoder) pathTo(path string, v, target jsonscan.Value, depth int) (string, int) {
	for ; v.Exists() && v.Start() < target.Start(); depth++ {
		at := stop{list: v, element: v.First()}
		if depth < len(d.last) && d.last[depth].list == v &&
			d.last[depth].element.Start() <= target.Start() {
			at = d.last[depth]
		}
		for at.element.Exists() && at.element.End() <= target.Start() {
			at.element = at.element.Next()
			at.index++
		}
		child := at.element
		if !child.Exists() || child.Start() > target.Start() {
			break // the target is a key
		}
		if depth == len(d.last) || d.last[depth] != at { // what was found inside another is no help
			d.last = append(d.last[:depth], at)
		}
		if v.Kind() == jsonscan.Array {
			path = indexed(path, at.index)
		} else {
			path += step(child, at.index)
		}
		v = child
	}
	return path, depth
}

// eachElement calls read for every element of a list.
func (d *decoder) eachElement(list jsonscan.Value, read func(jsonscan.Value)) {
	d.way = append(d.way, stop{list: list})
	here := len(d.way) - 1
	for e := list.First(); e.Exists(); e = e.Next() {
		d.way[here].element = e
		read(e)
		d.way[here].index++
	}
	d.way = d.way[:here]
}

// message reads one element of the list. ok is false when it holds no message.
func (d *decoder) message(v jsonscan.Value) (m preflight.Message, ok bool) {
	d.value = v
	switch v.Kind() {
	case jsonscan.Object:
		// of items and steps, most have no role
		if list := d.r.format.list; !v.Has("role") && list != "input" {
			if m, ok := d.foreignMessage(v); ok {
				return m, true
			}
		}
		if m, ok := d.chatMessage(v); ok {
			return m, true
		}
		if d.r.format.name == openAIResponses && d.needlessApproval(v) {
			d.leaveOut()
			return m, false
		}
		return d.r.format.decode(d, v), true
	case jsonscan.Null, jsonscan.True, jsonscan.False, jsonscan.Number:
		d.shape(v, "", "the message is not an object", "removed a message that is not an object")
		d.leaveOut()
		return m, false
	}
	d.shape(v, "", "the message is not an object",
		"wrapped a value that is not an object in a user message")
	m.Role, m.Native = preflight.RoleUser, d.native(v)
	m.Parts = []preflight.Part{&preflight.Text{Text: textOf(v)}}
	return m, true
}

// leaveOut excludes the element of the last finding from the messages.
func (d *decoder) leaveOut() {
	d.r.findings[len(d.r.findings)-1].at = preflight.Position{}
	d.mend, d.r.dropped = false, true
}

// text returns the string at key of v. A value of another kind is read as its JSON text; null
// counts as absent.
func (d *decoder) text(v jsonscan.Value, key string) string {
	s := v.Get(key)
	switch s.Kind() {
	case jsonscan.Absent, jsonscan.Null, jsonscan.String:
		return s.Str()
	}
	d.shape(v, key, "the value is not a string", "wrote a value as a string")
	return textOf(s)
}

// passage is text for members that hold prose; from is as for prose.
func (d *decoder) passage(v jsonscan.Value, key string, from jsonscan.Value) string {
	if s := v.Get(key); s.Kind() == jsonscan.String {
		return d.prose(s, from)
	}
	return d.text(v, key)
}

// textPart returns the string v as a part that carries c, whose native JSON is from.
func (d *decoder) textPart(c preflight.Carried, v, from jsonscan.Value) *preflight.Text {
	return d.texts.one(preflight.Text{Carried: c, Text: d.prose(v, from)})
}

// textBlock reads a block of text, which carries c.
func (d *decoder) textBlock(c preflight.Carried, v jsonscan.Value) *preflight.Text {
	t := v.Get("text")
	if t.Kind() != jsonscan.String {
		d.shape(v, "text", "the text is not a string", "wrote a text as a string")
		if hasValue(t) {
			return d.texts.one(preflight.Text{Carried: c, Text: textOf(t)})
		}
	}
	return d.textPart(c, t, v)
}

// reset makes the decoder ready for another body, keeping its memory.
func (d *decoder) reset(r *Request) {
	d.slabs.reset()
	clear(d.way[:cap(d.way)])
	*d = decoder{r: r, index: -1, way: d.way[:0], slabs: d.slabs}
}

// textOf returns a value as text: a string's own, or its JSON.
func textOf(v jsonscan.Value) string {
	if v.Kind() == jsonscan.String {
		return v.Str()
	}
	return string(v.Raw())
}

// roleIn returns the role of a message: one of the constants for the usual spellings, because the
// comparison of others reads the body's memory.
func roleIn(v jsonscan.Value) preflight.Role {
	role := v.Get("role").Str()
	for _, r := range [...]preflight.Role{
		preflight.RoleAssistant, preflight.RoleUser, preflight.RoleTool, preflight.RoleSystem,
	} {
		if role == string(r) {
			return r
		}
	}
	return preflight.Role(role)
}

// content reads the member content of v: a string, or a list of parts. Another value is a violation
// of rule.
func (d *decoder) content(v jsonscan.Value, rule string, part partReader) []preflight.Part {
	c := v.Get("content")
	switch c.Kind() {
	case jsonscan.Absent, jsonscan.Null:
		return nil
	case jsonscan.String:
		return d.oneProse(c)
	case jsonscan.Array:
		return d.list(c, part)
	case jsonscan.Object:
		if hasType(c) {
			d.repaired(c, "", rule,
				"the content is one part, not a list", "wrapped a single part in a list")
			if p := part(d, c); p != nil {
				return []preflight.Part{p}
			}
			return nil
		}
	}
	d.repaired(c, "", rule, "the content is neither text nor a list", "wrote the content as text")
	return []preflight.Part{&preflight.Text{Text: textOf(c)}}
}

// single returns a list of one part.
func (d *decoder) single(p preflight.Part) []preflight.Part {
	list := d.lists.take(1)
	list[0] = p
	return list
}

// oneText returns a list of one text, which was decoded from v.
func (d *decoder) oneText(text string, v jsonscan.Value) []preflight.Part {
	return d.single(d.texts.one(preflight.Text{Text: text, Carried: d.nativeOnly(v)}))
}

// oneProse returns a list of one text, the string v.
func (d *decoder) oneProse(v jsonscan.Value) []preflight.Part {
	return d.single(d.textPart(d.nativeOnly(v), v, v))
}

// both returns a list of the parts of a, and then those of b.
func (d *decoder) both(a, b []preflight.Part) []preflight.Part {
	switch {
	case len(a) == 0:
		return b
	case len(b) == 0:
		return a
	}
	out := d.lists.take(len(a) + len(b))
	copy(out[copy(out, a):], b)
	return out
}

// list reads a list of parts.
func (d *decoder) list(v jsonscan.Value, part partReader) []preflight.Part {
	parts := d.lists.take(v.Len())[:0]
	d.eachElement(v, func(e jsonscan.Value) {
		if hasType(e) {
			if p := part(d, e); p != nil {
				parts = append(parts, p)
			}
		} else if p := d.untyped(e); p != nil {
			parts = append(parts, p)
		}
	})
	return parts
}

// untyped reads an element of a list of parts that has no type, nil when it holds nothing.
func (d *decoder) untyped(v jsonscan.Value) preflight.Part {
	switch {
	case v.Kind() == jsonscan.Null:
		d.shape(v, "", "the part is null", "removed a part that is null")
		return nil
	case v.Kind() == jsonscan.Object:
		if p, ok := d.foreign(v); ok {
			return p
		}
	}
	if text := v.Get("text"); text.Kind() == jsonscan.String {
		d.shape(v, "", "the part has no type", "added the missing type to a text part")
		return &preflight.Text{Text: text.Str(), Carried: d.carried(v)}
	}
	d.shape(v, "", "the part is not an object with a type", "wrote a value that is not a part as text")
	return d.valueAsText(v)
}

// valueAsText reads a value that is no part as text.
func (d *decoder) valueAsText(v jsonscan.Value) preflight.Part {
	t := &preflight.Text{Text: textOf(v)}
	if v.Kind() == jsonscan.String {
		t.Native = d.native(v)
	}
	return t
}
