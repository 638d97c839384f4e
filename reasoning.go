package preflight

import (
	"fmt"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/problemset"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file repairs reasoning: its signatures, its order, and what the thinking mode requires. It
// adds the reasoning that the provider wants back, and makes text of reasoning where a message may
// not hold both.
//
//	assistant: "a", thoughts, call a     becomes  assistant: thoughts, "a", call a
//	assistant: unsigned thoughts, "a"    becomes  assistant: "a"

// repairReasoningFixer removes reasoning that the provider cannot verify: without a signature, with
// a signature in an alphabet the provider does not use, or empty.
var repairReasoningFixer = Fixer{
	Name:   "repair-reasoning",
	group:  "roles",
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
	group:  "end",
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
	switch thinkingOf(d.profile, d.options) {
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
		p, o := d.takePart(at.message, j)
		parts, from = append(parts, p), append(from, o)
	}
	n := d.ownParts(at.leads)
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

// unbound lists the reasoning that may be invalid because something before it was edited: all
// reasoning after the first edit, but not what the model made after it had seen the edits. all
// counts that, too.
func (d *draft) unbound(history []Message) (lost []place, all int) {
	first, part := d.firstEdit(history)
	before, open := prefix{latest: none}, d.madeWhileOpen()
	if first > 0 {
		before.add(d, first-1)
	}
	for i := first - 1; i > 0 && d.role(i) == RoleAssistant && d.role(i-1) == RoleAssistant; i-- {
		all += tallyReasoning(&d.nodes[i].Message) // the turn of the edit begins before node first
	}
	for i := first; i < len(d.nodes); i++ {
		n, turn := &d.nodes[i], madeTurn{message: none}
		for j, p := range n.Parts {
			r, reasons := p.(*Reasoning)
			if reasons && d.role(i) == RoleAssistant && (i > first || j >= part) {
				all++
				if !d.options.RepairedBefore || open[d.origin(i, j).msg] ||
					!d.madeAfter(before, &turn, n, j, r) {
					lost = append(lost, place{i, j})
				}
			}
			turn.add(d, n, j)
		}
		before.add(d, i)
	}
	return lost, all
}

func tallyReasoning(m *Message) (n int) {
	for _, p := range m.Parts {
		if _, ok := p.(*Reasoning); ok {
			n++
		}
	}
	return n
}

// prefix is what comes before a message of a draft.
type prefix struct {
	latest   int  // the last of the caller's messages that anything in it came from
	asked    bool // it ends on a turn of the user that the caller wrote at least in part
	answered bool // it ends on inserted results alone
}

func (x *prefix) add(d *draft, i int) {
	n, given, results := &d.nodes[i], false, true
	for j, p := range n.Parts {
		o := d.origin(i, j)
		given = given || o.msg >= 0
		_, result := p.(*ToolResult)
		results = results && result
		x.latest = max(x.latest, int(o.msg))
		for _, m := range d.absorbed[o] {
			x.latest = max(x.latest, int(m))
		}
	}
	if len(n.Parts) > 0 {
		x.asked = given && d.role(i) != RoleAssistant
		x.answered = !given && results
	}
}

// madeTurn is the beginning of a turn of the assistant, up to some reasoning.
type madeTurn struct {
	message int  // of the caller, none before the first part
	parts   int  // its parts so far, without reasoning
	edited  bool // it is not as the model made it
	read    int  // the parts of the caller's message that were counted
	given   int  // the parts in that, without reasoning
}

func (x *madeTurn) add(d *draft, n *node, j int) {
	o := n.origin(j)
	if x.message == none {
		x.message = int(o.msg)
	}
	if int(o.msg) != x.message || o.msg < 0 {
		x.edited = true
		return
	}
	if _, reasons := n.Parts[j].(*Reasoning); !reasons {
		x.parts++
		x.edited = x.edited || !d.sameButCache(n.Parts[j], d.given[o.msg].Parts[o.part])
	}
}

// madeAfter reports whether the model saw what is now before reasoning r when it made r, if every
// request was repaired. It did if all of that comes from earlier messages, because their repair had
// the same result then, and the turn is unchanged up to r.
func (d *draft) madeAfter(before prefix, turn *madeTurn, n *node, j int, r *Reasoning) bool {
	o := n.origin(j)
	if o.msg < 0 || before.latest >= int(o.msg) || turn.edited ||
		turn.message != none && turn.message != int(o.msg) {
		return false
	}
	if !before.asked && !before.answered {
		return false // nothing was sent that ends there
	}
	given := d.given[o.msg].Parts
	for ; turn.read < int(o.part); turn.read++ {
		if _, reasons := given[turn.read].(*Reasoning); !reasons {
			turn.given++
		}
	}
	return turn.read == int(o.part) && turn.given == turn.parts && d.sameButCache(r, given[o.part])
}

// madeWhileOpen returns the caller's messages that the model made while it saw an open call of a
// tool that the provider runs. The call is removed now, because it never got a result:
//
//	assistant: server call a, call b
//	tool:      result b
//	assistant: reasoning               made with call a in sight, and bound to it
func (d *draft) madeWhileOpen() map[int32]bool {
	ended := map[int]bool{}
	for k := range d.warnings {
		at := d.warnings[k].At
		if d.warnings[k].Code != codes.DanglingRemoved || at.Part() < 0 {
			continue
		}
		call, ok := d.given[at.Message()].Parts[at.Part()].(*ToolCall)
		if ok && call.ProviderExecuted {
			ended[at.Message()] = true
		}
	}
	if len(ended) == 0 {
		return nil
	}
	made, open, over := map[int32]bool{}, false, false
	for i := range d.given {
		if m := &d.given[i]; roleOf(m) != RoleAssistant {
			over = over || !onlyResults(m)
			continue
		}
		open = open && !over // where the user spoke, the call was removed before
		made[int32(i)] = open
		open, over = open || ended[i], false
	}
	return made
}

// dropUnbound drops the reasoning that unbound has listed.
func (d *draft) dropUnbound(lost []place) {
	for _, at := range lost {
		d.drop(at.node, at.part, note{
			code: codes.ReasoningRemoved, problem: problems.ReasoningBound,
			detail: "removed reasoning that is bound to an earlier part, which was changed",
		})
	}
	d.commit()
}

// announceUnbound says on the first of the edits how much reasoning they may cost.
func (d *draft) announceUnbound(unbound int) {
	if unbound == 0 {
		return
	}
	first := none
	for k := range d.warnings {
		switch d.warnings[k].Code {
		case codes.ReasoningRemoved, codes.ReasoningMoved, codes.CacheRemoved, codes.CacheMoved,
			codes.CacheChanged:
			continue // what is bound does not depend on them
		}
		if first == none || d.warnings[k].At.before(d.warnings[first].At) {
			first = k
		}
	}
	if first == none {
		first = 0
	}
	w := &d.warnings[first]
	w.Unbinds = unbound
	if d.profile.Reasoning.Dropped {
		w.Detail += fmt.Sprintf("; the provider drops up to %d parts of reasoning that are bound to "+
			"what was there", unbound)
	}
}

// thinkingMode checks the rules of the request's thinking mode.
func (c *checker) thinkingMode() {
	n := len(c.history)
	switch thinkingOf(c.profile, c.options) {
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
func (c *checker) reasoningPart(i, j int, part Part) {
	if problem := reasoningProblem(c.profile, part.(*Reasoning)); problem != "" {
		c.report(problem, i, j, "", "the provider cannot verify this reasoning")
	}
}

// fillReasoningFixer adds empty reasoning to assistant messages where the provider wants reasoning
// back and there is none. Where a message with tool calls may hold reasoning or text but not both,
// it turns the reasoning into text.
var fillReasoningFixer = Fixer{
	Name:   "fill-reasoning",
	group:  "end",
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
		if !wantsReasoning(d.profile, d.options, &d.nodes[i].Message, &called) {
			continue
		}
		n := d.ownParts(i)
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
	if wantsReasoning(c.profile, c.options, m, &c.called) {
		c.report(problems.ReasoningAbsent, i, none, "",
			"the provider wants reasoning back, if only empty, and the message has none")
	}
	if j := besideText(c.profile, m); j != none {
		c.report(problems.ReasoningBeside, i, j, "",
			"one message with tool calls holds both reasoning and text")
	}
}
