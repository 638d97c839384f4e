package preflight

import (
	"slices"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/rule"
)

// This file pairs the calls and results of tools that the provider runs itself.

// serverPairs checks that every provider-executed call has a result after it in the same turn, and
// that every such result has a call.
func (c *checker) serverPairs() {
	if !c.served {
		return
	}
	p := &c.pairs
	p.setHistory(c.history, c.profile, c.policy)
	if p.inOrder(serverSide) {
		return
	}
	p.survey(serverSide)
	p.assign()
	for r := range p.results {
		ref := &p.results[r]
		if ref.zone == none || ref.call != none && !ref.further && p.inPlace(r) {
			continue // outside assistant turns its role is wrong, which another check reports
		}
		problem := rule.ServerOrphan
		if isMCP(ref.result) {
			problem = rule.MCPPairing
		}
		c.report(problem, ref.node, ref.part, ref.result.CallID,
			"the provider-executed result has no call before it in its turn")
	}
	last := len(p.turns) - 1
	paused := last >= 0 && p.paused(last)
	mixed := last >= 0 && p.mixed(last)
	for k := range p.calls {
		ref := &p.calls[k]
		switch {
		case ref.answer != none && p.inPlace(ref.answer) || ref.turn == last && paused ||
			p.policy.staysOpen(ref.call):
		case isMCP(ref.call):
			c.report(rule.MCPPairing, ref.node, ref.part, ref.call.ID,
				"the MCP call has no result in its turn")
		case ref.turn == last && mixed:
			c.report(rule.ServerMixed, ref.node, ref.part, ref.call.ID,
				"more than tool results follows a turn with an open provider-executed call")
		default:
			c.report(rule.ServerDangling, ref.node, ref.part, ref.call.ID,
				"the provider-executed call has no result in its turn")
		}
	}
}

// serverPairs repairs the pairs of provider-executed calls and results.
type serverPairs struct {
	*pairing
	cutLast int // the last message that lost its signed reasoning
}

func pairServerTools(d *draft) {
	if !d.servesTools() {
		return
	}
	p := serverPairs{pairing: &d.pairs, cutLast: none}
	p.setDraft(d)
	defer p.release()
	p.survey(serverSide)
	p.assign()
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
	for c := range p.calls {
		call := &p.calls[c]
		if call.answer == none || p.inPlace(call.answer) {
			continue
		}
		moved[call.node] = append(moved[call.node], c)
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
		r := &p.results[p.calls[c].answer]
		d.warn(d.position(r.node, r.part), note{
			code: codes.ResultMoved, problem: rule.ServerOrphan, id: r.result.CallID,
			detail: "moved a provider-executed result after its call",
		}, Tally{}, Tally{})
		part, o := d.take(r.node, r.part)
		taken[p.calls[c].part] = answer{part: part, from: o}
	}
	n := d.own(i)
	index := make([]int, len(n.Parts)) // new index of each part
	for j, part := range n.Parts {
		index[j] = len(parts)
		parts, from = append(parts, part), append(from, n.from[j])
		if a, ok := taken[j]; ok {
			parts, from = append(parts, a.part), append(from, a.from)
		}
	}
	d.setParts(i, parts, from)
	k, _ := slices.BinarySearchFunc(p.calls, i, func(r callRef, node int) int {
		return r.node - node
	})
	for ; k < len(p.calls) && p.calls[k].node == i; k++ {
		p.calls[k].part = index[p.calls[k].part]
	}
	k, _ = slices.BinarySearchFunc(p.results, i, func(r resultRef, node int) int {
		return r.node - node
	})
	for ; k < len(p.results) && p.results[k].node == i; k++ {
		p.results[k].part = index[p.results[k].part]
	}
}

func (p *serverPairs) dropOrphans() {
	for k := range p.results {
		r := &p.results[k]
		if r.call != none && !r.further || r.zone == none {
			continue // outside assistant turns its role is wrong, which another fixer repairs
		}
		n := note{
			code: codes.OrphanRemoved, problem: rule.ServerOrphan, id: r.result.CallID,
			detail: "removed a provider-executed result without its call before it",
		}
		if isMCP(p.d.nodes[r.node].Parts[r.part]) {
			n.problem = rule.MCPPairing
		}
		p.cut(r.node, r.part, n)
	}
}

func (p *serverPairs) dropDangling() {
	last := len(p.turns) - 1
	paused := last >= 0 && p.paused(last)
	for k := range p.calls {
		c := &p.calls[k]
		call := c.call
		if c.answer != none || paused && c.turn == last || p.policy.staysOpen(call) {
			continue
		}
		n := note{
			code: codes.DanglingRemoved, problem: rule.ServerDangling, id: call.ID,
			detail: "removed a provider-executed call that has no result",
		}
		if isMCP(call) {
			n.problem = rule.MCPPairing
		}
		p.cut(c.node, c.part, n)
	}
}

// mcpVariant is the variant of calls that the provider sends to MCP servers, and of their results.
const mcpVariant = "mcp"

func isMCP(part Part) bool {
	switch part := part.(type) {
	case *ToolCall:
		return part.Variant == mcpVariant
	case *ToolResult:
		return part.Variant == mcpVariant
	}
	return false
}

// paused reports whether a turn may hold an open provider-executed call: it is the last turn, and
// only results of its client calls follow it. Other results there are about to be removed: later
// passes no longer see them.
func (p *pairing) paused(t int) bool {
	if p.side == clientSide || t != len(p.turns)-1 {
		return false
	}
	called, results, more := p.after(t)
	return !more && (called || !results || p.policy.Request.ServerHoldsHistory)
}

// mixed reports whether a turn has client calls and results of client calls follow it.
func (p *pairing) mixed(t int) bool {
	called, results, _ := p.after(t)
	return called && results
}

// after reports whether a turn has client calls, whether client results follow it, and whether
// anything else does.
func (p *pairing) after(t int) (called, results, more bool) {
	for i := p.turns[t].first; i < p.len(); i++ {
		for _, part := range p.message(i).Parts {
			switch {
			case isNil(part):
			case i <= p.turns[t].last:
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
// compares the turn with the one it signed.
func (p *serverPairs) cut(node, part int, n note) {
	p.d.drop(node, part, n)
	if p.cutLast == node {
		return
	}
	p.cutLast = node
	for j, part := range p.d.nodes[node].Parts {
		if signed(part) {
			p.d.drop(node, j, note{code: codes.ReasoningRemoved, problem: rule.ServerDangling,
				detail: "removed signed reasoning of a message that had to be cut"})
		}
	}
}
