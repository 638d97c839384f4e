package jsonscan

// Names that an object has twice. The scanner finds them while it closes the object, by the tags of
// its keys: names are read only where tags agree. The cost is linear for every object.

import (
	"hash/maphash"
	"slices"
	"sync"
)

// fewMembers is up to how many comparing each with each is cheaper than a hash table.
const fewMembers = 16

// repeats reports whether the object at nodes[open], which has two members or more, has a name
// twice. Names are compared by text, whatever their spelling.
func repeats(src []byte, nodes []node, open, count uint32) bool {
	if count > fewMembers {
		return manyRepeat(src, nodes, open, count)
	}
	var tags [fewMembers]uint32 // of the names so far
	var seen uint64             // a bit for each of them
	k := 0
	for at := open + 2; at != 0; at = nodes[at].next {
		name := &nodes[at-1]
		if name.info&(uint32(HasEscape)<<flagShift) != 0 {
			return manyRepeat(src, nodes, open, count)
		}
		tag := name.info >> countShift
		bit := uint64(1) << (tag * 0x9E3779B1 >> 26)
		if seen&bit != 0 {
			for j, earlier := 0, open+2; j < k; j, earlier = j+1, nodes[earlier].next {
				if tags[j] == tag && sameBytes(src, &nodes[earlier-1], name) {
					return true
				}
			}
		}
		seen |= bit
		tags[k&(fewMembers-1)] = tag
		k++
	}
	return false
}

func sameBytes(src []byte, a, b *node) bool {
	return string(src[a.start:a.end]) == string(src[b.start:b.end])
}

// manyRepeat is repeats for any number of names and any spelling.
func manyRepeat(src []byte, nodes []node, open, count uint32) bool {
	t := tables.Get().(*table)
	defer tables.Put(t)
	t.reset(int(count))
	for at := open + 2; at != 0; at = nodes[at].next {
		if t.add(src, nodes, at-1) != 0 {
			return true
		}
	}
	return false
}

// table is a hash table of the names of one object.
type table struct {
	slots []slot
	// room for the text of a name with escapes, and for another one
	text, other []byte
}

// slot is a name: its node, and its hash. Node 0 is none, because it is the document's value.
type slot struct{ node, hash uint32 }

var (
	tables = sync.Pool{New: func() any { return new(table) }}
	// seed differs from run to run: nobody can write names that all have one hash.
	seed = maphash.MakeSeed()
)

// reset empties t, for n names.
func (t *table) reset(n int) {
	size := 4 * fewMembers
	for size < 2*n {
		size *= 2
	}
	if size > cap(t.slots) {
		t.slots = make([]slot, size)
		return
	}
	t.slots = t.slots[:size]
	clear(t.slots)
}

// add adds the name at nodes[index], and returns the earlier node of the same name, 0 for none.
func (t *table) add(src []byte, nodes []node, index uint32) (earlier uint32) {
	text := textOfName(&t.text, src, nodes[index])
	hash := uint32(maphash.Bytes(seed, text))
	mask := uint32(len(t.slots) - 1)
	for at := hash & mask; ; at = (at + 1) & mask {
		switch s := &t.slots[at]; {
		case s.node == 0:
			*s = slot{index, hash}
			return 0
		case s.hash == hash && string(textOfName(&t.other, src, nodes[s.node])) == string(text):
			earlier, s.node = s.node, index
			return earlier
		}
	}
}

// textOfName returns the text of a name: bytes of the source, or in room.
func textOfName(room *[]byte, src []byte, name node) []byte {
	content := src[name.start+1 : name.end-1]
	if flagsOf(name)&HasEscape == 0 {
		return content
	}
	*room = appendDecoded((*room)[:0], content)
	return *room
}

// DeleteRepeated adds to e the deletion of the members of v, not of those of objects inside it,
// whose name a later member has. It calls deleted for each, in order, with its index among the
// members. The last one stays: encoding/json, Python and JavaScript read that one. Linear in the
// members; it allocates.
func (v Value) DeleteRepeated(e *Edits, deleted func(m Value, k int)) {
	if v.Kind() != Object {
		return
	}
	t := new(table)
	t.reset(v.Len())
	var repeated []uint32 // nodes of names
	for m := v.First(); m.Exists(); m = m.Next() {
		if earlier := t.add(v.doc.src, v.doc.nodes, m.index-1); earlier != 0 {
			repeated = append(repeated, earlier)
		}
	}
	slices.Sort(repeated)
	k := 0
	for m := v.First(); m.Exists() && len(repeated) > 0; m = m.Next() {
		if repeated[0] == m.index-1 {
			repeated = repeated[1:]
			deleted(m, k)
			// never the last member, and the next one takes its place
			e.Replace(m.Key().Start(), m.Next().Key().Start(), nil)
		}
		k++
	}
}

// Unrepeated returns the source of v without the members that a later one repeats, at any depth.
// Without any it is the bytes of [Value.Raw].
func Unrepeated(v Value) []byte {
	if v.SubtreeFlags()&HasRepeatedName == 0 {
		return v.Raw()
	}
	var e Edits
	v.deleteAllRepeated(&e)
	// v may be a part of the document
	for k := range e.list {
		e.list[k].start -= v.Start()
		e.list[k].end -= v.Start()
	}
	out, err := e.Apply(v.Raw())
	if err != nil {
		// the edits are inside of v and do not overlap; anything else is a bug in this file
		panic(err)
	}
	return out
}

func (v Value) deleteAllRepeated(e *Edits) {
	if v.SubtreeFlags()&HasRepeatedName == 0 {
		return
	}
	deleted := map[uint32]bool{}
	v.DeleteRepeated(e, func(m Value, _ int) { deleted[m.index] = true })
	for m := v.First(); m.Exists(); m = m.Next() {
		if !deleted[m.index] {
			m.deleteAllRepeated(e)
		}
	}
}
