package jsonscan

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

func TestSyntaxErrors(t *testing.T) {
	tests := []struct {
		reason       string
		src          string
		offset       int
		line, column int
		msg          string
	}{
		{"nothing at all", "", 0, 1, 1, "unexpected end of input, expected a value"},
		{"only white space", " \n\t ", 4, 2, 3, "unexpected end of input, expected a value"},
		{"byte order mark", "\xEF\xBB\xBF{}", 0, 1, 1,
			"unexpected byte order mark, expected a value"},
		{"two values", "1 2", 2, 1, 3, "unexpected '2', expected the end of the document"},
		{"two lines of JSON", "{}\n{}", 3, 2, 1,
			"unexpected '{', expected the end of the document"},
		{"comment", "[1, // one\n2]", 4, 1, 5, "unexpected '/', expected a value"},
		{"word", "nil", 1, 1, 2, `unexpected 'i', expected the literal "null"`},
		{"cut literal", "tru", 3, 1, 4, `unexpected end of input, expected the literal "true"`},
		{"literal in capitals", "True", 0, 1, 1, "unexpected 'T', expected a value"},
		{"literal with a tail", "falsey", 5, 1, 6,
			"unexpected 'y', expected the end of the document"},
		{"NaN", "NaN", 0, 1, 1, "unexpected 'N', expected a value"},
		{"single quotes", "'a'", 0, 1, 1, `unexpected "'", expected a value`},
		{"byte outside ASCII", "\xC3\xA9", 0, 1, 1, "unexpected byte 0xC3, expected a value"},
		{"NUL between tokens", "[\x00]", 1, 1, 2, "unexpected byte 0x00, expected a value"},
		{"form feed is no white space", "\f1", 0, 1, 1, "unexpected byte 0x0C, expected a value"},

		{"open array", "[", 1, 1, 2, "unexpected end of input, expected a value"},
		{"open array after an element", "[1", 2, 1, 3,
			`unexpected end of input, expected "," or "]" after an element`},
		{"open array after a comma", "[1,", 3, 1, 4, "unexpected end of input, expected a value"},
		{"trailing comma in an array", "[1,]", 3, 1, 4, "unexpected ']', expected a value"},
		{"leading comma", "[,1]", 1, 1, 2, "unexpected ',', expected a value"},
		{"no comma", "[1 2]", 3, 1, 4, `unexpected '2', expected "," or "]" after an element`},
		{"array closed as object", "[1}", 2, 1, 3,
			`unexpected '}', expected "," or "]" after an element`},
		{"empty array closed as object", "[}", 1, 1, 2, "unexpected '}', expected a value"},
		{"colon in an array", "[\"a\":1]", 4, 1, 5,
			`unexpected ':', expected "," or "]" after an element`},
		{"only a closing bracket", "]", 0, 1, 1, "unexpected ']', expected a value"},
		{"closed twice", "[]]", 2, 1, 3, "unexpected ']', expected the end of the document"},

		{"open object", "{", 1, 1, 2, `unexpected end of input, expected a key or "}"`},
		{"empty object closed as array", "{]", 1, 1, 2, `unexpected ']', expected a key or "}"`},
		{"bare key", "{a:1}", 1, 1, 2, `unexpected 'a', expected a key or "}"`},
		{"number as key", "{1:1}", 1, 1, 2, `unexpected '1', expected a key or "}"`},
		{"trailing comma in an object", "{\"a\":1,}", 7, 1, 8, "unexpected '}', expected a key"},
		{"open object after a comma", "{\"a\":1,", 7, 1, 8,
			"unexpected end of input, expected a key"},
		{"no colon", "{\"a\" 1}", 5, 1, 6, `unexpected '1', expected ":" after a key`},
		{"key without value", "{\"a\"}", 4, 1, 5, `unexpected '}', expected ":" after a key`},
		{"colon without value", "{\"a\":}", 5, 1, 6, "unexpected '}', expected a value"},
		{"open object after a value", "{\"a\":1", 6, 1, 7,
			`unexpected end of input, expected "," or "}" after a member`},
		{"object closed as array", "{\"a\":1]", 6, 1, 7,
			`unexpected ']', expected "," or "}" after a member`},
		{"outer object closed as array", "{\"a\":[]]", 7, 1, 8,
			`unexpected ']', expected "," or "}" after a member`},
		{"outer array closed as object", "[{}}", 3, 1, 4,
			`unexpected '}', expected "," or "]" after an element`},
		{"third line", "{\n  \"a\": 1,\r\n  \"b\": x\n}", 20, 3, 8,
			"unexpected 'x', expected a value"},

		{"leading zero", "01", 1, 1, 2, "a number with a leading zero"},
		{"negative leading zero", "-00", 2, 1, 3, "a number with a leading zero"},
		{"plus sign", "+1", 0, 1, 1, "unexpected '+', expected a value"},
		{"only a sign", "-", 1, 1, 2, "unexpected end of input, expected a digit"},
		{"sign and letter", "-I", 1, 1, 2, "unexpected 'I', expected a digit"},
		{"no digit before the point", ".5", 0, 1, 1, "unexpected '.', expected a value"},
		{"no digit after the point", "[1.]", 3, 1, 4, "unexpected ']', expected a digit"},
		{"exponent after the point", "1.e5", 2, 1, 3, "unexpected 'e', expected a digit"},
		{"no digit in the exponent", "1e", 2, 1, 3, "unexpected end of input, expected a digit"},
		{"only a sign in the exponent", "1E+", 3, 1, 4,
			"unexpected end of input, expected a digit"},
		{"hexadecimal", "0x10", 1, 1, 2, "unexpected 'x', expected the end of the document"},
		{"digit group", "1_000", 1, 1, 2, "unexpected '_', expected the end of the document"},

		{"open string", `"abc`, 4, 1, 5, `unexpected end of input, expected '"' to end the string`},
		{"open string of more than a word", `"abcdefghijkl`, 13, 1, 14,
			`unexpected end of input, expected '"' to end the string`},
		{"escaped last quote", `"abc\"`, 6, 1, 7,
			`unexpected end of input, expected '"' to end the string`},
		{"line break in a string", "\"a\nb\"", 2, 1, 3,
			"unexpected byte 0x0A, expected an escape for this control character"},
		{"tab in a string, after a word", "\"abcdefgh\t\"", 9, 1, 10,
			"unexpected byte 0x09, expected an escape for this control character"},
		{"NUL in a string", "\"abcdefg\x00hijklmnop\"", 8, 1, 9,
			"unexpected byte 0x00, expected an escape for this control character"},
		{"unit separator in a key", "{\"\x1f\":1}", 2, 1, 3,
			"unexpected byte 0x1F, expected an escape for this control character"},
		{"unknown escape", `"\a"`, 2, 1, 3,
			`unexpected 'a', expected one of "\/bfnrtu after a backslash`},
		{"escape in capitals", `"\N"`, 2, 1, 3,
			`unexpected 'N', expected one of "\/bfnrtu after a backslash`},
		{"cut escape", `"\`, 2, 1, 3, "unexpected end of input, expected the rest of an escape"},
		{"cut code point", `"\u12`, 5, 1, 6,
			`unexpected end of input, expected four hexadecimal digits after \u`},
		{"short code point", `"\u12"`, 5, 1, 6,
			`unexpected '"', expected four hexadecimal digits after \u`},
		{"no hexadecimal digit", `"\u00g0"`, 5, 1, 6,
			`unexpected 'g', expected four hexadecimal digits after \u`},
		{"second half of a pair is broken", `"\ud83d\u12"`, 11, 1, 12,
			`unexpected '"', expected four hexadecimal digits after \u`},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			_, err := Parse([]byte(tt.src))
			var got *SyntaxError
			require.ErrorAs(t, err, &got)
			want := &SyntaxError{Offset: tt.offset, Line: tt.line, Column: tt.column, Msg: tt.msg}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("Parse(%q) (-want +got):\n%s", tt.src, diff)
			}
			require.False(t, json.Valid([]byte(tt.src)), "encoding/json accepts it")
		})
	}
}

