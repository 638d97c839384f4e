package preflight

import (
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule"
)

// This file repairs reasoning: its signatures, its order, and what the thinking mode requires.

// repairReasoningFixer removes reasoning that the provider cannot verify: without a signature, with
// a signature in an alphabet the provider does not use, or empty.
var repairReasoningFixer = Fixer{
	Name:   "repair-reasoning",
	Doc:    "removes reasoning that is empty, unsigned, or signed by another provider",
	repair: repairReasoning,
	cures:  problems(rule.ReasoningRefused, rule.ReasoningEmpty, rule.Unsigned, rule.Foreign),
}

// normalizeReasoningFixer applies the rules of the request's thinking mode: no reasoning in the
// open turn while thinking is off, and with a token budget reasoning before other content.
var normalizeReasoningFixer = Fixer{
	Name:   "normalize-reasoning",
	Doc:    "removes or reorders reasoning in the turns where the thinking mode demands it",
	repair: normalizeReasoning,
	cures:  problems(rule.ReasoningOff, rule.ReasoningOrder),
}

func repairReasoning(d *draft) {
	for i := range d.nodes {
		if d.role(i) != RoleAssistant {
			continue
		}
		for j, p := range d.nodes[i].Parts {
			r, ok := p.(*Reasoning)
			if !ok {
				continue
			}
			problem := reasoningProblem(d.profile, r)
			if problem == rule.Foreign && !d.profile.Reasoning.Signed {
				continue // see signCallsFixer
			}
			if problem != "" {
				code := codes.ReasoningRemoved
				if problem == rule.ReasoningEmpty {
					code = codes.EmptyRemoved // nothing was said in it
				}
				d.drop(i, j, note{
					code: code, problem: problem,
					detail: "removed reasoning that the provider refuses or cannot verify",
				})
			}
		}
	}
	d.commit()
}

// reasoningProblem returns why the provider refuses a reasoning part by itself, "" when it does
// not.
func reasoningProblem(p *Profile, r *Reasoning) rule.Problem {
	switch {
	case p.Reasoning.Refused:
		return rule.ReasoningRefused
	case !p.Reasoning.Signed:
		return unsignedProblem(p, r)
	case r.Text == "" && !r.Signed():
		return rule.ReasoningEmpty
	case !r.Signed():
		return rule.Unsigned
	case !p.Reasoning.SignatureAlphabet.Holds(r.Signature):
		return rule.Foreign
	}
	return ""
}

// unsignedProblem is reasoningProblem for a provider that takes reasoning without a signature.
// Where empty text is refused and no reasoning has to be repeated, empty reasoning is empty text.
func unsignedProblem(p *Profile, r *Reasoning) rule.Problem {
	switch {
	case r.Text == "" && !r.Signed() && p.Content.RefuseEmptyText &&
		p.Reasoning.Replay == provider.ReplayFree:
		return rule.ReasoningEmpty
	case foreignSignature(p, r.Signature):
		return rule.Foreign
	}
	return ""
}

func normalizeReasoning(d *draft) {
	switch d.policy.Request.Thinking {
	case provider.ThinkingOff:
		first, last := openTurn(d.profile, len(d.nodes), d.message)
		for i := first; i < last; i++ {
			d.dropReasoning(i, 0, note{
				code: codes.ReasoningRemoved, problem: rule.ReasoningOff,
				detail: "removed reasoning from the open turn, since the request has thinking off",
			})
		}
	case provider.ThinkingBudget:
		for i := range d.nodes {
			if d.role(i) == RoleAssistant && reasoningNotFirst(d.nodes[i].Parts) {
				d.leadWithReasoning(i)
			}
		}
	}
	d.commit()
}

func (d *draft) message(i int) *Message { return &d.nodes[i].Message }

// dropReasoning drops the reasoning of node i from part j on.
func (d *draft) dropReasoning(i, j int, n note) {
	for ; j < len(d.nodes[i].Parts); j++ {
		p := d.nodes[i].Parts[j]
		if _, ok := p.(*Reasoning); ok {
			d.drop(i, j, n)
		}
	}
}

// openTurn returns the last assistant turn of a history, [first, last), if it is open: only tool
// results follow it. The range is empty when a user turn follows.
func openTurn(p *Profile, n int, at func(int) *Message) (first, last int) {
	last = n
	for last > 0 && onlyResults(p, at(last-1)) {
		last--
	}
	first = last
	for first > 0 {
		if r, _ := roleOf(at(first - 1).Role); r != RoleAssistant {
			break
		}
		first--
		if !p.Turns.Joined() {
			break
		}
	}
	return first, last
}

