// Package words cuts text into words, in any script.
package words

import "unicode"

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
	var run []rune
	dense := false // the run is in a script without spaces
	flush := func() {
		switch {
		case len(run) == 0:
		case dense && len(run) > 1:
			for k := range len(run) - 1 {
				out = append(out, string(run[k:k+2]))
			}
		default:
			out = append(out, string(run))
		}
		run = run[:0]
	}
	for _, r := range text {
		switch {
		case unicode.IsMark(r):
			if len(run) > 0 {
				run = append(run, r)
			}
		case unicode.IsLetter(r), unicode.IsNumber(r):
			if now := r >= 0x0E00 && unicode.In(r, unspaced...); now != dense {
				flush()
				dense = now
			}
			run = append(run, unicode.ToLower(r))
		default:
			flush()
		}
	}
	flush()
	return out
}
