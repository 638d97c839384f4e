package jsonscan

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// someNames are names with equal tags, equal slots, escapes, and none of those.
var someNames = []string{
	"", "a", "aa", "text", "test", "tent", "type", "\n", "a\"b", "é", "role", "sole", "content",
	"null",
}

// TestNames: a name is found by its tag if and only if it is found by its text, however it is
// spelled.
func TestNames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOf(rapid.SampledFrom(someNames)).Draw(t, "list")
		key := rapid.SampledFrom(someNames).Draw(t, "key")
		names := NewNames(list...)
		require.Equal(t, list, names.List())
		for _, spelling := range []string{string(AppendString(nil, key)), escapedAll(key)} {
			doc, err := Parse([]byte(`{"other":1,` + spelling + `:{"x":2},"":3}`))
			require.NoError(t, err)
			want := false
			for _, name := range list {
				want = want || name == key
			}
			require.Equal(t, want, names.Has(doc.Root().At(1).Key()))
			last := Value{}
			for m := doc.Root().First(); m.Exists(); m = m.Next() {
				if m.Key().Str() == key {
					last = m
				}
				require.Zero(t, m.Key().Len())
				require.False(t, m.Key().First().Exists())
			}
			require.Equal(t, last, doc.Root().Get(key))
		}
	})
}

// TestNamesOfOthers: what is no key is in no set.
func TestNamesOfOthers(t *testing.T) {
	names := NewNames("", "a")
	doc, err := Parse([]byte(`[1,{"a":null}]`))
	require.NoError(t, err)
	require.False(t, names.Has(doc.Root()))
	require.False(t, names.Has(doc.Root().First()))
	require.False(t, names.Has(Value{}))
	require.False(t, (&Names{}).Has(doc.Root().At(1).First().Key()))
}

// escapedAll is s as a JSON string of \u escapes.
func escapedAll(s string) string {
	out := `"`
	for _, r := range s {
		out += `\u00` + string(hexDigits[r>>4]) + string(hexDigits[r&15])
	}
	return out + `"`
}
