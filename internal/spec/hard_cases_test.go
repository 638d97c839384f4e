package spec

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
)

// This file is the hard cases: histories that brick sessions out there, each with the reason why
// the obvious repair is wrong. Every one names the public report or the rule it comes from.
// Histories are written as messages, and compared as one line per message: see line.

type hardCase struct {
	name    string
	reason  string // why the obvious repair is wrong
	source  string // a public report, or the id of the rule with its sources
	profile string // a provider, or a model of Anthropic's; claude-sonnet-4-5 unless given
	options preflight.Options
	in      []preflight.Message
	want    []string // nil: the history is valid and comes back untouched
	codes   []codes.Code
}

const interrupted = `"Tool call was interrupted before a result was recorded."`

// hardCases are all of them.
var hardCases = slices.Concat(hardPairs, hardTurns)

func (c hardCase) given() given {
	profile, known := provider.ByName(c.profile, "")
	switch {
	case c.profile == "":
		profile = provider.Anthropic("claude-sonnet-4-5")
	case c.profile == "alternating": // as hosts and self-hosted models want it
		profile = provider.Anthropic("claude-sonnet-4-5")
		profile.Turns.UserFirst, profile.Turns.Neighbours = true, provider.NeighboursMerged
	case !known:
		profile = provider.Anthropic(c.profile)
	}
	return given{profile, &c.options, c.in}
}

func TestHardCases(t *testing.T) {
	for _, c := range hardCases {
		t.Run(c.name, func(t *testing.T) {
			g := c.given()
			res, err := g.sanitize(g.in)
			require.NoError(t, err)
			want := c.want
			if want == nil {
				want = lines(g.in)
				require.True(t, sameArray(res.Messages, g.in),
					"a valid history has to come back as it is")
			}
			if diff := cmp.Diff(want, lines(res.Messages)); diff != "" {
				t.Errorf("%s\nsource: %s\n(-want +got):\n%s", c.reason, c.source, diff)
			}
			var codes []codes.Code
			for _, w := range res.Warnings {
				codes = append(codes, w.Code)
			}
			if diff := cmp.Diff(c.codes, codes); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
			require.Empty(t, preflight.Check(res.Messages, g.effective(), nil))
			again, err := g.sanitize(res.Messages)
			require.NoError(t, err)
			require.False(t, again.Changed, "the output changes again: %s", list(again.Warnings))
		})
	}
}

// TestWarningsPointIntoTheInput: positions count in the caller's history, whatever was removed and
// joined before.
func TestWarningsPointIntoTheInput(t *testing.T) {
	g := hardCase{}.given()
	g.in = []preflight.Message{
		userMsg(says(" "), says("q")), userMsg(says("")), botMsg(calls("gone")), userMsg(says("x")),
		botMsg(says("a"), calls("b.c")), userMsg(says("wait")), userMsg(answers("b.c", "late")),
	}
	res, err := g.sanitize(g.in)
	require.NoError(t, err)
	var got []string
	for _, w := range res.Warnings {
		got = append(got, fmt.Sprintf("%s %s %s", w.At, w.Code, w.ToolCallID))
	}
	want := []string{
		"messages[2].parts[0] dangling-removed gone",
		"messages[6].parts[0] result-moved b.c",
		"messages[4].parts[1] id-rewritten b.c",
		"messages[6].parts[0] id-rewritten b.c",
		"messages[0].parts[0] empty-part-removed ",
		"messages[1].parts[0] empty-part-removed ",
		"messages[3] messages-merged ",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([][]int{{0, 3}, {4}, {5, 6}}, res.Origins); diff != "" {
		t.Errorf("origins (-want +got):\n%s", diff)
	}
}

// TestSameAnswerEveryTime: no clock, no randomness, no order of a map in the output.
func TestSameAnswerEveryTime(t *testing.T) {
	for _, c := range hardCases {
		g := c.given()
		first, err := g.sanitize(g.in)
		require.NoError(t, err)
		for range 20 {
			again, err := preflight.Sanitize(context.Background(), g.in, g.profile, g.options)
			require.NoError(t, err)
			require.Equal(t, first, again, c.name)
		}
	}
}
