package preflight

import "slices"

// This file repairs the pairs of the caller's tool calls and their results, as the matcher in pair.go sees them. A call is
// answered only where the provider looks for the answer, in the run of results right after its turn (its zone).
//
// The order of remedies, from lossless to lossy: a result in its zone stays; a displaced one moves to its call; a result
// whose id is spelled otherwise gets that of its call; several results of one call become one; and only what is left after
// that falls to the policies for dangling calls and orphan results.

// PairToolCalls gives every tool call exactly one result, where the provider looks for it, and every result its call.
var PairToolCalls = Fixer{
	Name:   "pair-tool-calls",
	Doc:    "moves displaced tool results to their calls, settles duplicates, and removes or answers what has no counterpart",
	repair: pairToolCalls,
}

// cutState remembers whether a turn may be cut.
type cutState uint8

const (
	cutUnknown cutState = iota
	cutAllowed
	cutForbidden
)

// toolPairs is the work of PairToolCalls on the pairing of a draft.
type toolPairs struct {
	*pairing
	fresh []ToolResult // room for results with another id; see rebound
	texts []insertion  // results that became text; they follow the results that come to be in the same place
	merge map[int]*mergedResult
}

// mergedResult is the answer of a call that took in further results.
type mergedResult struct {
	taken []int // these, in order
	lead  int   // how many parts of the content come from results before the answer
}

func pairToolCalls(d *draft) {
	for range maxRounds {
		before := len(d.warnings)
		if pairOnce(d); len(d.warnings) == before {
			return
		}
	}
}

// pairOnce pairs what the history shows as it is. A result that was moved, or was given its call's id or
// name, can show a duplicate that was none before, so pairToolCalls repeats it until it finds nothing.
func pairOnce(d *draft) {
	pairServerTools(d)
	p := toolPairs{pairing: &d.pairs}
	p.ofDraft(d)
	defer p.release()
	p.survey(clientSide)
	if len(p.calls) == 0 && len(p.results) == 0 {
		return
	}
	if p.assign() {
		return
	}
	p.settleFurther()
	p.settleOrphans()
	p.settleDangling()
	p.names = d.profile.PairByName // calls of one id and two names are no twins
	p.moveResults()
	for _, text := range p.texts {
		d.insertBefore(text.at, text.n)
	}
	d.commit()
}

// settleFurther gives each further result of an answered call to the policy for duplicates.
func (p *toolPairs) settleFurther() {
	for r := range p.results {
		if ref := &p.results[r]; ref.further && ref.call != none && !ref.settled {
			p.settleDuplicate(ref.call, r)
		}
	}
}

func (p *toolPairs) settleDuplicate(c, r int) {
	kept := p.calls[c].answer
	a, b := p.results[kept].result, p.results[r].result
	removed := note{code: CodeDuplicateRemoved}
	if r < kept {
		removed.code = CodePlaceholderReplaced
	}
	switch worth, best := p.worth(r), p.worth(kept); {
	case worth == worthPlaceholder && best > worth && r < kept:
		removed.detail = "removed a placeholder, since the real result was found"
		p.dropDuplicate(r, removed)
	case worth == worthPlaceholder || p.copies(r, p.taken(kept)):
		p.dropDuplicate(r, note{code: CodeDuplicateRemoved, detail: "removed a repeated result of a call that has one"})
	case worth == worthError && best == worthReal:
		removed.code, removed.detail = CodeDuplicateRemoved, "removed an error, since the call has a real result"
		p.dropDuplicate(r, removed)
	case worth == worthDoubtful && best == worthReal && (r < kept && !p.spoken(r, kept) || p.policy.Duplicates == DuplicateLast):
		removed.detail, removed.ambiguous = "removed what may be a placeholder, since a real result was found", true
		p.dropDuplicate(r, removed)
	case p.policy.Duplicates == DuplicateLast && r > kept:
		p.replaceAnswer(c, r, note{code: CodeDuplicateRemoved, detail: "removed an earlier, different result of the same call", ambiguous: true})
	case p.policy.Duplicates == DuplicateMerge && p.spoken(kept, r) && p.keepAsText(r):
	case p.policy.Duplicates == DuplicateMerge && mergeable(a, b):
		p.mergeDuplicate(kept, r)
	default:
		p.dropDuplicate(r, note{code: CodeDuplicateRemoved, detail: "removed a further, different result of the same call", ambiguous: true})
	}
}

