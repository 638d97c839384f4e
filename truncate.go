package preflight

import (
	"slices"
	"unicode/utf8"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file shortens the payloads of provider-executed tools: the results a provider replays for hundreds of kilobytes
// after the model has read them once.

// TruncateProviderExecuted shortens every string longer than Options.MaxString in the results of provider-executed tools
// (unless Options.KeepOutputs says no) and, when Options.TruncateInputs says so, in their inputs. A shortened string ends
// in "… [truncated, original length: N]", which the limit includes, so that truncating again changes nothing. Keys, order,
// numbers, short strings and the spelling of what stays of a long one are kept byte for byte.
//
// Never touched: web_search and web_fetch payloads, whose encrypted parts the provider verifies; anything under a key that
// says it is encrypted, redacted or a signature; base64; the inputs of calls that are still running.
//
// Inputs are off by default because they are dangerous: a model sees its own past arguments as examples, and was observed to
// copy the marker into new calls, that is into the files and messages it writes.
var TruncateProviderExecuted = Fixer{
	Name:   "truncate-provider-executed",
	Doc:    "shortens long strings in the payloads of provider-executed tools",
	repair: truncateProviderExecuted,
}

func truncateProviderExecuted(d *draft) {
	if d.policy.MaxString <= 0 || !d.holdsServerResult() {
		return
	}
	c := d.policy.cutter(d.policy.MaxString)
	d.eachPair(serverSide, func(call *ToolCall, r *ToolResult, from, to place) {
		if isSealedResult(r, call) {
			return
		}
		if !d.policy.KeepOutputs {
			if short := c.result(r); short != nil {
				d.replace(to.node, int(to.origin.part), short,
					note{code: CodeTruncated, id: r.CallID, detail: "shortened long strings in a provider-executed result"})
			}
		}
		if call == nil || !d.policy.TruncateInputs {
			return
		}
		if short := c.raw(call.Input); short != nil {
			d.replace(from.node, int(from.origin.part), edited(call, func(x *ToolCall) { x.Input = short }),
				note{code: CodeTruncated, id: call.ID, detail: "shortened long strings in a provider-executed call"})
		}
	})
}

// holdsServerResult reports whether any tool of the provider's has answered.
func (d *draft) holdsServerResult() bool {
	for i := range d.nodes {
		if slices.ContainsFunc(d.nodes[i].Parts, func(p Part) bool { return serverResult(p) != nil }) {
			return true
		}
	}
	return false
}

// eachPair calls f with each result of one side and the call it answers, with their places in the draft; the call is nil when
// there is none.
func (d *draft) eachPair(of side, f func(call *ToolCall, result *ToolResult, from, to place)) {
	p := &d.pairs
	p.ofDraft(d)
	defer p.release()
	p.survey(of)
	p.assign()
	for r := range p.results {
		ref := &p.results[r]
		to := place{ref.node, origin{int32(ref.node), int32(ref.part)}}
		if ref.call == none {
			f(nil, ref.result, place{}, to)
			continue
		}
		c := &p.calls[ref.call]
		f(c.call, ref.result, place{c.node, origin{int32(c.node), int32(c.part)}}, to)
	}
}

// isSealedResult reports whether the provider verifies the whole of a result; call may be nil.
func isSealedResult(r *ToolResult, call *ToolCall) bool {
	if !r.ProviderExecuted {
		return false
	}
	return isSealed(r.Variant) || isSealed(r.Name) || call != nil && isSealed(call.Name)
}

// result is r with its long strings shortened and its structure kept, nil when there are none.
func (c cutter) result(r *ToolResult) *ToolResult {
	return withPayload(r, c.raw(r.Output), c.content(r.Content))
}

// withPayload is r with another output and content, where there are any; nil when there are none.
func withPayload(r *ToolResult, output []byte, content []Part) *ToolResult {
	if output == nil && content == nil {
		return nil
	}
	return edited(r, func(x *ToolResult) {
		if output != nil {
			x.Output = output
		}
		if content != nil {
			x.Content = content
		}
	})
}

// content is parts with the long texts among them shortened, nil when there are none.
func (c cutter) content(parts []Part) []Part {
	var out []Part
	for k, p := range parts {
		t, ok := p.(*Text)
		if !ok || isBase64Text(t.Text) {
			continue
		}
		if short, cut := c.text(t.Text); cut {
			if out == nil {
				out = append([]Part(nil), parts...)
			}
			out[k] = edited(t, func(x *Text) { x.Text = short })
		}
	}
	return out
}

// raw shortens the strings of a JSON value; nil when none is too long, or when it is no JSON.
func (c cutter) raw(raw []byte) []byte {
	if c.limit <= 0 || len(raw) <= c.limit {
		return nil
	}
	doc, err := jsonscan.Parse(raw)
	if err != nil {
		return nil
	}
	var edits jsonscan.Edits
	c.value(doc.Root(), &edits)
	return applied(&edits, raw)
}

// applied is raw with edits made to it, nil when there are none.
func applied(edits *jsonscan.Edits, raw []byte) []byte {
	if edits.Len() == 0 {
		return nil
	}
	out, err := edits.Apply(nil, raw)
	if err != nil {
		return nil // cannot be: the edits are of this document, and apart from each other
	}
	return out
}

// value collects the edits. The scanner's limit on nesting bounds the depth.
func (c cutter) value(v jsonscan.Value, edits *jsonscan.Edits) {
	switch v.Kind() {
	case jsonscan.String:
		c.token(v, edits)
	case jsonscan.Array:
		for e := v.First(); e.Exists(); e = e.Next() {
			c.value(e, edits)
		}
	case jsonscan.Object:
		for m := v.First(); m.Exists(); m = m.Next() {
			if !isSealedMember(v, m) {
				c.value(m, edits)
			}
		}
	}
}

// token shortens one string where it stands: what stays of it keeps its spelling, escapes and all.
func (c cutter) token(v jsonscan.Value, edits *jsonscan.Edits) {
	if v.End()-v.Start()-2 <= c.limit {
		return // escapes never make a text longer than its spelling
	}
	s := v.Str()
	if isBase64Text(s) {
		return
	}
	if keep, tail, cut := c.split(s); cut {
		edits.Replace(v.Start()+spelled(v.Raw(), keep), v.End()-1, []byte(tail))
	}
}

// spelled is the offset in token, a JSON string with its quotes, at which the first n bytes of its text end.
func spelled(token []byte, n int) int {
	k := 1
	for text := 0; text < n; {
		if token[k] != '\\' {
			k, text = k+1, text+1
			continue
		}
		size, units := spelledEscape(token[k:])
		k, text = k+size, text+units
	}
	return k
}

// spelledEscape is the length of the escape that raw starts with, and of the text it stands for.
func spelledEscape(raw []byte) (size, text int) {
	const short, long = 2, 6 // \n and \u00e9
	if raw[1] != 'u' {
		return short, 1
	}
	r := hex4(raw[2:])
	if 0xD800 <= r && r < 0xDC00 && len(raw) >= 2*long && raw[long] == '\\' && raw[long+1] == 'u' {
		if low := hex4(raw[long+2:]); 0xDC00 <= low && low < 0xE000 {
			return 2 * long, 4
		}
	}
	if 0xD800 <= r && r < 0xE000 {
		return long, 3
	}
	return long, utf8.RuneLen(r)
}

// hex4 is the number that the first four characters of raw, hexadecimal digits, spell.
func hex4(raw []byte) rune {
	var r rune
	for _, c := range raw[:4] {
		switch {
		case c <= '9':
			c -= '0'
		case c <= 'F':
			c -= 'A' - 10
		default:
			c -= 'a' - 10
		}
		r = r<<4 | rune(c)
	}
	return r
}
