package spec

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/preflighttest/histgen"
)

// This file is the property that no real result disappears. It reads ids and words alone, and
// shares no code with the matcher or with the fixers.

// proveResultsStay: what a real result says that has a call, by its id, is in a result of the
// output. Left out are placeholders, errors, results of a call with one that cannot be merged, what
// a policy other than merging gives up, results of what is no call since it is not the assistant's,
// results of a lost call whose id later calls have again, and further results that a warning names where the provider verifies reasoning: a call cannot be
// repeated without it.
func proveResultsStay(t *rapid.T, g given) {
	if !merging(g.options.Duplicates) || g.profile.Tools.NoTools ||
		g.overrides() {
		return
	}
	res, err := g.sanitize(g.in)
	if err != nil {
		return
	}
	called := map[string]bool{}
	for _, c := range callsOf(partsOf(authored(g.in)), false) {
		called[c.ID] = true
	}
	said, removed := wordsOfResults(res.Messages), removedResults(g.in, g.profile, res)
	for _, p := range partsOf(g.in) {
		r := asResult(p, false)
		if r == nil || r.IsError || isStandIn(r) || strings.TrimSpace(r.CallID) == "" ||
			!called[r.CallID] || otherTools(g, r) || besideLone(g.in, r) || ofLostCall(g.in, r) {
			continue
		}
		for _, c := range r.Content {
			x, ok := c.(*preflight.Text)
			if ok && x != nil && utf8.ValidString(x.Text) && !withoutText(x.Text) &&
				!strings.Contains(x.Text, "\x00") &&
				!slices.ContainsFunc(said, func(s string) bool {
					return strings.Contains(s, histgen.Tag(x)+":"+x.Text)
				}) &&
				!repeated(g.in, r) && !removed[r] {
				t.Fatalf("the result %s has a call, and what it said is gone: "+
					"%q\nin:\n%s\nout:\n%s\nwarnings: %s", histgen.Tag(r), x.Text, dump(g.in),
					dump(res.Messages), list(res.Warnings))
			}
		}
	}
}

// removedResults returns the results of h that a warning says were removed because their calls have
// others, if the provider verifies reasoning.
func removedResults(
	h []preflight.Message, p *preflight.Profile, res preflight.Result,
) map[*preflight.ToolResult]bool {
	removed := map[*preflight.ToolResult]bool{}
	for _, w := range res.Warnings {
		if w.Code == codes.ResultRemoved && w.Ambiguous && w.At.Part() >= 0 && p.Reasoning.Signed {
			removed[asResult(h[w.At.Message()].Parts[w.At.Part()], false)] = true
		}
	}
	return removed
}

// besideLone reports whether a result of the same id has an object as its output, in a variant of
// its own: such a result holds nothing else.
func besideLone(h []preflight.Message, r *preflight.ToolResult) bool {
	return slices.ContainsFunc(partsOf(h), func(p preflight.Part) bool {
		o := asResult(p, false)
		return o != nil && o.CallID == r.CallID && o.Variant != "" &&
			strings.HasPrefix(string(o.Output), "{")
	})
}

// ofLostCall reports whether a result is before all calls of its id, and the first of them has a
// result of its own: agents use ids again in every turn, and the call of this result was cut off
// with the head of the history. It is no answer of a call that came later.
func ofLostCall(h []preflight.Message, r *preflight.ToolResult) bool {
	calls, own := 0, 0
	for _, p := range partsOf(authored(h)) {
		of := asResult(p, false)
		if of == r && calls > 0 {
			return false
		}
		if c, ok := p.(*preflight.ToolCall); ok && isClientCall(c) && c.ID == r.CallID {
			if own > 0 {
				return true
			}
			calls++
		} else if of != nil && calls > 0 && of.CallID == r.CallID && !isStandIn(of) {
			own++
		}
	}
	return own > 0 && own >= calls // otherwise one of several calls, in one turn, has none
}

// otherTools reports whether names count, and no call of a result's id has its name.
func otherTools(g given, r *preflight.ToolResult) bool {
	return g.profile.Pairing.ByName &&
		!slices.ContainsFunc(callsOf(partsOf(authored(g.in)), false),
			func(c *preflight.ToolCall) bool { return c.ID == r.CallID && c.Name == r.Name })
}

// repeated reports whether another result says the same in other parts: one of the two is a copy.
func repeated(h []preflight.Message, r *preflight.ToolResult) bool {
	words := func(r *preflight.ToolResult) string {
		out := fmt.Sprint(string(r.Output), "\x00")
		for _, c := range r.Content {
			if x, ok := c.(*preflight.Text); ok && x != nil {
				out += x.Text + "\x00"
			}
		}
		return out
	}
	return slices.ContainsFunc(partsOf(h), func(p preflight.Part) bool {
		o := asResult(p, false)
		return o != nil && o != r && words(o) == words(r)
	})
}

// wordsOfResults lists the texts in the results of a history, each with its tag, and the texts of
// users.
func wordsOfResults(h []preflight.Message) []string {
	var out []string
	for _, p := range partsOf(h) {
		if x, ok := p.(*preflight.Text); ok && x != nil {
			out = append(out, x.Text)
		}
		if r := asResult(p, false); r != nil {
			for _, c := range r.Content {
				if x, ok := c.(*preflight.Text); ok && x != nil {
					out = append(out, histgen.Tag(x)+":"+x.Text)
				}
			}
		}
	}
	return out
}
