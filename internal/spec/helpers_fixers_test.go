package spec

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighttest/histgen"
)

// fixerCase is what one fixer makes of a history, alone in a pipeline of its own.
type fixerCase struct {
	name    string
	profile preflight.Profile // what the provider is like as far as this fixer cares
	// a call that waits stays open, so that it can be in any case; see sends
	options preflight.Options
	sends   bool // as a request, it is answered
	in      []preflight.Message
	want    []preflight.Message // nil where nothing changes
	codes   []codes.Code        // of the warnings, in order
	// the warnings with all that is in them, in the place of codes; see wholly
	whole []string
	// the same without the tallies, which have to add up in any case; see reported
	report []string
	// what comes out is not valid yet in other respects, so that the fixer is applied outside a
	// pipeline
	alone   bool
	origins [][]int // where the messages came from; nil: output i comes from input i
}

// runFixer holds a fixer to a table: it does what the row says, warns of that and nothing else,
// leaves its input alone, and is done after one run.
func runFixer(t *testing.T, fixer preflight.Fixer, cases []fixerCase) {
	t.Helper()
	p, err := preflight.NewPipeline(fixer)
	require.NoError(t, err)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			given := histgen.Clone(c.in)
			if c.want == nil {
				c.want = c.in
			}
			if !c.sends {
				c.options.KeepWaiting = true
			}
			var res preflight.Result
			if c.alone {
				res.Messages, res.Warnings = fixer.Apply(c.in, &c.profile, &c.options)
			} else {
				var err error
				res, err = p.Run(context.Background(), c.in, &c.profile, &c.options)
				require.NoError(t, err)
				requireAccounts(t, c.in, res)
			}
			if diff := cmp.Diff(c.want, res.Messages, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			switch {
			case c.whole != nil:
				require.Empty(t, cmp.Diff(c.whole, wholly(res.Warnings)))
			case c.report != nil:
				require.Empty(t, cmp.Diff(c.report, reported(res.Warnings)),
					"the report (-want +got)")
			default:
				var codes []codes.Code
				for _, w := range res.Warnings {
					codes = append(codes, w.Code)
				}
				require.Equal(t, c.codes, codes, list(res.Warnings))
			}
			if c.origins != nil {
				require.Equal(t, c.origins, res.Origins)
			}
			require.Empty(t, cmp.Diff(given, c.in), "the input was written to")
			once, _ := fixer.Apply(c.in, &c.profile, &c.options)
			_, warnings := fixer.Apply(once, &c.profile, &c.options)
			require.Empty(t, warnings, "the fixer is not done with its own output")
		})
	}
}

// reported are warnings in full, but for their words: code, position, rule, the id of the call, and
// a mark on choices.
func reported(warnings []preflight.Warning) []string {
	out := make([]string, len(warnings))
	for k, w := range warnings {
		out[k] = fmt.Sprintf("%s %s", w.Code, place(w.At))
		if w.Rule != "" {
			out[k] += " " + w.Rule
		}
		if w.ToolCallID != "" {
			out[k] += " of " + w.ToolCallID
		}
		if w.Ambiguous {
			out[k] += " ambiguous"
		}
	}
	return out
}

// place is a position, in short: message, part, part of a result.
func place(at preflight.Position) string {
	s := strconv.Itoa(at.Message)
	for _, k := range []int{at.Part, at.Inner} {
		if k >= 0 {
			s += "." + strconv.Itoa(k)
		}
	}
	return s
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

func warned(codes ...codes.Code) []codes.Code { return codes }

// hash8 is the eight characters that tell a rewritten name from others of one spelling.
func hash8(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:4])
}

// thinkingMode returns options for a request in a thinking mode.
func thinkingMode(mode provider.Thinking) preflight.Options {
	return preflight.Options{Request: preflight.Request{Thinking: mode}}
}
