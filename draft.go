package preflight

import (
	"slices"
	"sync"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/arena"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file holds the working copy of a history under repair. Every change is made by a method of
// the draft, and the methods take the fields of a warning, so that every change is reported at a
// position in the caller's history.
//
//	given     0 user "a", 1 user "", 2 user "b"
//	drop      part 0 of node 1, warned of at messages[1].parts[0]; indices stay until commit
//	commit    0 user "a", 1 user "b": node 1 is from message 2 of the caller now
//	warnings  of node 1 are at messages[2]

// origin is the position of a part in the caller's history. msg is -1 for a part that preflight
// made.
type origin struct{ msg, part int32 }

// node is one message of the draft.
type node struct {
	Message
	src int32 // index of the caller's message, -1 for an inserted one
	// the origin of each part; nil while Parts is still the caller's slice
	from    []origin
	owned   bool // Parts is a slice of the draft, not of the caller
	touched bool // parts were changed, not only their cache breakpoints; see tidy
	dead    bool // to be removed by the next commit
	parted  bool // messages between this one and the one before it were removed; see tidy
}

// draft is a history under repair.
type draft struct {
	profile *Profile
	options *Options
	given   []Message // the caller's history
	scratch
	pairs *toolPairing // see scratch.pairing

	listed   bool   // list is up to date; see asMessages
	expected int    // warnings to make room for
	edited   bool   // anything changed since the draft was made
	holes    bool   // parts were dropped since the last commit
	dirty    bool   // nodes were dropped or inserted since the last commit
	near     near   // see position in draft_result.go
	piece    piece  // see position in draft_result.go
	rescued  rescue // see cacheNeighbour; forgotten when places change
	unbinds  int    // parts of reasoning that dropUnboundEnd has removed

	absorbed map[origin][]int32 // by part: the messages whose content it took in
	inside   map[Part]origin    // where such content came from, for when it comes out again
}

type insertion struct {
	at int
	n  node
}

// scratch is the memory that a draft keeps from one history to the next. No result refers to it,
// and it holds no values of the caller between two histories.
type scratch struct {
	nodes    []node
	spare    []node            // memory for the nodes after the next insertions
	queue    []insertion       // nodes to insert at the next commit; see insertBefore
	parts    arena.Arena[Part] // the parts of nodes that own theirs
	origins  arena.Arena[origin]
	list     []Message // see asMessages
	sources  []int     // see history
	warnings []Warning
	rules    map[problems.Problem]string // see rule
	pairing  toolPairing                 // see pairs in draft
}

var drafts = sync.Pool{New: func() any { return new(draft) }}

// newDraft returns a draft of history. The caller has to release it.
func newDraft(history []Message, profile *Profile, options *Options) *draft {
	d := drafts.Get().(*draft)
	d.profile, d.options, d.given, d.rescued = profile, options, history, rescue{node: none}
	d.pairs = &d.pairing
	d.nodes = slices.Grow(d.nodes, len(history))[:len(history)]
	for i := range history {
		d.nodes[i] = node{Message: history[i], src: int32(i)}
	}
	return d
}

// release returns the draft to the pool; results made from it stay valid. It must not be deferred:
// a draft may be in the middle of a change when a function of the caller panics or calls
// runtime.Goexit, and must not be used again then.
func (d *draft) release() {
	kept := d.scratch
	kept.nodes, kept.queue, kept.warnings = emptied(kept.nodes), emptied(kept.queue),
		emptied(kept.warnings)
	kept.list = emptied(kept.list)
	kept.parts.Reset()
	kept.origins.Reset()
	*d = draft{scratch: kept}
	drafts.Put(d)
}

// emptied returns s with length 0 and its elements cleared.
func emptied[T any](s []T) []T {
	clear(s)
	return s[:0]
}

// note holds the fields of a warning that describe the change.
type note struct {
	code      codes.Code
	problem   problems.Problem
	detail    string
	id        string // tool call id
	ambiguous bool
}

// role returns the neutral role of node i.
func (d *draft) role(i int) Role {
	return roleOf(&d.nodes[i].Message)
}

// origin returns the origin of part j of node i.
func (d *draft) origin(i, j int) origin {
	return d.nodes[i].origin(j)
}

func (n *node) origin(j int) origin {
	if n.from != nil {
		return n.from[j]
	}
	return origin{n.src, int32(j)}
}

// recordAbsorbed records that part j of node i, a tool result, takes in content that came from
// elsewhere.
func (d *draft) recordAbsorbed(i, j int, from origin, content ...Part) {
	if d.absorbed == nil {
		d.absorbed, d.inside = make(map[origin][]int32), make(map[Part]origin)
	}
	for _, p := range content {
		if _, known := d.inside[p]; !known {
			d.inside[p] = from
		}
	}
	if at := d.origin(i, j); at.msg >= 0 && from.msg >= 0 {
		d.absorbed[at] = append(d.absorbed[at], from.msg)
	}
}

// originInside returns the origin of a part in the content of part j of node i, which is that of
// the whole unless it was absorbed.
func (d *draft) originInside(i, j int, part Part) origin {
	if from, moved := d.inside[part]; moved {
		return from
	}
	return d.origin(i, j)
}

// inherit records that parts of a tool result are made from those that were there, one from each.
func (d *draft) inherit(before, parts []Part) {
	for k, p := range parts {
		if from, moved := d.inside[before[k]]; moved {
			d.inside[p] = from
		}
	}
}

// warn records a change at a position.
func (d *draft) warn(at Position, n note, removed, added Tally) {
	d.edited = true
	if n.id != "" && at.Part() >= 0 {
		// report the caller's id, since an earlier fixer may have changed it
		n.id = partID(d.given[at.Message()].Parts[at.Part()])
	}
	if len(d.warnings) == cap(d.warnings) { // append would copy a long list again and again
		d.warnings = slices.Grow(d.warnings, max(d.expected-len(d.warnings), len(d.warnings)/2, 1))
	}
	class, _ := n.code.Class()
	d.warnings = append(d.warnings, Warning{
		Code: n.code, Rule: d.rule(n.problem), At: at, ToolCallID: n.id, Detail: n.detail,
		Ambiguous: n.ambiguous || class == codes.Ambiguous, Removed: removed, Added: added,
	})
}

// rule returns the rule id of a problem. Ids that are not in the profile's table have to be built:
// the draft keeps them, also for later histories.
func (d *draft) rule(problem problems.Problem) string {
	id, known := d.profile.Rules[problem]
	if known {
		return id
	}
	if id, known = d.rules[problem]; !known {
		if d.rules == nil {
			d.rules = make(map[problems.Problem]string)
		}
		id = d.profile.RuleID(problem)
		d.rules[problem] = id
	}
	return id
}

// change returns node i, to be changed. Every change of a node begins with it, because the list is
// out of date then. It does not set node.touched.
func (d *draft) change(i int) *node {
	d.listed = false
	return &d.nodes[i]
}

// setNodes makes nodes those of the draft.
func (d *draft) setNodes(nodes []node) {
	d.nodes, d.edited, d.listed = nodes, true, false
	d.near, d.rescued = near{}, rescue{node: none}
}

// ownParts copies the Parts slice of node i unless the draft made it already, so that the caller's
// slice is never written to.
func (d *draft) ownParts(i int) *node {
	n := d.change(i)
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

// replace replaces part j of node i by p.
func (d *draft) replace(i, j int, p Part, n note) {
	before := d.nodes[i].Parts[j]
	d.warn(d.position(i, j), n, tallyPart(before), tallyPart(p))
	if r, ok := p.(*ToolResult); ok && d.inside != nil {
		if old, ok := before.(*ToolResult); ok && len(old.Content) == len(r.Content) {
			d.inherit(old.Content, r.Content)
		}
	}
	owned := d.ownParts(i)
	owned.Parts[j], owned.touched = p, true
}

// drop removes part j of node i. Indices do not change until the next commit, which closes the gap.
func (d *draft) drop(i, j int, n note) {
	d.warn(d.position(i, j), n, tallyPart(d.nodes[i].Parts[j]), Tally{})
	d.rescueCache(i, j, n.problem)
	d.takePart(i, j)
}

// takePart removes part j of node i without a warning and returns it with its origin. The caller
// inserts it elsewhere and warns.
func (d *draft) takePart(i, j int) (Part, origin) {
	o := d.origin(i, j)
	n := d.ownParts(i)
	p := n.Parts[j]
	n.Parts[j], n.touched = nil, true
	d.holes = true
	return p, o
}

// appendPart appends a part with its origin to node i.
func (d *draft) appendPart(i int, p Part, o origin) {
	n := d.ownParts(i)
	n.Parts, n.touched = d.parts.Push(n.Parts, p), true
	n.from = d.origins.Push(n.from, o)
}

// setParts sets the parts of node i, a reordering or selection of them, without a warning.
func (d *draft) setParts(i int, parts []Part, from []origin) {
	n := d.change(i)
	n.Parts, n.from, n.owned, n.touched = parts, from, true, true
}

// dropMessage removes node i with its remaining parts, which the warning counts as removed.
func (d *draft) dropMessage(i int, n note) {
	d.warn(d.position(i, -1), n, TallyOf(d.nodes[i].Message), Tally{})
	d.removeNode(i)
}

// removeNode removes node i without a warning.
func (d *draft) removeNode(i int) {
	d.nodes[i].dead, d.dirty = true, true
}

// insertText inserts a message with a text before node i (or at the end for len(nodes)) at the next
// commit.
func (d *draft) insertText(i int, role Role, text string, n note) {
	t := &Text{Text: text}
	d.warn(d.position(i, none), n, Tally{}, tallyPart(t))
	d.insertBefore(i, newNode(role, []Part{t}, []origin{{none, none}}))
}

// insertBefore inserts a new node before node i (or at the end for len(nodes)) at the next commit,
// without a warning. Several nodes inserted before the same node keep their order.
func (d *draft) insertBefore(i int, n node) {
	d.queue = append(d.queue, insertion{i, n})
	d.dirty = true
}

// newNode returns a new node of parts that were moved or made by preflight.
func newNode(role Role, parts []Part, from []origin) node {
	return node{
		Message: Message{Role: role, Parts: parts}, src: -1, from: from, owned: true, touched: true,
	}
}

// commit removes dropped parts and nodes and makes the insertions. A message that lost all its
// parts is removed. It takes one pass over the nodes when any were inserted or removed, and one
// over the parts of those nodes that lost some.
func (d *draft) commit() {
	d.rescued = rescue{node: none}
	if d.holes {
		for i := range d.nodes {
			if n := &d.nodes[i]; n.owned && len(n.Parts) > 0 {
				if n.closeHoles(); len(n.Parts) == 0 {
					d.removeNode(i) // the removed parts were reported
				}
			}
		}
		d.holes = false
	}
	if !d.dirty {
		return
	}
	if len(d.queue) > 0 {
		d.insertQueued()
	} else {
		out := d.nodes[:0]
		for i := range d.nodes {
			if !d.nodes[i].dead {
				out = append(out, d.nodes[i])
			} else if i+1 < len(d.nodes) {
				d.nodes[i+1].parted = true
			}
		}
		clear(d.nodes[len(out):])
		d.setNodes(out)
	}
	d.dirty = false
}

// insertQueued copies the nodes that are left, and those of the queue at their places.
func (d *draft) insertQueued() {
	byPlace := func(a, b insertion) int { return a.at - b.at }
	if !slices.IsSortedFunc(d.queue, byPlace) { // fixers usually visit the nodes in order
		slices.SortStableFunc(d.queue, byPlace)
	}
	out, q := slices.Grow(d.spare, len(d.nodes)+len(d.queue)), d.queue
	for i := 0; i <= len(d.nodes); i++ {
		for len(q) > 0 && q[0].at == i {
			out = append(out, q[0].n)
			q = q[1:]
		}
		switch {
		case i == len(d.nodes):
		case !d.nodes[i].dead:
			out = append(out, d.nodes[i])
		case i+1 < len(d.nodes):
			d.nodes[i+1].parted = true
		}
	}
	clear(d.nodes)
	d.spare, d.queue = d.nodes[:0], emptied(d.queue)
	d.setNodes(out)
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

func (d *draft) len() int          { return len(d.nodes) }
func (d *draft) at(i int) *Message { return &d.nodes[i].Message }
