package session_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/session"
)

// TestCauses: each fault has the step that made it, as far as the file shows it, and the client's
// own id of its record.
func TestCauses(t *testing.T) {
	claude, codex, pi, qwen := stored["claude-code"], stored["codex"], stored["pi"],
		stored["qwen-code"]
	between := func(lines []string, k int, added ...string) []string {
		return slices.Insert(slices.Clone(lines), k, added...)
	}
	pi1 := strings.ReplaceAll(pi[4], `"parentId":"e3"`, `"parentId":"x"`)
	late := func(added string) []byte {
		return file([]string{pi[0], pi[1], pi[2], strings.Replace(pi[3],
			`,{"type":"toolCall","id":"toolu_2","name":"ls","arguments":{}}`, "", 1), added, pi1})
	}
	record := `{"type":"KIND","id":"x","parentId":"e3","timestamp":"2026-11-28T07:41:01Z",MORE}`
	for name, test := range map[string]struct {
		data   []byte
		code   session.Code
		step   session.Step
		shows  string
		record string
	}{
		"the end cut off": {
			file(codex)[:len(file(codex))-20], session.CodeUnreadableLine, session.StepKilled,
			"is the last line", "6",
		},
		"cut off in the middle": {
			file(between(claude, 3, claude[3][:40])), session.CodeUnreadableLine, session.StepKilled,
			"another run went on", "",
		},
		"killed in a tool": {
			file(claude[:5]), session.CodeDanglingCall, session.StepKilled, "ends with the call", "u3",
		},
		"a prompt after the call": {
			file([]string{qwen[0], qwen[2],
				strings.NewReplacer(`u1`, `u9`, `null`, `"u3"`).Replace(qwen[0])}),
			session.CodeDanglingCall, session.StepKilled, "a new prompt follows", "u3",
		},
		"a lost result": {
			file(qwen, 4), session.CodeDanglingCall, session.StepUnknown, "is gone", "u3",
		},
		"a lost record": {
			file(qwen, 2), session.CodeBrokenChain, session.StepUnknown, "is gone", "u3",
		},
		"a record that is cut off": {
			file(between(append(slices.Clone(pi[:3]), pi[4:]...), 3, pi[3][:60])),
			session.CodeBrokenChain, session.StepKilled, "not written to its end", "e4",
		},
		"a result after a compaction": {
			file([]string{pi[0], pi[1], pi[2], strings.NewReplacer("KIND", "compaction", "MORE",
				`"summary":"It began."`, `"e3"`, `"e2"`).Replace(record), pi1}),
			session.CodeOrphanResult, session.StepCompaction, "the compaction in line 4", "e4",
		},
		"an extension between call and result": {
			late(strings.NewReplacer("KIND", "custom_message", "MORE", `"content":"Note."`).Replace(record)),
			session.CodeOutOfOrder, session.StepHook, "line 5 before it", "e4",
		},
		"two processes": {
			file(between(codex, 6, codex[4][:strings.Index(codex[4], `"type"`)]+
				`"type":"event_msg","payload":{"type":"x"}}`)),
			session.CodeDoubledNumber, session.StepTwoProcesses, "counted on", "4",
		},
		"a copy": {
			file(append(slices.Clone(codex), codex[5])), session.CodeDoubledLine,
			session.StepOtherProgram, "byte for byte", "5",
		},
		"a lone surrogate": {
			[]byte(strings.Replace(string(file(claude)), "Two files.", `Two \ud83d files.`, 1)),
			"text-repaired", session.StepClient, "stored it so", "u7",
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, report, err := session.Repair(test.data, &session.Options{Causes: true})
			require.NoError(t, err)
			for _, f := range report.Findings {
				require.Len(t, f.Causes, len(f.Lines))
				if f.Code != test.code {
					continue
				}
				cause := f.Causes[0]
				require.Equal(t, test.step, cause.Step, "%+v", f)
				require.Contains(t, cause.Shows, test.shows)
				require.Equal(t, test.record, cause.Record)
				require.Equal(t, f.Lines[0], cause.Line)
				_, plain, err := session.Repair(test.data, nil)
				require.NoError(t, err)
				require.Empty(t, plain.Findings[0].Causes)
				return
			}
			t.Fatalf("no %s in %+v", test.code, report.Findings)
		})
	}
}

// TestNewer: a version that is newer than those that were measured is called that.
func TestNewer(t *testing.T) {
	data := strings.ReplaceAll(string(file(stored["qwen-code"], 4)), `"sessionId":"s"`,
		`"sessionId":"s","version":"99.0.0","timestamp":"2026-11-28T07:41:01Z"`)
	_, report, err := session.Repair([]byte(data), &session.Options{Causes: true})
	require.NoError(t, err)
	require.NotEmpty(t, report.NewerThan)
	require.True(t, report.Unsure)
	require.Equal(t, "99.0.0", report.Findings[0].Causes[0].Version)
	require.Equal(t, time.Date(2026, 11, 28, 7, 41, 1, 0, time.UTC), report.Findings[0].Causes[0].Time)
	for _, lines := range stored {
		_, report, err := session.Repair(file(lines), nil)
		require.NoError(t, err)
		require.Empty(t, report.NewerThan)
	}
}
