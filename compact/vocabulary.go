package compact

import (
	"math"

	"github.com/go-preflight/preflight/compact/internal/words"
	"github.com/go-preflight/preflight/internal/work"
)

// This file rates segments by how rare their words are.

// vocabulary counts in how many segments words are.
type vocabulary struct {
	ids      map[string]int32 // of words
	with     []int            // by word, the segments that hold it
	last     []int            // by word, the last segment that was counted
	segments int
}

func newVocabulary() *vocabulary { return &vocabulary{ids: make(map[string]int32)} }

// learn counts the words of a segment and returns their ids.
func (v *vocabulary) learn(segment string) []int32 {
	v.segments++
	found := words.Of(segment)
	out := make([]int32, 0, len(found))
	for _, w := range found {
		work.Done()
		id, ok := v.ids[w]
		if !ok {
			id = int32(len(v.with))
			v.ids[w], v.with, v.last = id, append(v.with, 0), append(v.last, 0)
		}
		if v.last[id] < v.segments {
			v.last[id] = v.segments
			v.with[id]++
		}
		out = append(out, id)
	}
	return out
}

// known are the ids of the words of a text that were learned.
func (v *vocabulary) known(text string) []int32 {
	var out []int32
	for _, w := range words.Of(text) {
		if id, ok := v.ids[w]; ok {
			out = append(out, id)
		}
	}
	return out
}

// shortSegment is added to the number of words of a segment before its score is divided by it: a
// single rare word is no sentence.
const shortSegment = 2

// rate rates a segment by the rarity of its words. In what people and models say the rarest words
// count most (it is the power mean of the fourth order): a new name in a sentence of common words is
// what matters. In tool output every row has a number of its own, and the mean decides.
func (v *vocabulary) rate(ids []int32, tool bool) float64 {
	if len(ids) == 0 {
		return 0
	}
	score := 0.0
	for _, id := range ids {
		r := rarity(v.with[id], v.segments)
		if !tool {
			r = float64(r * r)
			r = float64(r * r)
		}
		score += r
	}
	score /= float64(len(ids) + shortSegment)
	if !tool {
		score = math.Sqrt(math.Sqrt(score))
	}
	return score
}
