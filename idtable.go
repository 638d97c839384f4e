package preflight

import "hash/maphash"

// This file is a set of ids that keeps its memory from one history to the next: the map it stands for was 40 % of the time
// Check took for a valid history, and all of its allocations.

// idTable maps ids to two numbers each: an open-addressed hash table, of which at most half is in use. The zero table is ready.
type idTable struct {
	slots []idSlot // a power of two
	used  int
}

type idSlot struct {
	id          string
	taken       bool
	first, last int // what the user of the table keeps there
}

// idSeed keeps the table safe from ids that were chosen to collide. It decides where an id stands, never what is reported.
var idSeed = maphash.MakeSeed()

// fewestSlots is the size of the first table.
const fewestSlots = 16

// of returns the slot of an id, and whether the id was in the table before; it is now. The slot is good until the next call.
func (t *idTable) of(id string) (s *idSlot, known bool) {
	if 2*t.used >= len(t.slots) {
		t.grow()
	}
	if s = t.find(id); s.taken {
		return s, true
	}
	t.used++
	*s = idSlot{id: id, taken: true}
	return s, false
}

// known returns the slot of an id, nil when it is not in the table.
func (t *idTable) known(id string) *idSlot {
	if t.used == 0 {
		return nil
	}
	if s := t.find(id); s.taken {
		return s
	}
	return nil
}

// find is the slot of an id, or the free one where it belongs.
func (t *idTable) find(id string) *idSlot {
	mask := uint64(len(t.slots) - 1)
	for k := maphash.String(idSeed, id) & mask; ; k = (k + 1) & mask {
		if s := &t.slots[k]; !s.taken || s.id == id {
			return s
		}
	}
}

func (t *idTable) grow() {
	old := t.slots
	t.slots = make([]idSlot, max(fewestSlots, 2*len(old)))
	for k := range old {
		if old[k].taken {
			*t.find(old[k].id) = old[k]
		}
	}
}

// reset empties the table, and lets go of the ids. Its cost is that of the ids that were in it: a table that has become too
// large for them is not kept.
func (t *idTable) reset() {
	switch {
	case t.used == 0:
		return
	case len(t.slots) > 16*max(t.used, fewestSlots):
		t.slots = nil
	default:
		clear(t.slots)
	}
	t.used = 0
}