// keepAsText keeps a further result as text where it was found, since the assistant has already spoken about the first. It
// reports whether there is anything to keep.
func (p *toolPairs) keepAsText(r int) bool {
	ref := &p.results[r]
	text := resultAsText(ref.result, "Later result of "+toolOf(p.calls[ref.call].call.Name)+":")
	if text == nil {
		return false
	}
	ref.settled = true
	p.toText(ref, text, note{code: CodeOrphanToText, problem: ProblemDuplicateResult, id: ref.result.CallID, ambiguous: true,
		detail: "kept a later result of a call as user text, since the assistant has spoken about the first"})
	return true
}

// toolOf names a tool in a text.
func toolOf(name string) string {
	if blank(name) {
		return "a tool"
	}
	return "tool " + name
}

// taken are the results that an answer took in.
func (p *toolPairs) taken(r int) []int {
	if m := p.merge[r]; m != nil {
		return m.taken
	}
	return nil
}

// mergeable reports whether there is a form for what both say: an output that is an object is alone in a provider's own
// kind of result (OpenAI's computer_call_output holds one screenshot).
func mergeable(a, b *ToolResult) bool {
	lone := func(r *ToolResult) bool { return r.Variant != "" && len(r.Output) > 0 && r.Output[0] == '{' }
	return !lone(a) && !lone(b)
}

func (p *toolPairs) dropDuplicate(r int, n note) {
	ref := &p.results[r]
	n.problem, n.id = ProblemDuplicateResult, ref.result.CallID
	p.d.drop(ref.node, ref.part, n)
	ref.settled = true
}

// replaceAnswer makes r the answer of call c and drops the one it had.
func (p *toolPairs) replaceAnswer(c, r int, n note) {
	old := p.calls[c].answer
	p.turns[p.calls[c].turn].swapped = true
	p.dropDuplicate(old, n)
	p.results[old].call = none
	p.bind(c, r, p.results[r].reason)
}

// mergeDuplicate puts what result r says into the kept one, in order. Nothing of it is lost: where both have an output, the
// further one becomes text.
func (p *toolPairs) mergeDuplicate(kept, r int) {
	a, b := &p.results[kept], &p.results[r]
	m := p.merge[kept]
	if m == nil {
		if m = new(mergedResult); p.merge == nil {
			p.merge = make(map[int]*mergedResult)
		}
		p.merge[kept] = m
		a.result = edited(a.result, func(x *ToolResult) { x.Content = slices.Clip(x.Content) })
		p.d.own(a.node).Parts[a.part] = a.result
	}
	m.taken = append(m.taken, r)
	added := Tally{}
	content := b.result.Content
	if len(a.result.Output) == 0 {
		a.result.Output = b.result.Output
	} else if len(b.result.Output) > 0 {
		content = append(slices.Clip(content), &Text{Text: string(b.result.Output)})
		added.Texts = 1
	}
	if r < kept {
		a.result.Content = slices.Insert(a.result.Content, m.lead, content...)
		m.lead += len(content)
	} else {
		a.result.Content = append(a.result.Content, content...)
	}
	a.result.IsError = a.result.IsError && b.result.IsError
	p.d.warn(p.d.position(b.node, b.part), note{code: CodeDuplicatesMerged, problem: ProblemDuplicateResult, id: b.result.CallID,
		detail: "merged a further result of a call into the one it has", ambiguous: b.reason == ReasonPosition || b.reason == ReasonName}, Tally{Results: 1}, added)
	p.d.absorb(a.node, a.part, p.d.origin(b.node, b.part))
	p.d.take(b.node, b.part)
	b.settled = true
}

// settleOrphans removes the results whose call is nowhere, or keeps them as user text.
func (p *toolPairs) settleOrphans() {
	for r := range p.results {
		ref := &p.results[r]
		if ref.call != none || ref.settled || p.answersPast(ref) {
			continue
		}
		n := note{problem: ProblemOrphan, id: ref.result.CallID}
		ref.settled = true
		if p.policy.Orphans == OrphanText {
			if text := resultAsText(ref.result, "Result of "+toolOf(ref.result.Name)+", whose call is missing:"); text != nil {
				n.code, n.detail = CodeOrphanToText, "kept a result without a call as user text"
				p.toText(ref, text, n)
				continue
			}
		}
		n.code, n.detail = CodeOrphanRemoved, "removed a result whose call is not in the history"
		p.d.drop(ref.node, ref.part, n)
	}
}

