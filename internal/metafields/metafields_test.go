package metafields

import (
	"encoding/json"
	"maps"
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

// TestHasOnly: members are compared in the value itself, or at any depth.
func TestHasOnly(t *testing.T) {
	members := Members{"a": true, "b": true}
	for _, c := range []struct {
		in            string
		shallow, deep bool
	}{
		{`"text"`, true, true}, {`{}`, true, true}, {`{"a":{"b":[1]}}`, true, true},
		{`{"c":1}`, false, false}, {`{"a":{"c":1}}`, true, false}, {`{"a":[{"c":1}]}`, true, false},
		{`{"a":`, false, false},
	} {
		require.Equal(t, c.shallow, HasOnly(json.RawMessage(c.in), members, false), c.in)
		require.Equal(t, c.deep, HasOnly(json.RawMessage(c.in), members, true), c.in)
	}
}
