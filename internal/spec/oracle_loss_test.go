package spec

import (
	"reflect"
	"slices"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighttest/histgen"
	"github.com/go-preflight/preflight/provider"
)

// This file is the part of the oracle that knows which results must not be lost.

// pair is a call, and the results that may answer it, by tag.
type pair struct {
	call    string
	results []string
	// results with the id of the call and the name of another tool, which are real
	otherNamed []string
	// results that name no call of the history: where the others are placeholders, one of them may
	// be the answer
	strangers []string
}

// certainPairs lists the calls with an id that no other call has, and that have a result with that
// very id somewhere after them: whatever else is wrong, one of these results is the answer, and a
// real one if there is one. Where they are errors or placeholders alone, a real one before the call
// may be the answer as well, and also where the first real one comes after a further turn of the
// assistant: the other was sent until then, and what the assistant has responded to is not
// rewritten. So may a real one after it that has the id but names another tool:
// the id is evidence before the name is, and of several results of one id the real one is the
// answer. Where there are placeholders alone, the answer may be a real result that no call has the
// id of. Left out is what is uncertain by its nature: of calls that share an id, which one a result
// means; of calls without an id, or of one name where names count and some go without ids, the
// same; where names count, of an id that results of several tools have, which call it means; and a
// call that occurs twice cannot be told from itself.
func certainPairs(h []preflight.Message, p *preflight.Profile) []pair {
	ids, tags := map[string]int{}, tagCounts(h)
	shared := ambiguousIDs(resultsOf(h), p)
	byName := map[string]bool{} // names of which some call or result has no id
	for _, part := range partsOf(h) {
		if c, ok := part.(*preflight.ToolCall); ok && c != nil {
			ids[c.ID]++
			byName[c.Name] = byName[c.Name] || p.Pairing.ByName && strings.TrimSpace(c.ID) == ""
		} else if r := asResult(part, false); r != nil {
			byName[r.Name] = byName[r.Name] || p.Pairing.ByName && strings.TrimSpace(r.CallID) == ""
		}
	}
	var out []pair
	for i, m := range h {
		for j, part := range m.Parts {
			c, ok := part.(*preflight.ToolCall)
			if !ok || c == nil || c.ProviderExecuted || strings.TrimSpace(c.ID) == "" ||
				ids[c.ID] > 1 || shared[c.ID] ||
				tags[histgen.Tag(c)] != 1 ||
				byName[c.Name] {
				continue
			}
			found := pair{call: histgen.Tag(c)}
			var standIns, otherNamed []string
			errors := 0
			for _, later := range append(slices.Clone(m.Parts[j+1:]), partsOf(h[i+1:])...) {
				r := asResult(later, false)
				switch {
				case r == nil || r.CallID != c.ID:
				case p.Pairing.ByName && r.Name != c.Name && strings.TrimSpace(r.Name) != "":
					if !isStandIn(r) {
						otherNamed = append(otherNamed, histgen.Tag(r))
						if !r.IsError {
							found.otherNamed = append(found.otherNamed, histgen.Tag(r))
						}
					}
				case isStandIn(r):
					standIns = append(standIns, histgen.Tag(r))
				default:
					found.results = append(found.results, histgen.Tag(r))
					if r.IsError {
						errors++
					}
				}
			}
			doubtful := len(found.results) == errors
			if len(found.results) == 0 && len(standIns) > 0 {
				found.results = slices.Concat(standIns, otherNamed)
				found.strangers = strangers(h, c)
			} else if doubtful && len(found.results) > 0 {
				found.results = append(found.results, found.otherNamed...)
			}
			if (doubtful || !answeredAtOnce(h[i+1:], c)) && len(found.results) > 0 {
				for _, earlier := range append(partsOf(h[:i]), m.Parts[:j]...) {
					if r := asResult(earlier, false); r != nil && r.CallID == c.ID && !r.IsError &&
						!isStandIn(r) {
						found.results = append(found.results, histgen.Tag(r))
					}
				}
			}
			if len(found.results) > 0 {
				out = append(out, found)
			}
		}
	}
	return out
}

