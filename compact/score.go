package compact

import (
	"strings"
	"unicode"
)

// This file rates sentences and lines by how much they matter.

// Scorer rates sentences and lines of one text by how much they matter, higher is better. It must
// return one number for each, and the same for equal segments. The score of a tool call or result
// counts half, because a call can be made again.
type Scorer func(segments []string) []float64

// scores are the ratings of segments, by Informative for a nil scorer.
func (s Scorer) scores(segments []string) []float64 {
	if s == nil {
		return Informative(segments)
	}
	defer guard("scorer")
	return s(segments)
}

// Informative rates a segment by the rarity of its words among all segments (their idf), the rarest
// most: it keeps what is said only once. Numbers count only as far as there are words beside them:
// a row of a table is rare, and says little. It is the default.
func Informative(segments []string) []float64 {
	v := newVocabulary()
	all := make([][]int32, len(segments))
	for k, s := range segments {
		all[k] = v.learn(s)
	}
	out := make([]float64, len(segments))
	for k, ids := range all {
		out[k] = v.rate(ids, false)
	}
	return out
}

// Central rates a segment by its likeness to all of them together: it keeps the main topic of the
// text.
func Central(segments []string) []float64 {
	t := NewTFIDF()
	sum := make(Vector, dimensions)
	for _, s := range segments {
		v := t.vector(s)
		t.Learn(v)
		for i, x := range v {
			sum[i] += x
		}
	}
	out := make([]float64, len(segments))
	for k, s := range segments {
		out[k] = t.Similarity(t.vector(s), sum)
	}
	return out
}

// Recent rates the later above the earlier: it keeps the end.
func Recent(segments []string) []float64 {
	out := make([]float64, len(segments))
	for k := range out {
		out[k] = float64(k)
	}
	return out
}

// Details rates a segment by how much of it cannot be guessed: numbers, paths, identifiers and
// names count more than plain words, and rare ones more than frequent ones.
func Details(segments []string) []float64 {
	out := Informative(segments)
	for k, s := range segments {
		fields := strings.Fields(s)
		hard := 0
		for i, f := range fields {
			if specific(f, i == 0) {
				hard++
			}
		}
		out[k] *= 1 + 2*float64(hard)/float64(len(fields)+1)
	}
	return out
}

// specific reports whether a word is a number, path, identifier or name.
func specific(word string, first bool) bool {
	word = strings.Trim(word, ".,:;!?()[]{}\"'`")
	lower := false
	for i, r := range word {
		switch {
		case unicode.IsNumber(r), strings.ContainsRune("_/\\=@#", r):
			return true
		case r == '.' || r == ':':
			return true // inside of the word: its ends were trimmed
		case unicode.IsUpper(r) && (lower || i == 0 && !first):
			return true
		case unicode.IsLower(r):
			lower = true
		}
	}
	return false
}

// About returns a scorer that rates a segment by its likeness to a question (words, weighted by
// rarity): it keeps what answers the question. With the user's next message as the question it
// remembers more than any other scorer, as long as the two share words.
func About(question string) Scorer {
	return func(segments []string) []float64 {
		t := NewTFIDF()
		vectors := make([]Vector, len(segments))
		for k, s := range segments {
			vectors[k] = t.vector(s)
			t.Learn(vectors[k])
		}
		q := t.vector(question)
		out := make([]float64, len(segments))
		for k, v := range vectors {
			out[k] = t.Similarity(q, v)
		}
		return out
	}
}