func TestSyntaxErrorText(t *testing.T) {
	_, err := Parse([]byte("[1,\n 2,]"))
	require.EqualError(t, err,
		"invalid JSON at line 2, column 4 (offset 7): unexpected ']', expected a value")
}

// accepted are documents at the edges of the grammar; every prefix of most of them is an error.
var accepted = []string{
	`null`, `true`, `false`, `0`, `-0`, `0.0`, `-0.0e-0`, `10`, `1e5`, `1E+5`, `1e-05`, `1.0`,
	`123456789012345678901234567890`,
	`1e999999`, ` 1`, "1\n", "\t\r\n 1 \t\r\n", `""`, `" "`, `"a"`, `"\"\\\/\b\f\n\r\t"`,
	`"\u0000"`, `"\u00e9\u00E9"`,
	`"\ud83d\ude00"`, `"\uD83D\uDE00"`, "\"\x7f\"", "\"\u2028\u2029\"", "\"\uFEFF\"", `"/"`,
	`"1234567"`, `"12345678"`,
	`"\\\\\\\""`, `"\\u0000"`, `"😀"`, `[]`, `[ ]`, "[\n]", `[[]]`, `[1]`, `[1,2]`, `[ 1 , 2 ]`,
	`[[],[[]],{}]`, `[null,true,false]`,
	`{}`, `{ }`, `{"":0}`, `{"a":1}`, `{ "a" : 1 , "b" : 2 }`, `{"a":{"a":{"a":{}}}}`,
	`{"a":[{"b":[{}]}]}`, `{"\u0061":1}`,
	// Accepted although not every reader does: see the package comment.
	`{"a":1,"a":2}`, `{"a":1,"\u0061":2}`, `"\ud83d"`, `"\ude00"`, `"\ude00\ud83d"`, `"\ud83dx"`,
	`"\ud83d\u0041"`,
	"\"\xff\"", "\"\xc0\x80\"", "\"\xed\xa0\xbd\"", "\"\xe2\x82\"", "{\"\xff\":\"\xfe\"}",
}

