package compact

import (
	"math"
	"slices"

	"github.com/go-preflight/preflight/compact/internal/words"
)

// This file keeps the sentences of compacted messages that may still get into a summary. A session
// chooses from them at every compaction, so that the cost of one does not depend on how long the
// session is.

// pool holds segments of messages, word for word, up to a number of tokens. What does not fit is
// what was rated worst.
type pool struct {
	limits Limits
	score  scorer // nil: by rarity in everything the pool was ever given
	limit  int    // tokens

	x     exchanges
	found []pooled          // in the order they were added
	words *words.Vocabulary // of all segments ever added
}

// pooled is a segment and the entry it comes from.
type pooled struct {
	segment
	entry int
	words []int32
}

func newPool(limits Limits, score scorer, limit int) *pool {
	return &pool{limits: limits, score: score, limit: limit, words: words.NewVocabulary()}
}

// cut cuts inputs into segments and counts what they cost.
func (p *pool) cut(inputs []Input, x *exchanges) [][]segment {
	out := make([][]segment, len(inputs))
	for k, in := range inputs {
		for _, s := range x.cut(in) {
			s.cost = p.limits.segmentTokens(&s)
			out[k] = append(out[k], s)
		}
	}
	return out
}

// add adds the segments of an entry, as cut returned them.
func (p *pool) add(entry int, segments []segment) {
	for _, s := range segments {
		s.from = entry
		p.found = append(p.found, pooled{s, entry, p.words.Learn(s.text)})
	}
}

// prune rates the segments, and drops the worst where they cost more than the limit.
func (p *pool) prune() {
	p.found = once(p.found, func(s *pooled) *segment { return &s.segment })
	words, cost := make([][]int32, len(p.found)), 0
	for k, s := range p.found {
		words[k], cost = s.words, plus(cost, s.cost)
	}
	rateEach(len(words), p.score, p.words, words, func(k int) *segment { return &p.found[k].segment })
	if cost <= p.limit {
		return
	}
	left := p.limit
	var kept []int
	for _, c := range ranked(p.segments(0, math.MaxInt), p.limit, p.x.open(), p.score != nil) {
		if left -= c.cost; left < 0 {
			break
		}
		kept = append(kept, c.at...)
	}
	slices.Sort(kept)
	next := make([]pooled, len(kept))
	for i, k := range kept {
		next[i] = p.found[k]
	}
	p.found = next
}

// outdate lowers the scores of statements that messages which stay make anew, given their segments.
func (p *pool) outdate(later []segment) {
	said := make(map[string]bool)
	for k := range later {
		if key := later[k].states(); key != "" {
			said[key] = true
		}
	}
	for k := range p.found {
		if s := &p.found[k].segment; len(said) > 0 && said[s.states()] {
			s.outdated()
		}
	}
}

// segments returns those of the entries in a range.
func (p *pool) segments(from, end int) []segment {
	found := make([]segment, 0, len(p.found))
	for _, s := range p.found {
		if from <= s.entry && s.entry < end {
			s.group = 0
			found = append(found, s.segment)
		}
	}
	return found
}

// pick makes a text out of the best segments of the entries in a range, for a budget of limits.
func (p *pool) pick(from, end, budget int, limits Limits) string {
	return choose(p.segments(from, end), []int{from, end}, budget, p.x.open(), limits,
		p.score != nil)[0]
}
