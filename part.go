package preflight

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/filetype"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file holds what fixers and Check ask of single parts.

// isNil reports whether p is nil, a nil pointer of one of the part types, or of another type, which
// only embeds a part.
func isNil(p Part) bool {
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
	if c, ok := p.(*ToolCall); ok && c != nil && !c.ProviderExecuted {
		return c
	}
	return nil
}

// clientResult returns p as the result of such a call, nil if it is anything else.
func clientResult(p Part) *ToolResult {
	if r, ok := p.(*ToolResult); ok && r != nil && !r.ProviderExecuted {
		return r
	}
	return nil
}

// serverCall returns p as a provider-executed call, nil if it is anything else.
func serverCall(p Part) *ToolCall {
	if c, ok := p.(*ToolCall); ok && c != nil && c.ProviderExecuted {
		return c
	}
	return nil
}

// serverResult returns p as a provider-executed result, nil if it is anything else.
func serverResult(p Part) *ToolResult {
	if r, ok := p.(*ToolResult); ok && r != nil && r.ProviderExecuted {
		return r
	}
	return nil
}

// signed reports whether p is reasoning the provider can verify.
func signed(p Part) bool {
	r, ok := p.(*Reasoning)
	return ok && r != nil && r.Signed()
}

// blank reports whether s holds nothing but white space, as unicode.IsSpace sees it.
func blank(s string) bool {
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
	if len(r.Content) == 1 && len(r.Output) == 0 {
		if t, ok := r.Content[0].(*Text); ok && t != nil && !t.isEmpty() {
			return t.whole()
		}
	}
	var b strings.Builder
	b.Write(r.Output)
	for _, p := range r.Content {
		if t, ok := p.(*Text); ok && t != nil {
			if b.Len() > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(t.whole())
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
		return ok && a.whole() == b.whole()
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

// nestable reports whether a part may be inside a tool result.
func nestable(p Part) bool {
	if isNil(p) {
		return false
	}
	switch p.(type) {
	case *Text, *Media, *Other:
		return true
	}
	return false
}

// makeWellFormed removes nil parts, and replaces parts that may not be inside a tool result by
// their text.
func makeWellFormed(d *draft) {
	for i := range d.nodes {
		for j, p := range d.nodes[i].Parts {
			if isNil(p) {
				d.warn(d.position(i, j), note{
					code: codes.NilRemoved, problem: problems.NilPart, detail: "removed a nil part",
				}, Tally{}, Tally{})
				d.takePart(i, j)
			} else if r, ok := p.(*ToolResult); ok && !allNestable(r.Content) {
				flat := edited(r, func(x *ToolResult) { x.Content = flatten(r) })
				d.replace(i, j, flat, note{
					code: codes.NestingRemoved, problem: problems.Nested, id: r.CallID,
					detail: "replaced parts that a tool result may not hold by their text",
				})
			}
		}
	}
	d.commit()
}

func allNestable(content []Part) bool {
	return !slices.ContainsFunc(content, func(p Part) bool { return !nestable(p) })
}

// flatten returns the content of a result, with parts that may not be inside one replaced by their
// text, if they have any. The text of a result that is nested several times, or inside itself, is
// returned once.
func flatten(r *ToolResult) []Part {
	seen := map[*ToolResult]bool{r: true}
	out := make([]Part, 0, len(r.Content))
	for _, p := range r.Content {
		if nestable(p) {
			out = append(out, p)
		} else if text := deepText(p, seen); text != "" {
			out = append(out, &Text{Text: text})
		}
	}
	return out
}

// deepText returns all text and arguments in a part, at any depth, in order, without the results in
// seen, to which it adds. It keeps its own stack, because the nesting may be too deep for the
// goroutine's.
func deepText(part Part, seen map[*ToolResult]bool) string {
	var lines []string
	for stack := [][]Part{{part}}; len(stack) > 0; {
		top := len(stack) - 1
		if len(stack[top]) == 0 {
			stack = stack[:top]
			continue
		}
		p := stack[top][0]
		stack[top] = stack[top][1:]
		if isNil(p) {
			continue
		}
		text := ""
		switch p := p.(type) {
		case *Text:
			text = p.whole()
		case *Reasoning:
			text = p.whole()
		case *ToolCall:
			text = string(p.Input)
		case *ToolResult:
			if !seen[p] {
				seen[p] = true
				text = string(p.Output)
				stack = append(stack, p.Content)
			}
		}
		if text != "" {
			lines = append(lines, text)
		}
	}
	return strings.Join(lines, "\n")
}

// readParts checks that the history has no nil parts and no invalid nesting. It also records the
// roles and counts the parts.
func (c *checker) readParts() {
	c.roles = slices.Grow(c.roles, len(c.history))
	c.turns, c.calls, c.results = 0, 0, 0
	for i := range c.history {
		role := roleOf(&c.history[i])
		c.roles = append(c.roles, role)
		if role == RoleAssistant {
			c.turns++
		}
		for j, p := range c.history[i].Parts {
			if !c.count(p) {
				c.report(problems.NilPart, i, j, "", "the part is nil")
			} else if r, ok := p.(*ToolResult); ok && !c.countInner(r.Content) {
				c.report(problems.Nested, i, j, r.CallID,
					"the tool result holds a part that may not be inside one")
			}
		}
	}
}

// countInner counts the parts in a tool result. It stops and returns false at one that may not be
// there.
func (c *checker) countInner(content []Part) bool {
	for _, p := range content {
		if t, ok := p.(*Text); ok && t != nil {
			c.cached = c.cached || t.Cache != nil
		} else if !c.count(p) || !nestable(p) {
			return false
		}
	}
	return true
}

// partID returns the tool call id of a part, "" when it has none.
func partID(p Part) string {
	switch p := p.(type) {
	case *ToolCall:
		if p != nil {
			return p.ID
		}
	case *ToolResult:
		if p != nil {
			return p.CallID
		}
	}
	return ""
}

func isNoResult(part Part) bool { return clientResult(part) == nil }

func isClientResult(part Part) bool { return clientResult(part) != nil }

func isReasoning(part Part) bool {
	_, is := part.(*Reasoning)
	return is
}

// mcpVariant is the variant of calls that the provider sends to MCP servers, and of their results.
const mcpVariant = "mcp"

func isMCP(part Part) bool {
	switch part := part.(type) {
	case *ToolCall:
		return part.Variant == mcpVariant
	case *ToolResult:
		return part.Variant == mcpVariant
	}
	return false
}

// isSealed reports whether a part holds what the provider has signed or encrypted, or is of a kind
// that may.
func isSealed(p Part) bool {
	call, ok := p.(*ToolCall)
	_, other := p.(*Other)
	return signed(p) || other || ok && call != nil && call.Signature != ""
}

// isCallSigned reports whether part is a call with a signature made by the provider.
func isCallSigned(p *Profile, part Part) bool {
	call := clientCall(part)
	return call != nil && call.Signature != "" && call.Signature != p.Tools.CallSignature
}

// foreignSignature reports whether the provider cannot have made a signature, which has to go. It
// is false where reasoning needs a signature: there, reasoning with a foreign one is removed as a
// whole, and calls have no signatures.
func foreignSignature(p *Profile, signature string) bool {
	return !p.Reasoning.Signed && !p.Reasoning.SignatureAlphabet.Holds(signature)
}

// mediaKind returns the kind of media. What has none is of the kind that its type names, or else a
// document, as the encoders write it.
func mediaKind(m *Media) string { return filetype.Kind(m.Kind, m.MediaType) }

// isInline reports whether media holds its data.
func isInline(m *Media) bool { return m.Data != "" || strings.HasPrefix(m.URL, "data:") }

// holdsNothing reports whether media has neither data nor an address. Images that were decoded may
// have lost theirs; other media may have them in members that are not known.
func holdsNothing(m *Media) bool {
	empty := strings.HasPrefix(m.URL, "data:") && strings.HasSuffix(m.URL, ",")
	return m.Data == "" && m.FileID == "" && (m.URL == "" || empty) &&
		(len(m.Native.JSON) == 0 || mediaKind(m) == "image")
}
