package preflight

// This file takes parallel tool calls apart, where the model makes one call at a time.

// SplitCalls gives every tool call a message of its own, with its result right behind it. Text and reasoning stay with the
// first call. Nothing is split while one of the calls waits on purpose.
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
		id := ""
		for _, p := range d.nodes[k].Parts {
			id = partID(p)
		}
		results[id] = append(results[id], d.nodes[k])
	}
	first := d.own(i)
	head := *first
	head.Parts, head.from = nil, nil
	var rest []node
	calls := 0
	for j, p := range first.Parts {
		c := clientCall(p)
		if c == nil || calls == 0 {
			head.Parts, head.from = append(head.Parts, p), append(head.from, first.from[j])
			if c != nil {
				calls++
				rest = append(rest, results[c.ID]...)
				delete(results, c.ID)
			}
			continue
		}
		d.warn(d.position(i, j), note{code: CodeCallsSplit, problem: ProblemParallelCalls, id: c.ID, detail: "moved a parallel tool call, with its result, into a message of its own"}, Tally{}, Tally{})
		rest = append(rest, made(RoleAssistant, []Part{p}, []origin{first.from[j]}))
		rest = append(rest, results[c.ID]...)
		delete(results, c.ID)
	}
	for k := i + 1; k < end; k++ { // what answers none of the calls
		for _, p := range d.nodes[k].Parts {
			if left := results[partID(p)]; len(left) > 0 {
				rest = append(rest, left...)
				delete(results, partID(p))
			}
		}
	}
	return append([]node{head}, rest...)
}
