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
)

// This file tests the shortening of texts and JSON values: within the limit in every unit, never through a character,
// idempotent, and nothing opaque touched.

var units = []Unit{UnitUTF16, UnitRunes, UnitBytes}

// lengthIn counts by other means than the code under test. A half surrogate (three bytes of WTF-8) counts as one.
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

// characters that must not be taken apart, and some that may stand anywhere.
var characters = []string{
	"a", "b", " ", "\n", "\r\n", "é", "e\u0301", "o\u0308\u0323", "漢", "字", "한", "\u1112\u1161\u11ab", "가\u11a8", "나\u1161\u11a8", "😀", "👍🏽",
	"👩\u200d👩\u200d👧\u200d👦", "🏳\ufe0f\u200d🌈", "❤\ufe0f", "🇩🇪", "🇯🇵", "🇺🇸", "क\u094dष", "กำ", "\u0600" + "5", "🏴\U000E0067\U000E0062\U000E007F",
}

// drawText draws a text as the list of its characters.
func drawText(t *rapid.T) []string {
	return rapid.SliceOfN(rapid.SampledFrom(characters), 0, 120).Draw(t, "characters")
}

func TestTruncateTextIsWithinTheLimitAndIdempotent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
			rapid.Map(rapid.Custom(drawText), func(list []string) string { return strings.Join(list, "") })).Draw(t, "text")
		if rapid.Bool().Draw(t, "long") {
			s = strings.Repeat(s, 20)
		}
		unit := rapid.SampledFrom(units).Draw(t, "unit")
		limit := rapid.IntRange(1, 120).Draw(t, "limit")
		c := (&Options{Unit: unit}).cutter(limit)
		short, cut := c.text(s)
		if !cut {
			if short != s || lengthIn(unit, s) > limit {
				t.Fatalf("%q stayed", s)
			}
			return
		}
		if n := lengthIn(unit, short); n > limit {
			t.Fatalf("%q has %d %s, over %d", short, n, unit, limit)
		}
		if again, twice := c.text(short); twice || again != short {
			t.Fatalf("%q became %q", short, again)
		}
		if utf8.ValidString(s) != utf8.ValidString(short) && utf8.ValidString(s) {
			t.Fatalf("%q is not valid UTF-8", short)
		}
		smaller := (&Options{Unit: unit}).cutter(max(limit/2, 1))
		once, _ := smaller.text(short)
		if again, _ := smaller.text(once); again != once || lengthIn(unit, once) > smaller.limit {
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
		keep, _, cut := (&Options{Unit: unit}).cutter(limit).split(s)
		if cut && !ends[keep] {
			t.Fatalf("cut %q at %d, inside of a character", s, keep)
		}
		for n := range len(s) + 1 {
			if b := GraphemeBoundary(s, n); b > n || !ends[b] {
				t.Fatalf("boundary of %q at %d is %d", s, n, b)
			}
		}
	})
}

