package preflight

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/internal/shorten"
)

// This file tests the shortening of texts and JSON values: within the limit in every unit, never
// through a character, idempotent, and nothing opaque touched.

var units = []Unit{UnitUTF16, UnitRunes, UnitBytes}

// lengthIn counts by other means than the code under test. A half surrogate (three bytes of WTF-8)
// counts as one.
func lengthIn(u Unit, s string) int {
	if u == UnitBytes {
		return len(s)
	}
	var runes []rune
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		if len(s) >= 3 && s[0] == 0xED && 0xA0 <= s[1] && s[1] <= 0xBF && s[2]&0xC0 == 0x80 {
			size = 3
		}
		runes, s = append(runes, r), s[size:]
	}
	if u == UnitRunes {
		return len(runes)
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
		unit := rapid.SampledFrom(units).Draw(t, "unit")
		limit := rapid.IntRange(1, 120).Draw(t, "limit")
		c := newCutter((&Options{Unit: unit}), limit)
		short, cut := c.Text(s)
		if !cut {
			if short != s || lengthIn(unit, s) > limit {
				t.Fatalf("%q stayed", s)
			}
			return
		}
		if n := lengthIn(unit, short); n > limit {
			t.Fatalf("%q has %d %s, over %d", short, n, unit, limit)
		}
		if again, twice := c.Text(short); twice || again != short {
			t.Fatalf("%q became %q", short, again)
		}
		if utf8.ValidString(s) != utf8.ValidString(short) && utf8.ValidString(s) {
			t.Fatalf("%q is not valid UTF-8", short)
		}
		smaller := newCutter((&Options{Unit: unit}), max(limit/2, 1))
		once, _ := smaller.Text(short)
		if again, _ := smaller.Text(once); again != once || lengthIn(unit, once) > smaller.Limit {
			t.Fatalf("cutting a cut text: %q, %q", once, again)
		}
	})
}

func TestTruncateTextNeverSplitsACharacter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := drawText(t)
		s := strings.Join(list, "")
		ends := map[int]bool{0: true}
		at := 0
		for _, ch := range list {
			at += len(ch)
			ends[at] = true
		}
		unit := rapid.SampledFrom(units).Draw(t, "unit")
		limit := rapid.IntRange(1, 200).Draw(t, "limit")
		keep, _, cut := newCutter((&Options{Unit: unit}), limit).Split(s)
		if cut && !ends[keep] {
			t.Fatalf("cut %q at %d, inside of a character", s, keep)
		}
		for n := range len(s) + 1 {
			if b := shorten.GraphemeBoundary(s, n); b > n || !ends[b] {
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
		require.Equal(t, want, shorten.GraphemeBoundary(s, first), "%+q", s)
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
			require.Equal(t, want, shorten.GraphemeBoundary(s, n), "%s at %d", s, n)
		}
	}
}

