package unionfind_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
	"github.com/go-preflight/preflight/compact/unionfind"
)

// TestResolveStops: the first error ends the others, is returned, and what was not summarized is
// still to be done.
func TestResolveStops(t *testing.T) {
	down := errors.New("503")
	sum := &recorder{err: down}
	config := unionfind.Config{
		GraduateAt: 1,
		EvictAt:    1,
		Clustering: unionfind.Clustering{
			NewEmbedder: byFirstWord, Summarizer: sum.Summarize, Concurrency: 1,
		},
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
		unionfind.Config{
			GraduateAt: 1,
			EvictAt:    1,
			Clustering: unionfind.Clustering{
				NewEmbedder: byFirstWord,
				Summarizer:  sum.Summarize,
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
		unionfind.Config{
			Clustering: unionfind.Clustering{NewEmbedder: func() unionfind.Embedder { return moody{} }},
		}, "fine")
	require.ErrorContains(t,
		w.Append(context.Background(), say("user", "fine, too"), say("user", "bad")),
		"embedding message 2 of 2")
	require.Equal(t, 2, w.Len())
	_, err := w.Render(context.Background(), unionfind.Query{Text: "bad"})
	require.ErrorContains(t, err, "embedding the query")
	h := append([]preflight.Message{say("user", "bad")}, chatter(30)...)
	_, err = unionfind.Strategy{
		Keep:       2,
		Clustering: unionfind.Clustering{NewEmbedder: func() unionfind.Embedder { return moody{} }},
	}.Compact(context.Background(), h, compact.Limits{Budget: 300})
	require.Error(t, err)
}

// moody is an embedder that fails on one text.
type moody struct{}

func (moody) Embed(_ context.Context, text string) (unionfind.Vector, error) {
	if text == "bad" {
		return nil, errors.New("overloaded")
	}
	return unionfind.Vector{1}, nil
}

// TestSaveRefusesWhatJSONCannotHold instead of losing it.
func TestSaveRefusesWhatJSONCannotHold(t *testing.T) {
	for _, m := range []preflight.Message{say("user", "\xff"), message("user", nil)} {
		w := window(t, unionfind.Config{})
		require.NoError(t, w.Append(context.Background(), m))
		_, err := w.MarshalJSON()
		require.Error(t, err)
	}
	_, err := unionfind.Restore([]byte(`{"version":2}`), unionfind.Config{})
	require.ErrorIs(t, err, unionfind.ErrSaved)
	require.ErrorContains(t, err, "its version is 2, and this package reads 1")
	_, err = unionfind.Restore([]byte(`{`), unionfind.Config{})
	require.ErrorIs(t, err, unionfind.ErrSaved)
}

// TestHistoryOfSystemMessages has nothing to compact.
func TestHistoryOfSystemMessages(t *testing.T) {
	w := window(t, unionfind.Config{})
	require.NoError(t, w.Append(context.Background(), say("system", "be brief")))
	res, err := w.Render(context.Background(), unionfind.Query{})
	require.NoError(t, err)
	require.Equal(t, []preflight.Message{say("system", "be brief")}, res.Messages)
}
