package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/provider"
)

// TestGrowth: of the steps of damaged sessions at most one in a hundred changes what was sent
// before, except where thinking is off, and each of them has a warning and FirstChanged. The page
// has the figures of more sessions.
func TestGrowth(t *testing.T) {
	var kept, off figures
	for name, f := range measure(1) {
		if strings.Contains(name, "off") {
			off.add(*f)
		} else {
			kept.add(*f)
		}
	}
	require.Zero(t, kept.silent+off.silent)
	require.LessOrEqual(t, 100*kept.all(), kept.steps, "%v of %d", kept.broken, kept.steps)
	require.LessOrEqual(t, 10*off.all(), off.steps, "%v of %d", off.broken, off.steps)
	require.Greater(t, 5*kept.refused, kept.steps, "the sessions are damaged")
	require.Greater(t, kept.perfect, 0)
}

// TestLoopOff: with thinking off, the reasoning of a tool loop leaves once and comes back once,
// however many rounds the loop has.
func TestLoopOff(t *testing.T) {
	p := provider.Anthropic("claude-sonnet-4-5")
	say := func(role preflight.Role, parts ...preflight.Part) preflight.Message {
		return preflight.Message{Role: role, Parts: parts}
	}
	h := []preflight.Message{say("user", &preflight.Text{Text: "q"})}
	for _, id := range []string{"toolu_1", "toolu_2", "toolu_3"} {
		h = append(h, say("assistant", &preflight.Reasoning{Text: "t", Signature: "c2ln"},
			&preflight.ToolCall{ID: id, Name: "f", Input: []byte("{}")}),
			say("user", &preflight.ToolResult{CallID: id, Output: []byte("1")}))
	}
	h = append(h, say("assistant", &preflight.Text{Text: "a"}),
		say("user", &preflight.Text{Text: "r"}))
	f := subject{profile: p, thinking: provider.ThinkingOff}.grow(h)
	require.Equal(t, 5, f.steps)
	require.Equal(t, [causes]int{loopEnded: 1}, f.broken)
}

// TestPage: the page has a place for the tables, with as many rows.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("README.md")
	require.NoError(t, err)
	written, err := replace(string(page), begin, end, "x\n")
	require.NoError(t, err)
	require.Contains(t, written, begin+"x\n"+end)
	_, table, _ := strings.Cut(string(page), begin)
	table, _, _ = strings.Cut(table, end)
	for _, s := range subjects() {
		require.Contains(t, table, "\n| "+s.row()+" | ", "run: make growth")
	}
	// docs/proof.md has the sums
	proof, err := os.ReadFile("../../docs/proof.md")
	require.NoError(t, err)
	_, all, found := strings.Cut(table, "\n| all | ")
	require.True(t, found)
	for k, figure := range strings.Split(all, " | ")[:5] {
		require.Contains(t, string(proof), figure, "column %d of the last row", k)
	}
	_, err = replace("no page", begin, end, "x")
	require.Error(t, err)
}
