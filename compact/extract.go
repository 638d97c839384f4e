package compact

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/go-preflight/preflight/internal/work"
)

// This file summarizes without a model: it keeps the sentences and lines that matter most, word for
// word.

// segment is a sentence or line of an input.
type segment struct {
	group       int
	from        int // its input
	at          int // how many segments of its input are before it
	left        int // how many are after it
	label, text string
	lead        string  // what it is said of, shown where what is before it is missing
	bound       bool    // it says something of its neighbours: see record
	revises     bool    // it is the last of several statements of a value
	weight      float64 // of the score
	score       float64
	cost        int
}

// extract makes a text of each group of inputs, for one budget: the segments of all groups compete
// for it, so that it is spent on the best. A group without a segment that is good enough gets "".
func (l Limits) extract(score scorer, tokens int, groups ...[]Input) []string {
	return l.extractor(score, groups...)(tokens)
}

// extractor is extract for several budgets: the segments are rated once.
func (l Limits) extractor(score scorer, groups ...[]Input) func(tokens int) []string {
	whole := make([]string, len(groups))
	for k, inputs := range groups {
		whole[k] = wholeText(inputs)
	}
	cost := l.textsTokens(whole)
	var found []segment
	return func(tokens int) []string {
		if cost <= tokens {
			return whole
		}
		if found == nil {
			found = l.rate(score, groups)
		}
		return choose(found, len(groups), tokens, l)
	}
}

// choose makes a text of each group out of the segments with the highest scores that fit the budget
// together, and stops at the first that does not. One that alone would take more than half of the
// budget is passed over. When nothing fits, the best segment is cut.
func choose(found []segment, groups, budget int, limits Limits) []string {
	order := make([]int, len(found))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order,
		func(a, b int) int { return cmp.Compare(found[b].score, found[a].score) })
	likely := order[:0:0]
	cost := 0
	for _, k := range order {
		if found[k].cost > max(1, budget/2) {
			continue
		}
		if cost = plus(cost, found[k].cost); cost-found[k].cost > 2*min(budget, mostTokens) {
			break // a joined text is shorter than its segments, but not by half
		}
		likely = append(likely, k)
	}
	texts := func(n int) []string { return join(found, likely[:n], groups) }
	most := sort.Search(len(likely), func(n int) bool {
		return limits.textsTokens(texts(n+1)) > budget
	})
	for ; most > 0; most -= 1 + most/16 { // a counter need not grow with the text
		if out := texts(most); limits.textsTokens(out) <= budget {
			return out
		}
	}
	out := make([]string, groups)
	if len(order) > 0 {
		best := found[order[0]]
		out[best.group] = limits.head(best.label+best.shown(), budget)
	}
	return out
}

func (l Limits) textsTokens(texts []string) int {
	n := 0
	for _, s := range texts {
		n = plus(n, l.textTokens(s))
	}
	return n
}

// allSegments are the segments of groups of inputs.
func allSegments(groups ...[]Input) []segment {
	var found []segment
	from := 0
	for k, inputs := range groups {
		for _, in := range inputs {
			for _, s := range in.labelled() {
				work.Done()
				s.group, s.from = k, from
				found = append(found, s)
			}
			from++
		}
	}
	return found
}

// rate cuts groups of inputs into segments and rates them together.
func (l Limits) rate(score scorer, groups [][]Input) []segment {
	found := latest(allSegments(groups...), func(s segment) segment { return s })
	words := newVocabulary()
	ids := make([][]int32, len(found))
	for k, s := range found {
		found[k].cost = l.textTokens(s.label + s.shown() + "\n")
		if score == nil {
			ids[k] = words.learn(s.text)
		}
	}
	rateAll(len(found), func(k int) *segment { return &found[k] }, score,
		func(k int) float64 { return words.rate(ids[k], found[k].weight < 1) })
	return found
}

// join puts chosen segments back into their order, a text for each group; neighbours under one
// label share it. Where segments of a message are missing before one of it, or after its last, a
// mark says how many.
func join(found []segment, chosen []int, groups int) []string {
	chosen = slices.Clone(chosen)
	slices.Sort(chosen)
	texts := make([]strings.Builder, groups)
	label := ""
	from, next := -1, 0 // the message of the segment before, and what comes after it there
	for i, k := range chosen {
		work.Done()
		b := &texts[found[k].group]
		if found[k].from != from {
			from, next = found[k].from, 0
		}
		missing := found[k].at - next
		next = found[k].at + 1
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		text := found[k].text
		if missing > 0 {
			text = gap(missing) + " " + found[k].shown()
		}
		last := i+1 == len(chosen) || found[chosen[i+1]].from != from
		if last && found[k].left > 0 {
			text += " " + gap(found[k].left)
		}
		b.WriteString(attributed(found[k].label, text, found[k].label != label || b.Len() == 0))
		label = found[k].label
	}
	out := make([]string, groups)
	for k := range out {
		out[k] = texts[k].String()
	}
	return out
}

// wholeText is all of the inputs.
func wholeText(inputs []Input) string {
	var b strings.Builder
	for _, in := range inputs {
		if strings.TrimSpace(in.Text) == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		if in.Summary { // its lines have their own labels
			b.WriteString(in.Text)
		} else {
			b.WriteString(attributed(in.label(), in.Text, true))
		}
	}
	return b.String()
}

// head is the longest beginning of a text that fits the budget, up to a character.
func (l Limits) head(s string, budget int) string {
	fits, over := 0, len(s)+1 // in bytes
	for over-fits > 1 {
		mid := (fits + over) / 2
		if l.textTokens(s[:mid]) <= budget {
			fits = mid
		} else {
			over = mid
		}
	}
	if fits == 0 || fits == len(s) {
		return s[:fits]
	}
	if at := cutPoint(s, fits); at <= fits {
		return s[:at]
	}
	return ""
}

// shrink makes a text fit a budget by extracting from it.
func (l Limits) shrink(text string, budget int) string {
	return l.extract(nil, budget, []Input{{Text: text}})[0]
}
