package preflight

import (
	"slices"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/shorten"
)

// This file shortens the payloads of provider-executed tools, which can add hundreds of kilobytes
// to every later request although the model has read them once, and, when asked, older messages.

// TruncateProviderExecuted shortens every string longer than Options.MaxString in the results of
// provider-executed tools (unless Options.KeepOutputs is set) and, if Options.TruncateInputs is
// set, in their inputs. A shortened string has its beginning and its end, and between them the
// marker "… [truncated, original length: N] …", which counts towards the limit, so that truncating
// again changes nothing. With Options.HeadOnly the marker "… [truncated, original length: N]" is at
// the end. Keys, order, numbers, short strings and the spelling of the kept parts of a long string
// stay the same, byte for byte.
//
// It never changes web_search and web_fetch payloads, whose encrypted parts the provider verifies;
// values under a key that names them encrypted, redacted or a signature; base64; and the inputs of
// calls that are still running.
//
// Inputs are kept by default because shortening them is dangerous: a model takes its own earlier
// arguments as examples, and was observed to copy the marker into new calls, and so into the files
// and messages that it writes.
var TruncateProviderExecuted = truncateProviderExecutedFixer

var truncateProviderExecutedFixer = Fixer{
	Name:   "truncate-provider-executed",
	Doc:    "shortens long strings in the payloads of provider-executed tools",
	repair: truncateProviderExecuted,
}

func truncateProviderExecuted(d *draft) {
	if d.policy.MaxString <= 0 || !d.holdsServerResult() {
		return
	}
	c := newCutter(d.policy, d.policy.MaxString)
	c.HeadOnly = d.policy.HeadOnly
	d.eachPair(serverSide, func(call *ToolCall, r *ToolResult, from, to place) {
		if isOpaqueResult(r, call) {
			return
		}
		if !d.policy.KeepOutputs {
			if short := shortenedResult(c, r); short != nil {
				d.replace(to.node, to.part, short,
					note{
						code: codes.Truncated, id: r.CallID,
						detail: "shortened long strings in a provider-executed result",
					})
			}
		}
		if call == nil || !d.policy.TruncateInputs {
			return
		}
		if short := c.Strings(call.Input); short != nil {
			shortened := edited(call, func(x *ToolCall) { x.Input = short })
			d.replace(from.node, from.part, shortened, note{
				code: codes.Truncated, id: call.ID,
				detail: "shortened long strings in a provider-executed call",
			})
		}
	})
}

// holdsServerResult reports whether the draft holds the result of a provider-executed tool.
func (d *draft) holdsServerResult() bool {
	for i := range d.nodes {
		if slices.ContainsFunc(d.nodes[i].Parts,
			func(p Part) bool { return serverResult(p) != nil }) {
			return true
		}
	}
	return false
}

// eachPair calls f with each result of one side, the call it answers (nil when there is none), and
// their places in the draft.
func (d *draft) eachPair(of side, f func(call *ToolCall, result *ToolResult, from, to place)) {
	p := d.pairs
	p.setDraft(d)
	defer p.release()
	p.survey(of)
	p.assign()
	for r := range p.Results {
		ref := &p.Results[r]
		to := place{ref.Message, ref.Part}
		if ref.Call == none {
			f(nil, p.result(r), place{}, to)
			continue
		}
		c := &p.Calls[ref.Call]
		f(p.call(ref.Call), p.result(r), place{c.Message, c.Part}, to)
	}
}

// isOpaqueResult reports whether the provider verifies a result as a whole. call may be nil.
func isOpaqueResult(r *ToolResult, call *ToolCall) bool {
	if !r.ProviderExecuted {
		return false
	}
	return shorten.IsOpaque(r.Variant) || shorten.IsOpaque(r.Name) ||
		call != nil && shorten.IsOpaque(call.Name)
}

// shortenedResult returns r with its long strings shortened and its structure kept, or nil when it
// has no long strings.
func shortenedResult(c shorten.Cutter, r *ToolResult) *ToolResult {
	return withPayload(r, c.Strings(r.Output), shortenedContent(c, r.Content))
}

// withPayload returns r with the given output and content. A nil argument keeps the old value;
// withPayload returns nil when both are nil.
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

// shortenedContent returns parts with long texts shortened, or nil when there are none.
func shortenedContent(c shorten.Cutter, parts []Part) []Part {
	out, cut := mapped(parts, func(p Part) Part {
		t, ok := p.(*Text)
		if !ok || shorten.IsBase64Text(t.Text) {
			return p
		}
		short, cut := c.Text(t.Text)
		if !cut {
			return p
		}
		return edited(t, func(x *Text) { x.Text = short })
	})
	if !cut {
		return nil
	}
	return out
}

