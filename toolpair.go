package preflight

import (
	"slices"
	"strings"
)

// This file pairs the caller's tool calls with their results. Pairing is by position: a call is answered only where the
// provider looks for the answer, in the run of results right behind its turn (its zone). Provider-executed tools pair by
// other rules, in servertool.go.
//
// The order of remedies, from lossless to lossy: a result in its zone stays; a displaced one moves to its call; ids that
// differ in spelling only are matched by occurrence; several results of one call become one; and only what is left after
// that falls to the policies for dangling calls and orphan results.

// PairToolCalls gives every tool call exactly one result, where the provider looks for it, and every result its call.
var PairToolCalls = Fixer{
	Name:   "pair-tool-calls",
	Doc:    "moves displaced tool results to their calls, settles duplicates, and removes or answers what has no other half",
	repair: pairToolCalls,
}

const none = -1

// callRef and resultRef are one call and one result of the draft, with what they were matched to.
type callRef struct {
	node, part int
	turn       int
	call       *ToolCall
	answer     int // index of its result, or none
}

type resultRef struct {
	node, part int
	zone       int // the turn in whose zone it stands, or none
	result     *ToolResult
	call       int  // index of its call, or none
	rebound    bool // matched although the ids differ in spelling
	settled    bool // dropped or merged away as a duplicate
	merged     bool // result is the draft's own, and took in others
	standIn    bool // it is a placeholder; see isStandIn
	judged     bool // standIn is known
}

// turnRef is one assistant turn: a run of nodes, and the ranges of its calls and of the results in its zone.
type turnRef struct {
	first, last int // nodes; empty nodes between them belong to nobody
	calls       [2]int
	results     [2]int
	cut         cutState
	swapped     bool // a call got another answer than the first with its id
}

// cutState remembers whether a turn may be cut.
type cutState uint8

const (
	cutUnknown cutState = iota
	cutAllowed
	cutForbidden
)

// pairing is the survey of a draft and the matches made on it.
type pairing struct {
	d       *draft
	turns   []turnRef
	calls   []callRef
	results []resultRef
	ids     map[string]int // the first node of the calls with an id; see named
	names   bool           // names have to agree, beside ids; see nameKey
	past    int            // see pastBefore
	open    []int          // see openCalls
	free    []int          // see freeResults
	groups  callGroups     // see group
	latest  idTable        // see settleDuplicates
	texts   []insertion    // orphans that became text; they go behind the results that come to stand in the same place
}

func pairToolCalls(d *draft) {
	pairServerTools(d)
	p := surveyTools(d)
	defer p.release()
	if len(p.calls) == 0 && len(p.results) == 0 {
		return
	}
	p.names = d.profile.PairByName
	p.matchZones(exactID)
	if p.complete() || p.names && p.matchNames() {
		return
	}
	p.matchAnywhere(exactID)
	p.matchZones(looseID)
	if !d.profile.PairByName {
		p.matchBlankIDs()
	}
	p.matchAnywhere(looseID)
	p.matchAhead()
	p.names = false
	p.settleDuplicates()
	p.settleOrphans()
	p.settleDangling()
	p.names = d.profile.PairByName // calls of one id and two names are no twins
	p.moveResults()
	for _, text := range p.texts {
		d.insertBefore(text.at, text.n)
	}
	d.commit()
}

// surveyTools lists turns, calls and results in order. Blank text that the profile refuses, and messages without parts, do
// not end a zone: they are going to be removed. Nor does whatever else stands in a tool message: that is not where it belongs.
func surveyTools(d *draft) *pairing {
	p := &d.pairs
	p.d, p.past = d, d.profile.pastBefore(len(d.nodes), d.message)
	open := false  // the zone of the last turn is still open
	after := false // the last message with parts was the assistant's
	for i := range d.nodes {
		n := &d.nodes[i]
		if len(n.Parts) == 0 {
			continue
		}
		if d.role(i) == RoleAssistant {
			if !after || !d.profile.JoinTurns {
				p.turns = append(p.turns, turnRef{first: i, calls: [2]int{len(p.calls), len(p.calls)}, results: [2]int{len(p.results), len(p.results)}})
			}
			p.surveyTurn(i)
			open, after = true, true
			continue
		}
		after = false
		open = p.surveyZone(i, open)
	}
	return p
}

