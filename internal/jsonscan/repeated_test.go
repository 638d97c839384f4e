package jsonscan

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestRepeatedNames(t *testing.T) {
	long := strings.Repeat("k", 100)
	for _, c := range []struct{ reason, in, want string }{
		{"no member", `{}`, `{}`},
		{"one member", `{"a":1}`, `{"a":1}`},
		{"different names", `{"a":1,"b":1}`, `{"a":1,"b":1}`},
		{"the last one stays", `{"a":1,"a":2}`, `{"a":2}`},
		{"in its place", `{"a":1, "b": 1.0 ,"a" : 3}`, `{"b": 1.0 ,"a" : 3}`},
		{"white space before the first", "{ \"a\":1,\n\"a\":2 }", `{ "a":2 }`},
		{"three of one name", `{"a":1,"b":2,"a":3,"a":4}`, `{"b":2,"a":4}`},
		{"two names", `{"a":1,"b":2,"b":3,"a":4}`, `{"b":3,"a":4}`},
		{"an escape in the first", `{"\u0061":1,"a":2}`, `{"a":2}`},
		{"an escape in the last", `{"a":1,"\u0061":2}`, `{"\u0061":2}`},
		{"two spellings of an escape", `{"\n":1,"\u000a":2}`, `{"\u000a":2}`},
		{"a surrogate pair", `{"😀":1,"\ud83d\ude00":2}`, `{"\ud83d\ude00":2}`},
		{"an escape in another name", `{"\u0061":1,"b":1}`, `{"\u0061":1,"b":1}`},
		{"the empty name", `{"":1,"":2}`, `{"":2}`},
		{"the empty name at the end", `{"x":1,"":2}`, `{"x":1,"":2}`},
		{"one prefix", `{"12345678a":1,"12345678b":1}`, `{"12345678a":1,"12345678b":1}`},
		{"long names", `{"` + long + `":1,"` + long + `":2}`, `{"` + long + `":2}`},
		{"a longer name", `{"a":1,"aa":1,"a\u0000":1}`, `{"a":1,"aa":1,"a\u0000":1}`},
		{"objects inside are left", `[{"a":{"b":1,"b":1}}]`, `[{"a":{"b":1,"b":1}}]`},
		{"a list has no names", `["a","a"]`, `["a","a"]`},
	} {
		v := root(t, c.in)
		out := deleteRepeated(v)
		require.Equal(t, c.want, out, c.reason)
		marked := v.SubtreeFlags()&HasRepeatedName != 0
		require.Equal(t, c.want != c.in || strings.HasPrefix(c.in, "["+`{"a"`), marked, c.reason)
	}
}

// deleteRepeated is the document v without the members that a later one repeats.
func deleteRepeated(v Value) string {
	var e Edits
	v.DeleteRepeated(&e, func(Value, int) {})
	out, err := e.Apply(v.Raw())
	if err != nil {
		panic(err)
	}
	return string(out)
}

// repeatedIn returns the indices of the members of v that a later one repeats.
func repeatedIn(v Value) []int {
	last := map[string]int{}
	k := 0
	for m := v.First(); m.Exists(); m = m.Next() {
		last[m.Key().Str()] = k
		k++
	}
	var repeated []int
	k = 0
	for m := v.First(); m.Exists() && v.Kind() == Object; m = m.Next() {
		if last[m.Key().Str()] != k {
			repeated = append(repeated, k)
		}
		k++
	}
	return repeated
}

// TestRepeatedNamesAlways holds the scanner and the deletion to a map, for objects of every size
// and names of every spelling, with others around them.
func TestRepeatedNamesAlways(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfN(rapid.SampledFrom([]string{
			`a`, `\u0061`, `b`, ``, `type`, `text`, `role`, `name`, `12345678a`, `12345678b`,
			`\ud83d\ude00`, `😀`, `\ud83d`, "\xed\xa0\xbd", "\xff", `\u0000`, `id`, `index`,
		}), 1, 6).Draw(t, "names")
		fresh := rapid.IntRange(0, 40).Draw(t, "fresh")
		var members []string
		for _, name := range names {
			members = append(members, `"`+name+`": {"x":1}`)
		}
		for k := range fresh {
			members = append(members, fmt.Sprintf(`"key%d":0`, k))
		}
		members = rapid.Permutation(members).Draw(t, "members")
		src := "{" + strings.Join(members, ", ") + "}"
		doc, err := Parse([]byte(`[{"y":` + src + `,"z":0},1]`))
		require.NoError(t, err)
		v := doc.Root().At(0).First()

		want := repeatedIn(v)
		require.Equal(t, len(want) > 0, v.SubtreeFlags()&HasRepeatedName != 0, src)
		require.Equal(t, len(want) > 0, v.doc.Root().SubtreeFlags()&HasRepeatedName != 0, src)
		var e Edits
		var got []int
		v.DeleteRepeated(&e, func(m Value, k int) {
			require.Equal(t, v.At(k), m)
			got = append(got, k)
		})
		require.Equal(t, want, got, src)

		out, err := e.Apply(v.doc.src)
		require.NoError(t, err)
		doc, err = Parse(out)
		require.NoError(t, err)
		after := doc.Root().At(0).First()
		require.Zero(t, after.SubtreeFlags()&HasRepeatedName, "%s", out)
		require.Equal(t, v.Len()-len(want), after.Len())
		for m := after.First(); m.Exists(); m = m.Next() {
			require.Equal(t, v.Get(m.Key().Str()).Raw(), m.Raw(), "the last one stays")
		}
	})
}

// TestRepeatedNamesAllocate: nothing, when the scanner looks for them in vain.
func TestRepeatedNamesAllocate(t *testing.T) {
	var b strings.Builder
	for k := range 500 {
		fmt.Fprintf(&b, `"key%d":1,"\u0062%d":[],`, k, k)
	}
	src := []byte(`{` + b.String() + `"x":{"a":1,"\u0062":2,"c":[]}}`)
	var d Doc
	require.NoError(t, d.Parse(src))
	require.Zero(t, d.Root().SubtreeFlags()&HasRepeatedName)
	least := math.Inf(1) // the race detector empties pools now and then
	for range 50 {
		least = min(least, testing.AllocsPerRun(1, func() { _ = d.Parse(src) }))
	}
	require.Zero(t, least)
}
