package jsonscan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

func root(t *testing.T, src string) Value {
	t.Helper()
	d, err := Parse([]byte(src))
	require.NoError(t, err, "%q", src)
	return d.Root()
}

func TestKinds(t *testing.T) {
	for src, want := range map[string]Kind{
		`{}`: Object, `{"a":1}`: Object, `[]`: Array, `[1]`: Array, `"s"`: String, `-1.5e3`: Number,
		`true`: True, `false`: False, `null`: Null,
	} {
		v := root(t, " "+src+" ")
		require.Equal(t, want, v.Kind())
		require.True(t, v.Exists())
		require.Equal(t, src, string(v.Raw()))
		require.Equal(t, [2]int{1, 1 + len(src)}, [2]int{v.Start(), v.End()})
	}
	require.Equal(t, "absent object array string number true false null",
		fmt.Sprint(Absent, Object, Array, String, Number, True, False, Null))
	require.Equal(t, "invalid", Kind(8).String())
}

// callAll calls every method of a Value.
func callAll(v Value) []any {
	b, ok := v.Bool()
	return []any{
		v.Kind(),
		v.Exists(),
		v.Raw(),
		v.Start(),
		v.End(),
		v.Str(),
		v.StrIs(""),
		b,
		ok,
		v.Len(),
		v.Get("a"),
		v.Has("a"),
		v.First(),
		v.Next(),
		v.Key(),
		v.At(0),
		v.Flags(),
		v.SubtreeFlags(),
		v.Path(),
		Repair(nil, v),
		EditObject(v).Changed(),
		EditObject(v).Bytes(),
	}
}

func TestAbsentValue(t *testing.T) {
	none := []any{Absent, false, []byte(nil), 0, 0, "", false, false, false, 0, Value{}, false,
		Value{}, Value{}, Value{}, Value{}, Flags(0), Flags(0), "", []byte(nil), false, []byte(nil)}
	var nilDoc *Doc
	for _, v := range []Value{
		{}, nilDoc.Root(), new(Doc).Root(),
		root(t, `{"a":1}`).Get("b").Get("c").At(3).First().Next().Key(),
	} {
		require.Equal(t, none, callAll(v))
	}

	// A Value from before the last Parse points anywhere, and still does not panic.
	var d Doc
	require.NoError(t, d.Parse([]byte(`[1,2,{"a":[{"b":"c"}]}]`)))
	stale := d.Root().At(2).Get("a").First().Get("b")
	require.NoError(t, d.Parse([]byte(`1`)))
	require.Equal(t, none, callAll(stale))
}

func TestWrongKind(t *testing.T) {
	for _, src := range []string{`[1]`, `"a"`, `1`, `true`, `null`} {
		v := root(t, src)
		require.False(t, v.Has("a"))
		if v.Kind() != String {
			require.Empty(t, v.Str())
			require.False(t, v.StrIs(""))
		}
		if v.Kind() != Array {
			require.False(t, v.At(0).Exists())
			require.False(t, v.First().Exists())
		}
	}
}

func TestRawIsClipped(t *testing.T) {
	src := []byte(`[1,2]`)
	d, err := Parse(src)
	require.NoError(t, err)
	_ = append(d.Root().First().Raw(), "xxxx"...)
	require.Equal(t, `[1,2]`, string(src))
}

func TestBool(t *testing.T) {
	for src, want := range map[string][2]bool{
		`true`: {true, true}, `false`: {false, true}, `null`: {}, `"true"`: {}, `1`: {},
	} {
		value, ok := root(t, src).Bool()
		require.Equal(t, want, [2]bool{value, ok}, src)
	}
}