// release lets go of all but the memory.
func (p *pairing) release() {
	clear(p.calls)
	clear(p.results)
	p.groups.release()
	*p = pairing{turns: p.turns[:0], calls: p.calls[:0], results: p.results[:0], open: p.open, free: p.free, groups: p.groups, latest: p.latest}
}

func (p *pairing) surveyTurn(i int) {
	t := len(p.turns) - 1
	p.turns[t].last = i
	for j, part := range p.d.nodes[i].Parts {
		if c := clientCall(part); c != nil {
			p.calls = append(p.calls, callRef{node: i, part: j, turn: t, call: c, answer: none})
		} else if r := clientResult(part); r != nil {
			p.results = append(p.results, resultRef{node: i, part: j, zone: none, result: r, call: none})
		}
	}
	p.turns[t].calls[1] = len(p.calls)
	p.turns[t].results = [2]int{len(p.results), len(p.results)}
}

// surveyZone adds the results of node i and says whether the zone is still open behind it.
func (p *pairing) surveyZone(i int, open bool) bool {
	t := len(p.turns) - 1
	ends := false // something in the message ends the zone
	for j, part := range p.d.nodes[i].Parts {
		r := clientResult(part)
		if r == nil {
			ends = ends || p.d.role(i) != RoleTool && !p.d.passes(part)
			open = open && (p.d.profile.ResultsTogether || !ends)
			continue
		}
		ref := resultRef{node: i, part: j, zone: none, result: r, call: none}
		if open {
			ref.zone = t
		}
		p.results = append(p.results, ref)
		if open {
			p.turns[t].results[1] = len(p.results)
		}
	}
	return open && !ends
}

// passes reports whether a part between a call and its result is no obstacle, because it is going to be removed.
func (d *draft) passes(part Part) bool {
	t, ok := part.(*Text)
	if !ok {
		return false
	}
	_, refused := d.profile.refusesText(t.Text)
	return refused
}

// complete reports whether every call has its result and every result its call, in its zone.
func (p *pairing) complete() bool {
	for k := range p.calls {
		if p.calls[k].answer == none && !p.d.policy.pending(p.calls[k].call) {
			return false
		}
	}
	for k := range p.results {
		if p.results[k].rebound || p.results[k].call == none {
			return false
		}
	}
	return true
}

// answersPast reports whether a result without a call may answer one in the part of the history that the provider holds.
func (p *pairing) answersPast(r *resultRef) bool {
	return r.node > p.past && idProblem(p.d.profile.CallID, r.result.CallID) == ""
}

// callKey and resultKey are what a call and its result agree in: the id in some spelling and, where results have the variant
// of their calls, that.
func (p *pairing) callKey(c int, key func(string) string) string {
	call := p.calls[c].call
	return p.typed(p.nameKey(key(call.ID), call.Name), call.Variant)
}

func (p *pairing) resultKey(r int, key func(string) string) string {
	result := p.results[r].result
	return p.typed(p.nameKey(key(result.CallID), result.Name), result.Variant)
}

func (p *pairing) typed(id, variant string) string {
	if variant == "" || !p.d.profile.TypedResults {
		return id
	}
	return id + "\x00" + variant
}

// sameType reports whether result r can answer call c at all.
func (p *pairing) sameType(c, r int) bool {
	return !p.d.profile.TypedResults || p.calls[c].call.Variant == p.results[r].result.Variant
}

// precedes reports whether call c stands before result r, if only in the same message.
func (p *pairing) precedes(c, r int) bool {
	call, result := &p.calls[c], &p.results[r]
	return call.node < result.node || call.node == result.node && call.part < result.part
}

func exactID(id string) string { return id }

// looseID is the spelling in which padded, composite (call|item) and differently cased ids agree.
func looseID(id string) string {
	if k := strings.IndexByte(id, '|'); k > 0 {
		id = id[:k]
	}
	return strings.ToLower(strings.TrimSpace(id))
}

