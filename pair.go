package preflight

import (
	"cmp"
	"slices"

	"github.com/go-preflight/preflight/internal/idtable"
)

// This file is the matcher: it decides which result answers which tool call, in one assignment over
// the whole history. Check, the fixers, truncation, compaction and the wire formats all ask it;
// nothing else compares the ids of calls and results. It changes nothing.
//
// Evidence counts in this order: the same id in the place where the provider looks; the same id
// anywhere, after the call or before it; the same id spelled otherwise; the tool's name; the
// position, where one candidate is left. Of several results of one call the most worth is the
// answer: a real one before an error, an error before a placeholder.

// PairStatus says how a tool call or a tool result stands with its counterpart.
type PairStatus string

// The statuses of calls and results.
const (
	// call and result are where the provider looks for them
	PairMatched PairStatus = "paired"
	// they belong together, but the result is in another place
	PairDisplaced PairStatus = "displaced"
	PairDangling  PairStatus = "dangling"  // a call without a result
	PairWaiting   PairStatus = "waiting"   // a call without a result that waits on purpose
	PairOrphan    PairStatus = "orphan"    // a result without a call
	PairDuplicate PairStatus = "duplicate" // a further result of a call
	// a result that stands in for one that never came, and its call
	PairPlaceholder PairStatus = "placeholder"
)

// PairReason is the evidence for a match of a call and a result.
type PairReason string

