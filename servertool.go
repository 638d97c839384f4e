package preflight

import "slices"

// This file pairs provider-executed (server) tool calls with their results. Both stand in one assistant turn, the call
// first. A call may be open only where the whole conversation ends (the provider paused the turn), or where nothing but the
// results of client calls of the same turn stands behind it.

// serverRef is one provider-executed call or result of a draft.
type serverRef struct {
	node, part int
	turn       int
	id         string
	mcp        bool // of an MCP server: an answer of another kind is none
	mate       int  // index of its other half in the other list, or none
}

type serverPairing struct {
	d       *draft
	turns   []turnRef
	calls   []serverRef
	results []serverRef
	cutLast int // the last message that lost its signed reasoning
}

func pairServerTools(d *draft) {
	if !d.servesTools() {
		return
	}
	p := surveyServerTools(d)
	if len(p.calls) == 0 && len(p.results) == 0 {
		return // they stand outside the assistant's turns
	}
	p.matchTurns()
	p.moveResults()
	p.dropOrphans()
	p.dropDangling()
	d.commit()
}

// servesTools reports whether there is a provider-executed call or result at all.
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

func surveyServerTools(d *draft) *serverPairing {
	p := &serverPairing{d: d, cutLast: none}
	after := false
	for i := range d.nodes {
		if len(d.nodes[i].Parts) == 0 {
			continue
		}
		if d.role(i) != RoleAssistant {
			after = false
			continue
		}
		if !after || !d.profile.JoinTurns {
			p.turns = append(p.turns, turnRef{first: i})
		}
		after = true
		t := len(p.turns) - 1
		p.turns[t].last = i
		for j, part := range d.nodes[i].Parts {
			if c := serverCall(part); c != nil {
				p.calls = append(p.calls, serverRef{i, j, t, c.ID, isMCP(part), none})
			} else if r := serverResult(part); r != nil {
				p.results = append(p.results, serverRef{i, j, t, r.CallID, isMCP(part), none})
			}
		}
	}
	return p
}

// serverKey is what call and result of a provider-executed tool agree in.
type serverKey struct {
	turn int
	id   string
	mcp  bool
}

// matchTurns matches each result with an open call of its id: first one before it in its turn, then any before it, then
// one behind it in its own turn.
func (p *serverPairing) matchTurns() {
	inTurn := func(r *serverRef) serverKey { return serverKey{r.turn, r.id, r.mcp} }
	p.match(inTurn, (*serverRef).before)
	p.match(func(r *serverRef) serverKey { return serverKey{none, r.id, r.mcp} }, (*serverRef).before)
	p.match(inTurn, func(c, r *serverRef) bool { return true })
}

// before reports whether c stands before r.
func (c *serverRef) before(r *serverRef) bool {
	return c.node < r.node || c.node == r.node && c.part < r.part
}

// match gives each free result the first open call with its key, if that fits.
func (p *serverPairing) match(key func(*serverRef) serverKey, fits func(c, r *serverRef) bool) {
	var open map[serverKey][]int
	for r := range p.results {
		result := &p.results[r]
		if result.mate != none {
			continue
		}
		if open == nil {
			open = make(map[serverKey][]int)
			for c := range p.calls {
				if p.calls[c].mate == none {
					k := key(&p.calls[c])
					open[k] = append(open[k], c)
				}
			}
		}
		k := key(result)
		if q := open[k]; len(q) > 0 && fits(&p.calls[q[0]], result) {
			p.calls[q[0]].mate, result.mate = r, q[0]
			open[k] = q[1:]
		}
	}
}