func TestTruncateText(t *testing.T) {
	long := strings.Repeat("x", 10000)
	for _, c := range []struct {
		reason, in string
		limit      int
		options    Options
		want       string
	}{
		{"the limit includes the marker", long, 500, Options{},
			strings.Repeat("x", 463) + "… [truncated, original length: 10000]"},
		{"what fits stays", strings.Repeat("x", 500), 500, Options{}, strings.Repeat("x", 500)},
		{"a limit of the marker keeps the marker", long, 37, Options{},
			"… [truncated, original length: 10000]"},
		{"a smaller limit keeps text and an ellipsis", long, 10, Options{}, "xxxxxxxxx…"},
		{"one unit is an ellipsis", long, 1, Options{}, "…"},
		{"two bytes hold no ellipsis", "abcdef", 2, Options{Unit: UnitBytes}, "ab"},
		{"three bytes hold one", "abcdef", 3, Options{Unit: UnitBytes}, "…"},
		{"emoji are two UTF-16 units", strings.Repeat("😀", 100), 50, Options{},
			strings.Repeat("😀", 7) + "… [truncated, original length: 200]"},
		{"and one rune", strings.Repeat("😀", 100), 50, Options{Unit: UnitRunes},
			strings.Repeat("😀", 15) + "… [truncated, original length: 100]"},
		{"and four bytes", strings.Repeat("😀", 100), 50, Options{Unit: UnitBytes},
			strings.Repeat("😀", 3) + "… [truncated, original length: 400]"},
		{"the first length is remembered",
			"abc" + strings.Repeat("x", 50) + "… [truncated, original length: 10000]", 40,
			Options{}, "abc… [truncated, original length: 10000]"},
		{"a marker that cannot be ours is text",
			strings.Repeat("x", 100) + "… [truncated, original length: 5]", 40, Options{},
			strings.Repeat("x", 5) + "… [truncated, original length: 133]"},
		{"a family stays together", "ab👩\u200d👩\u200d👧\u200d👦" + strings.Repeat("x", 50), 6,
			Options{}, "ab…"},
		{"a plugged boundary decides", "one two three four", 10,
			Options{
				Boundary: func(s string, n int) int { return strings.LastIndexByte(s[:n], ' ') },
			}, "one two…"},
		{"a wrong answer is corrected", "ééééééééé", 5,
			Options{Unit: UnitBytes, Boundary: func(string, int) int { return 1 << 30 }}, "é…"},
		{"so is a negative one", "abcdef", 4,
			Options{Boundary: func(string, int) int { return -1 }}, "…"},
		{"an answer inside of a rune goes to its start", "aéééééééé", 8,
			Options{Unit: UnitBytes, Boundary: func(string, int) int { return 4 }}, "aé…"},
		{"bytes that start no rune are never kept for it", strings.Repeat("\x80", 50), 5, Options{},
			"…"},
		{"a text of no more than the limit stays, however many bytes it has",
			strings.Repeat("é", 50), 50, Options{}, strings.Repeat("é", 50)},
		{"one more is cut", strings.Repeat("é", 51), 50, Options{},
			strings.Repeat("é", 16) + "… [truncated, original length: 51]"},
		{"a replacement character is one character", strings.Repeat("\ufffd", 50), 50, Options{},
			strings.Repeat("\ufffd", 50)},
		{"the last character of one UTF-16 unit", strings.Repeat("\uffff", 50), 50, Options{},
			strings.Repeat("\uffff", 50)},
		{"the first of two", strings.Repeat("\U00010000", 26), 50, Options{},
			strings.Repeat("\U00010000", 8) + "… [truncated, original length: 52]"},
		{"no limit", long, 0, Options{}, long},
		{"a marker with nothing before it", "… [truncated, original length: 10000]", 36, Options{},
			"…"},
		{"a marker that claims no more than is there is text",
			strings.Repeat("x", 68) + "… [truncated, original length: 100]", 40, Options{},
			strings.Repeat("x", 5) + "… [truncated, original length: 103]"},
		{"so is one that claims what is there",
			strings.Repeat("x", 65) + "… [truncated, original length: 100]", 40, Options{},
			strings.Repeat("x", 5) + "… [truncated, original length: 100]"},
		{"also where there is no room for another", "ab… [truncated, original length: 36]", 20,
			Options{}, "ab… [truncated, ori…"},
		{"so is one with words after it",
			strings.Repeat("x", 60) + "… [truncated, original length: 10000] and so on", 40,
			Options{}, strings.Repeat("x", 5) + "… [truncated, original length: 107]"},
		{"so is one without a number",
			strings.Repeat("x", 60) + "… [truncated, original length: many]", 40, Options{},
			strings.Repeat("x", 6) + "… [truncated, original length: 96]"},
		{"what is kept as a whole needs no boundary", "a b… [truncated, original length: 10000]",
			40,
			Options{
				Boundary: func(s string, n int) int { return strings.LastIndexByte(s[:n], ' ') },
			}, "a b… [truncated, original length: 10000]"},
	} {
		t.Run(c.reason, func(t *testing.T) {
			got, _ := newCutter(&c.options, c.limit).Text(c.in)
			require.Equal(t, c.want, got)
		})
	}
}