// resultAsText is a result as parts of a user turn: a label, what it says, and its media. Nil when it says nothing.
func resultAsText(r *ToolResult, label string) []Part {
	text := resultText(r)
	var media []Part
	for _, c := range r.Content {
		if m, ok := c.(*Media); ok && m != nil {
			media = append(media, m)
		}
	}
	if blank(text) && media == nil {
		return nil
	}
	if blank(text) {
		return append([]Part{&Text{Text: label}}, media...)
	}
	return append([]Part{&Text{Text: label + "\n" + text}}, media...)
}

// toText moves a result, as text, to after its message; or, where it is in a zone, to after that, so that it does not cut
// it.
func (p *toolPairs) toText(ref *resultRef, parts []Part, n note) {
	d := p.d
	end := ref.node + 1
	if t := ref.near; t != none && ref.node > p.turns[t].last && p.turns[t].results[1] > p.turns[t].results[0] {
		end = max(end, p.results[p.turns[t].results[1]-1].node+1)
	}
	added := made(RoleUser, parts, make([]origin, len(parts)))
	for k := range added.from {
		added.from[k] = d.origin(ref.node, ref.part)
	}
	d.warn(d.position(ref.node, ref.part), n, tallyPart(ref.result), TallyOf(added.Message))
	d.take(ref.node, ref.part)
	p.texts = append(p.texts, insertion{end, added})
}

// settleDangling removes the calls that nobody answered, or answers them: by policy, except that a turn with signed
// reasoning is never cut. A call that waits on purpose is answered, or left open.
func (p *toolPairs) settleDangling() {
	for c := range p.calls {
		ref := &p.calls[c]
		if ref.answer != none || p.policy.staysOpen(ref.call) {
			continue
		}
		wordless := slices.Contains(p.profile.WordlessCalls, ref.call.Variant)
		if p.policy.waits(ref.call) && !wordless {
			p.answerWith(c, p.policy.waitingResult(ref.call), "answered a tool call that waits with a placeholder")
			continue
		}
		signed := p.signedTurn(ref.turn)
		part, result := p.policy.interrupted(ref.call)
		if part != nil && !signed {
			p.d.replace(ref.node, ref.part, part, note{code: CodeDanglingReplaced, problem: ProblemDangling, id: ref.call.ID,
				detail: "replaced a tool call that has no result by what the caller gave for it"})
			continue
		}
		if result == nil && (wordless || p.policy.Dangling != DanglingAnswer && !signed) {
			p.d.drop(ref.node, ref.part, note{code: CodeDanglingRemoved, problem: ProblemDangling, id: ref.call.ID,
				detail: "removed a tool call that has no result"})
			continue
		}
		detail := "answered a tool call that has no result"
		if result == nil {
			result = p.policy.errorResult(ref.call)
			detail += " with an error result"
			if p.policy.Dangling != DanglingAnswer {
				detail += ", since its turn holds signed reasoning and may not be cut"
			}
		}
		p.answerWith(c, result, detail)
	}
}

// answerWith answers call c with a result that was in no message.
func (p *toolPairs) answerWith(c int, result *ToolResult, detail string) {
	ref := &p.calls[c]
	if p.profile.TypedResults && result.Variant != ref.call.Variant {
		result = edited(result, func(r *ToolResult) { r.Variant = ref.call.Variant })
	}
	n := note{code: CodeDanglingAnswered, problem: ProblemDangling, id: ref.call.ID, detail: detail}
	p.d.warn(p.d.position(ref.node, ref.part), n, Tally{}, tallyPart(result))
	ref.answer = len(p.results)
	p.results = append(p.results, resultRef{
		node: none, part: none, zone: none, near: none, result: result, call: c,
	})
}

// signedTurn reports whether a turn holds reasoning with a signature or an opaque payload, or a call with a signature.
func (p *toolPairs) signedTurn(t int) bool {
	turn := &p.turns[t]
	if turn.cut == cutUnknown {
		turn.cut = cutAllowed
		for i := turn.first; i <= turn.last; i++ {
			if slices.ContainsFunc(p.d.nodes[i].Parts, signed) || slices.ContainsFunc(p.d.nodes[i].Parts, p.profile.sealedCall) || p.profile.holds(&p.d.nodes[i].Message) {
				turn.cut = cutForbidden
			}
		}
	}
	return turn.cut == cutForbidden
}

