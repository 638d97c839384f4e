package preflight

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/problemset"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file repairs items: messages with ids of their own, which the provider may hold on its side.
// It makes ids for those that may not be without one.
//
//	message "msg:1"                      loses its id: ":" is refused
//	message "msg_1", message "msg_1"     the second one loses its id

// items checks the ids of items, and that reasoning is followed by the item it led to.
func (c *checker) items() {
	p := c.profile
	if p.Items.OnePartPerMessage {
		c.loneParts()
	}
	if p.Items.IDs == nil {
		return
	}
	c.used.Reset()
	var waiting []int // reasoning that was followed only by reasoning so far
	for i := range c.history {
		m := &c.history[i]
		if m.ID != "" {
			_, known := c.used.Of(m.ID)
			problem := itemIDProblem(p, m)
			switch {
			case problem != "":
				c.reportUnless(messageLeftFor(p, m), problem, i, none, "",
					"the provider refuses this id of an item")
			case known:
				c.reportUnless(messageLeftFor(p, m), problems.ItemDuplicate, i, none, "",
					"the id of an item was used before")
			}
		}
		if len(m.Parts) == 0 {
			continue
		}
		kind, role := itemKind(m), c.role(i)
		switch {
		case role == RoleAssistant && kind == reasoningItem:
			problem, member := reasoningItemProblem(p, m), ""
			if problem != "" {
				member = messageLeftFor(p, m)
				c.reportUnless(member, problem, i, none, "",
					"the reasoning has no payload, and the provider does not hold it")
			}
			if problem == "" || member != "" {
				waiting = append(waiting, i)
			}
		case role == RoleAssistant:
			c.followed(waiting, m)
			waiting = waiting[:0]
		default:
			c.followed(waiting, nil)
			waiting = waiting[:0]
		}
	}
	c.followed(waiting, nil)
}

// loneParts checks that each part that is an item by itself has a message of its own.
func (c *checker) loneParts() {
	for i := range c.history {
		m := c.at(i)
		if len(m.Parts) > 1 && slices.ContainsFunc(m.Parts, loneKindsOf(c.profile, m).hold) {
			c.report(problems.ItemMixed, i, none, "",
				"reasoning, tool calls and tool results have to be messages of their own")
		}
	}
}

// normalizeItemsFixer removes item ids that the provider refuses or that are used twice, reasoning
// that lacks its payload or the item it led to, and the ids of items that depended on that
// reasoning. Text, calls and results stay.
var normalizeItemsFixer = Fixer{
	Name:   "normalize-items",
	group:  "content",
	repair: normalizeItems,
	cures: problemset.Of(
		problems.ItemID, problems.ItemIDLength, problems.ItemIDPrefix, problems.ItemDuplicate,
		problems.ItemNotHeld, problems.ReasoningEmpty, problems.ReasoningAlone, problems.ReasoningSplit,
	),
	checks: []checks{{whole: (*checker).items}},
}

// The kinds of items, except those named by the variant of a call or the kind of an Other part.
const (
	messageItem   = "message"
	reasoningItem = "reasoning"
	callItem      = "call"
	resultItem    = "result"
)

// itemKind returns the kind of item of a message: that of its only part, or messageItem. A part of
// unknown kind whose JSON is not the message's is a block in the content of one.
func itemKind(m *Message) string {
	if len(m.Parts) != 1 || isNil(m.Parts[0]) {
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
		if len(m.Native.JSON) == 0 || bytes.Equal(m.Native.JSON, p.Native.JSON) {
			return p.Kind
		}
	}
	return messageItem
}

// itemIDPattern returns the pattern of the id of a message.
func itemIDPattern(p *Profile, m *Message) provider.Pattern {
	pattern, ok := p.Items.IDs[itemKind(m)]
	if !ok {
		pattern = p.Items.IDs[""]
	}
	return pattern
}

// itemIDProblem returns what is wrong with the id of a message, "" when nothing is.
func itemIDProblem(p *Profile, m *Message) problems.Problem {
	pattern := itemIDPattern(p, m)
	switch {
	case !pattern.FitsLength(m.ID):
		return problems.ItemIDLength
	case !pattern.Alphabet.Holds(m.ID) || strings.HasSuffix(m.ID, "_"):
		return problems.ItemID
	case !pattern.FitsAlphabet(m.ID):
		return problems.ItemIDPrefix
	}
	return ""
}

