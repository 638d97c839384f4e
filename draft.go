package preflight

import (
	"reflect"
	"slices"
	"sync"
)

// This file is the working copy of a history under repair. Every change goes through one of the draft's verbs, and every
// verb takes the words of its warning: so nothing can change silently, and every warning has the caller's position.

// origin is where a part stands in the caller's input. msg is -1 for a part preflight made.
type origin struct{ msg, part int32 }

// node is one message of the draft.
type node struct {
	Message
	src   int32    // the caller's message it stands for, -1 for an inserted one
	from  []origin // where each part came from; nil while the parts are still the caller's, in place
	owned bool     // Parts is the draft's own slice, no longer the caller's
	dead  bool     // dropped; the next commit takes it out
}

// draft is a history under repair.
type draft struct {
	profile *Profile
	policy  *Options
	given   []Message // the caller's history, for what a warning quotes from it
	scratch
	edited  bool   // anything changed since the draft was made
	holes   bool   // parts were dropped since the last commit
	dirty   bool   // nodes were dropped or inserted since the last commit
	near    near   // see position
	lones   lones  // see holdsLone; forgotten when places change
	rescued rescue // see cacheNeighbour; forgotten when places change

	absorbed map[origin][]int32 // the messages of parts whose content another part took in, by where that came from
}

type insertion struct {
	at int
	n  node
}

// scratch is the memory of a draft that no result of it refers to: it is kept from one history to the next, without
// anything of the caller's.
type scratch struct {
	nodes    []node
	spare    []node      // what the next commit writes the nodes to
	queue    []insertion // nodes to insert at the next commit; see insertBefore
	parts    arena[Part] // the parts of nodes that own theirs
	origins  arena[origin]
	view     []Message // see look
	sources  []int     // see history
	warnings []Warning
	rules    map[Problem]string // see rule
	pairs    pairing            // see surveyTools
	renames  idWriter           // see rewriteIDs
}

var drafts = sync.Pool{New: func() any { return new(draft) }}

// newDraft makes a draft, which has to be released.
func newDraft(history []Message, profile *Profile, policy *Options) *draft {
	d := drafts.Get().(*draft)
	d.profile, d.policy, d.given, d.rescued = profile, policy, history, rescue{node: none}
	d.nodes = slices.Grow(d.nodes, len(history))[:len(history)]
	for i := range history {
		d.nodes[i] = node{Message: history[i], src: int32(i)}
	}
	return d
}

// release gives the draft's memory back. What was made of it stays good. It must not be deferred: a draft that a panic or
// runtime.Goexit in a function of the caller's left in the middle of something is not used again.
func (d *draft) release() {
	kept := d.scratch
	kept.nodes, kept.queue, kept.warnings = emptied(kept.nodes), emptied(kept.queue), emptied(kept.warnings)
	kept.view = emptied(kept.view)
	kept.parts.reset()
	kept.origins.reset()
	*d = draft{scratch: kept}
	drafts.Put(d)
}

// emptied is s with no values, which it does not hold on to.
func emptied[T any](s []T) []T {
	clear(s)
	return s[:0]
}

// note is the words of a warning: what was done, about which problem, and how a person would say it.
type note struct {
	code      Code
	problem   Problem
	detail    string
	id        string // tool call id
	ambiguous bool
}

// role is the neutral role of node i.
func (d *draft) role(i int) Role {
	r, _ := roleOf(d.nodes[i].Role)
	return r
}

// origin says where part j of node i came from.
func (d *draft) origin(i, j int) origin {
	return d.nodes[i].origin(j)
}

func (n *node) origin(j int) origin {
	if n.from != nil {
		return n.from[j]
	}
	return origin{n.src, int32(j)}
}

// absorb notes that part j of node i takes in what a part of another origin says.
func (d *draft) absorb(i, j int, from origin) {
	if d.absorbed == nil {
		d.absorbed = make(map[origin][]int32)
	}
	if at := d.origin(i, j); at.msg >= 0 && from.msg >= 0 {
		d.absorbed[at] = append(d.absorbed[at], from.msg)
	}
}

