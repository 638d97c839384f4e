package jsonscan

import (
	"unsafe"
	"weak"
)

// room is the memory of decoded texts, in blocks. All texts of a source in one block would be
// copied again and again while it grows. The first block is used again for the next source, and so
// are those of the others that the garbage collector did not take: texts that nobody needs any more
// would be the largest part of the memory that is held while a new body is written.
type room struct {
	block []byte // the one being filled
	first []byte
	later []keptBlock // the other blocks, of this source and of those before
	next  int         // the index in later of the next block to use
}

// keptBlock is a block that the garbage collector may take while no text is in it.
type keptBlock struct {
	start weak.Pointer[byte]
	size  int
}

// blockSize is the bytes of a block, where the source is no smaller and no text is larger.
const blockSize = 64 << 10

// with returns a block with room for n bytes of a text, for a source of a size.
func (r *room) with(n, source int) *[]byte {
	if cap(r.block)-len(r.block) >= n {
		return &r.block
	}
	if r.block == nil && cap(r.first) >= n {
		r.block = r.first[:0]
		return &r.block
	}
	if r.block = r.again(n); r.block != nil {
		return &r.block
	}
	size := max(n, min(source, blockSize))
	r.block = make([]byte, 0, size)
	if r.first == nil && size <= blockSize {
		r.first = r.block
		return &r.block
	}
	r.later = append(r.later, keptBlock{weak.Make(unsafe.SliceData(r.block)), size})
	r.next = len(r.later)
	return &r.block
}

// again returns a block of an earlier source, nil if there is none. It forgets those that are gone
// or too small.
func (r *room) again(n int) []byte {
	for r.next < len(r.later) {
		kept := r.later[r.next]
		if start := kept.start.Value(); start != nil && kept.size >= n {
			r.next++
			return unsafe.Slice(start, kept.size)[:0]
		}
		last := len(r.later) - 1
		r.later[r.next] = r.later[last]
		r.later[last] = keptBlock{}
		r.later = r.later[:last]
	}
	return nil
}

// reset takes all memory back.
func (r *room) reset() {
	if r != nil {
		r.block, r.next = nil, 0
	}
}