// drawJSON draws a JSON value with long and short strings, escapes, numbers that must keep their
// spelling, opaque keys.
func drawJSON(t *rapid.T, depth int) string {
	kind := rapid.IntRange(0, 6).Draw(t, "kind")
	if depth == 0 && kind > 3 {
		kind = 0
	}
	switch kind {
	case 0, 1:
		piece := rapid.SampledFrom([]string{
			"x", "漢", `\n`, `\u00e9`, `\ud83d\ude00`, `\ud83d`, "😀", `\"`, "e\u0301",
		}).
			Draw(t, "piece")
		return `"` + strings.Repeat(piece, rapid.IntRange(0, 90).Draw(t, "times")) + `"`
	case 2:
		return rapid.SampledFrom([]string{
			"12345678901234567890", "1.0", "true", "null", "-0e5",
		}).
			Draw(t, "scalar")
	case 3:
		return `"data:image/png;base64,` + strings.Repeat("QUJD", 30) + `"`
	case 4:
		var list []string
		for range rapid.IntRange(0, 6).Draw(t, "elements") {
			list = append(list, drawJSON(t, depth-1))
		}
		return "[" + strings.Join(list, " ,") + "]"
	}
	var list []string
	for k := range rapid.IntRange(0, 6).Draw(t, "members") {
		key := rapid.SampledFrom([]string{
			"text", "encrypted_content", "signature", "data", "n", "path",
		}).
			Draw(t, "key") + strconv.Itoa(k)
		if rapid.Bool().Draw(t, "bare") {
			key = key[:len(key)-1]
		}
		list = append(list, strconv.Quote(key)+": "+drawJSON(t, depth-1))
	}
	return "{" + strings.Join(list, ",") + "}"
}

// sealedValues are the raw values under opaque keys, in order, and all data URLs.
func sealedValues(raw []byte) []string {
	var out []string
	var walk func(v jsonscan.Value)
	walk = func(v jsonscan.Value) {
		if v.Kind() == jsonscan.String && strings.HasPrefix(v.Str(), "data:") {
			out = append(out, string(v.Raw()))
		}
		for m := v.First(); m.Exists(); m = m.Next() {
			if key := m.Key().Str(); strings.HasPrefix(key, "encrypted") || key == "signature" {
				out = append(out, string(m.Raw()))
			} else {
				walk(m)
			}
		}
	}
	doc, err := jsonscan.Parse(raw)
	if err != nil {
		return nil
	}
	walk(doc.Root())
	return out
}

func longestString(u Unit, v jsonscan.Value) int {
	most := 0
	if v.Kind() == jsonscan.String && !strings.HasPrefix(v.Str(), "data:") {
		most = lengthIn(u, v.Str())
	}
	for m := v.First(); m.Exists(); m = m.Next() {
		if v.Kind() != jsonscan.Object || !shorten.IsOpaqueMember(v, m) {
			most = max(most, longestString(u, m))
		}
	}
	return most
}

// proveShortening holds the two ways of shortening JSON to what they promise.
func proveShortening(t interface{ Fatalf(string, ...any) }, raw []byte, unit Unit, limit int) {
	c := newCutter((&Options{Unit: unit}), limit)
	for name, shorten := range map[string]func(shorten.Cutter, []byte) []byte{
		"strings": shorten.Cutter.Strings,
		"shrink":  shorten.Cutter.Fit,
	} {
		before := string(raw)
		short := shorten(c, raw)
		if string(raw) != before {
			t.Fatalf("%s wrote to its input", name)
		}
		if short == nil {
			short = raw
		}
		doc, err := jsonscan.Parse(short)
		if err != nil {
			t.Fatalf("%s made %s of %s: %v", name, short, raw, err)
		}
		given, err := jsonscan.Parse(raw)
		if err != nil {
			t.Fatalf("not JSON: %s", raw)
		}
		if doc.Root().Kind() != given.Root().Kind() {
			t.Fatalf("%s made %s of %s", name, short, raw)
		}
		if again := shorten(c, short); again != nil {
			t.Fatalf("%s again made %s\nof %s\nof %s", name, again, short, raw)
		}
		if again := shorten(newCutter((&Options{Unit: unit}), limit*2), short); again != nil {
			t.Fatalf("%s to twice the limit made %s\nof %s\nof %s", name, again, short, raw)
		}
		a, b := strings.Join(sealedValues(raw), "|"), strings.Join(sealedValues(short), "|")
		if a != b {
			t.Fatalf("%s touched what is opaque: %s became %s", name, a, b)
		}
		if n := longestString(unit, doc.Root()); name == "strings" && n > limit {
			t.Fatalf("%s left %d %s: %s", name, n, unit, short)
		}
	}
}

func TestTruncateJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := drawJSON(t, 4)
		proveShortening(t, []byte(raw), rapid.SampledFrom(units).Draw(t, "unit"),
			rapid.IntRange(1, 300).Draw(t, "limit"))
	})
}