// position is the caller's position of part j of node i, or of the whole message when j is -1. A part or message that
// preflight made stands where the next message of the caller stands.
func (d *draft) position(i, j int) Position {
	if j >= 0 {
		if o := d.origin(i, j); o.msg >= 0 {
			return Position{int(o.msg), int(o.part), -1}
		}
	}
	if len(d.nodes) == 0 {
		return Position{0, -1, -1}
	}
	if i < len(d.nodes) && d.nodes[i].src < 0 {
		for _, o := range d.nodes[i].from {
			if o.msg >= 0 {
				return Position{int(o.msg), -1, -1} // a piece of that message
			}
		}
	}
	m := &d.near
	if m.nodes != &d.nodes[0] || i < m.from || i > m.to {
		*m = d.findNear(i)
	}
	return m.at
}

// near is the caller's message nearest to a range of nodes, which all have that one: a run of inserted messages is searched
// once, not once for each of them.
type near struct {
	nodes    *node // the first of the nodes it is about; commit forgets it
	from, to int
	at       Position
}

// findNear finds the first of the caller's messages from node i on, else the last one.
func (d *draft) findNear(i int) near {
	out := near{&d.nodes[0], i, i, Position{0, -1, -1}}
	for ; out.to < len(d.nodes); out.to++ {
		if src := d.nodes[out.to].src; src >= 0 {
			out.at.Message = int(src)
			return out
		}
	}
	for k := min(i, len(d.nodes)) - 1; k >= 0; k-- {
		if src := d.nodes[k].src; src >= 0 {
			out.at.Message = int(src)
			break
		}
	}
	return out
}

// warn records a change at a position.
func (d *draft) warn(at Position, n note, removed, added Tally) {
	d.edited = true
	if n.id != "" && at.Part >= 0 {
		n.id = partID(d.given[at.Message].Parts[at.Part]) // an earlier fixer may have given it another
	}
	d.warnings = append(d.warnings, Warning{
		Code: n.code, Rule: d.rule(n.problem), At: at, ToolCallID: n.id, Detail: n.detail,
		Ambiguous: n.ambiguous || n.code.Ambiguous(), Removed: removed, Added: added,
	})
}

// rule is Profile.rule, which puts the ids that the profile does not know together: once for all histories here.
func (d *draft) rule(problem Problem) string {
	id, known := d.profile.Rules[problem]
	if known {
		return id
	}
	if id, known = d.rules[problem]; !known {
		if d.rules == nil {
			d.rules = make(map[Problem]string)
		}
		id = d.profile.rule(problem)
		d.rules[problem] = id
	}
	return id
}

// own gives node i a Parts slice of its own, so that the caller's is never written to.
func (d *draft) own(i int) *node {
	n := &d.nodes[i]
	if n.owned {
		return n
	}
	parts := d.parts.take(len(n.Parts))
	copy(parts, n.Parts)
	if n.from == nil {
		n.from = d.origins.take(len(parts))
		for j := range n.from {
			n.from[j] = origin{n.src, int32(j)}
		}
	}
	n.Parts, n.owned = parts, true
	return n
}

// replace puts part p in the place of part j of node i.
func (d *draft) replace(i, j int, p Part, n note) {
	d.warn(d.position(i, j), n, tallyPart(d.nodes[i].Parts[j]), tallyPart(p))
	d.own(i).Parts[j] = p
}

// drop removes part j of node i. Its place stays, empty, until the next commit, so that indices hold meanwhile.
func (d *draft) drop(i, j int, n note) {
	d.warn(d.position(i, j), n, tallyPart(d.nodes[i].Parts[j]), Tally{})
	d.rescueCache(i, j, n.problem)
	d.take(i, j)
}

// take removes part j of node i without a warning and returns it with its origin: the caller of take puts it elsewhere,
// and says so.
func (d *draft) take(i, j int) (Part, origin) {
	o := d.origin(i, j)
	n := d.own(i)
	p := n.Parts[j]
	n.Parts[j] = nil
	d.holes = true
	return p, o
}

