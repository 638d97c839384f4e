package compact_test

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
)

// summarizerFunc is a Summarizer.
type summarizerFunc func() (string, error)

func (f summarizerFunc) Summarize(context.Context, compact.Material) (string, error) { return f() }

// TestPanickingSummarizer: in every strategy a panic of the summarizer's is an error that does not
// quote its value, and the next summarizer of Fallbacks is asked.
func TestPanickingSummarizer(t *testing.T) {
	const secret = "alice@example.org"
	panics := summarizerFunc(func() (string, error) { panic(secret) })
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
	clustering := compact.Clustering{NewEmbedder: byFirstWord, Summarizer: panics}
	_, err = compact.UnionFind{Keep: 2, Clustering: clustering}.Compact(context.Background(),
		history, limits)
	require.ErrorContains(t, err, "the summarizer panicked with a value of type string")
	require.NotContains(t, err.Error(), secret)
	_, err = compact.Flat{Summarizer: compact.Fallbacks{panics, compact.Extractive{}}}.Compact(
		context.Background(), history, limits)
	require.NoError(t, err)

	for name, s := range map[string]func(compact.Material) (string, error){
		"Generate": func(m compact.Material) (string, error) {
			generate := compact.Generate(func(context.Context, string) (string, error) { panic(secret) })
			return generate.Summarize(context.Background(), m)
		},
		"Material.Count": func(m compact.Material) (string, error) {
			m.Count = func(preflight.Message) int { panic(secret) }
			return compact.Extractive{}.Summarize(context.Background(), m)
		},
	} {
		_, err := s(compact.Material{Inputs: []compact.Input{{Text: "a. b. c."}}, Budget: 1})
		require.ErrorIs(t, err, preflight.ErrHook, name)
		require.NotContains(t, err.Error(), secret)
	}

	ends := summarizerFunc(func() (string, error) { runtime.Goexit(); return "", nil })
	for _, s := range []compact.Summarizer{panics, ends} {
		config := compact.Config{
			GraduateAt: 1, EvictAt: 1,
			Clustering: compact.Clustering{NewEmbedder: byFirstWord, Summarizer: s},
		}
		w := window(t, config, "a 1", "a 2", "z")
		err := w.Resolve(context.Background())
		require.Error(t, err)
		require.NotContains(t, err.Error(), secret)
		require.Equal(t, 1, w.Dirty())
	}
}

// TestLongSummary: a summary of eight megabytes without a line end is cut down by every strategy.
// It took minutes when each of its segments was searched for to the end of the text.
func TestLongSummary(t *testing.T) {
	history := chatter(60)
	long := strings.Repeat("word ", 8<<20/5)
	says := summarizerFunc(func() (string, error) { return long, nil })
	for name, strategy := range map[string]compact.Strategy{
		"flat":       compact.Flat{Keep: 2, Summarizer: says},
		"union-find": compact.UnionFind{Keep: 2, Clustering: compact.Clustering{Summarizer: says}},
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			res, err := strategy.Compact(context.Background(), history, compact.Limits{Budget: 800})
			require.NoError(t, err)
			require.LessOrEqual(t, res.Tokens, 800)
			require.Less(t, time.Since(start), 30*time.Second)
		})
	}
}
