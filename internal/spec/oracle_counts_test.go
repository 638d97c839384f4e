package spec

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighttest/histgen"
)

// This file counts calls, results and tags for the oracles.

// withoutRepeats is results without the further ones of a tag.
func withoutRepeats(results []*preflight.ToolResult) []*preflight.ToolResult {
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(results), func(r *preflight.ToolResult) bool {
		again := seen[histgen.Tag(r)]
		seen[histgen.Tag(r)] = true
		return again
	})
}

// countOf is how many of some calls or results are of an id.
func countOf[P preflight.Part](parts []P, id string) (n int) {
	for _, p := range parts {
		switch p := preflight.Part(p).(type) {
		case *preflight.ToolCall:
			if p.ID == id {
				n++
			}
		case *preflight.ToolResult:
			if p.CallID == id {
				n++
			}
		}
	}
	return n
}

// countBlank is how many results have no id, whatever blank spelling it has.
func countBlank(results []*preflight.ToolResult) (n int) {
	for _, r := range results {
		if strings.TrimSpace(r.CallID) == "" {
			n++
		}
	}
	return n
}

func tagCounts(h []preflight.Message) map[string]int {
	out := map[string]int{}
	for _, p := range partsOf(h) {
		out[histgen.Tag(p)]++
	}
	return out
}

// minus returns the difference of two tallies.
func minus(a, b preflight.Tally) preflight.Tally {
	a.Texts -= b.Texts
	a.Reasonings -= b.Reasonings
	a.Calls -= b.Calls
	a.Results -= b.Results
	a.Media -= b.Media
	a.Others -= b.Others
	a.Bytes -= b.Bytes
	return a
}

// requireAccounts holds a result to what it says about itself: every warning points into the input,
// what came in is what comes out with what the warnings say has gone, and every part that stayed
// is in a message that names the one it came from.
func requireAccounts(t *testing.T, in []preflight.Message, res preflight.Result) {
	t.Helper()
	for _, w := range res.Warnings {
		require.Empty(t, misplaced(w, in), "%v", w)
	}
	require.Equal(t, preflight.TallyOf(in...),
		minus(preflight.TallyOf(res.Messages...).Plus(res.Removed), res.Added),
		"the accounts do not add up: %s", list(res.Warnings))
	require.Equal(t, len(res.Warnings) > 0, res.Changed)
	if !res.Changed {
		return
	}
	require.Len(t, res.Origins, len(res.Messages))
	from := map[preflight.Part][]int{}
	for i, m := range in {
		for _, p := range m.Parts {
			from[p] = append(from[p], i)
		}
	}
	for i, m := range res.Messages {
		require.True(t, slices.IsSorted(res.Origins[i]), "origins %v", res.Origins[i])
		for _, p := range m.Parts {
			named := func(source int) bool { return slices.Contains(res.Origins[i], source) }
			require.True(t, len(from[p]) == 0 || slices.ContainsFunc(from[p], named),
				"messages[%d] does not say where its part comes from: %v", i, res.Origins[i])
		}
	}
}
