package shorten

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file tests the shortening of JSON values: within the limit, idempotent, and opaque values
// unchanged.

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

// opaqueValues are the raw values under opaque keys, in order, and all data URLs.
func opaqueValues(raw []byte) []string {
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

func longestString(v jsonscan.Value) int {
	most := 0
	if v.Kind() == jsonscan.String && !strings.HasPrefix(v.Str(), "data:") {
		most = lengthOf(v.Str())
	}
	for m := v.First(); m.Exists(); m = m.Next() {
		if v.Kind() != jsonscan.Object || !(&Members{Of: v}).Opaque(m) {
			most = max(most, longestString(m))
		}
	}
	return most
}

// proveShortening holds the two ways of shortening JSON to what they promise.
func proveShortening(t interface{ Fatalf(string, ...any) }, raw []byte, limit int) {
	proveCutter(t, raw, newCutter(limit))
	proveCutter(t, raw, Cutter{
		Limit: limit, Boundary: GraphemeBoundary, HeadOnly: true,
	})
}

func proveCutter(t interface{ Fatalf(string, ...any) }, raw []byte, c Cutter) {
	limit := c.Limit
	larger := c
	larger.Limit *= 2
	for name, shorten := range map[string]func(Cutter, []byte) []byte{
		"strings": Cutter.Strings,
		"shrink":  Cutter.Fit,
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
		if again := shorten(larger, short); again != nil {
			t.Fatalf("%s to twice the limit made %s\nof %s\nof %s", name, again, short, raw)
		}
		a, b := strings.Join(opaqueValues(raw), "|"), strings.Join(opaqueValues(short), "|")
		if a != b {
			t.Fatalf("%s touched what is opaque: %s became %s", name, a, b)
		}
		if n := longestString(doc.Root()); name == "strings" && n > limit {
			t.Fatalf("%s left %d units: %s", name, n, short)
		}
	}
}

func TestTruncateJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := drawJSON(t, 4)
		proveShortening(t, []byte(raw), rapid.IntRange(1, 300).Draw(t, "limit"))
	})
}

func TestTruncateJSONKeepsSpelling(t *testing.T) {
	c := headCutter(40)
	in := `{"b":1.0, "a":"\u0041\ud83d\/` + strings.Repeat(`\u00e9`, 50) +
		`","n":12345678901234567890}`
	require.Equal(t,
		`{"b":1.0, "a":"\u0041\ud83d\/\u00e9\u00e9\u00e9… [truncated, original length: 53]",`+
			`"n":12345678901234567890}`, string(c.Strings([]byte(in))))
}

// TestTruncateJSONKeepsSpellingOfBothEnds: what stays at the end of a string keeps its escapes.
func TestTruncateJSONKeepsSpellingOfBothEnds(t *testing.T) {
	in := `{"b":1.0, "a":"\u0041\ud83d\/` + strings.Repeat(`\u00e9`, 50) + `\n\ud83d\ude00\u005a"}`
	want := `{"b":1.0, "a":"\u0041\ud83d\/\u00e9… [truncated, original length: 57] …` +
		`\n\ud83d\ude00\u005a"}`
	c := newCutter(44)
	require.Equal(t, want, string(c.Strings([]byte(in))))
	c.Limit += 16 // what is around the string
	require.Equal(t, want, string(c.Fit([]byte(in))))
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
		require.Equal(t, c.want, string(headCutter(c.limit).Strings([]byte(c.in))),
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
			require.Equal(t, c.want, string(headCutter(c.limit).Fit([]byte(c.in))))
		})
	}
}

// TestOpaque: values that are opaque by their key, their tool or their content.
func TestOpaque(t *testing.T) {
	for tool, want := range map[string]bool{
		"web_search":            true,
		"web_fetch_tool_result": true,
		"my_web_search_2":       true,
		"code_execution":        false,
		"search":                false,
		"":                      false,
	} {
		require.Equal(t, want, IsOpaque(tool), tool)
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
		require.Equal(t, want, IsOpaqueKey(key), key)
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
		require.Equal(t, want, (&Members{Of: doc.Root()}).Opaque(doc.Root().First()), in)
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
		require.Equal(t, want, IsBase64Text(s), s)
	}
}

// TestShrinkSharesTheBudget: of several values that are too long, each keeps its beginning, and
// short ones stay whole.
func TestShrinkSharesTheBudget(t *testing.T) {
	c := headCutter(300)
	short := c.Fit([]byte(`{"id":7,"a":"` + strings.Repeat("a", 400) + `","path":"/x","b":"` +
		strings.Repeat("b", 400) + `"}`))
	require.Regexp(t,
		`^\{"id":7,"a":"a{50,}… \[truncated, original length: 400\]","path":"/x","b":"b{50,`+
			`}… \[truncated, original length: 400\]"\}$`, string(short))
	require.LessOrEqual(t, lengthOf(string(short)), 300)
}

func TestTruncateJSONLeavesBase64Alone(t *testing.T) {
	c := newCutter(20)
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
		proved := newCutter(100)
		proved.Strings(in)
		if short := proved.Fit(in); short != nil {
			require.True(t, json.Valid(short))
		}
	}
}

func FuzzTruncateJSON(f *testing.F) {
	f.Add([]byte(`{"a":"`+strings.Repeat("😀", 40)+`","encrypted_content":"`+
		strings.Repeat("e", 99)+`"}`), 30)
	f.Add([]byte(`[[1,2,3],{"__truncated":true,"__truncatedChars":5}]`), 5)
	f.Add([]byte(`{"a":"\ud83d\ude00\ud83d`+strings.Repeat(`\n`, 90)+`"}`), 50)
	f.Fuzz(func(t *testing.T, raw []byte, limit int) {
		if _, err := jsonscan.Parse(raw); err != nil || limit < 1 || limit > 1<<20 {
			return
		}
		proveShortening(t, raw, limit)
	})
}
