package preflight

import (
	"reflect"
	"slices"
)

// This file takes over the messages that the caller's hooks and fixers return: it finds out which
// message and which part became which, so that positions and sources stay those of the caller's
// history.

// place is where a part of the draft is.
type place struct{ node, part int }

// handover is what a function of the caller was given of a draft.
type handover struct {
	d *draft
	// the places of the parts, by the pointers that the function got
	places map[Part][]place
	// by node and part: the part is not in what the function returned, and not known to be removed
	missing map[int][]bool
}

func newHandover(d *draft) *handover {
	return &handover{d: d, places: make(map[Part][]place), missing: make(map[int][]bool)}
}

// give records that the function got these parts for those of node i.
func (h *handover) give(i int, parts []Part) {
	h.missing[i] = make([]bool, len(parts))
	for j, p := range parts {
		if !isNil(p) { // what is nil may be no key of a map
			h.places[p], h.missing[i][j] = append(h.places[p], place{i, j}), true
		}
	}
}

// remove records that the function reports the removal of what is at a position in the draft.
func (h *handover) remove(at Position) {
	switch {
	case at.Inner >= 0:
	case at.Part < 0:
		clear(h.missing[at.Message])
	case at.Part < len(h.missing[at.Message]):
		h.missing[at.Message][at.Part] = false
	}
}

// sources returns, for each message that the function returned, the node that it was made of, none
// for a new one: the node of its first known part, else what the messages around it leave. It also
// returns the places of the parts of each message.
func (h *handover) sources(after []Message) (was []int, places [][]place) {
	was, places = make([]int, len(after)), make([][]place, len(after))
	kept := make([]bool, len(h.d.nodes))
	for k, m := range after {
		was[k], places[k] = none, h.take(m.Parts)
		first := slices.IndexFunc(places[k], func(at place) bool { return at.node != none })
		if first >= 0 {
			was[k] = places[k][first].node
			kept[was[k]] = true
		}
	}
	inferSources(was, len(kept), func(i int) bool {
		return !kept[i] && (len(h.missing[i]) == 0 || slices.Contains(h.missing[i], true))
	})
	for _, i := range was {
		if i != none {
			kept[i] = true
		}
	}
	if len(after) == len(kept) {
		for k := range was {
			if was[k] == none && !kept[k] {
				was[k] = k
			}
		}
	}
	return was, places
}

// take records that the function returned these parts in one message. It returns the place of each,
// none for a part that it was not given. A part that it was given several times has each of its
// places once, in order.
func (h *handover) take(parts []Part) []place {
	out := make([]place, len(parts))
	for j, p := range parts {
		out[j] = place{none, none}
		if isNil(p) {
			continue
		}
		if list := h.places[p]; len(list) > 0 {
			for len(list) > 1 && !h.missing[list[0].node][list[0].part] {
				list = list[1:]
			}
			h.places[p], out[j] = list, list[0]
			h.missing[list[0].node][list[0].part] = false
		}
	}
	return out
}

// inferSources fills the gaps in was, which has the index of the old item for each of a new list,
// or none: new items between two known ones are the missing old ones between those, if there are as
// many.
func inferSources(was []int, old int, missing func(int) bool) {
	from := 0
	for k := 0; k < len(was); k++ {
		end := k
		for end < len(was) && was[end] == none {
			end++
		}
		to := old
		if end < len(was) {
			to = was[end]
		}
		if to < from {
			return // reordered
		}
		var between []int
		for ; from < to; from++ {
			if missing(from) {
				between = append(between, from)
			}
		}
		if len(between) == end-k {
			copy(was[k:end], between)
		}
		k = end
	}
}

// node returns a node for message m, which was made of node i, or of none, and whose parts have
// these places. Parts that are equal to what the draft has are the same pointers again.
func (h *handover) node(m Message, i int, places []place) node {
	n := node{Message: m, src: none, owned: true}
	n.Parts, n.from = slices.Clone(m.Parts), make([]origin, len(m.Parts))
	was := make([]int, len(m.Parts))
	for j, p := range m.Parts {
		was[j], n.from[j] = none, origin{none, none}
		at := places[j]
		if at.node == none {
			continue
		}
		n.from[j] = h.d.origin(at.node, at.part)
		if at.node == i {
			was[j] = at.part
		}
		if before := h.d.nodes[at.node].Parts[at.part]; reflect.DeepEqual(p, before) {
			n.Parts[j] = before
		}
	}
	if i == none {
		return n
	}
	n.src = h.d.nodes[i].src
	inferSources(was, len(h.missing[i]), func(j int) bool { return h.missing[i][j] })
	for j, k := range was {
		if k != none && n.from[j].msg < 0 {
			n.from[j] = h.d.origin(i, k)
		}
	}
	return n
}
