package wire

import (
	"bytes"
	"slices"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file edits arrays in place: elements are inserted, replaced and deleted, and everything
// between unchanged elements keeps its bytes.
//
//	[1 , 2,  3]    with 9 for 2: [1 , 9,  3]    without 2: [1 , 3]

// item is one element of an array as it should become.
type item struct {
	from int      // index of the element whose place it takes, -1 for a new one
	raw  [][]byte // its JSON, in pieces; nil when that element stays as it is
}

// splice collects in e the edits that turn list, an array of the document over src, into items.
// Elements without an item are deleted. The cost is linear in the elements and the new bytes.
// Nothing is collected when nothing differs.
func splice(e *jsonscan.Edits, list jsonscan.Value, src []byte, items []item) {
	spans := make([][2]int, 0, list.Len())
	for v := list.First(); v.Exists(); v = v.Next() {
		spans = append(spans, [2]int{v.Start(), v.End()})
	}
	separator := separatorOf(spans, list, src)
	e.MakeRoom(countChanged(items))
	next, kept := 0, -1 // the first element not yet dealt with; the last one that keeps its place
	var fresh [][]byte  // new elements, each followed by a separator, that wait for a place
	for _, it := range items {
		if it.from < next { // new, or out of order
			if it.raw == nil {
				fresh = append(fresh, src[spans[it.from][0]:spans[it.from][1]], separator)
			} else {
				fresh = append(append(fresh, it.raw...), separator)
			}
			continue
		}
		here := spans[it.from]
		if it.from > next || len(fresh) > 0 {
			e.ReplaceAll(spans[next][0], here[0], fresh)
			fresh = nil
		}
		if it.raw != nil {
			e.ReplaceAll(here[0], here[1], it.raw)
		}
		kept, next = it.from, it.from+1
	}
	spliceTail(e, list, spans, kept, fresh, separator)
}

// countChanged returns the number of items that do not stay as they are.
func countChanged(items []item) (n int) {
	for _, it := range items {
		if it.raw != nil {
			n++
		}
	}
	return n
}

// spliceTail inserts fresh after the last element that is kept, and deletes the elements after it.
func spliceTail(
	e *jsonscan.Edits, list jsonscan.Value, spans [][2]int, kept int, fresh [][]byte,
	separator []byte,
) {
	last := len(spans) - 1
	if kept == last && len(fresh) == 0 {
		return
	}
	if len(fresh) > 0 {
		fresh = fresh[:len(fresh)-1]
	}
	switch {
	case last < 0:
		e.ReplaceAll(list.Start()+1, list.End()-1, fresh)
	case kept < 0 && len(fresh) == 0:
		e.Replace(list.Start()+1, list.End()-1, nil)
	case kept < 0:
		e.ReplaceAll(spans[0][0], spans[last][1], fresh)
	case len(fresh) == 0:
		e.Replace(spans[kept][1], spans[last][1], nil)
	case kept < last: // what separates the two stays
		e.ReplaceAll(spans[kept+1][0], spans[last][1], fresh)
	default:
		e.Replace(spans[last][1], spans[last][1], separator)
		e.ReplaceAll(spans[last][1], spans[last][1], fresh)
	}
}

// separatorOf returns the text between the array's elements: a comma and white space.
func separatorOf(spans [][2]int, list jsonscan.Value, src []byte) []byte {
	switch len(spans) {
	case 0:
		return []byte(",")
	case 1:
		return append([]byte(","), src[list.Start()+1:spans[0][0]]...)
	}
	return src[spans[0][1]:spans[1][0]:spans[1][0]]
}

// joined returns a new array of elements.
func joined(elements [][]byte) []byte {
	return slices.Concat(bracket, bytes.Join(elements, comma), closing)
}

// typedText is the textBlock of formats whose blocks have a type.
var typedText = [2][]byte{[]byte(`{"type":"text","text":`), []byte("}")}

var bracket, comma, closing = []byte("["), []byte(","), []byte("]")

// edited returns raw with edits of values in it made: raw itself if there are none.
func edited(raw []byte, edits *jsonscan.Edits) []byte {
	if edits.Len() == 0 {
		return raw
	}
	out, err := edits.Apply(raw)
	if err != nil {
		return raw // cannot happen: values do not overlap
	}
	return out
}

// concatEqual reports whether the concatenation of pieces equals raw.
func concatEqual(pieces [][]byte, raw []byte) bool {
	for _, piece := range pieces {
		if !bytes.HasPrefix(raw, piece) {
			return false
		}
		raw = raw[len(piece):]
	}
	return len(raw) == 0
}

// onePiece returns JSON in one piece.
func onePiece(raw []byte) [][]byte { return [][]byte{raw} }

// matcher finds the array element that a part or message was decoded from: by the identity of its
// bytes or, for a hook's copy, by their content.
type matcher struct {
	list    jsonscan.Value
	byPlace map[int]int      // by offset; made when a part is not after the one before it
	byText  map[string][]int // made when a part is in other memory
	at      jsonscan.Value   // the last element found by its place, or the one after that
	index   int              // of at
	next    int
}

func newMatcher(list jsonscan.Value) *matcher {
	return &matcher{list: list, at: list.First()}
}

// findPlace returns the index of the element that native is the JSON of, in the same memory, -1 if
// there is none.
func (m *matcher) findPlace(native []byte) int {
	offset, ok := jsonscan.OffsetIn(m.list.Raw(), native)
	if !ok {
		return -1
	}
	offset += m.list.Start()
	if m.byPlace == nil {
		walked := false
		for m.at.Exists() && m.at.Start() < offset {
			m.at, m.index, walked = m.at.Next(), m.index+1, true
		}
		switch {
		case m.at.Exists() && m.at.Start() == offset:
			return m.index
		case walked:
			return -1 // it is inside of an element
		}
		m.byPlace = make(map[int]int, m.list.Len())
		for k, v := range m.list.All() {
			m.byPlace[v.Start()] = k
		}
	}
	if k, ok := m.byPlace[offset]; ok {
		return k
	}
	return -1
}

// found returns the element with an index that find returned if it is the last one found by its
// place, Absent otherwise.
func (m *matcher) found(index int) jsonscan.Value {
	if index != m.index || index < 0 {
		return jsonscan.Value{}
	}
	return m.at
}

// find returns the element's index, -1 if there is none. Each element is found by its content only
// once, in order.
func (m *matcher) find(native []byte) int {
	if len(native) == 0 {
		return -1
	}
	if k := m.findPlace(native); k >= 0 {
		m.next = max(m.next, k+1)
		return k
	}
	if m.byText == nil {
		m.byText = make(map[string][]int, m.list.Len())
		for k, v := range m.list.All() {
			m.byText[string(v.Raw())] = append(m.byText[string(v.Raw())], k)
		}
	}
	queue := m.byText[string(native)]
	for len(queue) > 0 && queue[0] < m.next {
		queue = queue[1:]
	}
	if len(queue) == 0 {
		return -1
	}
	m.byText[string(native)] = queue[1:]
	m.next = queue[0] + 1
	return queue[0]
}