// TestHangulStaysWhole: the jamo of a syllable are one character, rules GB6 to GB8 of UAX #29.
func TestHangulStaysWhole(t *testing.T) {
	for s, want := range map[string]int{ // boundaries at or before the first three bytes
		"\uB098\u11A8":       0, // an open syllable and a final consonant
		"\uAC00\u1161":       0, // an open syllable and a vowel
		"\uB098\u1161":       0,
		"\u0600\u0661":       0, // GB9b: a sign that stands before digits, and a digit
		"\uAC01\u11A8":       0, // a closed syllable and another final consonant
		"\uAC01\u1161":       3, // a closed syllable ends before a vowel
		"\u1100\u1161\u11A8": 0,
		"\u11A8\u1100":       3,
		"\uAC00\uAC00":       3,
	} {
		if at := GraphemeBoundary(s, 3); at != want {
			t.Errorf("%+q may be cut at %d, not at %d", s, at, want)
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
		{"the limit includes the marker", long, 500, Options{}, strings.Repeat("x", 463) + "… [truncated, original length: 10000]"},
		{"what fits stays", strings.Repeat("x", 500), 500, Options{}, strings.Repeat("x", 500)},
		{"a limit of the marker keeps the marker", long, 37, Options{}, "… [truncated, original length: 10000]"},
		{"a smaller limit keeps text and an ellipsis", long, 10, Options{}, "xxxxxxxxx…"},
		{"one unit is an ellipsis", long, 1, Options{}, "…"},
		{"two bytes hold no ellipsis", "abcdef", 2, Options{Unit: UnitBytes}, "ab"},
		{"three bytes hold one", "abcdef", 3, Options{Unit: UnitBytes}, "…"},
		{"emoji are two UTF-16 units", strings.Repeat("😀", 100), 50, Options{}, strings.Repeat("😀", 7) + "… [truncated, original length: 200]"},
		{"and one rune", strings.Repeat("😀", 100), 50, Options{Unit: UnitRunes}, strings.Repeat("😀", 15) + "… [truncated, original length: 100]"},
		{"and four bytes", strings.Repeat("😀", 100), 50, Options{Unit: UnitBytes}, strings.Repeat("😀", 3) + "… [truncated, original length: 400]"},
		{"the first length is remembered", "abc" + strings.Repeat("x", 50) + "… [truncated, original length: 10000]", 40, Options{}, "abc… [truncated, original length: 10000]"},
		{"a marker that cannot be ours is text", strings.Repeat("x", 100) + "… [truncated, original length: 5]", 40, Options{}, strings.Repeat("x", 5) + "… [truncated, original length: 133]"},
		{"a family stays together", "ab👩\u200d👩\u200d👧\u200d👦" + strings.Repeat("x", 50), 6, Options{}, "ab…"},
		{"a plugged boundary decides", "one two three four", 10, Options{Boundary: func(s string, n int) int { return strings.LastIndexByte(s[:n], ' ') }}, "one two…"},
		{"a wrong answer is corrected", "ééééééééé", 5, Options{Unit: UnitBytes, Boundary: func(string, int) int { return 1 << 30 }}, "é…"},
		{"so is a negative one", "abcdef", 4, Options{Boundary: func(string, int) int { return -1 }}, "…"},
	} {
		t.Run(c.reason, func(t *testing.T) {
			got, _ := c.options.cutter(c.limit).text(c.in)
			require.Equal(t, c.want, got)
		})
	}
}

// drawJSON draws a JSON value with long and short strings, escapes, numbers that must keep their spelling, opaque keys.
func drawJSON(t *rapid.T, depth int) string {
	kind := rapid.IntRange(0, 6).Draw(t, "kind")
	if depth == 0 && kind > 3 {
		kind = 0
	}
	switch kind {
	case 0, 1:
		piece := rapid.SampledFrom([]string{"x", "漢", `\n`, `\u00e9`, `\ud83d\ude00`, `\ud83d`, "😀", `\"`, "e\u0301"}).Draw(t, "piece")
		return `"` + strings.Repeat(piece, rapid.IntRange(0, 90).Draw(t, "times")) + `"`
	case 2:
		return rapid.SampledFrom([]string{"12345678901234567890", "1.0", "true", "null", "-0e5"}).Draw(t, "scalar")
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
		key := rapid.SampledFrom([]string{"text", "encrypted_content", "signature", "data", "n", "path"}).Draw(t, "key") + strconv.Itoa(k)
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
		if v.Kind() != jsonscan.Object || !isSealedMember(v, m) {
			most = max(most, longestString(u, m))
		}
	}
	return most
}

// proveShortening holds the two ways of shortening JSON to what they promise.
func proveShortening(t interface{ Fatalf(string, ...any) }, raw []byte, unit Unit, limit int) {
	c := (&Options{Unit: unit}).cutter(limit)
	for name, shorten := range map[string]func(cutter, []byte) []byte{"strings": cutter.raw, "shrink": cutter.shrink} {
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
		if again := shorten((&Options{Unit: unit}).cutter(limit*2), short); again != nil {
			t.Fatalf("%s to twice the limit made %s\nof %s\nof %s", name, again, short, raw)
		}
		if a, b := strings.Join(sealedValues(raw), "|"), strings.Join(sealedValues(short), "|"); a != b {
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
		proveShortening(t, []byte(raw), rapid.SampledFrom(units).Draw(t, "unit"), rapid.IntRange(1, 300).Draw(t, "limit"))
	})
}

func TestTruncateJSONKeepsSpelling(t *testing.T) {
	c := (&Options{}).cutter(40)
	in := `{"b":1.0, "a":"\u0041\ud83d\/` + strings.Repeat(`\u00e9`, 50) + `","n":12345678901234567890}`
	require.Equal(t, `{"b":1.0, "a":"\u0041\ud83d\/\u00e9\u00e9\u00e9… [truncated, original length: 53]","n":12345678901234567890}`, string(c.raw([]byte(in))))
}

// TestShrinkSharesTheBudget: of several values that are too long, each keeps its beginning, and short ones stay whole.
func TestShrinkSharesTheBudget(t *testing.T) {
	c := (&Options{}).cutter(300)
	short := c.shrink([]byte(`{"id":7,"a":"` + strings.Repeat("a", 400) + `","path":"/x","b":"` + strings.Repeat("b", 400) + `"}`))
	require.Regexp(t, `^\{"id":7,"a":"a{50,}… \[truncated, original length: 400\]","path":"/x","b":"b{50,}… \[truncated, original length: 400\]"\}$`, string(short))
	require.LessOrEqual(t, lengthIn(UnitUTF16, string(short)), 300)
}

func TestTruncateJSONLeavesBase64Alone(t *testing.T) {
	c := (&Options{}).cutter(20)
	base64 := strings.Repeat("QUJD", 50)
	for _, in := range []string{
		`{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` + base64 + `"}}`,
		`{"encoding":"base64","content":"` + base64 + `"}`,
		`{"b64_json":"` + base64 + `"}`,
		`["data:image/png;base64,` + base64 + `"]`,
		`{"text":"iVBORw0KGgo` + base64 + `"}`,
	} {
		require.Nil(t, c.raw([]byte(in)), in)
		require.Nil(t, c.shrink([]byte(in)), in)
	}
	require.NotNil(t, c.raw([]byte(`{"data":"`+strings.Repeat("plain words ", 20)+`"}`)), "prose is no base64, whatever its key")
}

func TestTruncateDeepNesting(t *testing.T) {
	for _, depth := range []int{10, 500, 100000} {
		in := []byte(strings.Repeat("[", depth) + `"` + strings.Repeat("x", 1000) + `"` + strings.Repeat("]", depth))
		proved := (&Options{}).cutter(100)
		proved.raw(in)
		if short := proved.shrink(in); short != nil {
			require.True(t, json.Valid(short))
		}
	}
}

func TestTruncateSkipsRunningCalls(t *testing.T) {
	long := json.RawMessage(`{"code":"` + strings.Repeat("c", 900) + `"}`)
	call := func() Part {
		return &ToolCall{ID: "srvtoolu_1", Name: "code_execution", Input: long, ProviderExecuted: true}
	}
	answer := &ToolResult{CallID: "srvtoolu_1", ProviderExecuted: true, Output: json.RawMessage(`{}`)}
	in := []Message{{Role: RoleAssistant, Parts: []Part{call(), answer}}, {Role: RoleUser, Parts: []Part{&Text{Text: "again"}}}, {Role: RoleAssistant, Parts: []Part{call()}}}
	out, warnings := TruncateProviderExecuted.Apply(in, nil, &Options{MaxString: 100, TruncateInputs: true})
	require.Len(t, warnings, 1, "the second call with the id is still running")
	require.Less(t, len(out[0].Parts[0].(*ToolCall).Input), 200)
	require.Same(t, in[2].Parts[0], out[2].Parts[0])
}

func TestTruncateKeepOutputs(t *testing.T) {
	long := json.RawMessage(`{"code":"` + strings.Repeat("c", 900) + `"}`)
	in := []Message{{Role: RoleAssistant, Parts: []Part{
		&ToolCall{ID: "srvtoolu_1", Name: "code_execution", Input: long, ProviderExecuted: true},
		&ToolResult{CallID: "srvtoolu_1", ProviderExecuted: true, Output: long},
	}}}
	out, warnings := TruncateProviderExecuted.Apply(in, nil, &Options{MaxString: 100, TruncateInputs: true, KeepOutputs: true})
	require.Len(t, warnings, 1)
	require.Less(t, len(out[0].Parts[0].(*ToolCall).Input), 200)
	require.Same(t, in[0].Parts[1], out[0].Parts[1])
}

// TestTruncateContent: text in the result of a provider's tool is shortened like its output.
func TestTruncateContent(t *testing.T) {
	in := []Message{{Role: RoleAssistant, Parts: []Part{
		&ToolCall{ID: "mcptoolu_1", Name: "search", Input: json.RawMessage(`{}`), Variant: "mcp", ProviderExecuted: true},
		&ToolResult{CallID: "mcptoolu_1", Variant: "mcp", ProviderExecuted: true, Content: []Part{&Text{Text: strings.Repeat("c", 900)}, &Text{Text: "short"}}},
	}}}
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
		c := (&Options{Unit: units[int(unit)%len(units)]}).cutter(limit)
		short, cut := c.text(s)
		if again, twice := c.text(short); twice || again != short {
			t.Fatalf("%q became %q", short, again)
		}
		if cut && lengthIn(c.unit, short) > limit || !cut && short != s {
			t.Fatalf("%q became %q", s, short)
		}
	})
}

func FuzzTruncateJSON(f *testing.F) {
	f.Add([]byte(`{"a":"`+strings.Repeat("😀", 40)+`","encrypted_content":"`+strings.Repeat("e", 99)+`"}`), 30, uint8(0))
	f.Add([]byte(`[[1,2,3],{"__truncated":true,"__truncatedChars":5}]`), 5, uint8(2))
	f.Add([]byte(`{"a":"\ud83d\ude00\ud83d`+strings.Repeat(`\n`, 90)+`"}`), 50, uint8(1))
	f.Fuzz(func(t *testing.T, raw []byte, limit int, unit uint8) {
		if _, err := jsonscan.Parse(raw); err != nil || limit < 1 || limit > 1<<20 {
			return
		}
		proveShortening(t, raw, units[int(unit)%len(units)], limit)
	})
}
