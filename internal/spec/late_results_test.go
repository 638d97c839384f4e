package spec

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighttest/histgen"
	"github.com/go-preflight/preflight/provider"
)

// This file is the property that no real result is lost: over sessions whose results are late,
// early, repeated, renamed, or scattered, up to five faults deep, for every profile. It shares no
// code with the matcher or with the fixers.

// faultySession is a session whose results can each be told by a word that only they and their
// copies say.
type faultySession struct {
	t        *rapid.T
	profile  *preflight.Profile
	options  *preflight.Options
	h        []preflight.Message
	words    int
	sessions int
}

// faultySessions generates such sessions.
func faultySessions(p *preflight.Profile, o *preflight.Options) *rapid.Generator[[]preflight.Message] {
	return rapid.Custom(func(t *rapid.T) []preflight.Message {
		s := faultySession{t: t, profile: p, options: o}
		s.h = s.session()
		for range s.pick(6, "faults") {
			if len(s.h) > 0 {
				f := rapid.SampledFrom(resultFaults).Draw(t, "fault")
				f.happen(&s)
			}
		}
		return s.h
	})
}

// session is a valid session in which every result of the caller's tools says a word of its own.
func (s *faultySession) session() []preflight.Message {
	h := histgen.Valid(s.profile, s.options).Draw(s.t, "session")
	for i := range h {
		for j, part := range h[i].Parts {
			if r := asResult(part, false); r != nil {
				said := *r
				s.say(&said, r.IsError)
				h[i].Parts[j] = &said
			} else if isClientCall(part) && s.sessions > 0 {
				c := *part.(*preflight.ToolCall)
				tag := fmt.Sprintf("%q", fmt.Sprint(histgen.Tag(&c), "/", s.sessions))
				c.Meta = preflight.Metadata{histgen.TagKey: json.RawMessage(tag)}
				h[i].Parts[j] = &c
			}
		}
	}
	s.sessions++
	return h
}

// say gives a result a new word.
func (s *faultySession) say(r *preflight.ToolResult, failed bool) {
	s.words++
	r.Content, r.Output, r.IsError = nil, nil, failed
	r.Native = preflight.Native{}
	if text := fmt.Sprintf("word%04d", s.words); s.pick(4, "output") == 0 {
		r.Output = json.RawMessage(`{"said":"` + text + `"}`)
	} else {
		r.Content = []preflight.Part{&preflight.Text{Text: "It says " + text}}
	}
}

func (s *faultySession) pick(n int, label string) int { return rapid.IntRange(0, n-1).Draw(s.t, label) }

// spot is where a part is.
type spot struct{ message, part int }

// drawPart draws a part that want asks for.
func (s *faultySession) drawPart(want func(preflight.Part) bool) (spot, bool) {
	var all []spot
	for i, m := range s.h {
		for j, part := range m.Parts {
			if want(part) {
				all = append(all, spot{i, j})
			}
		}
	}
	if len(all) == 0 {
		return spot{}, false
	}
	return all[s.pick(len(all), "which")], true
}

func isClientResult(p preflight.Part) bool { return asResult(p, false) != nil }

func isClientCall(p preflight.Part) bool { return len(callsOf([]preflight.Part{p}, false)) > 0 }

// drawResult draws a result of the caller's tools: a copy that may be changed.
func (s *faultySession) drawResult() (*preflight.ToolResult, spot, bool) {
	at, ok := s.drawPart(isClientResult)
	if !ok {
		return nil, at, false
	}
	r := *asResult(s.h[at.message].Parts[at.part], false)
	return &r, at, true
}

// put replaces the part at a place; nil takes it out.
func (s *faultySession) put(at spot, p preflight.Part) {
	parts := slices.Clone(s.h[at.message].Parts)
	if p == nil {
		parts = slices.Delete(parts, at.part, at.part+1)
	} else {
		parts[at.part] = p
	}
	s.h[at.message].Parts = parts
	if len(parts) == 0 {
		s.h = slices.Delete(s.h, at.message, at.message+1)
	}
}

// insert puts a result into a message of its own before message i, now and then after what the
// user says.
func (s *faultySession) insert(i int, r preflight.Part) {
	role := s.profile.Pairing.ResultRole
	if role == "" {
		role = preflight.RoleTool
	}
	m := preflight.Message{Role: role, Parts: []preflight.Part{r}}
	if s.pick(4, "with text") == 0 {
		m.Role, m.Parts = preflight.RoleUser, []preflight.Part{
			&preflight.Text{Text: "by the way"},
			r,
		}
	}
	s.h = slices.Insert(s.h, i, m)
}

// later draws the index of a message after i.
func (s *faultySession) later(i int) int { return rapid.IntRange(i+1, len(s.h)).Draw(s.t, "later") }

// wordOf is the word that a result says, "" when it is a placeholder.
func wordOf(r *preflight.ToolResult) string {
	said := said(r)
	if k := strings.Index(said, "word"); k >= 0 && len(said) >= k+8 {
		return said[k : k+8]
	}
	return ""
}