func TestTruncateJSONKeepsSpelling(t *testing.T) {
	c := newCutter((&Options{}), 40)
	in := `{"b":1.0, "a":"\u0041\ud83d\/` + strings.Repeat(`\u00e9`, 50) +
		`","n":12345678901234567890}`
	require.Equal(t,
		`{"b":1.0, "a":"\u0041\ud83d\/\u00e9\u00e9\u00e9… [truncated, original length: 53]",`+
			`"n":12345678901234567890}`, string(c.Strings([]byte(in))))
}

// TestSpelled: where the first bytes of a text end in the string of JSON that spells it. A half of
// a surrogate pair is three bytes.
func TestSpelled(t *testing.T) {
	for _, c := range []struct {
		token string
		text  int
		want  int
	}{
		{`"abc"`, 0, 1},
		{`"abc"`, 2, 3},
		{`"\n\"\\x"`, 1, 3}, {`"\n\"\\x"`, 3, 7}, {`"\n\"\\x"`, 4, 8},
		{`"\u0041b"`, 1, 7},
		{`"\u00e9b"`, 2, 7}, {`"\u00E9b"`, 2, 7}, {`"\u007Fb"`, 1, 7}, {`"\u0080b"`, 2, 7},
		{`"\u07ffb"`, 2, 7}, {`"\u0800b"`, 3, 7}, {`"\uffFFb"`, 3, 7}, {`"\uaAbBb"`, 3, 7},
		{`"\u0a9Ab"`, 3, 7},
		{`"\ud83d\ude00"`, 4, 13}, {`"\ud83d\ude00b"`, 4, 13}, {`"\uD83D\uDE00b"`, 5, 14},
		{`"\ud800\udc00b"`, 4, 13}, {`"\udbff\udfffb"`, 4, 13}, // the first and the last pair
		{`"\ud7ff\udc00b"`, 3, 7}, {`"\ud7ff\udc00b"`, 6, 13},
		{`"\ud83d\udbffb"`, 3, 7}, {`"\ud83d\ue000b"`, 3, 7}, {`"\udc00\udc00b"`, 3, 7},
		{`"\udfff\udc00b"`, 3, 7}, {`"\ue000\udc00b"`, 3, 7},
		{`"\ud83dxxxxxx"`, 3, 7}, {`"\ud83d\nxxxxx"`, 3, 7}, {`"\ud83d\ndc00x"`, 4, 9},
		{`"\ud83dxude00x"`, 4, 8}, {`"\ud83d"`, 3, 7},
		{`"\ud83d\ud83d\ude00"`, 3, 7}, {`"\ud83d\ud83d\ude00"`, 7, 19},
	} {
		require.Equal(t, c.want, shorten.Spelled([]byte(c.token), c.text), "%d of %s", c.text,
			c.token)
	}
}

// TestTruncateStrings: each string of a JSON value keeps to the limit, and nothing else changes.
func TestTruncateStrings(t *testing.T) {
	x := func(n int) string { return strings.Repeat("x", n) }
	cut := func(n int) string {
		return x(4) + "… [truncated, original length: " + strconv.Itoa(n) + "]"
	}
	for _, c := range []struct {
		in, want string // "" for no change
		limit    int
	}{
		{`{"a":"` + x(40) + `", "n":1.0}`, ``, 40},
		{`{"a":"` + x(241) + `", "n":1.0}`, `{"a":"` + cut(241) + `", "n":1.0}`, 39},
		{`"` + x(41) + `"`, `"` + x(6) + `… [truncated, original length: 41]"`, 40},
		{`["` + x(200) + `",["` + x(200) + `",1],{"k":"` + x(200) + `"}]`,
			`["` + cut(200) + `",["` + cut(200) + `",1],{"k":"` + cut(200) + `"}]`, 39},
		{`{"signature":"` + x(200) + `","a":"` + x(200) + `"}`,
			`{"signature":"` + x(200) + `","a":"` + cut(200) + `"}`, 39},
		{`"xx"`, `"…"`, 1},
		{`"x"`, ``, 1},
		{x(200), ``, 39}, // no JSON
		{`"` + x(200) + `"`, ``, 0},
		{`"` + x(200) + `"`, ``, -1},
	} {
		require.Equal(t, c.want, string(newCutter((&Options{}), c.limit).Strings([]byte(c.in))),
			"%s to %d", c.in, c.limit)
	}
}

