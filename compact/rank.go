package compact

import (
	"cmp"
	"math"
	"slices"

	"github.com/go-preflight/preflight/compact/internal/words"
)

// This file says what of a record is kept first.

// saidShare is the part of the budget of a record that goes to what people said before anything
// else is kept: a half.
const saidShare = 2

// answerWeight is what the score of a question with its short answer is multiplied by, as long as
// all of them take no more than answerShare of the budget.
const answerWeight, answerShare = 1.2, 0.75

// choice is segments that are kept or left out together: an exchange, or one segment.
type choice struct {
	at      []int // of its segments
	said    bool  // it is kept first
	answers bool  // it holds a short answer
	times   int   // how often its words were said
	score   float64
	cost    int
}

// once leaves out what is said again later. Of tool output that is a line that a later output has,
// too. Of a user's words it is a sentence that he says again, unless he answered a question with
// it; the last counts how often it was said. A line that says something of its neighbours stays.
// It takes the memory of found.
func once[E any](found []E, of func(*E) *segment) []E {
	asked := make(map[int]bool) // exchanges with words of the model
	for k := range found {
		if s := of(&found[k]); s.unit > 0 && !s.said {
			asked[s.unit] = true
		}
	}
	last := make(map[string]int) // in found, where it was kept
	kept := len(found)           // found has them from here on
	for k := len(found) - 1; k >= 0; k-- {
		s := of(&found[k])
		alone := s.weight < 1 && !s.tied || s.said && !asked[s.unit]
		if alone || s.said {
			key := s.text
			if s.said {
				key = s.label + key
			}
			at, again := last[key]
			if again && alone {
				of(&found[at]).times += 1 + s.times
				continue
			}
			if !again {
				last[key] = kept - 1
			}
		}
		kept--
		found[kept] = found[k]
	}
	clear(found[:kept])
	return found[kept:]
}

// ranked returns the choices of segments, the best first, for so many tokens. All that people said
// comes first if it takes no more than its share, and else the orders that they repeat; then
// everything by its score. Where a scorer rates, what it rates best comes first. open is an
// exchange whose answer comes later.
func ranked(found []segment, budget, open int, scored bool) []choice {
	spoken := map[int]bool{open: open > 0} // exchanges in which a user spoke
	costs := make(map[int]int)
	asked, answered := make(map[int]bool), make(map[int]bool)
	for k := range found {
		if s := &found[k]; s.unit > 0 {
			answered[s.unit] = answered[s.unit] || s.answers
			spoken[s.unit] = spoken[s.unit] || s.said
			asked[s.unit] = asked[s.unit] || !s.said
			costs[s.unit] += s.cost
		}
	}
	share, answers, all := budget/saidShare, 0, 0
	for unit, cost := range costs {
		if spoken[unit] {
			all = plus(all, cost)
		}
		if answered[unit] {
			answers = plus(answers, cost)
		}
	}
	first := func(s *segment) bool {
		return s.said && (all <= share || !s.past && s.ordered())
	}
	of := make(map[int]int) // the choice of an exchange
	choices := make([]choice, 0, len(found))
	at := make([]int, len(found)) // the memory of choice.at
	for k := range found {
		s := &found[k]
		unit := s.unit
		if !spoken[unit] || all > share && !asked[unit] {
			unit = 0
		}
		if unit > 0 && costs[unit] > share/2 && s.said {
			// too long to stay whole: sentences are chosen, and an answer keeps its beginning
			i, ok := of[unit]
			if begun := ok && found[choices[i].at[len(choices[i].at)-1]].said; !asked[unit] || !ok ||
				begun && choices[i].cost+s.cost > share/2 {
				unit = 0
			}
		}
		if i, ok := of[unit]; ok && unit > 0 {
			c := &choices[i]
			sum := float64(c.score*float64(c.cost)) + float64(s.score*float64(s.cost))
			c.score = sum / float64(max(1, plus(c.cost, s.cost)))
			c.at, c.cost = append(c.at, k), plus(c.cost, s.cost)
			c.times = max(c.times, s.times)
			c.said, c.answers = c.said || first(s), c.answers || s.answers
			continue
		}
		of[unit], at[k] = len(choices), k
		choices = append(choices, choice{
			at: at[k : k+1 : k+1], score: s.score, cost: s.cost, times: s.times,
			said: first(s) || unit > 0 && unit == open,
		})
		if unit > 0 && unit == open {
			choices[len(choices)-1].times = math.MaxInt // an answer to nothing says nothing
		}
	}
	for k := range choices {
		if c := &choices[k]; c.answers && float64(answers) <= answerShare*float64(budget) {
			c.score = float64(c.score * answerWeight)
		}
	}
	byScore := func(a, b choice) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.at[0], a.at[0]))
	}
	if scored {
		slices.SortStableFunc(choices, byScore)
		return choices
	}
	var said, rest []choice
	for _, c := range choices {
		if c.said {
			said = append(said, c)
		} else {
			rest = append(rest, c)
		}
	}
	slices.SortStableFunc(said, func(a, b choice) int {
		return cmp.Or(cmp.Compare(b.times, a.times), cmp.Compare(b.score, a.score),
			cmp.Compare(b.at[len(b.at)-1], a.at[len(a.at)-1]))
	})
	var best []choice
	for _, c := range said {
		if c.cost <= share {
			share -= c.cost
			best = append(best, c)
		} else {
			rest = append(rest, c)
		}
	}
	slices.SortStableFunc(rest, byScore)
	return append(best, rest...)
}

// orderWords is the fewest words of what a user says again and again that is kept first: fewer are
// hardly more than a nod.
const orderWords = 6

// ordered reports whether a segment is something that a user said again and again.
func (s *segment) ordered() bool {
	return s.times > 0 && !asks(s.text) && len(words.Of(s.text)) >= orderWords
}
