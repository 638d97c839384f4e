package preflight

import (
	"slices"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file writes the messages that a repair had to change anyway in the form that all models of
// the provider take: without blank text that only some of them accept, and joined to the user
// messages next to them where the provider reads both as one turn. Nothing is lost, and what the
// provider reads before a later message stays the same. All other messages keep their bytes.

// dropTouchedBlanks removes the blank text of touched messages that is accepted beside other
// content, but not by all models. Next to signed reasoning it stays: the provider compares the
// message with the one it signed.
func (d *draft) dropTouchedBlanks() {
	if len(d.profile.Content.BlankBeside) == 0 {
		return
	}
	for i := range d.nodes {
		n := &d.nodes[i]
		if !n.touched || slices.ContainsFunc(n.Parts, isSealed) ||
			!slices.ContainsFunc(n.Parts, func(p Part) bool { return allowsBlank(d.profile, p) }) {
			continue
		}
		for j, p := range n.Parts {
			t, ok := p.(*Text)
			if !ok {
				continue
			}
			if problem, refused := textRefusal(d.profile, t); refused {
				d.drop(i, j, note{
					code: codes.EmptyRemoved, problem: problem,
					detail: "removed blank text from a message that was changed anyway",
				})
			}
		}
	}
	d.commit()
}

// joinTouched joins neighbouring messages of the user, where the provider reads them as one turn
// anyway, if a repair has touched one of the two or removed what was between them.
func (d *draft) joinTouched() {
	p := d.profile
	if p.Turns.Neighbours != provider.NeighboursJoined || p.Turns.BridgeResults ||
		p.Items.OnePartPerMessage || p.Pairing.OneResultPerMessage {
		return
	}
	for i := len(d.nodes) - 1; i > 0; i-- { // what is joined to a message is touched with it
		into, next := &d.nodes[i-1], &d.nodes[i]
		if d.wantsJoin(i-1, i) && d.joins(userTurnOf(&into.Message), userTurnOf(&next.Message)) {
			d.nodes[i-1].touched = true
		}
	}
	joiner := joiner{draft: d}
	into := none
	var turn userTurn // of node into, if known; it grows with each message that is joined
	for i := range d.nodes {
		if into == none || !d.wantsJoin(into, i) {
			into, turn = i, userTurn{}
			continue
		}
		if !turn.known {
			turn = userTurnOf(&d.nodes[into].Message)
		}
		next := userTurnOf(&d.nodes[i].Message)
		if !d.joins(turn, next) {
			into, turn = i, next
			continue
		}
		joiner.join(into, i, problems.Alternation)
		turn.results = turn.results || next.results
		turn.others = turn.others || next.others
	}
	d.commit()
}

// wantsJoin reports whether a repair is the reason to join node i to node into, which is before it.
func (d *draft) wantsJoin(into, i int) bool {
	return d.nodes[into].touched || d.nodes[i].touched || d.nodes[i].parted
}

// A userTurn is what decides whether a message may be joined to another.
type userTurn struct {
	known   bool
	plain   bool // see isPlainUser
	results bool // it holds results
	others  bool // it holds other parts
}

func userTurnOf(m *Message) userTurn {
	return userTurn{true, isPlainUser(m), holdsResult(m), slices.ContainsFunc(m.Parts, isNoResult)}
}

// joins reports whether message b may be joined to message a, which is before it.
func (d *draft) joins(a, b userTurn) bool {
	return a.plain && b.plain && !(b.results && a.others) &&
		!(a.results && d.profile.Pairing.Results != provider.ResultsFirst)
}

// isPlainUser reports whether a message of the user holds nothing but text and results, so that it
// loses nothing when it is joined to another, and no limit of other content is exceeded.
func isPlainUser(m *Message) bool {
	if m.Role != RoleUser || m.ID != "" || m.Name != "" || len(m.Meta) > 0 || len(m.Parts) == 0 {
		return false
	}
	for _, p := range m.Parts {
		switch p := p.(type) {
		case *Text:
		case *ToolResult:
			if p.ProviderExecuted {
				return false
			}
		default:
			return false
		}
	}
	return !holdsMore(m.Native.JSON)
}

// holdsMore reports whether the JSON of a message has members beside its role and content.
func holdsMore(message []byte) bool {
	if len(message) == 0 {
		return false
	}
	doc, err := jsonscan.Parse(message)
	if err != nil {
		return true
	}
	for m := doc.Root().First(); m.Exists(); m = m.Next() {
		if !slices.Contains([]string{"role", "content", "parts"}, m.Key().Str()) {
			return true
		}
	}
	return false
}