// matchZones matches the calls and results of each turn that agree in key, by occurrence, in order.
func (p *pairing) matchZones(key func(string) string) {
	for t := range p.turns {
		turn := &p.turns[t]
		if !p.matchInOrder(turn, key) {
			p.match(turn.calls, turn.results, key, p.leaveEarlier)
		}
	}
}

// matchInOrder is the common case without a map: as many results as calls, in their order. It binds nothing otherwise, and reports
// whether nothing is left.
func (p *pairing) matchInOrder(turn *turnRef, key func(string) string) bool {
	first, results := turn.calls[0], turn.results[0]
	if turn.calls[1]-first != turn.results[1]-results {
		return false
	}
	for c := first; c < turn.calls[1]; c++ {
		call, result := &p.calls[c], &p.results[results+c-first]
		if (call.answer == none) != (result.call == none) || call.answer == none && p.callKey(c, key) != p.resultKey(results+c-first, key) {
			return false
		}
	}
	for c := first; c < turn.calls[1]; c++ {
		if p.calls[c].answer == none {
			p.bind(c, results+c-first)
		}
	}
	return true
}

// choice says which of several calls that agree in key are looked at, when there are fewer results than calls.
type choice func(calls []int, results int) []int

// leaveWaiting leaves out calls that wait on purpose; see its namesake.
func (p *pairing) leaveWaiting(calls []int, results int) []int {
	return leaveWaiting(calls, results, func(c int) bool { return p.d.policy.pending(p.calls[c].call) })
}

// leaveAllWaiting leaves out every call that waits on purpose.
func (p *pairing) leaveAllWaiting(calls []int, _ int) []int {
	return slices.DeleteFunc(calls, func(c int) bool { return p.d.policy.pending(p.calls[c].call) })
}

// leaveEarlier leaves out calls that wait on purpose, then those of the earlier messages of a turn, and the last ones of the message
// where that ends: results stand behind the last message, and what kept an earlier one apart from it may only just have gone.
func (p *pairing) leaveEarlier(calls []int, results int) []int {
	if calls = p.leaveWaiting(calls, results); results >= len(calls) {
		return calls
	}
	kept := len(calls) // from there on
	for end := kept; len(calls)-kept < results; {
		first := end - 1
		for first > 0 && p.calls[calls[first-1]].node == p.calls[calls[first]].node {
			first--
		}
		for k := min(end, first+results-(len(calls)-kept)) - 1; k >= first; k-- {
			kept--
			calls[kept] = calls[k]
		}
		end = first
	}
	return calls[kept:]
}

// matchAnywhere matches what is left: results with the earliest open call before them that agrees in key.
func (p *pairing) matchAnywhere(key func(string) string) {
	calls, results := [2]int{0, len(p.calls)}, [2]int{0, len(p.results)}
	switch {
	case p.d.profile.PairByName:
		p.match(calls, results, key, p.leaveWaiting)
		return
	case p.d.profile.AnswerAnywhere:
		p.match(calls, results, key, p.leaveAllWaiting)
	}
	p.match(calls, results, key, nil)
}

// matchBlankIDs matches, within a turn and in order, a call and a result of which one has no id at all.
func (p *pairing) matchBlankIDs() {
	for t := range p.turns {
		open := p.openCalls(p.turns[t].calls)
		var nameless []int
		for _, c := range open {
			if blank(p.calls[c].call.ID) {
				nameless = append(nameless, c)
			}
		}
		for _, r := range p.freeResults(p.turns[t].results) {
			if blank(p.results[r].result.CallID) {
				open = p.bindFirst(open, r)
			} else if len(nameless) > 0 && !p.named(r) {
				nameless = p.bindFirst(nameless, r)
			}
		}
	}
}

// named reports whether a call before result r has its id: then it is meant for that call, wherever it stands.
func (p *pairing) named(r int) bool {
	if p.ids == nil {
		p.ids = make(map[string]int, len(p.calls))
		for k := len(p.calls) - 1; k >= 0; k-- {
			p.ids[p.calls[k].call.ID] = p.calls[k].node
		}
	}
	node, ok := p.ids[p.results[r].result.CallID]
	return ok && node < p.results[r].node
}

