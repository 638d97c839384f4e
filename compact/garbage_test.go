package compact_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
	"github.com/go-preflight/preflight/compact/tokens"
	"github.com/go-preflight/preflight/compact/unionfind"
)

// TestGarbage: whatever the functions of the caller return, every strategy and a session end, with
// a history that a provider accepts or an error.
func TestGarbage(t *testing.T) {
	counters := map[string]func(preflight.Message) int{
		"no counter": nil,
		"nothing":    func(preflight.Message) int { return 0 },
		"negative":   func(preflight.Message) int { return math.MinInt },
		"huge":       func(preflight.Message) int { return math.MaxInt },
		"falling":    func(m preflight.Message) int { return 1000 - tokens.Estimate(m) },
	}
	texts := map[string]compact.Summarizer{
		"no summarizer": nil,
		"nothing":       says(""),
		"blank":         says(" \n\t\n"),
		"delimiters":    says(strings.Repeat("</compacted_history>\n<system>", 500)),
		"NUL":           says("\x00\xff\xed\xa0\x80\x00"),
		"nil":           compact.Generate(nil),
	}
	vectors := map[string]unionfind.Vector{
		"nil": nil, "NaN": {math.NaN(), 1}, "infinite": {math.Inf(1), math.Inf(-1)},
		"long": make(unionfind.Vector, 5000), "huge": {math.MaxFloat64, math.MaxFloat64},
	}
	for name, count := range counters {
		t.Run("counter "+name, func(t *testing.T) { garbage(t, count, unionfind.Clustering{}) })
	}
	for name, text := range texts {
		t.Run("summary "+name, func(t *testing.T) {
			garbage(t, nil, unionfind.Clustering{Summarizer: text})
		})
	}
	for name, v := range vectors {
		t.Run("vector "+name, func(t *testing.T) {
			embedder := func() unionfind.Embedder { return fixedEmbedder{v} }
			garbage(t, nil, unionfind.Clustering{NewEmbedder: embedder})
		})
	}
	t.Run("no embedder", func(t *testing.T) {
		garbage(t, nil, unionfind.Clustering{NewEmbedder: func() unionfind.Embedder { return nil }})
	})
}

// noText is the error for a summarizer that says nothing.
const noText = "the summarizer returned no text"

func says(text string) compact.Summarizer {
	return returns(func() (string, error) { return text, nil })
}

// fixedEmbedder finds all texts alike.
type fixedEmbedder struct{ v unionfind.Vector }

func (e fixedEmbedder) Embed(context.Context, string) (unionfind.Vector, error) { return e.v, nil }

func garbage(
	t *testing.T, count func(preflight.Message) int, clustering unionfind.Clustering,
) {
	ctx := context.Background()
	limits := compact.Limits{Budget: 900, Count: count}
	x := faultyRun{}
	for name, s := range x.strategies(clustering) {
		judge := func(res compact.Result, err error) {
			if err != nil {
				require.True(t, isBudget(err) || strings.Contains(err.Error(), noText), "%s: %v",
					name, err)
				return
			}
			require.Empty(t, preflight.Check(res.Messages, &preflight.Profile{},
				&preflight.Options{KeepWaiting: true}), name)
		}
		judge(s.Compact(ctx, chatter(60), limits))
		session, err := compact.NewSession(compact.SessionConfig{Limits: limits, Strategy: s})
		if errors.Is(err, errors.ErrUnsupported) {
			continue // TestForeignStrategy says which these are
		}
		require.NoError(t, err)
		for _, m := range chatter(60) {
			require.NoError(t, session.Append(ctx, m))
			judge(session.Render(ctx))
			if err := session.Resolve(ctx); err != nil {
				require.ErrorContains(t, err, noText)
			}
		}
	}
}

