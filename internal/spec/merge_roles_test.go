package spec

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
)

func TestMergeNeighbours(t *testing.T) {
	merges := preflight.Profile{Turns: provider.TurnRules{Neighbours: provider.NeighboursMerged}}
	named := func(name string, m preflight.Message) preflight.Message { m.Name = name; return m }
	runFixer(t, preflight.Fixers.MergeRoles, []fixerCase{
		{
			name: "users join, part by part, in order", profile: merges,
			in:    history(userMsg(says("a"), image()), userMsg(says("b"))),
			want:  history(userMsg(says("a"), image(), says("b"))),
			codes: warned(codes.Merged),
		},
		{
			name: "a run of any length is one message", profile: merges,
			in: history(userMsg(says("q")), botMsg(says("a")), botMsg(says("b")),
				botMsg(says("c"))),
			want:  history(userMsg(says("q")), botMsg(says("a"), says("b"), says("c"))),
			codes: warned(codes.Merged, codes.Merged),
		},
		{
			name: "the first message's own fields win", profile: merges,
			in:    history(named("ann", userMsg(says("a"))), named("bob", userMsg(says("b")))),
			want:  history(named("ann", userMsg(says("a"), says("b")))),
			codes: warned(codes.Merged, codes.FieldRemoved),
		},
		{
			name: "system messages stay apart", profile: merges,
			in: history(sysMsg(says("a")), sysMsg(says("b")), userMsg(says("q"))),
		},
		{
			name: "but where one of them leads",
			profile: preflight.Profile{
				System: provider.SystemRules{Single: true},
				Turns:  provider.TurnRules{Neighbours: provider.NeighboursMerged},
			},
			in:    history(sysMsg(says("a")), sysMsg(says("b")), userMsg(says("q"))),
			want:  history(sysMsg(says("a"), says("b")), userMsg(says("q"))),
			codes: warned(codes.Merged),
		},
		{
			name: "tool messages stay apart", profile: merges,
			in: history(userMsg(says("q")), botMsg(calls("a"), calls("b")),
				toolMsg(answers("a", "1")), toolMsg(answers("b", "2"))),
		},
		{
			name: "whatever their roles are called",
			profile: preflight.Profile{
				Roles: []preflight.Role{"human", "user"},
				Turns: provider.TurnRules{Neighbours: provider.NeighboursMerged},
			},
			in: history(preflight.Message{Role: "human", Parts: []preflight.Part{says("a")}},
				userMsg(says("b"))),
			want: history(preflight.Message{
				Role:  "human",
				Parts: []preflight.Part{says("a"), says("b")},
			}),
			report: []string{"messages-merged 1 preflight/alternation"},
		},
		{
			name: "a message for each result is wanted, too",
			profile: preflight.Profile{
				Pairing: provider.PairingRules{
					Results:             provider.ResultsTogether,
					OneResultPerMessage: true,
				},
			},
			in: history(userMsg(says("q")), botMsg(calls("a"), calls("b")),
				toolMsg(answers("a", "1")), toolMsg(answers("b", "2"))),
		},
		{
			name: "a system message of settings alone is a message of its own",
			profile: preflight.Profile{
				Turns:  provider.TurnRules{Neighbours: provider.NeighboursMerged},
				System: provider.SystemRules{Single: true, Directives: []string{"set"}},
			},
			in: history(
				preflight.Message{Role: "system", Parts: []preflight.Part{says("a")}},
				preflight.Message{
					Role: "system", Parts: []preflight.Part{&preflight.Other{Kind: "set"}},
				},
				userMsg(says("b")),
			),
		},
		{name: "not asked for", in: history(userMsg(says("a")), userMsg(says("b")))},
	})
}

