package spec

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/preflighttest/histgen"
)

// This file proves G5: valid content and real results are kept.

// proveLeastLoss: text that can be sent is sent, in order; parts that need no repair are the
// caller's own.
func proveLeastLoss(t *rapid.T, g given) {
	res, err := g.sanitize(g.in)
	if err != nil {
		return
	}
	fail := g.failing(t, res)
	// from where on the assistant's text went, because the caller asked to strip its last turn
	stripped := len(g.in)
	for _, w := range res.Warnings {
		if w.Code == codes.TrailingStripped {
			stripped = min(stripped, w.At.Message())
		}
	}
	// parts whose cache breakpoint had to change, or that received one
	cached := map[preflight.Position]bool{}
	for _, w := range res.Warnings {
		switch w.Code {
		case codes.CacheMoved, codes.CacheRemoved, codes.CacheChanged, codes.TrailingTrimmed:
			cached[preflight.At(w.At.Message(), w.At.Part())] = true
		}
	}
	// system texts that went on to where they keep their rank: they are there, but later
	moved := map[string]bool{}
	for _, w := range res.Warnings {
		if w.Code == codes.SystemMoved {
			for _, p := range g.in[w.At.Message()].Parts {
				moved[histgen.Tag(p)] = true
			}
		}
	}
	kept, tags := pointers(res.Messages), tagCounts(g.in)
	var want []string
	for i, m := range g.in {
		for j, p := range m.Parts {
			x, ok := p.(*preflight.Text)
			if !ok || x == nil || withoutText(x.Text) ||
				i >= stripped && mayBeAssistant(m) ||
				spelledRole(m.Role) == preflight.RoleTool {
				continue // what a tool says is for results: see proveResultsStay
			}
			// The assistant's own text may go before or after its calls, and a part that is
			// there twice cannot be told from itself.
			if spelledRole(m.Role) != preflight.RoleAssistant && tags[histgen.Tag(p)] == 1 {
				want = append(want, histgen.Tag(p))
			}
			sound := utf8.ValidString(x.Text) && !strings.Contains(x.Text, "\x00") &&
				!(g.profile.Content.RefuseControls && strings.ContainsFunc(x.Text, isControl)) &&
				!(g.profile.Content.RefuseChannelTags && strings.Contains(x.Text, "<|channel|>"))
			if sound && kept[p] == 0 && !cached[preflight.At(i, j)] &&
				!receivedCache(p, res) {
				fail(
					"the text messages[%d].parts[%d] needed no repair,"+
						" and is not the caller's any more",
					i,
					j,
				)
			}
		}
	}
	var got []string
	for _, m := range res.Messages {
		for _, p := range m.Parts {
			if _, ok := p.(*preflight.Text); ok && slices.Contains(want, histgen.Tag(p)) {
				got = append(got, histgen.Tag(p))
			}
		}
	}
	slices.SortStableFunc(want, movedLast(moved))
	slices.SortStableFunc(got, movedLast(moved))
	if diff := cmp.Diff(want, got); diff != "" {
		fail("text of users changed its order (-want +got):\n%s", diff)
	}
	given := partsOf(g.in)
	for _, p := range partsOf(res.Messages) {
		now, ok := p.(*preflight.Reasoning)
		if ok && now.Signed() && !slices.ContainsFunc(given, func(p preflight.Part) bool {
			was, ok := p.(*preflight.Reasoning)
			return ok && was != nil && histgen.Tag(was) == histgen.Tag(now) &&
				was.Text == now.Text &&
				was.Signature == now.Signature &&
				was.Opaque == now.Opaque
		}) {
			fail("the signed reasoning %s was edited", histgen.Tag(now))
		}
	}
}

// withoutText reports whether a text holds nothing that could be sent: white space, and NUL, which
// no provider takes.
func withoutText(text string) bool {
	return strings.TrimSpace(strings.ReplaceAll(text, "\x00", "")) == ""
}

// isControl reports whether a character is none that a text may have.
func isControl(r rune) bool { return unicode.IsControl(r) && !strings.ContainsRune("\t\n\r", r) }

// movedLast orders tags so that those of moved texts come last, the others as they are.
func movedLast(moved map[string]bool) func(a, b string) int {
	rank := func(tag string) int {
		if moved[tag] {
			return 1
		}
		return 0
	}
	return func(a, b string) int { return rank(a) - rank(b) }
}

