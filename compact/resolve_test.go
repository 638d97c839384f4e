package compact_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
	"github.com/go-preflight/preflight/internal/rapidseed"
	"github.com/go-preflight/preflight/provider"
)

// TestResolveStops: the first error ends the others, is returned, and what was not summarized is
// still to be done.
func TestResolveStops(t *testing.T) {
	down := errors.New("503")
	sum := &recorder{err: down}
	config := compact.Config{
		GraduateAt: 1,
		EvictAt:    1,
		Clustering: compact.Clustering{NewEmbedder: byFirstWord, Summarizer: sum, Concurrency: 1},
	}
	w := window(t, config, "a 1", "a 2", "b 1", "b 2", "z")
	require.ErrorIs(t, w.Resolve(context.Background()), down)
	require.Equal(t, 2, w.Dirty())
	require.Len(t, sum.calls, 1, "one at a time, and none after the error")
	sum.err = nil
	require.NoError(t, w.Resolve(context.Background()))
	require.Zero(t, w.Dirty())

	w = window(t, config, "a 1", "a 2", "z")
	cancelled, cancel := context.WithCancel(context.Background())
	sum.meet = cancel
	_ = w.Resolve(cancelled)
	require.ErrorIs(t, w.Resolve(cancelled), context.Canceled)
	require.ErrorIs(t, w.Append(cancelled, say("user", "more")), context.Canceled)

	sum.meet = func() { panic("nil map") }
	w = window(t, config, "a 1", "a 2", "z")
	require.ErrorContains(t, w.Resolve(context.Background()),
		"panicked with a value of type string")
	require.Equal(t, 1, w.Dirty())
}

// TestResolveIsConcurrent: as many summaries at a time as the configuration says, and no more.
func TestResolveIsConcurrent(t *testing.T) {
	const slots = 3
	arrived, release := make(chan struct{}), make(chan struct{})
	sum := &recorder{meet: func() { arrived <- struct{}{}; <-release }}
	var texts []string
	for i := range 6 {
		texts = append(texts, fmt.Sprintf("%c 1", 'a'+i), fmt.Sprintf("%c 2", 'a'+i))
	}
	w := window(t,
		compact.Config{
			GraduateAt: 1,
			EvictAt:    1,
			Clustering: compact.Clustering{
				NewEmbedder: byFirstWord,
				Summarizer:  sum,
				Concurrency: slots,
			},
		}, append(texts, "z")...)
	done := make(chan error)
	go func() { done <- w.Resolve(context.Background()) }()
	for range 2 {
		for range slots {
			<-arrived // all of them are at work at once
		}
		select {
		case <-arrived:
			t.Fatal("one more than allowed")
		default:
		}
		for range slots {
			release <- struct{}{}
		}
	}
	require.NoError(t, <-done)
	require.Zero(t, w.Dirty())
}

// TestEmbedderFails: the messages before the failure are in the window.
func TestEmbedderFails(t *testing.T) {
	w := window(t,
		compact.Config{
			Clustering: compact.Clustering{NewEmbedder: func() compact.Embedder { return moody{} }},
		}, "fine")
	require.ErrorContains(t,
		w.Append(context.Background(), say("user", "fine, too"), say("user", "bad")),
		"embedding message 2 of 2")
	require.Equal(t, 2, w.Len())
	_, err := w.Render(context.Background(), compact.Query{Text: "bad"})
	require.ErrorContains(t, err, "embedding the query")
	h := append([]preflight.Message{say("user", "bad")}, chatter(30)...)
	_, err = compact.UnionFind{
		Keep:       2,
		Clustering: compact.Clustering{NewEmbedder: func() compact.Embedder { return moody{} }},
	}.Compact(context.Background(), h, compact.Limits{Budget: 300})
	require.Error(t, err)
}

// moody is an embedder that fails on one text.
type moody struct{}

func (moody) Embed(_ context.Context, text string) (compact.Vector, error) {
	if text == "bad" {
		return nil, errors.New("overloaded")
	}
	return compact.Vector{1}, nil
}

// TestHostileSizes: long runs of everything end in good time, with a history or a typed error.
func TestHostileSizes(t *testing.T) {
	n := rapidseed.Size(10_000, 2_000)
	shapes := map[string][]preflight.Message{
		"a chat":         chatter(n),
		"one agent loop": agentLoop(n/4, 30),
	}
	run := make([]preflight.Message, n)
	for i := range run {
		run[i] = say("assistant", "hello")
	}
	shapes["one run of the assistant's"] = run
	profile := provider.Anthropic("")
	for shape, h := range shapes {
		for name, s := range map[string]compact.Strategy{
			"flat":       compact.Flat{},
			"masking":    compact.Masking{},
			"union-find": compact.UnionFind{},
		} {
			t.Run(shape+" "+name, func(t *testing.T) {
				res, err := s.Compact(context.Background(), h,
					compact.Limits{Budget: 2000, Profile: profile})
				if err != nil {
					require.ErrorIs(t, err, compact.ErrBudget)
					return
				}
				require.LessOrEqual(t, res.Tokens, 2000)
			})
		}
	}
}

// TestSaveRefusesWhatJSONCannotHold instead of losing it.
func TestSaveRefusesWhatJSONCannotHold(t *testing.T) {
	for _, m := range []preflight.Message{say("user", "\xff"), message("user", nil)} {
		w := window(t, compact.Config{})
		require.NoError(t, w.Append(context.Background(), m))
		_, err := w.MarshalJSON()
		require.Error(t, err)
	}
	_, err := compact.Restore([]byte(`{"version":2}`), compact.Config{})
	require.ErrorIs(t, err, compact.ErrSaved)
	require.ErrorContains(t, err, "its version is 2, and this package reads 1")
	_, err = compact.Restore([]byte(`{`), compact.Config{})
	require.ErrorIs(t, err, compact.ErrSaved)
}
