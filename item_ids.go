package preflight

import (
	"slices"
	"strconv"
	"strings"
)

// This file makes ids for items that may not be without one. OpenAI's SDKs have the ids of most
// items of the provider's own tools as required (openai-go v3.96.0, responses/response.go), and no
// recorded request has such an item without its id.

// itemIDs are the ids of the items of a history: where each was first, and how many ids were made
// from it.
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

// isItemCopy reports whether node i is a copy of the earlier node first with the same id: an item of
// the provider's own that has to keep its id, and says the same. Copies of calls have results.
func (d *draft) isItemCopy(first, i int) bool {
	a, b := d.message(first), d.message(i)
	kind := itemKind(b)
	if !slices.Contains(d.profile.Items.RequireID, kind) || itemKind(a) != kind {
		return false
	}
	_, other := b.Parts[0].(*Other)
	return other && samePart(a.Parts[0], b.Parts[0])
}
