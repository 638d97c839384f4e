package unionfind_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
	"github.com/go-preflight/preflight/compact/unionfind"
	"github.com/go-preflight/preflight/preflighttest/histgen"
	"github.com/go-preflight/preflight/provider"
)

// TestSaveAndRestore: a restored window is the saved one: it saves the same bytes, and what is done
// with both afterwards has the same results.
func TestSaveAndRestore(t *testing.T) {
	profile := provider.Anthropic("")
	config := unionfind.Config{
		GraduateAt: 2,
		EvictAt:    3,
		Clustering: unionfind.Clustering{
			MaxClusters: 3,
			ClusterSize: 2,
			Summarizer:  extractive,
		},
		Limits: compact.Limits{Profile: profile, Budget: 400},
	}
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		w, err := unionfind.NewWindow(config)
		require.NoError(t, err)
		for range rapid.IntRange(0, 4).Draw(t, "rounds") {
			require.NoError(t, w.Append(ctx, histgen.Valid(profile, nil).Draw(t, "messages")...))
			if rapid.Bool().Draw(t, "resolve") {
				require.NoError(t, w.Resolve(ctx))
			}
		}
		saved, err := json.Marshal(w)
		require.NoError(t, err)
		back, err := unionfind.Restore(saved, config)
		require.NoError(t, err)
		again, err := json.Marshal(back)
		require.NoError(t, err)
		require.Equal(t, string(saved), string(again))
		more := histgen.Valid(profile, nil).Draw(t, "more messages")
		var results [2]compact.Result
		for k, window := range []*unionfind.Window{w, back} {
			require.NoError(t, window.Append(ctx, more...))
			require.NoError(t, window.Resolve(ctx))
			var err error
			results[k], err = window.Render(ctx, unionfind.Query{Text: "hosts"})
			if err != nil {
				require.True(t, isBudget(err))
			}
		}
		require.Empty(t, cmp.Diff(results[0].Messages, results[1].Messages, cmpopts.EquateEmpty()))
		require.Equal(t, results[0].Clusters, results[1].Clusters)
		require.Equal(t, w.Clusters(), back.Clusters())
	})
}

// TestRestoreRefuses: damaged JSON is an error that wraps ErrSaved, and never a panic.
func TestRestoreRefuses(t *testing.T) {
	w := chat(t,
		unionfind.Config{
			GraduateAt: 1,
			EvictAt:    1,
			Clustering: unionfind.Clustering{Summarizer: extractive},
		}, 12)
	require.NoError(t, w.Resolve(context.Background()))
	// some summaries are current, some out of date
	require.NoError(t, w.Append(context.Background(), chatter(8)...))
	saved, err := json.Marshal(w)
	require.NoError(t, err)
	rapid.Check(t, func(t *rapid.T) {
		var doc any
		require.NoError(t, json.Unmarshal(saved, &doc))
		damaged, err := json.Marshal(damage(t, doc))
		require.NoError(t, err)
		back, err := unionfind.Restore(damaged, unionfind.Config{})
		if err != nil {
			require.ErrorIs(t, err, unionfind.ErrSaved)
			return
		}
		require.NoError(t, back.Append(context.Background(), say(preflight.RoleUser, "go on")))
		require.NoError(t, back.Resolve(context.Background()))
		for i := range back.Len() {
			require.NotEmpty(t, back.Expand(i))
		}
	})
}

// damage replaces one value somewhere in a document.
func damage(t *rapid.T, v any) any {
	if rapid.IntRange(0, 3).Draw(t, "here") == 0 {
		return rapid.SampledFrom([]any{
			nil,
			-1.0,
			0.0,
			1.0,
			1e9,
			"x",
			[]any{},
			map[string]any{},
			[]any{0.0, 0.0},
		}).
			Draw(t, "value")
	}
	switch v := v.(type) {
	case []any:
		if len(v) > 0 {
			k := rapid.IntRange(0, len(v)-1).Draw(t, "index")
			v[k] = damage(t, v[k])
		}
	case map[string]any:
		if len(v) > 0 {
			k := rapid.SampledFrom(slices.Sorted(maps.Keys(v))).Draw(t, "key")
			v[k] = damage(t, v[k])
		}
	}
	return v
}

// TestConcurrentUse: messages are appended while clusters are resolved and histories rendered;
// nothing is lost, and the end is that of a window that was used by one alone.
func TestConcurrentUse(t *testing.T) {
	ctx := context.Background()
	config := unionfind.Config{
		GraduateAt: 3,
		EvictAt:    5,
		Limits:     compact.Limits{Budget: 600},
		Clustering: unionfind.Clustering{Summarizer: extractive},
	}
	w, err := unionfind.NewWindow(config)
	require.NoError(t, err)
	alone, err := unionfind.NewWindow(config)
	require.NoError(t, err)
	history := chatter(200)
	done := make(chan struct{})
	var others sync.WaitGroup
	for _, use := range []func() error{
		func() error { return w.Resolve(ctx) },
		func() error { _, err := w.Render(ctx, unionfind.Query{}); return ignoreEmpty(err) },
		func() error {
			_, err := w.Render(ctx, unionfind.Query{Text: "topic 3"})
			return ignoreEmpty(err)
		},
		func() error { _, err := json.Marshal(w); return err },
		func() error { w.Expand(w.Len() / 2); w.Clusters(); w.Dirty(); return nil },
	} {
		others.Add(1)
		go func() {
			defer others.Done()
			for {
				if err := use(); err != nil {
					t.Error(err)
				}
				select {
				case <-done:
					return
				default:
				}
			}
		}()
	}
	for _, m := range history {
		require.NoError(t, w.Append(ctx, m))
	}
	close(done)
	others.Wait()
	require.NoError(t, alone.Append(ctx, history...))
	require.Equal(t, alone.Clusters(), w.Clusters(),
		"resolving does not change what belongs together")
	require.NoError(t, w.Resolve(ctx))
	require.Zero(t, w.Dirty())
}

func ignoreEmpty(err error) error {
	if errors.Is(err, preflight.ErrEmptyHistory) {
		return nil
	}
	return err
}
