package words

import (
	"math"
)

// This file rates segments by how rare their words are.

// Vocabulary counts in how many segments words are.
type Vocabulary struct {
	ids      map[string]int32 // of words
	with     []int            // by word, the segments that hold it
	last     []int            // by word, the last segment that was counted
	segments int
}

// NewVocabulary returns one that knows no word.
func NewVocabulary() *Vocabulary { return &Vocabulary{ids: make(map[string]int32)} }

// Saved returns the words, how many segments hold each, and how many segments there were.
func (v *Vocabulary) Saved() (words []string, with []int, segments int) {
	words = make([]string, len(v.with))
	for w, id := range v.ids {
		words[id] = w
	}
	return words, v.with, v.segments
}

// Restored returns the vocabulary that was saved.
func Restored(words []string, with []int, segments int) *Vocabulary {
	v := NewVocabulary()
	for id, w := range words {
		v.ids[w] = int32(id)
	}
	v.with, v.segments, v.last = with, segments, make([]int, len(with))
	return v
}

// Learn counts the words of a segment and returns their ids.
func (v *Vocabulary) Learn(segment string) []int32 {
	v.segments++
	var out []int32
	each(segment, func(w []byte) {
		id, ok := v.ids[string(w)]
		if !ok {
			id = int32(len(v.with))
			v.ids[string(w)], v.with, v.last = id, append(v.with, 0), append(v.last, 0)
		}
		if v.last[id] < v.segments {
			v.last[id] = v.segments
			v.with[id]++
		}
		out = append(out, id)
	})
	return out
}

// Known returns the ids of the words of a text that were learned.
func (v *Vocabulary) Known(text string) []int32 {
	var out []int32
	each(text, func(w []byte) {
		if id, ok := v.ids[string(w)]; ok {
			out = append(out, id)
		}
	})
	return out
}

// mostWords is how many words a vocabulary may have when it forgets some.
const mostWords = 1 << 18

// Forget drops the rarest words of too many. They are as rare afterwards: see Look.
func (v *Vocabulary) Forget() {
	for least := 1; len(v.with) > mostWords; least++ {
		ids := make(map[string]int32)
		var with []int
		for w, id := range v.ids {
			if v.with[id] > least {
				ids[w], with = int32(len(with)), append(with, v.with[id])
			}
		}
		v.ids, v.with, v.last = ids, with, make([]int, len(with))
	}
}

// Look returns the ids of the words of a text, -1 for those that are not known.
func (v *Vocabulary) Look(text string) []int32 {
	var out []int32
	each(text, func(w []byte) {
		id, ok := v.ids[string(w)]
		if !ok {
			id = -1
		}
		out = append(out, id)
	})
	return out
}

// shortSegment is added to the number of words of a segment before its score is divided by it: a
// single rare word is no sentence.
const shortSegment = 2

// Rate rates a segment by the rarity of its words. In what people and models say the rarest words
// count most (it is the power mean of the fourth order): a new name in a sentence of common words is
// what matters. In tool output every row has a number of its own, and the mean decides.
func (v *Vocabulary) Rate(ids []int32, tool bool) float64 {
	if len(ids) == 0 {
		return 0
	}
	score := 0.0
	for _, id := range ids {
		with := 1
		if id >= 0 {
			with = v.with[id]
		}
		r := rarity(with, v.segments)
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

// Weights returns words with their number times their rarity, each once.
func (v *Vocabulary) Weights(ids []int32) []Weighted {
	at := make(map[int32]int, len(ids))
	var out []Weighted
	for _, id := range ids {
		if k, ok := at[id]; ok {
			out[k].weight += rarity(v.with[id], v.segments)
			continue
		}
		at[id] = len(out)
		out = append(out, Weighted{id, rarity(v.with[id], v.segments)})
	}
	return out
}

// Weighted is a word and its weight in a segment.
type Weighted struct {
	id     int32
	weight float64
}

// Cosine returns the cosine of two lists of words. Products are rounded before they are added (the
// conversions say so): the result does not depend on the processor.
func Cosine(a, b []Weighted) float64 {
	in := make(map[int32]float64, len(b))
	dot, na, nb := 0.0, 0.0, 0.0
	for _, w := range b {
		in[w.id] = w.weight
		nb += float64(w.weight * w.weight)
	}
	for _, w := range a {
		dot += float64(w.weight * in[w.id])
		na += float64(w.weight * w.weight)
	}
	if na == 0 || nb == 0 {
		return 0
	}
	return dot / (math.Sqrt(na) * math.Sqrt(nb))
}

// rarity returns the weight of a word that n of so many texts hold: the logarithm of 1 + texts/n,
// to six digits, since the last bits of a logarithm are not the same on every machine.
func rarity(n, texts int) float64 {
	const digits = 1e6
	return math.Round(math.Log(1+float64(texts)/float64(n))*digits) / digits
}
