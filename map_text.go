package preflight

import (
	"encoding/json"

	"github.com/go-preflight/preflight/internal/respell"
	"github.com/go-preflight/preflight/internal/shorten"
)

// This file applies a function to all text of a message, for redaction.

// MapText returns m with f applied to all text in it: texts, the content and outputs of tool
// results, the arguments of calls, reasoning, titles of media, documents in plain text, and the
// content of unknown parts. Of JSON it maps the string values, not the keys; a string that holds
// JSON is mapped inside. The JSON that parts were decoded from is mapped with them, so that no text
// is left there.
//
// What a provider verifies is kept: signed and opaque reasoning, signatures, and the results of web
// searches that the provider ran; VerifiedText returns those that f would change. So are names,
// ids, metadata, addresses and the data of media. Parts that a tool result may not hold, such as
// another result, are replaced by their text. The rest of a request is not in its messages: in
// package wire, neither the declared tools nor members such as metadata and user are mapped.
//
// A hook can be as short as
//
//	func(_ context.Context, m Message) (Message, error) { return MapText(m, redact), nil }
//
// f is called once for each text, in order, and also for the copies in native JSON; it has to be
// pure. m is not changed: changed parts are new values, and m itself is returned when f changes
// nothing. The cost is linear in m, apart from f.
func MapText(m Message, f func(string) string) Message {
	m.Parts, _ = mapped(m.Parts, func(p Part) Part { return mapPart(p, f) })
	m.Native = mapNative(m.Native, f)
	return m
}

// VerifiedText returns the parts of m that MapText keeps although f would change text in them,
// because the provider verifies them: signed reasoning, and the results of web searches that it
// ran. They cannot be edited; a hook that must not send them removes them. The cost is that of
// MapText.
func VerifiedText(m Message, f func(string) string) []Part {
	var kept []Part
	for _, p := range m.Parts {
		if !isNil(p) && verified(p) && (mapCopy(p, f) != p || holdsMapped(p.carried().Native, f)) {
			kept = append(kept, p)
		}
	}
	return kept
}

// holdsMapped reports whether f changes a string in the JSON of a verified part.
func holdsMapped(native Native, f func(string) string) bool {
	return len(native.JSON) > 0 && !sameBytes(respell.Data(native.JSON, f), native.JSON)
}

// mapPart maps the text of a part. It returns p itself if nothing changes.
func mapPart(p Part, f func(string) string) Part {
	if isNil(p) || verified(p) {
		return p
	}
	return mapCopy(p, f)
}

// mapCopy maps the text of a part, whether or not it is verified.
func mapCopy(p Part, f func(string) string) Part {
	c := copyPart(p)
	changed := false
	text := func(s *string) {
		if now := f(*s); now != *s {
			*s, changed = now, true
		}
	}
	data := func(raw *json.RawMessage) {
		if len(*raw) == 0 {
			return
		}
		if now := respell.Data(*raw, f); string(now) != string(*raw) {
			*raw, changed = now, true
		}
	}
	switch c := c.(type) {
	case *Text:
		text(&c.Text)
	case *Reasoning:
		text(&c.Text)
	case *ToolCall:
		data(&c.Input)
	case *ToolResult:
		data(&c.Output)
		if !allNestable(c.Content) { // it may hold itself
			c.Content, changed = flatten(p.(*ToolResult)), true
		}
		content, here := mapped(c.Content, func(p Part) Part { return mapPart(p, f) })
		c.Content, changed = content, changed || here
	case *Media:
		text(&c.Name)
	}
	carried := c.carried()
	if native := mapNative(carried.Native, f); !sameBytes(native.JSON, carried.Native.JSON) {
		carried.Native, changed = native, true
	}
	if !changed {
		return p
	}
	return c
}

func mapNative(native Native, f func(string) string) Native {
	if len(native.JSON) > 0 {
		native.JSON = respell.Native(native.JSON, f)
	}
	return native
}

// verified reports whether the provider verifies the content of a part.
func verified(p Part) bool {
	if r, ok := p.(*ToolResult); ok && r.ProviderExecuted {
		return shorten.IsOpaque(r.Variant) || shorten.IsOpaque(r.Name)
	}
	return signed(p)
}
