package stored

import (
	"cmp"
	"slices"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/fixer"
	"github.com/go-preflight/preflight/internal/shorten"
)

// This file shortens texts and tool results, here of older messages.

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
	// MaxOutput is the limit of a tool result, in UTF-16 code units; 0 is 500, negative is no
	// limit.
	MaxOutput int `json:"max_output,omitempty"`
	// MaxText is the limit of a text, in UTF-16 code units; 0 is 10000, negative is no limit.
	MaxText int `json:"max_text,omitempty"`
	// Boundary returns where a text may be cut, as for fixer.Truncate.
	Boundary func(s string, n int) int `json:"-"`
}

// Fixer returns the fixer truncate-older, which shortens texts and tool results of all but the last
// messages. Add it to Options.Fixers of Sanitize, or to the Options of Persist.
//
// A text keeps its beginning and its end, with the marker of fixer.Truncate between them. A result
// that is JSON keeps its structure: an object stays an object, small members stay, long strings
// share the remaining room, and a collection that still does not fit is replaced by a marker of its
// kind. Results of provider-executed tools keep their whole structure.
//
// It never changes system messages, arguments, reasoning, media, unknown parts, and values that
// fixer.Truncate never changes. Truncating again changes nothing. The warnings have the code
// codes.TruncatedOlder. The cost is linear in the history.
func (o Older) Fixer() preflight.Fixer {
	return preflight.Fixer{
		Name: "truncate-older",
		Fix: func(
			history []preflight.Message, profile *preflight.Profile, _ preflight.Request,
		) ([]preflight.Message, []preflight.Warning) {
			return o.shorten(history, profile)
		},
	}
}

// first returns the index of the first of n messages that is not shortened.
func (o Older) first(n int) int {
	if o.Keep <= 0 {
		return 0
	}
	n = max(n-o.Keep, 0)
	return n - n%max(o.Block, 1)
}

func (o Older) shorten(
	history []preflight.Message, profile *preflight.Profile,
) ([]preflight.Message, []preflight.Warning) {
	edit := fixer.NewEditor(history)
	outputs := cutter(cmp.Or(o.MaxOutput, defaultOlderOutput), o.Boundary)
	texts := cutter(cmp.Or(o.MaxText, defaultOlderText), o.Boundary)
	older := history[:o.first(len(history))]
	callOf := callsOfServerResults(older, history, profile)
	for i, m := range older {
		if role, _ := m.Role.Neutral(); role == preflight.RoleSystem {
			continue
		}
		for j, p := range m.Parts {
			switch p := p.(type) {
			case *preflight.Text:
				if now := shortText(texts, p); now != p {
					edit.ReplacePart(i, j, now, codes.TruncatedOlder,
						"shortened a long text of an older message")
				}
			case *preflight.ToolResult:
				if now := shortResult(outputs, p, callOf[p]); now != p {
					edit.ReplacePart(i, j, now, codes.TruncatedOlder,
						"shortened a tool result of an older message")
				}
			}
		}
	}
	return edit.Result()
}

// callsOfServerResults returns the calls of history that provider-executed results answer, if
// there is such a result in the messages to shorten.
func callsOfServerResults(
	messages, history []preflight.Message, profile *preflight.Profile,
) map[*preflight.ToolResult]*preflight.ToolCall {
	served := slices.ContainsFunc(messages, func(m preflight.Message) bool {
		return slices.ContainsFunc(m.Parts, func(p preflight.Part) bool {
			r, ok := p.(*preflight.ToolResult)
			return ok && r != nil && r.ProviderExecuted
		})
	})
	if !served {
		return nil
	}
	callOf := make(map[*preflight.ToolResult]*preflight.ToolCall)
	for _, pair := range preflight.Pairs(history, profile) {
		r, isResult := pair.Part.(*preflight.ToolResult)
		if call, ok := pair.Counterpart.(*preflight.ToolCall); ok && isResult && r.ProviderExecuted {
			callOf[r] = call
		}
	}
	return callOf
}

// cutter returns a cutter that keeps both ends of a text. A limit below 1 shortens nothing.
func cutter(limit int, boundary func(string, int) int) shorten.Cutter {
	if boundary == nil {
		boundary = shorten.GraphemeBoundary
	}
	return shorten.Cutter{Limit: limit, Boundary: boundary}
}

// shortText returns a text shortened to the limit, or t itself if it fits. Base64 is kept.
func shortText(c shorten.Cutter, t *preflight.Text) *preflight.Text {
	if t == nil || shorten.IsBase64Text(t.Text) {
		return t
	}
	short, cut := c.Text(t.Text)
	if !cut {
		return t
	}
	now := *t
	now.Text = short
	return &now
}

// shortResult returns r with each of its texts and its output shortened to the limit, or r itself
// if all of them fit, or the provider verifies them. call is the call that r answers, or nil.
func shortResult(
	c shorten.Cutter, r *preflight.ToolResult, call *preflight.ToolCall,
) *preflight.ToolResult {
	if r == nil {
		return r
	}
	now := *r
	changed := false
	switch {
	case !r.ProviderExecuted:
		now.Output = c.Fit(r.Output)
	case shorten.IsOpaque(r.Variant), shorten.IsOpaque(r.Name),
		call != nil && shorten.IsOpaque(call.Name):
		return r
	default:
		now.Output = c.Strings(r.Output)
	}
	if changed = now.Output != nil; !changed {
		now.Output = r.Output
	}
	now.Content = slices.Clone(r.Content)
	for k, p := range r.Content {
		if t, ok := p.(*preflight.Text); ok {
			short := shortText(c, t)
			now.Content[k] = short
			changed = changed || short != t
		}
	}
	if !changed {
		return r
	}
	return &now
}
