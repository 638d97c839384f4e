package shorten

import (
	"unicode"
	"unicode/utf8"
)

// GraphemeBoundary returns the greatest offset of at most n at which s can be cut without splitting
// a character as readers see it: a rune, CR LF, a letter with its combining marks and variation
// selectors, an emoji with its modifiers and everything that zero-width joiners attach to it, a
// flag (two regional indicators), a Hangul syllable spelled in jamo, an Indic conjunct. It returns
// 0 if the first character is longer than n, and len(s) if n is at least that.
//
// The rules are those for extended grapheme clusters in Unicode's UAX #29, with two simplifications
// on the safe side: it never cuts after a joiner, whatever precedes the joiner, and never before a
// mark or modifier. The cost is linear in the length of the character at n; in a run of regional
// indicators, in the length of the run before n.
func GraphemeBoundary(s string, n int) int {
	if n >= len(s) {
		return len(s)
	}
	n = max(n, 0)
	for n > 0 {
		if !utf8.RuneStart(s[n]) {
			n--
			continue
		}
		before, size := utf8.DecodeLastRuneInString(s[:n])
		after, _ := utf8.DecodeRuneInString(s[n:])
		if !joined(before, after) && !splitsFlag(s, n, before, after) {
			return n
		}
		n -= size
	}
	return 0
}

// joined reports whether two adjacent runes belong to one character, judged by these two alone.
func joined(before, after rune) bool {
	switch {
	case before == '\r':
		return after == '\n'
	case unicode.IsControl(before) || unicode.IsControl(after):
		return false
	case extends(after), before == zwj, prepends(before):
		return true
	case isVirama(before):
		// the blocks of these scripts are 128 long
		return unicode.IsLetter(after) && before>>7 == after>>7
	}
	return joinsHangul(before, after)
}

const zwj = '\u200D'

// extends reports whether a rune belongs to the character before it: marks, joiners, variation
// selectors, skin tones, tags, and the vowels of Thai and Lao that Unicode counts as letters.
func extends(r rune) bool {
	return r == zwj || r == '\u200C' ||
		r == '\u0E33' || r == '\u0EB3' || r == '\uFF9E' || r == '\uFF9F' ||
		0x1F3FB <= r && r <= 0x1F3FF || 0xE0020 <= r && r <= 0xE007F || unicode.Is(unicode.M, r)
}

// prepends reports whether a rune belongs to the character after it, such as the number signs of a
// few scripts.
func prepends(r rune) bool {
	return unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// isVirama reports whether a rune joins the consonants before and after it.
func isVirama(r rune) bool {
	switch r {
	case 0x94D, 0x9CD, 0xACD, 0xB4D, 0xC4D, 0xD4D:
		return true
	}
	return false
}

// joinsHangul reports whether two jamo or syllables are parts of one syllable.
func joinsHangul(before, after rune) bool {
	leads := func(r rune) bool { return 0x1100 <= r && r <= 0x115F || 0xA960 <= r && r <= 0xA97C }
	vowel := func(r rune) bool { return 0x1160 <= r && r <= 0x11A7 || 0xD7B0 <= r && r <= 0xD7C6 }
	trail := func(r rune) bool { return 0x11A8 <= r && r <= 0x11FF || 0xD7CB <= r && r <= 0xD7FB }
	whole := func(r rune) bool { return 0xAC00 <= r && r <= 0xD7A3 }
	open := func(r rune) bool { return whole(r) && (r-0xAC00)%28 == 0 } // no final consonant yet
	switch {
	case leads(before):
		return leads(after) || vowel(after) || whole(after)
	case vowel(before), open(before):
		return vowel(after) || trail(after)
	case trail(before), whole(before):
		return trail(after)
	}
	return false
}

// splitsFlag reports whether a cut at n would split a flag.
func splitsFlag(s string, n int, before, after rune) bool {
	if !isRegional(before) || !isRegional(after) {
		return false
	}
	const size = 4 // bytes of a regional indicator
	run := 0
	for k := n; k >= size; k -= size {
		if r, _ := utf8.DecodeLastRuneInString(s[:k]); !isRegional(r) {
			break
		}
		run++
	}
	return run%2 == 1
}

func isRegional(r rune) bool { return 0x1F1E6 <= r && r <= 0x1F1FF }