// newCutter returns a cutter with the caller's unit and boundary and this limit, which keeps both
// ends of a text. A limit of 0 or less shortens nothing.
func newCutter(o *Options, limit int) shorten.Cutter {
	c := shorten.Cutter{Limit: limit, Unit: o.Unit, Boundary: o.Boundary}
	if c.Boundary == nil {
		c.Boundary = shorten.GraphemeBoundary
	}
	return c
}

// The limits that a zero Older.MaxOutput or Older.MaxText selects.
const (
	defaultOlderOutput = 500
	defaultOlderText   = 10000
)

// Older limits how much of the older messages is kept. The zero value changes nothing.
//
// Shortening changes messages that were sent before: each time the window moves, some messages
// leave it and change, and a prompt cache misses from there on. With Block the window moves in
// steps, so that the cache misses once per Block messages and not with every request. For a model
// that binds reasoning to the content before it, reasoning after a shortened message is removed
// too.
type Older struct {
	// Keep is the number of messages at the end that are not shortened; 0 disables Older.
	Keep int `json:"keep,omitempty"`
	// Block rounds the number of older messages down to a multiple of Block; 0 and 1 do not round.
	Block int `json:"block,omitempty"`
	// MaxOutput is the limit of a tool result, in Options.Unit; 0 is 500, negative is no limit.
	MaxOutput int `json:"max_output,omitempty"`
	// MaxText is the limit of a text, in Options.Unit; 0 is 10000, negative is no limit.
	MaxText int `json:"max_text,omitempty"`
}

// truncateOlderFixer shortens texts and tool results of all but the last messages, as set by
// Options.Older. A text keeps its beginning and its end, with the marker of
// TruncateProviderExecuted between them. A result that is JSON keeps its structure: an object stays
// an object, small members stay, long strings share the remaining room, and a collection that still
// does not fit is replaced by a marker of its kind. Results of provider-executed tools keep their
// whole structure.
//
// It never changes system messages, arguments, reasoning, media, unknown parts, and values that
// TruncateProviderExecuted never changes. Truncating again changes nothing.
var truncateOlderFixer = Fixer{
	Name:   "truncate-older",
	Doc:    "shortens long texts and tool results of older messages (when asked)",
	repair: truncateOlder,
}

// first returns the index of the first of n messages that is not shortened.
func (o *Older) first(n int) int {
	if o.Keep <= 0 {
		return 0
	}
	n = max(n-o.Keep, 0)
	return n - n%max(o.Block, 1)
}

func truncateOlder(d *draft) {
	older := &d.policy.Older
	end := older.first(len(d.nodes))
	if end == 0 {
		return
	}
	outputs := newCutter(d.policy, orNumber(older.MaxOutput, defaultOlderOutput))
	texts := newCutter(d.policy, orNumber(older.MaxText, defaultOlderText))
	opaque := d.opaqueResults()
	for i := range end {
		if d.role(i) == RoleSystem {
			continue
		}
		for j, p := range d.nodes[i].Parts {
			switch p := p.(type) {
			case *Text:
				d.shortenText(i, j, p, texts, note{
					code:   codes.TruncatedOlder,
					detail: "shortened a long text of an older message",
				})
			case *ToolResult:
				if !opaque[p] {
					d.shortenResult(i, j, p, outputs, note{
						code:   codes.TruncatedOlder,
						detail: "shortened a tool result of an older message",
					})
				}
			}
		}
	}
}

func orNumber(n, fallback int) int {
	if n == 0 {
		return fallback
	}
	return n
}

// opaqueResults returns the provider-executed results that the provider verifies as a whole, or nil
// when there are none.
func (d *draft) opaqueResults() map[*ToolResult]bool {
	if !d.holdsServerResult() {
		return nil
	}
	var out map[*ToolResult]bool
	d.eachPair(serverSide, func(call *ToolCall, r *ToolResult, _, _ place) {
		if isOpaqueResult(r, call) {
			if out == nil {
				out = make(map[*ToolResult]bool)
			}
			out[r] = true
		}
	})
	return out
}

// shortenText shortens part j of node i, a text, if it is over the limit.
func (d *draft) shortenText(i, j int, t *Text, c shorten.Cutter, n note) {
	if shorten.IsBase64Text(t.Text) {
		return
	}
	if short, cut := c.Text(t.Text); cut {
		d.replace(i, j, edited(t, func(x *Text) { x.Text = short }), n)
	}
}

// shortenResult shortens part j of node i, a tool result, if it is over the limit.
func (d *draft) shortenResult(i, j int, r *ToolResult, c shorten.Cutter, n note) {
	if short := fitResult(c, r); short != nil {
		n.id = r.CallID
		d.replace(i, j, short, n)
	}
}

// fitResult returns r with each of its texts and its output shortened to the limit, or nil when all
// of them fit.
func fitResult(c shorten.Cutter, r *ToolResult) *ToolResult {
	if r.ProviderExecuted {
		return shortenedResult(c, r)
	}
	return withPayload(r, c.Fit(r.Output), shortenedContent(c, r.Content))
}
