package compact

import (
	"slices"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/compact/internal/cut"
)

// This file makes a last exchange fit that costs more than the budget: its tool results are cut in
// the middle, and if that is not enough it is compacted like everything before it.

// leastResult is how many bytes of a tool result are kept at least when it is cut.
const leastResult = 2 * maskEdge

// concede makes the last exchange cost no more than room, and returns where to cut then; -1 where
// that is not possible, because the user wrote it, or a call in it waits.
func (b *base) concede(room int) int {
	if b.whole || len(b.cuts) == 0 {
		return -1
	}
	last := b.cuts[len(b.cuts)-1]
	if b.cutResults(last, room-room/4) || b.cutResults(last, room) {
		return last
	}
	if b.over || b.asked(last) || b.frame(b.compacted+len(b.messages)) > room {
		return -1
	}
	b.over = true
	b.cuts = append(slices.Clip(b.cuts), len(b.messages))
	return len(b.messages)
}

// asked reports whether the messages from an index on hold the user's words, or must stay.
func (b *base) asked(from int) bool {
	if slices.Contains(b.pinned[from:], true) {
		return true
	}
	for _, m := range b.messages[from:] {
		if m.Role != preflight.RoleUser {
			continue
		}
		for _, p := range m.Parts {
			if _, result := p.(*preflight.ToolResult); !result {
				return true
			}
		}
	}
	return b.waits
}

// cutResults cuts the tool results from an index on to one length each, the greatest at which these
// messages cost no more than room; where that is not enough, media in them go too. It changes
// nothing where none is small enough.
func (b *base) cutResults(from, room int) bool {
	if from < len(b.pinned) && b.pinned[from] {
		return false
	}
	longest := 0
	for _, m := range b.messages[from:] {
		for _, p := range m.Parts {
			if r, ok := p.(*preflight.ToolResult); ok && r != nil && !r.ProviderExecuted {
				longest = max(longest, len(contentText(r)), leastResult)
			}
		}
	}
	if longest == 0 {
		return false
	}
	c := resultCut{bytes: leastResult, media: true, off: b.off}
	if b.costCut(from, c) > room {
		if c.media = false; b.costCut(from, c) > room {
			return false
		}
	}
	for most := longest; most-c.bytes > 1; {
		mid := resultCut{(c.bytes + most) / 2, c.media, c.off}
		if b.costCut(from, mid) <= room {
			c = mid
		} else {
			most = mid.bytes
		}
	}
	b.messages = slices.Clone(b.messages)
	for i := from; i < len(b.messages); i++ {
		m, cut := c.message(b.messages[i])
		if !cut {
			continue
		}
		b.messages[i], b.edited = m, min(b.edited, i)
		b.changed[i] = "shortened the tool results of the last exchange, " +
			"which alone cost more than the budget"
	}
	b.weigh()
	return true
}

// costCut returns what the messages that stay with a cut cost when the results after it are cut.
func (b *base) costCut(from int, c resultCut) int {
	cost := b.cost[len(b.messages)]
	for _, m := range b.messages[from:] {
		m, _ = c.message(m)
		cost = plus(cost, b.limits.count(m))
	}
	return cost
}

// resultCut is how tool results are cut.
type resultCut struct {
	bytes int  // of text that are kept
	media bool // media are kept
	off   *offloads
}

// message returns a message with its tool results cut, and whether one was. Results of
// provider-executed tools stay, because the provider verifies them.
func (c resultCut) message(m preflight.Message) (preflight.Message, bool) {
	cut := false
	for j, p := range m.Parts {
		r, ok := p.(*preflight.ToolResult)
		if !ok || r == nil || r.ProviderExecuted {
			continue
		}
		if r, ok = c.result(r); !ok {
			continue
		}
		if !cut {
			m.Parts, cut = slices.Clone(m.Parts), true
		}
		m.Parts[j] = r
	}
	return m, cut
}

func (c resultCut) result(r *preflight.ToolResult) (*preflight.ToolResult, bool) {
	out := *r
	var media []preflight.Part
	if c.media {
		out.Content = nil
		for _, p := range r.Content {
			if _, is := p.(*preflight.Media); is {
				media = append(media, p)
			} else {
				out.Content = append(out.Content, p)
			}
		}
	}
	text := contentText(&out)
	if len(text) <= c.bytes && (c.media || !hasMedia(r)) {
		return r, false
	}
	if mark := c.off.mark(r); mark != "" && len(text) > c.bytes {
		out.Content = append(distilled(&out, mark, c.bytes/2).Content, media...)
		out.Output = nil
		return &out, true
	}
	out.Output = nil
	out.Content = append([]preflight.Part{&preflight.Text{Text: cut.Shorten(text, c.bytes)}}, media...)
	return &out, true
}

func hasMedia(r *preflight.ToolResult) bool {
	return slices.ContainsFunc(r.Content, func(p preflight.Part) bool {
		_, is := p.(*preflight.Media)
		return is
	})
}

// shortened returns the warning about a message whose results were cut or cleared.
func (b *base) shortened(i int) preflight.Warning {
	at := preflight.At(i)
	if src := b.sources[i]; len(src) > 0 {
		at = preflight.At(src[0])
	}
	was, is := preflight.TallyOf(b.said[i]), preflight.TallyOf(b.messages[i])
	return preflight.Warning{
		Code:    codes.CutToSize,
		At:      at,
		Detail:  b.changed[i],
		Removed: preflight.Tally{Bytes: was.Bytes - is.Bytes, Media: was.Media - is.Media},
	}
}
