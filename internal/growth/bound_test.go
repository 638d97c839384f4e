package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/preflighttest/histgen"
)

// unreached are the kinds of damage of which a repairer who knows the end of a session keeps more
// reasoning, and why we cannot.
var unreached = map[string]string{
	"server tool flag": "a call of the provider's that never gets its result is open, and legal, at first",
	"open server call": "as above",
	"move part":        "as above",
	"move result":      "whether a result came late or was moved later, its place does not say",
	"repeat result":    "a second result changes the first one, when it comes",
	"repeat message":   "as above",
	"trim window":      "what was cut off is not known to have been sent",
	"move message":     "as move result",
}

// TestBound: of the sessions that were damaged while they were recorded, the model gets to see as much
// reasoning as if the repairer knew their end, and warnings announce all that repairs cost. It is a
// share of the sessions of README.md.
func TestBound(t *testing.T) {
	given := 0
	for k, c := range histgen.Corruptions() {
		for i, b := range []binder{binders[0], binders[2]} {
			if (k+i)%4 > 0 {
				continue
			}
			x := b.bind(b.session(c, 1))
			given += x.recorded.ours.given
			require.Zero(t, x.recorded.ours.unannounced+x.later.ours.unannounced, c.Name)
			require.Zero(t, x.recorded.ours.refused+x.later.ours.refused, c.Name)
			if unreached[c.Name] == "" {
				require.LessOrEqual(t, 100*x.recorded.ours.dropped, 105*x.recorded.perfect.dropped, c.Name)
			}
		}
	}
	require.Greater(t, given, 100)
}

// TestBoundPage: README.md has the tables, and docs/proof.md their sums.
func TestBoundPage(t *testing.T) {
	page, err := os.ReadFile("README.md")
	require.NoError(t, err)
	proof, err := os.ReadFile("../../docs/proof.md")
	require.NoError(t, err)
	_, tables, found := strings.Cut(string(page), boundBegin)
	require.True(t, found)
	tables, _, found = strings.Cut(tables, boundEnd)
	require.True(t, found)
	rows := strings.Split(tables, "\n| all | ")
	require.Len(t, rows, 3, "run: make growth")
	for _, row := range rows[1:] {
		row, _, _ = strings.Cut(row, "\n")
		figures := strings.Split(row, " | ")
		require.Equal(t, "0", figures[7], "what is not announced")
		sums := strings.Join([]string{figures[0], figures[2], figures[3], figures[4], figures[5]}, " | ")
		require.Contains(t, string(proof), " | "+sums+" | 0 |")
	}
	none := boundTable(map[string]*[4]bound{"x": {}})
	require.NotContains(t, none, "| x |")
}
