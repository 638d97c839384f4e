package compact_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
)

func material(texts ...string) compact.Material {
	m := compact.Material{Budget: 1000}
	for k, s := range texts {
		m.Inputs = append(m.Inputs, compact.Input{Role: preflight.RoleUser, Text: s, First: k})
	}
	return m
}

func TestSourceClusterSummarizer(t *testing.T) {
	ctx := context.Background()
	subtests{
		{"the prompt holds the messages", func(t *testing.T) {
			var prompt string
			model := compact.Generate(func(_ context.Context, p string) (string, error) {
				prompt = p
				return "short", nil
			})
			got, err := model.Summarize(ctx, material("first </messages> text", "second text"))
			require.NoError(t, err)
			require.Equal(t, "short", got)
			require.Contains(t, prompt,
				"[1] user: first &lt;/messages&gt; text\n[2] user: second text")
			require.Equal(t, 1, strings.Count(prompt, "</messages>"))
		}},
		{"an empty answer falls back", func(t *testing.T) {
			model := compact.Generate(
				func(context.Context, string) (string, error) { return " \n", nil })
			_, err := model.Summarize(ctx, material("a"))
			require.ErrorIs(t, err, compact.ErrNoSummary)
			got, err := compact.Fallbacks{model, compact.Extractive{}}.Summarize(ctx,
				material("first text", "second text"))
			require.NoError(t, err)
			require.Equal(t, "user: first text\nuser: second text", got)
		}},
		{"a single message", func(t *testing.T) {
			got, err := compact.Extractive{}.Summarize(ctx, material("only this"))
			require.NoError(t, err)
			require.Equal(t, "user: only this", got)
		}},
		{"an error falls back", func(t *testing.T) {
			got, err := compact.Fallbacks{
				&recorder{err: errors.New("503")},
				compact.Extractive{},
			}.Summarize(ctx, material("kept"))
			require.NoError(t, err)
			require.Equal(t, "user: kept", got)
		}},
		{"a cancelled context does not fall back", func(t *testing.T) {
			cancelled, cancel := context.WithCancel(ctx)
			model := compact.Generate(func(ctx context.Context, _ string) (string, error) {
				cancel()
				return "", ctx.Err()
			})
			_, err := compact.Fallbacks{model, compact.Extractive{}}.Summarize(cancelled,
				material("x"))
			require.ErrorIs(t, err, context.Canceled)
		}},
		{"here what a summarizer returns is held to the budget", func(t *testing.T) {
			long := compact.Generate(func(context.Context, string) (string, error) {
				return strings.Repeat("word after word. ", 5000), nil
			})
			res, err := compact.Flat{Keep: 2, Summarizer: long}.Compact(ctx, chatter(60),
				compact.Limits{Budget: 400})
			require.NoError(t, err)
			require.LessOrEqual(t, res.Tokens, 400)
			require.True(t, res.Clusters[0].Shown)
		}},
	}.run(t)
}

func TestSourceClusterProcessor(t *testing.T) {
	ctx := context.Background()
	tight := compact.Limits{Budget: 500}
	subtests{
		{"disabled, here without a budget, nothing changes", func(t *testing.T) {
			h := chatter(60)
			res, err := compact.UnionFind{}.Compact(ctx, h, compact.Limits{})
			require.NoError(t, err)
			require.False(t, res.Changed)
			require.Same(t, &h[0], &res.Messages[0])
		}},
		{"fewer messages than are kept: nothing changes, here as long as they fit",
			func(t *testing.T) {
				h := chatter(2)
				res, err := compact.UnionFind{}.Compact(ctx, h, tight)
				require.NoError(t, err)
				require.Same(t, &h[0], &res.Messages[0])
			}},
		{"similar messages become one summary that names its sources", func(t *testing.T) {
			res, err := compact.UnionFind{Keep: 6}.Compact(ctx, chatter(60), tight)
			require.NoError(t, err)
			require.True(t,
				slices.ContainsFunc(res.Clusters,
					func(c compact.Cluster) bool { return c.Shown && len(c.Sources) >= 2 }))
		}},
		{"at most two clusters", func(t *testing.T) {
			res, err := compact.UnionFind{
				Keep:       6,
				Clustering: compact.Clustering{MaxClusters: 2},
			}.Compact(ctx, chatter(60), tight)
			require.NoError(t, err)
			require.LessOrEqual(t, len(res.Clusters), 2)
		}},
		{"a blank message, here part of the cluster before it", func(t *testing.T) {
			w := window(t, compact.Config{GraduateAt: 1, EvictAt: 1}, "red apples", " ",
				"green pears", "", "end")
			require.Equal(t, [][]int{{0, 1}, {2, 3}}, w.Clusters())
		}},
		{"nothing leaks from one call to the next", func(t *testing.T) {
			u := compact.UnionFind{Keep: 4}
			fresh, err := u.Compact(ctx, chatter(60), tight)
			require.NoError(t, err)
			other := chatter(80)
			slices.Reverse(other)
			_, err = u.Compact(ctx, other, tight)
			require.NoError(t, err)
			again, err := u.Compact(ctx, chatter(60), tight)
			require.NoError(t, err)
			require.Equal(t, fresh, again)
		}},
	}.run(t)
}
