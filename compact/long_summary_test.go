package compact_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/compact"
	"github.com/go-preflight/preflight/compact/unionfind"
)

// TestLongSummaries: a summary of a megabyte is cut in time in proportion to its length, whether it
// has words and sentences or not. Quadratic work would run into the time limit of go test.
func TestLongSummaries(t *testing.T) {
	for _, unit := range []string{"word after word. ", "x", "\u0301", "日本", "a.\n", "。", ". "} {
		long := compact.Generate(func(context.Context, string) (string, error) {
			return strings.Repeat(unit, 1<<20/len(unit)), nil
		})
		for name, strategy := range map[string]compact.Strategy{
			"Flat": compact.Flat{Keep: 6, Summarizer: long},
			"UnionFind": unionfind.Strategy{
				Keep: 6, Clustering: unionfind.Clustering{Summarizer: long},
			},
		} {
			res, err := strategy.Compact(context.Background(), chatter(60),
				compact.Limits{Budget: 500})
			require.NoError(t, err)
			require.LessOrEqual(t, res.Tokens, 500, "%s with %q", name, unit)
		}
	}
}