// answers reports whether result r is one of turn t's own, in its place.
func (p *toolPairs) answers(r, t int) bool {
	c := p.results[r].call
	return c != none && p.calls[c].turn == t
}

// answer is a result that has to be put into a zone.
type answer struct {
	call int
	part Part
	from origin
}

// moveResults takes displaced results out of their places and puts them, and the inserted ones, into the zones of their
// calls, in call order among themselves and before the results of later calls.
func (p *toolPairs) moveResults() {
	if p.profile.AnswerAnywhere {
		p.putAnywhere()
		return
	}
	for t := range p.turns {
		p.displaceTwins(t)
		p.spellIDs(p.turns[t].results)
		if moved := p.takeAnswers(t); len(moved) > 0 {
			if p.toUserTurn(t) {
				p.putIntoUserTurn(t, moved)
			} else {
				p.putToolMessages(t, moved)
			}
		}
	}
}

// toUserTurn reports whether the results of turn t belong into a user message. Where the profile takes both roles, that is
// where the first of them is.
func (p *toolPairs) toUserTurn(t int) bool {
	turn := &p.turns[t]
	if role := p.profile.ResultRole; role != "" || turn.results[0] == turn.results[1] {
		return role == RoleUser
	}
	return p.d.role(p.results[turn.results[0]].node) == RoleUser
}

// putAnywhere does that where a result may stand anywhere behind its call: those that do stay. Where an id was used more than
// once, a result goes behind those of the earlier calls that have it.
func (p *toolPairs) putAnywhere() {
	p.spellIDs([2]int{0, len(p.results)})
	behind := make(map[string]int) // the node behind the last result so far of the calls of an id
	for t := range p.turns {
		answers := p.takeAnswers(t)
		turn := &p.turns[t]
		end := turn.last + 1
		for c := turn.calls[0]; c < turn.calls[1]; c++ {
			r, k := p.calls[c].answer, p.callKey(c, exactID)
			switch {
			case r == none:
				continue
			case len(answers) > 0 && answers[0].call == c:
				at := max(end, behind[k])
				p.d.insertBefore(at, made(p.profile.resultRole(), []Part{answers[0].part}, []origin{answers[0].from}))
				behind[k], answers = at, answers[1:]
			default:
				behind[k] = max(behind[k], p.results[r].node+1)
				if turn.results[0] <= r && r < turn.results[1] {
					end = max(end, p.results[r].node+1)
				}
			}
		}
	}
}

// displaceTwins takes the results of calls that share an id out of the zone of turn t when one of them comes from elsewhere,
// is about to get that id, or stands in another order than the calls, so that all come back in the order of their calls: among results of one id, order alone tells
// which call is meant.
func (p *toolPairs) displaceTwins(t int) {
	calls := p.turns[t].calls
	if calls[1]-calls[0] < 2 {
		return
	}
	var shared map[string]int // how many calls of the turn have an id
	for c := calls[0]; c < calls[1]; c++ {
		r := p.calls[c].answer
		if r == none || p.results[r].zone == t && !p.results[r].rebound && !p.turns[t].swapped {
			continue
		}
		shared = make(map[string]int)
		for c := calls[0]; c < calls[1]; c++ {
			shared[p.callKey(c, exactID)]++
		}
		break
	}
	if len(shared) == 0 || len(shared) == calls[1]-calls[0] {
		return
	}
	arriving, latest := make(map[string]bool), make(map[string]int)
	for c := calls[0]; c < calls[1]; c++ {
		if r, id := p.calls[c].answer, p.callKey(c, exactID); r != none && shared[id] > 1 {
			arriving[id] = arriving[id] || p.results[r].zone != t || p.results[r].rebound || r < latest[id]
			latest[id] = r
		}
	}
	for c := calls[0]; c < calls[1]; c++ {
		if r := p.calls[c].answer; r != none && arriving[p.callKey(c, exactID)] && p.results[r].zone == t {
			p.results[r].zone = none
		}
	}
}

// spellIDs gives results that stand where they should, but spell their call's id otherwise, the call's spelling.
func (p *toolPairs) spellIDs(span [2]int) {
	for r := span[0]; r < span[1]; r++ {
		ref := &p.results[r]
		if ref.call == none || !ref.rebound || p.calls[ref.call].turn != ref.zone {
			continue
		}
		call := p.calls[ref.call].call
		p.d.replace(ref.node, ref.part, p.rebound(ref.result, call), p.reboundNote(ref, call))
	}
}

