package compact

import (
	"math"
	"strings"
	"unicode"
)

// This file rates sentences and lines by how much they matter for a question, and tells words that
// cannot be guessed.

// scorer rates segments, higher is better. Nil rates them by the rarity of their words.
type scorer func(segments []string) []float64

// about rates segments by their likeness to a question: the cosine of their words, weighted by
// rarity. It is nil for no question.
func about(question string) scorer {
	if question == "" {
		return nil
	}
	return func(segments []string) []float64 {
		v := newVocabulary()
		learned := make([][]int32, len(segments))
		for k, s := range segments {
			learned[k] = v.learn(s)
		}
		asked := v.weights(v.known(question))
		out := make([]float64, len(segments))
		for k, ids := range learned {
			out[k] = cosine(v.weights(ids), asked)
		}
		return out
	}
}

// weights are words with their number times their rarity, each once.
func (v *vocabulary) weights(ids []int32) []weighted {
	at := make(map[int32]int, len(ids))
	var out []weighted
	for _, id := range ids {
		if k, ok := at[id]; ok {
			out[k].weight += rarity(v.with[id], v.segments)
			continue
		}
		at[id] = len(out)
		out = append(out, weighted{id, rarity(v.with[id], v.segments)})
	}
	return out
}

// weighted is a word and its weight in a segment.
type weighted struct {
	id     int32
	weight float64
}

// cosine is the cosine of two lists of words. Products are rounded before they are added (the
// conversions say so): the result does not depend on the processor.
func cosine(a, b []weighted) float64 {
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

// rarity is the weight of a word that n of so many texts hold: the logarithm of 1 + texts/n, to six
// digits, since the last bits of a logarithm are not the same on every machine.
func rarity(n, texts int) float64 {
	const digits = 1e6
	return math.Round(math.Log(1+float64(texts)/float64(n))*digits) / digits
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
