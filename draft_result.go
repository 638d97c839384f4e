package preflight

import (
	"reflect"
	"slices"
)

// This file makes the results of a draft: its messages, whose native JSON agrees with their parts,
// the positions in the caller's history that they and their parts came from, and the first change.
//
//	given     0 user "a", 1 user "", 2 user "b"
//	messages  0 user "a", "b"
//	origins   0, 2 of message 0; its part 1 is from messages[2].parts[0]

// history returns the messages of the draft; for each, the indices of the caller's messages it came
// from; and for each of their parts, its position in the caller's history.
func (d *draft) history() ([]Message, [][]int, [][]Position) {
	lists := make([][]int, len(d.nodes))
	all := slices.Grow(d.sources[:0], len(d.nodes))
	for i := range d.nodes {
		start := len(all)
		all = d.appendSources(all, &d.nodes[i])
		lists[i] = all[start:]
	}
	d.sources = all
	kept := append(make([]int, 0, len(all)), all...) // one array for all lists
	for i, list := range lists {
		if lists[i] = nil; len(list) > 0 {
			lists[i], kept = kept[:len(list):len(list)], kept[len(list):]
		}
	}
	return d.messages(), lists, d.partOrigins()
}

// partOrigins returns the position of each part in the caller's history.
func (d *draft) partOrigins() [][]Position {
	count := 0
	for i := range d.nodes {
		count += len(d.nodes[i].Parts)
	}
	all := make([]Position, 0, count)
	lists := make([][]Position, len(d.nodes))
	for i := range d.nodes {
		n := &d.nodes[i]
		start := len(all)
		for j := range n.Parts {
			if o := n.origin(j); o.msg >= 0 {
				all = append(all, At(int(o.msg), int(o.part)))
			} else {
				all = append(all, At(none))
			}
		}
		lists[i] = all[start:len(all):len(all)]
	}
	return lists
}

// messages returns the messages of the draft. Messages that changed have new slices for their
// parts. It may take over the memory of the list instead of copying it.
func (d *draft) messages() []Message {
	out := d.asMessages()
	if cap(out)/2 <= len(out) {
		d.list, d.listed = nil, false
	} else {
		out = append(make([]Message, 0, len(out)), out...)
	}
	changed := 0 // number of parts in changed messages
	for i := range d.nodes {
		if d.nodes[i].owned {
			changed += len(d.nodes[i].Parts)
		}
	}
	parts := make([]Part, 0, changed)
	for i := range d.nodes {
		if d.nodes[i].owned && out[i].Parts != nil {
			start := len(parts)
			parts = append(parts, out[i].Parts...)
			out[i].Parts = slices.Clip(parts[start:])
		}
	}
	return out
}

// asMessages returns the messages of the draft, to be read until its next change.
func (d *draft) asMessages() []Message {
	if d.listed {
		return d.list
	}
	clear(d.list)
	d.list = slices.Grow(d.list[:0], len(d.nodes))[:len(d.nodes)]
	for i := range d.nodes {
		d.list[i] = d.nodes[i].Message
		d.list[i].Parts = slices.Clip(d.list[i].Parts)
	}
	d.listed = true
	return d.list
}

// manyWarnings is the number of warnings from which on the result takes over the list: to copy it
// would take more memory than keeping it for the next history saves.
const manyWarnings = 512

// report returns the warnings, and may take them from the draft: it is called last.
func (d *draft) report() []Warning {
	if len(d.warnings) == 0 {
		return nil
	}
	if len(d.warnings) >= manyWarnings {
		all := slices.Clip(d.warnings)
		d.warnings = nil
		return all
	}
	return append(make([]Warning, 0, len(d.warnings)), d.warnings...)
}

