package shorten

import (
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// This file tests the shortening of texts: within the limit, never through a
// character, idempotent.

// lengthIn counts by other means than the code under test. A half surrogate (three bytes of WTF-8)
// counts as one.
func lengthOf(s string) int {
	var runes []rune
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		if len(s) >= 3 && s[0] == 0xED && 0xA0 <= s[1] && s[1] <= 0xBF && s[2]&0xC0 == 0x80 {
			size = 3
		}
		runes, s = append(runes, r), s[size:]
	}
	return len(utf16.Encode(runes))
}

// characters that must not be taken apart, and some that may be anywhere.
var characters = []string{
	"a", "b", " ", "\n", "\r\n", "é", "e\u0301", "o\u0308\u0323", "漢", "字", "한",
	"\u1112\u1161\u11ab", "가\u11a8", "나\u1161\u11a8", "😀", "👍🏽",
	"👩\u200d👩\u200d👧\u200d👦", "🏳\ufe0f\u200d🌈", "❤\ufe0f", "🇩🇪", "🇯🇵", "🇺🇸", "क\u094dष", "กำ",
	"\u0600" + "5", "🏴\U000E0067\U000E0062\U000E007F",
}

// newCutter returns a cutter at the boundaries of graphemes that keeps both ends of a text.
func newCutter(limit int) Cutter {
	return Cutter{Limit: limit, Boundary: GraphemeBoundary}
}

// headCutter returns a cutter at the boundaries of graphemes that keeps the beginning of a text.
func headCutter(limit int) Cutter {
	return Cutter{Limit: limit, Boundary: GraphemeBoundary, HeadOnly: true}
}

// drawText draws a text as the list of its characters.
func drawText(t *rapid.T) []string {
	return rapid.SliceOfN(rapid.SampledFrom(characters), 0, 120).Draw(t, "characters")
}

func TestTruncateTextIsWithinTheLimitAndIdempotent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.String(),
			rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
			rapid.Map(rapid.Custom(drawText),
				func(list []string) string { return strings.Join(list, "") })).
			Draw(t, "text")
		if rapid.Bool().Draw(t, "long") {
			s = strings.Repeat(s, 20)
		}
		limit := rapid.IntRange(1, 120).Draw(t, "limit")
		c := newCutter(limit)
		c.HeadOnly = rapid.Bool().Draw(t, "head only")
		short, cut := c.Text(s)
		if !cut {
			if short != s || lengthOf(s) > limit {
				t.Fatalf("%q stayed", s)
			}
			return
		}
		if n := lengthOf(short); n > limit {
			t.Fatalf("%q has %d units, over %d", short, n, limit)
		}
		if again, twice := c.Text(short); twice || again != short {
			t.Fatalf("%q became %q", short, again)
		}
		if utf8.ValidString(s) != utf8.ValidString(short) && utf8.ValidString(s) {
			t.Fatalf("%q is not valid UTF-8", short)
		}
		smaller := newCutter(max(limit/2, 1))
		smaller.HeadOnly = rapid.Bool().Draw(t, "then head only")
		once, _ := smaller.Text(short)
		if again, _ := smaller.Text(once); again != once || lengthOf(once) > smaller.Limit {
			t.Fatalf("cutting a cut text: %q, %q", once, again)
		}
	})
}

func TestTruncateTextNeverSplitsACharacter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := drawText(t)
		s := strings.Join(list, "")
		ends := map[int]bool{0: true}
		end := 0
		for _, ch := range list {
			end += len(ch)
			ends[end] = true
		}
		limit := rapid.IntRange(1, 200).Draw(t, "limit")
		cutter := newCutter(limit)
		cutter.HeadOnly = rapid.Bool().Draw(t, "head only")
		cut, long := cutter.Split(s)
		if long && (!ends[cut.Head] || !ends[cut.Tail] || cut.Head >= cut.Tail) {
			t.Fatalf("cut %q at %d and %d, inside of a character", s, cut.Head, cut.Tail)
		}
		if cutter.HeadOnly && long && cut.Tail != len(s) {
			t.Fatalf("kept the end of %q from %d", s, cut.Tail)
		}
		for n := range len(s) + 1 {
			if b := GraphemeBoundary(s, n); b > n || !ends[b] {
				t.Fatalf("boundary of %q at %d is %d", s, n, b)
			}
		}
	})
}