// TestMergeLoneKinds: of a kind of which a message holds one at most, the first stays.
func TestMergeLoneKinds(t *testing.T) {
	lone := preflight.Profile{
		Turns:   provider.TurnRules{Neighbours: provider.NeighboursMerged},
		Content: provider.ContentRules{SingleKinds: []string{"audio", "refusal"}},
	}
	other := func(kind, is string) preflight.Part {
		return &preflight.Other{
			Kind:    kind,
			Carried: preflight.Carried{Native: preflight.Native{Format: "x", JSON: []byte(is)}},
		}
	}
	first, second, third := other("audio", "1"), other("audio", "2"), other("audio", "3")
	runFixer(t, preflight.Fixers.MergeRoles, []fixerCase{
		{
			name: "one in each", profile: lone,
			in: history(botMsg(first), botMsg(says("a"), second),
				botMsg(third, other("refusal", "4"), other("new", "5"), other("new", "6"))),
			want: history(botMsg(first, says("a"), other("refusal", "4"), other("new", "5"),
				other("new", "6"))),
			report: []string{
				"messages-merged 1 preflight/alternation",
				"part-removed 1.1",
				"messages-merged 2 preflight/alternation",
				"part-removed 2.0",
			},
		},
		{
			name: "not in the first", profile: lone,
			in:   history(botMsg(says("a")), botMsg(first), botMsg(says("b")), botMsg(second)),
			want: history(botMsg(says("a"), first, says("b"))),
			report: []string{
				"messages-merged 1 preflight/alternation",
				"messages-merged 2 preflight/alternation",
				"messages-merged 3 preflight/alternation",
				"part-removed 3.0",
			},
		},
		{
			name: "in every turn", profile: lone,
			in: history(botMsg(first), botMsg(says("a")), userMsg(says("q")),
				botMsg(says("b")), botMsg(second), userMsg(says("q")), botMsg(third),
				botMsg(other("audio", "4"))),
			want: history(botMsg(first, says("a")), userMsg(says("q")),
				botMsg(says("b"), second), userMsg(says("q")), botMsg(third)),
			report: []string{
				"messages-merged 1 preflight/alternation",
				"messages-merged 4 preflight/alternation",
				"messages-merged 7 preflight/alternation",
				"part-removed 7.0",
			},
		},
		{
			name: "more of a kind of which there is no such rule",
			profile: preflight.Profile{
				Turns: provider.TurnRules{Neighbours: provider.NeighboursMerged},
			},
			in:     history(botMsg(first), botMsg(second)),
			want:   history(botMsg(first, second)),
			report: []string{"messages-merged 1 preflight/alternation"},
		},
	})
}

// TestMergeNamesLostFields: the merged message has neither the name of the second participant nor
// the metadata of the second message, and a warning says so.
func TestMergeNamesLostFields(t *testing.T) {
	for _, c := range []struct {
		first, second string
		said          bool
	}{
		{"ann", "bob", true},
		{"", "bob", true},
		{"ann", "ann", false},
		{"ann", "", false},
	} {
		in := history(userMsg(says("a")), userMsg(says("b")))
		in[0].Name, in[1].Name = c.first, c.second
		_, warnings := preflight.Fixers.MergeRoles.Apply(in,
			&preflight.Profile{Turns: provider.TurnRules{Neighbours: provider.NeighboursMerged}},
			nil)
		require.Equal(t, codes.Merged, warnings[0].Code)
		require.Equal(t, c.said, len(warnings) == 2, "%q, %q", c.first, c.second)
		for _, w := range warnings[1:] {
			require.Equal(t, codes.Lossy, w.Class())
			require.Contains(t, w.Detail, "name")
		}
	}
	in := history(userMsg(says("a")), userMsg(says("b")))
	in[1].Meta = preflight.Metadata{"app": []byte(`{"seen":1}`)}
	_, warnings := preflight.Fixers.MergeRoles.Apply(in,
		&preflight.Profile{Turns: provider.TurnRules{Neighbours: provider.NeighboursMerged}}, nil)
	require.Len(t, warnings, 2)
	require.Equal(t, codes.FieldRemoved, warnings[1].Code)
}
