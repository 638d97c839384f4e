// Package words cuts text into words, in any script.
package words

import (
	"unicode"
	"unicode/utf8"
)

// unspaced are the scripts that are written without spaces between words; their words are taken to
// be pairs of characters.
var unspaced = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer,
	unicode.Myanmar,
}

// Of returns the words of a text in lower case: runs of letters, marks and numbers. A run in a
// script without spaces becomes its overlapping pairs (bigrams), or itself when it is one
// character.
func Of(text string) []string {
	var out []string
	each(text, func(word []byte) { out = append(out, string(word)) })
	return out
}

// each calls f with every word of a text, in memory that the next word is written to.
func each(text string, f func(word []byte)) {
	var run []byte
	dense := false // the run is in a script without spaces
	flush := func() {
		_, first := utf8.DecodeRune(run)
		switch {
		case len(run) == 0:
		case dense && first < len(run):
			for from, next := 0, first; next < len(run); {
				_, n := utf8.DecodeRune(run[next:])
				f(run[from : next+n])
				from, next = next, next+n
			}
		default:
			f(run)
		}
		run = run[:0]
	}
	for _, r := range text {
		switch {
		case unicode.IsMark(r):
			if len(run) > 0 {
				run = utf8.AppendRune(run, r)
			}
		case unicode.IsLetter(r), unicode.IsNumber(r):
			if now := r >= 0x0E00 && unicode.In(r, unspaced...); now != dense {
				flush()
				dense = now
			}
			run = utf8.AppendRune(run, unicode.ToLower(r))
		default:
			flush()
		}
	}
	flush()
}
