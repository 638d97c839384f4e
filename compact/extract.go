package compact

import (
	"iter"
	"slices"
	"sort"
	"strings"

	"github.com/go-preflight/preflight/compact/internal/cut"

	"github.com/go-preflight/preflight/compact/internal/words"
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
	lead        string // what it is said of, shown where what is before it is missing
	tied        bool   // it says something of its neighbours: see record
	revises     bool   // it is the last of several statements of a value
	said        bool   // a user said it, or answered it to a tool
	answers     bool   // it is of a short answer to a question
	past        bool   // a later statement replaces it
	tells       bool   // it tells what came out of an output: see cut.Telling
	speaker     speaker
	unit        int     // its exchange; 0 is none
	times       int     // how often it was said before, in the same words
	heard       heard   // the parts up to it, by speaker
	skip        int     // messages that an earlier record left out before it
	weight      float64 // of the score
	score       float64
	cost        int
}

// extractor makes a text of each group of inputs, for a budget: the segments of all groups compete
// for it, so that it is spent on the best. A group without a segment that is good enough gets "".
// For several budgets, the segments are rated once.
func (l Limits) extractor(
	score scorer, groups ...iter.Seq[Input],
) func(tokens int) []string {
	var found []segment
	var span []int
	open := 0
	return func(tokens int) []string {
		if whole, fit := l.wholeTexts(tokens, groups); fit {
			return whole
		}
		if found == nil {
			found, span, open = l.gather(score, tokens, groups...)
		}
		return choose(found, span, tokens, open, l, score != nil)
	}
}

// choose makes a text of each group out of the best segments that fit the budget together, and
// fills what is left with the next that are small enough. What alone would take more than half of
// the budget is passed over. When nothing fits, the best segment is cut.
func choose(found []segment, span []int, budget, open int, limits Limits, scored bool) []string {
	order := ranked(found, budget, open, scored)
	likely := make([]choice, 0, len(order))
	cost, within := 0, 0
	for _, c := range order {
		if c.cost > max(1, budget/2) {
			continue
		}
		if cost <= 2*min(budget, mostTokens) {
			within++ // a joined text is shorter than its segments, but not by half
		}
		cost, likely = plus(cost, c.cost), append(likely, c)
	}
	joined := func(choices ...choice) []string {
		var chosen []int
		for _, c := range choices {
			chosen = append(chosen, c.at...)
		}
		return join(found, chosen, span)
	}
	texts := func(n int) []string { return joined(likely[:n]...) }
	most := within
	if within < len(likely) || limits.textsTokens(texts(within)) > budget {
		most = sort.Search(within, func(n int) bool {
			return limits.textsTokens(texts(n+1)) > budget
		})
	}
	for ; most > 0; most -= 1 + most/16 { // a counter need not grow with the text
		if out := texts(most); limits.textsTokens(out) <= budget {
			return limits.more(out, slices.Clone(likely[:most]), likely[most:], budget, joined)
		}
	}
	out := make([]string, len(span)-1)
	for _, c := range order {
		if best := found[c.at[0]]; len(c.at) == 1 {
			text := attributed(best.label, best.shown(), false)
			if text = limits.head(text, budget); len(text) > len(best.label) {
				out[best.group] = text
			}
			break
		}
	}
	return out
}

// fills is how often what is left of a budget is filled.
const fills = 4

