package wire

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/provider"
)

// This file writes messages back into a request body: what did not change keeps its bytes.

// Encode writes messages into the body: r.Messages, edited in place or not, or a changed copy.
// Messages and parts that agree with the JSON that they were decoded from keep their bytes, and so
// does the rest of the body. When nothing differs it returns the body that Decode got. The error is
// ErrEncode if the format cannot represent a part. The cost is that of Decode, and linear in
// the messages.
func (r *Request) Encode(messages []preflight.Message) ([]byte, error) {
	if r == nil || r.format == nil {
		return nil, wrongShape("", "a Request that Decode made")
	}
	if !r.verbatim && !r.private && len(r.Messages) > 0 {
		r, messages = r.again(messages)
	}
	if _, err := r.encode(messages); err != nil {
		return nil, err
	}
	return r.write()
}

// encoding is the result of encode.
type encoding struct {
	found []finding // repairs outside of the messages because of them
	items []item    // the elements of the list; nil when it did not change
	empty bool      // the list has no elements, and has to have some
	start [][]byte  // the first element in short, in pieces; see abridged
}

// write applies the edits that encode collected.
func (r *Request) write() ([]byte, error) {
	if r.edits.Len() == 0 {
		return r.body, nil
	}
	return r.edits.Apply(r.body)
}

// encode collects the edits that write messages into the body.
func (r *Request) encode(messages []preflight.Message) (encoding, error) {
	messages = r.layout(withoutNilParts(messages))
	if r.format.complete != nil && !r.isOwnSlice(messages) {
		messages = r.format.complete(r, messages)
	}
	e, top := &r.edits, &r.top
	e.Reset()
	top.Reset(r.root)
	listed, found, err := r.encodeSystem(top, messages)
	if err != nil {
		return encoding{}, err
	}
	items, changed, err := r.encodeList(listed)
	if err != nil {
		return encoding{}, err
	}
	switch {
	case !changed:
		items = nil
	case r.list.Kind() != jsonscan.Array:
		top.SetMember(r.format.list, r.plainList(listed, items))
	default:
		splice(e, r.list, r.body, items)
	}
	if r.format.finish != nil && r.whole() && !r.verbatim {
		found = append(found, r.format.finish(r, messages, top)...)
	}
	for _, c := range r.changes {
		c(e, top)
	}
	top.AppendTo(e)
	out := encoding{found: found, items: items}
	out.empty = len(listed) == 0 && r.format.systemBeside && r.State.Unknown == "" &&
		(r.untied || !r.format.unlisted(r.root))
	if len(items) > 0 && items[0].raw != nil {
		out.start = r.abridged(&listed[0])
	}
	return out, nil
}

// abridged returns the first message with two of its parts, in pieces, if that is enough to detect
// its format: if its parts are texts that were strings, which are all written alike. It is nil
// otherwise. Without it, a history that became one message would be scanned as a whole a second
// time.
func (r *Request) abridged(m *preflight.Message) [][]byte {
	if len(m.Parts) <= 2 || r.format.encodeFor != nil ||
		slices.ContainsFunc(m.Parts, func(p preflight.Part) bool {
			t, ok := p.(*preflight.Text)
			return !ok || t.Cache != nil || len(t.Native.JSON) > 0 && t.Native.JSON[0] != '"'
		}) {
		return nil
	}
	short := *m
	short.Parts = m.Parts[:2]
	raw, err := r.format.encode(nil, &short)
	if err != nil {
		return nil
	}
	return raw
}

// encodeRepaired is encode for a repaired history. A format that has the system prompt beside the
// list takes no empty list.
func (r *Request) encodeRepaired(messages []preflight.Message) (encoding, error) {
	encoded, err := r.encode(messages)
	if err == nil && encoded.empty {
		err = preflight.ErrEmptyHistory
	}
	return encoded, err
}

// isOwnSlice reports whether messages is the same slice as r.Messages.
func (r *Request) isOwnSlice(messages []preflight.Message) bool {
	return len(messages) == len(r.Messages) &&
		(len(messages) == 0 || &messages[0] == &r.Messages[0])
}

// withoutNilParts returns messages without nil parts, which a caller's history may hold.
func withoutNilParts(messages []preflight.Message) []preflight.Message {
	var out []preflight.Message
	for i := range messages {
		if parts := withoutNil(messages[i].Parts); len(parts) != len(messages[i].Parts) {
			if out == nil {
				out = slices.Clone(messages)
			}
			out[i].Parts = parts
		}
	}
	if out == nil {
		return messages
	}
	return out
}