// The reasons for a match, the strongest first.
const (
	ReasonID         PairReason = "id"            // the same id
	ReasonNormalized PairReason = "normalized-id" // the same id in different spellings
	ReasonName       PairReason = "name"          // the same tool name
	ReasonPosition   PairReason = "position"      // no other candidate is left there
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

// Pairs lists every tool call and every tool result of history, in order, with its counterpart:
// what Check judges and what a repair for profile goes by. A nil profile stands for the one that
// Sanitize takes for nil. Pairs only reads; its cost is linear in the history.
//
// Which result answers a call is decided by the best evidence there is (see PairReason), and of
// several results of one call by what they are worth: a real result before an error, an error
// before a placeholder. The others are duplicates.
func Pairs(history []Message, profile *Profile) []Pair {
	r := run{profile: profile}
	r.applyDefaults()
	var p pairing
	p.of(history, r.profile, r.options)
	var out []Pair
	for _, side := range []side{clientSide, serverSide} {
		p.survey(side)
		p.assign()
		both := len(out) > 0
		out = p.appendPairs(out)
		if both && len(p.calls)+len(p.results) > 0 {
			slices.SortFunc(out, func(a, b Pair) int {
				return cmp.Or(cmp.Compare(a.At.Message, b.At.Message), cmp.Compare(a.At.Part, b.At.Part))
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
			pair := Pair{At: Position{ref.node, ref.part, none}, Part: ref.call, CounterpartAt: nowhere}
			if pair.Status = p.callStatus(c, paused && ref.turn == last); ref.answer != none {
				r := &p.results[ref.answer]
				pair.Counterpart, pair.CounterpartAt, pair.Reason = r.result, Position{r.node, r.part, none}, r.reason
			}
			out = append(out, pair)
			c++
			continue
		}
		ref := &p.results[r]
		pair := Pair{At: Position{ref.node, ref.part, none}, Part: ref.result, CounterpartAt: nowhere}
		if pair.Status = p.resultStatus(r); ref.call != none {
			c := &p.calls[ref.call]
			pair.Counterpart, pair.CounterpartAt, pair.Reason = c.call, Position{c.node, c.part, none}, ref.reason
		}
		out = append(out, pair)
		r++
	}
	return out
}

// callStatus is the status of call c, which is of a turn that the provider may have paused.
func (p *pairing) callStatus(c int, paused bool) PairStatus {
	switch ref := &p.calls[c]; {
	case ref.answer != none:
		return p.resultStatus(ref.answer)
	case p.policy.waits(ref.call) || paused:
		return PairWaiting
	}
	return PairDangling
}

// resultStatus is the status of result r.
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

const none = -1

// side is whose calls a pairing is about: they never answer each other's.
type side bool

// The sides.
const (
	clientSide side = false // the caller runs the tools
	serverSide side = true  // the provider does
)

// callRef and resultRef are one call and one result, with what they were matched to.
type callRef struct {
	node, part int
	turn       int
	call       *ToolCall
	answer     int // index of its result, or none
	// a result that is not its answer is where the provider looks for one; Check notes it
	filled bool
}

type resultRef struct {
	node, part int
	zone       int // the turn in whose zone it is, or none
	near       int // the last turn that begins before it, or none
	result     *ToolResult
	call       int        // index of its call, or none
	reason     PairReason // for that match
	further    bool       // the call has another answer
	repeats    int        // it is a copy of the result this many before it; 0 when it is not
	rebound    bool       // it has to change to be taken for the answer of its call
	settled    bool       // dealt with by the fixer
	worth      worth      // see pairing.worth
}

// turnRef is one assistant turn: a run of messages, and the ranges of its calls and of the results
// in its zone.
type turnRef struct {
	first, last int // messages; empty messages between them belong to nobody
	calls       [2]int
	results     [2]int
	cut         cutState
	swapped     bool // a call got another answer than the first with its id
}

// pairing is the survey of the calls and results of one side, and their assignment.
type pairing struct {
	profile *Profile
	policy  *Options
	history []Message // what is paired,
	d       *draft    // or the draft that is
	side    side

	turns   []turnRef
	calls   []callRef
	results []resultRef
	ids     idtable.Table  // the first message of the calls with an id; see named
	again   map[string]int // the second call with an id, or none; see lone
	names   bool           // names have to agree, beside ids; see nameKey
	past    int            // see pastBefore

	inTurn []*ToolCall   // see inOrder
	open   []int         // see openCalls
	free   []int         // see freeResults
	groups callGroups    // see group
	latest idtable.Table // see seek
	hashes map[uint64]bool
}

// of says what is paired: a history.
func (p *pairing) of(history []Message, profile *Profile, policy *Options) {
	p.history, p.d, p.profile, p.policy = history, nil, profile, policy
}

// ofDraft says the same about a draft.
func (p *pairing) ofDraft(d *draft) {
	p.history, p.d, p.profile, p.policy = nil, d, d.profile, d.policy
}

// release lets go of all but the memory.
func (p *pairing) release() {
	p.forget()
	clear(p.inTurn[:cap(p.inTurn)])
	p.history, p.d, p.profile, p.policy = nil, nil, nil, nil
}

// forget ends a survey.
func (p *pairing) forget() {
	clear(p.calls)
	clear(p.results)
	p.groups.release()
	p.ids.Reset()
	p.latest.Reset()
	p.turns, p.calls, p.results, p.again = p.turns[:0], p.calls[:0], p.results[:0], nil
}

func (p *pairing) len() int {
	if p.d != nil {
		return len(p.d.nodes)
	}
	return len(p.history)
}

func (p *pairing) message(i int) *Message {
	if p.d != nil {
		return &p.d.nodes[i].Message
	}
	return &p.history[i]
}

func (p *pairing) assistant(i int) bool {
	role, _ := roleOf(p.message(i).Role)
	return role == RoleAssistant
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

// agree reports whether a call and a result agree in all that counts: as callKey and resultKey do.
func (p *pairing) agree(c *ToolCall, r *ToolResult) bool {
	return c.ID == r.CallID && (!p.names || c.Name == r.Name) && p.variant(c.Variant) == p.variant(r.Variant)
}

// variant is what of a variant has to agree between a call and its result.
func (p *pairing) variant(variant string) string {
	switch {
	case p.side == serverSide && variant == mcpVariant || p.side == clientSide && p.profile.Pairing.Typed:
		return variant // an MCP call is answered by an MCP result alone
	}
	return ""
}

// byName reports whether names count beside ids.
func (p *pairing) byName() bool { return p.profile.Pairing.ByName && p.side == clientSide }

// assign matches the calls and results of the survey. It reports whether all are in place.
func (p *pairing) assign() bool {
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
	if p.side == clientSide && p.attachSilent() {
		p.weigh()
	}
	return false
}

// matchClient matches the calls of the caller's side. It reports whether all are in place.
func (p *pairing) matchClient() bool {
	p.matchZones(exactID, ReasonID)
	if p.complete() || p.names && p.matchNames() {
		return true
	}
	p.matchAnywhere(exactID, ReasonID)
	p.matchZones(looseID, ReasonNormalized)
	p.matchAnywhere(looseID, ReasonNormalized)
	p.matchAhead(exactID, ReasonID)
	p.matchAliases()
	p.matchAhead(looseID, ReasonNormalized)
	p.attachSame()
	if p.names {
		p.matchOtherNames()
	} else if !p.profile.Pairing.ByName {
		p.matchBlankIDs()
	}
	p.matchTools()
	p.matchPlaces()
	p.matchTypes()
	return false
}

// matchTurns matches the calls that the provider ran: each result with an open call of its id,
// first one before it in its turn, then any before it, then one after it in its own turn.
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
		p.matchEitherWay(p.turns[t].calls, p.turns[t].results, exactID, ReasonID)
	}
}

// complete reports whether every call has its result and every result its call, in its zone.
func (p *pairing) complete() bool {
	for k := range p.calls {
		if p.calls[k].answer == none && !p.policy.staysOpen(p.calls[k].call) {
			return false
		}
	}
	for k := range p.results {
		if p.results[k].rebound || p.results[k].call == none {
			return false
		}
	}
	return true
}

// inPlace reports whether result r is where the provider looks for the answer of its call, and
// after it.
func (p *pairing) inPlace(r int) bool {
	ref := &p.results[r]
	return p.calls[ref.call].turn == ref.zone && p.precedes(ref.call, r)
}

// precedes reports whether call c is before result r, if only in the same message.
func (p *pairing) precedes(c, r int) bool {
	call, result := &p.calls[c], &p.results[r]
	return call.node < result.node || call.node == result.node && call.part < result.part
}

// answersPast reports whether a result without a call may answer one in the part of the history
// that the provider holds.
func (p *pairing) answersPast(r *resultRef) bool {
	return p.side == clientSide && r.node > p.past && idProblem(p.profile.IDs.Call, r.result.CallID) == ""
}
