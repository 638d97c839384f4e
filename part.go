package preflight

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/go-preflight/preflight/internal/work"
)

// This file holds what fixers and Check ask of single parts.

// isNil reports whether p is nil, a nil pointer of one of the part types, or of another type, which
// only embeds a part.
func isNil(p Part) bool {
	work.Done()
	switch p := p.(type) {
	case nil:
		return true
	case *Text:
		return p == nil
	case *Reasoning:
		return p == nil
	case *ToolCall:
		return p == nil
	case *ToolResult:
		return p == nil
	case *Media:
		return p == nil
	case *Other:
		return p == nil
	default:
		return true
	}
}

// CarriedBy returns the fields that a part has besides its content, whatever its type; nil for a
// nil part. Do not write to those of a part that preflight was given or returned.
func CarriedBy(p Part) *Carried {
	if isNil(p) {
		return nil
	}
	return p.carried()
}

// CopyPart returns a shallow copy of a part: a new value of the same type, whose fields may be given
// other values. What the fields refer to, such as raw JSON and the content of a tool result, is
// shared with p and must not be written to. A part that is nil is returned as it is.
func CopyPart(p Part) Part {
	if isNil(p) {
		return p
	}
	switch p := p.(type) {
	case *Text:
		c := *p
		return &c
	case *Reasoning:
		c := *p
		return &c
	case *ToolCall:
		c := *p
		return &c
	case *ToolResult:
		c := *p
		return &c
	case *Media:
		c := *p
		return &c
	case *Other:
		c := *p
		return &c
	default:
		return p
	}
}

// edited returns a copy of p with change applied to it.
func edited[P any, PP interface {
	*P
	Part
}](p PP, change func(PP)) PP {
	c := *p
	change(&c)
	return &c
}

// mapped returns parts with change applied to each, in a new slice, or parts itself and false if
// change returns every part as it is.
func mapped(parts []Part, change func(Part) Part) (out []Part, changed bool) {
	for k, p := range parts {
		now := change(p)
		if now == p {
			continue
		}
		if !changed {
			out, changed = append([]Part(nil), parts...), true
		}
		out[k] = now
	}
	if !changed {
		return parts, false
	}
	return out, true
}

// withContent returns r with change applied to each part in it, or r itself if change returns every
// part as it is.
func withContent(r *ToolResult, change func(Part) Part) *ToolResult {
	content, changed := mapped(r.Content, change)
	if !changed {
		return r
	}
	return edited(r, func(x *ToolResult) { x.Content = content })
}

// clientCall returns p as a call that the caller's side runs, nil if it is anything else.
func clientCall(p Part) *ToolCall {
	if c, ok := p.(*ToolCall); ok && !c.ProviderExecuted {
		return c
	}
	return nil
}

// clientResult returns p as the result of such a call, nil if it is anything else.
func clientResult(p Part) *ToolResult {
	if r, ok := p.(*ToolResult); ok && !r.ProviderExecuted {
		return r
	}
	return nil
}

// serverCall returns p as a provider-executed call, nil if it is anything else.
func serverCall(p Part) *ToolCall {
	if c, ok := p.(*ToolCall); ok && c.ProviderExecuted {
		return c
	}
	return nil
}

// serverResult returns p as a provider-executed result, nil if it is anything else.
func serverResult(p Part) *ToolResult {
	if r, ok := p.(*ToolResult); ok && r.ProviderExecuted {
		return r
	}
	return nil
}

// signed reports whether p is reasoning the provider can verify.
func signed(p Part) bool {
	r, ok := p.(*Reasoning)
	return ok && r.Signed()
}

// blank reports whether s holds nothing but white space, as unicode.IsSpace sees it.
func blank(s string) bool {
	work.Done()
	for k := range len(s) {
		switch c := s[k]; {
		case c == ' ', '\t' <= c && c <= '\r':
		case c < utf8.RuneSelf:
			return false
		default:
			return strings.TrimSpace(s[k:]) == ""
		}
	}
	return true
}

// resultText returns the text of a result, for comparing results and for keeping an orphan as text.
// Nil parts are skipped.
func resultText(r *ToolResult) string {
	work.Done()
	if len(r.Content) == 1 && len(r.Output) == 0 {
		if t, ok := r.Content[0].(*Text); ok && t != nil && t.Text != "" {
			return t.Text
		}
	}
	var b strings.Builder
	b.Write(r.Output)
	for _, p := range r.Content {
		if t, ok := p.(*Text); ok && t != nil {
			if b.Len() > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(t.Text)
		}
	}
	return b.String()
}

// sameResult reports whether two results say the same.
func sameResult(a, b *ToolResult) bool {
	if a.IsError != b.IsError || len(a.Content) != len(b.Content) ||
		!bytes.Equal(a.Output, b.Output) {
		return false
	}
	for k := range a.Content {
		if !samePart(a.Content[k], b.Content[k]) {
			return false
		}
	}
	return true
}

// samePart reports whether two parts of tool results hold the same content; metadata is not
// compared.
func samePart(a, b Part) bool {
	if isNil(a) || isNil(b) {
		return isNil(a) && isNil(b)
	}
	switch a := a.(type) {
	case *Text:
		b, ok := b.(*Text)
		return ok && a.Text == b.Text
	case *Media:
		b, ok := b.(*Media)
		return ok && a.Kind == b.Kind && a.MediaType == b.MediaType && a.Data == b.Data &&
			a.URL == b.URL && a.FileID == b.FileID && a.Name == b.Name
	default:
		return a == b ||
			bytes.Equal(a.carried().Native.JSON, b.carried().Native.JSON) &&
				len(a.carried().Native.JSON) > 0
	}
}
