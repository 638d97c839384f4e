package preflight

// This file takes parallel tool calls apart, where the model makes one call at a time.

// SplitCalls gives every tool call a message of its own, with its result right behind it. What stands
// before a call stays before it. Nothing is split while one of the calls waits on purpose.
var SplitCalls = Fixer{
	Name:   "split-calls",
	Doc:    "takes parallel tool calls apart: one call, its result, then the next",
	repair: splitCalls,
}

// parallel reports whether a message holds several tool calls, none of which waits on purpose.
func parallel(policy *Options, parts []Part) bool {
	calls := 0
	for _, p := range parts {
		if c := clientCall(p); c != nil {
			if policy.pending(c) {
				return false
			}
			calls++
		}
	}
	return calls > 1
}

func splitCalls(d *draft) {
	if !d.profile.OneCallPerMessage {
		return
	}
	var out []node
	split := false
	for i := 0; i < len(d.nodes); {
		if d.role(i) != RoleAssistant || !parallel(d.policy, d.nodes[i].Parts) {
			out = append(out, d.nodes[i])
			i++
			continue
		}
		end := i + 1
		for end < len(d.nodes) && d.role(end) == RoleTool {
			end++
		}
		out, split = append(out, d.serialized(i, end)...), true
		i = end
	}
	if split {
		d.nodes, d.edited, d.rescued = out, true, rescue{node: none}
	}
}

// serialized is node i, and the nodes of its results up to end, as a series of messages with one call each.
func (d *draft) serialized(i, end int) []node {
	results := make(map[string][]node)
	for k := i + 1; k < end; k++ {
		id := resultID(&d.nodes[k])
		results[id] = append(results[id], d.nodes[k])
	}
	n := d.own(i)
	var out []node
	piece, answers := *n, []node(nil)
	piece.Parts, piece.from = nil, nil
	calls, last := 0, lastCall(n.Parts)
	for j, p := range n.Parts {
		if c := clientCall(p); c != nil {
			if calls++; calls > 1 {
				d.warn(d.position(i, j), note{code: CodeCallsSplit, problem: ProblemParallelCalls, id: c.ID, detail: "moved a parallel tool call, with its result, into a message of its own"}, Tally{}, Tally{})
			}
			piece.Parts, piece.from = append(piece.Parts, p), append(piece.from, n.from[j])
			answers = results[c.ID]
			delete(results, c.ID)
			if j < last {
				out = append(append(out, piece), answers...)
				piece = made(RoleAssistant, nil, nil)
			}
			continue
		}
		piece.Parts, piece.from = append(piece.Parts, p), append(piece.from, n.from[j])
	}
	out = append(append(out, piece), answers...)
	for k := i + 1; k < end; k++ { // what answers none of the calls
		id := resultID(&d.nodes[k])
		out = append(out, results[id]...)
		delete(results, id)
	}
	return out
}

// resultID is the id of the call that a message's result answers.
func resultID(n *node) string {
	for _, p := range n.Parts {
		if r := clientResult(p); r != nil {
			return r.CallID
		}
	}
	return ""
}

// lastCall is the index of the last tool call of parts, none when there is none.
func lastCall(parts []Part) int {
	for j := len(parts) - 1; j >= 0; j-- {
		if clientCall(parts[j]) != nil {
			return j
		}
	}
	return none
}
