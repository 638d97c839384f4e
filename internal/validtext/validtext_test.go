package validtext

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/internal/jsonscan"
)

// slowCheckJSON is CheckJSON without looking for escapes first.
func slowCheckJSON(raw []byte) Fault {
	_, flags, err := jsonscan.Inspect(raw)
	if err != nil {
		return Check(string(raw))
	}
	return OfFlags(flags)
}

// rawPieces are what raw JSON is made of with escapes; in any order, and cut anywhere.
var rawPieces = []string{
	`"`, `\`, `\\`, `u`, `\u`, `\u0000`, `\u001b`, `\u0`, `00`, `\ud83d`, `\uDE00`, `\uD83D\uDE00`,
	`\ud7ff`, `\uE000`, `\n`, `\"`, "\x00", "\xed\xa0\xbd", "é", "漢", "😀", "a", "C:\\users",
	"0123456", strings.Repeat("x", 31), strings.Repeat("y", 32), `{"a":"`, `"}`, `[`, `]`,
}

func drawRaw(t *rapid.T) []byte {
	raw := strings.Join(rapid.SliceOfN(rapid.SampledFrom(rawPieces), 0, 12).Draw(t, "pieces"), "")
	if rapid.Bool().Draw(t, "quoted") {
		raw = `"` + raw + `"`
	}
	return []byte(raw)
}

func TestCheckJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := drawRaw(t)
		require.Equal(t, slowCheckJSON(raw), CheckJSON(raw), "%q", raw)
	})
}

// TestCheckJSONPlaces puts every fault in every place of a text: in the words that
// are read at once, between two of them, and after the last.
func TestCheckJSONPlaces(t *testing.T) {
	for _, piece := range []string{
		`\u0000`, `\ud83d`, `\uDFFF`, "\x00", "\xff", `\u0001`, `\ue000`, `\\u0000`, `\u`, `\u0`,
		`\u00`, `\ud8`,
	} {
		for before := range 70 {
			for _, after := range []int{0, 1, 7, 40} {
				raw := slices.Clip([]byte(
					`"` + strings.Repeat("u", before) + piece + strings.Repeat("u", after) + `"`))
				require.Equal(t, slowCheckJSON(raw), CheckJSON(raw), "%q", raw)
			}
		}
	}
}

// TestCheckJSONOfLittle: values of a byte or two, and bytes before any value, are checked like the
// others.
func TestCheckJSONOfLittle(t *testing.T) {
	for raw, want := range map[string]Fault{
		"":         None,
		"1":        None,
		"\x00":     NUL,
		"\xff":     Invalid,
		"\x00{}":   NUL,
		"{}\x00":   NUL,
		"\xff\x00": NUL,
		"\\":       None,
		"\\u":      None,
	} {
		require.Equal(t, want, CheckJSON([]byte(raw)), "%q", raw)
	}
}

func FuzzCheckJSON(f *testing.F) {
	for _, piece := range rawPieces {
		f.Add([]byte(`"` + piece + `"`))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		require.Equal(t, slowCheckJSON(raw), CheckJSON(raw), "%q", raw)
	})
}

// TestClean: a repaired text has no fault, and keeps what was valid.
func TestClean(t *testing.T) {
	for _, c := range []struct {
		reason, in, want string
		fault            Fault
	}{
		{"valid text stays", `aé漢😀\ud83d`, `aé漢😀\ud83d`, None},
		{"NUL is removed", "a\x00b", "ab", NUL},
		{"each invalid byte is replaced", "a\xff\xfeb", "a\ufffd\ufffdb", Invalid},
		{"an encoded surrogate is one character", "\xed\xa0\xbdb", "\ufffdb", Invalid},
		{"halves around a NUL do not join", "\xf0\x9f\x00\x98\x80",
			"\ufffd\ufffd\ufffd\ufffd", NUL},
	} {
		require.Equal(t, c.fault, Check(c.in), c.reason)
		require.Equal(t, c.want, Clean(c.in), c.reason)
		require.Equal(t, None, Check(Clean(c.in)), c.reason)
	}
}

// TestCleanJSON: repaired JSON has no fault in its strings, and stays JSON.
func TestCleanJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := drawRaw(t)
		out := CleanJSON(raw)
		require.Equal(t, None, CheckJSON(out), "%q", raw)
		require.Equal(t, out, CleanJSON(out))
		if CheckJSON(raw) == None {
			require.Equal(t, raw, out)
		}
		_, _, before := jsonscan.Inspect(raw)
		_, _, after := jsonscan.Inspect(out)
		if before == nil {
			require.NoError(t, after, "%q", raw)
		}
		require.True(t, utf8.Valid(out))
	})
}
