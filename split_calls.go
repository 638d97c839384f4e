package preflight

import (
	"slices"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/pairing"
	"github.com/go-preflight/preflight/internal/problemset"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file gives each tool call a message of its own, for providers that accept one call per
// message.
//
//	assistant: call a, call b          becomes  assistant: call a
//	tool:      result a, result b               tool:      result a
//	                                            assistant: call b
//	                                            tool:      result b

// splitCallsFixer gives every tool call a message of its own, followed by its result. Parts before
// a call stay before it. Nothing is split after the first call that may stay without a result:
// nothing would separate it from the next call.
var splitCallsFixer = Fixer{
	Name:   "split-calls",
	group:  "content",
	repair: splitCalls,
	cures:  problemset.Of(problems.ParallelCalls),
	checks: []checks{{
		on:      func(p *Profile) bool { return p.Pairing.OneCallPerMessage },
		message: (*checker).parallelCalls,
	}},
}

// parallel reports whether a message, the last one or another, has a tool call that has a result,
// followed by another call.
func parallel(profile *Profile, options *Options, parts []Part, last bool) bool {
	if last && options.Request.endsAnywhere() {
		return false
	}
	first := true
	for _, p := range parts {
		c := clientCall(p)
		switch {
		case c == nil:
		case !first:
			return true
		case options.staysOpen(c) || leftAlone(profile, c):
			return false
		default:
			first = false
		}
	}
	return false
}

// parallel reports whether node i has parallel calls.
func (d *draft) parallel(i int) bool {
	return parallel(d.profile, d.options, d.nodes[i].Parts, i == len(d.nodes)-1)
}

func splitCalls(d *draft) {
	if !d.profile.Pairing.OneCallPerMessage {
		return
	}
	found := false
	for i := 0; i < len(d.nodes) && !found; i++ {
		found = d.parallel(i)
	}
	if !found {
		return
	}
	d.separateResults()
	d.pairs.setDraft(d)
	defer d.pairs.release()
	d.pairs.survey(clientSide)
	d.pairs.Assign()
	var out []node
	split := false
	for i := 0; i < len(d.nodes); {
		if d.role(i) != RoleAssistant || !d.parallel(i) {
			out = append(out, d.nodes[i])
			i++
			continue
		}
		end := i + 1
		for end < len(d.nodes) &&
			(d.role(end) == RoleTool || holdsOnlyResults(&d.nodes[end].Message)) {
			end++
		}
		out, split = append(out, d.serialized(i, end)...), true
		i = end
	}
	if split {
		d.setNodes(out)
	}
}

// separateResults gives each result after parallel calls a tool message of its own, since the calls
// are taken apart.
func (d *draft) separateResults() {
	after := false // message i is after parallel calls
	for i := range d.nodes {
		n := d.nodes[i]
		if !holdsOnlyResults(&n.Message) {
			after = d.role(i) == RoleAssistant && d.parallel(i)
			continue
		}
		if !after || len(n.Parts) < 2 {
			continue
		}
		for j, part := range n.Parts {
			d.insertBefore(i, newNode(RoleTool, []Part{part}, []origin{d.origin(i, j)}))
		}
		d.removeNode(i)
	}
	d.commit()
}

// serialized returns node i, and the nodes of its results up to end, as a series of messages with
// one call each.
func (d *draft) serialized(i, end int) []node {
	results := d.answersOf(i, end)
	n := d.ownParts(i)
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
			d.warn(d.position(i, j), note{
				code: codes.CallsSplit, problem: problems.ParallelCalls, id: c.ID,
				detail: "moved a parallel tool call, with its result, into a message of its own",
			}, Tally{}, Tally{})
		}
		answers = append(answers, results[j]...)
		if j < last {
			out = append(append(out, piece), answers...)
			piece, answers = newNode(RoleAssistant, nil, nil), nil
		}
	}
	out = append(append(out, piece), answers...)
	return append(out, results[none]...)
}

// answersOf returns the nodes after node i, up to end, keyed by the part of node i that they
// answer; nodes that answer no part of it have the key none.
func (d *draft) answersOf(i, end int) map[int][]node {
	p := d.pairs
	out := make(map[int][]node)
	r, _ := slices.BinarySearchFunc(p.Results, i+1, func(r pairing.Result, node int) int {
		return r.Message - node
	})
	for k := i + 1; k < end; k++ {
		part := none
		if r < len(p.Results) && p.Results[r].Message == k {
			if c := p.Results[r].Call; c != none && p.Calls[c].Message == i {
				part = p.Calls[c].Part
			}
		}
		out[part] = append(out[part], d.nodes[k])
		for r < len(p.Results) && p.Results[r].Message == k {
			r++
		}
	}
	return out
}

// lastPiece returns the index of the call with which the last message of a series begins: the first
// call that may stay without a result, or else the last call.
func (d *draft) lastPiece(parts []Part) int {
	last := none
	for j, p := range parts {
		if c := clientCall(p); c != nil {
			if last = j; d.options.staysOpen(c) || leftAlone(d.profile, c) {
				break
			}
		}
	}
	return last
}

// parallelCalls checks that no message has several tool calls, for providers that accept one call
// per message.
func (c *checker) parallelCalls(i int, m *Message) {
	if c.role(i) == RoleAssistant &&
		parallel(c.profile, c.options, m.Parts, i == len(c.history)-1) {
		c.report(problems.ParallelCalls, i, none, "", "the message holds several tool calls")
	}
}
