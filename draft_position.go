package preflight

import "github.com/go-preflight/preflight/internal/work"

// This file says where in the caller's history a draft's messages and parts are.

// position returns the position in the caller's history of part j of node i, or of the whole
// message when j is -1. A part or message that preflight made has the position of the caller's next
// message.
func (d *draft) position(i, j int) Position {
	if j >= 0 {
		if o := d.origin(i, j); o.msg >= 0 {
			return Position{int(o.msg), int(o.part), -1}
		}
	}
	if len(d.nodes) == 0 {
		return Position{0, -1, -1}
	}
	if i < len(d.nodes) && d.nodes[i].src < 0 {
		if msg := d.pieceOf(d.nodes[i].from); msg >= 0 {
			return Position{msg, -1, -1}
		}
	}
	m := &d.near
	if m.nodes != &d.nodes[0] || i < m.from || i > m.to {
		*m = d.findNear(i)
	}
	return m.at
}

// piece caches which message of the caller an inserted one is a piece of, so that its parts are
// searched once.
type piece struct {
	from *origin // the first of the parts
	n    int     // their number
	msg  int
}

// pieceOf returns the caller's message that the first of these parts that is not new came from, or
// none if all are new.
func (d *draft) pieceOf(from []origin) int {
	if len(from) == 0 {
		return none
	}
	p := &d.piece
	if p.from != &from[0] || p.n != len(from) {
		*p = piece{&from[0], len(from), none}
		for k := 0; k < len(from) && p.msg < 0; k++ {
			work.Done()
			p.msg = int(from[k].msg)
		}
	}
	return p.msg
}

// near caches the caller's message nearest to the nodes in [from, to], so that a run of inserted
// messages is searched once.
type near struct {
	nodes    *node // the first node of the draft; commit clears it
	from, to int
	at       Position
}

// findNear returns the caller's first message at or after node i, or else the last one before it.
func (d *draft) findNear(i int) near {
	out := near{&d.nodes[0], i, i, Position{0, -1, -1}}
	for ; out.to < len(d.nodes); out.to++ {
		if src := d.nodes[out.to].src; src >= 0 {
			out.at.Message = int(src)
			return out
		}
	}
	for k := min(i, len(d.nodes)) - 1; k >= 0; k-- {
		if src := d.nodes[k].src; src >= 0 {
			out.at.Message = int(src)
			break
		}
	}
	return out
}
