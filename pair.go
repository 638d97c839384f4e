package preflight

import (
	"github.com/go-preflight/preflight/internal/idtable"
	"github.com/go-preflight/preflight/internal/work"
	"github.com/go-preflight/preflight/provider"
)

// This file is the matcher: it decides which result answers which tool call, in one assignment over
// the whole history. Check, the fixers, truncation, compaction and the wire formats all use it; no
// other code compares the ids of calls and results. It changes nothing.
//
// The evidence, the strongest first (assign and matchClient call the steps):
//
//	evidence              function                          reason
//	the id, in its place  matchInPlace                      id
//	the id, near it       matchNear                         id
//	the id, anywhere      matchAnywhere, then matchAhead    id
//	the id, respelled     the same, normalizedID            normalized-id
//	another of its names  matchAliases                      normalized-id
//	the call has no id    matchReusedIDs                    position
//	the id is answered    attachToEarlierCalls              id, normalized-id
//	the tool's name       matchNames (no ids), matchTools   name
//	further results       attachFurther                     as above
//	one candidate left    matchBlankIDs, matchLast          position
//
// If names count in addition to ids, matchNames and matchOtherNames run between these steps. Of
// several results of one call, weigh chooses the answer: a real result before an error, an error
// before a placeholder.

const none = -1

// side is who runs the tools of a pairing. A result never answers a call of the other side.
type side bool

// The sides.
const (
	clientSide side = false // the caller runs the tools
	serverSide side = true  // the provider does
)

// pairing is the survey of the calls and results of one side, and their assignment.
type pairing struct {
	profile *Profile
	policy  *Options
	history []Message // the input: either history
	d       *draft    // or d is set
	side    side

	turns      []turnRef
	calls      []callRef
	results    []resultRef
	ids        idtable.Table  // the first message of the calls with an id; see firstCall
	secondOfID map[string]int // the second call with an id, or none; see isOnlyOfID
	names      bool           // names have to agree in addition to ids; see nameKey
	heldUntil  int            // see heldBoundary
	assigned   bool           // assign ran on the survey
	compared   bool           // it read the contents of results

	inTurn []*ToolCall   // see inOrder
	open   []int         // see openCalls
	free   []int         // see freeResults
	groups callGroups    // see group
	latest idtable.Table // see seek
	hashes map[uint64]bool
	last   lastBuffers // see matchLast
	// id -> first turn with a call with it that has no answer but a placeholder; see wanted
	wanting map[string]int
	named   map[string]int // name -> first call of it; see namesUnknown
}

// setHistory makes history the input of the pairing.
func (p *pairing) setHistory(history []Message, profile *Profile, policy *Options) {
	p.history, p.d, p.profile, p.policy = history, nil, profile, policy
}

// setDraft makes d the input of the pairing.
func (p *pairing) setDraft(d *draft) {
	p.history, p.d, p.profile, p.policy = nil, d, d.profile, d.policy
}

// release drops all references and keeps the buffers for reuse.
func (p *pairing) release() {
	p.reset()
	clear(p.inTurn[:cap(p.inTurn)])
	p.history, p.d, p.profile, p.policy = nil, nil, nil, nil
}

// reset clears the results of a survey.
func (p *pairing) reset() {
	clear(p.calls)
	clear(p.results)
	p.groups.release()
	p.last.unknown.Reset()
	p.ids.Reset()
	p.latest.Reset()
	p.turns, p.calls, p.results, p.secondOfID = p.turns[:0], p.calls[:0], p.results[:0], nil
	p.assigned, p.compared, p.wanting, p.named = false, false, nil, nil
}

func (p *pairing) len() int {
	if p.d != nil {
		return len(p.d.nodes)
	}
	return len(p.history)
}

func (p *pairing) message(i int) *Message {
	work.Done()
	if p.d != nil {
		return &p.d.nodes[i].Message
	}
	return &p.history[i]
}

// call returns part as a call of this side, nil if it is anything else.
func (p *pairing) call(part Part) *ToolCall {
	if c, ok := part.(*ToolCall); ok && c != nil && side(c.ProviderExecuted) == p.side {
		return c
	}
	return nil
}

// result returns part as a result of this side, nil if it is anything else.
func (p *pairing) result(part Part) *ToolResult {
	if r, ok := part.(*ToolResult); ok && r != nil && side(r.ProviderExecuted) == p.side {
		return r
	}
	return nil
}

// agree reports whether a call and a result have equal ids, names if they count, and variants: the
// fields of callKey and resultKey.
func (p *pairing) agree(c *ToolCall, r *ToolResult) bool {
	return c.ID == r.CallID && (!p.names || c.Name == r.Name || namedByEncoder(c, r)) &&
		p.variant(c.Variant) == p.variant(r.Variant)
}

