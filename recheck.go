package preflight

import (
	"github.com/go-preflight/preflight/internal/bitset"
	"github.com/go-preflight/preflight/internal/problemset"
	"github.com/go-preflight/preflight/provider"
)

// This file reuses what the first check of a history found: the pairs, for the repair, and the
// verdict on messages and texts that did not change, for the fixers and for the check of the
// repaired history.

// verdict is what the first check of a history found, message by message.
type verdict struct {
	complete bool       // every check ran, on the history of the draft below
	faulty   bitset.Set // the messages with a problem; of size 0 if there are none
	draft    *draft     // the draft that is checked now, nil in the first check
}

// fault records that message i of n has a problem. A later check counts only for a draft that does
// not trust the first one, and so asks for no verdict.
func (v *verdict) fault(i, n int) {
	if v.draft != nil || i >= n {
		return
	}
	if v.faulty.Size() != n {
		v.faulty.Reset(n)
	}
	v.faulty.Add(i)
}

// release forgets the verdict and keeps its memory.
func (v *verdict) release() {
	v.faulty.Reset(0)
	*v = verdict{faulty: v.faulty}
}

// faultless reports whether the first check found nothing wrong with the caller's message i.
func (v *verdict) faultless(i int32) bool { return i >= 0 && !v.faulty.Has(int(i)) }

// known is what a draft knows of its history from the first check, as long as no function of the
// caller gets the messages.
type known struct {
	holds census // what the history may hold
	ids   bool   // its calls have ids that the provider accepts, each once
}

// nothingKnown is known without a check.
var nothingKnown = known{holds: census{served: true, cached: true, media: true}}

// trust makes d rely on the first check of its history.
func (d *draft) trust(c *checker) {
	d.first, d.pairs = c, &c.pairs
	if !c.verdict.complete {
		return
	}
	d.trusted = true
	d.known.ids = d.profile.IDs.Unique != provider.ScopeTurn &&
		!c.problems.Meets(rewriteIDsFixer.cures)
	if d.policy.Interrupted == nil {
		d.known.holds = c.census
	}
	d.suspect.Reset(len(d.nodes))
	for i := range d.nodes {
		if !c.verdict.faultless(int32(i)) {
			d.touch(i)
			d.expected++
		}
	}
}

// suspects yields the nodes in which the first check found a problem and those that changed since,
// in order; every node if that is not known. What judges each message by itself has nothing to
// repair in the others.
func (d *draft) suspects(yield func(int) bool) {
	for i := 0; ; i++ {
		if d.trusted {
			i = d.suspect.Next(i)
		}
		if i >= len(d.nodes) || !yield(i) {
			return
		}
	}
}

// touch returns node i, which is going to change. Every change of a node begins with it.
func (d *draft) touch(i int) *node {
	n := &d.nodes[i]
	d.viewed = false
	if n.suspect = true; d.trusted {
		d.suspect.Add(i)
	}
	return n
}

// setNodes makes nodes those of the draft. Those with parts of the draft's own are suspects.
func (d *draft) setNodes(nodes []node) {
	d.nodes, d.edited, d.viewed = nodes, true, false
	d.near, d.singles, d.rescued = near{}, singles{}, rescue{node: none}
	if !d.trusted {
		return
	}
	d.suspect.Reset(len(d.nodes))
	for i := range d.nodes {
		if d.nodes[i].suspect || d.nodes[i].owned {
			d.touch(i)
		}
	}
}

// judged reports whether node i is none of the suspects.
func (d *draft) judged(i int) bool { return d.trusted && !d.nodes[i].suspect }

// judged reports whether message i of the draft is one of the caller's, unchanged, in which the
// first check found nothing. What it depends on beside the message itself is checked anyway.
func (c *checker) judged(i int) bool {
	return c.verdict.draft != nil && c.verdict.draft.judged(i)
}

// judgedText reports whether the first check validated the text of part j of message i.
func (c *checker) judgedText(i, j int, part Part) bool {
	d := c.verdict.draft
	if d == nil {
		return false
	}
	from := d.origin(i, j)
	return c.verdict.faultless(from.msg) && sameText(part, d.given[from.msg].Parts[from.part])
}

// keepsIDs reports whether the calls are known to have ids that the provider accepts, each once:
// they had them in the first check, and still have the same.
func (d *draft) keepsIDs() bool {
	if !d.known.ids {
		return false
	}
	for i := range d.suspects {
		for j, part := range d.nodes[i].Parts {
			if call, ok := part.(*ToolCall); ok && !d.keepsID(call, d.origin(i, j)) {
				return false
			}
		}
	}
	return true
}

// keepsID reports whether a call has the id of the caller's call that it came from, of the same
// kind.
func (d *draft) keepsID(call *ToolCall, from origin) bool {
	if from.msg < 0 {
		return false
	}
	given, ok := d.given[from.msg].Parts[from.part].(*ToolCall)
	return ok && given.ID == call.ID && given.Variant == call.Variant &&
		given.ProviderExecuted == call.ProviderExecuted
}

// sameText reports whether a repair of part b that led to a left its text in place.
func sameText(a, b Part) bool {
	if a == b {
		return true
	}
	switch a := a.(type) {
	case *Text:
		b, ok := b.(*Text)
		return ok && a.Text == b.Text
	case *Reasoning:
		b, ok := b.(*Reasoning)
		return ok && a.Text == b.Text && a.Opaque == b.Opaque
	case *ToolResult:
		b, ok := b.(*ToolResult)
		return ok && sameList(a.Content, b.Content) && sameBytes(a.Output, b.Output)
	}
	return false
}

// sameList reports whether two lists are the same memory.
func sameList(a, b []Part) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// checkAgain returns the problems of a repaired draft of the history that was checked first.
func (c *checker) checkAgain(d *draft) problemset.Set {
	c.verdict.draft = nil
	if d.trusted {
		c.verdict.draft = d
	}
	held := c.census
	if c.restart(d.asMessages(), d.profile, d.policy); d.trusted {
		c.census = held // and what is in suspects
	}
	c.run()
	return c.problems
}

// takePairs reports whether d.pairs are still those of the first check and nothing that they depend
// on changed since. It does so once.
func (d *draft) takePairs() bool {
	c := d.first
	d.first = nil
	if c == nil || !c.pairs.assigned || c.pairs.d != nil || c.pairs.side != clientSide ||
		!d.keepsPairs(c.roles) {
		return false
	}
	c.pairs.setDraft(d)
	return true
}

// keepsPairs reports whether the draft has the caller's messages, in order and with their parts.
// roles are the neutral roles that they had.
func (d *draft) keepsPairs(roles []Role) bool {
	if len(d.nodes) != len(roles) {
		return false
	}
	for i := range d.nodes {
		if n := &d.nodes[i]; n.owned || int(n.src) != i || d.role(i) != roles[i] {
			return false
		}
	}
	return true
}
