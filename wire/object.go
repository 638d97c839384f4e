package wire

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file edits a JSON object so that it agrees with a message or part. Every setter compares
// first and does nothing when the member agrees already. So an untouched part keeps its bytes,
// and a changed one keeps its unknown members, their order, white space and the spelling of
// numbers.
//
//	part       {"type":"text","text":"a","new":1}, decoded, and its text changed to "b"
//	written    {"type":"text","text":"b","new":1}

// object is one JSON object under edit.
type object struct {
	v     jsonscan.Value
	src   []byte
	from  int // where the object is in src
	to    int
	w     *writer // of the message that it is in; nil for none
	edits jsonscan.Edits
	open  []*member // this object and the ones inside it that are edited too
	err   error
	short bool // the native JSON was a string, the text of a part in short form

	// What nearly every edit needs, so that it comes with the object: three allocations less for
	// each part.
	first member
	one   [1]*member
}

// member is an object within the one under edit; it shares its edits.
type member struct {
	v jsonscan.Value
	o jsonscan.ObjectEdit
}

// parsedObject is an object that is parsed by itself, not with the body.
type parsedObject struct {
	object
	doc jsonscan.Doc
}

// openObject starts an edit of native if that is an object of the format and its type is one of
// kinds or missing; otherwise of template, which gives the order of members in new objects. Without
// kinds any object will do.
func openObject(
	native preflight.Native, format, template string, kinds ...string,
) (*object, *member) {
	parsed := &parsedObject{object: object{src: native.JSON}}
	o, doc := &parsed.object, &parsed.doc
	if native.Format == format && len(native.JSON) > 0 {
		if o.short = native.JSON[0] == '"'; !o.short && doc.Parse(native.JSON) == nil {
			o.v = doc.Root()
		}
	}
	if o.v.Kind() != jsonscan.Object || !isKind(o.v.Get("type"), kinds) {
		o.src = []byte(template)
		_ = doc.Parse(o.src) // templates are valid
		o.v = doc.Root()
	}
	o.to = len(o.src)
	o.open = o.one[:0]
	return o, o.add(&o.first, o.v)
}

func isKind(v jsonscan.Value, kinds []string) bool {
	return len(kinds) == 0 || v.Kind() != jsonscan.String || oneOf(v, kinds...)
}

// member starts an edit of v, an object somewhere in o.
func (o *object) member(v jsonscan.Value) *member { return o.add(new(member), v) }

func (o *object) add(m *member, v jsonscan.Value) *member {
	m.v = v
	m.o.Reset(v)
	o.open = append(o.open, m)
	return m
}

// pieces returns the edited object in pieces, so that long texts are copied only once, into the new
// body: when a history became one message, three copies were the largest use of memory.
func (o *object) pieces() ([][]byte, error) {
	if err := o.collect(); err != nil || o.edits.Len() == 0 {
		return onePiece(o.src[o.from:o.to:o.to]), err
	}
	return o.edits.Pieces(o.src, o.from, o.to)
}

// collect gathers the edits of all members.
func (o *object) collect() error {
	for _, m := range o.open {
		m.o.AppendTo(&o.edits)
	}
	return o.err
}

// text sets member key to the string want.
func (m *member) text(key, want string) {
	if !m.v.Get(key).StrIs(want) || m.v.Get(key).Kind() != jsonscan.String {
		m.o.SetMember(key, quoted(want))
	}
}

// optional is text for a member that is left out when want is "".
func (m *member) optional(key, want string) {
	v := m.v.Get(key)
	if want != "" {
		m.text(key, want)
	} else if v.Kind() == jsonscan.String && !v.StrIs("") {
		m.o.DeleteMember(key)
	}
}

// textOrNone is optional for a member whose value the reader takes for text whatever its kind.
func (m *member) textOrNone(key, want string) {
	v := m.v.Get(key)
	isText := !v.Exists() || v.Kind() == jsonscan.Null || v.Kind() == jsonscan.String
	if want == "" && !isText {
		m.o.DeleteMember(key)
		return
	}
	m.optional(key, want)
}

// raw sets member key to the JSON value want, or to a string when want is not JSON.
func (m *member) raw(key string, want []byte) {
	v := m.v.Get(key)
	if v.Exists() && bytes.Equal(v.Raw(), want) {
		return
	}
	if !valueOf(want).Exists() {
		want = quoted(string(want))
	}
	m.o.SetMember(key, want)
}

// flag sets member key to a boolean. A false one may be left out.
func (m *member) flag(key string, want bool) {
	switch have, _ := m.v.Get(key).Bool(); {
	case have == want:
	case want:
		m.o.SetMember(key, []byte("true"))
	default:
		m.o.SetMember(key, []byte("false"))
	}
}

