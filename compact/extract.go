package compact

import (
	"cmp"
	"context"
	"slices"
	"sort"
	"strings"

	"github.com/go-preflight/preflight/internal/work"
)

// This file summarizes without a model: it keeps the sentences and lines that matter most, word for
// word.

// Extractive is the built-in Summarizer. It cuts the inputs into sentences and lines, rates them,
// and keeps the best that fit the budget, in their order, each under the role of its message. When
// everything fits, everything is kept. Of lines that repeat one after the other in tool output one
// is kept, and of lines that several tool outputs have the last. "…" marks where a sentence or line
// of a message is missing before the next one or after the last one, or a repetition after one, and
// "[…3]" where three are. A question and the user's short answer to it rate alike, and the last
// statement of a value rates above those before it. What it returns never costs more than the
// budget; with a budget too small for anything it is "".
//
// It cannot merge or rephrase, but it cannot make anything up either. The cost is linear in the
// text, but for sorting.
type Extractive struct {
	// Score rates the segments, higher is better; nil is Informative.
	Score Scorer
}

// segment is a sentence or line of an input.
type segment struct {
	group       int
	from        int // its input
	at          int // how many segments of its input are before it
	left        int // how many are after it
	label, text string
	revises     bool    // it is the last of several statements of a value
	weight      float64 // of the score
	score       float64
	cost        int
}

// Summarize keeps the best segments. The error is the context's.
func (e Extractive) Summarize(ctx context.Context, m Material) (text string, err error) {
	defer contain(&err)
	ctx = orBackground(ctx)
	if err := ctx.Err(); err != nil {
		return "", err
	}
	return e.extract(m), nil
}

func (e Extractive) extract(m Material) string {
	return e.extractAll([][]Input{m.Inputs}, m.Budget, m.limits())[0]
}

// extractAll makes a text of each group of inputs, for one budget: the segments of all groups
// compete for it, so that it is spent on the most informative segments. A group without a segment
// that is good enough gets "".
func (e Extractive) extractAll(groups [][]Input, budget int, limits Limits) []string {
	texts := make([]string, len(groups))
	for k, inputs := range groups {
		texts[k] = wholeText(inputs)
	}
	if limits.textsTokens(texts) <= budget {
		return texts
	}
	return choose(e.rate(groups, limits), len(groups), budget, limits)
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
		out[best.group] = limits.head(best.label+best.text, budget)
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
func (e Extractive) rate(groups [][]Input, limits Limits) []segment {
	found := latest(allSegments(groups...), func(s segment) segment { return s })
	words := newVocabulary()
	ids := make([][]int32, len(found))
	for k, s := range found {
		found[k].cost = limits.textTokens(s.label + s.text + "\n")
		if e.Score == nil {
			ids[k] = words.learn(s.text)
		}
	}
	rateAll(len(found), func(k int) *segment { return &found[k] }, e.Score,
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
			text = gap(missing) + " " + text
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
	if l.textTokens(text) <= budget {
		return text
	}
	return Extractive{}.extract(Material{
		Inputs: []Input{{Text: text}},
		Budget: budget,
		Count:  l.Count,
	})
}
