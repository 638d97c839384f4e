package preflight

import (
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/shorten"
)

// Defaults of Older.
const (
	defaultOlderOutput = 500
	defaultOlderText   = 10000
)

// Older says how much of the older messages stays. The zero value leaves them alone.
//
// This rewrites messages that were sent before: each time the window moves on, the messages that
// leave it change, and a prompt cache misses from there on. Block makes the window move in steps,
// so that it misses once per Block messages and not on every request. On a model that binds
// reasoning to what stands before it, the reasoning behind a shortened message goes too.
type Older struct {
	// Keep is how many messages at the end stay whole; 0 switches the whole of it off.
	Keep int `json:"keep,omitempty"`
	// Block rounds the number of older messages down to a multiple of it; 0 and 1 do not.
	Block int `json:"block,omitempty"`
	// MaxOutput is the most that a tool result keeps, in Unit; 0 is defaultOlderOutput, negative is
	// no limit.
	MaxOutput int `json:"max_output,omitempty"`
	// MaxText is the most that a text keeps, in Unit; 0 is defaultOlderText, negative is no limit.
	MaxText int `json:"max_text,omitempty"`
}

// truncateOlderFixer shortens texts and tool results of all but the last messages, as Options.Older
// says. A result that is JSON keeps its structure: an object stays an object, small members stay,
// long strings share what is left, and a collection that does not fit even so becomes a marker of
// its kind. Results of provider-executed tools keep their structure entirely.
//
// Never touched: system messages, arguments, reasoning, media, unknown parts, and everything
// TruncateProviderExecuted leaves alone. Truncating again changes nothing.
var truncateOlderFixer = Fixer{
	Name:   "truncate-older",
	Doc:    "shortens long texts and tool results of older messages (when asked)",
	repair: truncateOlder,
}

// first is the index of the first of n messages that stays whole.
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
	sealed := d.opaqueResults()
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
				if !sealed[p] {
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

// opaqueResults are the provider-executed results whose payload the provider verifies as a whole;
// nil when there are none.
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

// shortenText shortens part j of node i, a text, if there is anything to do.
func (d *draft) shortenText(i, j int, t *Text, c shorten.Cutter, n note) {
	if shorten.IsBase64Text(t.Text) {
		return
	}
	if short, cut := c.Text(t.Text); cut {
		d.replace(i, j, edited(t, func(x *Text) { x.Text = short }), n)
	}
}

// shortenResult fits part j of node i, a tool result, if there is anything to do.
func (d *draft) shortenResult(i, j int, r *ToolResult, c shorten.Cutter, n note) {
	if short := fitResult(c, r); short != nil {
		n.id = r.CallID
		d.replace(i, j, short, n)
	}
}

// fitResult is r with its texts and its output fitted into the limit, each of them; nil when they
// do.
func fitResult(c shorten.Cutter, r *ToolResult) *ToolResult {
	if r.ProviderExecuted {
		return shortenedResult(c, r)
	}
	return withPayload(r, c.Fit(r.Output), shortenedContent(c, r.Content))
}