// placedByID lists, by tag, the calls of turns that have as many results as calls where they are
// looked for, each with its id, and the result among them whose name is no tool's. Gemini accepts
// such a name (docker/cagent TestExec_Gemini_ToolCall, a recording), so that the result was sent as
// the answer, and another one of the id is a further result.
func placedByID(h []preflight.Message, p *preflight.Profile) map[string]string {
	out, named := map[string]string{}, map[string]bool{}
	if !p.Pairing.ByName {
		return out
	}
	for _, c := range callsOf(partsOf(h), false) {
		named[c.Name] = true
	}
	for _, x := range exchanges(h, p.Turns.Joined()) {
		calls, run := callsOf(partsOf(x.turn), false), resultsAfter(x, p)
		if len(calls) != len(run) {
			continue
		}
		for _, c := range calls {
			k := slices.IndexFunc(run, func(r *preflight.ToolResult) bool {
				return r.CallID == c.ID && !named[r.Name] && !r.IsError && !isStandIn(r)
			})
			if k >= 0 && countOf(calls, c.ID) == 1 && countOf(run, c.ID) == 1 {
				out[histgen.Tag(c)] = histgen.Tag(run[k])
			}
		}
	}
	return out
}

// saysTheSame reports whether two results are copies: it makes no difference which is left.
func saysTheSame(a, b preflight.Part) bool {
	x, y := asResult(a, false), asResult(b, false)
	if x == nil || y == nil || x.CallID != y.CallID {
		return false
	}
	return x.IsError == y.IsError && string(x.Output) == string(y.Output) &&
		slices.EqualFunc(x.Content, y.Content, func(a, b preflight.Part) bool {
			if isNothing(a) || isNothing(b) {
				return isNothing(a) && isNothing(b)
			}
			switch a := a.(type) {
			case *preflight.Text:
				b, ok := b.(*preflight.Text)
				return ok && a.Text == b.Text
			case *preflight.Media:
				b, ok := b.(*preflight.Media)
				return ok && a.Kind == b.Kind && a.MediaType == b.MediaType &&
					a.Data == b.Data && a.URL == b.URL && a.FileID == b.FileID
			}
			return false
		})
}

// answeredAtOnce reports whether a call has a real result that is no error before the assistant's
// next message.
func answeredAtOnce(after []preflight.Message, c *preflight.ToolCall) bool {
	for _, m := range after {
		if spelledRole(m.Role) == preflight.RoleAssistant && len(m.Parts) > 0 {
			return false
		}
		for _, part := range m.Parts {
			r := asResult(part, false)
			if r != nil && r.CallID == c.ID && !r.IsError && !isStandIn(r) {
				return true
			}
		}
	}
	return false
}

// strangers lists, by tag, the real results with no id, or the id of no call, that a call may be
// meant by: those that name no other tool.
func strangers(h []preflight.Message, c *preflight.ToolCall) (out []string) {
	called := map[string]bool{}
	for _, other := range callsOf(partsOf(h), false) {
		called[plainID(other.ID)] = strings.TrimSpace(other.ID) != ""
	}
	for _, part := range partsOf(h) {
		r := asResult(part, false)
		unknown := r != nil && (strings.TrimSpace(r.CallID) == "" || !called[plainID(r.CallID)])
		if unknown && !r.IsError && !isStandIn(r) &&
			(strings.TrimSpace(r.Name) == "" || r.Name == c.Name) {
			out = append(out, histgen.Tag(r))
		}
	}
	return out
}

// isStandIn reports whether a result is one of the generator's placeholders and no more, or has
// nothing in it.
func isStandIn(r *preflight.ToolResult) bool {
	if len(r.Output) > 0 {
		return false
	}
	content := slices.DeleteFunc(slices.Clone(r.Content), isNothing)
	silent := !slices.ContainsFunc(content, func(c preflight.Part) bool {
		t, ok := c.(*preflight.Text)
		return !ok || strings.TrimSpace(t.Text) != ""
	})
	return silent || len(content) == 1 && strings.HasPrefix(histgen.Tag(r), "p")
}

// isNothing reports whether a part is nil, or a nil pointer of any kind.
func isNothing(p preflight.Part) bool { return p == nil || reflect.ValueOf(p).IsNil() }

// isNameless reports whether a part is a result that does not say whose it is.
func isNameless(p preflight.Part) bool {
	r := asResult(p, false)
	return r != nil && strings.TrimSpace(r.CallID) == ""
}

