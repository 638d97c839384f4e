package preflight

import (
	"slices"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/problemset"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file puts the text of an assistant message before its tool calls, and the calls that the
// provider ran before those of the caller.
//
//	assistant: call a, "I look."       becomes  assistant: "I look.", call a

// callOrder checks what has to come before the calls of the caller.
func (c *checker) callOrder() {
	c.callsLast()
	c.servedFirst()
}

// callsLast checks that no text follows a tool call in an assistant message, or in its neighbours
// if the provider joins them.
func (c *checker) callsLast() {
	if !c.profile.Turns.TextBeforeCalls {
		return
	}
	open, items := false, c.profile.Items.OnePartPerMessage
	for i := range c.history {
		parts := c.history[i].Parts
		if len(parts) == 0 {
			continue
		}
		if c.role(i) != RoleAssistant {
			open = false
			continue
		}
		var j int
		if j, open = textAfterCall(parts, open && c.profile.Turns.Joined(), items); j != none {
			detail := "text comes after a tool call"
			if isReasoning(parts[j]) {
				detail = "reasoning comes after a tool call"
			}
			c.report(problems.CallNotLast, i, j, "", detail)
		}
	}
}

// orderCallsFixer moves text after a tool call to before the tool calls of its message, because the
// model would read it as the beginning of an answer. Calls and reasoning keep their order, and
// nothing moves across a provider-executed part.
var orderCallsFixer = Fixer{
	Name:   "order-calls",
	group:  "content",
	repair: orderCalls,
	cures:  problemset.Of(problems.CallNotLast, problems.CallBeforeServed),
	checks: []checks{{whole: (*checker).callOrder}},
}

// move is how a part moves when its message is ordered.
type move uint8

const (
	fixedPart     move = iota // nothing moves across it
	textPart                  // moves before the calls
	reasoningPart             // stays among the calls
	callPart
)

// moveOf returns how a part moves. items is set where each part is a message of its own: reasoning
// then moves as text does.
func moveOf(p Part, items bool) move {
	switch p.(type) {
	case *Text:
		return textPart
	case *Reasoning:
		if items {
			return textPart
		}
		return reasoningPart
	}
	if clientCall(p) != nil {
		return callPart
	}
	return fixedPart
}

// textAfterCall returns the index of the first text that follows a tool call with no fixed part
// between them, or none. before reports whether the previous message, which the provider joins with
// this one, ends with such a call; open reports the same for this message.
func textAfterCall(parts []Part, before, items bool) (at int, open bool) {
	at = none
	for j, p := range parts {
		switch moveOf(p, items) {
		case fixedPart:
			before = false
		case callPart:
			before = true
		case textPart:
			if before && at == none {
				at = j
			}
		}
	}
	return at, before
}

// callBeforeServed returns the indices of the first call of the caller's tools and of the last
// provider-executed result after it, or none. Calls of MCP servers do not count, and no call moves
// across reasoning.
func callBeforeServed(parts []Part) (call, last int) {
	call, last = none, none
	for j, p := range parts {
		switch {
		case call == none && clientCall(p) != nil:
			call = j
		case call == none:
		case isReasoning(p):
			return none, none
		case serverResult(p) != nil && !isMCP(p):
			last = j
		}
	}
	if last == none {
		return none, none
	}
	return call, last
}

// servedFirst checks that the calls of an assistant message come after what the provider ran.
func (c *checker) servedFirst() {
	if !c.profile.Turns.ServedBeforeCalls || !c.served {
		return
	}
	for i := range c.history {
		if c.role(i) != RoleAssistant {
			continue
		}
		parts := c.history[i].Parts
		if j, _ := callBeforeServed(parts); j != none {
			c.reportUnless(messageLeftFor(c.profile, &c.history[i]),
				problems.CallBeforeServed, i, j, partID(parts[j]),
				"a provider-executed result comes after a tool call")
		}
	}
}

// moveServedAhead moves the calls of node i after the last provider-executed result of the message.
func (d *draft) moveServedAhead(i int) {
	first, last := callBeforeServed(d.nodes[i].Parts)
	if first == none || holdsLeftAlone(d.profile, &d.nodes[i].Message) {
		return
	}
	n := d.ownParts(i)
	parts, from := slices.Clone(n.Parts[:first]), slices.Clone(n.from[:first])
	var calls []Part
	var callsFrom []origin
	for j := first; j <= last; j++ {
		if clientCall(n.Parts[j]) == nil {
			parts, from = append(parts, n.Parts[j]), append(from, n.from[j])
			continue
		}
		d.warn(d.position(i, j), note{
			code: codes.Reordered, problem: problems.CallBeforeServed, id: partID(n.Parts[j]),
			detail: "moved a tool call after the provider-executed results of its message",
		}, Tally{}, Tally{})
		calls, callsFrom = append(calls, n.Parts[j]), append(callsFrom, n.from[j])
	}
	parts, from = append(parts, calls...), append(from, callsFrom...)
	d.setParts(i, append(parts, n.Parts[last+1:]...), append(from, n.from[last+1:]...))
}

func orderCalls(d *draft) {
	for i := range d.nodes {
		if d.profile.Turns.ServedBeforeCalls && d.role(i) == RoleAssistant {
			d.moveServedAhead(i)
		}
	}
	if !d.profile.Turns.TextBeforeCalls {
		return
	}
	switch {
	case d.profile.Items.OnePartPerMessage:
		d.moveMessagesAhead()
	case d.profile.Turns.Joined():
		d.joinOverCalls()
	}
	items := d.profile.Items.OnePartPerMessage
	for i := range d.nodes {
		if d.nodes[i].dead || d.role(i) != RoleAssistant {
			continue
		}
		if at, _ := textAfterCall(d.nodes[i].Parts, false, items); at != none {
			d.orderMessage(i)
		}
	}
	d.commit()
}

// moveMessagesAhead moves text that follows calls to before the first call of its turn, for
// providers whose calls are messages of their own.
func (d *draft) moveMessagesAhead() {
	// first message with a call since the turn began or since the last fixed part
	first := none
	for i := range d.nodes {
		n := &d.nodes[i]
		if len(n.Parts) == 0 || n.dead {
			continue
		}
		switch {
		case d.role(i) != RoleAssistant:
			first = none
		case slices.ContainsFunc(n.Parts, func(p Part) bool { return moveOf(p, true) == callPart }):
			if first == none {
				first = i
			} else if beginsWithText(n.Parts, true) {
				d.moveTextAhead(first, i)
			}
		case first != none && beginsWithText(n.Parts, true):
			d.warn(d.position(i, none), note{
				code: codes.Reordered, problem: problems.CallNotLast,
				detail: "moved a message before the tool calls of its turn",
			}, Tally{}, Tally{})
			d.insertBefore(first, *n)
			d.removeNode(i)
		case slices.ContainsFunc(n.Parts, isFixed):
			first = none
		}
	}
}

// moveTextAhead moves the text that message i begins with to a message before message first.
func (d *draft) moveTextAhead(first, i int) {
	n := d.ownParts(i)
	var texts, left []Part
	var textsFrom, leftFrom []origin
	fixed := false
	for j, p := range n.Parts {
		fixed = fixed || isFixed(p)
		if fixed || moveOf(p, true) != textPart {
			left, leftFrom = append(left, p), append(leftFrom, n.from[j])
			continue
		}
		d.warn(d.position(i, j), note{
			code: codes.Reordered, problem: problems.CallNotLast,
			detail: "moved text before the tool calls of its turn",
		}, Tally{}, Tally{})
		texts, textsFrom = append(texts, p), append(textsFrom, n.from[j])
	}
	d.setParts(i, left, leftFrom)
	d.insertBefore(first, newNode(RoleAssistant, texts, textsFrom))
}

// joinOverCalls joins neighbouring assistant messages, from one that ends with a call to one with
// text after that call. The provider would join them anyway.
func (d *draft) joinOverCalls() {
	joiner := joiner{draft: d}
	start := none // the message where the calls at the end of the turn so far begin
	for i := range d.nodes {
		parts := d.nodes[i].Parts
		if len(parts) == 0 {
			continue
		}
		if d.role(i) != RoleAssistant {
			start = none
			continue
		}
		_, open := textAfterCall(parts, start != none, false)
		joined := start != none && beginsWithText(parts, false)
		if joined {
			for k := start + 1; k <= i; k++ {
				if len(d.nodes[k].Parts) > 0 && !d.nodes[k].dead {
					joiner.join(start, k, problems.Alternation)
				}
			}
		}
		switch {
		case !open:
			start = none
		case start == none || !joined && slices.ContainsFunc(parts, isFixed):
			start = i
		}
	}
}

// beginsWithText reports whether a message has text with no fixed part before it, so that the
// ordered message begins with text.
func beginsWithText(parts []Part, items bool) bool {
	for _, p := range parts {
		switch moveOf(p, items) {
		case textPart:
			return true
		case fixedPart:
			return false
		}
	}
	return false
}

func isFixed(p Part) bool { return moveOf(p, false) == fixedPart }

func (d *draft) orderMessage(i int) {
	n := d.ownParts(i)
	parts := make([]Part, 0, len(n.Parts))
	from := make([]origin, 0, len(n.Parts))
	var calls []Part // the calls since the last fixed part, and the reasoning among them
	var callsFrom []origin
	flush := func() {
		parts, from = append(parts, calls...), append(from, callsFrom...)
		calls, callsFrom = calls[:0], callsFrom[:0]
	}
	for j, p := range n.Parts {
		switch s := moveOf(p, d.profile.Items.OnePartPerMessage); {
		case s == fixedPart:
			flush()
		case s == callPart, s == reasoningPart && len(calls) > 0:
			calls, callsFrom = append(calls, p), append(callsFrom, n.from[j])
			continue
		case s == textPart && len(calls) > 0:
			d.warn(d.position(i, j), note{
				code: codes.Reordered, problem: problems.CallNotLast,
				detail: "moved text before the tool calls of its message",
			}, Tally{}, Tally{})
		}
		parts, from = append(parts, p), append(from, n.from[j])
	}
	flush()
	d.setParts(i, parts, from)
}
