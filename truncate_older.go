package preflight

import (
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/shorten"
)

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
// Options.Older. A result that is JSON keeps its structure: an object stays an object, small
// members stay, long strings share the remaining room, and a collection that still does not fit is
// replaced by a marker of its kind. Results of provider-executed tools keep their whole structure.
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
