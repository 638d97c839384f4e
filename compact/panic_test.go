package compact_test

import (
	"context"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
	"github.com/go-preflight/preflight/compact/unionfind"
)

// TestPanickingSummarizer: in every strategy a panic of the summarizer's is an error that does not
// quote its value.
func TestPanickingSummarizer(t *testing.T) {
	const secret = "alice@example.org"
	panics := returns(func() (string, error) { panic(secret) })
	history := make([]preflight.Message, 40)
	for k := range history {
		role := preflight.RoleUser
		if k%2 == 1 {
			role = preflight.RoleAssistant
		}
		history[k] = say(role, "a "+strings.Repeat("word ", 50))
	}
	limits := compact.Limits{Budget: 600}
	_, err := compact.Flat{Summarizer: panics}.Compact(context.Background(), history, limits)
	require.ErrorContains(t, err, "the summarizer panicked with a value of type string")
	require.NotContains(t, err.Error(), secret)
	clustering := unionfind.Clustering{Threshold: -1, Summarizer: panics}
	_, err = unionfind.Strategy{Keep: 2, Clustering: clustering}.Compact(context.Background(),
		history, limits)
	require.ErrorContains(t, err, "the summarizer panicked with a value of type string")
	require.NotContains(t, err.Error(), secret)

	ends := returns(func() (string, error) { runtime.Goexit(); return "", nil })
	for _, s := range []compact.Summarizer{panics, ends} {
		config := unionfind.Config{
			GraduateAt: 1, EvictAt: 1,
			Clustering: unionfind.Clustering{Threshold: -1, Summarizer: s},
		}
		w, err := unionfind.NewWindow(config)
		require.NoError(t, err)
		require.NoError(t, w.Append(context.Background(), chatter(3)...))
		err = w.Resolve(context.Background())
		require.Error(t, err)
		require.NotContains(t, err.Error(), secret)
		require.Equal(t, 1, w.Dirty())
	}
}

// TestLongSummary: a summary of eight megabytes without a line end is cut down by every strategy.
// It took minutes when each of its segments was searched for to the end of the text.
func TestLongSummary(t *testing.T) {
	history := chatter(60)
	long := strings.Repeat("word ", 2<<20/5)
	says := returns(func() (string, error) { return long, nil })
	for name, strategy := range map[string]compact.Strategy{
		"flat":       compact.Flat{Keep: 2, Summarizer: says},
		"union-find": unionfind.Strategy{Keep: 2, Clustering: unionfind.Clustering{Summarizer: says}},
	} {
		t.Run(name, func(t *testing.T) {
			res, err := strategy.Compact(context.Background(), history, compact.Limits{Budget: 800})
			require.NoError(t, err)
			require.LessOrEqual(t, res.Tokens, 800)
		})
	}
}
