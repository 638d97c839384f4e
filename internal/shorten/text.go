package shorten

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-preflight/preflight/internal/validtext"
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

// Unit is the unit in which the length of a text is counted.
type Unit string

// The units. A lone surrogate counts as one UTF-16 unit and one rune; any other byte that is not
// valid UTF-8 counts as one in every unit.
const (
	UnitUTF16 Unit = ""      // UTF-16 code units, as JavaScript and Java count: 😀 is 2
	UnitRunes Unit = "runes" // Unicode code points: 😀 is 1
	UnitBytes Unit = "bytes" // bytes of UTF-8: 😀 is 4
)

// Boundary returns the greatest offset of at most n, in bytes, at which s can be cut without
// splitting a character, or 0 when there is none. It must be pure. The default is GraphemeBoundary;
// a caller with a complete table for UAX #29 can use that instead. An offset above n or inside a
// rune is corrected downwards.
type Boundary func(s string, n int) int

const (
	ellipsis    = "…"
	markerStart = "… [truncated, original length: "
	markerEnd   = "]"
)

// Cutter shortens texts to a limit, which includes the marker.
type Cutter struct {
	Limit    int
	Unit     Unit
	Boundary Boundary
}

// Text returns s, shortened if it is longer than the limit.
func (c Cutter) Text(s string) (short string, cut bool) {
	keep, tail, cut := c.Split(s)
	if !cut {
		return s, false
	}
	return s[:keep] + tail, true
}

// Split returns how many bytes of s to keep and the text to append. A text that was cut before
// loses more of its content, and its marker keeps the original length. If the limit has no room for
// the marker, tail is an ellipsis, or empty if there is no room for that either.
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

// place returns the offset at which to cut content so that at most room units are kept.
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

// unmarked returns s without the marker of an earlier cut, and its original length. A marker that
// states a length of at most the current one is not a marker of preflight.
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

// length returns the length of s in the unit.
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

// offset returns the length in bytes of the longest prefix of s with at most n units.
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

// step returns the size of the first character of s in bytes and in units.
func (u Unit) step(s string) (size, units int) {
	if s[0] < utf8.RuneSelf {
		return 1, 1
	}
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case r == utf8.RuneError && size == 1:
		return validtext.SurrogateLen(s), 1
	case r > 0xFFFF && u == UnitUTF16:
		return size, 2
	}
	return size, 1
}