// onlyResults reports whether a user or tool message holds nothing but tool results.
func onlyResults(p *Profile, m *Message) bool {
	if r, _ := roleOf(m.Role); r != RoleUser && r != RoleTool {
		return false
	}
	for _, part := range m.Parts {
		if clientResult(part) == nil {
			return false
		}
	}
	return true
}

// reasoningNotFirst reports whether parts hold reasoning but do not start with it.
func reasoningNotFirst(parts []Part) bool {
	if len(parts) == 0 {
		return false
	}
	if _, leads := parts[0].(*Reasoning); leads {
		return false
	}
	for _, p := range parts {
		if _, ok := p.(*Reasoning); ok {
			return true
		}
	}
	return false
}

// leadWithReasoning moves the first run of reasoning in node i to the front, in the same order.
func (d *draft) leadWithReasoning(i int) {
	n := d.own(i)
	start := 0
	for {
		if _, ok := n.Parts[start].(*Reasoning); ok {
			break
		}
		start++
	}
	end := start
	for end < len(n.Parts) {
		if _, ok := n.Parts[end].(*Reasoning); !ok {
			break
		}
		d.warn(d.position(i, end), note{
			code: codes.ReasoningMoved, problem: rule.ReasoningOrder,
			detail: "moved reasoning to the front of its message",
		}, Tally{}, Tally{})
		end++
	}
	parts := make([]Part, 0, len(n.Parts))
	from := make([]origin, 0, len(n.Parts))
	for _, span := range [][2]int{{start, end}, {0, start}, {end, len(n.Parts)}} {
		parts, from = append(parts, n.Parts[span[0]:span[1]]...),
			append(from, n.from[span[0]:span[1]]...)
	}
	d.setParts(i, parts, from)
}

// loopLacksReasoning reports whether the request continues a tool loop whose first assistant
// message does not start with reasoning, which a token budget requires. It returns the index of
// that message. Reasoning cannot be made up, so such a request has to be sent without thinking.
func loopLacksReasoning(p *Profile, n int, at func(int) *Message) (int, bool) {
	if n == 0 || !onlyResults(p, at(n-1)) || len(at(n-1).Parts) == 0 {
		return 0, false
	}
	start := none
	for i := n - 1; i >= 0; i-- {
		m := at(i)
		r, _ := roleOf(m.Role)
		if r == RoleAssistant {
			start = i
		} else if !onlyResults(p, m) {
			break
		}
	}
	if start == none || len(at(start).Parts) == 0 {
		return 0, false
	}
	_, leads := at(start).Parts[0].(*Reasoning)
	return start, !leads
}

// dropBoundReasoning removes the reasoning from part j of node i on, the first edit of the draft,
// since the profile binds reasoning to the content before it.
func (d *draft) dropBoundReasoning(i, j int) {
	for ; i < len(d.nodes); i, j = i+1, 0 {
		if d.role(i) == RoleAssistant {
			d.dropReasoning(i, j, note{
				code: codes.ReasoningRemoved, problem: rule.ReasoningBound,
				detail: "removed reasoning that is bound to an earlier part, which was changed",
			})
		}
	}
	d.commit()
}

// reasoning checks the rules of the request's thinking mode.
func (c *checker) reasoning() {
	n := len(c.history)
	switch c.policy.Request.Thinking {
	case provider.ThinkingOff:
		first, last := openTurn(c.profile, n, c.at)
		for i := first; i < last; i++ {
			for j, part := range c.history[i].Parts {
				if _, ok := part.(*Reasoning); ok {
					c.report(rule.ReasoningOff, i, j, "",
						"the open turn holds reasoning while the request has thinking off")
				}
			}
		}
	case provider.ThinkingBudget:
		for i := range c.history {
			if c.role(i) == RoleAssistant && reasoningNotFirst(c.history[i].Parts) {
				c.report(rule.ReasoningOrder, i, 0, "",
					"the message holds reasoning but does not start with it")
			}
		}
		if i, lacks := loopLacksReasoning(c.profile, n, c.at); lacks {
			c.report(rule.ReasoningMissing, i, 0, "",
				"the open tool turn does not start with reasoning, which a thinking budget "+
					"demands; send this request with thinking off")
		}
	}
}

// reasoningPart checks reasoning by itself.
func (c *checker) reasoningPart(i, j int, r *Reasoning) {
	if problem := reasoningProblem(c.profile, r); problem != "" {
		c.report(problem, i, j, "", "the provider cannot verify this reasoning")
	}
}
