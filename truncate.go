package preflight

import (
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/shorten"
)

// This file shortens the payloads of provider-executed tools, which can add hundreds of kilobytes
// to every later request although the model has read them once.

// truncate returns the fixer that shortens strings longer than maxString in the results of
// provider-executed tools and, if inputs is set, in their inputs. See fixer.Truncate.
func truncate(maxString int, headOnly, inputs bool, boundary func(string, int) int) Fixer {
	c := shorten.Cutter{Limit: maxString, Boundary: boundary, HeadOnly: headOnly}
	if boundary == nil {
		c.Boundary = shorten.GraphemeBoundary
	}
	f := Fixer{
		Name:   "truncate-provider-executed",
		repair: func(d *draft) { d.truncate(c, inputs) },
		always: maxString > 0,
		first:  true,
	}
	if boundary != nil {
		f.calls = "Truncate.Boundary"
	}
	return f
}

// truncate shortens results, and with inputs the inputs of calls, with c.
func (d *draft) truncate(c shorten.Cutter, inputs bool) {
	if c.Limit <= 0 || !d.servesTools() {
		return
	}
	p := d.pairs
	p.setDraft(d)
	defer p.release()
	p.survey(serverSide)
	p.Assign()
	for k := range p.Results {
		ref, r := &p.Results[k], p.result(k)
		var call *ToolCall
		if ref.Call != none {
			call = p.call(ref.Call)
		}
		if isOpaqueResult(r, call) {
			continue
		}
		if short := shortenedResult(c, r); short != r {
			d.replace(ref.Message, ref.Part, short, note{
				code: codes.Truncated, id: r.CallID,
				detail: "shortened long strings in a provider-executed result",
			})
		}
		if call == nil || !inputs {
			continue
		}
		if short := c.Strings(call.Input); short != nil {
			at := &p.Calls[ref.Call]
			shortened := edited(call, func(x *ToolCall) { x.Input = short })
			d.replace(at.Message, at.Part, shortened, note{
				code: codes.Truncated, id: call.ID,
				detail: "shortened long strings in a provider-executed call",
			})
		}
	}
}

// isOpaqueResult reports whether the provider verifies the whole result of a tool of its own. call
// may be nil.
func isOpaqueResult(r *ToolResult, call *ToolCall) bool {
	return shorten.IsOpaque(r.Variant) || shorten.IsOpaque(r.Name) ||
		call != nil && shorten.IsOpaque(call.Name)
}

// shortenedResult returns r with its long strings shortened and its structure kept, or r itself if
// it has no long strings.
func shortenedResult(c shorten.Cutter, r *ToolResult) *ToolResult {
	out := withContent(r, func(p Part) Part {
		t, ok := p.(*Text)
		if !ok {
			return p
		}
		text := t.whole()
		if shorten.IsBase64Text(text) {
			return p
		}
		short, cut := c.Text(text)
		if !cut {
			return p
		}
		return edited(t, func(x *Text) { x.Text = short })
	})
	if output := c.Strings(r.Output); output != nil {
		return edited(out, func(x *ToolResult) { x.Output = output })
	}
	return out
}