// appendSources appends the indices of the caller's messages that node n came from, ascending,
// without duplicates.
func (d *draft) appendSources(all []int, n *node) []int {
	if n.from == nil && n.src >= 0 && d.absorbed == nil {
		return append(all, int(n.src))
	}
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

// firstEdit returns the position of the first difference from history other than in reasoning and
// cache breakpoints. Reasoning after that position may no longer match what precedes it.
func (d *draft) firstEdit(history []Message) (node, part int) {
	for i := range d.nodes {
		if i >= len(history) || d.nodes[i].Role != history[i].Role {
			return i, 0
		}
		if j := d.firstDifference(d.nodes[i].Parts, history[i].Parts); j != none {
			return i, j
		}
	}
	return len(d.nodes), 0
}

// firstDifference compares parts as a provider that binds reasoning does: without reasoning and
// cache breakpoints. It returns the index in a of the first difference, or none. When a part before
// some reasoning was removed, that reasoning counts as after the difference.
func (d *draft) firstDifference(a, b []Part) int {
	counts := func(p Part) bool { _, ok := p.(*Reasoning); return !ok }
	// k is the index in b of the next part to compare; moved is the first reasoning since the last
	// equal part that did not follow that part in b
	k, moved := 0, none
	from := func(j int) int {
		if moved != none {
			return moved
		}
		return j
	}
	for j, p := range a {
		if !counts(p) {
			if moved == none {
				next := func(q Part) bool { return counts(q) || d.sameButCache(p, q) }
				if r := k + slices.IndexFunc(b[k:], next); r >= k && !counts(b[r]) {
					k = r + 1
				} else {
					moved = j
				}
			}
			continue
		}
		for k < len(b) && !counts(b[k]) {
			k++
		}
		if k == len(b) || !d.sameButCache(p, b[k]) {
			return from(j)
		}
		k, moved = k+1, none
	}
	if slices.ContainsFunc(b[k:], counts) {
		return from(len(a))
	}
	return none
}

func (d *draft) sameButCache(a, b Part) bool {
	if a == b {
		return true
	}
	if isNil(a) || isNil(b) {
		return false
	}
	c := CopyPart(a)
	c.carried().Cache = b.carried().Cache
	return reflect.DeepEqual(c, b)
}

// position returns the position in the caller's history of part j of node i, or of the whole
// message when j is -1. A part or message that preflight made has the position of the caller's next
// message.
func (d *draft) position(i, j int) Position {
	if j >= 0 {
		if o := d.origin(i, j); o.msg >= 0 {
			return At(int(o.msg), int(o.part))
		}
	}
	if len(d.nodes) == 0 {
		return At(0)
	}
	if i < len(d.nodes) && d.nodes[i].src < 0 {
		if msg := d.pieceOf(d.nodes[i].from); msg >= 0 {
			return At(msg)
		}
	}
	m := &d.near
	if m.nodes != &d.nodes[0] || i < m.from || i > m.to {
		*m = d.findNear(i)
	}
	return m.at
}

// piece caches which message of the caller an inserted one is a piece of, so that its parts are
// searched once.
type piece struct {
	from *origin // the first of the parts
	n    int     // their number
	msg  int
}

// pieceOf returns the caller's message that the first of these parts that is not new came from, or
// none if all are new.
func (d *draft) pieceOf(from []origin) int {
	if len(from) == 0 {
		return none
	}
	p := &d.piece
	if p.from != &from[0] || p.n != len(from) {
		*p = piece{&from[0], len(from), none}
		for k := 0; k < len(from) && p.msg < 0; k++ {
			p.msg = int(from[k].msg)
		}
	}
	return p.msg
}

// near caches the caller's message nearest to the nodes in [from, to], so that a run of inserted
// messages is searched once.
type near struct {
	nodes    *node // the first node of the draft; commit clears it
	from, to int
	at       Position
}

// findNear returns the caller's first message at or after node i, or else the last one before it.
func (d *draft) findNear(i int) near {
	out := near{&d.nodes[0], i, i, At(0)}
	for ; out.to < len(d.nodes); out.to++ {
		if src := d.nodes[out.to].src; src >= 0 {
			out.at = At(int(src))
			return out
		}
	}
	for k := min(i, len(d.nodes)) - 1; k >= 0; k-- {
		if src := d.nodes[k].src; src >= 0 {
			out.at = At(int(src))
			break
		}
	}
	return out
}

// An agreement makes native JSON agree with changed parts: what was removed is not left in the JSON
// that json.Marshal of a message writes.
type agreement struct {
	given   []Message
	natives map[string]Position // by native JSON, the first of the caller's parts; nil until needed
	wholes  map[string]bool     // native JSON of the caller's messages; nil until it is needed
}

// agree updates the native JSON of each part and message of res that differs from what it was made
// of.
func (res *Result) agree(given []Message) {
	a := agreement{given: given}
	for i := range res.Messages {
		m, from := &res.Messages[i], res.Origins[i]
		if len(from) == 1 && sameMessage(m, &given[from[0]]) {
			continue
		}
		a.update(m, from, res.PartOrigins[i])
	}
}

// update updates the native JSON of n and its parts.
func (a *agreement) update(n *Message, from []int, origins []Position) {
	source := a.source(n.Native.JSON, from)
	var present []bool // by part of the source
	if source != none {
		present = make([]bool, len(a.given[source].Parts))
	}
	var changes []nativeChange
	for j, p := range n.Parts {
		at, before := a.before(p, origins[j])
		if before == nil {
			continue
		}
		var change nativeChange
		if before != p {
			n.Parts[j], change = agreed(before, p)
		}
		if at.Message() == source {
			present[at.Part()] = true
			changes = append(changes, change)
		}
	}
	if source == none {
		if a.isOthers(n.Native.JSON) {
			n.Native = Native{} // what changed in it is not known
		}
		return
	}
	was := &a.given[source]
	for j, p := range was.Parts {
		if !present[j] && !isNil(p) {
			changes = append(changes, removal(p))
		}
	}
	if was.Name != n.Name {
		changes = append(changes, renaming(was.Name, n.Name))
	}
	n.Native = changed(n.Native, changes, !sameBytes(n.Native.JSON, was.Native.JSON))
}

// source returns which message of from has this native JSON. It returns none if another message has
// it, or there is none, and the first of from if nobody has it: a hook wrote it.
func (a *agreement) source(raw []byte, from []int) int {
	if len(raw) == 0 || len(from) == 0 {
		return none
	}
	for _, k := range from {
		if sameBytes(raw, a.given[k].Native.JSON) {
			return k
		}
	}
	if a.isOthers(raw) {
		return none
	}
	return from[0]
}

// before returns the caller's part that p was made of, which is at this position, or has its native
// JSON; nil if there is none.
func (a *agreement) before(p Part, at Position) (Position, Part) {
	if at.Message() < 0 {
		return a.withNative(p)
	}
	before := a.given[at.Message()].Parts[at.Part()]
	if isNil(before) {
		return a.withNative(p)
	}
	if sameBytes(before.carried().Native.JSON, p.carried().Native.JSON) {
		return at, before
	}
	if other, found := a.withNative(p); found != nil {
		return other, found
	}
	if PartKind(before) != PartKind(p) {
		return At(none), nil // it was inside of the part there, or took its place
	}
	return at, before
}

// withNative returns the caller's part with the native JSON of p: a hook may have taken it from
// there. The native JSON of an unknown part is its content.
func (a *agreement) withNative(p Part) (Position, Part) {
	raw := p.carried().Native.JSON
	if _, other := p.(*Other); other || len(raw) == 0 {
		return At(none), nil
	}
	if a.natives == nil {
		a.natives = make(map[string]Position)
		for k := range a.given {
			for j, p := range a.given[k].Parts {
				if isNil(p) {
					continue
				}
				native := string(p.carried().Native.JSON)
				if _, known := a.natives[native]; !known {
					a.natives[native] = At(k, j)
				}
			}
		}
	}
	at, known := a.natives[string(raw)]
	if !known {
		return At(none), nil
	}
	return at, a.given[at.Message()].Parts[at.Part()]
}

// isOthers reports whether raw is the native JSON of any of the caller's messages.
func (a *agreement) isOthers(raw []byte) bool {
	if len(raw) == 0 {
		return false
	}
	if a.wholes == nil {
		a.wholes = make(map[string]bool)
		for k := range a.given {
			a.wholes[string(a.given[k].Native.JSON)] = true
		}
	}
	return a.wholes[string(raw)]
}
