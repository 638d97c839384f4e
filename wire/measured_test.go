package wire_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/wire"
)

// The files measured_*_test.go hold, format by format, the smallest body of each thing that was
// measured about a provider, with its source: what is accepted comes back as it is, and what is
// refused is repaired. This file has what their tables share.

// measuredRow is a body and what becomes of it.
type measuredRow struct {
	what, source    string
	provider, model string // model: the one named outside of the body, as in a URL
	in              string
	out             string // "" where the provider accepts in
	rule            string // the rule that in breaks
}

// runMeasured holds each row to what it says: Check sees the rule broken before the repair and
// nothing after it, the repair is the one wanted, and the fake of the format, where there is one,
// sees the same.
func runMeasured(t *testing.T, rows []measuredRow) {
	for _, row := range rows {
		t.Run(row.provider+" "+row.what, func(t *testing.T) {
			options := &wire.Options{Provider: row.provider, Model: row.model}
			result, err := wire.Sanitize(context.Background(), []byte(row.in), options)
			require.NoError(t, err, row.source)
			if row.out == "" {
				same(t, row.source, row.provider, row.in)
				require.Empty(t, fakeRules(row, row.in), row.source)
				return
			}
			require.Equal(t, row.out, string(result.Body), row.source)
			before, err := wire.Check([]byte(row.in), options)
			require.NoError(t, err)
			broken := slices.ContainsFunc(
				before.Violations,
				func(v wire.Violation) bool { return v.Rule == row.rule },
			)
			require.True(t, broken, "%s: %v", row.source, before.Violations)
			after, err := wire.Check(result.Body, options)
			require.NoError(t, err)
			require.Empty(t, after.Violations, row.source)
			if _, fake := fakeViolations(row, row.in); fake {
				require.Contains(t, fakeRules(row, row.in), row.rule, row.source)
			}
			require.Empty(t, fakeRules(row, string(result.Body)), row.source)
		})
	}
}

// fakeRules are the rules that the fake of a row's provider sees broken; a provider without a fake
// of its own has none.
func fakeRules(row measuredRow, body string) (rules []string) {
	violations, _ := fakeViolations(row, body)
	for _, v := range violations {
		rules = append(rules, v.Rule)
	}
	return rules
}

// fakeViolations is what the fake of a row's provider says; fake is false where there is none.
func fakeViolations(row measuredRow, body string) (found []preflighttest.Violation, fake bool) {
	options := preflighttest.Options{Model: row.model}
	found, err := options.Violations(row.provider, []byte(body))
	return found, err == nil
}