func respelled(r *ToolResult, id string) *ToolResult {
	return edited(r, func(x *ToolResult) { x.CallID = id })
}

// rebound is r as the answer of call: with its id and, where results have names, its name.
func (p *toolPairs) rebound(r *ToolResult, call *ToolCall) *ToolResult {
	if p.fresh == nil {
		n := 0
		for k := range p.results {
			if p.results[k].rebound {
				n++
			}
		}
		p.fresh = make([]ToolResult, 0, n)
	}
	p.fresh = append(p.fresh, *r)
	x := &p.fresh[len(p.fresh)-1]
	if p.otherID(call, r) {
		x.CallID = call.ID
	}
	if p.byName() {
		x.Name = call.Name
	}
	if p.otherType(call, r) {
		x.Variant = call.Variant
	}
	return x
}

// takeAnswers takes the answers of turn t that do not stand in its zone out of where they are, in call order.
func (p *toolPairs) takeAnswers(t int) []answer {
	var out []answer
	for c := p.turns[t].calls[0]; c < p.turns[t].calls[1]; c++ {
		r := p.calls[c].answer
		if r == none || p.results[r].zone == t {
			continue
		}
		ref := &p.results[r]
		if ref.node == none {
			out = append(out, answer{c, ref.result, origin{none, none}})
			continue
		}
		rebound := ref.rebound || p.byName() && ref.result.Name != p.calls[c].call.Name
		p.d.warn(p.d.position(ref.node, ref.part), note{code: CodeResultMoved, problem: ProblemOrphan, id: ref.result.CallID,
			detail: "moved a result to the call it answers", ambiguous: rebound || ref.reason == ReasonPosition}, Tally{}, Tally{})
		part, from := p.d.take(ref.node, ref.part)
		if rebound {
			part = p.rebound(ref.result, p.calls[c].call)
		}
		out = append(out, answer{c, part, from})
	}
	return out
}

// putToolMessages puts each answer into a tool message of its own.
func (p *toolPairs) putToolMessages(t int, answers []answer) {
	zone := p.turns[t].results
	r := zone[0]
	end := p.turns[t].last + 1
	for _, a := range answers {
		for ; r < zone[1] && (!p.answers(r, t) || p.results[r].call < a.call); r++ {
			if p.answers(r, t) {
				end = p.results[r].node + 1
			}
		}
		p.d.insertBefore(end, made(RoleTool, []Part{a.part}, []origin{a.from}))
	}
}

// putIntoUserTurn puts the answers at the head of the user turn behind turn t, or into a new one.
func (p *toolPairs) putIntoUserTurn(t int, answers []answer) {
	d := p.d
	i := p.turns[t].last + 1
	for i < len(d.nodes) && len(d.nodes[i].Parts) == 0 {
		i++
	}
	if i == len(d.nodes) || d.role(i) == RoleAssistant || d.role(i) == RoleSystem {
		n := made(d.profile.resultRole(), nil, nil)
		for _, a := range answers {
			n.Parts, n.from = append(n.Parts, a.part), append(n.from, a.from)
		}
		d.insertBefore(p.turns[t].last+1, n)
		return
	}
	n := d.own(i)
	parts := make([]Part, 0, len(n.Parts)+len(answers))
	from := make([]origin, 0, cap(parts))
	place := make([]int, len(n.Parts)) // where each part comes to be
	r, zone := p.turns[t].results[0], p.turns[t].results
	put := func(before int) {
		for len(answers) > 0 && (before == none || answers[0].call < before) {
			parts, from = append(parts, answers[0].part), append(from, answers[0].from)
			answers = answers[1:]
		}
	}
	for j, part := range n.Parts {
		for r < zone[1] && (p.results[r].node < i || p.results[r].node == i && p.results[r].part < j) {
			r++
		}
		if inZone := r < zone[1] && p.results[r].node == i && p.results[r].part == j; !inZone {
			if !isNil(part) && !d.profile.passes(part) {
				put(none)
			}
		} else if p.answers(r, t) {
			put(p.results[r].call)
		}
		place[j] = len(parts)
		parts, from = append(parts, part), append(from, n.from[j])
	}
	put(none)
	d.setParts(i, parts, from)
	for r := zone[0]; r < len(p.results) && p.results[r].node == i; r++ {
		p.results[r].part = place[p.results[r].part] // it may have to move on, to a later call
	}
}
