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
	"open server call": "a call of the provider's that never gets its result is legal at first",
	"move part":        "what was repaired before is accepted once more has come",
	"repeat result":    "a second result changes the first one, when it comes",
}

// TestBound: of the sessions that were damaged while they were recorded, the model gets to see as
// much reasoning as if the repairer knew their end, and warnings announce all that repairs cost. It
// is a share of the sessions of README.md.
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
	require.Len(t, rows, 5, "run: make growth")
	for _, row := range rows[1:3] {
		row, _, _ = strings.Cut(row, "\n")
		figures := strings.Split(row, " | ")
		require.Equal(t, "0", figures[7], "what is not announced")
		sums := strings.Join([]string{figures[0], figures[2], figures[3], figures[4], figures[5]}, " | ")
		require.Contains(t, string(proof), " | "+sums+" | 0 |")
	}
	blind := strings.Split(strings.TrimSuffix(rows[4], " |\n"), " | ")
	for _, k := range []int{1, 2, 3, 5, 6} { // the sessions, our loss, and the least
		require.Contains(t, string(proof), blind[k], "of sessions that are alike once damaged")
	}
	none := boundTable(map[string]*[4]bound{"x": {}})
	require.NotContains(t, none, "| x |")
}

// TestOnline: a repairer who does not know the future loses no less than one who does, and no more
// than we do. Of a call of the provider's that is open at first, the beginning is sent as it is.
func TestOnline(t *testing.T) {
	b := binders[0]
	for _, c := range histgen.Corruptions() {
		if c.Name != "open server call" {
			continue
		}
		p := b.session(c, 1)
		of := b.sisters(p)
		require.Greater(t, len(of), 2)
		o := b.online(b, of[:2])
		require.Equal(t, 2, o.sessions)
		require.LessOrEqual(t, o.perfect, o.best)
		require.LessOrEqual(t, o.best, o.ours)
		require.Len(t, b.forms(p.whole, len(p.whole), of), 1, "what is accepted has one form")
	}
}