// completedPairs lists, by tag, the calls that have their result right after their turn, matched by
// id and occurrence. A turn with a result of the caller's side inside it is left out: that result
// ends the turn where it is, so that the results after the message are no longer right after the
// calls before it. So are placeholders, which a real result may relieve, and calls with more
// results than there are calls of their id, where a further call of that id is in somebody else's
// message: it may be about to join the turn, and then results go by occurrence. And so are calls
// without ids where a result has the id of no call, which may be theirs, where there are not as
// many results without ids, where these are spelled in several ways (a blank id is no id), where a
// result without an id names another tool, where the assistant speaks again before the results, or
// where a call in somebody else's message is beside them, and calls with one id that have fewer
// results, beside one without an id: then nothing says whose they are.
func completedPairs(
	h []preflight.Message,
	p *preflight.Profile,
	waits func(*preflight.ToolCall) bool,
) map[string]string {
	out := map[string]string{}
	tags := tagCounts(h)
	h = slices.Clone(h)
	for i, m := range h {
		if !p.Tools.NoServerTools && !slices.ContainsFunc(m.Parts, func(x preflight.Part) bool {
			return len(callsOf([]preflight.Part{x}, true)) == 0 && asResult(x, true) == nil
		}) {
			// what the provider ran is part of its turn, and does not end one
			h[i].Role = preflight.RoleAssistant
		}
	}
	strays := map[string]bool{} // ids of calls in messages that are not the assistant's
	for _, m := range h {
		for _, c := range callsOf(m.Parts, false) {
			strays[c.ID] = strays[c.ID] || spelledRole(m.Role) != preflight.RoleAssistant
		}
	}
	vanishes := func(x preflight.Part) bool { // in a message that is not the assistant's
		if isNothing(x) {
			return true
		}
		switch x := x.(type) {
		case *preflight.Text:
			return p.Content.RefuseBlankText && strings.TrimSpace(x.Text) == ""
		case *preflight.Reasoning:
			return true
		case *preflight.ToolCall:
			return x.ProviderExecuted && p.Tools.NoServerTools
		case *preflight.ToolResult:
			return x.ProviderExecuted && p.Tools.NoServerTools
		case *preflight.Other:
			return slices.Contains(p.Content.RefusedKinds, provider.RefKind{Kind: x.Kind})
		}
		return false
	}
	h = slices.DeleteFunc(h, func(m preflight.Message) bool { // it keeps no turns apart
		return spelledRole(m.Role) != preflight.RoleAssistant &&
			!slices.ContainsFunc(m.Parts, func(x preflight.Part) bool { return !vanishes(x) })
	})
	named := map[string]bool{}
	for _, x := range exchanges(h, p.Turns.Joined()) {
		parts := partsOf(x.turn)
		for _, c := range callsOf(parts, false) {
			named[c.Name] = true
		}
		if slices.ContainsFunc(
			parts,
			func(part preflight.Part) bool { return asResult(part, false) != nil },
		) {
			continue
		}
		run := leadingResults(x.after, vanishes)
		if p.Pairing.Results == provider.ResultsTogether {
			run = togetherResults(x.after, vanishes)
		}
		shared := ambiguousIDs(run, p)
		for c, r := range nearest(x.turn, run, p.Pairing.ByName, named, waits) {
			joined := p.Turns.Joined() && strays[c.ID] &&
				countOf(run, c.ID) > countOf(callsOf(parts, false), c.ID)
			unsaid := strings.TrimSpace(c.ID) == "" && (waits(c) || holdsUnknown(run, parts) ||
				countOf(run, c.ID) != countOf(callsOf(parts, false), c.ID) ||
				countOf(run, c.ID) != countBlank(run) || speaksAfter(x.turn, c))
			unsaid = unsaid || strings.TrimSpace(c.ID) == "" && strings.TrimSpace(r.Name) != "" &&
				r.Name != c.Name
			unsaid = unsaid || strings.TrimSpace(c.ID) == "" && len(claims(x.after)) > 0
			unsaid = unsaid || countBlank(run) > 0 &&
				countOf(run, c.ID) < countOf(callsOf(parts, false), c.ID)
			unsaid = unsaid || holdsUnknown(run, parts) &&
				countOf(withoutRepeats(run), c.ID) < countOf(callsOf(parts, false), c.ID)
			doubtful := strings.HasPrefix(histgen.Tag(r), "p") // a placeholder that says more
			if tags[histgen.Tag(c)] == 1 && !isStandIn(r) && !doubtful && !joined && !unsaid &&
				!shared[r.CallID] &&
				!(r.IsError && answeredBetter(h, r)) {
				out[histgen.Tag(c)] = histgen.Tag(r)
			}
		}
	}
	return out
}

// claims lists the calls in messages that are not the assistant's, which may become text.
func claims(h []preflight.Message) []*preflight.ToolCall {
	return append(callsOf(partsOf(h), true), callsOf(partsOf(h), false)...)
}