// variant returns the variant if calls and results must agree in it, or "" if they need not.
func (p *pairing) variant(variant string) string {
	switch {
	case p.side == serverSide && variant == mcpVariant ||
		p.side == clientSide && p.profile.Pairing.Typed:
		return variant // an MCP call is answered by an MCP result alone
	}
	return ""
}

// byName reports whether names count in addition to ids.
func (p *pairing) byName() bool { return p.profile.Pairing.ByName && p.side == clientSide }

// assign matches the calls and results of the survey. It reports whether all are in place.
func (p *pairing) assign() bool {
	p.assigned = true
	if len(p.results) == 0 {
		return p.complete()
	}
	p.names = p.byName()
	if p.side == serverSide {
		p.matchTurns()
	} else if p.matchClient() {
		return true
	}
	p.names = false
	p.attachFurther()
	p.weigh()
	if p.side == clientSide && p.matchLast() {
		p.weigh()
	}
	return false
}

// matchClient matches the calls of the client side. It reports whether all are in place.
func (p *pairing) matchClient() bool {
	p.matchInPlace(exactID, ReasonID)
	if p.complete() || p.names && p.matchNames() {
		return true
	}
	if !p.names && p.profile.Pairing.Results != provider.ResultsAnywhere {
		p.matchNear()
	}
	p.matchAnywhere(exactID, ReasonID)
	p.matchInPlace(normalizedID, ReasonNormalized)
	p.matchAnywhere(normalizedID, ReasonNormalized)
	p.matchAhead(exactID, ReasonID)
	p.matchAliases()
	p.matchAhead(normalizedID, ReasonNormalized)
	if !p.profile.Pairing.ByName {
		p.matchReusedIDs()
	}
	p.attachToEarlierCalls()
	if p.names {
		p.matchOtherNames()
	} else if !p.profile.Pairing.ByName {
		p.matchBlankIDs()
	}
	p.matchTools()
	p.matchTypes()
	return false
}

// matchTurns matches provider-executed calls. Each result is matched with an open call with its id:
// first one before it in its turn, then any before it, then one after it in its turn.
func (p *pairing) matchTurns() {
	all := [2]int{0, len(p.calls)}
	for t := range p.turns {
		turn := &p.turns[t]
		if !p.matchInOrder(turn, exactID, ReasonID) {
			p.match(turn.calls, turn.results, exactID, ReasonID, nil)
		}
	}
	p.match(all, [2]int{0, len(p.results)}, exactID, ReasonID, nil)
	for t := range p.turns {
		p.matchAnyOrder(p.turns[t].calls, p.turns[t].results, exactID, ReasonID)
	}
}

// complete reports whether every call has its result and every result its call, in its zone.
func (p *pairing) complete() bool { return p.firstIncomplete() == len(p.turns) }

// firstIncomplete returns the first turn with a call without a result, or with a result in or after
// it that has no call or has to change. It returns none for such a result before the first turn,
// and len(p.turns) if all turns are complete.
func (p *pairing) firstIncomplete() int {
	first := len(p.turns)
	for k := range p.calls {
		if ref := &p.calls[k]; ref.answer == none && !p.policy.staysOpen(ref.call) {
			first = ref.turn
			break
		}
	}
	for k := range p.results {
		if ref := &p.results[k]; ref.rebound || ref.call == none {
			return min(first, ref.lastTurn)
		}
	}
	return first
}

// inPlace reports whether result r is where the provider looks for the answer of its call, and
// after it.
func (p *pairing) inPlace(r int) bool {
	ref := &p.results[r]
	return p.calls[ref.call].turn == ref.zone && p.precedes(ref.call, r)
}

// precedes reports whether call c is before result r, in an earlier message or in the same one.
func (p *pairing) precedes(c, r int) bool {
	work.Done()
	call, result := &p.calls[c], &p.results[r]
	return call.node < result.node || call.node == result.node && call.part < result.part
}

// answersPast reports whether a result without a call may answer a call in the part of the history
// that the provider holds.
func (p *pairing) answersPast(r *resultRef) bool {
	return p.side == clientSide && r.node > p.heldUntil &&
		idProblem(p.profile.IDs.Call, r.result.CallID) == ""
}

// attach makes r a further result of call c.
func (p *pairing) attach(c, r int, why PairReason) {
	ref := &p.results[r]
	ref.call, ref.reason, ref.further, ref.rebound = c, why, true, false
}

// bind matches call c and result r.
func (p *pairing) bind(c, r int, why PairReason) {
	ref := &p.results[r]
	p.calls[c].answer, ref.call, ref.reason, ref.further = r, c, why, false
	ref.rebound = p.misnames(p.calls[c].call, ref.result)
	if p.side == clientSide && p.profile.Pairing.Results == provider.ResultsAnywhere &&
		p.calls[c].node < ref.node {
		ref.zone = p.calls[c].turn // it is in its place wherever it is
	}
}
