package jsonscan

// Replacing byte ranges of a source, all at once.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unsafe"
)

// Edits collects replacements of byte ranges of one source and writes them in a single pass. The
// zero value is empty and ready. Offsets always mean the unedited source, whatever was collected
// before.
type Edits struct {
	list     []edit
	unsorted bool
}

// edit puts with in the place of the source bytes [start, end).
type edit struct {
	start, end int
	with       []byte
	pieces     [][]byte // inserted after with
}

// size returns how many bytes it brings.
func (x *edit) size() int {
	n := len(x.with)
	for _, piece := range x.pieces {
		n += len(piece)
	}
	return n
}

// inOrder is the order in which edits are written. An insertion comes before a replacement
// that starts at its offset and after one that ends there. Edits of the same range keep the order
// in which they were collected.
func inOrder(a, b edit) int {
	return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end))
}

// Replace puts with in the place of the source bytes [start, end): an insertion when start == end,
// a deletion when with is empty. Insertions at one offset keep the order of the calls. The slice is
// kept, not copied, and must not change before Apply; the range is checked by Apply.
func (e *Edits) Replace(
	start, end int,
	with []byte,
) {
	e.add(edit{start: start, end: end, with: with})
}

// ReplaceAll is Replace with the concatenation of pieces. It keeps the slice, too.
func (e *Edits) ReplaceAll(start, end int, pieces [][]byte) {
	e.add(edit{start: start, end: end, pieces: pieces})
}

func (e *Edits) add(next edit) {
	if n := len(e.list); n > 0 && inOrder(e.list[n-1], next) > 0 {
		e.unsorted = true
	}
	e.list = append(e.list, next)
}

// MakeRoom makes room for n more edits, so that a long list is not copied again and again.
func (e *Edits) MakeRoom(n int) { e.list = slices.Grow(e.list, n) }

// Len returns the number of edits collected.
func (e *Edits) Len() int { return len(e.list) }

// Reset forgets all edits and keeps the memory for new ones.
func (e *Edits) Reset() {
	clear(e.list)
	e.list, e.unsorted = e.list[:0], false
}

// Apply returns src with all edits made, in new memory. Neither src nor the slices given to Replace
// are modified. When a range lies outside of src or two ranges overlap it returns nil and an error.
// Linear in src and the new bytes; edits that were not collected in source order are sorted first.
func (e *Edits) Apply(src []byte) ([]byte, error) {
	size, err := e.check(len(src))
	if err != nil || size == 0 {
		return nil, err
	}
	var b strings.Builder // whose memory is not cleared first, which would take as long as to fill it
	b.Grow(size)
	at := 0
	for _, x := range e.list {
		b.Write(src[at:x.start])
		b.Write(x.with)
		for _, piece := range x.pieces {
			b.Write(piece)
		}
		at = x.end
	}
	b.Write(src[at:])
	return unsafe.Slice(unsafe.StringData(b.String()), size), nil
}

// Pieces returns what Apply would write for the source bytes [start, end), which all edits have to
// be in. The pieces share the memory of src and of the slices given to Replace: to be put into
// another source, so that nothing is copied twice. Errors and cost are those of Apply, without the
// bytes.
func (e *Edits) Pieces(src []byte, start, end int) ([][]byte, error) {
	src = src[:end]
	if _, err := e.check(end); err != nil {
		return nil, err
	}
	n := 2*len(e.list) + 1
	for _, x := range e.list {
		n += len(x.pieces)
	}
	out := make([][]byte, 0, n)
	add := func(piece []byte) {
		if len(piece) > 0 {
			out = append(out, piece)
		}
	}
	at := start
	for _, x := range e.list {
		if x.start < start {
			return nil, fmt.Errorf("jsonscan: edit at %d is before %d", x.start, start)
		}
		add(src[at:x.start])
		add(x.with)
		for _, piece := range x.pieces {
			add(piece)
		}
		at = x.end
	}
	add(src[at:])
	return out, nil
}

// Moved returns the offset in the output of Apply of the byte at an offset of the source, which no
// edit may touch. Linear in the edits.
func (e *Edits) Moved(offset int) int {
	moved := offset
	for _, x := range e.list {
		if x.end <= offset {
			moved += x.size() - (x.end - x.start)
		}
	}
	return moved
}

// check puts the edits in order, and returns the size of the edited source, or what is wrong with
// them.
func (e *Edits) check(size int) (int, error) {
	if e.unsorted {
		slices.SortStableFunc(e.list, inOrder)
		e.unsorted = false
	}
	edited, at := size, 0
	for _, x := range e.list {
		if x.start < 0 || x.end < x.start || x.end > size {
			return 0, fmt.Errorf(
				"jsonscan: edit of [%d, %d) is out of range of a source of %d bytes",
				x.start,
				x.end,
				size,
			)
		}
		if x.start < at {
			return 0, fmt.Errorf(
				"jsonscan: edit of [%d, %d) overlaps one that ends at %d",
				x.start,
				x.end,
				at,
			)
		}
		edited += x.size() - (x.end - x.start)
		at = x.end
	}
	return edited, nil
}
