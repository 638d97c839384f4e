package casecheck

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func value(t *testing.T, text string) any {
	t.Helper()
	v, err := decode([]byte(text))
	require.NoError(t, err)
	return v
}

// TestDecodeStrings: pairs are joined, lone surrogates stay visible.
func TestDecodeStrings(t *testing.T) {
	for text, want := range map[string]string{
		`"a\"\\\/\b\f\n\r\t"`:  "a\"\\/\b\f\n\r\t",
		`"\u00e9é"`:            "éé",
		`"\ud83d\ude80"`:       "\U0001f680",
		`"\ud83d"`:             "\xed\xa0\xbd",
		`"\ude80\ud83d"`:       "\xed\xba\x80\xed\xa0\xbd",
		`"\ud83d\ud83d\ude80"`: "\xed\xa0\xbd\U0001f680",
		`"\ud83d\u0041"`:       "\xed\xa0\xbdA",
		`"�"`:                  "\ufffd",
	} {
		require.Equal(t, want, value(t, text), text)
	}
	require.True(t, hasSurrogate(value(t, `"x\ud83d"`).(string)))
	require.False(t, hasSurrogate(value(t, `"퟿é🚀"`).(string)))
}

func TestDecodeRejects(t *testing.T) {
	for _, text := range []string{``, `{`, `[1,]`, `"\x"`, `nul`, `1 2`, "\"\xff\"", "\"\xed\""} {
		_, err := decode([]byte(text))
		require.Error(t, err, "%q", text)
	}
	_, err := decode([]byte("\"\xed\xa0\xbd\""))
	require.NoError(t, err, "a surrogate in raw bytes is for the caller to name")
}

// TestEqual: semantic and exact.
func TestEqual(t *testing.T) {
	for _, test := range []struct {
		a, b             string
		equal, sameTexts bool
	}{
		{`{"a": 1, "b": [null, true]}`, `{"a":1,"b":[null,true]}`, true, true},
		{`{"a": 1, "b": 2}`, `{"b": 2, "a": 1}`, true, false},
		{`{"a": 1}`, `{"a": 1, "b": null}`, false, false},
		{`{"a": null}`, `{"b": null}`, false, false},
		{`1`, `1.0`, true, false},
		{`100`, `1e2`, true, false},
		{`-1.50`, `-15E-1`, true, false},
		{`0`, `-0.0e7`, true, false},
		{`1`, `-1`, false, false},
		{`12345678901234567890`, `12345678901234567891`, false, false},
		{`1e999999999999`, `1e999999999999`, true, true},
		{`1e999999999999`, `1e999999999998`, false, false},
		{`1`, `"1"`, false, false},
		{`1`, `true`, false, false},
		{`null`, `false`, false, false},
		{`[]`, `{}`, false, false},
		{`null`, `[]`, false, false},
		{`[1, 2]`, `[2, 1]`, false, false},
		{`"\u0041"`, `"A"`, true, true},
		{`"\ud83d"`, `"\ufffd"`, false, false},
		{`{"a": 1, "a": 2}`, `{"a": 2}`, true, true},
	} {
		a, b := value(t, test.a), value(t, test.b)
		require.Equal(t, test.equal, equal(a, b), "%s %s", test.a, test.b)
		require.Equal(t, test.equal, equal(b, a), "%s %s", test.b, test.a)
		require.Equal(t, test.sameTexts, sameText(a, b), "%s %s", test.a, test.b)
	}
}

func TestTextOf(t *testing.T) {
	for text, want := range map[string]string{
		`"a"`: "a",
		`[{"type": "text", "text": "a"}, {"text": "b"}, "c"]`: "abc",
		`{"output": {"content": [{"text": "a"}]}}`:            "a",
		`{"text": 1, "result": "a"}`:                          "a",
		`{"other": "a"}`:                                      "",
		`null`:                                                "",
	} {
		require.Equal(t, want, textOf(value(t, text)), text)
	}
}

// TestAlign: which output call is which input call.
func TestAlign(t *testing.T) {
	view := func(history string) *view { return newView(anthropic, value(t, `{"messages": `+history+`}`)) }
	for _, test := range []struct {
		reason, in, out string
		want            []int // for each input call the index of its output call, -1 when gone
	}{
		{"by id", aTwo, aBack, []int{0, 1}},
		{"one is gone", aTwo, aOne, []int{0, -1}},
		{"equal ids by arguments", aSame, list(aAsst(aCall("d", "f", `{"a": 2}`))), []int{-1, 0}},
		{"a rewritten id by name and arguments", aSame, aDiff, []int{0, 1}},
		{"a name that was trimmed", list(aAsst(aCall("x", " f", `{}`))), list(aAsst(aCall("y", "f", `{}`))), []int{0}},
		{"another call under a new id", aOne, list(aAsst(aCall("y", "g", `{}`))), []int{-1}},
		{"equal calls by the text before them",
			list(aUser(aText("a")), aAsst(aCall("d", "f", `{}`)), aUser(aText("b")), aAsst(aCall("d", "f", `{}`))),
			list(aUser(aText("a")), aUser(aText("b")), aAsst(aCall("d", "f", `{}`))), []int{-1, 0}},
	} {
		t.Run(test.reason, func(t *testing.T) {
			in, out := view(test.in), view(test.out)
			align(in, out)
			var got []int
			for _, c := range in.calls {
				if c.became == nil {
					got = append(got, -1)
				} else {
					got = append(got, c.became.order)
				}
			}
			require.Equal(t, test.want, got)
		})
	}
}
