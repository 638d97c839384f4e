package preflight

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight/internal/arguments"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/internal/problemset"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule/problems"
)

// TestDraftReleasesMemory: a draft keeps its memory from one history to the next, and nothing of
// the caller's in it.
func TestDraftReleasesMemory(t *testing.T) {
	said := Message{Role: RoleUser, Parts: []Part{&Text{Text: "a"}, &Text{Text: ""}}}
	d := newDraft([]Message{said, said},
		&Profile{Content: provider.ContentRules{RefuseEmptyText: true}}, &Options{})
	dropEmptyFixer.repair(d)
	require.Len(t, d.warnings, 2)
	d.release()
	for _, n := range d.nodes[:cap(d.nodes)] {
		require.Zero(t, n)
	}
	for _, w := range d.warnings[:cap(d.warnings)] {
		require.Zero(t, w)
	}
	require.NotEmpty(t, d.parts.Block)
	require.Zero(t, d.parts.Used)
	for _, p := range d.parts.Block {
		require.Nil(t, p)
	}
	require.NotEmpty(t, d.origins.Block)
	require.Zero(t, d.origins.Used)
	for _, o := range d.origins.Block {
		require.Zero(t, o)
	}
}

// argumentPieces make up arguments: objects, other JSON, and what is neither.
var argumentPieces = []string{
	`"`, `\`, `\\`, `\u0000`, `\ud83d`, `\uD83D\uDE00`, "\x00", "\xed\xa0\xbd", "é", "a", `{"a":"`,
	`"}`,
	`{}`, `[`, `]`, " ", "1", `{"b":`, `,"b":2`, `}`,
}

// TestSpelling: one scan of a call's arguments finds their fault and their kind.
func TestSpelling(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOfN(rapid.SampledFrom(argumentPieces), 0, 8).Draw(t, "pieces")
		call := &ToolCall{
			Input:   []byte(strings.Join(pieces, "")),
			Variant: rapid.SampledFrom([]string{"", "custom"}).Draw(t, "variant"),
		}
		c := checker{
			profile: &Profile{
				Tools: provider.ToolRules{ObjectArguments: rapid.Bool().Draw(t, "object wanted")},
			},
		}
		problem, fault := c.spelling(call)
		require.Equal(t, unicodeProblem(call), problem, "%q", call.Input)
		if c.profile.Tools.ObjectArguments && takesObject(call) {
			require.Equal(t, arguments.IsObject(call.Input), fault == "", "%q", call.Input)
		} else {
			require.Empty(t, fault)
		}
		require.Equal(t, jsonscan.Value{}, c.doc.Root(), "nothing of the caller's is kept")
	})
}

// Cures reports whether a fixer declares that it cures a problem, which some fixer cures; false for
// a fixer that always runs.
func Cures(f Fixer, problem problems.Problem) bool {
	const unknown problems.Problem = "no fixer cures this"
	one := problemset.Set{}.With(problem)
	return one != problemset.Set{}.With(unknown) && f.cures.Meets(one)
}

// Groups returns the names of the groups of fixers of the default pipeline, with their fixers.
func Groups() (names []string, fixers [][]Fixer) {
	for _, g := range groups {
		var of []Fixer
		for _, f := range defaultFixers() {
			if f.group == g.name {
				of = append(of, f)
			}
		}
		names, fixers = append(names, g.name), append(fixers, of)
	}
	return names, fixers
}

// AlwaysRuns reports whether a fixer runs whatever Check found.
func AlwaysRuns(f Fixer) bool { return f.cures.Empty() }

// FoundBy returns the problems that a fixer's own checks find in a history.
func FoundBy(f Fixer, history []Message, profile *Profile, options *Options) []problems.Problem {
	c := newChecker(history, profile, options)
	c.detailed = true
	c.readParts()
	c.walk = walk{on: make([]bool, len(conditions))}
	for k := range f.checks {
		if f.checks[k].on == nil || f.checks[k].on(profile) {
			c.walk.add(&f.checks[k])
		}
	}
	c.messages()
	for _, check := range c.walk.whole {
		check(c)
	}
	var out []problems.Problem
	for _, v := range c.found {
		out = append(out, v.Problem)
	}
	c.walk = walk{} // another history is checked by all
	c.release()
	return out
}

// TestEndsVisibly: the end of a JSON string is judged without decoding it, unless it is spelled as
// \uXXXX.
func TestEndsVisibly(t *testing.T) {
	pieces := []string{
		"a", "é", " ", "u0041", `\n`, `\"`, `\\`, `\/`, `\u0041`, `\u0020`, "",
	}
	for _, a := range pieces {
		for _, b := range pieces {
			for _, last := range pieces {
				token, text := `"`+a+b+last+`"`, ""
				require.NoError(t, json.Unmarshal([]byte(token), &text))
				visible := text != "" && text[len(text)-1] > ' ' && text[len(text)-1] < 0x7F
				if endsVisibly([]byte(token)) || last != "" && !strings.HasPrefix(last, `\u`) {
					require.Equal(t, visible, endsVisibly([]byte(token)), token)
				}
			}
		}
	}
}
