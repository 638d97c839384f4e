// Package idtable keeps two numbers for each id of a history. Its memory is used again.
package idtable

import (
	"hash/maphash"
	"math/bits"
	"slices"
)

// Table maps ids to two numbers each: an open-addressed hash table, of which at most half is in
// use. The zero table is ready.
type Table struct {
	Slots  []Slot  // a power of two
	Places []int32 // of the ids in Slots
}

// Slot is an id with its numbers.
type Slot struct {
	ID          string
	taken       bool
	First, Last int // what the user of the table keeps there
}

// idSeed keeps the table safe from ids that were chosen to collide. It decides where an id is
// stored, never what is reported.
var idSeed = maphash.MakeSeed()

// fewestSlots is the size of the first table.
const fewestSlots = 16

// Of returns the slot of an id, and whether the id was in the table before; it is now. The slot is
// good until the next call.
func (t *Table) Of(id string) (s *Slot, known bool) {
	if 2*len(t.Places) >= len(t.Slots) {
		t.grow()
	}
	k := t.find(id)
	if s = &t.Slots[k]; s.taken {
		return s, true
	}
	t.Places = append(t.Places, int32(k))
	*s = Slot{ID: id, taken: true}
	return s, false
}

// Known returns the slot of an id, nil when it is not in the table.
func (t *Table) Known(id string) *Slot {
	if len(t.Places) == 0 {
		return nil
	}
	if s := &t.Slots[t.find(id)]; s.taken {
		return s
	}
	return nil
}

// find returns the place of an id's slot, or of the free one where it belongs.
func (t *Table) find(id string) uint64 {
	mask := uint64(len(t.Slots) - 1)
	for k := maphash.String(idSeed, id) & mask; ; k = (k + 1) & mask {
		if s := &t.Slots[k]; !s.taken || s.ID == id {
			return k
		}
	}
}

// MakeRoom makes room for n ids in all.
func (t *Table) MakeRoom(n int) {
	if 2*n > len(t.Slots) {
		t.resize(max(fewestSlots, 1<<bits.Len(uint(2*n-1))))
	}
}

func (t *Table) grow() { t.resize(max(fewestSlots, 2*len(t.Slots))) }

// resize makes a table of a size, a power of two.
func (t *Table) resize(size int) {
	old := t.Slots
	t.Slots = make([]Slot, size)
	t.Places = slices.Grow(t.Places, size/2-len(t.Places))
	for n, place := range t.Places {
		k := t.find(old[place].ID)
		t.Slots[k], t.Places[n] = old[place], int32(k)
	}
}

// Reset empties the table, and lets go of the ids. Its cost is that of the ids that were in it,
// however many there were before.
func (t *Table) Reset() {
	if len(t.Places) > len(t.Slots)/16 {
		clear(t.Slots)
	} else {
		for _, k := range t.Places {
			t.Slots[k] = Slot{}
		}
	}
	t.Places = t.Places[:0]
}
