package compact

import (
	"iter"
	"slices"

	"github.com/go-preflight/preflight/compact/internal/words"
)

// This file keeps a record of a long history from taking several times its memory: of segments that
// are far more than a budget has room for, the worst are dropped on the way.

// fewSegments are so few that all of them are kept.
const fewSegments = 1 << 15

// roomFor returns how many segments are kept for so many tokens. Hardly any costs less than four.
func roomFor(tokens int) int { return max(fewSegments, min(tokens, mostTokens)/4) }

// gathered holds the segments of a record for a number of tokens. Those of a long history are rated
// by all that was learned so far, as a Session rates them.
type gathered struct {
	limits Limits
	score  scorer
	tokens int
	words  *words.Vocabulary // of what was seen, once something was dropped
	known  int               // of the segments that are left, how many it has learned
}

// gather returns the segments of groups of inputs, rated, whose inputs are whose, and the exchange
// that is open at the end.
func (l Limits) gather(
	score scorer, tokens int, groups ...iter.Seq[Input],
) (found []segment, span []int, open int) {
	g := &gathered{limits: l, score: score, tokens: tokens}
	found, span, open = allSegments(g.prune, groups...)
	if g.words == nil {
		found = once(found, func(s *segment) *segment { return s })
		l.rate(score, found)
		return found, span, open
	}
	return g.rated(found), span, open
}

// rated are segments without those that are said again, rated by all that was seen.
func (g *gathered) rated(found []segment) []segment {
	if g.words == nil {
		g.words = words.NewVocabulary()
	}
	for k := g.known; k < len(found); k++ {
		g.words.Learn(found[k].text)
	}
	g.words.Forget()
	found = once(found, func(s *segment) *segment { return s })
	learned := make([][]int32, len(found))
	for k := range found {
		if g.score == nil {
			learned[k] = g.words.Look(found[k].text)
		}
	}
	rateEach(len(found), g.score, g.words, learned, func(k int) *segment { return &found[k] })
	g.limits.price(found)
	return found
}

// prune drops the worst of too many segments, whole exchanges of them, but none of the newest: their
// exchanges may go on. It takes the memory of all.
func (g *gathered) prune(all []segment, open int) []segment {
	room := roomFor(g.tokens)
	if len(all) <= 2*room {
		return all
	}
	found := g.rated(all)
	newest := max(0, len(found)-room/4)
	goesOn := map[int]bool{open: open > 0} // exchanges that have to stay whole
	for k := newest; k < len(found); k++ {
		goesOn[found[k].unit] = found[k].unit > 0
	}
	var kept []int
	for k := range found[:newest] {
		if goesOn[found[k].unit] {
			kept = append(kept, k)
		}
	}
	for _, c := range ranked(found[:newest], g.tokens, open, g.score != nil) {
		if goesOn[found[c.at[0]].unit] {
			continue
		}
		if len(kept)+len(c.at) > room-room/4 {
			break
		}
		kept = append(kept, c.at...)
	}
	slices.Sort(kept)
	out := all[:0] // what is kept moves to the front
	for _, k := range kept {
		out = append(out, found[k])
	}
	out = append(out, found[newest:]...)
	clear(all[len(out):])
	g.known = len(out)
	return out
}
