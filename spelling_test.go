package preflight

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule"
)

// This file holds each fast path of reading texts against the plain spelling of what it answers.

// slowRawProblem is rawProblem without looking for escapes first.
func slowRawProblem(raw []byte) rule.Problem {
	_, flags, err := inspectJSON(raw)
	if err != nil {
		return textProblem(string(raw))
	}
	return flaggedProblem(flags)
}

// rawPieces are what raw JSON is made of where escapes are about; in any order, and cut anywhere.
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

func TestRawProblem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := drawRaw(t)
		require.Equal(t, slowRawProblem(raw), rawProblem(raw), "%q", raw)
	})
}

// TestRawProblemPlaces puts what may not be overlooked in every place of a text: in the words that
// are read at once, between two of them, and after the last.
func TestRawProblemPlaces(t *testing.T) {
	for _, piece := range []string{
		`\u0000`, `\ud83d`, `\uDFFF`, "\x00", "\xff", `\u0001`, `\ue000`, `\\u0000`, `\u`, `\u0`,
		`\u00`, `\ud8`,
	} {
		for before := range 70 {
			for _, after := range []int{0, 1, 7, 40} {
				raw := slices.Clip([]byte(
					`"` + strings.Repeat("u", before) + piece + strings.Repeat("u", after) + `"`))
				require.Equal(t, slowRawProblem(raw), rawProblem(raw), "%q", raw)
			}
		}
	}
}

// TestRawProblemOfLittle: values of a byte or two, and bytes before any value, are looked at like
// the others.
func TestRawProblemOfLittle(t *testing.T) {
	for raw, want := range map[string]rule.Problem{
		"":         "",
		"1":        "",
		"\x00":     rule.NUL,
		"\xff":     rule.InvalidUnicode,
		"\x00{}":   rule.NUL,
		"{}\x00":   rule.NUL,
		"\xff\x00": rule.NUL,
		"\\":       "",
		"\\u":      "",
	} {
		require.Equal(t, want, rawProblem([]byte(raw)), "%q", raw)
	}
}

func FuzzRawProblem(f *testing.F) {
	for _, piece := range rawPieces {
		f.Add([]byte(`"` + piece + `"`))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		require.Equal(t, slowRawProblem(raw), rawProblem(raw), "%q", raw)
	})
}

// TestSpelling: one scan of a call's arguments says what two questions did.
func TestSpelling(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		call := &ToolCall{
			Input:   drawRaw(t),
			Variant: rapid.SampledFrom([]string{"", "custom"}).Draw(t, "variant"),
		}
		c := checker{
			profile: &Profile{
				Tools: provider.ToolRules{ObjectArguments: rapid.Bool().Draw(t, "object wanted")},
			},
		}
		problem, object := c.spelling(call)
		require.Equal(t, unicodeProblem(call), problem, "%q", call.Input)
		if c.profile.Tools.ObjectArguments && takesObject(call) {
			require.Equal(t, isObject(call.Input), object, "%q", call.Input)
		}
		require.Equal(t, jsonscan.Value{}, c.doc.Root(), "nothing of the caller's is kept")
	})
}

// TestAlphabets holds the tables, read eight bytes at a time, against the question about single
// characters.
func TestAlphabets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.SampledFrom([]provider.Alphabet{
			provider.WordChars, provider.PlainChars, provider.AlnumChars, provider.Base64,
			"unheard-of",
		}).
			Draw(t, "alphabet")
		s := strings.Repeat("aZ09", rapid.IntRange(0, 5).Draw(t, "legal")) +
			rapid.StringOfN(rapid.RuneFrom([]rune("aZ0_-+/=.: é\x00")), 0, 9, -1).Draw(t, "s")
		want := true
		for k := range len(s) {
			want = want && a.Has(rune(s[k]))
		}
		require.Equal(t, want, a.Holds(s), "%q", s)
	})
}