// TestShrink: what becomes of whole JSON values that have to fit, by the sizes that shrink
// documents.
func TestShrink(t *testing.T) {
	x := func(n int) string { return strings.Repeat("x", n) }
	numbers := func(n int) string { return strings.TrimSuffix(strings.Repeat("7,", n), ",") }
	mark := func(n int) string {
		return `{"__truncated":true,"__truncatedChars":` + strconv.Itoa(n) + `}`
	}
	for _, c := range []struct {
		reason, in, want string // "" for no change
		limit            int
	}{
		{"what fits stays", `{"a":"` + x(92) + `"}`, ``, 100},
		{"what has one byte too many does not", `{"a":"` + x(93) + `"}`,
			`{"a":"` + x(58) + `… [truncated, original length: 93]"}`, 100},
		{"white space is not counted", `{ "a" : "` + x(92) + `" }`, ``, 100},
		{"a string by itself", `"` + x(101) + `"`,
			`"` + x(65) + `… [truncated, original length: 101]"`, 100},
		{"a string that fits without its quotes", `"` + x(100) + `"`, ``, 100},
		{"numbers cannot become less", `[` + numbers(60) + `]`, `[` + mark(121) + `]`, 100},
		{"small collections stay", `[` + numbers(31) + `]`, ``, 10},
		{"the smallest that does not", `[` + numbers(32) + `]`, `[` + mark(65) + `]`, 10},
		{"an object becomes an object", `{"a":[` + numbers(60) + `]}`, `{"a":[` + mark(121) + `]}`,
			100},
		{"as a whole, when its members have no room",
			`{"a":"` + x(60) + `","b":"` + x(60) + `","c":"` + x(60) + `"}`, mark(202), 70},
		{"the least room each may have",
			`{"a":"` + x(60) + `","b":"` + x(60) + `","c":"` + x(60) + `"}`,
			`{"a":"` + x(19) + `…","b":"` + x(19) + `…","c":"` + x(19) + `…"}`, 82},
		{"what takes no more than its share leaves the rest to the others",
			`{"a":"` + x(20) + `","b":"` + x(60) + `","c":"` + x(60) + `"}`,
			`{"a":"` + x(20) + `","b":"` + x(20) + `…","c":"` + x(20) + `…"}`, 84},
		{"a marker is not marked again", mark(1e6) + ``, ``, 10},
		{"nor the array around one", `[` + mark(1e9) + `]`, ``, 10},
		{"an object with a member more is no marker",
			`{"__truncated":true,"__truncatedChars":1,"k":[` + numbers(40) + `]}`, mark(127), 20},
		{"a marker in another form is none",
			`{"__truncated":1,"__truncatedChars":[` + numbers(40) + `]}`, mark(118), 20},
		{"what is opaque stays, whatever it takes",
			`{"encrypted_content":"` + x(200) + `","a":"` + x(200) + `","n":[1,2]}`,
			`{"encrypted_content":"` + x(200) + `","a":"` + x(19) + `…","n":[1,2]}`, 100},
		{"and so does what it stands in", `[{"signature":"` + x(200) + `"}]`, ``, 100},
		{"even when it is base64 by itself",
			`["data:image/png;base64,` + x(200) + `",[` + numbers(60) + `]]`,
			`["data:image/png;base64,` + x(200) + `",[` + mark(121) + `]]`, 100},
		{"small members leave their share to large ones",
			`{"a":1,"b":"` + x(300) + `","c":"` + x(10) + `"}`,
			`{"a":1,"b":"` + x(34) + `… [truncated, original length: 300]","c":"` + x(10) + `"}`,
			100},
		{"no JSON", `{"a":"` + x(300), ``, 100},
		{"no limit", `"` + x(300) + `"`, ``, 0},
	} {
		t.Run(c.reason, func(t *testing.T) {
			require.Equal(t, c.want, string(newCutter((&Options{}), c.limit).Fit([]byte(c.in))))
		})
	}
}

