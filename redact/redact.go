// Package redact applies a function to the text of messages, to keep secrets out of requests and
// stores. A hook that redacts every message is as short as
//
//	func(_ context.Context, m preflight.Message) (preflight.Message, error) {
//		return redact.Message(m, redacted), nil
//	}
package redact

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/respell"
	"github.com/go-preflight/preflight/internal/shorten"
)

// Message returns m with f applied to all text in it: texts, the content and outputs of tool
// results, the arguments of calls, reasoning, titles of media, documents in plain text, and the
// content of unknown parts. Of arguments and outputs, which are JSON, it maps the string values,
// not the keys. A text that holds JSON is mapped as any other, and, if f leaves it as it is,
// inside. The JSON that parts were decoded from is mapped with them, so that no text is left there.
//
// What a provider verifies is kept: signed and opaque reasoning, signatures, and the results of web
// searches that the provider ran; Verified returns those that f would change. So are names, ids,
// metadata, addresses and the data of media. Parts that a tool result may not hold, such as another
// result, are replaced by their text. The rest of a request is not in its messages: in package
// wire, neither the declared tools nor members such as metadata and user are mapped.
//
// f is called for each text, in order, for the texts inside it, and also for the copies in native
// JSON, so it must return the same for equal texts. A panic in f passes to the caller, and in a
// hook it is the hook's. m is not changed: changed parts are new values, and m itself is returned
// when f changes nothing. The cost is linear in m, apart from f.
func Message(m preflight.Message, f func(string) string) preflight.Message {
	m.Parts, _ = mapped(m.Parts, f)
	m.Native = mapNative(m.Native, f)
	return m
}

// Verified returns the parts of m that Message keeps although f would change text in them, because
// the provider verifies them: signed reasoning, and the results of web searches that it ran. They
// cannot be edited; a hook that must not send them removes them from the Parts. Outside of a hook,
// clear the Native of m then, which holds them, too. The cost is that of Message, and a panic in f
// passes to the caller as there.
func Verified(m preflight.Message, f func(string) string) []preflight.Part {
	var kept []preflight.Part
	for _, p := range m.Parts {
		if verified(p) && (mapPart(p, f) != p || holdsMapped(preflight.CarriedBy(p).Native, f)) {
			kept = append(kept, p)
		}
	}
	return kept
}

// holdsMapped reports whether f changes a string in the JSON of a verified part.
func holdsMapped(native preflight.Native, f func(string) string) bool {
	return len(native.JSON) > 0 && !bytes.Equal(respell.Data(native.JSON, f), native.JSON)
}

// mapped returns parts with f applied to the text of those that the provider does not verify, in a
// new slice, or parts itself and false if f changes nothing.
func mapped(parts []preflight.Part, f func(string) string) (out []preflight.Part, changed bool) {
	out = parts
	for k, p := range parts {
		if verified(p) || preflight.CarriedBy(p) == nil {
			continue // a value that is no part may be one that cannot be compared
		}
		now := mapPart(p, f)
		if now == p {
			continue
		}
		if !changed {
			out, changed = append([]preflight.Part(nil), parts...), true
		}
		out[k] = now
	}
	return out, changed
}

// mapPart maps the text of a part, whether or not it is verified. It returns p itself if nothing
// changes.
func mapPart(p preflight.Part, f func(string) string) preflight.Part {
	var e edit
	e.f = f
	switch p := p.(type) {
	case *preflight.Text:
		return kept(&e, p, func(c *preflight.Text) { e.text(&c.Text) })
	case *preflight.Reasoning:
		return kept(&e, p, func(c *preflight.Reasoning) { e.text(&c.Text) })
	case *preflight.ToolCall:
		return kept(&e, p, func(c *preflight.ToolCall) { e.data(&c.Input) })
	case *preflight.ToolResult:
		return kept(&e, p, func(c *preflight.ToolResult) { e.result(p, c) })
	case *preflight.Media:
		return kept(&e, p, func(c *preflight.Media) { e.text(&c.Name) })
	case *preflight.Other:
		return kept(&e, p, func(*preflight.Other) {})
	}
	return p
}

// edit applies f to the texts of one part.
type edit struct {
	f       func(string) string
	changed bool
}

// kept returns a copy of p with change and the native JSON mapped, or p if nothing changes.
func kept[P any, PP interface {
	*P
	preflight.Part
}](e *edit, p PP, change func(PP)) preflight.Part {
	if p == nil {
		return p
	}
	c := *p
	change(&c)
	carried := preflight.CarriedBy(PP(&c))
	native, cache := mapNative(carried.Native, e.f), carried.Cache
	if len(cache) > 0 { // as it is in the native JSON
		cache = respell.Native(cache, e.f)
	}
	if bytes.Equal(native.JSON, carried.Native.JSON) && bytes.Equal(cache, carried.Cache) &&
		!e.changed {
		return p
	}
	carried.Native, carried.Cache = native, cache
	return PP(&c)
}

func (e *edit) text(s *string) {
	if now := respell.Text(*s, e.f); now != *s {
		*s, e.changed = now, true
	}
}

func (e *edit) data(raw *json.RawMessage) {
	if len(*raw) == 0 {
		return
	}
	if now := respell.Data(*raw, e.f); !bytes.Equal(now, *raw) {
		*raw, e.changed = now, true
	}
}

// result maps the copy of a result.
func (e *edit) result(r, c *preflight.ToolResult) {
	e.data(&c.Output)
	if slices.ContainsFunc(c.Content, nests) { // it may hold itself
		c.Content, e.changed = flat(r).Content, true
	}
	content, changed := mapped(c.Content, e.f)
	c.Content, e.changed = content, e.changed || changed
}

// flat returns a result without the parts that may not be in it.
func flat(r *preflight.ToolResult) *preflight.ToolResult {
	out, _ := preflight.Fixer{}.Apply([]preflight.Message{{Parts: []preflight.Part{r}}}, nil, nil)
	return out[0].Parts[0].(*preflight.ToolResult)
}

// nests reports whether a part may not be in a result.
func nests(p preflight.Part) bool {
	switch p.(type) {
	case *preflight.Text, *preflight.Media, *preflight.Other:
		return false
	}
	return true
}

func mapNative(native preflight.Native, f func(string) string) preflight.Native {
	if len(native.JSON) > 0 {
		native.JSON = respell.Native(native.JSON, f)
	}
	return native
}

// verified reports whether the provider verifies the content of a part.
func verified(p preflight.Part) bool {
	switch p := p.(type) {
	case *preflight.ToolResult:
		return p != nil && p.ProviderExecuted &&
			(shorten.IsOpaque(p.Variant) || shorten.IsOpaque(p.Name))
	case *preflight.Reasoning:
		return p.Signed()
	}
	return false
}
