package command

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/session"
)

func TestRepairDoctor(t *testing.T) {
	text := strings.ReplaceAll(brokenSession, `"sessionId":"s"`,
		`"sessionId":"s","version":"99.1","timestamp":"2026-11-28T07:41:01Z"`)
	name := writeOld(t, filepath.Join(t.TempDir(), "a.jsonl"), text)
	code, stdout, _ := call(t, "", "repair", "--doctor", name)
	require.Equal(t, 1, code)
	require.Contains(t, stdout, "version 99.1 is newer than those that were measured")
	require.Contains(t, stdout, "    made by something that the file does not show: a record is gone "+
		"that was there, and the client only appends (line 2 is u3 of 2026-11-28 07:41:01 by 99.1)\n")
	require.Contains(t, stdout, "  1 fault made by something that the file does not show: tell nobody "+
		"yet, and look for what removes lines of the files of Qwen Code 99.1\n")
	require.NotContains(t, stdout, "secret")

	_, stdout, _ = call(t, "", "repair", "--doctor", "--json", name)
	var files []session.File
	require.NoError(t, json.Unmarshal([]byte(stdout), &files))
	require.Equal(t, "u3", files[0].Broken[0].Report.Findings[0].Causes[0].Record)

	_, stdout, _ = call(t, "", "repair", name)
	require.NotContains(t, stdout, "made by")
}

// TestSteps: there are words for every step.
func TestSteps(t *testing.T) {
	for _, step := range []session.Step{
		session.StepKilled, session.StepCompaction, session.StepHook, session.StepTwoProcesses,
		session.StepOtherProgram, session.StepRepair, session.StepClient, session.StepUnknown,
	} {
		require.NotEmpty(t, steps[step].by)
		require.Equal(t, 1, strings.Count(steps[step].tell, "%s"))
	}
}
