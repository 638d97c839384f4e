package compact

import (
	"strings"
	"unicode"

	"github.com/go-preflight/preflight/compact/internal/words"
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
		v := words.NewVocabulary()
		learned := make([][]int32, len(segments))
		for k, s := range segments {
			learned[k] = v.Learn(s)
		}
		asked := v.Weights(v.Known(question))
		out := make([]float64, len(segments))
		for k, ids := range learned {
			out[k] = words.Cosine(v.Weights(ids), asked)
		}
		return out
	}
}

// specific reports whether a word is a number, path, identifier or name.
func specific(word string, first bool) bool {
	word = strings.Trim(word, ".,:;!?()[]{}\"'`")
	lower := false
	for i, r := range word {
		switch {
		case unicode.IsNumber(r), strings.ContainsRune("_/\\=@#.:", r): // its ends were trimmed
			return true
		case unicode.IsUpper(r) && (lower || i == 0 && !first):
			return true
		case unicode.IsLower(r):
			lower = true
		}
	}
	return false
}
