package preflight

import (
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/problemset"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file adds the reasoning that the provider wants back, and makes text of reasoning where a
// message may not hold both.

// fillReasoningFixer adds empty reasoning to assistant messages where the provider wants reasoning
// back and there is none. Where a message with tool calls may hold reasoning or text but not both,
// it turns the reasoning into text.
var fillReasoningFixer = Fixer{
	Name: "fill-reasoning",
	Doc: "gives assistant messages empty reasoning where the provider wants some back, and " +
		"makes text of it where it may not be next to text",
	repair: fillReasoning,
	cures:  problemset.Of(problems.ReasoningAbsent, problems.ReasoningBeside),
}

func fillReasoning(d *draft) {
	called := false
	for i := range d.nodes {
		if besideText(d.profile, &d.nodes[i].Message) != none {
			d.reasoningToText(i)
		}
		if !wantsReasoning(d.profile, d.policy, &d.nodes[i].Message, &called) {
			continue
		}
		n := d.own(i)
		d.warn(d.position(i, none), note{
			code: codes.ReasoningAdded, problem: problems.ReasoningAbsent,
			detail: "added empty reasoning, since the provider wants some back",
		}, Tally{}, tallyPart(&Reasoning{}))
		parts := append([]Part{&Reasoning{}}, n.Parts...)
		from := append([]origin{{none, none}}, n.from...)
		d.setParts(i, parts, from)
	}
}

// wantsReasoning reports whether a message lacks reasoning that the provider wants back. called
// holds whether an earlier message called a tool; wantsReasoning sets it if this message does. A
// request that does not think needs none.
func wantsReasoning(p *Profile, o *Options, m *Message, called *bool) bool {
	if p.Reasoning.Replay == provider.ReplayFree || p.Reasoning.Replay == provider.ReplayInText ||
		o.Request.Thinking == provider.ThinkingOff {
		return false
	}
	if r, _ := roleOf(m.Role); r != RoleAssistant || len(m.Parts) == 0 {
		return false
	}
	*called = *called || hasCall(m.Parts)
	for _, part := range m.Parts {
		if _, ok := part.(*Reasoning); ok {
			return false
		}
	}
	return *called && (p.Reasoning.Replay == provider.ReplayFromCalls || hasCall(m.Parts))
}

func hasCall(parts []Part) bool {
	for _, p := range parts {
		if clientCall(p) != nil {
			return true
		}
	}
	return false
}

// besideText returns the index of the first reasoning in a message with tool calls that also holds
// text, if the profile allows only one of the two, otherwise none.
func besideText(p *Profile, m *Message) int {
	if p.Reasoning.Replay != provider.ReplayInText || !hasCall(m.Parts) {
		return none
	}
	if r, _ := roleOf(m.Role); r != RoleAssistant {
		return none
	}
	at, text := none, false
	for j, part := range m.Parts {
		switch part := part.(type) {
		case *Reasoning:
			if at == none && !part.isEmpty() {
				at = j
			}
		case *Text:
			text = text || !part.isEmpty()
		}
	}
	if !text {
		return none
	}
	return at
}

// reasoningToText turns the reasoning of a message into text. Nothing is lost, since the chat
// template writes both in the same place.
func (d *draft) reasoningToText(i int) {
	for j, part := range d.nodes[i].Parts {
		if r, ok := part.(*Reasoning); ok && !r.isEmpty() {
			d.replace(i, j, &Text{Text: r.whole()},
				note{code: codes.PartToText, problem: problems.ReasoningBeside,
					detail: "turned reasoning into text, since the message may not hold both"})
		}
	}
}

// replay checks that a message has the reasoning that the provider wants back. See wantsReasoning
// for called.
func (c *checker) replay(i int, m *Message, called *bool) {
	if wantsReasoning(c.profile, c.policy, m, called) {
		c.report(problems.ReasoningAbsent, i, none, "",
			"the provider wants reasoning back, if only empty, and the message has none")
	}
	if j := besideText(c.profile, m); j != none {
		c.report(problems.ReasoningBeside, i, j, "",
			"one message with tool calls holds both reasoning and text")
	}
}
