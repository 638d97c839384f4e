package wire_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/internal/golden"
	"github.com/go-preflight/preflight/internal/recorded"
	"github.com/go-preflight/preflight/wire"
)

// TestTwoSided: of the shapes that one host or model refused and another accepted, those are
// repaired that the evidence of both sides says are, and the others come back as they are.
func TestTwoSided(t *testing.T) {
	eachRow(t, "twosided", func(t *testing.T, row *golden.Row) {
		in := []byte(row.Get("in"))
		out, options := requireBody(t, row)
		switch verdict := row.Get("verdict"); verdict {
		case "repaired":
			require.NotEqual(t, string(in), string(out))
		case "stays":
			require.Equal(t, string(in), string(out))
		default:
			t.Errorf("%q is no verdict", verdict)
		}
		refused, _ := fakeRules(options, out)
		require.Empty(t, refused)
	})
}

// dialectOf is the host that a row is about, where a profile was made for it later than the row.
var dialectOf = map[string]string{"c-reasoning-content-cerebras": "cerebras"}

// TestTwoSidedReported is TestTwoSided for all shapes that were collected.
func TestTwoSidedReported(t *testing.T) {
	for _, r := range recorded.TwoSided(t, "..") {
		options := &wire.Options{Provider: r.Provider}
		if dialectOf[r.ID] != "" {
			options.Provider = dialectOf[r.ID]
		}
		if !strings.Contains(string(r.Request), `"model":`) {
			options.Model = r.Model
		}
		result, err := wire.Sanitize(context.Background(), r.Request, options)
		require.NoError(t, err, r.ID)
		require.Equal(t, repaired(t, &r), result.Changed, "row %s, %s: %s\n%s", r.Row, r.ID,
			r.Verdict, result.Body)
		report, err := wire.Check(result.Body, options)
		require.NoError(t, err, r.ID)
		require.Empty(t, report.Violations, r.ID)
	}
}

// repaired reports whether the verdict on a row is that it is repaired by default.
func repaired(t *testing.T, r *recorded.Restriction) bool {
	verdict := r.Verdict
	if strings.HasPrefix(verdict, "leave as today") {
		return r.Now == "changed" // the profile stays as it was
	}
	stays := strings.HasPrefix(verdict, "leave") || strings.HasPrefix(verdict, "only after a refusal")
	require.True(t, stays || strings.HasPrefix(verdict, "repair"), "%s: %s", r.ID, verdict)
	return !stays
}
