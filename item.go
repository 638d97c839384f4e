package preflight

import (
	"slices"
	"strings"
)

// This file settles items: messages that have ids of their own (Message.ID), under which the
// provider may hold them. Reasoning that the provider holds needs the item it led to, under that
// item's id. An item loses its id when its reasoning is removed here; whether an item without
// reasoning ever had any, only the provider knows, so such an item is left alone.

// SettleItems removes ids of items that the provider refuses or that are used twice, reasoning that
// lacks its payload or the item it led to, and the ids of items that depended on that reasoning.
// Text, calls and results stay.
var SettleItems = Fixer{
	Name:   "settle-items",
	Doc:    "removes refused item ids, reasoning without the item it led to, and the ids that depended on it",
	repair: settleItems,
}

// reasoningItem and the other names are kinds of items that are not the variant of a call, or a
// kind of Other part.
const (
	messageItem   = "message"
	reasoningItem = "reasoning"
	callItem      = "call"
	resultItem    = "result"
)

// itemKind says what kind of item a message is: what the part it holds is, or a message.
func itemKind(m *Message) string {
	if len(m.Parts) != 1 {
		return messageItem
	}
	switch p := m.Parts[0].(type) {
	case *Reasoning:
		return reasoningItem
	case *ToolCall:
		return or(p.Variant, callItem)
	case *ToolResult:
		return resultItem
	case *Other:
		return p.Kind
	}
	return messageItem
}

// itemIDProblem says what is wrong with the id of a message, "" when nothing is.
func (p *Profile) itemIDProblem(m *Message) Problem {
	pattern, ok := p.ItemIDs[itemKind(m)]
	if !ok {
		pattern = p.ItemIDs[""]
	}
	switch {
	case !pattern.fits(m.ID):
		return ProblemItemIDLength
	case !pattern.Alphabet.holds(m.ID) || strings.HasSuffix(m.ID, "_"):
		return ProblemItemID
	case !pattern.spelled(m.ID):
		return ProblemItemIDPrefix
	}
	return ""
}

// holds reports whether a message is reasoning that goes by its id, for the provider holds it.
func (p *Profile) holds(m *Message) bool {
	return p.HoldsItems && m.ID != "" && itemKind(m) == reasoningItem && !signed(m.Parts[0])
}

// pastBefore is the message behind which a result may answer a call that is not shown, because the
// provider holds it: the first one that stands there by reference, or none for all when the profile
// says that the provider holds what came before. It is n where nothing is held.
func (p *Profile) pastBefore(n int, at func(int) *Message) int {
	if p.HeldPast {
		return none
	}
	if p.ReferenceKind == "" || !p.HoldsItems {
		return n
	}
	for i := range n {
		if itemKind(at(i)) == p.ReferenceKind {
			return i
		}
	}
	return n
}

// reasoningItemProblem says why the provider can make nothing of a reasoning item by itself.
func (p *Profile) reasoningItemProblem(m *Message) Problem {
	switch {
	case signed(m.Parts[0]) || p.holds(m):
		return ""
	case m.ID != "":
		return ProblemItemNotHeld
	}
	return ProblemReasoningEmpty
}

// followerProblem says what is wrong with the item that follows reasoning in its turn, nil for
// none; last says that nothing at all follows. The provider compares both items with what it holds.
// An answer that was cut off is reasoning alone, which is sent in full and followed by the user's
// next message: that was not seen to be refused, so only FollowReasoning minds.
func (p *Profile) followerProblem(reasoning, next *Message, last bool) Problem {
	switch {
	case reasoning.ID == "" || !p.HoldsItems:
		return ""
	case next == nil && (last || p.FollowReasoning || p.holds(reasoning)):
		return ProblemReasoningAlone
	case next == nil || next.ID != "":
		return ""
	}
	if _, other := next.Parts[0].(*Other); other { // a reference, or an item that has no id
		return ""
	}
	return ProblemReasoningSplit
}

func settleItems(d *draft) {
	if d.profile.ItemIDs == nil {
		return
	}
	d.settleItemIDs()
	d.settleItemReasoning()
	d.commit()
}

// forgetID takes the id off node i.
func (d *draft) forgetID(i int, problem Problem, detail string) {
	if d.nodes[i].ID == "" {
		return
	}
	d.warn(d.position(i, none), note{code: CodeItemIDRemoved, problem: problem, detail: detail}, Tally{}, Tally{})
	d.nodes[i].ID = ""
}

// detachBehind takes the ids off the items that node i, reasoning which is gone or lost its own id,
// may have led to: all up to the next reasoning, since what stands between need not have stood
// there when they were made.
func (d *draft) detachBehind(i int) {
	for i++; i < len(d.nodes); i++ {
		m := d.message(i)
		if len(m.Parts) == 0 || d.role(i) != RoleAssistant {
			continue
		}
		kind := itemKind(m)
		if kind == reasoningItem {
			return
		}
		if slices.Contains(d.profile.NeedReasoning, kind) {
			d.forgetID(i, ProblemItemAlone, "removed the id of an item that depends on reasoning which is not there under its own")
		}
	}
}

// settleItemIDs removes ids that are spelled wrong or were used before.
func (d *draft) settleItemIDs() {
	seen := make(map[string]bool)
	for i := range d.nodes {
		m := d.message(i)
		if m.ID == "" {
			continue
		}
		problem := d.profile.itemIDProblem(m)
		if problem == "" && seen[m.ID] {
			problem = ProblemItemDuplicate
		}
		seen[m.ID] = true
		if problem == "" {
			continue
		}
		d.forgetID(i, problem, "removed an item's id that the provider refuses")
		if itemKind(m) == reasoningItem {
			d.detachBehind(i)
		}
	}
}

// settleItemReasoning drops reasoning that cannot stand where it stands, from the end, since
// reasoning may follow reasoning.
func (d *draft) settleItemReasoning() {
	var next *Message // the item that follows, nil when that is not the assistant's
	last := true      // nothing but reasoning follows
	for i := len(d.nodes) - 1; i >= 0; i-- {
		m := d.message(i)
		switch {
		case len(m.Parts) == 0:
			continue
		case d.role(i) != RoleAssistant:
			next, last = nil, false
			continue
		case itemKind(m) != reasoningItem:
			next, last = m, false
			continue
		}
		problem := d.profile.reasoningItemProblem(m)
		if problem == "" {
			problem = d.profile.followerProblem(m, next, last)
		}
		if problem != "" {
			d.dropMessage(i, note{code: CodeReasoningRemoved, problem: problem, detail: "removed reasoning that the provider refuses without its payload, or without the item it led to"})
			d.detachBehind(i)
		}
	}
}
