package compact

import (
	"cmp"
	"slices"

	"github.com/go-preflight/preflight"
)

// This file keeps the sentences of compacted messages that may still get into a summary. A session
// chooses from them at every compaction, so that the cost of one does not depend on how long the
// session is.

// pool holds segments of messages, word for word, up to a number of tokens. What does not fit is
// what was rated worst.
type pool struct {
	limits Limits
	score  scorer // nil: by rarity in everything the pool was ever given
	bound  int    // tokens

	found []pooled    // in the order they were added
	words *vocabulary // of all segments ever added
}

// pooled is a segment and the entry it comes from.
type pooled struct {
	segment
	entry int
	words []int32
}

func newPool(limits Limits, score scorer, bound int) *pool {
	return &pool{
		limits: limits,
		score:  score,
		bound:  bound,
		words:  newVocabulary(),
	}
}

// cut cuts inputs into segments and counts what they cost.
func (p *pool) cut(inputs []Input) [][]segment {
	out := make([][]segment, len(inputs))
	for k, in := range inputs {
		for _, s := range in.labelled() {
			s.cost = p.limits.textTokens(s.label + s.shown() + "\n")
			out[k] = append(out[k], s)
		}
	}
	return out
}

// add adds the segments of an entry, as cut returned them.
func (p *pool) add(entry int, segments []segment) {
	for _, s := range segments {
		s.from = entry
		p.found = append(p.found, pooled{s, entry, p.words.learn(s.text)})
	}
}

// rate rates all segments of the pool.
func (p *pool) rate() {
	rateAll(len(p.found), func(k int) *segment { return &p.found[k].segment }, p.score,
		func(k int) float64 { return p.words.rate(p.found[k].words, p.found[k].weight < 1) })
}

// prune rates the segments, and drops the worst where they cost more than the bound.
func (p *pool) prune() {
	p.found = latest(p.found, func(s pooled) segment { return s.segment })
	p.rate()
	order := make([]int, len(p.found))
	cost := 0
	for k := range order {
		order[k] = k
		cost = plus(cost, p.found[k].cost)
	}
	if cost <= p.bound {
		return
	}
	slices.SortStableFunc(order,
		func(a, b int) int { return cmp.Compare(p.found[b].score, p.found[a].score) })
	left := p.bound
	kept := order[:0]
	for _, k := range order {
		if left -= p.found[k].cost; left < 0 {
			break
		}
		kept = append(kept, k)
	}
	slices.Sort(kept)
	next := make([]pooled, len(kept))
	for i, k := range kept {
		next[i] = p.found[k]
	}
	p.found = next
}

// outdate lowers the scores of what messages that stay say again or say otherwise, given their
// segments.
func (p *pool) outdate(later []segment) {
	said := make(map[string]bool)
	for _, s := range later {
		said[s.label+s.text] = true
		if key := s.states(); key != "" {
			said[key] = true
		}
	}
	for k := range p.found {
		s := &p.found[k].segment
		if key := s.states(); said[s.label+s.text] && !s.bound || key != "" && said[key] {
			s.weigh(pastWeight)
		}
	}
}

// pick makes a text out of the best segments of the entries in a range.
func (p *pool) pick(from, end, budget int) string {
	var found []segment
	for _, s := range p.found {
		if from <= s.entry && s.entry < end {
			s.group = 0
			found = append(found, s.segment)
		}
	}
	return choose(found, 1, budget, p.limits)[0]
}

// inputs are the segments of the entries before one, joined by entry, given the roles of entries.
// Marks say how many are missing.
func (p *pool) inputs(end int, roles []preflight.Role) []Input {
	var out []Input
	last, next := -1, 0
	for k, s := range p.found {
		if s.entry >= end {
			return out
		}
		if s.entry != last {
			next = 0
		}
		text := s.text
		if s.at > next {
			text = gap(s.at-next) + " " + s.shown()
		}
		if s.left > 0 && (k+1 == len(p.found) || p.found[k+1].entry != s.entry) {
			text += " " + gap(s.left)
		}
		if s.entry != last {
			out = append(out, Input{Role: roles[s.entry], Text: text})
		} else {
			out[len(out)-1].Text += "\n" + text
		}
		last, next = s.entry, s.at+1
	}
	return out
}