// said is all that a result says.
func said(r *preflight.ToolResult) string {
	out := string(r.Output)
	for _, c := range r.Content {
		if x, ok := c.(*preflight.Text); ok && x != nil {
			out += "\n" + x.Text
		}
	}
	return out
}

// askedResult is a result of a session, and the tags of the calls that it can be meant for.
type askedResult struct {
	*preflight.ToolResult
	exchange int
	calls    []string
	first    bool // nobody has spoken between the turn and the result
}

// asked lists the results of a session with their calls: those of the id, in any spelling; and for
// one without an id, the one call that is left in the turn before it, if it is the one that is left
// after it and nobody has spoken in between. A result with an id that no call has belongs to none.
// Nothing is said about a result with a name and a call with another one, nor about one of a lost
// call: it is before all calls of its id, and these have their own. Any other result before all
// calls of its id may be that of a call of the turn before it, too, and where names count, any
// result that of one without an id.
func asked(h []preflight.Message, p *preflight.Profile) []askedResult {
	all := exchanges(h, p.Turns.Joined())
	plain, exact := map[string][]string{}, map[string][]string{}
	for _, c := range callsOf(partsOf(h), false) {
		if id := c.ID; strings.TrimSpace(id) != "" {
			plain[plainID(id)] = append(plain[plainID(id)], histgen.Tag(c))
			exact[id] = append(exact[id], histgen.Tag(c))
		}
	}
	first := map[string]int{} // the exchange of the first call of an id
	for k, x := range all {
		for _, c := range callsOf(partsOf(x.turn), false) {
			if _, met := first[plainID(c.ID)]; !met {
				first[plainID(c.ID)] = k
			}
		}
	}
	known := map[string]bool{} // calls that a result names
	loose := map[string]bool{} // it is spelled otherwise there, where names count
	var out []askedResult
	for k, x := range all {
		first := !slices.ContainsFunc(x.turn, func(m preflight.Message) bool {
			return slices.ContainsFunc(m.Parts, isText)
		}) || len(x.turn) == 1
		for _, part := range partsOf(x.after) {
			r := asResult(part, false)
			if r == nil {
				first = false
				continue
			}
			a := askedResult{ToolResult: r, exchange: k, first: first}
			if strings.TrimSpace(r.CallID) != "" {
				a.calls = plain[plainID(r.CallID)]
			}
			for _, c := range a.calls {
				known[c] = true
				loose[c] = p.Pairing.ByName && !slices.Contains(exact[r.CallID], c)
			}
			out = append(out, a)
		}
	}
	for k, x := range all {
		var left []*preflight.ToolCall
		certain := true // which calls are left
		for _, c := range callsOf(partsOf(x.turn), false) {
			id := plainID(c.ID)
			if !known[histgen.Tag(c)] {
				left = append(left, c)
			} else if len(plain[id]) > 1 || loose[histgen.Tag(c)] { // it does not show which of them
				certain = false
			}
		}
		var free []int
		for i := range out {
			r := &out[i]
			early := r.calls != nil && first[plainID(r.CallID)] > k
			if r.exchange != k {
				continue
			}
			if r.calls == nil || early {
				free = append(free, i)
			}
			for _, c := range callsOf(partsOf(x.turn),
				false) { // it may have been sent as the result of one of these
				otherID := r.calls != nil && p.Pairing.ByName && strings.TrimSpace(c.ID) == ""
				if early || otherID {
					r.calls = append(slices.Clip(r.calls), histgen.Tag(c))
				}
				certain = certain && !otherID
			}
		}
		if len(left) != 1 || len(free) != 1 || !certain {
			continue
		}
		if r := &out[free[0]]; r.calls == nil && r.first && strings.TrimSpace(r.CallID) == "" &&
			(r.Name == "" || r.Name == left[0].Name) {
			r.calls = []string{histgen.Tag(left[0])}
		}
	}
	for i := range out {
		if r := &out[i]; r.calls != nil && ofLostCallIn(all, out, r) {
			r.calls = nil
		}
	}
	return out
}

// ofLostCallIn reports whether a result is before all calls of its id, and the first of them, or
// all of them, have as many results of their own: the call of this one was lost.
func ofLostCallIn(all []exchange, results []askedResult, r *askedResult) bool {
	id, first, second := plainID(r.CallID), -1, len(all)
	calls, own, firstCalls, firstOwn := 0, 0, 0, 0
	for k, x := range all {
		for _, c := range callsOf(partsOf(x.turn), false) {
			if plainID(c.ID) != id {
				continue
			}
			switch calls++; {
			case first < 0:
				first = k
			case first < k:
				second = min(second, k)
			}
			if first == k {
				firstCalls++
			}
		}
	}
	for i := range results {
		o := &results[i]
		its := plainID(o.CallID) == id && o.exchange >= first ||
			strings.TrimSpace(o.CallID) == "" && o.exchange == first // its place says whose it is
		if its && wordOf(o.ToolResult) != "" {
			if own++; o.exchange < second {
				firstOwn++
			}
		}
	}
	return r.exchange < first && (own >= calls || firstOwn >= firstCalls)
}

