package jsonscan

// room is the memory of decoded texts, in blocks. All texts of a source in one block would be
// copied again and again while it grows. The first blocks are used again for the next source.
type room struct {
	block []byte   // the one being filled
	kept  [][]byte // the blocks to be used again
	next  int      // of kept
	size  int      // the bytes of kept
}

const (
	blockSize = 64 << 10 // the bytes of a block, where neither source nor text is smaller or larger
	keptSize  = 2 << 20  // the bytes that are kept at most
)

// with returns a block with room for n bytes of a text, for a source of a size.
func (r *room) with(n, source int) *[]byte {
	if cap(r.block)-len(r.block) >= n {
		return &r.block
	}
	if r.next < len(r.kept) && cap(r.kept[r.next]) >= n {
		r.block = r.kept[r.next]
		r.next++
		return &r.block
	}
	for _, small := range r.kept[r.next:] {
		r.size -= cap(small)
	}
	clear(r.kept[r.next:])
	r.kept = r.kept[:r.next]
	r.block = make([]byte, 0, max(n, min(source, blockSize)))
	if r.size+cap(r.block) <= keptSize {
		r.kept, r.size = append(r.kept, r.block), r.size+cap(r.block)
		r.next++
	}
	return &r.block
}

// reset takes all memory back.
func (r *room) reset() { r.block, r.next = nil, 0 }