func TestIteration(t *testing.T) {
	v := root(t, `{"a":[1,[],[2,3],{}],"b":{"c":{"d":null}},"":"x","a":[]}`)
	require.Equal(t, 4, v.Len())
	var got []string
	var walk func(v Value, depth int)
	walk = func(v Value, depth int) {
		for c := v.First(); c.Exists(); c = c.Next() {
			line := strings.Repeat(" ", depth)
			if k := c.Key(); k.Exists() {
				require.Equal(t, String, k.Kind())
				require.False(t, k.Next().Exists(), "keys have no next")
				require.False(t, k.Key().Exists(), "keys have no key")
				line += string(k.Raw()) + ":"
			}
			got = append(got, line+string(c.Raw()))
			walk(c, depth+1)
		}
	}
	walk(v, 0)
	want := []string{
		`"a":[1,[],[2,3],{}]`, ` 1`, ` []`, ` [2,3]`, `  2`, `  3`, ` {}`,
		`"b":{"c":{"d":null}}`, ` "c":{"d":null}`, `  "d":null`, `"":"x"`, `"a":[]`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("walk (-want +got):\n%s", diff)
	}
	a := v.At(0)
	require.Equal(t, 4, a.Len())
	for i, want := range []string{"1", "[]", "[2,3]", "{}"} {
		require.Equal(t, want, string(a.At(i).Raw()))
	}
	require.False(t, a.At(4).Exists())
	require.False(t, a.At(-1).Exists())
}

func TestGet(t *testing.T) {
	v := root(t, `{"a":1,"b":2,"a":3,"\u0063":4,"d\n":5,"":6,"\ud83d\ude00":7,"\ud83d":8}`)
	for key, want := range map[string]string{
		"a": "3", "b": "2", "c": "4", "d\n": "5", "": "6", "😀": "7", "\xed\xa0\xbd": "8", "d": "",
		`\u0063`: "", "A": "",
	} {
		require.Equal(t, want, string(v.Get(key).Raw()), "%q", key)
		require.Equal(t, want != "", v.Has(key), "%q", key)
	}
	require.Zero(t, testing.AllocsPerRun(10, func() { v.Get("d\n") }))
}

func TestStr(t *testing.T) {
	tests := []struct {
		raw, text string
		flags     Flags
	}{
		{`""`, "", 0},
		{`"plain"`, "plain", 0},
		{`"é😀"`, "é😀", 0},
		{`"\"\\\/\b\f\n\r\t"`, "\"\\/\b\f\n\r\t", HasEscape | HasOddEscape},
		{`"a\u00e9b"`, "aéb", HasEscape},
		{`"\u20AC\u20ac"`, "€€", HasEscape},
		{`"\ud83d\ude00!"`, "😀!", HasEscape},
		{`"\udbff\udfff"`, "\U0010FFFF", HasEscape},
		{`"\ud83d"`, "\xed\xa0\xbd", HasEscape | HasLoneSurrogate},
		{`"\ude00"`, "\xed\xb8\x80", HasEscape | HasLoneSurrogate},
		{`"\ud83d\ud83d\ude00"`, "\xed\xa0\xbd😀", HasEscape | HasLoneSurrogate},
		{`"\ude00\ud83d"`, "\xed\xb8\x80\xed\xa0\xbd", HasEscape | HasLoneSurrogate},
		{`"\ud83d\u0000\ude00"`, "\xed\xa0\xbd\x00\xed\xb8\x80",
			HasEscape | HasLoneSurrogate | HasNUL},
		{`"\ud83d\\ude00"`, "\xed\xa0\xbd\\ude00", HasEscape | HasLoneSurrogate},
		{`"\u0000"`, "\x00", HasEscape | HasNUL},
		{`"\\u0000"`, `\u0000`, HasEscape},
		{"\"a\xffb\"", "a\xffb", HasInvalidUTF8},
		{"\"\xed\xa0\xbd\"", "\xed\xa0\xbd", HasInvalidUTF8},
		{"\"\xe2\\u0082\\n\"", "\xe2\u0082\n", HasEscape | HasInvalidUTF8},
	}
	for _, tt := range tests {
		v := root(t, `[`+tt.raw+`]`).First()
		require.Equal(t, tt.text, v.Str(), tt.raw)
		require.Equal(t, tt.flags, v.Flags(), tt.raw)
		require.Equal(t, tt.flags, v.SubtreeFlags(), tt.raw)
		require.True(t, v.StrIs(tt.text), tt.raw)
		require.False(t, v.StrIs(tt.text+"x"), tt.raw)
		require.False(t, v.StrIs("x"+tt.text), tt.raw)
		if tt.text != "" {
			require.False(t, v.StrIs(tt.text[:len(tt.text)-1]), tt.raw)
		}
	}
}