// TestGraphemeBoundaryBetweenTwo: where two characters may be parted, by the rules GB3 to GB13 of
// UAX #29 (https://www.unicode.org/reports/tr29/). The ends of the ranges are those of
// GraphemeBreakProperty.txt.
func TestGraphemeBoundaryBetweenTwo(t *testing.T) {
	whole := []string{
		// GB3
		"\r\n",
		// GB6
		"\u1100\u1100", "\u115F\u115F", "\u1100\u1160", "\u1100\uAC00", "\u1100\uD7A3",
		"\uA960\uA97C", "\uA97C\uA960", "\u115F\uAC00",
		// GB7
		"\uAC00\u1160", "\uD788\u11A7", "\uAC00\u11A8", "\uAC00\u11FF", "\u1160\u1160",
		"\u11A7\u11A7", "\u1160\uD7B0", "\uD7C6\uD7C6", "\uD7B0\uD7CB", "\uD7B0\uD7FB",
		"\u1160\u11A8",
		// GB8
		"\uAC01\u11A8", "\uD7A3\u11FF", "\u11A8\u11A8", "\u11FF\uD7CB", "\uD7CB\uD7FB",
		"\uD7FB\uD7CB",
		// GB9
		"a\u0300", "a\u200D", "a\u200C", "ก\u0E33", "ກ\u0EB3", "ｶ\uFF9E", "ﾊ\uFF9F", "👍\U0001F3FB",
		"👍\U0001F3FF", "🏴\U000E0020", "🏴\U000E007F", "a\uFE0F",
		"क\u0903", "\u0600\u0661", "\u06DDa", // GB9a, GB9b
		// GB9c
		"\u094D\u0937", "\u09CD\u0995", "\u0ACD\u0A95", "\u0B4D\u0B15", "\u0C4D\u0C15",
		"\u0D4D\u0D15",
		"\u200D😀",  // GB11
		"🇦🇿", "🇿🇦", // GB12
	}
	apart := []string{
		// GB4, GB5, GB999
		"ab", "\r\r", "\n\r", "\ra", "\n\u0300", "\u0000\u0300", "a\n", "\u0600\n",
		"\uAC01\u1160", "\uD7A3\u1160", "\u11A8\u1100", "\u11A8\u1160", "\uAC00\uAC00",
		"\uAC00\u1100", "\u1160\u1100", "\u1160\uAC00", "\u1100\u11A8", "\u11FF\uAC00",
		"\u10FF\u1100", "\u1100\u1200", "\u1200\u1160", "\uA95F\u1160", "\u1100\uABFF",
		"\uA97C\uA97D", "\uD7A4\u11A8", "\u1160\uD7C7", "\u1160\uD7CA", "\u1160\uD7FC",
		"\u1100\uD7A4",
		"ก\u0E32", "👍\U0001F3FA", "👍\U0001F400", "a\U000E001F", "a\U000E0080", "ｶ\uFF9D",
		"\u094D\u0995", "\u094D\u0966", "\u094Da", "a\u0937", "क\u0937",
		"🇦a", "a🇦", "🇦\U0001F200", "🇦\U0001F1E5", "\U0001F200🇦",
	}
	for k, s := range append(whole, apart...) {
		_, first := utf8.DecodeRuneInString(s)
		want := 0
		if k >= len(whole) {
			want = first
		}
		require.Equal(t, want, GraphemeBoundary(s, first), "%+q", s)
	}
	for s, ends := range map[string][]int{ // flags are counted from where their run begins
		"🇩🇪🇯🇵🇺🇸": {0, 8, 16, 24}, "a🇩🇪🇯🇵": {0, 1, 9, 17}, "🇩🇪🇯": {0, 8, 12}, "🇩": {0, 4},
		"\u200D🇩🇪🇯🇵": {0, 11, 19}, "🇩abcd🇪🇯": {0, 4, 5, 6, 7, 8, 16}, "": {0},
	} {
		for n := -1; n <= len(s)+1; n++ {
			want := 0
			for _, end := range ends {
				if end <= n {
					want = end
				}
			}
			require.Equal(t, want, GraphemeBoundary(s, n), "%s at %d", s, n)
		}
	}
}