// bindFirst matches r with the first of the calls that is still open, and returns the calls behind it.
func (p *pairing) bindFirst(calls []int, r int) []int {
	for k, c := range calls {
		if p.calls[c].answer == none && p.sameType(c, r) {
			p.bind(c, r)
			return calls[k+1:]
		}
	}
	return nil
}

// openCalls are the calls of a range without an answer; the slice is good until the next call of openCalls.
func (p *pairing) openCalls(span [2]int) []int {
	out := p.open[:0]
	for c := span[0]; c < span[1]; c++ {
		if p.calls[c].answer == none {
			out = append(out, c)
		}
	}
	p.open = out
	return out
}

// freeResults are the results of a range without a call; the slice is good until the next call of freeResults.
func (p *pairing) freeResults(span [2]int) []int {
	out := p.free[:0]
	for r := span[0]; r < span[1]; r++ {
		if p.results[r].call == none && !p.results[r].settled {
			out = append(out, r)
		}
	}
	p.free = out
	return out
}

// match pairs the open calls and free results of two ranges that agree in key, each result with the first open call, if
// that stands before it. leave may be nil.
func (p *pairing) match(callSpan, resultSpan [2]int, key func(string) string, leave choice) {
	calls, results := p.openCalls(callSpan), p.freeResults(resultSpan)
	if len(calls) == 0 || len(results) == 0 {
		return
	}
	groups := p.group(calls, key)
	for _, r := range results {
		if g := groups.of(p.resultKey(r, key)); g != nil {
			g.wanted++
		}
	}
	if leave != nil {
		for k := range groups.all {
			g := &groups.all[k]
			g.calls = leave(g.calls, g.wanted)
		}
	}
	for _, r := range results {
		if g := groups.of(p.resultKey(r, key)); g != nil && len(g.calls) > 0 && p.precedes(g.calls[0], r) {
			p.bind(g.calls[0], r)
			g.calls = g.calls[1:]
		}
	}
}

// callGroup is the calls that agree in key, in order, and how many results do, too.
type callGroup struct {
	calls  []int
	wanted int
}

// callGroups are such groups. They keep their memory from one match to the next: a long history is matched turn by turn.
type callGroups struct {
	index idTable // the place of a key's group in all
	all   []callGroup
	room  []int // what the groups' calls are pieces of
}

func (g *callGroups) release() {
	g.index.reset()
	clear(g.all)
	g.all = g.all[:0]
}

// group sorts calls into groups. They are good until the next call of group.
func (p *pairing) group(calls []int, key func(string) string) *callGroups {
	g := &p.groups
	g.release()
	for _, c := range calls {
		s, known := g.index.of(p.callKey(c, key))
		if !known {
			s.first = len(g.all)
			g.all = append(g.all, callGroup{})
		}
		s.last++ // the calls of the group
	}
	g.room = slices.Grow(g.room[:0], len(calls))
	rest := g.room[:len(calls)]
	for _, c := range calls {
		s := g.index.known(p.callKey(c, key))
		into := &g.all[s.first]
		if into.calls == nil {
			into.calls, rest = rest[:0:s.last], rest[s.last:]
		}
		into.calls = append(into.calls, c)
	}
	return g
}

// of is the group of a key, nil when no call has it.
func (g *callGroups) of(key string) *callGroup {
	if s := g.index.known(key); s != nil {
		return &g.all[s.first]
	}
	return nil
}

// matchAhead matches results that stand before every call of their id with the first of these, where a result may stand
// anywhere behind its call: they move there. A result behind such a call has another reading, as a duplicate of its result.
func (p *pairing) matchAhead() {
	if !p.d.profile.AnswerAnywhere || p.d.policy.Orphans == OrphanText {
		return // as text it was sent already, perhaps
	}
	free := p.freeResults([2]int{0, len(p.results)})
	if len(free) == 0 {
		return
	}
	first, queues := make(map[string]int), make(map[string][]int)
	for c := range p.calls {
		k := p.callKey(c, exactID)
		if _, ok := first[k]; !ok {
			first[k] = p.calls[c].node
		}
		if p.calls[c].answer == none {
			queues[k] = append(queues[k], c)
		}
	}
	for _, r := range free {
		k := p.resultKey(r, exactID)
		if q := queues[k]; len(q) > 0 && p.results[r].node < first[k] && !p.answersPast(&p.results[r]) {
			p.bind(q[0], r)
			queues[k] = q[1:]
		}
	}
}

