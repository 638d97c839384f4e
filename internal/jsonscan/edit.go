package jsonscan

// Replacing byte ranges of a source, all at once.

import (
	"cmp"
	"fmt"
	"slices"
)

// Edits collects replacements of byte ranges of one source and writes them in a single pass. The zero value is empty and
// ready. Offsets always mean the unedited source, whatever was collected before.
type Edits struct {
	list     []edit
	unsorted bool
}

// edit puts with in the place of the source bytes [start, end).
type edit struct {
	start, end int
	with       []byte
}

// inOrder is the order in which edits are written. An insertion goes before a replacement that starts at its offset and
// behind one that ends there; edits of the same range keep the order in which they came.
func inOrder(a, b edit) int {
	return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end))
}

// Replace puts with in the place of the source bytes [start, end): an insertion when start == end, a deletion when with is
// empty. Insertions at one offset keep the order of the calls. The slice is kept, not copied, and must not change before
// Apply; the range is checked by Apply.
func (e *Edits) Replace(start, end int, with []byte) {
	next := edit{start, end, with}
	if n := len(e.list); n > 0 && inOrder(e.list[n-1], next) > 0 {
		e.unsorted = true
	}
	e.list = append(e.list, next)
}

// Len is the number of edits collected.
func (e *Edits) Len() int { return len(e.list) }

// Reset forgets all edits and keeps the memory for new ones.
func (e *Edits) Reset() {
	clear(e.list)
	e.list, e.unsorted = e.list[:0], false
}

// Apply appends src with all edits made to dst, growing it at most once, and returns it. Neither src nor the slices given
// to Replace are modified; dst must not overlap them. When a range lies outside of src or two ranges overlap it returns dst
// as it was and an error. Linear in src and the new bytes; edits that were not collected in source order are sorted first.
func (e *Edits) Apply(dst, src []byte) ([]byte, error) {
	if e.unsorted {
		slices.SortStableFunc(e.list, inOrder)
		e.unsorted = false
	}
	size, err := e.check(len(src))
	if err != nil {
		return dst, err
	}
	dst = slices.Grow(dst, size)
	at := 0
	for _, x := range e.list {
		dst = append(dst, src[at:x.start]...)
		dst = append(dst, x.with...)
		at = x.end
	}
	return append(dst, src[at:]...), nil
}

// check returns the size of the edited source, or what is wrong with the edits, which are in order.
func (e *Edits) check(size int) (int, error) {
	edited, at := size, 0
	for _, x := range e.list {
		if x.start < 0 || x.end < x.start || x.end > size {
			return 0, fmt.Errorf("jsonscan: edit of [%d, %d) is out of range of a source of %d bytes", x.start, x.end, size)
		}
		if x.start < at {
			return 0, fmt.Errorf("jsonscan: edit of [%d, %d) overlaps one that ends at %d", x.start, x.end, at)
		}
		edited += len(x.with) - (x.end - x.start)
		at = x.end
	}
	return edited, nil
}
