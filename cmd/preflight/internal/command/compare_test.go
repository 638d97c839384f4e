package command

import (
	"encoding/json"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/preflighttest/compare"
)

func TestCompare(t *testing.T) {
	if _, err := exec.LookPath("cat"); err != nil {
		t.Skip("the program that is compared is cat")
	}
	code, stdout, stderr := call(t, "", "compare", "--provider", "cohere", "--exec", "cat", "--json")
	require.Zero(t, code, stderr)
	var table compare.Table
	require.NoError(t, json.Unmarshal([]byte(stdout), &table))
	require.Equal(t, compare.Refused, table.Rows[0].Measure)
	require.Equal(t, table.Rows[0].Of, table.Rows[0].Yours)
	require.NotEmpty(t, table.Rows[0].Example)

	for _, args := range [][]string{
		{"compare"}, {"compare", "--exec", "cat"}, {"compare", "--provider", "nobody", "--exec", "cat"},
	} {
		code, _, stderr = call(t, "", args...)
		require.Equal(t, exitUsage, code)
		require.Contains(t, stderr, "preflight compare: ")
	}
}

// TestCompareNothing: a program that is not there is told at once, and is no table of errors.
func TestCompareNothing(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no shell")
	}
	code, stdout, stderr := call(t, "", "compare", "--provider", "cohere", "--exec", "./nothing-here")
	require.Equal(t, exitUsage, code)
	require.Empty(t, stdout)
	require.Contains(t, stderr, "nothing-here")
}

func TestExecuted(t *testing.T) {
	_, err := executed("echo gone >&2; exit 3")(t.Context(), nil)
	require.ErrorContains(t, err, "gone")
}