// TestSealed: what is opaque by its key, its tool or its looks.
func TestSealed(t *testing.T) {
	for tool, want := range map[string]bool{
		"web_search":            true,
		"web_fetch_tool_result": true,
		"my_web_search_2":       true,
		"code_execution":        false,
		"search":                false,
		"":                      false,
	} {
		require.Equal(t, want, shorten.IsOpaque(tool), tool)
	}
	for key, want := range map[string]bool{
		"encrypted_content":         true,
		"reasoningEncryptedContent": true,
		"signature":                 true,
		"thoughtSignature":          true,
		"redacted_thinking":         true,
		"Redacted":                  true,
		"signatures":                false,
		"is_redacted":               false,
		"text":                      false,
		"":                          false,
	} {
		require.Equal(t, want, shorten.IsOpaqueKey(key), key)
	}
	for in, want := range map[string]bool{
		`{"v":"QUJD"}`: false, `{"data":"QUJD"}`: true, `{"Data":"QUJD"}`: true,
		`{"blob":"QUJD"}`: true, `{"fileBase64":"QUJD"}`: true, `{"b64_json":"QUJD"}`: true,
		`{"database":"QUJD"}`: false, `{"metadata":"QUJD"}`: false,
		`{"v":"QUJD","type":"base64"}`: true, `{"v":"QUJD","encoding":"base64"}`: true,
		`{"v":"QUJD","type":"text"}`: false,
		`{"data":"not it"}`:          false, `{"data":""}`: false, `{"data":["QUJD"]}`: false,
		`{"data":"azAZ09+/-_=\r\n"}`: true, `{"data":"a.b"}`: false, `{"data":"a@b"}`: false,
		`{"data":"a[b"}`: false, "{\"data\":\"a`b\"}": false, `{"data":"a{b"}`: false,
		`{"data":"a:b"}`:             false,
		`{"signature":["whatever"]}`: true,
	} {
		doc, err := jsonscan.Parse([]byte(in))
		require.NoError(t, err, in)
		require.Equal(t, want, shorten.IsOpaqueMember(doc.Root(), doc.Root().First()), in)
	}
	for s, want := range map[string]bool{
		"data:image/png;base64,QUJD": true, "data:;base64,QUJD": true,
		"data:image/png;base64,": false, "data:image/png;base64,not it": false,
		"data:text/plain,QUJD": false, "data:": false, "see data:;base64,QUJD": false,
		"data:" + strings.Repeat("x", 243) + ";base64,QUJD": true,
		"data:" + strings.Repeat("x", 244) + ";base64,QUJD": false, // a media type has its limits
		"iVBORw0KGgoQUJD": true, "/9j/QUJD": true, "R0lGODQUJD": true, "UklGRQUJD": true,
		"JVBERi0QUJD": true, "/9j/ is how a JPEG file starts": false, "QUJD": false, "": false,
	} {
		require.Equal(t, want, shorten.IsBase64Text(s), s)
	}
}

// TestShrinkSharesTheBudget: of several values that are too long, each keeps its beginning, and
// short ones stay whole.
func TestShrinkSharesTheBudget(t *testing.T) {
	c := newCutter((&Options{}), 300)
	short := c.Fit([]byte(`{"id":7,"a":"` + strings.Repeat("a", 400) + `","path":"/x","b":"` +
		strings.Repeat("b", 400) + `"}`))
	require.Regexp(t,
		`^\{"id":7,"a":"a{50,}… \[truncated, original length: 400\]","path":"/x","b":"b{50,`+
			`}… \[truncated, original length: 400\]"\}$`, string(short))
	require.LessOrEqual(t, lengthIn(UnitUTF16, string(short)), 300)
}

func TestTruncateJSONLeavesBase64Alone(t *testing.T) {
	c := newCutter((&Options{}), 20)
	base64 := strings.Repeat("QUJD", 50)
	for _, in := range []string{
		`{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` + base64 +
			`"}}`,
		`{"encoding":"base64","content":"` + base64 + `"}`,
		`{"b64_json":"` + base64 + `"}`,
		`["data:image/png;base64,` + base64 + `"]`,
		`{"text":"iVBORw0KGgo` + base64 + `"}`,
	} {
		require.Nil(t, c.Strings([]byte(in)), in)
		require.Nil(t, c.Fit([]byte(in)), in)
	}
	require.NotNil(t, c.Strings([]byte(`{"data":"`+strings.Repeat("plain words ", 20)+`"}`)),
		"prose is no base64, whatever its key")
}

func TestTruncateDeepNesting(t *testing.T) {
	for _, depth := range []int{10, 500, 100000} {
		in := []byte(strings.Repeat("[", depth) + `"` + strings.Repeat("x", 1000) + `"` +
			strings.Repeat("]", depth))
		proved := newCutter((&Options{}), 100)
		proved.Strings(in)
		if short := proved.Fit(in); short != nil {
			require.True(t, json.Valid(short))
		}
	}
}

