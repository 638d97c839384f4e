package compact

import "strings"

// This file uses the room: where everything that a summary could say of the messages before a cut
// is too little for it, because they repeat themselves, more messages stay word for word.

// fill returns the earliest cut for which three things fit the budget together: the messages from
// it on, all segments of those before it, and all segments of what was compacted earlier. It is
// never after cut. Segments that are said again count once, those of tool output for no more than
// so many tokens. Cleared results for which there is still room come back, the newest first.
func (b *base) fill(cut int, before []pooled, mostTool int) int {
	if b.limits.Budget <= 0 {
		return cut
	}
	if cut == 0 && b.compacted == 0 { // clearing results was enough
		b.restore(0, b.left(0))
		return 0
	}
	room := b.limits.Budget - b.fixed
	texts, costs := b.extracts(cut, before, mostTool, 2*roomFor(room))
	best, left := cut, room-b.cost[cut]-texts-b.frame(b.compacted+cut)
	for k := len(b.cuts) - 1; k >= 0 && left > 0; k-- {
		c := b.cuts[k]
		if c >= best || c == 0 && b.compacted == 0 {
			continue
		}
		for _, n := range costs[c:best] {
			texts -= n
		}
		now := room - b.cost[c] - texts - b.frame(b.compacted+c)
		if now < 0 {
			break
		}
		best, left = c, now
	}
	b.restore(best, left)
	return best
}

// countedBytes is how much of the joined segments is counted at once.
const countedBytes = 1 << 20

// markTokens is about what the marks around a line cost that is kept alone of an output.
const markTokens = 6

// extracts returns the cost of all segments that a summary of the messages before a cut could have,
// of which those of tool output count for no more than mostTool. It also returns, for each message,
// about how much lower the cost would be without its segments. If there are more segments than
// there could ever be room for, the cost is mostTokens.
func (b *base) extracts(cut int, before []pooled, mostTool, most int) (int, []int) {
	all := make([]segment, 0, len(before))
	for _, s := range before {
		s.from = -1 - s.entry // not one of the messages
		all = append(all, s.segment)
	}
	var x exchanges
	k := 0
	for in := range b.inputs(0, cut) {
		for _, s := range x.cut(in) {
			s.from, s.group = k, 0
			s.cost = b.limits.segmentTokens(&s)
			all = append(all, s)
		}
		if k++; len(all) > most {
			all = once(all, func(s *segment) *segment { return s })
			if len(all) > most/2 {
				return mostTokens, nil
			}
		}
	}
	all = once(all, func(s *segment) *segment { return s })
	tools, tell := 0, 0 // what outputs cost, and what of it tells something
	for k := range all {
		if s := &all[k]; s.weight < 1 {
			tools = plus(tools, s.cost)
			if s.tells {
				tell = plus(tell, s.cost+markTokens)
			}
		}
	}
	rest := float64(max(0, min(tools, mostTool)-tell)) / float64(max(1, tools-tell))
	sum, joined := 0, 0
	var text strings.Builder
	label := ""
	for k := range all {
		s := &all[k]
		if s.weight < 1 && !s.tells && rest < 1 {
			continue
		}
		if text.Len() >= countedBytes {
			joined = plus(joined, b.limits.textTokens(text.String()))
			text.Reset()
		}
		if text.Len() > 0 {
			text.WriteByte('\n')
		}
		text.WriteString(attributed(s.label, s.text, s.label == label))
		label, sum = s.label, plus(sum, s.cost)
	}
	joined = plus(joined, b.limits.textTokens(text.String()))
	said := float64(joined) / float64(max(1, sum)) // joined, segments cost less
	total, costs := 0, make([]int, cut)
	for k := range all {
		s := &all[k]
		cost := float64(s.cost) * said
		if s.weight < 1 && s.tells {
			cost += markTokens
		} else if s.weight < 1 {
			cost *= rest
		}
		total = plus(total, int(cost))
		if s.from >= 0 {
			costs[s.from] += int(cost)
		}
	}
	return total, costs
}

// restore brings back cleared results from a cut on, the newest first, for at most so many tokens.
func (b *base) restore(cut, tokens int) {
	back := false
	for i := len(b.messages) - 1; i >= cut; i-- {
		if extra := b.limits.count(b.said[i]) - b.limits.count(b.messages[i]); extra > 0 &&
			extra <= tokens {
			b.messages[i], b.changed[i], back = b.said[i], "", true
			tokens -= extra
		}
	}
	if back {
		b.weigh()
	}
}
