package jsonscan

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestRepairString(t *testing.T) {
	tests := []struct{ reason, raw, want string }{
		{"nothing to do", `"plain é \u00e9 \ud83d\ude00 \/ \\u0000"`,
			`"plain é \u00e9 \ud83d\ude00 \/ \\u0000"`},
		{"empty", `""`, `""`},
		{"high half", `"a\ud83db"`, `"a\ufffdb"`},
		{"low half", `"a\uDE00b"`, `"a\ufffdb"`},
		{"two high halves, then a low one", `"\ud83d\ud83d\ude00"`, `"\ufffd\ud83d\ude00"`},
		{"halves in the wrong order", `"\ude00\ud83d"`, `"\ufffd\ufffd"`},
		{"high half before another escape", `"\ud83d\n\ude00"`, `"\ufffd\n\ufffd"`},
		{"NUL", `"a\u0000b\u0000"`, `"ab"`},
		{"only NUL", `"\u0000\u0000"`, `""`},
		{"an escaped backslash is no NUL", `"\\u0000\\\u0000"`, `"\\u0000\\"`},
		{"halves that a NUL keeps apart do not come together", `"\ud83d\u0000\ude00"`,
			`"\ufffd\ufffd"`},
		{"bytes that a NUL keeps apart neither", "\"\xe2\\u0000\x82\xac\"",
			"\"\uFFFD\uFFFD\uFFFD\""},
		{"ill-formed bytes", "\"a\xff\xfeb\xc3\"", "\"a\uFFFD\uFFFDb\uFFFD\""},
		{"overlong", "\"\xc0\xaf\"", "\"\uFFFD\uFFFD\""},
		{"surrogate in bytes", "\"\xed\xa0\xbd\xed\xb8\x80\"", "\"\uFFFD\uFFFD\""},
		{"cut character before a quote", "\"\xf0\x9f\x98\"", "\"\uFFFD\uFFFD\uFFFD\""},
		{"not a string token: kept without harm", `\ud8`, `\ud8`},
		{"a lone backslash", `\`, `\`},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			got := RepairString([]byte("dst"), []byte(tt.raw))
			require.Equal(t, "dst"+tt.want, string(got))
			require.Equal(t, tt.want, string(RepairString(nil, []byte(tt.want))), "again")
		})
	}
}

func TestRepair(t *testing.T) {
	v := root(t,
		"{ \"k\\u0000\" : [\"\xff\", 1.0, \"\\u0041\"], \"ok\":{ \"x\" :\"\\ud83d\" } , \"z\":[]}")
	require.Equal(t,
		"dst{ \"k\" : [\"\uFFFD\", 1.0, \"\\u0041\"], \"ok\":{ \"x\" :\"\\ufffd\" } , \"z\":[]}",
		string(Repair([]byte("dst"), v)))
	require.Equal(t, `{ "x" :"\ufffd" }`, string(Repair(nil, v.Get("ok"))),
		"one value of the document")
	require.Equal(t, `[]`, string(Repair(nil, v.Get("z"))))
	require.Equal(t, `"k"`, string(Repair(nil, v.At(0).Key())), "a key")
	require.Nil(t, Repair(nil, Value{}))
}

var runsOfReplacement = regexp.MustCompile("\uFFFD+")

// likeStd brings a text decoded by encoding/json to the form that repairing gives. Where the source
// has bytes that are not UTF-8 the number of U+FFFD may differ, for surrogates in bytes: there,
// only their places count.
func likeStd(s string, f Flags) string {
	s = strings.ReplaceAll(s, "\x00", "")
	if f&HasInvalidUTF8 != 0 {
		s = runsOfReplacement.ReplaceAllString(s, "\uFFFD")
	}
	return s
}

// stringsAndRest splits a document into its strings (keys too), in order, and everything else.
func stringsAndRest(d *Doc) (tokens []Value, rest string) {
	at := 0
	for i, n := range d.nodes {
		if kindOf(n) == String {
			v := Value{d, uint32(i)}
			tokens = append(tokens, v)
			rest += string(d.src[at:v.Start()]) + "S"
			at = v.End()
		}
	}
	return tokens, rest + string(d.src[at:])
}

func checkRepair(t *testing.T, src []byte) {
	d, err := Parse(src)
	if err != nil {
		return
	}
	repaired := Repair(nil, d.Root())
	if d.Root().SubtreeFlags()&NeedsRepair == 0 {
		require.Equal(t, string(d.Root().Raw()), string(repaired))
		return
	}
	require.NotEqual(t, string(d.Root().Raw()), string(repaired))
	require.True(t, utf8.Valid(repaired))
	again, err := Parse(repaired)
	require.NoError(t, err)
	require.Zero(t, again.Root().SubtreeFlags()&NeedsRepair)
	require.Equal(t, string(repaired), string(RepairString(nil, repaired)), "idempotent")

	d, err = Parse(d.Root().Raw()) // without the white space around
	require.NoError(t, err)
	before, restBefore := stringsAndRest(d)
	after, restAfter := stringsAndRest(again)
	require.Equal(t, restBefore, restAfter)
	for i, b := range before {
		if b.Flags()&NeedsRepair == 0 {
			require.Equal(t, string(b.Raw()), string(after[i].Raw()))
			continue
		}
		var was, is string
		require.NoError(t, json.Unmarshal(b.Raw(), &was))
		require.NoError(t, json.Unmarshal(after[i].Raw(), &is))
		require.Equal(t, likeStd(was, b.Flags()), likeStd(is, b.Flags()))
		require.Equal(t, string(after[i].Raw()), string(Repair(nil, b)))
	}
}

func FuzzRepair(f *testing.F) {
	for _, src := range repairSeeds {
		f.Add([]byte(src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		checkRepair(t, src)
		// Nearly every mutation breaks the syntax; as the content of a string more of them survive.
		checkRepair(t, []byte(`["`+string(src)+`"]`))
	})
}

var repairSeeds = append([]string{
	`\ud83d\u0000\ude00`, `\u0000\\u0000`, "\xe2\\u0000\x82\xac",
	`{"\ud83d":"\u0000","a":["\ude00",{"b":"x"}]}`, "\xed\xa0\xbd",
}, accepted...)
