package session_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/session"
)

// TestKeptMessages: pi sends of the messages before a compaction those from the record on that the
// compaction names, and none where no record has that id: buildContextEntries of pi 1.6.0. So the
// compaction names another one where that record is lost, or the repair removes it.
func TestKeptMessages(t *testing.T) {
	record := chains["pi"]
	const head = `{"type":"session","version":3,"id":"s","timestamp":"t","cwd":"/home/dev"}`
	compaction := func(first string) string {
		return `{"type":"compaction","id":"6","parentId":"5","timestamp":"t","summary":"so far",` +
			`"firstKeptEntryId":"` + first + `"}`
	}
	after := []string{record("7", "6", "prompt", "and now"), record("8", "7", "answer", "done")}
	kept := []string{
		record("4", "3", "answer", "a kept answer"), record("5", "4", "prompt", "a kept task"),
	}
	picture := strings.ReplaceAll(record("3", "2", "prompt", "x"),
		`"type":"text","text":"x"`, `"type":"image","mimeType":"image/png","data":""`)
	for _, c := range []struct {
		name  string
		lines []string
		kept  bool
	}{
		{"it is lost", []string{record("1", "", "prompt", "old"), compaction("3")}, true},
		{"it is the result of a lost call",
			[]string{record("2", "", "prompt", "old"), record("3", "2", "result", "c1"), compaction("3")},
			true},
		{"it is an empty picture, which is removed",
			[]string{record("2", "", "prompt", "old"), picture, compaction("3")}, true},
		{"nothing was kept", []string{record("3", "", "prompt", "old"), compaction("none")}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			last := len(c.lines) - 1
			lines := append([]string{head}, c.lines[:last]...)
			lines = append(append(append(lines, kept...), c.lines[last]), after...)
			file := []byte(strings.Join(lines, "\n") + "\n")
			repaired, _, err := session.Repair(file, nil)
			require.NoError(t, err)
			read, err := session.Read(repaired)
			require.NoError(t, err)
			sent := string(read.Body)
			for _, text := range []string{"a kept answer", "a kept task"} {
				require.Equal(t, c.kept, strings.Contains(sent, text), "%s", repaired)
			}
			require.NotContains(t, sent, `"old"`)
			require.Contains(t, sent, "and now")
			again, report, err := session.Repair(repaired, nil)
			require.NoError(t, err)
			require.Equal(t, string(repaired), string(again), report)
		})
	}
}

// TestKeptMessageLost: where the lost record was the last one before the compaction, nothing that
// it kept is left, and nothing else is named.
func TestKeptMessageLost(t *testing.T) {
	record := chains["pi"]
	file := strings.Join([]string{
		`{"type":"session","version":3,"id":"s","timestamp":"t","cwd":"/home/dev"}`,
		record("1", "", "prompt", "old"),
		`{"type":"compaction","id":"6","parentId":"9","timestamp":"t","summary":"so far",` +
			`"firstKeptEntryId":"9"}`,
		record("7", "6", "prompt", "and now"),
	}, "\n") + "\n"
	repaired, report, err := session.Repair([]byte(file), nil)
	require.NoError(t, err)
	require.Contains(t, string(repaired), `"firstKeptEntryId":"9"`)
	for _, f := range report.Findings {
		require.NotContains(t, f.Problem, "kept", "%+v", f)
	}
}
