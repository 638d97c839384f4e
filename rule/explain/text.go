package explain

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// An error text reaches its reader through logs, terminals and other services, each of which
// escapes, quotes, colours or wraps it. This file undoes that without parsing: what is left to
// compare is the words.

// maxText is how much of a text is looked at. Offsets have to fit 32 bits, and no error message is
// this long.
const maxText = 16 << 20

// view is one text in the two forms that the explanation works on.
type view struct {
	plain  string  // unescaped, uncoloured, white space runs as one space
	folded string  // plain in lower case, without white space and quotes
	at     []int32 // the offset in plain of each byte of folded

	hosts map[int]surroundings // what hostsIn found
}

func newView(text string) *view {
	if len(text) > maxText {
		text = text[:maxText]
	}
	text = unescape(text)
	v := &view{}
	plain := make([]byte, 0, len(text))
	folded := make([]byte, 0, len(text))
	v.at = make([]int32, 0, len(text))
	for i := 0; i < len(text); {
		if text[i] == esc {
			i += sequence(text[i:])
			continue
		}
		r, n := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(text[i:])
		}
		switch {
		case r == 0 || invisible(r):
		case blank(r):
			if len(plain) > 0 && plain[len(plain)-1] != ' ' {
				plain = append(plain, ' ')
			}
		default:
			if !quoteMark(r) {
				folded = appendFolded(folded, text[i:i+n])
				for range n {
					v.at = append(v.at, int32(len(plain)))
				}
			}
			plain = append(plain, text[i:i+n]...)
		}
		i += n
	}
	v.plain, v.folded = string(plain), string(folded)
	return v
}

// fold brings a text of the catalogue into the form of view.folded. Catalogue texts are as the
// provider sent them, with nothing to unescape.
func fold(s string) string {
	var b []byte
	for i, r := range s {
		if !blank(r) && !quoteMark(r) {
			b = appendFolded(b, s[i:i+utf8.RuneLen(r)])
		}
	}
	return string(b)
}

func appendFolded(b []byte, s string) []byte {
	if c := s[0]; len(s) == 1 && 'A' <= c && c <= 'Z' {
		return append(b, c+'a'-'A')
	}
	return append(b, s...)
}

// offset returns the place in plain of the byte i of folded, which may be one past the last.
func (v *view) offset(i int) int {
	if i < len(v.at) {
		return int(v.at[i])
	}
	return len(v.plain)
}

// end returns the place in plain after the byte before i of folded.
func (v *view) end(i int) int {
	if i == 0 {
		return 0
	}
	start := v.offset(i - 1)
	_, n := utf8.DecodeRuneInString(v.plain[start:])
	return start + n
}

// quoteMark reports whether r is dropped from comparison: relays change one kind of quote into
// another, and Markdown eats backticks and asterisks.
func quoteMark(r rune) bool {
	switch r {
	case '"', '\'', '`', '*', '\\', '‘', '’', '“', '”', '«', '»':
		return true
	}
	return false
}

// blank reports whether r separates words: white space, control characters, and the frames that
// terminals draw.
func blank(r rune) bool {
	if r < utf8.RuneSelf {
		return r <= ' ' || r == 0x7f
	}
	return unicode.IsSpace(r) || 0x80 <= r && r < 0xa0 || 0x2500 <= r && r < 0x25a0 || r == '⎿'
}

func invisible(r rune) bool {
	return r >= utf8.RuneSelf && (0x200b <= r && r <= 0x200f || r == 0xfeff || r == 0x00ad)
}

const esc = 0x1b

// maxSequence bounds the search for the end of a terminal control sequence.
const maxSequence = 256

// sequence returns the length of the terminal control sequence that s begins with.
func sequence(s string) int {
	limit := min(len(s), maxSequence)
	if limit < 2 {
		return 1
	}
	switch s[1] {
	case '[': // CSI: parameters, then one final byte
		for i := 2; i < limit; i++ {
			if 0x40 <= s[i] && s[i] <= 0x7e {
				return i + 1
			}
			if s[i] < ' ' {
				return i
			}
		}
	case ']': // OSC: up to BEL or ESC \
		for i := 2; i < limit; i++ {
			if s[i] == 0x07 {
				return i + 1
			}
			if s[i] == esc {
				return i
			}
		}
	}
	return 1
}

// unescape undoes backslash escapes of any depth and the HTML entities of quotes and brackets. A
// run of backslashes is undone together with what it escapes, however long it is, so that JSON in
// JSON in JSON needs one pass.
func unescape(s string) string {
	i := strings.IndexAny(s, `\&`)
	if i < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for {
		b = append(b, s[:i]...)
		s = s[i:]
		if s == "" {
			return string(b)
		}
		var n int
		if s[0] == '\\' {
			b, n = appendEscape(b, s)
		} else {
			b, n = appendEntity(b, s)
		}
		s = s[n:]
		if i = strings.IndexAny(s, `\&`); i < 0 {
			i = len(s)
		}
	}
}

// appendEscape appends what the backslashes at the start of s and the bytes after them mean,
// and returns how many bytes that were.
func appendEscape(b []byte, s string) ([]byte, int) {
	n := 0
	for n < len(s) && s[n] == '\\' {
		n++
	}
	if n == len(s) {
		return b, n
	}
	switch c := s[n]; c {
	case 'n', 'r', 't', 'f':
		return append(b, ' '), n + 1
	case 'u':
		if r, ok := number(s, n+1, 4, 16); ok {
			return utf8.AppendRune(b, r), n + 5
		}
	case 'x':
		if r, ok := number(s, n+1, 2, 16); ok && r < utf8.RuneSelf {
			return utf8.AppendRune(b, r), n + 3
		}
	case '0':
		if r, ok := number(s, n, 3, 8); ok && r < utf8.RuneSelf {
			return utf8.AppendRune(b, r), n + 3
		}
	}
	return b, n
}

// number reads the digits s[at:at+size] in the given base.
func number(s string, at, size, base int) (rune, bool) {
	if at+size > len(s) {
		return 0, false
	}
	u, err := strconv.ParseUint(s[at:at+size], base, 32)
	return rune(u), err == nil
}

// entities are the HTML entities of characters that error texts hold.
var entities = []struct {
	name string
	char byte
}{
	{"&quot;", '"'}, {"&#34;", '"'}, {"&#39;", '\''}, {"&#x27;", '\''}, {"&apos;", '\''},
	{"&#96;", '`'}, {"&#x60;", '`'},
	{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'},
}

func appendEntity(b []byte, s string) ([]byte, int) {
	for _, e := range entities {
		if strings.HasPrefix(s, e.name) {
			return append(b, e.char), len(e.name)
		}
	}
	return append(b, s[0]), 1
}