// ambiguousIDs lists the ids that results of several tools have, if names count.
func ambiguousIDs(results []*preflight.ToolResult, p *preflight.Profile) map[string]bool {
	names, shared := map[string]string{}, map[string]bool{}
	for _, r := range results {
		if name, known := names[r.CallID]; known && name != r.Name && p.Pairing.ByName {
			shared[r.CallID] = true
		}
		names[r.CallID] = r.Name
	}
	return shared
}

// resultsOf lists the results of the caller's side in a history.
func resultsOf(h []preflight.Message) (results []*preflight.ToolResult) {
	for _, p := range partsOf(h) {
		if r := asResult(p, false); r != nil {
			results = append(results, r)
		}
	}
	return results
}

// holdsUnknown reports whether a result has an id, and it is that of no call of a turn.
func holdsUnknown(run []*preflight.ToolResult, turn []preflight.Part) bool {
	return slices.ContainsFunc(run, func(r *preflight.ToolResult) bool {
		return strings.TrimSpace(r.CallID) != "" && countOf(callsOf(turn, false), r.CallID) == 0
	})
}

// answeredBetter reports whether a history holds a result of an error's id that is none.
func answeredBetter(h []preflight.Message, failed *preflight.ToolResult) bool {
	return slices.ContainsFunc(partsOf(h), func(p preflight.Part) bool {
		r := asResult(p, false)
		return r != nil && !r.IsError &&
			strings.EqualFold(strings.TrimSpace(r.CallID), strings.TrimSpace(failed.CallID))
	})
}

// nearest matches the calls of a turn with the results after it by id, and by name where that
// counts, in order. Where there are more calls than results of an id, those of the later messages
// have theirs: a call is known by the result right after its message. named are the names of the
// calls so far.
func nearest(
	turn []preflight.Message,
	run []*preflight.ToolResult,
	byName bool,
	named map[string]bool,
	waits func(*preflight.ToolCall) bool,
) map[*preflight.ToolCall]*preflight.ToolResult {
	if calls := callsOf(partsOf(turn), false); byName && inOrder(calls, run, named) {
		out := map[*preflight.ToolCall]*preflight.ToolResult{}
		for k, c := range calls {
			out[c] = run[k]
		}
		return out
	}
	type key struct{ id, name string }
	results := map[key][]*preflight.ToolResult{}
	for _, r := range run {
		k := key{id: r.CallID}
		if byName {
			k.name = r.Name
		}
		results[k] = append(results[k], r)
	}
	out := map[*preflight.ToolCall]*preflight.ToolResult{}
	for k, answers := range results {
		perMessage := make([][]*preflight.ToolCall, len(turn))
		calls := 0
		for i, m := range turn {
			for _, c := range callsOf(m.Parts, false) {
				if c.ID == k.id && (!byName || c.Name == k.name) {
					perMessage[i] = append(perMessage[i], c)
					calls++
				}
			}
		}
		for i := len(turn) - 1; i >= 0 && calls > len(answers); i-- { // calls that wait have none
			for n := len(perMessage[i]) - 1; n >= 0 && calls > len(answers); n-- {
				if waits(perMessage[i][n]) {
					perMessage[i], calls = slices.Delete(perMessage[i], n, n+1), calls-1
				}
			}
		}
		for i := 0; calls > len(answers); {
			if n := len(perMessage[i]); n > 0 {
				perMessage[i], calls = perMessage[i][:n-1], calls-1
			} else {
				i++
			}
		}
		for n, c := range slices.Concat(perMessage...) {
			out[c] = answers[n]
		}
	}
	return out
}

// inOrder reports whether results have the ids of calls, in order, and their names or unknown ones.
func inOrder(
	calls []*preflight.ToolCall, run []*preflight.ToolResult, named map[string]bool,
) bool {
	if len(calls) != len(run) {
		return false
	}
	for k, c := range calls {
		if c.ID != run[k].CallID || strings.TrimSpace(c.ID) == "" && c.Name != run[k].Name ||
			c.Name != run[k].Name && named[run[k].Name] {
			return false
		}
	}
	return true
}

// speaksAfter reports whether a later message of a turn than that of a call has words.
func speaksAfter(turn []preflight.Message, call *preflight.ToolCall) bool {
	called := false
	for _, m := range turn {
		for _, x := range m.Parts {
			if text, ok := x.(*preflight.Text); ok && called && strings.TrimSpace(text.Text) != "" {
				return true
			}
		}
		called = called || slices.Contains(callsOf(m.Parts, false), call)
	}
	return false
}
