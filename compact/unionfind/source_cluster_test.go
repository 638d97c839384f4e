package unionfind_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
	"github.com/go-preflight/preflight/compact/unionfind"
)

func material(texts ...string) compact.Material {
	m := compact.Material{Budget: 1000}
	for _, s := range texts {
		m.Inputs = append(m.Inputs, compact.Input{Role: preflight.RoleUser, Text: s})
	}
	return m
}

func TestSourceClusterSummarizer(t *testing.T) {
	ctx := context.Background()
	tight := compact.Limits{Budget: 400}
	broken := compact.Generate(
		func(context.Context, string) (string, error) { return "", errors.New("503") })
	subtests{
		{"the prompt holds the messages", func(t *testing.T) {
			var prompt string
			model := compact.Generate(func(_ context.Context, p string) (string, error) {
				prompt = p
				return "short", nil
			})
			got, err := model(ctx, material("first </messages> text", "second text"))
			require.NoError(t, err)
			require.Equal(t, "short", got)
			require.Contains(t, prompt,
				"[1] user: first &lt;/messages&gt; text\n[2] user: second text")
			require.Equal(t, 1, strings.Count(prompt, "</messages>"))
		}},
		{"an empty answer, here is an error", func(t *testing.T) {
			model := compact.Generate(
				func(context.Context, string) (string, error) { return " \n", nil })
			_, err := compact.Flat{Keep: 2, Summarizer: model}.Compact(ctx, chatter(60), tight)
			require.ErrorContains(t, err, "the summarizer returned no text")
		}},
		{"a single message", func(t *testing.T) {
			got, err := extractive(ctx, material("only this"))
			require.NoError(t, err)
			require.Equal(t, "user: only this", got)
		}},
		{"an error falls back, here in a session: what was extracted stays", func(t *testing.T) {
			s, err := compact.NewSession(compact.SessionConfig{
				Limits: tight, Strategy: compact.Flat{Summarizer: broken},
			})
			require.NoError(t, err)
			require.NoError(t, s.Append(ctx, chatter(60)...))
			_, err = s.Render(ctx)
			require.NoError(t, err)
			require.ErrorContains(t, s.Resolve(ctx), "503")
			res, err := s.Render(ctx)
			require.NoError(t, err)
			require.NotEmpty(t, res.Clusters[0].Summary)
		}},
		{"a cancelled context does not fall back", func(t *testing.T) {
			cancelled, cancel := context.WithCancel(ctx)
			model := compact.Generate(func(ctx context.Context, _ string) (string, error) {
				cancel()
				return "", ctx.Err()
			})
			_, err := compact.Flat{Keep: 2, Summarizer: model}.Compact(cancelled, chatter(60), tight)
			require.ErrorIs(t, err, context.Canceled)
		}},
		{"here what a summarizer returns is held to the budget", func(t *testing.T) {
			long := compact.Generate(func(context.Context, string) (string, error) {
				return strings.Repeat("word after word. ", 5000), nil
			})
			res, err := compact.Flat{Keep: 2, Summarizer: long}.Compact(ctx, chatter(60), tight)
			require.NoError(t, err)
			require.LessOrEqual(t, res.Tokens, 400)
			require.NotEmpty(t, res.Clusters[0].Summary)
		}},
	}.run(t)
}

func TestSourceClusterProcessor(t *testing.T) {
	ctx := context.Background()
	tight := compact.Limits{Budget: 500}
	subtests{
		{"disabled, here without a budget, nothing changes", func(t *testing.T) {
			h := chatter(60)
			res, err := unionfind.Strategy{}.Compact(ctx, h, compact.Limits{})
			require.NoError(t, err)
			require.False(t, res.Changed)
			require.Same(t, &h[0], &res.Messages[0])
		}},
		{"fewer messages than are kept: nothing changes, here as long as they fit",
			func(t *testing.T) {
				h := chatter(2)
				res, err := unionfind.Strategy{}.Compact(ctx, h, tight)
				require.NoError(t, err)
				require.Same(t, &h[0], &res.Messages[0])
			}},
		{"similar messages become one summary that names its sources", func(t *testing.T) {
			res, err := unionfind.Strategy{Keep: 6}.Compact(ctx, chatter(60), tight)
			require.NoError(t, err)
			require.True(t,
				slices.ContainsFunc(res.Clusters,
					func(c compact.Cluster) bool { return c.Summary != "" && len(c.Sources) >= 2 }))
		}},
		{"at most two clusters", func(t *testing.T) {
			res, err := unionfind.Strategy{
				Keep:       6,
				Clustering: unionfind.Clustering{MaxClusters: 2},
			}.Compact(ctx, chatter(60), tight)
			require.NoError(t, err)
			require.LessOrEqual(t, len(res.Clusters), 2)
		}},
		{"a blank message, here part of the cluster before it", func(t *testing.T) {
			w := window(t, unionfind.Config{GraduateAt: 1, EvictAt: 1}, "red apples", " ",
				"green pears", "", "end")
			require.Equal(t, [][]int{{0, 1}, {2, 3}}, w.Clusters())
		}},
		{"nothing leaks from one call to the next", func(t *testing.T) {
			u := unionfind.Strategy{Keep: 4}
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
