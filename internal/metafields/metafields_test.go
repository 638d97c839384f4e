package metafields

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func meta(pairs ...string) Metadata {
	m := Metadata{}
	for k := 0; k < len(pairs); k += 2 {
		m[pairs[k]] = json.RawMessage(pairs[k+1])
	}
	return m
}

// TestWithout: a name is an entry, or a member of the object in an entry. Other bytes stay, and so
// does the caller's map.
func TestWithout(t *testing.T) {
	for _, c := range []struct {
		reason, name string
		in, want     Metadata
	}{
		{"an entry", "run_id", meta("run_id", `"7"`, "a", `1.0`), meta("a", `1.0`)},
		{"no such entry", "run_id", meta("a", `1`), meta("a", `1`)},
		{"a member", "openai.id", meta("openai", `{ "id":1, "x": 1.0 }`),
			meta("openai", `{ "x": 1.0 }`)},
		{"the last member", "openai.id", meta("openai", `{"id":1}`, "b", `2`), meta("b", `2`)},
		{"an object that was empty", "openai.id", meta("openai", `{}`), meta()},
		{"an entry that is not an object", "openai.id", meta("openai", `"id"`), meta("openai", `"id"`)},
		{"an entry that is not JSON", "openai.id", meta("openai", `{`), meta("openai", `{`)},
		{"an entry with a point in its name", "a.b", meta("a.b", `1`, "a", `{"b":1,"c":2}`),
			meta("a", `{"c":2}`)},
	} {
		t.Run(c.reason, func(t *testing.T) {
			before := maps.Clone(c.in)
			out, changed := Without(c.in, false, c.name)
			require.Equal(t, c.want, out)
			require.Equal(t, !maps.EqualFunc(before, out, equalBytes), changed)
			require.Equal(t, before, c.in, "the caller's map was written to")
			_, again := Without(out, false, c.name)
			require.False(t, again)
		})
	}
}

func equalBytes(a, b json.RawMessage) bool { return string(a) == string(b) }

// TestWithoutFields: an owned map is edited in place.
func TestWithoutFields(t *testing.T) {
	in := meta("openai", `{"id":1,"key":2,"x":3}`)
	out, changed := WithoutFields(in, true, "openai", []string{"id", "key"})
	require.True(t, changed)
	require.Equal(t, meta("openai", `{"x":3}`), out)
	require.Equal(t, out, in)
	_, changed = WithoutFields(in, true, "azure", []string{"id"})
	require.False(t, changed)
}

// TestSays: members, and values of them, that are not known say more.
func TestSays(t *testing.T) {
	outer := Members{"a": Content, "w": Word}
	inner := Members{"b": Content, "f": Free}
	said := func(s string) bool { return s == "said" }
	known := func(raw []byte, _ Holds) bool { return string(raw) == `{"id":1}` }
	for in, want := range map[string]bool{
		`"said"`: true, `"other"`: false, `{}`: true, `{"a":`: false, `7`: true,
		`{"a":"said"}`: true, `{"a":"other"}`: false, `{"b":"said"}`: false,
		`{"a":{"b":["said",{"f":"other"}]}}`: true, `{"a":{"a":"said"}}`: false,
		`{"a":[{"c":1}]}`: false, `{"a":[{"id":1}]}`: true, `{"w":"word"}`: true,
		`{"w":"` + strings.Repeat("long", 30) + `"}`: false, `{"w":{"b":"said"}}`: false,
	} {
		require.Equal(t, want, Says(json.RawMessage(in), outer, inner, said, known), in)
	}
}
