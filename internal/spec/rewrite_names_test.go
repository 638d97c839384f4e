package spec

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
)

// This file tests the repair of tool names.

// TestRepairedNames: what becomes of a tool's name depends on nothing but the name.
func TestRepairedNames(t *testing.T) {
	type pattern = provider.Pattern
	words := pattern{Alphabet: provider.WordChars, Min: 1, Max: 20}
	for _, c := range []struct{ name, want string }{
		{"ls", "ls"}, {" ls\n", "ls"}, {"", "unknown_tool"}, {" \t", "unknown_tool"},
		{"a.b", "a_b_" + hash8("a.b")}, {" a.b ", "a_b_" + hash8(" a.b ")},
		{strings.Repeat("n", 20), strings.Repeat("n", 20)},
		{strings.Repeat("n", 21), strings.Repeat("n", 11) + "_" + hash8(strings.Repeat("n", 21))},
		{"abcdefghij.", "abcdefghij__" + hash8("abcdefghij.")},
		{"abcdefghi.", "abcdefghi__" + hash8("abcdefghi.")},
		{"abcdefghij.k", "abcdefghij__" + hash8("abcdefghij.k")},
		{"taken", "taken_" + hash8("taken")}, {" taken ", "taken_" + hash8(" taken ")},
	} {
		p := preflight.Profile{Tools: provider.ToolRules{Name: words, Reserved: []string{"taken"}}}
		require.Equal(t, c.want, p.RepairToolName(c.name), "%q", c.name)
	}
	functions := preflight.Profile{
		Tools: provider.ToolRules{Name: pattern{Alphabet: provider.FuncChars, Min: 1, Max: 64}},
	}
	require.Equal(t, "_1st_"+hash8("1st"), functions.RepairToolName("1st"))
	unlimited := preflight.Profile{
		Tools: provider.ToolRules{Name: pattern{Alphabet: provider.WordChars}},
	}
	require.Equal(t, strings.Repeat("n", 99)+"__"+hash8(strings.Repeat("n", 99)+"."),
		unlimited.RepairToolName(strings.Repeat("n", 99)+"."))
	tight := preflight.Profile{
		Tools: provider.ToolRules{Name: pattern{Alphabet: provider.WordChars, Max: 9}},
	}
	require.Equal(t, "_"+hash8("a.b"), tight.RepairToolName("a.b"))
	require.Equal(t, "_"+hash8("unknown_tool"), tight.RepairToolName(""))
	tighter := preflight.Profile{
		Tools: provider.ToolRules{Name: pattern{Alphabet: provider.WordChars, Max: 5}},
	}
	require.Equal(t, "_"+hash8("a.b")[:4], tighter.RepairToolName("a.b"))
	tightest := preflight.Profile{
		Tools: provider.ToolRules{Name: pattern{Alphabet: provider.WordChars, Max: 1}},
	}
	require.Equal(t, "_", tightest.RepairToolName("a.b"))
	plain := preflight.Profile{
		Tools: provider.ToolRules{Name: pattern{Alphabet: provider.AlnumChars, Max: 12}},
	}
	require.Equal(t, "ab"+hash8("a.b"), plain.RepairToolName("a.b"))
}

func TestRewriteNames(t *testing.T) {
	words := preflight.Profile{
		Tools: provider.ToolRules{
			Name: provider.Pattern{Alphabet: provider.WordChars, Min: 1, Max: 64},
		},
	}
	named := func(name string) []preflight.Message {
		c, r := calls("a"), answers("a", "1")
		c.Name, r.Name = name, name
		return history(botMsg(c), toolMsg(r))
	}
	both := warned(codes.NameRepaired, codes.NameRepaired)
	runFixer(t, preflight.Fixers.RewriteNames, []fixerCase{
		{
			name: "white space around a name is removed", profile: words,
			in:    named(" ls "),
			want:  named("ls"),
			codes: both,
		},
		{
			name: "refused characters, told apart by a hash of the old name", profile: words,
			in:    named("a.b"),
			want:  named("a_b_" + hash8("a.b")),
			codes: both,
		},
		{name: "a name that is fine", profile: words, in: named("a_b")},
		{
			name: "no room for a whole hash",
			profile: preflight.Profile{
				Tools: provider.ToolRules{
					Name: provider.Pattern{Alphabet: provider.WordChars, Max: 5},
				},
			},
			in:    named("abcdef"),
			want:  named("_" + hash8("abcdef")[:4]),
			codes: both,
		},
	})
}