// drop deletes members.
func (m *member) drop(keys ...string) {
	for _, key := range keys {
		if m.v.Has(key) {
			m.o.DeleteMember(key)
		}
	}
}

// cache sets or deletes the cache marker.
func (m *member) cache(want json.RawMessage) {
	v := m.v.Get("cache_control")
	switch {
	case want != nil:
		m.raw("cache_control", unrepeated(want))
	case v.Exists() && v.Kind() != jsonscan.Null:
		m.o.DeleteMember("cache_control")
	}
}

// content sets member key of m to a list of parts, or to a string for one plain text where there is
// no list already.
func (o *object) content(
	m *member, key string, parts []preflight.Part, block func(preflight.Part) ([][]byte, error),
) {
	v := m.v.Get(key)
	if v.Kind() == jsonscan.Array {
		o.spliceParts(v, parts, block)
		return
	}
	if t := plainText(parts); t != nil {
		if sameJSON(v.Raw(), t.Native.JSON) && o.w.asDecoded(t) {
			return
		}
		if !sameText(v, t) {
			m.o.SetMember(key, textToken(t))
		}
		return
	}
	if len(parts) == 0 && (!v.Exists() || v.Kind() == jsonscan.Null || v.StrIs("")) {
		return
	}
	m.o.SetPieces(key, o.list(parts, block))
}

// partList sets member key of m to a list of parts, or deletes a list that becomes empty.
func (o *object) partList(
	m *member, key string, parts []preflight.Part, block func(preflight.Part) ([][]byte, error),
) {
	v := m.v.Get(key)
	switch {
	case v.Kind() == jsonscan.Array && (len(parts) > 0 || v.Len() == 0):
		o.spliceParts(v, parts, block)
	case len(parts) > 0:
		m.o.SetPieces(key, o.list(parts, block))
	case hasValue(v):
		m.drop(key)
	}
}

// spliceParts edits the array v so that it holds parts.
func (o *object) spliceParts(
	v jsonscan.Value, parts []preflight.Part, block func(preflight.Part) ([][]byte, error),
) {
	match := newMatcher(v)
	items := make([]item, 0, len(parts))
	for _, p := range parts {
		native := nativeOf(p).JSON
		it := item{from: match.find(native)}
		if it.from >= 0 && o.w.unchanged(p) {
			items = append(items, it)
			continue
		}
		o.w.at(o.src, match.found(it.from))
		raw, err := o.w.block(p, block)
		if err != nil {
			o.err = err
			return
		}
		if it.from < 0 || !concatEqual(raw, native) {
			it.raw = raw
		}
		items = append(items, it)
	}
	splice(&o.edits, v, o.src, items)
}

// list returns a new array of parts, in pieces.
func (o *object) list(
	parts []preflight.Part, block func(preflight.Part) ([][]byte, error),
) [][]byte {
	out := append(make([][]byte, 0, 4*len(parts)+1), bracket)
	for k, p := range parts {
		raw, err := o.w.block(p, block)
		if err != nil {
			o.err = err
			return nil
		}
		if k > 0 {
			out = append(out, comma)
		}
		out = append(out, raw...)
	}
	return append(out, closing)
}

// plainText returns the text of parts that a string can hold: a single text without a cache marker
// that was not a block.
func plainText(parts []preflight.Part) *preflight.Text {
	if len(parts) != 1 {
		return nil
	}
	t, ok := parts[0].(*preflight.Text)
	if !ok || t.Cache != nil || len(t.Native.JSON) > 0 && t.Native.JSON[0] == '{' {
		return nil
	}
	return t
}

func quoted(s string) []byte {
	// with room for some escapes
	return jsonscan.AppendString(make([]byte, 0, len(s)+len(s)/16+2), s)
}

// valueOf returns the value that raw is the JSON of, Absent if it is no JSON.
func valueOf(raw []byte) jsonscan.Value {
	doc, _ := jsonscan.Parse(raw)
	return doc.Root()
}

// nativeOf returns the JSON that a part was decoded from, empty for a nil part.
func nativeOf(p preflight.Part) preflight.Native {
	if c := preflight.CarriedBy(p); c != nil {
		return c.Native
	}
	return preflight.Native{}
}

// cacheOf points to the cache marker of a part. That of a nil part is kept nowhere.
func cacheOf(p preflight.Part) *json.RawMessage {
	if c := preflight.CarriedBy(p); c != nil {
		return &c.Cache
	}
	return new(json.RawMessage)
}

func isNil(p preflight.Part) bool { return preflight.CarriedBy(p) == nil }

// withoutNil returns parts without the nil ones.
func withoutNil(parts []preflight.Part) []preflight.Part {
	if !slices.ContainsFunc(parts, isNil) {
		return parts
	}
	return slices.DeleteFunc(slices.Clone(parts), isNil)
}
