package preflight

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-preflight/preflight/internal/pairing"
	"github.com/go-preflight/preflight/pairs"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file joins histories to the matcher of internal/pairing, which decides which result answers
// which tool call. Pairs shows its matches; Check, the fixers, truncation, compaction and the wire
// formats use them. No other code compares the ids of calls and results. The check of the pairs,
// clientPairs, is at the end of the file.

// Pair is one tool call or one tool result of a history, with its counterpart.
type Pair struct {
	At            Position
	Part          Part     // the *ToolCall or the *ToolResult
	CounterpartAt Position // the zero Position when there is no counterpart
	Counterpart   Part     // nil when there is none
	Status        pairs.Status
	Reason        pairs.Reason // "" when there is no counterpart
}

// Pairs returns, in the order of history, a Pair for each of its tool calls and tool results,
// including provider-executed ones. Check and the fixers use the same pairs; to them, a result with
// the text of Options.DanglingText is a placeholder, too. A nil profile means Portable. Pairs does
// not write to history, and the parts in the list are those of history. The cost is linear in the
// history.
//
// Each result is matched with the call that the strongest evidence names; see [pairs.Reason]. If a
// call has several results, its counterpart is a real one, else an error, else a placeholder; the
// others are duplicates.
func Pairs(history []Message, profile *Profile) []Pair {
	r := run{profile: profile}
	r.applyDefaults()
	var p toolPairing
	p.setHistory(history, r.profile, r.options)
	var out []Pair
	for _, side := range []side{clientSide, serverSide} {
		p.survey(side)
		p.assign()
		both := len(out) > 0
		out = p.appendPairs(out)
		if both && len(p.Calls)+len(p.Results) > 0 {
			slices.SortFunc(out, func(a, b Pair) int {
				return cmp.Or(
					cmp.Compare(a.At.Message(), b.At.Message()),
					cmp.Compare(a.At.Part(), b.At.Part()),
				)
			})
		}
	}
	return out
}

// appendPairs appends the pairs of one side, in order.
func (p *toolPairing) appendPairs(out []Pair) []Pair {
	last := len(p.Turns) - 1
	paused := last >= 0 && p.paused(last)
	out = slices.Grow(out, len(p.Calls)+len(p.Results))
	for c, r := 0, 0; c < len(p.Calls) || r < len(p.Results); {
		if r == len(p.Results) || c < len(p.Calls) && p.Precedes(c, r) {
			call := &p.Calls[c]
			pair := Pair{
				At: At(call.Message, call.Part), Part: p.call(c),
			}
			if pair.Status = p.CallStatus(c, paused && call.Turn == last); call.Answer != none {
				result := &p.Results[call.Answer]
				pair.Counterpart, pair.CounterpartAt, pair.Reason = p.result(call.Answer),
					At(result.Message, result.Part), result.Reason
			}
			if pair.Status == pairs.Dangling && p.side == clientSide && p.keepsOpen(c) {
				pair.Status = pairs.Unknown
			}
			out = append(out, pair)
			c++
			continue
		}
		result := &p.Results[r]
		pair := Pair{
			At: At(result.Message, result.Part), Part: p.result(r),
		}
		if pair.Status = p.ResultStatus(r); result.Call != none {
			call := &p.Calls[result.Call]
			pair.Counterpart, pair.CounterpartAt, pair.Reason = p.call(result.Call),
				At(call.Message, call.Part), result.Reason
		}
		if pair.Status == pairs.Orphan && (result.Held || p.resultLeftAlone(r)) {
			pair.Status = pairs.Unknown
		}
		out = append(out, pair)
		r++
	}
	return out
}

const none = pairing.None

// side is who runs the tools of a pairing. A result never answers a call of the other side.
type side bool

// The sides.
const (
	clientSide side = false // the caller runs the tools
	serverSide side = true  // the provider does
)

// toolPairing is the pairing of the calls and results of one side.
type toolPairing struct {
	pairing.Matching
	profile *Profile
	options *Options
	history []Message // the input, if d is nil
	d       *draft    // the input, if it is one of a draft
	side    side

	callParts   []*ToolCall   // the parts that Calls are the records of
	resultParts []*ToolResult // those of Results
	inTurn      []*ToolCall   // see inOrder
	spoken      int           // the last message with words of the user; see survey
	unanswered  unansweredTurn
	signed      signedTurn // see isSigned
	unknown     unknownParts
	expected    census // how much to allocate
}

// setHistory makes history the input of the pairing.
func (p *toolPairing) setHistory(history []Message, profile *Profile, options *Options) {
	p.history, p.d, p.profile, p.options = history, nil, profile, options
}

// setDraft makes d the input of the pairing.
func (p *toolPairing) setDraft(d *draft) {
	p.history, p.d, p.profile, p.options = nil, d, d.profile, d.options
}

// release drops all references and keeps the buffers for reuse.
func (p *toolPairing) release() {
	p.reset()
	clear(p.inTurn[:cap(p.inTurn)])
	p.history, p.d, p.profile, p.options, p.Source = nil, nil, nil, nil, nil
}

// reset clears the results of a survey.
func (p *toolPairing) reset() {
	p.Reset()
	clear(p.callParts)
	clear(p.resultParts)
	p.callParts, p.resultParts = p.callParts[:0], p.resultParts[:0]
	p.unanswered, p.signed = unansweredTurn{}, signedTurn{}
	p.unknown.reset()
}