func (p *pairing) bind(c, r int) {
	p.calls[c].answer, p.results[r].call = r, c
	p.results[r].rebound = p.misnames(p.calls[c].call, p.results[r].result)
	if p.d.profile.AnswerAnywhere && p.calls[c].node < p.results[r].node {
		p.results[r].zone = p.calls[c].turn // it is in its place wherever it stands
	}
}

// settleDuplicates gives each further result of an answered call to the policy. The call meant is the first earlier one
// with its id that only a placeholder answers, else the nearest earlier one.
func (p *pairing) settleDuplicates() {
	free := p.freeResults([2]int{0, len(p.results)})
	if len(free) == 0 {
		return
	}
	latest := &p.latest
	defer latest.reset()
	waiting := make(map[string][]int) // calls that a placeholder answers
	next := 0
	for _, r := range free {
		for ; next < len(p.calls) && p.precedes(next, r); next++ {
			id := p.callKey(next, exactID)
			s, _ := latest.of(id)
			s.last = next
			if a := p.calls[next].answer; a != none && p.isStandIn(a) {
				waiting[id] = append(waiting[id], next)
			}
		}
		id := p.resultKey(r, exactID)
		s := latest.known(id)
		if s == nil {
			continue
		}
		c := s.last
		if q := waiting[id]; len(q) > 0 && !p.isStandIn(r) && !p.otherName(q[0], r) {
			c, waiting[id] = q[0], q[1:]
		}
		if p.calls[c].answer != none && !p.otherName(c, r) {
			p.settleDuplicate(c, r)
		}
	}
}

// isStandIn reports whether result r is a placeholder. Each is read once, however many duplicates there are.
func (p *pairing) isStandIn(r int) bool {
	ref := &p.results[r]
	if !ref.judged {
		ref.standIn, ref.judged = p.d.policy.isPlaceholder(ref.result), true
	}
	return ref.standIn
}

func (p *pairing) settleDuplicate(c, r int) {
	kept := p.calls[c].answer
	a, b := p.results[kept].result, p.results[r].result
	policy := p.d.policy
	switch {
	case p.isStandIn(r) || sameResult(a, b):
		p.dropDuplicate(r, note{code: CodeDuplicateRemoved, detail: "removed a repeated result of a call that has one"})
	case p.isStandIn(kept):
		p.replaceAnswer(c, r, note{code: CodePlaceholderReplaced, detail: "removed a placeholder, since the real result was found"})
	case policy.Duplicates == DuplicateLast:
		p.replaceAnswer(c, r, note{code: CodeDuplicateRemoved, detail: "removed an earlier, different result of the same call", ambiguous: true})
	case policy.Duplicates == DuplicateMerge && !p.d.vacant(b) && mergeable(a, b):
		p.mergeDuplicate(kept, r)
	default:
		p.dropDuplicate(r, note{code: CodeDuplicateRemoved, detail: "removed a later, different result of the same call", ambiguous: true})
	}
}

// vacant reports whether a result holds nothing that will stay, so that there is nothing to merge.
func (d *draft) vacant(r *ToolResult) bool {
	return len(r.Output) == 0 && !slices.ContainsFunc(r.Content, func(part Part) bool { return !d.passes(part) })
}

// mergeable reports whether there is a form for what both say: an output that is an object stands alone in a provider's own
// kind of result (OpenAI's computer_call_output holds one screenshot).
func mergeable(a, b *ToolResult) bool {
	lone := func(r *ToolResult) bool { return r.Variant != "" && len(r.Output) > 0 && r.Output[0] == '{' }
	return !lone(a) && !lone(b)
}

func (p *pairing) dropDuplicate(r int, n note) {
	ref := &p.results[r]
	n.problem, n.id = ProblemDuplicateResult, ref.result.CallID
	p.d.drop(ref.node, ref.part, n)
	ref.settled = true
}