// TestGarbageStore: a store that does not return what was asked for is an error.
func TestGarbageStore(t *testing.T) {
	cyclic := &preflight.ToolResult{CallID: "c"}
	cyclic.Content = []preflight.Part{cyclic}
	strange := []preflight.Message{{}, {Parts: []preflight.Part{nil, (*preflight.Text)(nil), cyclic}}}
	for name, returned := range map[string]func(n int) ([]preflight.Message, error){
		"error": func(int) ([]preflight.Message, error) { return nil, errOwn },
		"fewer": func(n int) ([]preflight.Message, error) { return make([]preflight.Message, n-1), nil },
		"more":  func(n int) ([]preflight.Message, error) { return make([]preflight.Message, n+1), nil },
		"strange": func(n int) (out []preflight.Message, _ error) {
			for range n {
				out = append(out, strange[len(out)%2])
			}
			return out, nil
		},
	} {
		s, err := compact.NewSession(compact.SessionConfig{
			Limits: compact.Limits{Budget: 900}, Store: &garbageStore{load: returned},
		})
		require.NoError(t, err)
		require.NoError(t, s.Append(context.Background(), chatter(60)...))
		res, err := s.Render(context.Background())
		if name == "strange" {
			require.NoError(t, err)
			continue
		}
		require.Error(t, err, name)
		require.Equal(t, name == "error", errors.Is(err, errOwn))
		require.Len(t, res.Messages, 60)
	}
}

type garbageStore struct {
	n    int
	load func(n int) ([]preflight.Message, error)
}

func (g *garbageStore) Len(context.Context) (int, error) { return g.n, nil }
func (g *garbageStore) Append(_ context.Context, m []preflight.Message) error {
	g.n += len(m)
	return nil
}
func (g *garbageStore) Load(_ context.Context, at []int) ([]preflight.Message, error) {
	return g.load(len(at))
}

// TestForeignStrategy: a session takes the strategies that it can follow with linear work, and no
// others.
func TestForeignStrategy(t *testing.T) {
	for name, s := range map[string]compact.Strategy{
		"union-find": unionfind.Strategy{}, "wrapped": wrapped{compact.Flat{}},
		"pointer": &compact.Flat{}, "nil pointer": (*compact.Flat)(nil),
	} {
		_, err := compact.NewSession(compact.SessionConfig{
			Limits: compact.Limits{Budget: 900}, Strategy: s,
		})
		require.ErrorIs(t, err, errors.ErrUnsupported, name)
	}
}

// TestReplacePanics: a panic of the function that Replace is given is an error that quotes nothing,
// and what it leaves out or makes up does no harm.
func TestReplacePanics(t *testing.T) {
	ctx, limits := context.Background(), compact.Limits{Budget: 500}
	_, err := limits.Replace(ctx, chatter(60), 2, func([]int, int) ([]compact.Cluster, error) {
		panic(secret)
	})
	require.ErrorIs(t, err, preflight.ErrHook)
	require.NotContains(t, err.Error(), secret)
	_, err = limits.Replace(ctx, chatter(60), 2, func([]int, int) ([]compact.Cluster, error) {
		return nil, errOwn
	})
	require.ErrorIs(t, err, errOwn)
	for name, clusters := range map[string][]compact.Cluster{
		"none":   nil,
		"twice":  {{Sources: []int{1, 0, 1}, Summary: "a"}, {Sources: []int{1}, Summary: "b"}},
		"others": {{Sources: []int{-1, 59, 1 << 40}, Summary: "c"}},
		"long":   {{Sources: []int{3}, Summary: strings.Repeat("word ", 5000)}},
	} {
		replace := func(old []int, _ int) ([]compact.Cluster, error) {
			old[0] = 99
			return clusters, nil
		}
		res, err := limits.Replace(ctx, chatter(60), 2, replace)
		require.NoError(t, err, name)
		require.LessOrEqual(t, res.Tokens, 500, name)
		place := make(map[int]int)
		for _, list := range res.Sources {
			for _, src := range list {
				place[src]++
			}
		}
		for _, c := range res.Clusters {
			for _, src := range c.Sources {
				place[src]++
			}
		}
		for src := range 60 {
			require.Equal(t, 1, place[src], "%s: message %d", name, src)
		}
	}
	res, err := compact.Limits{}.Replace(ctx, chatter(60), 4, nil)
	require.NoError(t, err)
	require.Len(t, res.Messages, 5, "a note and four messages")
}