// put appends parts with their origins to node i.
func (d *draft) put(i int, p Part, o origin) {
	n := d.own(i)
	n.Parts = d.parts.push(n.Parts, p)
	n.from = d.origins.push(n.from, o)
}

// setParts gives node i another order or selection of parts; the warnings are the caller's business.
func (d *draft) setParts(i int, parts []Part, from []origin) {
	n := &d.nodes[i]
	n.Parts, n.from, n.owned = parts, from, true
}

// dropMessage removes node i, whose remaining parts are counted as removed.
func (d *draft) dropMessage(i int, n note) {
	d.warn(d.position(i, -1), n, TallyOf(d.nodes[i].Message), Tally{})
	d.kill(i)
}

// kill removes node i without a warning: its parts went elsewhere, and that was said.
func (d *draft) kill(i int) {
	d.nodes[i].dead, d.dirty = true, true
}

// insertBefore puts a new node in front of node i (len(nodes) for the end) at the next commit. Several in front of one
// node keep their order. The warning is the caller's business.
func (d *draft) insertBefore(i int, n node) {
	d.queue = append(d.queue, insertion{i, n})
	d.dirty = true
}

// made is a node of parts that stood elsewhere, or that preflight made.
func made(role Role, parts []Part, from []origin) node {
	return node{Message: Message{Role: role, Parts: parts}, src: -1, from: from, owned: true}
}

// commit closes the gaps and carries out the insertions; a message that lost all its parts goes with them. Cost: one pass over the nodes when messages came or went, and
// over the parts of those nodes that lost some.
func (d *draft) commit() {
	d.rescued = rescue{node: none}
	if d.holes {
		for i := range d.nodes {
			if n := &d.nodes[i]; n.owned && len(n.Parts) > 0 {
				if n.closeHoles(); len(n.Parts) == 0 {
					d.kill(i) // its parts went, and that was said
				}
			}
		}
		d.holes = false
	}
	if !d.dirty {
		return
	}
	sortInsertions(d.queue)
	out, q := slices.Grow(d.spare, len(d.nodes)+len(d.queue)), d.queue
	for i := 0; i <= len(d.nodes); i++ {
		for len(q) > 0 && q[0].at == i {
			out = append(out, q[0].n)
			q = q[1:]
		}
		if i < len(d.nodes) && !d.nodes[i].dead {
			out = append(out, d.nodes[i])
		}
	}
	clear(d.nodes)
	d.nodes, d.spare, d.queue, d.near, d.lones = out, d.nodes[:0], emptied(d.queue), near{}, lones{}
	d.dirty, d.edited = false, true
}

func (n *node) closeHoles() {
	k := 0
	for j, p := range n.Parts {
		if p == nil {
			continue
		}
		n.Parts[k], n.from[k] = p, n.from[j]
		k++
	}
	clear(n.Parts[k:])
	n.Parts, n.from = n.Parts[:k], n.from[:k]
}

// sortInsertions orders by place, keeping the order of insertions at one place. Fixers walk forwards, so the queue is
// nearly always in order already.
func sortInsertions(q []insertion) {
	for k := 1; k < len(q); k++ {
		if q[k].at < q[k-1].at {
			slices.SortStableFunc(q, func(a, b insertion) int { return a.at - b.at })
			return
		}
	}
}

// history is the draft as messages, with the caller's messages each came from.
func (d *draft) history() ([]Message, [][]int) {
	lists := make([][]int, len(d.nodes))
	all := d.sources[:0]
	for i := range d.nodes {
		start := len(all)
		all = d.appendSources(all, &d.nodes[i])
		lists[i] = all[start:]
	}
	d.sources = all
	kept := append(make([]int, 0, len(all)), all...) // the lists stand one behind the other
	for i, list := range lists {
		if lists[i] = nil; len(list) > 0 {
			lists[i], kept = kept[:len(list):len(list)], kept[len(list):]
		}
	}
	return d.messages(), lists
}

