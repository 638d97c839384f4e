package preflight

import (
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/problemset"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file repairs reasoning: its signatures, its order, and what the thinking mode requires. It
// adds the reasoning that the provider wants back, and makes text of reasoning where a message may
// not hold both.

// repairReasoningFixer removes reasoning that the provider cannot verify: without a signature, with
// a signature in an alphabet the provider does not use, or empty.
var repairReasoningFixer = Fixer{
	Name:   "repair-reasoning",
	repair: repairReasoning,
	cures: problemset.Of(
		problems.ReasoningRefused, problems.ReasoningEmpty, problems.Unsigned, problems.Foreign,
		problems.SignatureRefused,
	),
	checks: []checks{{thought: (*checker).reasoningPart}},
}

// normalizeReasoningFixer applies the rules of the request's thinking mode: no reasoning in the
// open turn while thinking is off, and with a token budget reasoning before other content.
var normalizeReasoningFixer = Fixer{
	Name:   "normalize-reasoning",
	repair: normalizeReasoning,
	cures:  problemset.Of(problems.ReasoningOff, problems.ReasoningOrder),
	checks: []checks{{whole: (*checker).thinkingMode}},
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
			if problem == problems.Foreign && !d.profile.Reasoning.Signed {
				continue // see signCallsFixer
			}
			if problem == problems.SignatureRefused {
				d.replace(i, j, edited(r, func(x *Reasoning) { x.Signature = "" }), note{
					code: codes.SignatureRemoved, problem: problem,
					detail: "removed the signature of reasoning, which this model does not know",
				})
				continue
			}
			if problem != "" {
				code := codes.ReasoningRemoved
				if problem == problems.ReasoningEmpty {
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
func reasoningProblem(p *Profile, r *Reasoning) problems.Problem {
	switch {
	case p.Reasoning.Refused:
		return problems.ReasoningRefused
	case p.Reasoning.NoSignature && r.Signature != "" && !r.isEmpty():
		return problems.SignatureRefused
	case !p.Reasoning.Signed:
		return unsignedProblem(p, r)
	case r.isEmpty() && !r.Signed():
		return problems.ReasoningEmpty
	case !r.Signed():
		return problems.Unsigned
	case !p.Reasoning.SignatureAlphabet.Holds(r.Signature):
		return problems.Foreign
	}
	return ""
}

// unsignedProblem is reasoningProblem for a provider that takes reasoning without a signature.
// Where empty text is refused and no reasoning has to be repeated, empty reasoning is empty text.
func unsignedProblem(p *Profile, r *Reasoning) problems.Problem {
	switch {
	case r.isEmpty() && !r.Signed() && p.Content.RefuseEmptyText &&
		p.Reasoning.Replay == provider.ReplayFree:
		return problems.ReasoningEmpty
	case foreignSignature(p, r.Signature):
		return problems.Foreign
	}
	return ""
}

func normalizeReasoning(d *draft) {
	switch thinkingOf(d.profile, d.policy) {
	case provider.ThinkingOff:
		first, last := openLoop(d.profile, d)
		for i := first; i < last; i++ {
			if d.role(i) != RoleAssistant {
				continue
			}
			d.dropReasoning(i, 0, note{
				code: codes.ReasoningRemoved, problem: problems.ReasoningOff,
				detail: "removed reasoning from the open turn, since the request has thinking off",
			})
		}
	case provider.ThinkingBudget:
		for first := 0; first < len(d.nodes); {
			last := turnEnd(d.profile, d, first)
			if at, ok := reasoningNotFirst(d, first, last); ok {
				d.leadWithReasoning(at)
			}
			first = last
		}
	}
	d.commit()
}

// dropReasoning drops the reasoning of node i from part j on.
func (d *draft) dropReasoning(i, j int, n note) {
	for ; j < len(d.nodes[i].Parts); j++ {
		p := d.nodes[i].Parts[j]
		if _, ok := p.(*Reasoning); ok {
			d.drop(i, j, n)
		}
	}
}

// misplaced is where the first reasoning of a turn is, and the message that it has to lead.
type misplaced struct{ leads, message, part int }

// reasoningNotFirst reports whether the turn of the messages [first, last) is the assistant's and
// holds reasoning, but does not start with it.
func reasoningNotFirst(v view, first, last int) (misplaced, bool) {
	if roleOf(v.at(first)) != RoleAssistant {
		return misplaced{}, false
	}
	for first < last && len(v.at(first).Parts) == 0 {
		first++
	}
	for i := first; i < last; i++ {
		for j, p := range v.at(i).Parts {
			if _, ok := p.(*Reasoning); ok {
				return misplaced{first, i, j}, i > first || j > 0
			}
			if i == first && j == 0 && isUnknown(p) {
				return misplaced{}, false // it may be reasoning
			}
		}
	}
	return misplaced{}, false
}

// leadWithReasoning moves the first run of reasoning in a turn to its front, in the same order.
func (d *draft) leadWithReasoning(at misplaced) {
	var parts []Part
	var from []origin
	for j := at.part; j < len(d.nodes[at.message].Parts); j++ {
		if _, ok := d.nodes[at.message].Parts[j].(*Reasoning); !ok {
			break
		}
		d.warn(d.position(at.message, j), note{
			code: codes.ReasoningMoved, problem: problems.ReasoningOrder,
			detail: "moved reasoning to the front of its turn",
		}, Tally{}, Tally{})
		p, o := d.take(at.message, j)
		parts, from = append(parts, p), append(from, o)
	}
	n := d.own(at.leads)
	d.setParts(at.leads, append(parts, n.Parts...), append(from, n.from...))
}

// loopLacksReasoning reports whether the request continues a tool loop whose first assistant
// message does not start with reasoning, which a token budget requires. It returns the index of
// that message. Reasoning cannot be made up, so such a request has to be sent without thinking.
func loopLacksReasoning(v view) (int, bool) {
	n := v.len()
	if n == 0 || !holdsOnlyResults(v.at(n-1)) {
		return 0, false
	}
	start := none
	for i := n - 1; i >= 0; i-- {
		m := v.at(i)
		r := roleOf(m)
		if r == RoleAssistant {
			start = i
		} else if !onlyResults(m) {
			break
		}
	}
	if start == none || len(v.at(start).Parts) == 0 {
		return 0, false
	}
	_, leads := v.at(start).Parts[0].(*Reasoning)
	return start, !leads && !isUnknown(v.at(start).Parts[0])
}

// dropBoundReasoning removes the reasoning from part j of node i on, the first edit of the draft,
// since the profile binds reasoning to the content before it.
func (d *draft) dropBoundReasoning(i, j int) {
	for ; i < len(d.nodes); i, j = i+1, 0 {
		if d.role(i) == RoleAssistant {
			d.dropReasoning(i, j, note{
				code: codes.ReasoningRemoved, problem: problems.ReasoningBound,
				detail: "removed reasoning that is bound to an earlier part, which was changed",
			})
		}
	}
	d.commit()
}

// thinkingMode checks the rules of the request's thinking mode.
func (c *checker) thinkingMode() {
	n := len(c.history)
	switch thinkingOf(c.profile, c.policy) {
	case provider.ThinkingOff:
		first, last := openLoop(c.profile, c)
		for i := first; i < last; i++ {
			if roleOf(&c.history[i]) != RoleAssistant {
				continue
			}
			for j, part := range c.history[i].Parts {
				if _, ok := part.(*Reasoning); ok {
					c.report(problems.ReasoningOff, i, j, "",
						"the open turn holds reasoning while the request has thinking off")
				}
			}
		}
	case provider.ThinkingBudget:
		for first := 0; first < n; {
			last := turnEnd(c.profile, c, first)
			if at, ok := reasoningNotFirst(c, first, last); ok {
				c.report(problems.ReasoningOrder, at.leads, 0, "",
					"the turn holds reasoning but does not start with it")
			}
			first = last
		}
		if i, lacks := loopLacksReasoning(c); lacks {
			c.report(problems.ReasoningMissing, i, 0, "",
				"the open tool turn does not start with reasoning, which a thinking budget "+
					"demands; send this request with thinking off")
		}
	}
}

// reasoningPart checks reasoning by itself.
func (c *checker) reasoningPart(i, j int, part Part, _ Role) {
	if problem := reasoningProblem(c.profile, part.(*Reasoning)); problem != "" {
		c.report(problem, i, j, "", "the provider cannot verify this reasoning")
	}
}

// fillReasoningFixer adds empty reasoning to assistant messages where the provider wants reasoning
// back and there is none. Where a message with tool calls may hold reasoning or text but not both,
// it turns the reasoning into text.
var fillReasoningFixer = Fixer{
	Name:   "fill-reasoning",
	repair: fillReasoning,
	cures:  problemset.Of(problems.ReasoningAbsent, problems.ReasoningBeside),
	checks: []checks{{
		on:      func(p *Profile) bool { return p.Reasoning.Replay != provider.ReplayFree },
		message: (*checker).replay,
	}},
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
	if roleOf(m) != RoleAssistant || len(m.Parts) == 0 {
		return false
	}
	*called = *called || holdsCall(m)
	for _, part := range m.Parts {
		if _, ok := part.(*Reasoning); ok {
			return false
		}
	}
	return *called && (p.Reasoning.Replay == provider.ReplayFromCalls || holdsCall(m))
}

// besideText returns the index of the first reasoning in a message with tool calls that also holds
// text, if the profile allows only one of the two, otherwise none.
func besideText(p *Profile, m *Message) int {
	if p.Reasoning.Replay != provider.ReplayInText || !holdsCall(m) {
		return none
	}
	if roleOf(m) != RoleAssistant {
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

// replay checks that a message has the reasoning that the provider wants back.
func (c *checker) replay(i int, m *Message) {
	if wantsReasoning(c.profile, c.policy, m, &c.called) {
		c.report(problems.ReasoningAbsent, i, none, "",
			"the provider wants reasoning back, if only empty, and the message has none")
	}
	if j := besideText(c.profile, m); j != none {
		c.report(problems.ReasoningBeside, i, j, "",
			"one message with tool calls holds both reasoning and text")
	}
}