// moveResults puts each matched result that stands in another turn, or before its call, right behind its call.
func (p *serverPairing) moveResults() {
	moved := make(map[int][]int) // node -> calls whose result moves into it
	for c := range p.calls {
		call := &p.calls[c]
		if call.mate == none {
			continue
		}
		r := &p.results[call.mate]
		if r.turn == call.turn && call.before(r) {
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

func (p *serverPairing) rebuild(i int, calls []int) {
	d := p.d
	var parts []Part
	var from []origin
	taken := make(map[int]answer, len(calls)) // call part -> its result
	for _, c := range calls {
		r := &p.results[p.calls[c].mate]
		d.warn(d.position(r.node, r.part), note{code: CodeResultMoved, problem: ProblemServerOrphan, id: r.id,
			detail: "moved a provider-executed result behind its call"}, Tally{}, Tally{})
		part, o := d.take(r.node, r.part)
		taken[p.calls[c].part] = answer{part: part, from: o}
	}
	n := d.own(i)
	index := make([]int, len(n.Parts)) // where each part goes
	for j, part := range n.Parts {
		index[j] = len(parts)
		parts, from = append(parts, part), append(from, n.from[j])
		if a, ok := taken[j]; ok {
			parts, from = append(parts, a.part), append(from, a.from)
		}
	}
	d.setParts(i, parts, from)
	for _, refs := range [][]serverRef{p.calls, p.results} {
		k, _ := slices.BinarySearchFunc(refs, i, func(r serverRef, node int) int { return r.node - node })
		for ; k < len(refs) && refs[k].node == i; k++ {
			refs[k].part = index[refs[k].part]
		}
	}
}

func (p *serverPairing) dropOrphans() {
	for k := range p.results {
		r := &p.results[k]
		if r.mate != none {
			continue
		}
		n := note{code: CodeOrphanRemoved, problem: ProblemServerOrphan, id: r.id, detail: "removed a provider-executed result without its call before it"}
		if isMCP(p.d.nodes[r.node].Parts[r.part]) {
			n.problem = ProblemMCPPairing
		}
		p.cut(r, n)
	}
}

func (p *serverPairing) dropDangling() {
	last := len(p.turns) - 1
	paused := p.mayBeOpen(last)
	for k := range p.calls {
		c := &p.calls[k]
		call := p.d.nodes[c.node].Parts[c.part].(*ToolCall)
		if c.mate != none || paused && c.turn == last || p.d.policy.pending(call) {
			continue
		}
		n := note{code: CodeDanglingRemoved, problem: ProblemServerDangling, id: c.id, detail: "removed a provider-executed call that has no result"}
		if isMCP(call) {
			n.problem = ProblemMCPPairing
		}
		p.cut(c, n)
	}
}

// mcpVariant is the variant of the calls of MCP servers that the provider talks to, and of their results.
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

// mayBeOpen reports whether a turn may hold an open provider-executed call: nothing follows it but the results of its
// client calls. Other results are on their way out from there: that more was said is seen from them only this once.
func (p *serverPairing) mayBeOpen(t int) bool {
	called := p.d.profile.HeldPast // the client's tools, here or in the past
	for i := p.turns[t].first; i <= p.turns[t].last; i++ {
		called = called || slices.ContainsFunc(p.d.nodes[i].Parts, func(part Part) bool { return clientCall(part) != nil })
	}
	for i := p.turns[t].last + 1; i < len(p.d.nodes); i++ {
		for _, part := range p.d.nodes[i].Parts {
			if !isNil(part) && (clientResult(part) == nil || !called) && !p.d.passes(part) {
				return false
			}
		}
	}
	return true
}

// cut drops a call or result. Signed reasoning of that message goes with it: the provider compares the turn it signed.
func (p *serverPairing) cut(ref *serverRef, n note) {
	p.d.drop(ref.node, ref.part, n)
	if p.cutLast == ref.node {
		return
	}
	p.cutLast = ref.node
	for j, part := range p.d.nodes[ref.node].Parts {
		if signed(part) {
			p.d.drop(ref.node, j, note{code: CodeReasoningRemoved, problem: ProblemServerDangling,
				detail: "removed signed reasoning of a message that had to be cut"})
		}
	}
}