// answersIn lists what the results of each call of a sound history say, by the call's tag.
func answersIn(h []preflight.Message, p *preflight.Profile) map[string]string {
	out := map[string]string{}
	var calls []*preflight.ToolCall
	for _, x := range exchanges(h, p.Turns.Joined()) {
		if p.Pairing.Results != provider.ResultsAnywhere {
			calls = nil
		}
		calls = append(calls, callsOf(partsOf(x.turn), false)...)
		for _, part := range partsOf(x.after) {
			r := asResult(part, false)
			if r == nil {
				continue
			}
			for _, c := range calls {
				if c.ID == r.CallID || p.Pairing.ByName && (c.ID == "" || r.CallID == "") {
					out[histgen.Tag(c)] += "\n" + said(r)
				}
			}
		}
	}
	return out
}

// copiesIn lists what the results of the copies of each call say, by its tag.
func copiesIn(in, out []preflight.Message, answers map[string]string) map[string]string {
	copies := map[string]string{}
	for _, c := range callsOf(partsOf(in), false) {
		for _, again := range callsOf(partsOf(out), false) {
			if again.Meta == nil && again.Name == c.Name && string(again.Input) == string(c.Input) {
				copies[histgen.Tag(c)] += answers[histgen.Tag(again)]
			}
		}
	}
	return copies
}

func isText(p preflight.Part) bool { _, ok := p.(*preflight.Text); return ok }

// proveNoneLost: what a real result says whose call is in the session, and not contradicted by ids,
// is in a result of that call, or, where the assistant has spoken about another result of it, in
// one of a copy of the call. Errors may make room for real results.
func proveNoneLost(t *rapid.T, p *preflight.Profile, o *preflight.Options, h []preflight.Message) {
	res, err := preflight.Sanitize(context.Background(), h, p, o)
	if err != nil {
		return // which errors there may be, proveValid says
	}
	results := asked(h, p)
	turns := map[string]int{} // the first exchange with a call
	for k, x := range exchanges(h, p.Turns.Joined()) {
		for _, c := range callsOf(partsOf(x.turn), false) {
			if _, met := turns[histgen.Tag(c)]; !met {
				turns[histgen.Tag(c)] = k
			}
		}
	}
	answers := answersIn(res.Messages, p)
	var texts string
	for _, part := range partsOf(res.Messages) {
		if x, ok := part.(*preflight.Text); ok && x != nil {
			texts += "\n" + x.Text
		}
	}
	copies := copiesIn(h, res.Messages, answers)
	var real []string // what the results that are no errors say
	for _, r := range results {
		if word := wordOf(r.ToolResult); word != "" && !r.IsError {
			real = append(real, word)
		}
	}
	answer := func(c string) string {
		if p.Tools.NoTools {
			return texts
		}
		return answers[c]
	}
	for i, r := range results {
		word := wordOf(r.ToolResult)
		if word == "" || r.calls == nil {
			continue
		}
		replaced := func(c string) bool {
			return r.IsError &&
				slices.ContainsFunc(
					real,
					func(word string) bool { return strings.Contains(answer(c), word) },
				)
		}
		heard := func(c string) bool { return strings.Contains(answer(c), word) }
		spoken := slices.ContainsFunc(
			r.calls,
			func(c string) bool { return turns[c] < r.exchange },
		) ||
			slices.ContainsFunc(results[:i], func(o askedResult) bool {
				return o.exchange < r.exchange &&
					slices.ContainsFunc(
						o.calls,
						func(c string) bool { return slices.Contains(r.calls, c) },
					)
			})
		switch {
		case slices.ContainsFunc(r.calls, heard), slices.ContainsFunc(r.calls, replaced):
		case spoken && p.Pairing.FurtherResults && staysIn(res.Messages, r.ToolResult):
		case spoken && slices.ContainsFunc(r.calls, func(c string) bool {
			return strings.Contains(copies[c], word)
		}):
		default:
			t.Fatalf(
				"%s is lost, a result of one of the calls %v\nin:\n%s\nout:\n%s\nwarnings: %s",
				word,
				r.calls,
				dump(h),
				dump(res.Messages),
				list(res.Warnings),
			)
		}
	}
}

// staysIn reports whether a result is in a history as it was, with its id.
func staysIn(h []preflight.Message, r *preflight.ToolResult) bool {
	return slices.ContainsFunc(partsOf(h), func(p preflight.Part) bool {
		x, ok := p.(*preflight.ToolResult)
		return ok && x.CallID == r.CallID && strings.Contains(wordOf(x), wordOf(r))
	})
}

func TestNoResultIsLost(t *testing.T) {
	all := underTest()
	for name, profile := range chatProfiles() {
		all[name] = subject{profile: profile}
	}
	for name, s := range all {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				o := preflight.Options{Request: s.request}
				o.Request.Thinking = rapid.SampledFrom([]provider.Thinking{
					o.Request.Thinking, provider.ThinkingBudget,
				}).Draw(t, "thinking")
				h := histgen.Roomy(faultySessions(&s.profile, &o).Draw(t, "session"))
				proveNoneLost(t, &s.profile, &o, h)
			})
		})
	}
}
