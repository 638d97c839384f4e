package compact

import (
	"cmp"
	"math"
	"slices"
)

// This file says what of a record is kept first.

// saidShare is the part of the budget of a record that goes to what people said before anything
// else is kept: a half.
const saidShare = 2

// choice is segments that are kept or left out together: an exchange, or one segment.
type choice struct {
	at    []int // of its segments
	said  bool  // a user speaks in it, and has not said otherwise since
	times int   // how often its words were said
	score float64
	cost  int
}

// once leaves out what is said again later. Of tool output that is a line that a later output has,
// too. Of a user's words it is a sentence that he says again, unless he answered a question with
// it; the last counts how often it was said. A line that says something of its neighbours stays.
func once[E any](found []E, of func(*E) *segment) []E {
	asked := make(map[int]bool) // exchanges with words of the model
	for k := range found {
		if s := of(&found[k]); s.unit > 0 && !s.said {
			asked[s.unit] = true
		}
	}
	last := make(map[string]int) // in kept
	kept := make([]E, 0, len(found))
	for k := len(found) - 1; k >= 0; k-- {
		s := of(&found[k])
		alone := s.weight < 1 && !s.bound || s.said && !asked[s.unit]
		if alone || s.said {
			key := s.text
			if s.said {
				key = s.label + key
			}
			at, again := last[key]
			if again && alone {
				of(&kept[at]).times += 1 + s.times
				continue
			}
			if !again {
				last[key] = len(kept)
			}
		}
		kept = append(kept, found[k])
	}
	slices.Reverse(kept)
	return kept
}

// ranked are the choices of segments, the best first, for so many tokens: what people said comes
// first, as long as that takes no more than its share: what they said again, then what is rarest,
// then the newest; then everything else by its score. What a user says otherwise later is not first.
// Where a scorer rates, what it rates best comes first. open is an exchange whose answer comes later.
func ranked(found []segment, budget, open int, scored bool) []choice {
	spoken := map[int]bool{open: open > 0} // exchanges in which a user spoke
	costs := make(map[int]int)
	asked := make(map[int]bool)
	for k := range found {
		if s := &found[k]; s.unit > 0 {
			spoken[s.unit] = spoken[s.unit] || s.said
			asked[s.unit] = asked[s.unit] || !s.said
			costs[s.unit] += s.cost
		}
	}
	share := budget / saidShare
	of := make(map[int]int) // the choice of an exchange
	var all []choice
	for k := range found {
		s := &found[k]
		unit := s.unit
		if !spoken[unit] {
			unit = 0
		}
		if unit > 0 && costs[unit] > share/2 && s.said {
			// too long to stay whole: sentences are chosen, and an answer keeps its beginning
			i, ok := of[unit]
			if begun := ok && found[all[i].at[len(all[i].at)-1]].said; !asked[unit] || !ok ||
				begun && all[i].cost+s.cost > share/2 {
				unit = 0
			}
		}
		if i, ok := of[unit]; ok && unit > 0 {
			c := &all[i]
			c.at, c.cost = append(c.at, k), plus(c.cost, s.cost)
			c.score, c.times = max(c.score, s.score), max(c.times, s.times)
			c.said = c.said || s.said && !s.past
			continue
		}
		of[unit] = len(all)
		all = append(all, choice{
			at: []int{k}, said: unit > 0 && (s.said && !s.past || unit == open),
			score: s.score, cost: s.cost, times: s.times,
		})
		if unit > 0 && unit == open {
			all[len(all)-1].times = math.MaxInt // an answer to nothing says nothing
		}
	}
	byScore := func(a, b choice) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.at[0], a.at[0]))
	}
	if scored {
		slices.SortStableFunc(all, byScore)
		return all
	}
	var said, rest []choice
	for _, c := range all {
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
	var first []choice
	for _, c := range said {
		if c.cost <= share {
			share -= c.cost
			first = append(first, c)
		} else {
			rest = append(rest, c)
		}
	}
	slices.SortStableFunc(rest, byScore)
	return append(first, rest...)
}