// messages is the draft as messages, with slices of their own for the parts of those that changed.
func (d *draft) messages() []Message {
	out := d.appendMessages(make([]Message, 0, len(d.nodes)))
	changed := 0 // parts of changed messages
	for i := range d.nodes {
		if d.nodes[i].owned {
			changed += len(d.nodes[i].Parts)
		}
	}
	parts := make([]Part, 0, changed)
	for i := range out {
		if d.nodes[i].owned && out[i].Parts != nil {
			start := len(parts)
			parts = append(parts, out[i].Parts...)
			out[i].Parts = slices.Clip(parts[start:])
		}
	}
	return out
}

func (d *draft) appendMessages(to []Message) []Message {
	for i := range d.nodes {
		m := d.nodes[i].Message
		m.Parts = slices.Clip(m.Parts)
		to = append(to, m)
	}
	return to
}

// look shows the draft as messages to a reader that keeps nothing of them.
func (d *draft) look(reader func([]Message)) {
	d.view = d.appendMessages(slices.Grow(d.view, len(d.nodes)))
	reader(d.view)
	d.view = emptied(d.view)
}

// report is the warnings so far, in memory of their own.
func (d *draft) report() []Warning {
	if len(d.warnings) == 0 {
		return nil
	}
	return append(make([]Warning, 0, len(d.warnings)), d.warnings...)
}

// appendSources appends the caller's messages that node n was made of, ascending, without repeats.
func (d *draft) appendSources(all []int, n *node) []int {
	start := len(all)
	if n.src >= 0 {
		all = append(all, int(n.src))
	}
	for _, o := range n.from {
		if o.msg >= 0 && (len(all) == start || all[len(all)-1] != int(o.msg)) {
			all = append(all, int(o.msg))
		}
	}
	if d.absorbed != nil {
		for j := range n.Parts {
			for _, msg := range d.absorbed[n.origin(j)] {
				all = append(all, int(msg))
			}
		}
	}
	slices.Sort(all[start:])
	return all[:start+len(slices.Compact(all[start:]))]
}

// firstEdit is the place behind which reasoning may no longer agree with what stands before it: the first that differs
// from history in anything but reasoning and cache breakpoints.
func (d *draft) firstEdit(history []Message) (node, part int) {
	for i := range d.nodes {
		if i >= len(history) || d.nodes[i].Role != history[i].Role {
			return i, 0
		}
		if j := firstDifference(d.nodes[i].Parts, history[i].Parts); j != none {
			return i, j
		}
	}
	return len(d.nodes), 0
}

// firstDifference compares parts as a provider that binds reasoning does, without reasoning and cache breakpoints. It
// returns the index in a from which on they differ, none when they do not. Reasoning that stood behind a part which is gone is
// on the far side of the difference.
func firstDifference(a, b []Part) int {
	counts := func(p Part) bool { _, ok := p.(*Reasoning); return !ok }
	k, behind := 0, none // behind: the first reasoning since the last part they agree in that did not follow it
	from := func(j int) int {
		if behind != none {
			return behind
		}
		return j
	}
	for j, p := range a {
		if !counts(p) {
			if behind == none {
				if r := k + slices.IndexFunc(b[k:], func(q Part) bool { return counts(q) || sameButCache(p, q) }); r >= k && !counts(b[r]) {
					k = r + 1
				} else {
					behind = j
				}
			}
			continue
		}
		for k < len(b) && !counts(b[k]) {
			k++
		}
		if k == len(b) || !sameButCache(p, b[k]) {
			return from(j)
		}
		k, behind = k+1, none
	}
	if slices.ContainsFunc(b[k:], counts) {
		return from(len(a))
	}
	return none
}

func sameButCache(a, b Part) bool {
	if a == b {
		return true
	}
	if isNil(a) || isNil(b) {
		return false
	}
	c := copyPart(a)
	c.carried().Cache = b.carried().Cache
	return reflect.DeepEqual(c, b)
}
