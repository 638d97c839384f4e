package preflight

import (
	"github.com/go-preflight/preflight/internal/arena"
	"slices"
	"sync"
)

// This file is the working copy of a history under repair. Every change goes through one of the
// draft's verbs, and every verb takes the words of its warning: so nothing can change silently, and
// every warning has the caller's position.

// origin is where a part stands in the caller's input. msg is -1 for a part preflight made.
type origin struct{ msg, part int32 }

// node is one message of the draft.
type node struct {
	Message
	src int32 // the caller's message it stands for, -1 for an inserted one
	// where each part came from; nil while the parts are still the caller's, in place
	from  []origin
	owned bool // Parts is the draft's own slice, no longer the caller's
	dead  bool // dropped; the next commit takes it out
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

	// the messages of parts whose content another part took in, by where that came from
	absorbed map[origin][]int32
}

type insertion struct {
	at int
	n  node
}

// scratch is the memory of a draft that no result of it refers to: it is kept from one history to
// the next, without anything of the caller's.
type scratch struct {
	nodes    []node
	spare    []node            // what the next commit writes the nodes to
	queue    []insertion       // nodes to insert at the next commit; see insertBefore
	parts    arena.Arena[Part] // the parts of nodes that own theirs
	origins  arena.Arena[origin]
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

// release gives the draft's memory back. What was made of it stays good. It must not be deferred: a
// draft that a panic or runtime.Goexit in a function of the caller's left in the middle of
// something is not used again.
func (d *draft) release() {
	kept := d.scratch
	kept.nodes, kept.queue, kept.warnings = emptied(kept.nodes), emptied(kept.queue),
		emptied(kept.warnings)
	kept.view = emptied(kept.view)
	kept.parts.Reset()
	kept.origins.Reset()
	*d = draft{scratch: kept}
	drafts.Put(d)
}

// emptied is s with no values, which it does not hold on to.
func emptied[T any](s []T) []T {
	clear(s)
	return s[:0]
}

// note is the words of a warning: what was done, about which problem, and how a person would say
// it.
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

// position is the caller's position of part j of node i, or of the whole message when j is -1. A
// part or message that preflight made stands where the next message of the caller stands.
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

// near is the caller's message nearest to a range of nodes, which all have that one: a run of
// inserted messages is searched once, not once for each of them.
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
		// an earlier fixer may have given it another
		n.id = partID(d.given[at.Message].Parts[at.Part])
	}
	d.warnings = append(d.warnings, Warning{
		Code: n.code, Rule: d.rule(n.problem), At: at, ToolCallID: n.id, Detail: n.detail,
		Ambiguous: n.ambiguous || n.code.Ambiguous(), Removed: removed, Added: added,
	})
}

// rule is Profile.rule, which puts the ids that the profile does not know together: once for all
// histories here.
func (d *draft) rule(problem Problem) string {
	id, known := d.profile.Rules[problem]
	if known {
		return id
	}
	if id, known = d.rules[problem]; !known {
		if d.rules == nil {
			d.rules = make(map[Problem]string)
		}
		id = d.profile.RuleID(problem)
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
	parts := d.parts.Take(len(n.Parts))
	copy(parts, n.Parts)
	if n.from == nil {
		n.from = d.origins.Take(len(parts))
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

// drop removes part j of node i. Its place stays, empty, until the next commit, so that indices
// hold meanwhile.
func (d *draft) drop(i, j int, n note) {
	d.warn(d.position(i, j), n, tallyPart(d.nodes[i].Parts[j]), Tally{})
	d.rescueCache(i, j, n.problem)
	d.take(i, j)
}

// take removes part j of node i without a warning and returns it with its origin: the caller of
// take puts it elsewhere, and says so.
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
	n.Parts = d.parts.Push(n.Parts, p)
	n.from = d.origins.Push(n.from, o)
}

// setParts gives node i another order or selection of parts; the warnings are the caller's
// business.
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

// insertBefore puts a new node in front of node i (len(nodes) for the end) at the next commit.
// Several in front of one node keep their order. The warning is the caller's business.
func (d *draft) insertBefore(i int, n node) {
	d.queue = append(d.queue, insertion{i, n})
	d.dirty = true
}

// made is a node of parts that stood elsewhere, or that preflight made.
func made(role Role, parts []Part, from []origin) node {
	return node{Message: Message{Role: role, Parts: parts}, src: -1, from: from, owned: true}
}

// commit closes the gaps and carries out the insertions; a message that lost all its parts goes
// with them. Cost: one pass over the nodes when messages came or went, and over the parts of those
// nodes that lost some.
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

// sortInsertions orders by place, keeping the order of insertions at one place. Fixers walk
// forwards, so the queue is nearly always in order already.
func sortInsertions(q []insertion) {
	for k := 1; k < len(q); k++ {
		if q[k].at < q[k-1].at {
			slices.SortStableFunc(q, func(a, b insertion) int { return a.at - b.at })
			return
		}
	}
}
