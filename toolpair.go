package preflight

import (
	"slices"
	"strconv"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/output"
	"github.com/go-preflight/preflight/internal/pairing"
	"github.com/go-preflight/preflight/internal/problemset"
	"github.com/go-preflight/preflight/internal/shorten"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file repairs the pairs of client tool calls and their results that pair.go and
// internal/pairing found. A call is answered only by a result in its zone: the run of results right
// after its turn, where the provider looks for the answer.
//
//	assistant: call a, call b   the turn
//	tool:      result a         its zone begins
//	tool:      result b         its zone ends
//	user:      "Go on."         a result of call a from here on is displaced
//
// The remedies, from lossless to lossy: a result in its zone stays; a displaced result moves to its
// call; a result with another spelling of the id gets the id of its call; several results of one
// call become one, or their call is repeated (toolpair_further.go). What is left is handled by the
// options for dangling calls and orphan results.

// pairToolCallsFixer gives every tool call exactly one result, in the place where the provider
// looks for it, and every result a call. See Fixers.PairToolCalls.
var pairToolCallsFixer = Fixer{
	Name:   "pair-tool-calls",
	group:  "pairs",
	repair: pairToolCalls,
	cures: clientPairProblems.Union(problemset.Of(
		problems.ServerDangling, problems.ServerOrphan, problems.ServerMixed, problems.MCPPairing,
	)),
	checks: []checks{{whole: (*checker).toolPairs}},
}

// clientPairProblems are what may be wrong with the pairs of client tools.
var clientPairProblems = problemset.Of(
	problems.Dangling, problems.Orphan, problems.DuplicateResult, problems.ResultNotFirst,
	problems.ResultName,
)

// toolPairs is the work of pairToolCallsFixer on the pairing of a draft.
type toolPairs struct {
	*toolPairing
	fresh []ToolResult // room for results with another id; see rebound
	// results that became text, and repeated calls with their results; inserted after the results
	// that move to the same place
	inserts       []insertion
	given         map[int]*givenResults // by the answer of a call that has further results
	copies        []callCopy            // what repeatCall has made
	ids, repeated map[string]int        // see freshID
	moved         map[int]bool          // the calls that moveCalls has moved
	replaced      map[int]bool          // see setReplaced
	vacant        map[int]int           // the result whose place the answer of a call takes

	shared struct { // how many calls of the turn that was asked about last have an id: see sharesID
		known bool
		turn  int
		calls map[string]int
	}
	asked struct { // what holdsAnswer found last
		done, answers bool
		message       int
	}
}

// signedTurn is a turn, and whether it holds signed reasoning.
type signedTurn struct {
	known, signed bool
	turn, first   int // the first message that does
}

func pairToolCalls(d *draft) {
	matchExecutors(d)
	for range maxRounds {
		before := len(d.warnings)
		if pairOnePass(d); len(d.warnings) == before || d.pairsInOrder() {
			return
		}
	}
}

// pairsInOrder reports whether one walk shows that another pass would find nothing to do. If it
// does not, the pass may still find nothing.
func (d *draft) pairsInOrder() bool {
	p := d.pairs
	p.setDraft(d)
	defer p.release()
	return p.inOrder(clientSide) && p.inOrder(serverSide)
}

// pairOnePass pairs the history as it is now. A moved result, or one that got its call's id or
// name, can reveal another duplicate, so pairToolCalls repeats the pass until it changes nothing.
//
// The client's calls are paired first: a turn whose provider-executed calls are about to be removed
// still ends the zone of the turn before it.
func pairOnePass(d *draft) {
	pairClientTools(d)
	pairServerTools(d)
}

func pairClientTools(d *draft) {
	p := toolPairs{toolPairing: d.pairs}
	defer p.release()
	p.setDraft(d)
	p.survey(clientSide)
	if len(p.Calls) == 0 && len(p.Results) == 0 || p.assign() {
		return
	}
	p.resolveFurther()
	p.moveCalls()
	p.nameCopies()
	p.resolveOrphans()
	p.resolveDangling()
	p.moveResults()
	for _, of := range p.inserts {
		d.insertBefore(of.at, of.n)
	}
	d.commit()
}

// result returns result r as it is now: a cache breakpoint may have moved to it.
func (p *toolPairs) result(r int) *ToolResult {
	if ref := &p.Results[r]; ref.Message != none {
		if now, ok := p.d.nodes[ref.Message].Parts[ref.Part].(*ToolResult); ok && now != nil {
			return now
		}
	}
	return p.toolPairing.result(r)
}

// resolveOrphans removes the results that have no call, or keeps them as user text.
func (p *toolPairs) resolveOrphans() {
	for r := range p.Results {
		ref := &p.Results[r]
		if ref.Call != none || ref.Handled || p.mayLackCall(r) || p.resultLeftAlone(r) {
			continue
		}
		n := note{problem: problems.Orphan, id: ref.ID}
		ref.Handled = true
		if p.options.Orphans == OrphanText {
			if text := resultAsText(
				p.result(r), "Result of "+toolOf(ref.Name)+", whose call is missing:",
			); text != nil {
				n.code, n.detail = codes.OrphanToText, "kept a result without a call as user text"
				p.toText(r, text, n)
				continue
			}
		}
		n.code, n.detail = codes.OrphanRemoved, "removed a result whose call is not in the history"
		p.d.drop(ref.Message, ref.Part, n)
	}
}

// mayLackCall reports whether result r, which has no call, may stay: the provider holds its call,
// or does not check that there is one.
func (p *toolPairing) mayLackCall(r int) bool {
	return p.Results[r].Held || p.profile.Pairing.Unpaired && p.side == clientSide
}

// resultAsText returns a result as parts of a user turn: a label with its text, which gets its last
// cache breakpoint, and its media. It returns nil for an empty result.
func resultAsText(r *ToolResult, label string) []Part {
	text := resultText(r)
	var media []Part
	for _, c := range r.Content {
		if m, ok := c.(*Media); ok && m != nil {
			media = append(media, onOneLine(m))
		}
	}
	if blank(text) && media == nil {
		return nil
	}
	if !blank(text) {
		label += "\n" + output.Fenced(text)
	}
	if media != nil {
		label += "\n" + announced(media, "this result")
	}
	_, cache, _ := lastBreakpoint(r)
	return append([]Part{&Text{Carried: Carried{Cache: cache}, Text: label}}, media...)
}

// toText turns a result into a user message. It goes before the message of the result if that is a
// user message, the last of its zone, and holds no result that answers a call. Otherwise it goes
// after both the message and the zone, so that it does not split the zone.
func (p *toolPairs) toText(r int, parts []Part, n note) {
	d, ref := p.d, &p.Results[r]
	end := p.after(r)
	if d.role(ref.Message) == RoleUser && end == ref.Message+1 && !p.holdsAnswer(r) {
		end = ref.Message
	}
	added := newNode(RoleUser, parts, make([]origin, len(parts)))
	for k := range added.from {
		added.from[k] = d.originInside(ref.Message, ref.Part, parts[k])
	}
	d.warn(d.position(ref.Message, ref.Part), n, tallyPart(p.result(r)), TallyOf(added.Message))
	_, _, breakpoints := lastBreakpoint(p.result(r))
	d.warnCacheRemoved(ref.Message, ref.Part, breakpoints-1, n.problem)
	d.takePart(ref.Message, ref.Part)
	p.inserts = append(p.inserts, insertion{end, added})
}

// holdsAnswer reports whether the message of result r holds one that answers a call before it.
func (p *toolPairs) holdsAnswer(r int) bool {
	i := p.Results[r].Message
	if p.asked.done && p.asked.message == i {
		return p.asked.answers
	}
	first := r
	for first > 0 && p.Results[first-1].Message == i {
		first--
	}
	p.asked.done, p.asked.message, p.asked.answers = true, i, false
	for k := first; k < len(p.Results) && p.Results[k].Message == i; k++ {
		c := p.Results[k].Call
		p.asked.answers = p.asked.answers || c != none && p.Precedes(c, k)
	}
	return p.asked.answers
}

// after returns the index of the first message that is after both result r and the zone of the turn
// before r.
func (p *toolPairs) after(r int) int {
	ref := &p.Results[r]
	end := ref.Message + 1
	if t := ref.LastTurn; t != none && ref.Message > p.Turns[t].Last &&
		p.Turns[t].Results.End > p.Turns[t].Results.First {
		end = max(end, p.Results[p.Turns[t].Results.End-1].Message+1)
	}
	return end
}

// toolOf returns the words by which a text refers to a tool. A name that could be a text of its own
// is quoted.
func toolOf(name string) string {
	switch {
	case blank(name):
		return "a tool"
	case shorten.ID(name) == "":
		return "tool " + strconv.Quote(name)
	}
	return "tool " + name
}

// answers reports whether result r was matched with a call of turn t.
func (p *toolPairs) answers(r, t int) bool {
	c := p.Results[r].Call
	return c != none && p.Calls[c].Turn == t
}

// resolveDangling resolves each call without a result that may not stay open.
func (p *toolPairs) resolveDangling() {
	for c := range p.Calls {
		ref := &p.Calls[c]
		if ref.Answer == none && !p.moved[c] && !p.staysUnanswered(ref.Turn) &&
			!p.options.staysOpen(p.call(c)) && !p.keepsOpen(c) {
			p.resolveOpen(c)
		}
	}
}

// resolveOpen resolves call c, which has no result. If Options.OpenCall returns a result or another
// part for it, that answers or replaces it. A call that waits gets a placeholder, and any other is
// removed or answered, as Options.Dangling says. Two kinds of calls are never removed or replaced,
// but answered: those of a turn with signed reasoning, which may not be cut, and one whose
// fragments come after it, which need it. Only a call that no text can answer
// (PairingRules.Unanswerable) is removed even then.
func (p *toolPairs) resolveOpen(c int) {
	ref, call := &p.Calls[c], p.call(c)
	part := p.options.openCall(call)
	given, _ := part.(*ToolResult)
	waiting, _ := part.(*ToolCall)
	if part == nil && call.Awaiting != "" {
		waiting = call
	}
	wordless := slices.Contains(p.profile.Pairing.Unanswerable, call.Variant)
	signed := p.isSigned(ref.Turn) &&
		!(p.options.RepairedBefore && p.signed.first > ref.Message) // it was made without the call
	stays := signed || goesOn(p.d.nodes[ref.Message].Parts, ref.Part)
	answers := p.options.Dangling == DanglingAnswer
	switch {
	case waiting != nil && !wordless:
		p.answerWith(c, waitingResult(call, waiting.Awaiting),
			"answered a waiting tool call with a placeholder")
	case given != nil && !(wordless && saysNothing(given)):
		result := p.options.givenResult(call, given)
		detail := "answered a tool call that has no result"
		if result.IsError {
			detail += " with an error result"
		}
		p.answerWith(c, result, detail)
	case part != nil && given == nil && waiting == nil && !stays:
		p.d.replace(ref.Message, ref.Part, clonePart(part), note{
			code: codes.DanglingReplaced, problem: problems.Dangling, id: ref.ID,
			detail: "replaced a tool call that has no result by the part that OpenCall gave",
		})
	case wordless || !answers && !stays:
		p.d.drop(ref.Message, ref.Part, note{
			code: codes.DanglingRemoved, problem: problems.Dangling, id: ref.ID,
			detail: "removed a tool call that has no result",
		})
	default:
		detail := "answered a tool call that has no result with an error result"
		switch {
		case answers:
		case !signed:
			detail += ", since fragments of it follow"
		default:
			detail += ", since its turn holds signed reasoning and may not be cut"
		}
		p.answerWith(c, p.options.errorResult(call), detail)
	}
}

// answerWith answers call c with a new result.
func (p *toolPairs) answerWith(c int, result *ToolResult, detail string) {
	ref, call := &p.Calls[c], p.call(c)
	if p.profile.Pairing.Typed && result.Variant != call.Variant {
		result = edited(result, func(r *ToolResult) { r.Variant = call.Variant })
	}
	n := note{code: codes.DanglingAnswered, problem: problems.Dangling, id: ref.ID, detail: detail}
	p.d.warn(p.d.position(ref.Message, ref.Part), n, Tally{}, tallyPart(result))
	ref.Answer = len(p.Results)
	p.resultParts = append(p.resultParts, result)
	p.Results = append(p.Results, pairing.Result{
		Message: none, Part: none, Zone: none, LastTurn: none, Call: c,
	})
}

// isSigned reports whether turn t holds reasoning with a signature or an opaque payload, or a call
// with a signature. It caches the answer for the turn that was asked about last.
func (p *toolPairing) isSigned(t int) bool {
	if p.signed.known && p.signed.turn == t {
		return p.signed.signed
	}
	p.signed = signedTurn{known: true, turn: t}
	for i := p.Turns[t].First; i <= p.Turns[t].Last && !p.signed.signed; i++ {
		m := p.at(i)
		p.signed.first = i
		p.signed.signed = holdsReasoning(p.profile, m) ||
			slices.ContainsFunc(m.Parts, func(part Part) bool {
				return signed(part) || isCallSigned(p.profile, part)
			})
	}
	return p.signed.signed
}

// unansweredTurn is a turn, and whether its calls may stay without results.
type unansweredTurn struct {
	known, accepted bool
	turn            int
}

// staysUnanswered reports whether the calls of turn t may stay without results. Unpaired calls
// always may. Where the profile has UnansweredTurns, they may if none of them has a result or
// waits, and the user speaks right after the message of the last one. It caches the answer for the
// turn that was asked about last.
func (p *toolPairing) staysUnanswered(t int) bool {
	if p.profile.Pairing.Unpaired && p.side == clientSide {
		return true
	}
	if !p.profile.Pairing.UnansweredTurns || p.side == serverSide {
		return false
	}
	if p.unanswered.known && p.unanswered.turn == t {
		return p.unanswered.accepted
	}
	turn := &p.Turns[t]
	accepted := p.Calls[turn.Calls.End-1].Message == turn.Last &&
		turn.Last+1 < p.len() && p.userSpeaks(p.at(turn.Last+1))
	for c := turn.Calls.First; accepted && c < turn.Calls.End; c++ {
		call := p.call(c)
		accepted = p.Calls[c].Answer == none && call.Awaiting == "" && !p.options.waits(call)
	}
	p.unanswered = unansweredTurn{known: true, accepted: accepted, turn: t}
	return accepted
}

// userSpeaks reports whether m is a message of the user with more than tool results.
func (p *toolPairing) userSpeaks(m *Message) bool {
	if roleOf(m) != RoleUser {
		return false
	}
	return slices.ContainsFunc(m.Parts, func(part Part) bool {
		return !isNil(part) && p.asResult(part) == nil && !passesOver(p.profile, part)
	})
}
