package wire

import (
	"bytes"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file says where the elements of a repaired list of messages come from, for callers who hold the messages as values of
// their own and want to keep those that did not change.

// Element is one element of the repaired list of messages.
type Element struct {
	// From is the index, in the list of the input, of the element it was made of; -1 for an inserted one. Several may be
	// from the same.
	From int
	// JSON is the element as it is now; nil when it is the element From, byte for byte.
	JSON []byte
}

// elements are the elements that items, the outcome of encodeList, stand for. body is what Decode was given.
func (r *Request) elements(body []byte, items []item) []Element {
	if r.list.Kind() != jsonscan.Array {
		return nil
	}
	mended := r.mendedText(body)
	if items == nil && len(mended) == 0 {
		return nil
	}
	if items == nil {
		items = make([]item, r.list.Len())
		for k := range items {
			items[k].from = k
		}
	}
	out := make([]Element, 0, len(items))
	for _, it := range items {
		if it.raw != nil {
			out = appendSplit(out, it)
		} else {
			out = append(out, Element{From: it.from, JSON: mended[it.from]})
		}
	}
	return r.recognise(out, mended)
}

// recognise finds the new elements that are, byte for byte, elements of the input which stand nowhere else in the output:
// they moved.
func (r *Request) recognise(elements []Element, mended map[int][]byte) []Element {
	used := make(map[int]bool, len(elements))
	for _, e := range elements {
		used[e.From] = true
	}
	var gone map[string]int
	for i := range elements {
		if elements[i].From >= 0 {
			continue
		}
		if gone == nil {
			gone = r.without(used)
		}
		raw := string(elements[i].JSON)
		if k, ok := gone[raw]; ok {
			elements[i] = Element{From: k, JSON: mended[k]}
			delete(gone, raw)
		}
	}
	return elements
}

// without are the elements of the list that are not among used, by their JSON.
func (r *Request) without(used map[int]bool) map[string]int {
	gone := make(map[string]int)
	k := 0
	for v := r.list.First(); v.Exists(); v = v.Next() {
		if !used[k] {
			gone[string(v.Raw())] = k
		}
		k++
	}
	return gone
}

// mendedText are the elements of the list whose text Decode repaired, by their index.
func (r *Request) mendedText(body []byte) map[int][]byte {
	if &r.body[0] == &body[0] {
		return nil
	}
	doc, err := jsonscan.Parse(body)
	if err != nil {
		return nil
	}
	was := doc.Root()
	if r.whole() {
		was = was.Get(r.format.list)
	}
	mended := make(map[int][]byte)
	old := was.First()
	k := 0
	for v := r.list.First(); v.Exists(); v, old = v.Next(), old.Next() {
		if !bytes.Equal(v.Raw(), old.Raw()) {
			mended[k] = v.Raw()
		}
		k++
	}
	return mended
}

// appendSplit appends the elements that an item's JSON holds: a message may become several of them, joined by commas.
func appendSplit(out []Element, it item) []Element {
	doc, err := jsonscan.Parse(joined([][]byte{it.raw}))
	if err != nil {
		return append(out, Element{From: it.from, JSON: it.raw})
	}
	for v := doc.Root().First(); v.Exists(); v = v.Next() {
		out = append(out, Element{From: it.from, JSON: v.Raw()})
	}
	return out
}
