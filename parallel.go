package preflight

// This file takes parallel tool calls apart, where the model makes one call at a time.

// SplitCalls gives every tool call a message of its own, with its result right behind it. What stands
// before a call stays before it. From the first call on that waits on purpose, nothing is split: it has no result that could
// stand between it and the next.
var SplitCalls = Fixer{
	Name:   "split-calls",
	Doc:    "takes parallel tool calls apart: one call, its result, then the next",
	repair: splitCalls,
}

// parallel reports whether a message holds a tool call that does not wait on purpose, and a further one behind it.
func parallel(policy *Options, parts []Part) bool {
	first := true
	for _, p := range parts {
		c := clientCall(p)
		switch {
		case c == nil:
		case !first:
			return true
		case policy.staysOpen(c):
			return false
		default:
			first = false
		}
	}
	return false
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
	calls, last := 0, d.lastPiece(n.Parts)
	for j, p := range n.Parts {
		piece.Parts, piece.from = append(piece.Parts, p), append(piece.from, n.from[j])
		c := clientCall(p)
		if c == nil {
			continue
		}
		if calls++; calls > 1 && j <= last {
			d.warn(d.position(i, j), note{code: CodeCallsSplit, problem: ProblemParallelCalls, id: c.ID, detail: "moved a parallel tool call, with its result, into a message of its own"}, Tally{}, Tally{})
		}
		answers = append(answers, results[c.ID]...)
		delete(results, c.ID)
		if j < last {
			out = append(append(out, piece), answers...)
			piece, answers = made(RoleAssistant, nil, nil), nil
		}
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

// lastPiece is the index of the call that opens the last message a series is made of: the first that waits, else the last one.
func (d *draft) lastPiece(parts []Part) int {
	last := none
	for j, p := range parts {
		if c := clientCall(p); c != nil {
			if last = j; d.policy.staysOpen(c) {
				break
			}
		}
	}
	return last
}