// encodeList encodes the messages of the list.
func (r *Request) encodeList(messages []preflight.Message) (items []item, changed bool, err error) {
	if r.isUnchangedList(messages) {
		return nil, false, nil
	}
	items = make([]item, 0, len(messages))
	w := r.writer()
	var byText *matcher
	changed = r.dropped
	next := 0 // the source a message most likely has
	for next < len(r.sources) && r.sources[next].index < 0 {
		next++
	}
	for i := range messages {
		m := &messages[i]
		s := r.sourceOf(m, next)
		// a prefix mark is only valid on the last message
		lost := i < len(messages)-1 && m.Meta[provider.MetaPrefix] != nil
		if lost {
			unmarked := *m
			unmarked.Meta = nil
			m = &unmarked
		}
		if s >= 0 && r.sources[s].index >= 0 && !lost && r.same(s, m) {
			items = append(items, item{from: r.sources[s].index})
			changed = changed || s != next
			next = s + 1
			continue
		}
		changed = true
		it := item{from: -1}
		if s >= 0 {
			it.from, next = r.sources[s].index, s+1
		} else if m.Native.Format == r.format.name {
			if byText == nil {
				byText = newMatcher(r.list)
			}
			it.from = byText.find(m.Native.JSON)
		}
		w.begin(m, s)
		if it.raw, err = r.encodeMessage(w, m); err != nil {
			return nil, false, err
		}
		items = append(items, it)
	}
	return items, changed || next != len(r.sources), nil
}

// encodeMessage encodes one message in the body's format.
func (r *Request) encodeMessage(w *writer, m *preflight.Message) ([][]byte, error) {
	for _, p := range m.Parts {
		if err := refuseNested(p); err != nil {
			return nil, err
		}
	}
	if r.format.encodeFor != nil {
		return r.format.encodeFor(r, m)
	}
	return r.format.encode(w, m)
}

// refuseNested returns an error if a result holds a part that may not be inside one. It could hold
// itself.
func refuseNested(p preflight.Part) error {
	r, ok := p.(*preflight.ToolResult)
	if !ok {
		return nil
	}
	for _, inner := range r.Content {
		switch inner.(type) {
		case *preflight.ToolResult, *preflight.ToolCall, *preflight.Reasoning:
			return noForm(preflight.PartKind(inner) + " in a tool_result")
		}
	}
	return nil
}

// isUnchangedList reports whether messages are the decoded ones, in memory, and no finding requires
// a change.
func (r *Request) isUnchangedList(messages []preflight.Message) bool {
	n := len(messages)
	own := len(r.Messages) - n
	if len(r.findings) > 0 || n == 0 || own < 0 || &messages[0] != &r.Messages[own] ||
		r.sources[own].index != 0 {
		return false
	}
	return !slices.ContainsFunc(messages[:n-1], func(m preflight.Message) bool {
		return m.Meta[provider.MetaPrefix] != nil
	})
}

// plainList returns the new list for a body with a string or a message in its place, or with
// nothing: a string where the format has one and there is only the user's text.
func (r *Request) plainList(messages []preflight.Message, items []item) []byte {
	if r.format.plain && len(messages) == 1 && messages[0].Role == preflight.RoleUser {
		if t := plainText(messages[0].Parts); t != nil {
			return textToken(t)
		}
	}
	elements := make([][]byte, 0, len(items))
	for _, it := range items {
		raw := bytes.Join(it.raw, nil)
		switch {
		case it.raw != nil:
		case r.listsOne():
			raw = r.list.Raw()
		default:
			raw = append(append([]byte(`{"role":"user","content":`), r.list.Raw()...), '}')
		}
		elements = append(elements, raw)
	}
	return joined(elements)
}

// same reports whether m is unchanged since it was decoded from source s, so that its bytes can be
// kept.
func (r *Request) same(s int, m *preflight.Message) bool {
	was := &r.Messages[s]
	if r.sources[s].mend || m.Role != was.Role || m.ID != was.ID || m.Name != was.Name ||
		len(m.Parts) != len(was.Parts) || !sameJSON(m.Native.JSON, was.Native.JSON) ||
		!bytes.Equal(m.Meta[provider.MetaPrefix], was.Meta[provider.MetaPrefix]) {
		return false
	}
	for j := range m.Parts {
		if m.Parts[j] != was.Parts[j] {
			return false
		}
	}
	return true
}

// sourceOf finds the source of a message by the identity of its JSON, -1 if there is none. guess is
// tried first.
func (r *Request) sourceOf(m *preflight.Message, guess int) int {
	if m.Native.Format != r.format.name && m.Native.Format != foreignFormat ||
		len(m.Native.JSON) == 0 {
		return -1
	}
	if guess < len(r.sources) && sameJSON(r.Messages[guess].Native.JSON, m.Native.JSON) {
		return guess
	}
	return r.elementOf(m.Native.JSON)
}

// elementOf finds the source that begins where native does, in the same memory, -1 if there is
// none.
func (r *Request) elementOf(native []byte) int {
	if r.byNative == nil {
		r.byNative = make(map[*byte]int, len(r.sources))
		for s := range r.sources {
			if n := r.Messages[s].Native.JSON; len(n) > 0 {
				r.byNative[&n[0]] = s
			}
		}
	}
	if s, ok := r.byNative[&native[0]]; ok {
		return s
	}
	return -1
}

// sameJSON compares by identity: the same bytes of the same body.
func sameJSON(a, b json.RawMessage) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}
