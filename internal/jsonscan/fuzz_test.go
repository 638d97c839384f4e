package jsonscan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// FuzzAgainstEncodingJSON has encoding/json as the oracle: for what is accepted, for every token in
// order, for the text of every string and for the bytes of every member.
func FuzzAgainstEncodingJSON(f *testing.F) {
	for _, src := range accepted {
		f.Add([]byte(src))
	}
	for _, src := range []string{
		`{"a":1,}`, `[1 2]`, `01`, "\"\n\"", `"\x"`, "[",
		`{"messages":[{"role":"user","content":[{"type":"text","text":"hi\n"}]}]}`,
	} {
		f.Add([]byte(src))
	}
	f.Add(history(1<<12, "mixed"))
	f.Fuzz(checkAgainstStd)
}

// TestHistoriesAgainstEncodingJSON runs the oracle on documents of the size and sort that matter.
func TestHistoriesAgainstEncodingJSON(t *testing.T) {
	for _, style := range styles {
		checkAgainstStd(t, history(1<<16, style))
	}
}

func checkAgainstStd(t *testing.T, src []byte) {
	kept := bytes.Clone(src)
	d, err := Parse(src)
	require.Equal(t, kept, src, "the source is not written to")
	if err != nil {
		checkError(t, src, err)
		return
	}
	require.True(t, json.Valid(src))
	require.Equal(t, string(bytes.Trim(src, " \t\r\n")), string(d.Root().Raw()))

	dec := json.NewDecoder(bytes.NewReader(src))
	dec.UseNumber()
	compareTokens(t, dec, d.Root())
	compareMembers(t, d.Root())
	checkNodes(t, d)
}

// checkError holds a refusal to what encoding/json says, and its position to the source.
func checkError(t *testing.T, src []byte, err error) {
	var e *SyntaxError
	require.ErrorAs(t, err, &e)
	require.NotEmpty(t, e.Msg)
	require.True(t, e.Offset >= 0 && e.Offset <= len(src))
	lines := bytes.Split(src[:e.Offset], []byte("\n"))
	require.Equal(t, len(lines), e.Line)
	require.Equal(t, len(lines[len(lines)-1])+1, e.Column)
	if e.Msg != "nested too deeply" {
		require.False(t, json.Valid(src), "%v", err)
	}
}

// compareTokens reads v from dec, token by token.
func compareTokens(t *testing.T, dec *json.Decoder, v Value) {
	tok, err := dec.Token()
	require.NoError(t, err)
	switch v.Kind() {
	case Object, Array:
		require.Equal(t, string(v.Raw()[0]), fmt.Sprint(tok))
		n := 0
		for c := v.First(); c.Exists(); c = c.Next() {
			require.True(t, dec.More())
			if v.Kind() == Object {
				key, err := dec.Token()
				require.NoError(t, err)
				compareText(t, key.(string), c.Key())
			} else {
				require.False(t, c.Key().Exists())
			}
			compareTokens(t, dec, c)
			n++
		}
		require.Equal(t, n, v.Len())
		end, err := dec.Token()
		require.NoError(t, err)
		require.Equal(t, string(v.Raw()[len(v.Raw())-1]), fmt.Sprint(end))
	case String:
		compareText(t, tok.(string), v)
	case Number:
		require.Equal(t, string(tok.(json.Number)), string(v.Raw()))
	case True, False:
		value, ok := v.Bool()
		require.True(t, ok)
		require.Equal(t, tok, value)
	case Null:
		require.Nil(t, tok)
	default:
		t.Fatalf("kind %v", v.Kind())
	}
}

// compareText compares a string with what encoding/json made of it, which has U+FFFD for whatever
// cannot be. A surrogate in an escape is one U+FFFD for it, the same three bytes in the source are
// three.
func compareText(t *testing.T, std string, v Value) {
	text, fl := v.Str(), v.Flags()
	require.True(t, v.StrIs(text))
	switch {
	case fl&HasInvalidUTF8 == 0:
		require.Equal(t, std, replaceIllFormed(text, true))
	case fl&HasLoneSurrogate == 0:
		require.Equal(t, std, replaceIllFormed(text, false))
	default:
		require.Equal(t, likeStd(std, fl), likeStd(replaceIllFormed(text, true), fl))
	}
	if fl&(HasInvalidUTF8|HasLoneSurrogate) == 0 {
		require.Equal(t, std, text)
	}
	require.Equal(t, bytes.ContainsRune([]byte(text), 0), fl&HasNUL != 0)
	require.Equal(t, bytes.ContainsRune(v.Raw(), '\\'), fl&HasEscape != 0)
}