// more adds to the texts of chosen choices the next that fit what is left of the budget. Marks
// cost, too, so that it may be fewer than seemed to fit.
func (l Limits) more(
	out []string, chosen, next []choice, budget int, joined func(...choice) []string,
) []string {
	for range fills {
		left := budget - l.textsTokens(out)
		var small []choice
		rest := make([]choice, 0, len(next))
		for _, c := range next {
			if c.cost <= left {
				small, left = append(small, c), left-c.cost
			} else {
				rest = append(rest, c)
			}
		}
		n := len(small)
		for ; n > 0; n /= 2 {
			if texts := joined(slices.Concat(chosen, small[:n])...); l.textsTokens(texts) <= budget {
				out = texts
				break
			}
		}
		chosen = append(chosen, small[:n]...)
		if n == 0 && len(small) > 0 {
			n = 1 // not even the best of them alone: the others
		}
		next = append(small[n:], rest...)
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

// allSegments returns the segments of groups of inputs, which inputs are whose, and the exchange
// that is open at the end of the last group. A function may drop some after each input.
func allSegments(
	prune func(all []segment, open int) []segment, groups ...iter.Seq[Input],
) (found []segment, span []int, open int) {
	var x exchanges
	span = []int{0}
	from := 0
	for k, inputs := range groups {
		x.restart()
		for in := range inputs {
			if strings.TrimSpace(in.Text) == "" {
				continue
			}
			for _, s := range x.cut(in) {
				s.group, s.from = k, from
				found = append(found, s)
			}
			if prune != nil {
				found = prune(found, x.open())
			}
			from++
		}
		span = append(span, from)
	}
	return found, span, x.open()
}

// rate rates segments by a scorer, or where it is nil by the rarity of their words.
func (l Limits) rate(score scorer, found []segment) {
	rateEach(len(found), score, words.NewVocabulary(), nil, func(k int) *segment { return &found[k] })
	l.price(found)
}

// price says what segments cost.
func (l Limits) price(found []segment) {
	for k := range found {
		if found[k].cost == 0 {
			found[k].cost = l.segmentTokens(&found[k])
		}
	}
}

// segmentTokens returns what a segment costs in a record.
func (l Limits) segmentTokens(s *segment) int {
	return l.textTokens(attributed(s.label, s.shown(), true) + "\n")
}

// rateEach rates n segments, whose texts the vocabulary learns unless their words are given.
func rateEach(
	n int, score scorer, words *words.Vocabulary, learned [][]int32, at func(k int) *segment,
) {
	var given []float64
	switch {
	case score != nil:
		texts := make([]string, n)
		for k := range n {
			texts[k] = at(k).text
		}
		given = score(texts)
	case learned == nil:
		learned = make([][]int32, n)
		for k := range n {
			learned[k] = words.Learn(at(k).text)
		}
	}
	for k := range n {
		s := at(k)
		s.past = false
		switch {
		case score == nil:
			s.score = words.Rate(learned[k], s.weight < 1 && !s.tells) * s.weight
			if s.tells {
				s.score *= tellingWeight
			}
		case k < len(given):
			s.score = given[k] * s.weight
		}
	}
	replace(n, at)
}

// join puts chosen segments back into their order, a text for each group, each line under its
// label. Where segments of a message are missing before one of it, or after its last, a mark says
// how many, and so does a line of its own where what is shown would seem to answer what it did not.
// span says where the messages of groups begin and end.
func join(found []segment, chosen []int, span []int) []string {
	chosen = slices.Clone(chosen)
	slices.Sort(chosen)
	texts := make([]strings.Builder, len(span)-1)
	line := func(b *strings.Builder, text string) {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(text)
	}
	from, next, before := -1, 0, 0 // the last message, what comes after it there, and after it
	for i, k := range chosen {
		s := &found[k]
		b := &texts[s.group]
		if b.Len() == 0 {
			from, before = -1, s.from
		}
		missing := s.skip
		if s.from != from {
			missing += s.from - before
			from, next, before = s.from, 0, s.from+1
		}
		goesOn := i > 0 && b.Len() > 0 && found[chosen[i-1]].label == s.label
		if missing > 0 && b.Len() > 0 && s.interrupted(&found[chosen[i-1]]) {
			line(b, leftOutMark(missing))
			goesOn = false
		}
		text := s.text
		if n := s.at - next; n > 0 {
			text = gap(n) + " " + s.shown()
		}
		next = s.at + 1
		end := i+1 == len(chosen) || found[chosen[i+1]].group != s.group
		if s.left > 0 && (end || found[chosen[i+1]].from != from) {
			text += " " + gap(s.left)
		}
		line(b, attributed(s.label, text, goesOn))
		if n := span[s.group+1] - before; end && n > 0 {
			line(b, leftOutMark(n))
		}
	}
	out := make([]string, len(texts))
	for k := range out {
		out[k] = texts[k].String()
	}
	return out
}

// wholeTexts returns all of the inputs of each group, if they cost no more than so many tokens
// together. If they cost more, little is written after that shows.
func (l Limits) wholeTexts(tokens int, groups []iter.Seq[Input]) (texts []string, fit bool) {
	for _, inputs := range groups {
		var b strings.Builder
		counted := 1 << 10 // bytes
		for in := range inputs {
			if strings.TrimSpace(in.Text) == "" {
				continue
			}
			if b.Len() > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(in.whole())
			if b.Len() > 2*counted {
				counted = b.Len()
				if l.textTokens(b.String()) > tokens {
					return nil, false
				}
			}
		}
		if tokens -= l.textTokens(b.String()); tokens < 0 {
			return nil, false
		}
		texts = append(texts, b.String())
	}
	return texts, true
}

// head returns the longest beginning of a text that fits the budget, up to a character.
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
	if at := cut.Point(s, fits); at <= fits {
		return s[:at]
	}
	return ""
}

// shown returns the text of a segment when what is before it is missing.
func (s *segment) shown() string {
	if s.lead == "" {
		return s.text
	}
	return s.lead + " … " + s.text
}