// holdsReasoning reports whether a message is reasoning given only by its id, since the provider
// holds its payload.
func holdsReasoning(p *Profile, m *Message) bool {
	return p.Items.Held && m.ID != "" && itemKind(m) == reasoningItem && !hasPayload(m.Parts[0])
}

// hasPayload reports whether reasoning has the payload that an item is sent with. A signature does
// not count: items have no place for it.
func hasPayload(p Part) bool {
	r, ok := p.(*Reasoning)
	return ok && r.Opaque != ""
}

// reasoningItemProblem returns why the provider cannot use a reasoning item by itself.
func reasoningItemProblem(p *Profile, m *Message) problems.Problem {
	switch {
	case hasPayload(m.Parts[0]) || holdsReasoning(p, m):
		return ""
	case m.ID != "":
		return problems.ItemNotHeld
	}
	return problems.ReasoningEmpty
}

// followerProblem returns what is wrong with the item after reasoning in the same turn; next is nil
// when there is none. The provider compares both items with those it holds. The reasoning of an
// answer that was cut off has no item after it: a provider that holds items refuses it, sent in
// full or not, and one that holds none accepts it, unless it has FollowReasoning.
func followerProblem(p *Profile, reasoning, next *Message) problems.Problem {
	switch {
	case reasoning.ID == "":
		return ""
	case next == nil && (p.Items.Held || p.Items.FollowReasoning):
		return problems.ReasoningAlone
	case next == nil || next.ID != "" || !p.Items.Held:
		return ""
	}
	if other, ok := next.Parts[0].(*Other); ok && itemKind(next) == other.Kind &&
		!strings.HasSuffix(other.Kind, "_call") {
		return "" // a reference, or an item that is neither text nor a call
	}
	return problems.ReasoningSplit
}

func normalizeItems(d *draft) {
	if d.profile.Items.IDs == nil {
		return
	}
	used := newItemIDs()
	d.normalizeItemIDs(used)
	d.commit()
	d.normalizeItemReasoning(used)
	d.commit()
}

// forgetID removes the id of node i, or replaces it where the provider requires one.
func (d *draft) forgetID(i int, problem problems.Problem, detail string, used *itemIDs) {
	m := &d.nodes[i].Message
	if m.ID == "" {
		return
	}
	id, n := "", note{code: codes.ItemIDRemoved, problem: problem, detail: detail}
	if slices.Contains(d.profile.Items.RequireID, itemKind(m)) {
		id = used.other(d.profile, m, i)
		n.code = codes.IDRewritten
		n.detail = "changed an item's id to one the provider accepts"
	}
	d.warn(d.position(i, none), n, Tally{}, Tally{})
	d.change(i).ID = id
}

// detachFollowers removes the ids of the items that node i, reasoning that was removed or lost its
// own id, may have led to. Those are all items up to the next reasoning, since messages between
// them may have been inserted later.
func (d *draft) detachFollowers(i int, used *itemIDs) {
	for i++; i < len(d.nodes); i++ {
		m := d.at(i)
		if len(m.Parts) == 0 || d.role(i) != RoleAssistant {
			continue
		}
		kind := itemKind(m)
		if kind == reasoningItem {
			return
		}
		if slices.Contains(d.profile.Items.NeedReasoning, kind) {
			d.forgetID(i, problems.ItemAlone,
				"removed the id of an item that depends on reasoning without its id", used)
		}
	}
}

// normalizeItemIDs removes or replaces ids that are malformed or were used before, and removes
// copies of items that keep their ids. Reasoning with the id of another kind of item stays only
// where the provider does not look it up by its id.
func (d *draft) normalizeItemIDs(used *itemIDs) {
	for i := range d.nodes {
		m := d.at(i)
		if m.ID == "" {
			continue
		}
		problem := itemIDProblem(d.profile, m)
		first, known := used.add(m.ID, i)
		if (known || problem != "") && holdsLeftAlone(d.profile, m) {
			continue
		}
		if known && problem == "" {
			problem = problems.ItemDuplicate
			if d.isItemCopy(first, i) {
				d.dropMessage(i, note{
					code: codes.DuplicateRemoved, problem: problem,
					detail: "removed a copy of an item",
				})
				continue
			}
		}
		if problem == "" {
			continue
		}
		reasoning := itemKind(m) == reasoningItem
		if reasoning && problem == problems.ItemIDPrefix && d.profile.Items.Held {
			d.dropMessage(i, note{
				code: codes.ReasoningRemoved, problem: problem,
				detail: "removed reasoning with an id that the provider refuses",
			})
		} else {
			d.forgetID(i, problem, "removed an item's id that the provider refuses", used)
		}
		if reasoning {
			d.detachFollowers(i, used)
		}
	}
}