func TestAccepts(t *testing.T) {
	for _, src := range accepted {
		d, err := Parse([]byte(src))
		require.NoError(t, err, "%q", src)
		require.True(t, json.Valid([]byte(src)), "%q", src)
		require.Equal(t, strings.Trim(src, " \t\r\n"), string(d.Root().Raw()))
	}
}

// TestPrefixes cuts documents short at every byte: what is left is accepted exactly when
// encoding/json does.
func TestPrefixes(t *testing.T) {
	for _, src := range accepted {
		for i := range src {
			_, err := Parse([]byte(src[:i]))
			require.Equal(t, json.Valid([]byte(src[:i])), err == nil, "%q", src[:i])
		}
	}
}

// TestEveryByteAtEveryPlace puts each byte value at each place of a string of three words: the
// search works on words, and must find the right byte of the right word, whatever is around it.
func TestEveryByteAtEveryPlace(t *testing.T) {
	for _, filler := range []string{"a", "#", "!", "é", "\x7f"} {
		base := `["` + strings.Repeat(filler, 24/len(filler)) + `"]`
		for i := range base {
			for c := range 256 {
				src := []byte(base)
				src[i] = byte(c)
				_, err := Parse(src)
				require.Equal(t, json.Valid(src), err == nil, "%q", src)
			}
		}
	}
}

func TestDepth(t *testing.T) {
	nested := func(open, inner, closing string, depth int) []byte {
		return []byte(strings.Repeat(open, depth) + inner + strings.Repeat(closing, depth))
	}
	for _, shape := range []struct{ open, inner, closing string }{
		{"[", "1", "]"}, {"[", "", "]"}, {`{"a":`, "1", "}"}, {`[{"a":`, "1", "}]"},
		{"[0,", "[]", "]"},
	} {
		perLevel := len(shape.closing)
		deepest := MaxDepth / perLevel
		if shape.inner == "[]" {
			deepest--
		}
		_, err := Parse(nested(shape.open, shape.inner, shape.closing, deepest))
		require.NoError(t, err, shape.open)
		_, err = Parse(nested(shape.open, shape.inner, shape.closing, deepest+1))
		require.ErrorContains(t, err, "nested too deeply", shape.open)
	}
	// The limit is on nesting, not on the number of containers.
	_, err := Parse([]byte("[" + strings.Repeat("[[]],", 10*MaxDepth) + "{}]"))
	require.NoError(t, err)
}

func TestDepthBombs(t *testing.T) {
	for _, open := range []string{"[", `{"a":`, `[{"a":[`} {
		_, err := Parse([]byte(strings.Repeat(open, 10_000_000)))
		var got *SyntaxError
		require.ErrorAs(t, err, &got)
		require.Equal(t, "nested too deeply", got.Msg)
		require.Less(t, got.Offset, 10*MaxDepth)
		require.Equal(t, 1, got.Line)
	}
}

func TestReuse(t *testing.T) {
	big := history(1<<16, "mixed")
	var d Doc
	require.NoError(t, d.Parse(big))
	d.AliasStrings()

	require.NoError(t, d.Parse([]byte(`["a"]`)))
	require.Equal(t, "a", d.Root().First().Str(), "the alias of the document before is forgotten")

	require.Error(t, d.Parse([]byte(`["a"`)))
	require.Equal(t, Absent, d.Root().Kind(), "nothing is left after an error")
	require.Nil(t, d.Root().Raw())

	require.Zero(t, testing.AllocsPerRun(10, func() {
		if err := d.Parse(big); err != nil {
			t.Fatal(err)
		}
	}))
}

// TestTapeSize holds the memory to the size of the document for the documents this package is made
// for.
func TestTapeSize(t *testing.T) {
	const nodeSize = 16
	src := history(13<<20, "mixed")
	var d Doc
	require.NoError(t, d.Parse(src))
	require.Less(t, nodeSize*cap(d.nodes), len(src)/4)
}
