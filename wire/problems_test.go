package wire_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule/problems"
	"github.com/go-preflight/preflight/wire"
)

// notInRequests are the problems that no request can show, and why.
var notInRequests = map[problems.Problem]string{
	problems.NilPart: "a request holds no nil part",
	problems.Nested: "a tool result of a request holds what a codec reads as parts that it " +
		"may hold",
	problems.ServerRefused: "a format without such tools has no blocks for them",
	problems.TextMisplaced: "a tool message of a request is read as its result alone",
	problems.ItemMixed:     "every item of a request is read as a message of its own",
}

// seenWhenRepaired are the problems that only a repair brings about: Check does not see them
// before.
var seenWhenRepaired = []problems.Problem{
	problems.ReasoningBound, // an earlier part had to change
	problems.ItemAlone,      // the reasoning before it had to go
}

// notAccepted are the problems whose history cannot be repaired, and why.
var notAccepted = map[problems.Problem]string{
	problems.NoMessages: "there is nothing to send",
}

// TestProblems runs the golden files of testdata/problems. Each is named after the problem that its
// input has. They are the index of what preflight does.
func TestProblems(t *testing.T) {
	eachGolden(t, "../testdata/problems/*.txtar", false, func(t *testing.T, c *goldenCase) {
		problem := problems.Problem(c.name)
		if slices.Contains(seenWhenRepaired, problem) {
			profile, _ := provider.ByName(c.options.Provider, "")
			require.True(t, slices.ContainsFunc(c.result.Warnings, func(w wire.Warning) bool {
				return w.Rule == profile.Rules[problem]
			}))
		} else {
			require.True(t, slices.ContainsFunc(c.found, func(v wire.Violation) bool {
				return v.Problem == problem
			}), "%v", c.found)
		}
		if notAccepted[problem] != "" {
			require.Error(t, c.err)
			return
		}
		require.NoError(t, c.err)
		require.Empty(t, c.refused)
	})
}

// TestEveryProblemHasAGoldenFile finds the problems in the source of package problems.
func TestEveryProblemHasAGoldenFile(t *testing.T) {
	source, err := os.ReadFile("../rule/problems/problems.go")
	require.NoError(t, err)
	var all []string
	declared := regexp.MustCompile(`(?m)^\s*\w+\s+Problem\s*= "(.*?)"`)
	for _, m := range declared.FindAllStringSubmatch(string(source), -1) {
		all = append(all, m[1])
	}
	require.NotEmpty(t, all)
	for _, problem := range all {
		_, err := os.Stat(filepath.Join("../testdata/problems", problem+".txtar"))
		if notInRequests[problems.Problem(problem)] == "" {
			require.NoError(t, err, "a problem without a golden file")
		} else {
			require.Error(t, err, "%s is no exception", problem)
		}
	}
	files, err := filepath.Glob("../testdata/problems/*.txtar")
	require.NoError(t, err)
	require.Len(t, files, len(all)-len(notInRequests), "a golden file of no problem")
}
