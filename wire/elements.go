package wire

import (
	"bytes"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file tells which input element each element of a repaired list of messages comes from,
// for callers who hold the messages as values of their own and want to keep the unchanged ones.
//
//	in    0 question, 1 call without a result, 2 "next"
//	out   0 question with "next": From 0, and JSON

// Element is one element of the repaired list of messages.
type Element struct {
	// From is the index, in the list of the input, of the element it was made of; -1 for an
	// inserted one. Several may be from the same.
	From int
	// JSON is the element as it is now, a piece of the repaired body, whose memory it shares; nil
	// when it is the element From, byte for byte.
	JSON []byte
}

// elements lists the elements of the new list by items, the result of encodeList. body is the input
// of Decode, repaired the output of write.
func (r *Request) elements(body, repaired []byte, items []item) []Element {
	if r.list.Kind() != jsonscan.Array {
		return nil
	}
	changed := r.repairedText(body)
	if items == nil && len(changed) == 0 {
		return nil
	}
	was := make([][]byte, 0, r.list.Len())
	for v := r.list.First(); v.Exists(); v = v.Next() {
		was = append(was, v.Raw())
	}
	if items == nil {
		items = make([]item, len(was))
		for k := range items {
			items[k].from = k
		}
	}
	out := make([]Element, 0, len(items))
	at := r.firstElement(repaired)
	for _, it := range items {
		at = skipGap(repaired, at)
		if it.raw == nil {
			e := Element{From: it.from}
			end := at + len(was[it.from])
			if changed[it.from] {
				e.JSON = repaired[at:end:end]
			}
			out, at = append(out, e), end
			continue
		}
		end := at + sizeOf(it.raw)
		if raw := repaired[at:end:end]; r.format.encodeFor == nil {
			out = append(out, Element{From: it.from, JSON: raw})
		} else {
			out = appendSplit(out, it.from, raw)
		}
		at = end
	}
	return matchUnchanged(out, was, changed)
}

// firstElement returns the offset of the first element of the list in the new body.
func (r *Request) firstElement(repaired []byte) int {
	return skipGap(repaired, r.edits.Moved(r.list.Start())+len("["))
}

// sizeOf returns the length of pieces.
func sizeOf(pieces [][]byte) (n int) {
	for _, piece := range pieces {
		n += len(piece)
	}
	return n
}

// skipGap returns the offset after a comma and white space between two elements of a list.
func skipGap(body []byte, at int) int {
	for body[at] == ',' || body[at] <= ' ' {
		at++
	}
	return at
}

// matchUnchanged finds the elements that are equal to their sources, byte for byte, and new
// elements that are equal to elements of the input, was, which appear nowhere else in the output:
// those were moved.
func matchUnchanged(elements []Element, was [][]byte, repaired map[int]bool) []Element {
	var gone map[string]int
	for i := range elements {
		e := &elements[i]
		if e.From < 0 {
			if gone == nil {
				gone = unusedElements(elements, was)
			}
			k, ok := gone[string(e.JSON)]
			if !ok {
				continue
			}
			delete(gone, string(e.JSON))
			e.From = k
		}
		if !repaired[e.From] && bytes.Equal(e.JSON, was[e.From]) {
			e.JSON = nil
		}
	}
	return elements
}

// unusedElements returns the elements of was that elements are not made of, by their JSON.
func unusedElements(elements []Element, was [][]byte) map[string]int {
	used := make([]bool, len(was))
	for _, e := range elements {
		if e.From >= 0 {
			used[e.From] = true
		}
	}
	gone := make(map[string]int)
	for k, raw := range was {
		if !used[k] {
			gone[string(raw)] = k
		}
	}
	return gone
}

// repairedText lists, by index, the elements whose text Decode repaired.
func (r *Request) repairedText(body []byte) map[int]bool {
	if &r.body[0] == &body[0] {
		return nil
	}
	was := valueOf(body)
	if r.whole() {
		was = r.format.open(was).Get(r.format.list)
	}
	repaired := make(map[int]bool)
	old := was.First()
	for k, v := range r.list.All() {
		if !bytes.Equal(v.Raw(), old.Raw()) {
			repaired[k] = true
		}
		old = old.Next()
	}
	return repaired
}

// appendSplit appends the elements in raw, made of the element from. Where a format has items, a
// message may become several, with commas between them.
func appendSplit(out []Element, from int, raw []byte) []Element {
	list := valueOf(joined([][]byte{raw}))
	if list.Len() == 1 || !list.Exists() {
		return append(out, Element{From: from, JSON: raw})
	}
	for v := list.First(); v.Exists(); v = v.Next() {
		at := v.Start() - len("[")
		end := v.End() - len("[")
		out = append(out, Element{From: from, JSON: raw[at:end:end]})
	}
	return out
}
