package preflight

import "hash/maphash"

// This file is a set of ids that keeps its memory from one history to the next: the map it stands for was 40 % of the time
// Check took for a valid history, and all of its allocations.

// idTable maps ids to two numbers each: an open-addressed hash table, of which at most half is in use. The zero table is ready.
type idTable struct {
	slots  []idSlot // a power of two
	places []int32  // of the ids in slots
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
	if 2*len(t.places) >= len(t.slots) {
		t.grow()
	}
	k := t.find(id)
	if s = &t.slots[k]; s.taken {
		return s, true
	}
	t.places = append(t.places, int32(k))
	*s = idSlot{id: id, taken: true}
	return s, false
}

// known returns the slot of an id, nil when it is not in the table.
func (t *idTable) known(id string) *idSlot {
	if len(t.places) == 0 {
		return nil
	}
	if s := &t.slots[t.find(id)]; s.taken {
		return s
	}
	return nil
}

// find is the place of an id's slot, or of the free one where it belongs.
func (t *idTable) find(id string) uint64 {
	mask := uint64(len(t.slots) - 1)
	for k := maphash.String(idSeed, id) & mask; ; k = (k + 1) & mask {
		if s := &t.slots[k]; !s.taken || s.id == id {
			return k
		}
	}
}

func (t *idTable) grow() {
	old := t.slots
	t.slots = make([]idSlot, max(fewestSlots, 2*len(old)))
	for n, place := range t.places {
		k := t.find(old[place].id)
		t.slots[k], t.places[n] = old[place], int32(k)
	}
}

// reset empties the table, and lets go of the ids. Its cost is that of the ids that were in it, however many there were before.
func (t *idTable) reset() {
	if len(t.places) > len(t.slots)/16 {
		clear(t.slots)
	} else {
		for _, k := range t.places {
			t.slots[k] = idSlot{}
		}
	}
	t.places = t.places[:0]
}
