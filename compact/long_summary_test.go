package compact_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/compact"
	"github.com/go-preflight/preflight/compact/unionfind"
)

// TestLongSummaries: a summary of a megabyte is cut in time in proportion to its length, whether it
// has words and sentences or not. Quadratic work would take minutes.
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
			start := time.Now()
			res, err := strategy.Compact(context.Background(), chatter(60),
				compact.Limits{Budget: 500})
			require.NoError(t, err)
			require.LessOrEqual(t, res.Tokens, 500)
			require.Less(t, time.Since(start), 20*time.Second, "%s with %q", name, unit)
		}
	}
}