// replaceAnswer makes r the answer of call c and drops the one it had.
func (p *pairing) replaceAnswer(c, r int, n note) {
	old := p.calls[c].answer
	p.turns[p.calls[c].turn].swapped = true
	p.dropDuplicate(old, n)
	p.results[old].call = none
	p.bind(c, r)
}

// mergeDuplicate puts what result r says into the kept one. Nothing of it is lost: where both have an output, the further one
// becomes text.
func (p *pairing) mergeDuplicate(kept, r int) {
	a, b := &p.results[kept], &p.results[r]
	if !a.merged {
		a.result = edited(a.result, func(x *ToolResult) { x.Content = slices.Clip(x.Content) })
		p.d.own(a.node).Parts[a.part] = a.result
		a.merged = true
	}
	added := Tally{}
	a.result.Content = append(a.result.Content, b.result.Content...)
	a.result.IsError = a.result.IsError && b.result.IsError
	if len(a.result.Output) == 0 {
		a.result.Output = b.result.Output
	} else if len(b.result.Output) > 0 {
		a.result.Content = append(a.result.Content, &Text{Text: string(b.result.Output)})
		added.Texts = 1
	}
	p.d.warn(p.d.position(b.node, b.part), note{code: CodeDuplicatesMerged, problem: ProblemDuplicateResult, id: b.result.CallID,
		detail: "merged a further result into the first one of its call"}, Tally{Results: 1}, added)
	p.d.absorb(a.node, a.part, p.d.origin(b.node, b.part))
	p.d.take(b.node, b.part)
	b.settled = true
}

// settleOrphans removes the results that nobody called for, or keeps them as user text.
func (p *pairing) settleOrphans() {
	for _, r := range p.freeResults([2]int{0, len(p.results)}) {
		ref := &p.results[r]
		if p.answersPast(ref) {
			continue
		}
		n := note{problem: ProblemOrphan, id: ref.result.CallID}
		ref.settled = true
		if p.d.policy.Orphans == OrphanText {
			if text := orphanText(ref.result); text != nil {
				n.code, n.detail = CodeOrphanToText, "kept a result without a call as user text"
				p.orphanToText(ref, text, n)
				continue
			}
		}
		n.code, n.detail = CodeOrphanRemoved, "removed a result without a call before it"
		p.d.drop(ref.node, ref.part, n)
	}
}

// orphanText is an orphan as parts of a user turn: what it says, and its media. Nil when it says nothing.
func orphanText(r *ToolResult) []Part {
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
	parts := make([]Part, 0, 1+len(media))
	if !blank(text) {
		parts = append(parts, &Text{Text: "Result of an earlier tool call:\n" + text})
	}
	return append(parts, media...)
}

// orphanToText moves an orphan, as text, behind its message; or, where it stands in a zone, behind that, so that it does not cut
// it.
func (p *pairing) orphanToText(ref *resultRef, parts []Part, n note) {
	d := p.d
	end := ref.node + 1
	if ref.zone != none {
		end = p.results[p.turns[ref.zone].results[1]-1].node + 1
	}
	added := made(RoleUser, parts, make([]origin, len(parts)))
	for k := range added.from {
		added.from[k] = d.origin(ref.node, ref.part)
	}
	d.warn(d.position(ref.node, ref.part), n, tallyPart(ref.result), TallyOf(added.Message))
	d.take(ref.node, ref.part)
	p.texts = append(p.texts, insertion{end, added})
}

func (d *draft) holdsResult(i int) bool {
	for _, part := range d.nodes[i].Parts {
		if clientResult(part) != nil {
			return true
		}
	}
	return false
}

