package spec

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/go-preflight/preflight/codes"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/msgtest"
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
				res, err = msgtest.LeaveOpen(p, c.in, &c.profile, &c.options)
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
	s := strconv.Itoa(at.Message())
	for _, k := range []int{at.Part(), at.Inner()} {
		if k >= 0 {
			s += "." + strconv.Itoa(k)
		}
	}
	return s
}