// compareMembers compares the bytes of all members and elements with json.RawMessage's.
func compareMembers(t *testing.T, v Value) {
	switch v.Kind() {
	case Object:
		var want map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(v.Raw(), &want))
		// encoding/json makes one key of those that differ only in what it replaces, and so must
		// the comparison.
		got := map[string]json.RawMessage{}
		for c := v.First(); c.Exists(); c = c.Next() {
			var key string
			require.NoError(t, json.Unmarshal(c.Key().Raw(), &key))
			got[key] = c.Raw()
			require.Equal(t, string(lastOf(v, c.Key().Str()).Raw()),
				string(v.Get(c.Key().Str()).Raw()))
			compareMembers(t, c)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("members of %s (-want +got):\n%s", v.Path(), diff)
		}
	case Array:
		var want []json.RawMessage
		require.NoError(t, json.Unmarshal(v.Raw(), &want))
		require.Len(t, want, v.Len())
		i := 0
		for c := v.First(); c.Exists(); c = c.Next() {
			require.Equal(t, string(want[i]), string(c.Raw()))
			compareMembers(t, c)
			i++
		}
	}
}

func lastOf(v Value, key string) (last Value) {
	for c := v.First(); c.Exists(); c = c.Next() {
		if c.Key().Str() == key {
			last = c
		}
	}
	return last
}

// checkNodes holds the tape to its own rules: nodes in source order, children inside their parents,
// flags summed up.
func checkNodes(t *testing.T, d *Doc) {
	for i, n := range d.nodes {
		v := Value{d, uint32(i)}
		require.Less(t, n.start, n.end)
		require.LessOrEqual(t, int(n.end), len(d.src))
		if i > 0 {
			require.Less(t, d.nodes[i-1].start, n.start)
		}
		if v.Kind() != Object && v.Kind() != Array {
			require.False(t, v.First().Exists())
			continue
		}
		var sum Flags
		at := v.Start() + 1
		for c := v.First(); c.Exists(); c = c.Next() {
			sum |= c.SubtreeFlags() | c.Key().Flags()
			start := c.Start()
			if c.Key().Exists() {
				start = c.Key().Start()
				require.Less(t, c.Key().End(), c.Start())
			}
			require.LessOrEqual(t, at, start)
			at = c.End()
		}
		if len(repeatedIn(v)) > 0 {
			sum |= HasRepeatedName
		}
		require.Less(t, at, v.End())
		require.Equal(t, sum, v.SubtreeFlags())
	}
}

// TestConcatenation: a document made of documents has their nodes, moved by where they are.
func TestConcatenation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.Custom(func(t *rapid.T) string {
			if rapid.Bool().Draw(t, "object") {
				return drawObject(t, "")
			}
			return rapid.SampledFrom(accepted).Draw(t, "document")
		})).Draw(t, "parts")
		src := []byte("[")
		var starts []int
		for i, p := range parts {
			if i > 0 {
				src = append(src, ',')
			}
			starts = append(starts, len(src))
			src = append(src, p...)
		}
		d, err := Parse(append(src, ']'))
		require.NoError(t, err)
		require.Equal(t, len(parts), d.Root().Len())
		var sum Flags
		var whole, part Doc
		require.NoError(t, whole.Parse(d.src))
		v := whole.Root().First()
		for i, p := range parts {
			require.NoError(t, part.Parse([]byte(p)))
			for k, n := range part.nodes {
				w := whole.nodes[int(v.index)+k]
				require.Equal(t, int(n.start)+starts[i], int(w.start))
				require.Equal(t, int(n.end)+starts[i], int(w.end))
				require.Equal(t, n.info, w.info)
			}
			sum |= part.Root().SubtreeFlags()
			v = v.Next()
		}
		require.Equal(t, Value{}, v)
		require.Equal(t, sum, whole.Root().SubtreeFlags())
	})
}
