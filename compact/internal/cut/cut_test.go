package cut

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestFieldPieces: the pieces of any text are the text, and no lead is longer than it may be.
func TestFieldPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		token := rapid.SampledFrom([]string{
			`{`, `}`, `[`, `]`, `,`, `"`, `\`, `"a":`, `"name":"x",`, ` `, "}, {", "… [12" + OmittedMark, strings.Repeat("word ", 90),
			`"` + strings.Repeat("é", 250) + `",`,
		})
		text := strings.Join(rapid.SliceOfN(token, 0, 80).Draw(t, "tokens"), "")
		var all strings.Builder
		for _, s := range fieldPieces(text) {
			require.LessOrEqual(t, len(s.Text), Bytes)
			require.LessOrEqual(t, len(s.Lead), leadBytes)
			all.WriteString(s.Text)
		}
		require.Equal(t, strings.Join(strings.Fields(text), ""),
			strings.Join(strings.Fields(all.String()), ""))
	})
}

// TestRecordsWhole: nothing of an output is missing in its records, and none is too long.
func TestRecordsWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.SampledFrom([]string{
			"", "{", "  {", "},", "}", "\"a\": [", "a:", "  b: 1", "- c: 2",
			"ok", "FAILED", "a line of some words", "x = y", strings.Repeat("k: ", 120),
			strings.Repeat(`{"a": 1},`, 60), strings.Repeat("label ", 60) + ":"})
		text := "[tool result run] " + strings.Join(rapid.SliceOfN(line, 1, 60).Draw(t, "lines"), "\n")
		var all []string
		for _, s := range Records(text) {
			require.LessOrEqual(t, len(s.Text), Bytes)
			all = append(all, s.Text)
		}
		require.Equal(t, strings.Join(strings.Fields(text), ""),
			strings.Join(strings.Fields(strings.Join(all, "")), ""))
	})
}

// TestTellingPadded: rows with columns that are padded to one width are alike.
func TestTellingPadded(t *testing.T) {
	lines := []string{"  1 |   485 | 31753.91", "  2 |    47 | 91.66", " 13 | 12611 | 65032.56",
		"  4 |     7 | 7.1", "total of all is wrong"}
	_, unlike, alike := Telling(lines)
	require.True(t, alike)
	require.Equal(t, []bool{false, false, false, false, true}, unlike)
}
