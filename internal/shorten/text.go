package shorten

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// surrogateLen is how many bytes of ill-formed text at the start of s stand for one character:
// three for a surrogate.
func SurrogateLen(s string) int {
	if len(s) >= 3 && s[0] == 0xED && s[1] >= 0xA0 && s[1] <= 0xBF && s[2] >= 0x80 && s[2] <= 0xBF {
		return 3
	}
	return 1
}

// GraphemeBoundary is the greatest offset of at most n at which s may be cut without splitting what
// a reader sees as one character: a rune, CR LF, a letter with its combining marks and variation
// selectors, an emoji with its modifiers and all that zero-width joiners tie to it, a flag (two
// regional indicators), a Hangul syllable spelled in jamo, an Indic conjunct. It is 0 when the
// first character is longer than n, and len(s) when n is.
//
// The rules are those of Unicode's UAX #29 for extended grapheme clusters, with two simplifications
// on the safe side: nothing is cut behind a joiner, whatever stands before it, and nothing before
// any mark or modifier. The cost is linear in the length of the character at n; in a run of
// regional indicators, of the run before n.
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

// joined reports whether two neighbouring runes are one character, as far as the two of them tell.
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
// selectors, skin tones, tags, the vowels of Thai and Lao that Unicode counts as letters.
func extends(r rune) bool {
	return r == zwj || r == '\u200C' ||
		r == '\u0E33' || r == '\u0EB3' || r == '\uFF9E' || r == '\uFF9F' ||
		0x1F3FB <= r && r <= 0x1F3FF || 0xE0020 <= r && r <= 0xE007F || unicode.Is(unicode.M, r)
}

// prepends reports whether a rune belongs to the character behind it: number signs and the like of
// a few scripts.
func prepends(r rune) bool {
	return unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// isVirama reports whether a rune ties the consonant behind it to the one before it.
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

// splitsFlag reports whether a cut at n would part the two halves of a flag.
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

// Unit is what the length of a text is counted in.
type Unit string

// The units. A half of a surrogate pair without its partner counts as one UTF-16 unit and one rune;
// any other byte that is not valid UTF-8 counts as one of everything.
const (
	UnitUTF16 Unit = ""      // UTF-16 code units, as JavaScript and Java count: 😀 is 2
	UnitRunes Unit = "runes" // Unicode code points: 😀 is 1
	UnitBytes Unit = "bytes" // bytes of UTF-8: 😀 is 4
)

// Boundary finds the place nearest to a byte offset where a text may be cut: the greatest offset of
// at most n at which no character is split, 0 when there is none. It must be pure. GraphemeBoundary
// is the default; a caller who has a table of the whole of UAX #29 at hand plugs that in. An answer
// above n, or inside of a rune, is corrected downwards.
type Boundary func(s string, n int) int

const (
	ellipsis    = "…"
	markerStart = "… [truncated, original length: "
	markerEnd   = "]"
)

// cutter shortens texts to a limit, marker included.
type Cutter struct {
	Limit    int
	Unit     Unit
	Boundary Boundary
}

// text is s, shortened when it is longer than the limit.
func (c Cutter) Text(s string) (short string, cut bool) {
	keep, tail, cut := c.Split(s)
	if !cut {
		return s, false
	}
	return s[:keep] + tail, true
}

// split says how much of s stays and what follows it. A text that was cut before gives up more of
// its content and keeps the length it had at first. A limit that has no room for the marker leaves
// an ellipsis alone behind the text, and nothing when it has no room for that either.
func (c Cutter) Split(s string) (keep int, tail string, cut bool) {
	if c.Limit <= 0 || len(s) <= c.Limit {
		return 0, "", false
	}
	length := c.Unit.length(s)
	if length <= c.Limit {
		return 0, "", false
	}
	content, original := unmarked(s, length)
	tail = markerStart + strconv.Itoa(original) + markerEnd
	if c.Unit.length(tail) > c.Limit {
		tail = ellipsis
	}
	room := c.Limit - c.Unit.length(tail)
	if room < 0 {
		tail, room = "", c.Limit
	}
	return c.place(content, room), tail, true
}

// place is where content is cut so that at most room units are kept.
func (c Cutter) place(content string, room int) int {
	most := c.Unit.offset(content, room)
	if most == len(content) {
		return most
	}
	at := min(max(c.Boundary(content, most), 0), most)
	for at > 0 && !utf8.RuneStart(content[at]) {
		at--
	}
	return at
}

// unmarked is s without the marker of an earlier cut, and the length it had before. What ends in
// something like a marker but claims to have been no longer than it is was not cut by us.
func unmarked(s string, length int) (content string, original int) {
	at := strings.LastIndex(s, markerStart)
	if at < 0 || !strings.HasSuffix(s, markerEnd) {
		return s, length
	}
	n, err := strconv.Atoi(s[at+len(markerStart) : len(s)-len(markerEnd)])
	if err != nil || n <= length {
		return s, length
	}
	return s[:at], n
}

// length is how long s is.
func (u Unit) length(s string) int {
	if u == UnitBytes {
		return len(s)
	}
	n := 0
	for k := 0; k < len(s); {
		size, units := u.step(s[k:])
		k, n = k+size, n+units
	}
	return n
}

// offset is the byte offset of the longest prefix of s of at most n units.
func (u Unit) offset(s string, n int) int {
	if u == UnitBytes {
		return min(n, len(s))
	}
	k := 0
	for k < len(s) {
		size, units := u.step(s[k:])
		if n -= units; n < 0 {
			break
		}
		k += size
	}
	return k
}

// step is the first character of s: its bytes and its units.
func (u Unit) step(s string) (size, units int) {
	if s[0] < utf8.RuneSelf {
		return 1, 1
	}
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case r == utf8.RuneError && size == 1:
		return SurrogateLen(s), 1
	case r > 0xFFFF && u == UnitUTF16:
		return size, 2
	}
	return size, 1
}
