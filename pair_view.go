package preflight

import (
	"cmp"
	"slices"
)

// This file is the read-only view of the matcher: which calls and results belong together, and why.

// PairStatus is the status of a tool call or a tool result with regard to its counterpart.
type PairStatus string

// The statuses of calls and results.
const (
	// the result is where the provider looks for the answer of the call
	PairMatched PairStatus = "paired"
	// they belong together, but the result is in another place
	PairDisplaced PairStatus = "displaced"
	PairDangling  PairStatus = "dangling"  // a call without a result
	PairWaiting   PairStatus = "waiting"   // a call without a result that waits on purpose
	PairOrphan    PairStatus = "orphan"    // a result without a call
	PairDuplicate PairStatus = "duplicate" // a further result of a call
	// a result inserted for one that never came, or the call of such a result
	PairPlaceholder PairStatus = "placeholder"
)

// PairReason is the evidence for a match of a call and a result.
type PairReason string

// The reasons for a match, the strongest first.
const (
	ReasonID         PairReason = "id"            // the same id
	ReasonNormalized PairReason = "normalized-id" // the same id in different spellings
	ReasonName       PairReason = "name"          // the same tool name
	ReasonPosition   PairReason = "position"      // no other candidate is left in that place
)

// Pair is one tool call or one tool result of a history, with its counterpart.
type Pair struct {
	At            Position
	Part          Part     // the *ToolCall or the *ToolResult
	CounterpartAt Position // its Message is -1 when there is no counterpart
	Counterpart   Part     // nil when there is none
	Status        PairStatus
	Reason        PairReason
}

// Pairs lists every tool call and every tool result of history, in order, with its counterpart.
// Check and the fixers use the same pairs. A nil profile means Portable. Pairs does not write to
// history; its cost is linear in the history.
//
// A result is matched with a call by the strongest evidence (see PairReason). If a call has several
// results, the answer is a real result before an error, and an error before a placeholder. The
// others are duplicates.
func Pairs(history []Message, profile *Profile) []Pair {
	r := run{profile: profile}
	r.applyDefaults()
	var p pairing
	p.setHistory(history, r.profile, r.options)
	var out []Pair
	for _, side := range []side{clientSide, serverSide} {
		p.survey(side)
		p.assign()
		both := len(out) > 0
		out = p.appendPairs(out)
		if both && len(p.calls)+len(p.results) > 0 {
			slices.SortFunc(out, func(a, b Pair) int {
				return cmp.Or(
					cmp.Compare(a.At.Message, b.At.Message), cmp.Compare(a.At.Part, b.At.Part),
				)
			})
		}
	}
	return out
}

// appendPairs appends the pairs of one side, in order.
func (p *pairing) appendPairs(out []Pair) []Pair {
	last := len(p.turns) - 1
	paused := last >= 0 && p.paused(last)
	nowhere := Position{none, none, none}
	out = slices.Grow(out, len(p.calls)+len(p.results))
	for c, r := 0, 0; c < len(p.calls) || r < len(p.results); {
		if r == len(p.results) || c < len(p.calls) && p.precedes(c, r) {
			ref := &p.calls[c]
			pair := Pair{
				At: Position{ref.node, ref.part, none}, Part: ref.call, CounterpartAt: nowhere,
			}
			if pair.Status = p.callStatus(c, paused && ref.turn == last); ref.answer != none {
				r := &p.results[ref.answer]
				pair.Counterpart, pair.CounterpartAt, pair.Reason =
					r.result, Position{r.node, r.part, none}, r.reason
			}
			out = append(out, pair)
			c++
			continue
		}
		ref := &p.results[r]
		pair := Pair{
			At: Position{ref.node, ref.part, none}, Part: ref.result, CounterpartAt: nowhere,
		}
		if pair.Status = p.resultStatus(r); ref.call != none {
			c := &p.calls[ref.call]
			pair.Counterpart, pair.CounterpartAt, pair.Reason =
				c.call, Position{c.node, c.part, none}, ref.reason
		}
		out = append(out, pair)
		r++
	}
	return out
}

// callStatus returns the status of call c. paused reports whether the provider may have paused its
// turn.
func (p *pairing) callStatus(c int, paused bool) PairStatus {
	switch ref := &p.calls[c]; {
	case ref.answer != none:
		return p.resultStatus(ref.answer)
	case p.policy.waits(ref.call) || paused:
		return PairWaiting
	}
	return PairDangling
}

// resultStatus returns the status of result r.
func (p *pairing) resultStatus(r int) PairStatus {
	switch ref := &p.results[r]; {
	case ref.call == none:
		return PairOrphan
	case ref.further:
		return PairDuplicate
	case p.worth(r) == worthPlaceholder:
		return PairPlaceholder
	case p.inPlace(r):
		return PairMatched
	}
	return PairDisplaced
}
