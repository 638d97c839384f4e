package wire

import (
	"slices"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file is a fast path of the encoders: a message is edited where it is in the body, and parts
// that did not change since they were decoded keep their JSON, without parsing and comparing it. It
// relies on parts being as they were decoded, so it is only for histories that no function of the
// caller has seen.

// writer writes the messages of one request. The nil writer has no fast path.
type writer struct {
	r      *Request
	source int            // that the message being written was decoded from, -1 if there is none
	role   preflight.Role // of the message being written
	seen   int            // the source of the last unchanged part
	next   int            // the index after that part

	element jsonscan.Value // of a list, which the part being written was decoded from; see place
	room    [][]byte       // see pieces
}

// nearParts is how far after the last unchanged part the next one is looked for. Parts that are
// further away are compared by their JSON.
const nearParts = 16

// writer returns a writer of r's messages, nil if the caller may have changed their parts.
func (r *Request) writer() *writer {
	if !r.private {
		return nil
	}
	r.out = writer{r: r, source: -1, seen: -1}
	return &r.out
}

// begin makes m the message to write, which was decoded from source, -1 for none.
func (w *writer) begin(m *preflight.Message, source int) {
	if w != nil {
		w.source, w.role = source, m.Role
	}
}

// open is openObject for the object of a message or part. If that is in the body and known, it is
// edited there and not parsed again.
func (w *writer) open(
	native preflight.Native, format, template string, kinds ...string,
) (*object, *member) {
	if v := w.place(native, format); v.Kind() == jsonscan.Object && isKind(v.Get("type"), kinds) {
		o := &object{v: v, src: w.r.body, from: v.Start(), to: v.End(), w: w}
		o.open = o.one[:0]
		return o, o.add(&o.first, v)
	}
	o, m := openObject(native, format, template, kinds...)
	o.w = w
	return o, m
}

// block returns p as a block: as textBlock has it, or else as the function block writes it.
func (w *writer) block(
	p preflight.Part, block func(preflight.Part) ([][]byte, error),
) ([][]byte, error) {
	if raw := w.textBlock(p); raw != nil {
		return raw, nil
	}
	return block(p)
}

// textBlock returns a text that was a string by itself as a block, nil for any other part.
func (w *writer) textBlock(p preflight.Part) [][]byte {
	t, ok := p.(*preflight.Text)
	if !ok || w == nil || w.r.format.textBlock[0] == nil || t.Cache != nil ||
		t.Native.Format != w.r.format.name || len(t.Native.JSON) == 0 || t.Native.JSON[0] != '"' {
		return nil
	}
	return w.pieces(w.r.format.textBlock[0], textToken(t), w.r.format.textBlock[1])
}

// pieces returns a list of pieces in memory that many lists share.
func (w *writer) pieces(pieces ...[]byte) [][]byte {
	const most = 1 << 16
	if cap(w.room)-len(w.room) < len(pieces) {
		w.room = make([][]byte, 0, max(len(pieces), min(2*cap(w.room), most)))
	}
	start := len(w.room)
	w.room = append(w.room, pieces...)
	return w.room[start:len(w.room):len(w.room)]
}

// place returns the value in the body that native is the JSON of, if that is the message being
// written or an element of one of its lists.
func (w *writer) place(native preflight.Native, format string) jsonscan.Value {
	switch {
	case w == nil || native.Format != format || len(native.JSON) == 0:
	case sameJSON(native.JSON, w.element.Raw()):
		return w.element
	case w.source >= 0 && sameJSON(native.JSON, w.r.Messages[w.source].Native.JSON):
		return w.r.sources[w.source].value
	}
	return jsonscan.Value{}
}

// at tells the writer which element of a list in src the next part was decoded from.
func (w *writer) at(src []byte, element jsonscan.Value) {
	if w == nil {
		return
	}
	if w.element = element; !sameJSON(src, w.r.body) { // the part was parsed again, by itself
		w.element = jsonscan.Value{}
	}
}

// unchanged reports whether p is a part of a message of the same role as it was decoded, so that
// its JSON can be kept. It may say no for a part that is.
func (w *writer) unchanged(p preflight.Part) bool {
	return w != nil && w.r.format.partsKeep && complete(p) && w.asDecoded(p) &&
		w.r.Messages[w.seen].Role == w.role
}

// asDecoded reports whether p is a part of a message as it was decoded from what is written as it
// is. It may say no for a part that is.
func (w *writer) asDecoded(p preflight.Part) bool {
	if w == nil {
		return false
	}
	k := slices.Index(w.partsNear(p), p)
	if k < 0 {
		return false
	}
	w.next += k + 1
	return true
}

// partsNear returns the parts of the message that p was decoded from, those that p is likely to be
// one of. There are none if that message is not written as it is.
func (w *writer) partsNear(p preflight.Part) []preflight.Part {
	native := nativeOf(p)
	if native.Format != w.r.format.name {
		return nil
	}
	s := w.sourceAround(native.JSON)
	if s < 0 || w.r.sources[s].mend {
		return nil
	}
	if s != w.seen {
		w.seen, w.next = s, 0
	}
	parts := w.r.Messages[s].Parts[w.next:]
	return parts[:min(len(parts), nearParts)]
}

// keepsContent reports whether a result has the content that it was decoded with, so that the JSON
// of that can be kept. It may say no for a result that has.
func (w *writer) keepsContent(r *preflight.ToolResult) bool {
	if w == nil || !w.r.format.partsKeep || len(r.Output) > 0 || len(r.Content) == 0 ||
		!completeTexts(r.Content) {
		return false
	}
	return slices.ContainsFunc(w.partsNear(r), func(p preflight.Part) bool {
		was, ok := p.(*preflight.ToolResult)
		return ok && sameJSON(was.Native.JSON, r.Native.JSON) && slices.Equal(was.Content, r.Content)
	})
}

// complete reports whether a part is a text, reasoning, call or result with all required fields.
// The encoders add missing members, and convert calls of other kinds.
func complete(p preflight.Part) bool {
	switch p := p.(type) {
	case *preflight.Text:
		return !isEmptyText(p)
	case *preflight.Reasoning:
		return !isWordless(p) && p.Signature != "" && p.Opaque == ""
	case *preflight.ToolCall:
		return p.ID != "" && p.Name != "" && len(p.Input) > 0 && p.Variant == ""
	case *preflight.ToolResult:
		return p.CallID != "" && p.Variant == "" && len(p.Content) > 0 && completeTexts(p.Content)
	}
	return false
}

// completeTexts reports whether parts are texts, none of them empty.
func completeTexts(parts []preflight.Part) bool {
	for _, p := range parts {
		if t, ok := p.(*preflight.Text); !ok || isEmptyText(t) {
			return false
		}
	}
	return true
}

// sourceAround returns the source of the message that holds raw, a piece of the body, -1 if there
// is none.
func (w *writer) sourceAround(raw []byte) int {
	at, ok := jsonscan.OffsetIn(w.r.body, raw)
	if !ok {
		return -1
	}
	holds := func(s int) bool {
		v := w.r.sources[s].value
		return v.Start() <= at && at < v.End()
	}
	for _, s := range [...]int{w.source, w.seen, w.seen + 1} { // most likely
		if s >= 0 && s < len(w.r.sources) && holds(s) {
			return s
		}
	}
	listed := w.r.sources
	for len(listed) > 0 && listed[0].index < 0 {
		listed = listed[1:]
	}
	s, exact := slices.BinarySearchFunc(listed, at, func(s source, at int) int {
		return s.value.Start() - at
	})
	if !exact {
		s--
	}
	if s += len(w.r.sources) - len(listed); s < 0 || !holds(s) {
		return -1
	}
	return s
}
