package preflight

import (
	"slices"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/pairing"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file pairs the calls and results of tools that the provider runs itself.
//
//	assistant: search a; user: "next"        the search is removed: its result never came
//	assistant: result of search a, "b"       becomes  assistant: "b"

// serverPairs checks that every provider-executed call has a result after it in the same turn, and
// that every such result has a call.
func (c *checker) serverPairs() {
	if !c.served {
		return
	}
	p := &c.pairs
	p.setHistory(c.history, c.profile, c.options)
	if p.inOrder(serverSide) {
		return
	}
	p.survey(serverSide)
	p.Assign()
	for r := range p.Results {
		ref := &p.Results[r]
		if ref.Zone == none || ref.Call == none && ref.Held ||
			ref.Call != none && !ref.Further && p.InPlace(r) {
			continue // outside assistant turns its role is wrong, which another check reports
		}
		problem := problems.ServerOrphan
		if isMCP(p.result(r)) {
			problem = problems.MCPPairing
		}
		c.reportUnless(p.resultLeftFor(r), problem, ref.Message, ref.Part, ref.ID,
			"the provider-executed result has no call before it in its turn")
	}
	last := len(p.Turns) - 1
	resumable := p.resumable()
	mixed := last >= 0 && p.mixed(last)
	for k := range p.Calls {
		ref := &p.Calls[k]
		problem, detail := problems.ServerDangling,
			"the provider-executed call has no result in its turn"
		switch {
		case ref.Answer != none && p.InPlace(ref.Answer) || resumable(k) ||
			p.mayServeLater(k) || p.mayBeAnswered(k) || p.endsAt(k):
			continue
		case isMCP(p.call(k)):
			problem, detail = problems.MCPPairing, "the MCP call has no result in its turn"
		case ref.Turn == last && mixed:
			problem, detail = problems.ServerMixed,
				"more than tool results follows a turn with an open provider-executed call"
		}
		c.reportUnless(p.callLeftFor(k), problem, ref.Message, ref.Part, ref.ID, detail)
	}
}

// serverPairs repairs the pairs of provider-executed calls and results.
type serverPairs struct {
	*toolPairing
	cutLast int // the last message that lost its signed reasoning
}

func pairServerTools(d *draft) {
	if !d.servesTools() {
		return
	}
	p := serverPairs{toolPairing: d.pairs, cutLast: none}
	p.setDraft(d)
	defer p.release()
	p.survey(serverSide)
	p.Assign()
	p.moveResults()
	p.dropOrphans()
	p.dropDangling()
	d.commit()
}

// servesTools reports whether the draft has a provider-executed call or result.
func (d *draft) servesTools() bool {
	for i := range d.nodes {
		for _, part := range d.nodes[i].Parts {
			if serverCall(part) != nil || serverResult(part) != nil {
				return true
			}
		}
	}
	return false
}

// moveResults moves each matched result that is in another turn, or before its call, to the place
// right after its call.
func (p *serverPairs) moveResults() {
	moved := make(map[int][]int) // node -> calls whose result moves into it
	for c := range p.Calls {
		call := &p.Calls[c]
		if call.Answer == none || p.InPlace(call.Answer) || p.resultLeftAlone(call.Answer) {
			continue
		}
		moved[call.Message] = append(moved[call.Message], c)
	}
	if len(moved) == 0 {
		return
	}
	for i := range p.d.nodes {
		if calls := moved[i]; calls != nil {
			p.rebuild(i, calls)
		}
	}
}

func (p *serverPairs) rebuild(i int, calls []int) {
	d := p.d
	var parts []Part
	var from []origin
	taken := make(map[int]answer, len(calls)) // call part -> its result
	for _, c := range calls {
		r := &p.Results[p.Calls[c].Answer]
		d.warn(d.position(r.Message, r.Part), note{
			code: codes.ResultMoved, problem: problems.ServerOrphan, id: r.ID,
			detail: "moved a provider-executed result after its call",
		}, Tally{}, Tally{})
		part, o := d.takePart(r.Message, r.Part)
		taken[p.Calls[c].Part] = answer{part: part, from: o}
	}
	n := d.ownParts(i)
	index := make([]int, len(n.Parts)) // new index of each part
	for j, part := range n.Parts {
		index[j] = len(parts)
		parts, from = append(parts, part), append(from, n.from[j])
		if a, ok := taken[j]; ok {
			parts, from = append(parts, a.part), append(from, a.from)
		}
	}
	d.setParts(i, parts, from)
	k, _ := slices.BinarySearchFunc(p.Calls, i, func(r pairing.Call, node int) int {
		return r.Message - node
	})
	for ; k < len(p.Calls) && p.Calls[k].Message == i; k++ {
		p.Calls[k].Part = index[p.Calls[k].Part]
	}
	k, _ = slices.BinarySearchFunc(p.Results, i, func(r pairing.Result, node int) int {
		return r.Message - node
	})
	for ; k < len(p.Results) && p.Results[k].Message == i; k++ {
		p.Results[k].Part = index[p.Results[k].Part]
	}
}

func (p *serverPairs) dropOrphans() {
	for k := range p.Results {
		r := &p.Results[k]
		if r.Call != none && !r.Further || r.Zone == none || r.Call == none && r.Held ||
			p.resultLeftAlone(k) {
			continue // outside assistant turns its role is wrong, which another fixer repairs
		}
		n := note{
			code: codes.OrphanRemoved, problem: problems.ServerOrphan, id: r.ID,
			detail: "removed a provider-executed result without its call before it",
		}
		if isMCP(p.d.nodes[r.Message].Parts[r.Part]) {
			n.problem = problems.MCPPairing
		}
		p.cut(r.Message, r.Part, n)
	}
}

func (p *serverPairs) dropDangling() {
	resumable := p.resumable()
	for k := range p.Calls {
		c := &p.Calls[k]
		call := p.call(k)
		if c.Answer != none || resumable(k) || p.mayServeLater(k) || p.keepsOpen(k) {
			continue
		}
		n := note{
			code: codes.DanglingRemoved, problem: problems.ServerDangling, id: call.ID,
			detail: "removed a provider-executed call that has no result",
		}
		if isMCP(call) {
			n.problem = problems.MCPPairing
		}
		p.cut(c.Message, c.Part, n)
	}
}

// paused reports whether a turn may hold an open provider-executed call: it is the last turn, and
// only results of its client calls follow it. Results of other calls are about to be removed, so
// that a later pass does not see them.
func (p *toolPairing) paused(t int) bool {
	if p.side == clientSide || t != len(p.Turns)-1 {
		return false
	}
	called, results, more := p.follows(t)
	return !more && (called || !results || p.options.Request.startsElsewhere())
}

// resumable returns a function that reports whether the provider goes on with call k of its own,
// which is open: one of the last turn, if that is paused. A call from before an exchange with the
// caller's tools counts only if the messages after the exchange call the caller's tools again.
func (p *toolPairing) resumable() func(k int) bool {
	last := len(p.Turns) - 1
	if last < 0 || !p.paused(last) {
		return func(int) bool { return false }
	}
	run, calls := p.Turns[last].Last, false
	for i := run; i >= p.Turns[last].First; i-- {
		m := p.at(i)
		if len(m.Parts) == 0 {
			continue
		}
		if roleOf(m) != RoleAssistant {
			break
		}
		run = i
		calls = calls || slices.ContainsFunc(m.Parts, isClientCall)
	}
	return func(k int) bool {
		return p.Calls[k].Turn == last && (calls || p.Calls[k].Message >= run)
	}
}

// mayServeLater reports whether call k may be without a result: the provider does not look for one,
// or the caller keeps the call. A call that has a result elsewhere gets it.
func (p *toolPairing) mayServeLater(k int) bool {
	return p.options.staysOpen(p.call(k)) ||
		p.profile.Pairing.ServedOpen && p.Calls[k].Answer == none
}

// mixed reports whether a turn has client calls and results of client calls follow it.
func (p *toolPairing) mixed(t int) bool {
	called, results, _ := p.follows(t)
	return called && results
}

// follows reports whether a turn has client calls, whether client results follow it, and whether
// anything else does.
func (p *toolPairing) follows(t int) (called, results, more bool) {
	for i := p.Turns[t].First; i < p.len(); i++ {
		m := p.at(i)
		if i <= p.Turns[t].Last && roleOf(m) != RoleAssistant &&
			len(m.Parts) > 0 {
			called = false // these calls have their results
		}
		for _, part := range m.Parts {
			switch {
			case isNil(part):
			case i <= p.Turns[t].Last:
				called = called || clientCall(part) != nil
			case clientResult(part) != nil:
				results = true
			case !passesOver(p.profile, part):
				more = true
			}
		}
	}
	return called, results, more
}

// cut drops a call or result, and with it the signed reasoning of its message, because the provider
// compares the turn with the one it signed. Where reasoning is bound to what comes before it, the
// pipeline knows which of it is lost.
func (p *serverPairs) cut(node, part int, n note) {
	p.d.drop(node, part, n)
	if p.cutLast == node || p.d.profile.Reasoning.Bound {
		return
	}
	p.cutLast = node
	for j, part := range p.d.nodes[node].Parts {
		if signed(part) {
			p.d.drop(node, j, note{code: codes.ReasoningRemoved, problem: problems.ServerDangling,
				detail: "removed signed reasoning of a message that had to be cut"})
		}
	}
}
