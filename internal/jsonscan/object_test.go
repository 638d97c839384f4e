package jsonscan

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// A step of a test case: "a=1" sets, "a" deletes.
func applySteps(o *ObjectEdit, steps ...string) {
	for _, s := range steps {
		if key, raw, isSet := strings.Cut(s, "="); isSet {
			o.SetMember(key, []byte(raw))
		} else {
			o.DeleteMember(s)
		}
	}
}

func TestObjectEdit(t *testing.T) {
	tests := []struct {
		reason, src string
		steps       []string
		want        string
	}{
		{"no change", `{"a":1}`, nil, `{"a":1}`},
		{
			"replace keeps everything around",
			"{ \"a\" : 1 ,\n\t\"b\" : 1.0 }",
			[]string{"a=[2]"},
			"{ \"a\" : [2] ,\n\t\"b\" : 1.0 }",
		},
		{"replace by escaped key", `{"\u0061":1}`, []string{"a=2"}, `{"\u0061":2}`},
		{"replace by the same bytes", `{"a":1}`, []string{"a=1"}, `{"a":1}`},
		{"set to nothing is null", `{"a":1}`, []string{"a=", "b="}, `{"a":null,"b":null}`},
		{
			"the last duplicate is replaced, the others go",
			`{"a":1,"b":2,"a":3,"c":4,"a":5,"d":6}`,
			[]string{"a=7"},
			`{"b":2,"c":4,"a":7,"d":6}`,
		},
		{"duplicates go even if the value stays", `{"a":1,"a":2}`, []string{"a=2"}, `{"a":2}`},
		{"all duplicates are deleted", `{"a":1,"b":2,"a":3}`, []string{"a"}, `{"b":2}`},

		{"append", `{"a":1}`, []string{"b=2"}, `{"a":1,"b":2}`},
		{"append several", `{"a":1 }`, []string{"c=3", "b=2"}, `{"a":1,"c":3,"b":2 }`},
		{"append to an empty object", `{}`, []string{"a=1"}, `{"a":1}`},
		{
			"append several to an empty object",
			"{\n}",
			[]string{"a=1", "b=2"},
			"{\"a\":1,\"b\":2\n}",
		},
		{"append a key that needs escapes", `{}`, []string{"\"\n=1"}, `{"\"\n":1}`},
		{"append after an object", `{"a":{}}`, []string{"b=1"}, `{"a":{},"b":1}`},

		{"delete the only one", `{ "a":1 }`, []string{"a"}, `{  }`},
		{"delete the first", `{ "a":1 , "b":2 , "c":3 }`, []string{"a"}, `{ "b":2 , "c":3 }`},
		{"delete the middle one", `{ "a":1 , "b":2 , "c":3 }`, []string{"b"}, `{ "a":1 , "c":3 }`},
		{"delete the last", `{ "a":1 , "b":2 , "c":3 }`, []string{"c"}, `{ "a":1 , "b":2 }`},
		{"delete first two", `{ "a":1 , "b":2 , "c":3 }`, []string{"b", "a"}, `{ "c":3 }`},
		{"delete last two", `{ "a":1 , "b":2 , "c":3 }`, []string{"b", "c"}, `{ "a":1 }`},
		{"delete both ends", `{ "a":1 , "b":2 , "c":3 }`, []string{"a", "c"}, `{ "b":2 }`},
		{"delete all", `{ "a":1 , "b":2 , "c":3 }`, []string{"c", "a", "b"}, `{  }`},
		{"delete what is not there", `{"a":1}`, []string{"b"}, `{"a":1}`},
		{"delete from an empty object", `{}`, []string{"b"}, `{}`},

		{
			"delete all and append",
			`{"a":1,"b":2}`,
			[]string{"a", "x=1", "b", "y=2"},
			`{"x":1,"y":2}`,
		},
		{"delete the last and append", `{"a":1,"b":2}`, []string{"b", "c=3"}, `{"a":1,"c":3}`},
		{
			"delete the last, replace, append",
			`{"a":1,"b":2}`,
			[]string{"c=3", "a=0", "b"},
			`{"a":0,"c":3}`,
		},
		{"replace the last and append", `{"a":1}`, []string{"c=3", "a=0"}, `{"a":0,"c":3}`},
		{
			"delete the first and replace the second",
			`{"a":1,"b":2}`,
			[]string{"a", "b=0"},
			`{"b":0}`,
		},

		{"the last call counts: set", `{"a":1,"b":2}`, []string{"a", "a=3"}, `{"a":3,"b":2}`},
		{
			"the last call counts: delete",
			`{"a":1,"b":2}`,
			[]string{"a=3", "a", "c=1", "c"},
			`{"b":2}`,
		},
		{
			"the last call counts: back to the original",
			`{"a":1}`,
			[]string{"a=3", "a=1"},
			`{"a":1}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			// Somewhere inside a document, so that offsets are not those of the object.
			src := []byte(`[0, ` + tt.src + `]`)
			d, err := Parse(src)
			require.NoError(t, err)
			o := EditObject(d.Root().At(1))
			applySteps(o, tt.steps...)
			require.Equal(t, tt.want != tt.src, o.Changed())
			require.Equal(t, tt.want, string(o.Bytes()))
			require.True(t, json.Valid(o.Bytes()))

			var e Edits
			o.AppendTo(&e)
			require.Equal(t, tt.want != tt.src, e.Len() > 0)
			got, err := e.Apply(src)
			require.NoError(t, err)
			require.Equal(t, `[0, `+tt.want+`]`, string(got))
		})
	}
}

func TestObjectEditOfSomethingElse(t *testing.T) {
	for _, v := range []Value{{}, root(t, `[1]`), root(t, `"a"`), root(t, `null`)} {
		o := EditObject(v)
		applySteps(o, "a=1", "b")
		require.False(t, o.Changed())
		require.Equal(t, v.Raw(), o.Bytes())
		var e Edits
		o.AppendTo(&e)
		require.Zero(t, e.Len())
	}
}

func TestObjectEditManyKeys(t *testing.T) {
	const n = 1000
	var src, want strings.Builder
	src.WriteString(`{"z":0`)
	want.WriteString(`{"z":0`)
	for i := range n {
		fmt.Fprintf(&src, `,"k%d":%d`, i, i)
		if i%2 == 0 {
			fmt.Fprintf(&want, `,"k%d":"new"`, i)
		}
	}
	for i := range n {
		fmt.Fprintf(&want, `,"n%d":true`, i)
	}
	src.WriteByte('}')
	want.WriteByte('}')

	o := EditObject(root(t, src.String()))
	for i := range n {
		o.SetMember(fmt.Sprintf("n%d", i), []byte("false"))
		o.SetMember(fmt.Sprintf("k%d", i), []byte(`"new"`))
		if i%2 == 1 {
			o.DeleteMember(fmt.Sprintf("k%d", i))
		}
		o.SetMember(fmt.Sprintf("n%d", i), []byte("true"))
	}
	require.Equal(t, want.String(), string(o.Bytes()))
}

// member is one member of an object as the tests see it.
type member struct{ Key, Raw string }

// members lists an object's members by encoding/json, in order.
func members(t require.TestingT, src []byte) []member {
	dec := json.NewDecoder(strings.NewReader(string(src)))
	_, err := dec.Token()
	require.NoError(t, err)
	list := []member{}
	for dec.More() {
		key, err := dec.Token()
		require.NoError(t, err)
		var raw json.RawMessage
		require.NoError(t, dec.Decode(&raw))
		list = append(list, member{key.(string), string(raw)})
	}
	return list
}

// editSlowly is what an ObjectEdit should do, on a list of members.
func editSlowly(list []member, changes []change) []member {
	for i, c := range changes {
		later := slices.ContainsFunc(changes[i+1:], func(d change) bool { return d.key == c.key })
		is := func(m member) bool { return m.Key == c.key }
		if later {
			continue
		}
		if c.raw == nil {
			list = slices.DeleteFunc(list, is)
			continue
		}
		first := slices.IndexFunc(list, is)
		for first >= 0 && slices.ContainsFunc(list[first+1:], is) {
			list = slices.Delete(list, first, first+1)
			first = slices.IndexFunc(list, is)
		}
		if first >= 0 {
			list[first].Raw = string(c.raw)
		}
	}
	var first []string // new keys, in the order in which they were named first
	for _, c := range changes {
		if !slices.Contains(first, c.key) {
			first = append(first, c.key)
		}
	}
	for _, key := range first {
		i := len(changes) - 1
		for changes[i].key != key {
			i--
		}
		if changes[i].raw != nil &&
			!slices.ContainsFunc(list, func(m member) bool { return m.Key == key }) {
			list = append(list, member{key, string(changes[i].raw)})
		}
	}
	return list
}

var (
	drawSpace = rapid.SampledFrom([]string{"", "", " ", "\n\t", "\r\n"})
	drawKey   = rapid.SampledFrom([]string{`"a"`, `"b"`, `"c"`, `"\u0061"`, `""`, `"é\n"`})
	drawRaw   = rapid.SampledFrom(
		[]string{`1`, `1.0`, `"x"`, `{}`, `[{"a":1,"b":[]}]`, `"\"},{"`, `null`},
	)
)

// drawObject makes the source of an object with duplicate keys, escapes and white space. inner, if
// any, is the value of the member in the middle.
func drawObject(t *rapid.T, inner string) string {
	var b strings.Builder
	b.WriteString("{" + drawSpace.Draw(t, "space"))
	n := rapid.IntRange(min(len(inner), 1), 6).Draw(t, "members")
	for i := range n {
		if i > 0 {
			b.WriteString("," + drawSpace.Draw(t, "space"))
		}
		raw := drawRaw.Draw(t, "raw")
		if inner != "" && i == n/2 {
			raw = inner
		}
		for _, piece := range []string{
			drawKey.Draw(t, "key"), drawSpace.Draw(t, "space"), ":", drawSpace.Draw(t, "space"),
			raw, drawSpace.Draw(t, "space"),
		} {
			b.WriteString(piece)
		}
	}
	return b.String() + "}"
}

func drawChanges(t *rapid.T) []change {
	limit := rapid.SampledFrom([]int{8, 8, 60}).Draw(t, "limit")
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) change {
		c := change{
			key: rapid.SampledFrom([]string{"a", "b", "c", "", "é\n", "new", "\"", "😀"}).
				Draw(t, "key"),
		}
		if limit > 8 { // more keys, to get over to the hash table
			c.key += rapid.SampledFrom([]string{"", "", "1", "2", "3", "4"}).Draw(t, "suffix")
		}
		if rapid.Bool().Draw(t, "set") {
			c.raw = []byte(drawRaw.Draw(t, "raw"))
		}
		return c
	}), 0, limit).Draw(t, "changes")
}

func change1(o *ObjectEdit, c change) {
	if c.raw == nil {
		o.DeleteMember(c.key)
	} else if half := len(c.raw) / 2; half%2 == 0 {
		o.SetMember(c.key, c.raw)
	} else {
		o.SetPieces(c.key, [][]byte{c.raw[:half], c.raw[half:]})
	}
}

func objectEditProperty(t *rapid.T) {
	src := drawObject(t, "")
	changes := drawChanges(t)
	d, err := Parse([]byte(src))
	require.NoError(t, err)
	o := EditObject(d.Root())
	for _, c := range changes {
		change1(o, c)
	}
	got := o.Bytes()
	require.True(t, json.Valid(got), "%s", got)
	before := members(t, []byte(src))
	want := editSlowly(slices.Clone(before), changes)
	if diff := cmp.Diff(want, members(t, got)); diff != "" {
		t.Fatalf("%s -> %s (-want +got):\n%s", src, got, diff)
	}
	require.Equal(t, !slices.Equal(before, want), o.Changed())
	require.Equal(t, !slices.Equal(before, want), src != string(got))

	// What was done is complete: doing it again changes nothing.
	d, err = Parse(got)
	require.NoError(t, err)
	o = EditObject(d.Root())
	for _, c := range changes {
		change1(o, c)
	}
	require.False(t, o.Changed())
}

func TestObjectEditProperty(t *testing.T) { rapid.Check(t, objectEditProperty) }

func FuzzObjectEdit(f *testing.F) { f.Fuzz(rapid.MakeFuzz(objectEditProperty)) }

// TestNestedObjectEdits edits an object and one inside of it in one pass, which must be the same as
// one after the other.
func TestNestedObjectEdits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		innerSrc := drawObject(t, "")
		src := []byte(drawObject(t, "["+innerSrc+"]"))
		d, err := Parse(src)
		require.NoError(t, err)
		host := d.Root().At(d.Root().Len() / 2)
		inner := host.First()
		innerEdit, outerEdit := EditObject(inner), EditObject(d.Root())
		for _, c := range drawChanges(t) {
			change1(innerEdit, c)
		}
		var outerChanges []change
		for _, c := range drawChanges(t) {
			if !host.Key().StrIs(c.key) {
				outerChanges = append(outerChanges, c)
				change1(outerEdit, c)
			}
		}
		var e Edits
		if rapid.Bool().Draw(t, "inner first") {
			innerEdit.AppendTo(&e)
			outerEdit.AppendTo(&e)
		} else {
			outerEdit.AppendTo(&e)
			innerEdit.AppendTo(&e)
		}
		got, err := e.Apply(src)
		require.NoError(t, err)

		var first Edits
		first.Replace(inner.Start(), inner.End(), innerEdit.Bytes())
		step, err := first.Apply(src)
		require.NoError(t, err)
		d2, err := Parse(step)
		require.NoError(t, err)
		second := EditObject(d2.Root())
		for _, c := range outerChanges {
			change1(second, c)
		}
		require.Equal(t, string(second.Bytes()), string(got))
	})
}