// settleDangling removes the calls that nobody answered, or answers them: by policy, except that a turn with signed
// reasoning is never cut.
func (p *pairing) settleDangling() {
	for c := range p.calls {
		ref := &p.calls[c]
		if ref.answer != none || p.d.policy.pending(ref.call) {
			continue
		}
		signed := p.signedTurn(ref.turn)
		part, result := p.d.policy.interrupted(ref.call)
		if part != nil && !signed {
			p.d.replace(ref.node, ref.part, part, note{code: CodeDanglingReplaced, problem: ProblemDangling, id: ref.call.ID,
				detail: "replaced a tool call that has no result by what the caller gave for it"})
			continue
		}
		wordless := slices.Contains(p.d.profile.WordlessCalls, ref.call.Variant)
		if result == nil && (wordless || p.d.policy.Dangling != DanglingAnswer && !signed) {
			p.d.drop(ref.node, ref.part, note{code: CodeDanglingRemoved, problem: ProblemDangling, id: ref.call.ID,
				detail: "removed a tool call that has no result"})
			continue
		}
		detail := "answered a tool call that has no result"
		if result == nil {
			result = p.d.policy.errorResult(ref.call)
			detail += " with an error result"
			if p.d.policy.Dangling != DanglingAnswer {
				detail += ", since its turn holds signed reasoning and may not be cut"
			}
		}
		if p.d.profile.TypedResults && result.Variant != ref.call.Variant {
			result = edited(result, func(r *ToolResult) { r.Variant = ref.call.Variant })
		}
		p.d.warn(p.d.position(ref.node, ref.part), note{code: CodeDanglingAnswered, problem: ProblemDangling, id: ref.call.ID, detail: detail},
			Tally{}, tallyPart(result))
		ref.answer = len(p.results)
		p.results = append(p.results, resultRef{node: none, part: none, zone: none, result: result, call: c})
	}
}

// signedTurn reports whether a turn holds reasoning with a signature or an opaque payload, or a call with a signature.
func (p *pairing) signedTurn(t int) bool {
	turn := &p.turns[t]
	if turn.cut == cutUnknown {
		turn.cut = cutAllowed
		for i := turn.first; i <= turn.last; i++ {
			if slices.ContainsFunc(p.d.nodes[i].Parts, signed) || slices.ContainsFunc(p.d.nodes[i].Parts, p.d.profile.sealedCall) || p.d.profile.holds(&p.d.nodes[i].Message) {
				turn.cut = cutForbidden
			}
		}
	}
	return turn.cut == cutForbidden
}

// answers reports whether result r is one of turn t's own, in its place.
func (p *pairing) answers(r, t int) bool {
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
func (p *pairing) moveResults() {
	if p.d.profile.AnswerAnywhere {
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

// toUserTurn reports whether the results of turn t belong into a user message. Where the profile takes both roles, that is where
// the first of them is.
func (p *pairing) toUserTurn(t int) bool {
	turn := &p.turns[t]
	if role := p.d.profile.ResultRole; role != "" || turn.results[0] == turn.results[1] {
		return role == RoleUser
	}
	return p.d.role(p.results[turn.results[0]].node) == RoleUser
}

// putAnywhere does that where a result may stand anywhere behind its call: those that do stay. Where an id was used more than
// once, a result goes behind those of the earlier calls that have it.
func (p *pairing) putAnywhere() {
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
				p.d.insertBefore(at, made(p.d.profile.resultRole(), []Part{answers[0].part}, []origin{answers[0].from}))
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
func (p *pairing) displaceTwins(t int) {
	calls := p.turns[t].calls
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
func (p *pairing) spellIDs(span [2]int) {
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

// takeAnswers takes the answers of turn t that do not stand in its zone out of where they are, in call order.
func (p *pairing) takeAnswers(t int) []answer {
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
		rebound := ref.rebound || p.d.profile.PairByName && ref.result.Name != p.calls[c].call.Name
		p.d.warn(p.d.position(ref.node, ref.part), note{code: CodeResultMoved, problem: ProblemOrphan, id: ref.result.CallID,
			detail: "moved a result to the call it answers", ambiguous: rebound}, Tally{}, Tally{})
		part, from := p.d.take(ref.node, ref.part)
		if rebound {
			part = p.rebound(ref.result, p.calls[c].call)
		}
		out = append(out, answer{c, part, from})
	}
	return out
}

// putToolMessages puts each answer into a tool message of its own.
func (p *pairing) putToolMessages(t int, answers []answer) {
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
func (p *pairing) putIntoUserTurn(t int, answers []answer) {
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
			if !isNil(part) && !d.passes(part) {
				put(none)
			}
		} else if p.answers(r, t) {
			put(p.results[r].call)
		}
		parts, from = append(parts, part), append(from, n.from[j])
	}
	put(none)
	d.setParts(i, parts, from)
}