func TestStrAllocations(t *testing.T) {
	d, err := Parse(
		[]byte(
			`["a string that is too long for the stack buffer of a conversion","esc\naped,` +
				` and also longer than thirty-two bytes"]`,
		),
	)
	require.NoError(t, err)
	plain, escaped := d.Root().At(0), d.Root().At(1)
	var s string
	require.EqualValues(t, 1, testing.AllocsPerRun(10, func() { s = plain.Str() }))
	require.EqualValues(t, 1, testing.AllocsPerRun(10, func() { s = escaped.Str() }))
	require.Zero(t, testing.AllocsPerRun(10, func() { plain.StrIs(s); escaped.StrIs(s) }))
	before := plain.Str() + escaped.Str()
	d.AliasStrings()
	require.Zero(t, testing.AllocsPerRun(10, func() { s = plain.Str() }))
	require.Equal(t, before, plain.Str()+escaped.Str())
}

// TestFlagsStayApart has strings so close that the word in which one ends holds the beginning of
// the next.
func TestFlagsStayApart(t *testing.T) {
	v := root(
		t,
		"{\"a\":\"\",\"b\":[\"\xff\",\"x\",{\"\\u0000\":\"\\n\"}],\"c\":[[\"é\"],\"\\ud83d\"],"+
			"\"d\":{}}",
	)
	require.Zero(t, v.Get("a").Flags())
	require.Equal(t, HasInvalidUTF8, v.Get("b").At(0).Flags())
	require.Zero(t, v.Get("b").At(1).Flags())
	require.Equal(t, HasInvalidUTF8|HasNUL|HasEscape, v.Get("b").SubtreeFlags())
	require.Equal(t, HasNUL|HasEscape, v.Get("b").At(2).SubtreeFlags())
	require.Zero(t, v.Get("b").Flags(), "only strings have flags of their own")
	require.Zero(t, v.Get("c").At(0).SubtreeFlags())
	require.Equal(t, HasLoneSurrogate|HasEscape, v.Get("c").SubtreeFlags())
	require.Zero(t, v.Get("d").SubtreeFlags())
	require.Equal(t, HasInvalidUTF8|HasNUL|HasEscape|HasLoneSurrogate, v.SubtreeFlags())
}

func TestPath(t *testing.T) {
	v := root(t, `{"messages":[{},{"content":[{"te xt":[1]},2]}],"":{"_a1":0},"1a":[[],[[],3]]}`)
	for want, at := range map[string]Value{
		"":                       v,
		"messages":               v.Get("messages"),
		"messages[0]":            v.Get("messages").At(0),
		"messages[1].content[1]": v.Get("messages").At(1).Get("content").At(1),
		`messages[1].content[0]["te xt"]`: v.Get("messages").At(1).Get("content").At(0).Get("te " +
			"xt"),
		`[""]._a1`:     v.Get("").Get("_a1"),
		`["1a"][1][1]`: v.Get("1a").At(1).At(1),
	} {
		require.Equal(t, want, at.Path())
	}
	require.Equal(t, "messages[1]", v.Get("messages").At(1).Get("content").Key().Path(),
		"a key has the path of its object")
}

// TestLenAboveTheLimit pretends that there are more children than a node can count: then they are
// counted one by one.
func TestLenAboveTheLimit(t *testing.T) {
	for _, src := range []string{`[1,[2],3]`, `{"a":1,"b":[2],"c":3}`} {
		v := root(t, src)
		v.doc.nodes[0].info |= maxCount << countShift
		require.Equal(t, 3, v.Len())
		require.Equal(t, "3", string(v.At(2).Raw()))
	}
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
		require.Equal(t, c.want, Spelled([]byte(c.token), c.text), "%d of %s", c.text,
			c.token)
	}
}