// proveAnswersStay: a call that has a result after it, by its id, keeps a result that a tool
// really gave. A call in a message that is not the assistant's is no call.
func proveAnswersStay(t *rapid.T, g given) {
	res, err := g.sanitize(g.in)
	if err != nil {
		return
	}
	fail := g.failing(t, res)
	if g.profile.Tools.NoTools {
		for _, pair := range certainPairs(authored(g.in), g.profile) {
			if !slices.ContainsFunc(
				slices.Concat(pair.results, pair.strangers),
				func(tag string) bool {
					return slices.ContainsFunc(partsOf(g.in), func(p preflight.Part) bool {
						r := asResult(p, false)
						return r != nil && histgen.Tag(r) == tag && told(r, res.Messages)
					})
				},
			) {
				fail("what answered the call %s is nowhere to be read", pair.call)
			}
		}
		return
	}
	waits := waiting(g.options.OpenCall)
	answers := answersOf(res.Messages, g.effective(), waits)
	placed := placedByID(authored(g.in), g.profile)
	for _, pair := range certainPairs(authored(g.in), g.profile) {
		got, answered := answers[pair.call]
		repeated := ofRepeated(g.in, res.Warnings)
		isRepeated := func(tag string) bool { return slices.Contains(repeated, tag) }
		if slices.ContainsFunc(pair.results, isRepeated) {
			// neither placeholders, nor errors beside a real result, are looked for
			rest := slices.DeleteFunc(slices.Clone(pair.results), func(tag string) bool {
				r := asResult(byTag(g.in, tag), false)
				return isStandIn(r) || isMergedInto(repeated, r, g.in, res.Messages) ||
					slices.ContainsFunc(repeated, func(other string) bool {
						o := asResult(byTag(g.in, other), false)
						return tag == other || saysTheSame(r, o) ||
							r.IsError && o != nil && !o.IsError && slices.Contains(pair.results, other)
					})
			})
			if answered && got == "" && len(rest) > 0 && merging(g.options.Duplicates) {
				fail("the call %s got an invented answer, although %v is there", pair.call, rest)
			}
			continue
		}
		if !answered {
			fail("the call %s has a result after it, and was left without", pair.call)
		}
		allowed := slices.Concat(pair.results, pair.strangers)
		if g.options.Duplicates == preflight.DuplicateLast {
			allowed = append(allowed, pair.otherNamed...) // its id makes it a further result
		}
		if tag, ok := placed[pair.call]; ok {
			allowed = append(allowed, tag)
		}
		if !slices.ContainsFunc(allowed, func(tag string) bool {
			return tag == got || saysTheSame(byTag(g.in, tag), byTag(g.in, got))
		}) {
			fail(
				"the call %s is answered by %q, although one of %v is there",
				pair.call,
				got,
				allowed,
			)
		}
	}
	if g.options.Duplicates == preflight.DuplicateLast {
		return // a further result is to take the first one's place
	}
	for call, result := range completedPairs(authored(g.in), g.profile, waits) {
		if answers[call] != result {
			fail("the call %s was answered by %s, now by %q", call, result, answers[call])
		}
	}
}

// ofRepeated returns the results whose calls were repeated before them, since the assistant had
// spoken meanwhile.
func ofRepeated(in []preflight.Message, warnings []preflight.Warning) (tags []string) {
	for _, w := range warnings {
		if w.Code == codes.CallRepeated && w.At.Part() >= 0 { // not of a message that became a result
			tags = append(tags, histgen.Tag(in[w.At.Message()].Parts[w.At.Part()]))
		}
	}
	return tags
}

// isMergedInto reports whether one of the results with these tags, of the call of r, holds in out
// all content and output of r.
func isMergedInto(tags []string, r *preflight.ToolResult, in, out []preflight.Message) bool {
	if r == nil || len(r.Content)+len(r.Output) == 0 {
		return false
	}
	return slices.ContainsFunc(tags, func(tag string) bool {
		was, into := asResult(byTag(in, tag), false), asResult(byTag(out, tag), false)
		return was != nil && into != nil && was.CallID == r.CallID &&
			string(into.Output) == string(r.Output) &&
			!slices.ContainsFunc(r.Content, func(p preflight.Part) bool {
				return !slices.ContainsFunc(into.Content, func(x preflight.Part) bool {
					return histgen.Tag(x) == histgen.Tag(p)
				})
			})
	})
}

// told reports whether a user's text holds the words of a result.
func told(r *preflight.ToolResult, h []preflight.Message) bool {
	var words []string
	for _, c := range r.Content {
		if x, ok := c.(*preflight.Text); ok && x != nil && utf8.ValidString(x.Text) &&
			!strings.Contains(x.Text, "\x00") {
			words = append(words, x.Text)
		}
	}
	return slices.ContainsFunc(h, func(m preflight.Message) bool {
		return m.Role == preflight.RoleUser &&
			slices.ContainsFunc(m.Parts, func(p preflight.Part) bool {
				x, ok := p.(*preflight.Text)
				return ok &&
					!slices.ContainsFunc(
						words,
						func(w string) bool { return !strings.Contains(x.Text, w) },
					)
			})
	})
}