func TestTruncateSkipsRunningCalls(t *testing.T) {
	long := json.RawMessage(`{"code":"` + strings.Repeat("c", 900) + `"}`)
	call := func() Part {
		return &ToolCall{
			ID:   "srvtoolu_1",
			Name: "code_execution", Input: long, ProviderExecuted: true,
		}
	}
	answer := &ToolResult{
		CallID: "srvtoolu_1", ProviderExecuted: true,
		Output: json.RawMessage(`{}`),
	}
	in := []Message{
		{Role: RoleAssistant, Parts: []Part{call(), answer}},
		{Role: RoleUser, Parts: []Part{&Text{Text: "again"}}},
		{Role: RoleAssistant, Parts: []Part{call()}},
	}
	out, warnings := TruncateProviderExecuted.Apply(in, nil,
		&Options{MaxString: 100, TruncateInputs: true})
	require.Len(t, warnings, 1, "the second call with the id is still running")
	require.Less(t, len(out[0].Parts[0].(*ToolCall).Input), 200)
	require.Same(t, in[2].Parts[0], out[2].Parts[0])
}

func TestTruncateKeepOutputs(t *testing.T) {
	long := json.RawMessage(`{"code":"` + strings.Repeat("c", 900) + `"}`)
	in := []Message{
		{
			Role: RoleAssistant,
			Parts: []Part{
				&ToolCall{
					ID:   "srvtoolu_1",
					Name: "code_execution", Input: long, ProviderExecuted: true,
				},
				&ToolResult{CallID: "srvtoolu_1", ProviderExecuted: true, Output: long},
			},
		},
	}
	out, warnings := TruncateProviderExecuted.Apply(in, nil,
		&Options{MaxString: 100, TruncateInputs: true, KeepOutputs: true})
	require.Len(t, warnings, 1)
	require.Less(t, len(out[0].Parts[0].(*ToolCall).Input), 200)
	require.Same(t, in[0].Parts[1], out[0].Parts[1])
}

// TestTruncateContent: text in the result of a provider's tool is shortened like its output.
func TestTruncateContent(t *testing.T) {
	in := []Message{
		{
			Role: RoleAssistant,
			Parts: []Part{
				&ToolCall{
					ID:      "mcptoolu_1",
					Name:    "search",
					Input:   json.RawMessage(`{}`),
					Variant: "mcp", ProviderExecuted: true,
				},
				&ToolResult{
					CallID: "mcptoolu_1", Variant: "mcp", ProviderExecuted: true,
					Content: []Part{&Text{Text: strings.Repeat("c", 900)}, &Text{Text: "short"}},
				},
			},
		},
	}
	out, warnings := TruncateProviderExecuted.Apply(in, nil, &Options{MaxString: 100})
	require.Len(t, warnings, 1)
	content := out[0].Parts[1].(*ToolResult).Content
	require.Equal(t, 100, lengthIn(UnitUTF16, content[0].(*Text).Text))
	require.Equal(t, "short", content[1].(*Text).Text)
}

func FuzzTruncateText(f *testing.F) {
	for _, s := range characters {
		f.Add(strings.Repeat(s, 30), 40, uint8(0))
	}
	f.Add("\xed\xa0\xbd\xed\xa0\xbd… [truncated, original length: 99999]", 20, uint8(1))
	f.Fuzz(func(t *testing.T, s string, limit int, unit uint8) {
		c := newCutter((&Options{Unit: units[int(unit)%len(units)]}), limit)
		short, cut := c.Text(s)
		if again, twice := c.Text(short); twice || again != short {
			t.Fatalf("%q became %q", short, again)
		}
		if cut && lengthIn(c.Unit, short) > limit || !cut && short != s {
			t.Fatalf("%q became %q", s, short)
		}
	})
}

func FuzzTruncateJSON(f *testing.F) {
	f.Add([]byte(`{"a":"`+strings.Repeat("😀", 40)+`","encrypted_content":"`+
		strings.Repeat("e", 99)+`"}`), 30, uint8(0))
	f.Add([]byte(`[[1,2,3],{"__truncated":true,"__truncatedChars":5}]`), 5, uint8(2))
	f.Add([]byte(`{"a":"\ud83d\ude00\ud83d`+strings.Repeat(`\n`, 90)+`"}`), 50, uint8(1))
	f.Fuzz(func(t *testing.T, raw []byte, limit int, unit uint8) {
		if _, err := jsonscan.Parse(raw); err != nil || limit < 1 || limit > 1<<20 {
			return
		}
		proveShortening(t, raw, units[int(unit)%len(units)], limit)
	})
}
