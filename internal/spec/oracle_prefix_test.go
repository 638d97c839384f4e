package spec

import (
	"slices"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/preflighttest/histgen"
	"github.com/go-preflight/preflight/provider"
)

// This file is the part of the oracle that knows which messages must not change as a history grows.

// blocks is a history as the provider's prompt cache sees it: one line per part, without cache
// breakpoints, and without the borders between messages of one role.
func blocks(h []preflight.Message) []string {
	var out []string
	for _, m := range h {
		for _, p := range m.Parts {
			out = append(out, string(m.Role)+" "+describe(p, 1<<30))
		}
	}
	return out
}

// countBlocks is how many blocks there are.
func countBlocks(h []preflight.Message) (n int) {
	for _, m := range h {
		n += len(m.Parts)
	}
	return n
}

// fixedPart is the part of the output for a shorter history that the output for a longer one has to
// begin with: all before the last assistant turn, and the system messages and placeholders in front
// of it. An assistant turn that was made of parts out of other people's messages (strays) does not
// count: it is there only as long as it is the last. Where the longer history brings a result for
// an earlier call, only what comes before that call's turn is fixed.
func fixedPart(
	short []preflight.Message,
	longer preflight.Result,
	suffix []preflight.Message,
	g given,
	strays map[string]int,
) []string {
	p, long := g.effective(), longer.Messages
	cut := len(short) - 1
	all := exchanges(short, p.Turns.Joined())
	for k := len(all) - 1; k > 0; k-- {
		cut = all[k].start
		if !slices.ContainsFunc(
			partsOf(all[k].turn),
			func(part preflight.Part) bool { return strays[histgen.Tag(part)] > 0 },
		) {
			break
		}
	}
	if g.options.Request.Thinking == provider.ThinkingOff {
		cut = min(cut, loopStart(short, p))
	}
	cut = leadIn(short, cut)
	sent := blocks(short[:cut])
	if cut > 0 { // the user's message may have taken in a turn that was appended
		for _, part := range slices.Backward(short[cut-1].Parts) {
			if _, text := part.(*preflight.Text); !text || histgen.Tag(part) != "" {
				break
			}
			sent = sent[:len(sent)-1]
		}
	}
	now := exchanges(long, p.Turns.Joined())
	until := func(cut int) { sent = sent[:min(len(sent), countBlocks(long[:leadIn(long, cut)]))] }
	if g.options.Trailing == preflight.TrailingStrip && len(now) > 1 {
		// where the last turn is stripped, an earlier one is the open one
		until(now[len(now)-1].start)
	}
	late := map[string]bool{}
	for _, part := range partsOf(suffix) {
		for _, mark := range marks(part, g.options.Duplicates) {
			late[mark] = true
		}
	}
	for k, x := range now {
		if len(x.turn) > 0 && answeredLate(x, late, g.options.Duplicates) {
			for k > 1 && apart(g.in, longer.Warnings, now[k].turn) {
				k-- // a turn that was taken apart is one turn
			}
			if k > 1 &&
				slices.ContainsFunc(
					partsOf(now[k].turn),
					func(part preflight.Part) bool { return strays[histgen.Tag(part)] > 0 },
				) {
				// it parts somebody's message, which may hold results of the turn before
				until(now[k-1].start + len(now[k-1].turn))
			} else {
				until(now[k].start)
			}
			break
		}
	}
	return sent
}

// loopStart is where the turn that is not over starts, with the rounds of tools that led to it:
// while thinking is off, it has no reasoning. An appended user turn does not end it.
func loopStart(h []preflight.Message, p *preflight.Profile) int {
	if n := len(h); n > 0 && len(h[n-1].Parts) > 0 && isInserted(h[n-1]) {
		h = h[:n-1]
	}
	all := exchanges(h, p.Turns.Joined())
	if k := loopOf(all); k < len(all) {
		return all[k].start
	}
	return len(h)
}

// apart reports whether a turn holds a call that was taken out of the turn before it, where the
// model makes one at a time.
func apart(in []preflight.Message, warnings []preflight.Warning, turn []preflight.Message) bool {
	return slices.ContainsFunc(warnings, func(w preflight.Warning) bool {
		return w.Code == codes.CallsSplit &&
			byTag(turn, histgen.Tag(in[w.At.Message()].Parts[w.At.Part()])) != nil
	})
}

// leadIn moves a cut in front of what comes before a turn for its sake: system messages, also where
// they have become the user's because no turn follows them yet, and a placeholder for the user.
func leadIn(h []preflight.Message, cut int) int {
	for cut > 0 && len(h[cut-1].Parts) > 0 &&
		(spelledRole(h[cut-1].Role) == preflight.RoleSystem || isInserted(h[cut-1]) ||
			strings.HasPrefix(histgen.Tag(h[cut-1].Parts[0]), "s") || isSetting(h[cut-1].Parts[0])) {
		cut--
	}
	return cut
}

// isSetting reports whether a part is a kind that only system messages hold.
func isSetting(p preflight.Part) bool {
	o, ok := p.(*preflight.Other)
	return ok && o != nil && o.Kind == "tool_addition"
}

// isInserted reports whether a message is a text that preflight made.
func isInserted(m preflight.Message) bool {
	_, text := m.Parts[0].(*preflight.Text)
	return text && len(m.Parts) == 1 && histgen.Tag(m.Parts[0]) == ""
}

// answeredLate reports whether a turn that is not late itself holds, or is answered by, a result
// that came late, or what became of it where the model knows no tools.
func answeredLate(x exchange, late map[string]bool, duplicates preflight.Duplicates) bool {
	results := leadingResults(x.after, skipNothing)
	for _, part := range partsOf(x.turn) {
		if r := asResult(part, true); r != nil {
			results = append(results, r)
		}
	}
	said := func(p preflight.Part) bool {
		_, text := p.(*preflight.Text)
		tag := histgen.Tag(p)
		// of a result, or of a placeholder
		return text && late[tag] && (tag[0] == 'y' || tag[0] == 'p')
	}
	return slices.ContainsFunc(partsOf(x.after), said) ||
		slices.ContainsFunc(results, func(r *preflight.ToolResult) bool {
			return slices.ContainsFunc(
				marks(r, duplicates),
				func(mark string) bool { return late[mark] },
			)
		})
}

// marks are what a part can be known by: its tag and, where a result may have been merged into
// another, what is in it: its output, and the tags of its content, or its text where that has
// none.
func marks(part preflight.Part, duplicates preflight.Duplicates) []string {
	out := []string{histgen.Tag(part)}
	if r, ok := part.(*preflight.ToolResult); ok && r != nil &&
		merging(duplicates) {
		out = append(out, string(r.Output))
		for _, c := range r.Content {
			t, text := c.(*preflight.Text)
			if tag := histgen.Tag(c); tag != "" || !text || t == nil {
				out = append(out, tag)
			} else {
				out = append(out, t.Text)
			}
		}
	}
	return slices.DeleteFunc(out, func(mark string) bool { return mark == "" })
}

// merging reports whether a policy merges different results of one call, which is the default.
func merging(policy preflight.Duplicates) bool {
	return policy == "" || policy == preflight.DuplicateMerge
}
