package preflight

// This file reuses what the first check of a history found: the pairs for the repair, and, for the
// check of the repaired history, the verdict on messages and texts that did not change.

// verdict is what the first check of a history found, message by message.
type verdict struct {
	complete bool   // every check ran, on the history of the draft below
	faulty   []bool // the messages with a problem; empty if there are none
	draft    *draft // the draft that is checked now, nil in the first check
}

// fault records that message i of n has a problem.
func (v *verdict) fault(i, n int) {
	if v.draft != nil || i >= n {
		return
	}
	for len(v.faulty) < n {
		v.faulty = append(v.faulty, false)
	}
	v.faulty[i] = true
}

// release forgets the verdict and keeps its memory.
func (v *verdict) release() {
	clear(v.faulty)
	*v = verdict{faulty: v.faulty[:0]}
}

// faultless reports whether the first check found nothing wrong with the caller's message i.
func (v *verdict) faultless(i int32) bool {
	return i >= 0 && (len(v.faulty) == 0 || !v.faulty[i])
}

// judged reports whether message i of the draft is one of the caller's, unchanged, in which the
// first check found nothing. What it depends on beside the message itself is checked anyway.
func (c *checker) judged(i int) bool {
	d := c.verdict.draft
	if d == nil {
		return false
	}
	n := &d.nodes[i]
	if n.src < 0 || n.owned || !c.verdict.faultless(n.src) {
		return false
	}
	given := &d.given[n.src]
	return n.Role == given.Role && n.Name == given.Name && len(n.Parts) == len(given.Parts)
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

// checkAgain returns the problems of a repaired draft of the history that was checked first. It
// trusts the first check only if it was complete, and no function of the caller got the messages.
func (c *checker) checkAgain(d *draft) problemSet {
	c.verdict.draft = nil
	if c.verdict.complete && !d.adopted {
		c.verdict.draft = d
	}
	d.asMessages(func(history []Message) {
		c.restart(history, d.profile, d.policy)
		c.run()
	})
	return c.problems
}

// firstPairs returns the pairs of the first check if nothing that they depend on changed since, nil
// otherwise. It returns them once.
func (d *draft) firstPairs() *toolPairing {
	c := d.first
	d.first = nil
	if c == nil || !c.pairs.assigned || c.pairs.side != clientSide || !d.keepsPairs(c.roles) {
		return nil
	}
	c.pairs.setDraft(d)
	return &c.pairs
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