// TestTruncateText: what stays of a text of which only the beginning is kept.
func TestTruncateText(t *testing.T) {
	long := strings.Repeat("x", 10000)
	for _, c := range []struct {
		reason, in string
		limit      int
		cutter     Cutter
		want       string
	}{
		{"the limit includes the marker", long, 500, Cutter{},
			strings.Repeat("x", 463) + "… [truncated, original length: 10000]"},
		{"what fits stays", strings.Repeat("x", 500), 500, Cutter{}, strings.Repeat("x", 500)},
		{"a limit of the marker keeps the marker", long, 37, Cutter{},
			"… [truncated, original length: 10000]"},
		{"a smaller limit keeps text and an ellipsis", long, 10, Cutter{}, "xxxxxxxxx…"},
		{"one unit is an ellipsis", long, 1, Cutter{}, "…"},
		{"emoji are two UTF-16 units", strings.Repeat("😀", 100), 50, Cutter{},
			strings.Repeat("😀", 7) + "… [truncated, original length: 200]"},
		{"the first length is remembered",
			"abc" + strings.Repeat("x", 50) + "… [truncated, original length: 10000]", 40,
			Cutter{}, "abc… [truncated, original length: 10000]"},
		{"a marker that cannot be ours is text",
			strings.Repeat("x", 100) + "… [truncated, original length: 5]", 40, Cutter{},
			strings.Repeat("x", 5) + "… [truncated, original length: 133]"},
		{"a family stays together", "ab👩\u200d👩\u200d👧\u200d👦" + strings.Repeat("x", 50), 6,
			Cutter{}, "ab…"},
		{"a plugged boundary decides", "one two three four", 10,
			Cutter{
				Boundary: func(s string, n int) int { return strings.LastIndexByte(s[:n], ' ') },
			}, "one two…"},
		{"a wrong answer is corrected", "ééééééééé", 5,
			Cutter{Boundary: func(string, int) int { return 1 << 30 }}, "éééé…"},
		{"so is a negative one", "abcdef", 4,
			Cutter{Boundary: func(string, int) int { return -1 }}, "…"},
		{"an answer inside of a rune goes to its start", "aéééééééé", 8,
			Cutter{Boundary: func(string, int) int { return 4 }}, "aé…"},
		{"bytes that start no rune are never kept for it", strings.Repeat("\x80", 50), 5, Cutter{},
			"…"},
		{"a text of no more than the limit stays, however many bytes it has",
			strings.Repeat("é", 50), 50, Cutter{}, strings.Repeat("é", 50)},
		{"one more is cut", strings.Repeat("é", 51), 50, Cutter{},
			strings.Repeat("é", 16) + "… [truncated, original length: 51]"},
		{"a replacement character is one character", strings.Repeat("\ufffd", 50), 50, Cutter{},
			strings.Repeat("\ufffd", 50)},
		{"the last character of one UTF-16 unit", strings.Repeat("\uffff", 50), 50, Cutter{},
			strings.Repeat("\uffff", 50)},
		{"the first of two", strings.Repeat("\U00010000", 26), 50, Cutter{},
			strings.Repeat("\U00010000", 8) + "… [truncated, original length: 52]"},
		{"no limit", long, 0, Cutter{}, long},
		{"a marker with nothing before it", "… [truncated, original length: 10000]", 36, Cutter{},
			"…"},
		{"a marker that claims no more than is there is text",
			strings.Repeat("x", 68) + "… [truncated, original length: 100]", 40, Cutter{},
			strings.Repeat("x", 5) + "… [truncated, original length: 103]"},
		{"so is one that claims what is there",
			strings.Repeat("x", 65) + "… [truncated, original length: 100]", 40, Cutter{},
			strings.Repeat("x", 5) + "… [truncated, original length: 100]"},
		{"also where there is no room for another", "ab… [truncated, original length: 36]", 20,
			Cutter{}, "ab… [truncated, ori…"},
		{"so is one with words after it",
			strings.Repeat("x", 60) + "… [truncated, original length: 10000] and so on", 40,
			Cutter{}, strings.Repeat("x", 5) + "… [truncated, original length: 107]"},
		{"so is one without a number",
			strings.Repeat("x", 60) + "… [truncated, original length: many]", 40, Cutter{},
			strings.Repeat("x", 6) + "… [truncated, original length: 96]"},
		{"what is kept as a whole needs no boundary", "a b… [truncated, original length: 10000]",
			40,
			Cutter{
				Boundary: func(s string, n int) int { return strings.LastIndexByte(s[:n], ' ') },
			}, "a b… [truncated, original length: 10000]"},
	} {
		t.Run(c.reason, func(t *testing.T) {
			c.cutter.Limit, c.cutter.HeadOnly = c.limit, true
			if c.cutter.Boundary == nil {
				c.cutter.Boundary = GraphemeBoundary
			}
			got, _ := c.cutter.Text(c.in)
			require.Equal(t, c.want, got)
		})
	}
}

func FuzzTruncateText(f *testing.F) {
	for _, s := range characters {
		f.Add(strings.Repeat(s, 30), 40, false)
	}
	f.Add("\xed\xa0\xbd\xed\xa0\xbd… [truncated, original length: 99999]", 20, true)
	f.Fuzz(func(t *testing.T, s string, limit int, headOnly bool) {
		c := newCutter(limit)
		c.HeadOnly = headOnly
		short, cut := c.Text(s)
		if again, twice := c.Text(short); twice || again != short {
			t.Fatalf("%q became %q", short, again)
		}
		if cut && lengthOf(short) > limit || !cut && short != s {
			t.Fatalf("%q became %q", s, short)
		}
	})
}