func (p *toolPairing) len() int {
	if p.d != nil {
		return len(p.d.nodes)
	}
	return len(p.history)
}

func (p *toolPairing) at(i int) *Message {
	if p.d != nil {
		return &p.d.nodes[i].Message
	}
	return &p.history[i]
}

// byName reports whether names count in addition to ids.
func (p *toolPairing) byName() bool { return p.profile.Pairing.ByName && p.side == clientSide }

// call returns the part of call c.
func (p *toolPairing) call(c int) *ToolCall { return p.callParts[c] }

// result returns the part of result r.
func (p *toolPairing) result(r int) *ToolResult { return p.resultParts[r] }

// pairContents is the pairing.Source of a toolPairing: it answers what the matcher asks about calls
// and results beyond its records.
type pairContents toolPairing

var _ pairing.Source = (*pairContents)(nil)

func (p *pairContents) Worth(result, call int) pairing.Worth {
	var answered *ToolCall
	if call != none {
		answered = p.callParts[call]
	}
	return p.options.worthOf(p.resultParts[result], answered)
}

func (p *pairContents) Same(result, other int) bool {
	return sameResult(p.resultParts[result], p.resultParts[other])
}

func (p *pairContents) Hash(result int) uint64 { return contentHash(p.resultParts[result]) }

func (p *pairContents) Waits(call int) bool { return p.options.waits(p.callParts[call]) }

func (p *pairContents) Accepts(id string) bool {
	return idProblem(p.profile.IDs.Call, id) == ""
}

// worthOf returns the worth of a result as the answer of call. call may be nil.
func (o *Options) worthOf(r *ToolResult, call *ToolCall) pairing.Worth {
	saysMore := func(p Part) bool { _, ok := p.(*Text); return !ok && !isNil(p) }
	real := pairing.Real
	if r.IsError {
		real = pairing.Error
	}
	if len(r.Content) > 0 && len(r.Output) > 0 || slices.ContainsFunc(r.Content, saysMore) {
		return real
	}
	text := strings.TrimSpace(resultText(r))
	switch {
	case text == "":
		return pairing.Empty
	case promises(text):
		return pairing.Promise
	case text == o.danglingText() || text == defaultDanglingText:
		return pairing.Placeholder
	}
	names := [2]string{r.Name, r.CallID}
	if call != nil {
		names = [2]string{call.Name, call.ID}
	}
	if w := pairing.TextWorth(text, r.IsError, names); w != pairing.Real {
		return w
	}
	return real
}

// promises reports whether text is one that preflight inserts for calls that wait on purpose: it
// announces a later result.
func promises(text string) bool {
	return text == defaultWaitingText || text == defaultApprovalText
}

// toolPairs checks the pairs of both sides.
func (c *checker) toolPairs() {
	c.clientPairs()
	c.serverPairs()
}

// clientPairs checks that every client call has exactly one result, in the place where the provider
// looks for it. If other problems were found and no details are wanted, it only notes that the
// pairs may have problems, too.
func (c *checker) clientPairs() {
	p := &c.pairs
	p.setHistory(c.history, c.profile, c.options)
	p.expected = c.census
	if p.inOrder(clientSide) {
		return
	}
	if !c.detailed && !c.problems.Empty() {
		// the history needs a repair in any case, and the fixer finds out what is wrong
		c.problems = c.problems.Union(clientPairProblems)
		c.reports *= 2 // room for as many again
		return
	}
	p.survey(clientSide)
	p.assign()
	for r := range p.Results {
		c.clientResult(r)
	}
	for k := range p.Calls {
		ref := &p.Calls[k]
		if ref.Filled {
			continue // a further result is in its place, which the provider reads as the answer
		}
		if ref.Answer != none && (p.Taken(ref.Answer) || p.byName() && p.IsLate(ref.Answer)) ||
			p.options.staysOpen(p.call(k)) || p.staysUnanswered(ref.Turn) || p.mayBeAnswered(k) ||
			p.endsAt(k) {
			continue // if names count, only the late result is reported
		}
		detail := "the tool call has no result right after it"
		if c.profile.Pairing.Results == provider.ResultsAnywhere {
			detail = "the tool call has no result after it"
		}
		c.reportUnless(p.callLeftFor(k), problems.Dangling, ref.Message, ref.Part, ref.ID, detail)
	}
}

func (c *checker) clientResult(r int) {
	p := &c.pairs
	ref := &p.Results[r]
	i, j, id := ref.Message, ref.Part, ref.ID
	report := func(problem problems.Problem, detail string) (left bool) {
		member := p.resultLeftFor(r)
		c.reportUnless(member, problem, i, j, id, detail)
		return member != ""
	}
	switch {
	case ref.Call == none && p.mayLackCall(r):
	case ref.Call == none:
		report(problems.Orphan, "the tool result has no call")
	case ref.Further && p.mayComeLater(r):
	case ref.Further:
		if !report(problems.DuplicateResult, "the call has a result already") && p.InPlace(r) {
			p.Calls[ref.Call].Filled = true
		}
	case p.Taken(r) && ref.Changes:
		report(problems.ResultName, "the tool result has no name")
	case p.Taken(r):
	case p.IsLate(r):
		report(problems.ResultNotFirst, "the tool result is after other content")
	case p.InPlace(r):
		report(problems.Orphan, "the tool result has another id than the call that it answers")
	default:
		report(problems.Orphan,
			"the tool result is not where the provider looks for the answer of its call")
	}
}