// normalizeItemReasoning drops reasoning that lacks its payload or its item. It works from the end,
// since reasoning may follow reasoning.
func (d *draft) normalizeItemReasoning(used *itemIDs) {
	var next *Message // the next item, nil when it is not the assistant's
	for i := len(d.nodes) - 1; i >= 0; i-- {
		m := d.at(i)
		switch {
		case len(m.Parts) == 0:
			continue
		case d.role(i) != RoleAssistant:
			next = nil
			continue
		case itemKind(m) != reasoningItem:
			next = m
			continue
		}
		problem := reasoningItemProblem(d.profile, m)
		if problem == "" {
			problem = followerProblem(d.profile, m, next)
		}
		if problem != "" && !holdsLeftAlone(d.profile, m) {
			d.dropMessage(i, note{
				code: codes.ReasoningRemoved, problem: problem,
				detail: "removed reasoning that the provider refuses without its payload, or " +
					"without the item it led to",
			})
			d.detachFollowers(i, used)
		}
	}
}

// followed checks the reasoning messages in waiting against next, the item that follows them in
// their turn, nil when there is none.
func (c *checker) followed(waiting []int, next *Message) {
	for _, i := range waiting {
		problem := followerProblem(c.profile, &c.history[i], next)
		detail := ""
		switch problem {
		case problems.ReasoningAlone:
			detail = "the reasoning is not followed by the item it led to"
		case problems.ReasoningSplit:
			detail = "the reasoning has its id, but the item it led to has none"
		default:
			continue
		}
		c.reportUnless(messageLeftFor(c.profile, &c.history[i]), problem, i, none, "", detail)
	}
}

// itemIDs are the ids of the items of a history: where each was first, and how many ids were made
// from it. OpenAI's SDKs have the ids of most items of the provider's own tools as required
// (openai-go v3.96.0, responses/response.go), and no recorded request has such an item without its
// id.
type itemIDs struct{ first, made map[string]int }

func newItemIDs() *itemIDs {
	return &itemIDs{first: make(map[string]int), made: make(map[string]int)}
}

// add records the id of node i, and reports whether another node before it, first, has the id too.
func (u *itemIDs) add(id string, i int) (first int, known bool) {
	if first, known = u.first[id]; !known {
		u.first[id] = i
	}
	return first, known && first != i
}

// other returns an id for node i like that of its message m. It follows the pattern, no earlier
// item has it, and it is the same whatever comes later.
func (u *itemIDs) other(p *Profile, m *Message, i int) string {
	pattern := itemIDPattern(p, m)
	var b strings.Builder
	if !strings.HasPrefix(m.ID, pattern.Prefix) {
		b.WriteString(pattern.Prefix)
		b.WriteByte('_')
	}
	for k := range len(m.ID) {
		c := m.ID[k : k+1]
		if !pattern.Alphabet.Holds(c) {
			c = "_"
		}
		b.WriteString(c)
	}
	base := b.String()
	const room = 12 // for an underscore and a number
	if pattern.Max > room && len(base) > pattern.Max-room {
		base = base[:pattern.Max-room]
	}
	base = strings.TrimRight(base, "_")
	for {
		u.made[base]++
		id := base + "_" + strconv.Itoa(u.made[base]+1)
		if _, taken := u.first[id]; !taken {
			u.first[id] = i
			return id
		}
	}
}

// isItemCopy reports whether node i is a copy of the earlier node first with the same id: an item
// of the provider's own that has to keep its id, and says the same. Copies of calls have results.
func (d *draft) isItemCopy(first, i int) bool {
	a, b := d.at(first), d.at(i)
	kind := itemKind(b)
	if !slices.Contains(d.profile.Items.RequireID, kind) || itemKind(a) != kind {
		return false
	}
	_, other := b.Parts[0].(*Other)
	return other && samePart(a.Parts[0], b.Parts[0])
}
