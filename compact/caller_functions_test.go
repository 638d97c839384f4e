package compact_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
	"github.com/go-preflight/preflight/compact/tokens"
	"github.com/go-preflight/preflight/compact/unionfind"
	"github.com/go-preflight/preflight/preflighttest/histgen"
)

// This file gives every strategy, Session and Window functions that panic, end their goroutine,
// fail or return unexpected values, at any of their calls.

// secret is what functions panic with, and what must not come out.
const secret = "alice@example.org"

// TestFailingFunctions: whatever the caller's functions do, an error is typed and quotes nothing,
// the history is not written to, and what shares memory with the failed call works as before.
func TestFailingFunctions(t *testing.T) {
	before := runtime.NumGoroutine()
	rapid.Check(t, failingFunctions)
	for deadline := time.Now().Add(time.Minute); runtime.NumGoroutine() > before; {
		require.True(t, time.Now().Before(deadline), "goroutines are left")
		time.Sleep(time.Millisecond)
	}
}

func FuzzFailingFunctions(f *testing.F) { f.Fuzz(rapid.MakeFuzz(failingFunctions)) }

func failingFunctions(t *rapid.T) {
	all := subjects()
	x := &faultyRun{limits: all[rapid.SampledFrom(slices.Sorted(maps.Keys(all))).Draw(t, "subject")]}
	x.limits.Budget = rapid.IntRange(4, 40).Draw(t, "budget") * 25
	x.history = histgen.Roomy(session(x.limits).Draw(t, "history"))
	x.nth = rapid.IntRange(1, 80).Draw(t, "nth")
	x.fault = rapid.SampledFrom([]func(){
		func() { panic(errors.New(secret)) },
		func() { panic(nil) },
		func() { panic([]string{secret}) },
		runtime.Goexit,
	}).Draw(t, "fault")
	kept := histgen.Clone(x.history)
	rapid.SampledFrom([]func(*rapid.T){x.strategy, x.session, x.window}).Draw(t, "use")(t)
	if !reflect.DeepEqual(histgen.Whole(kept), histgen.Whole(x.history)) {
		t.Fatalf("the history was written to\nbefore:\n%s\nafter:\n%s", dump(kept), dump(x.history))
	}
}

// faultyRun is a run with a fault in the nth call of the caller's functions.
type faultyRun struct {
	limits     compact.Limits
	history    []preflight.Message
	nth, calls int
	fault      func()
	off        bool
}

func (x *faultyRun) called() {
	if x.off {
		return
	}
	if x.calls++; x.calls == x.nth {
		x.fault()
	}
}

// try runs f in a goroutine of its own, and checks its error. It reports whether f was right.
func (x *faultyRun) try(t *rapid.T, f func() error) bool {
	var err error
	returned, ended := false, make(chan struct{})
	go func() {
		defer close(ended)
		err = f()
		returned = true
	}()
	<-ended
	if !returned {
		return false // by Goexit: a panic would have ended the test
	}
	if err == nil {
		return true
	}
	if strings.Contains(err.Error(), secret) {
		t.Fatalf("the error quotes: %v", err)
	}
	if isBudget(err) {
		return false
	}
	for _, known := range []error{
		preflight.ErrHook, preflight.ErrEmptyHistory, preflight.ErrUnfixable, errOwn,
	} {
		if errors.Is(err, known) {
			return false
		}
	}
	t.Fatalf("untyped error %v", err)
	return false
}

// errOwn is the error of a function of the caller.
var errOwn = errors.New("a failure of the caller's own")

// TestOpenCallGetsCopy: what OpenCall writes to the call that it is given reaches no message.
func TestOpenCallGetsCopy(t *testing.T) {
	history := append(chatter(60), message(preflight.RoleAssistant, &preflight.ToolCall{
		ID: "call_1", Name: "read", Input: []byte(`{"file":"a"}`),
	}))
	history = append(history, chatter(4)...) // the call is not in the last turn
	before := inJSON(t, history)
	asked := false
	options := &preflight.Options{OpenCall: func(c *preflight.ToolCall) preflight.Part {
		asked = true
		for k := range c.Input {
			c.Input[k] = ' '
		}
		return c
	}}
	_, err := compact.Flat{}.Compact(context.Background(), history,
		compact.Limits{Budget: 400, Options: options})
	require.NoError(t, err)
	require.True(t, asked)
	require.Equal(t, before, inJSON(t, history))
}

// draws limits and a clustering whose functions tell x of their calls.
func (x *faultyRun) functions(t *rapid.T) (compact.Limits, unionfind.Clustering) {
	flip := func(name string) bool { return rapid.Bool().Draw(t, name) }
	limits := x.limits
	if flip("counter") {
		pictures := tokens.EstimateWith(func(int, int) int { x.called(); return 100 })
		limits.Count = func(m preflight.Message) int { x.called(); return pictures(m) }
	}
	if flip("options") {
		o := preflight.Options{Orphans: preflight.OrphanText}
		if limits.Options != nil {
			o = *limits.Options
		}
		o.OpenCall = func(c *preflight.ToolCall) preflight.Part {
			x.called()
			waits := len(c.ID)%5 == 0
			c.ID, c.Input = "scribbled", nil
			if waits {
				return c
			}
			return nil
		}
		o.Hooks = []preflight.Hook{{Name: "h", Message: func(
			_ context.Context, m preflight.Message,
		) (preflight.Message, error) {
			x.called()
			return m, nil
		}}}
		limits.Options = &o
	}
	clustering := unionfind.Clustering{MaxClusters: 3, ClusterSize: 2}
	if flip("embedder") {
		clustering.NewEmbedder = func() unionfind.Embedder {
			x.called()
			return &faultyLearner{unionfind.NewTFIDF(), x.called}
		}
	}
	if flip("summarizer") {
		clustering.Summarizer = returns(func() (string, error) {
			x.called()
			return "In short.", nil
		})
		clustering.Concurrency = 1 // x counts without a lock
	}
	if flip("pins") {
		limits.Pinned = func(m preflight.Message) bool {
			x.called()
			return len(m.Parts)%4 == 3
		}
	}
	return limits, clustering
}

// faultyLearner is the built-in embedder.
type faultyLearner struct {
	*unionfind.TFIDF
	called func()
}

func (l *faultyLearner) Embed(ctx context.Context, text string) (unionfind.Vector, error) {
	l.called()
	return l.TFIDF.Embed(ctx, text)
}
func (l *faultyLearner) Learn(v unionfind.Vector) { l.called(); l.TFIDF.Learn(v) }
func (l *faultyLearner) Similarity(a, b unionfind.Vector) float64 {
	l.called()
	return l.TFIDF.Similarity(a, b)
}

func (x *faultyRun) strategies(
	clustering unionfind.Clustering,
) map[string]compact.Strategy {
	return map[string]compact.Strategy{
		"flat":            compact.Flat{Keep: 2, Summarizer: clustering.Summarizer},
		"flat, question":  compact.Flat{Keep: 2, Question: "Which files are there?"},
		"masking":         compact.Masking{Keep: 2},
		"union-find":      unionfind.Strategy{Keep: 2, Clustering: clustering},
		"another package": wrapped{compact.Flat{Keep: 2, Summarizer: clustering.Summarizer}},
	}
}

// strategy: with an error the history comes back, and the next call gives what it gives without the
// fault.
func (x *faultyRun) strategy(t *rapid.T) {
	limits, clustering := x.functions(t)
	all := x.strategies(clustering)
	s := all[rapid.SampledFrom(slices.Sorted(maps.Keys(all))).Draw(t, "strategy")]
	x.off = true
	want, wantErr := s.Compact(context.Background(), x.history, limits)
	x.off = false
	x.try(t, func() error {
		res, err := s.Compact(context.Background(), x.history, limits)
		if err != nil && (res.Changed || dump(res.Messages) != dump(x.history)) {
			t.Fatalf("with an error the history comes back as it was: %v\n%s", err,
				dump(res.Messages))
		}
		return err
	})
	x.off = true
	got, err := s.Compact(context.Background(), x.history, limits)
	if !reflect.DeepEqual(want, got) || fmt.Sprint(err) != fmt.Sprint(wantErr) {
		t.Fatalf("afterwards: %v, want %v", err, wantErr)
	}
}

// session: after a fault, a session renders what is valid and fits, and every message is somewhere.
func (x *faultyRun) session(t *rapid.T) {
	ctx := context.Background()
	limits, clustering := x.functions(t)
	config := compact.SessionConfig{
		Limits: limits,
		Strategy: rapid.SampledFrom([]compact.Strategy{
			compact.Flat{Keep: 2, Summarizer: clustering.Summarizer}, compact.Masking{Keep: 2},
			compact.Flat{Keep: 2, Question: "Which files are there?"},
		}).Draw(t, "strategy"),
		Store: &faultyStore{called: x.called},
	}
	x.off = true // NewSession has its own test
	s, err := compact.NewSession(config)
	require.NoError(t, err)
	x.off = false
	var appended []preflight.Message
	for _, m := range x.history {
		if x.try(t, func() error { return s.Append(ctx, m) }) {
			appended = append(appended, m)
		}
		require.Equal(t, len(appended), s.Len())
		x.try(t, func() error { _, err := s.Render(ctx); return err })
		x.try(t, func() error { return s.Resolve(ctx) })
	}
	x.off = true
	end := trial{limits: limits, history: appended}
	res, err := s.Render(ctx)
	if err != nil {
		if !isBudget(err) && end.excused(err) == "" {
			t.Fatalf("afterwards: %v\n%s", err, dump(appended))
		}
		return
	}
	keep := preflight.Options{
		KeepWaiting: true, Trailing: preflight.TrailingKeep, Request: end.request(),
	}
	if limits.Options != nil {
		keep.OpenCall = limits.Options.OpenCall
	}
	if found := preflight.Check(res.Messages, limits.Profile, &keep); len(found) > 0 {
		t.Fatalf("Check finds %v in:\n%s", found, dump(res.Messages))
	}
	require.LessOrEqual(t, res.Tokens, limits.Budget)
	proveProvenance(t, end, res)
}

// faultyStore is a store in memory. Its faults come before it has done anything.
type faultyStore struct {
	called   func()
	messages []preflight.Message
}

func (f *faultyStore) Len(context.Context) (int, error) {
	f.called()
	return len(f.messages), nil
}

func (f *faultyStore) Append(_ context.Context, messages []preflight.Message) error {
	f.called()
	f.messages = append(f.messages, messages...)
	return nil
}

func (f *faultyStore) Load(_ context.Context, indices []int) ([]preflight.Message, error) {
	f.called()
	var out []preflight.Message
	for k, i := range indices {
		out = append(out, f.messages[i])
		indices[k] = math.MinInt
	}
	return out, nil
}

// window: after a fault, a window has the messages that Len says, and renders them.
func (x *faultyRun) window(t *rapid.T) {
	ctx := context.Background()
	limits, clustering := x.functions(t)
	x.off = true
	config := unionfind.Config{GraduateAt: 1, EvictAt: 2, Clustering: clustering, Limits: limits}
	w, err := unionfind.NewWindow(config)
	require.NoError(t, err)
	x.off = false
	var appended []preflight.Message
	for _, m := range x.history {
		x.try(t, func() error { return w.Append(ctx, m) })
		if w.Len() > len(appended) {
			appended = append(appended, m)
		}
		x.try(t, func() error { return w.Resolve(ctx) })
		x.try(t, func() error { _, err := w.Render(ctx, unionfind.Query{Text: "files"}); return err })
	}
	x.off = true
	require.Equal(t, len(appended), w.Len())
	end := trial{limits: limits, history: appended}
	require.NoError(t, w.Resolve(ctx))
	res, err := w.Render(ctx, unionfind.Query{})
	if err != nil {
		if !isBudget(err) && end.excused(err) == "" {
			t.Fatalf("afterwards: %v", err)
		}
		return
	}
	require.LessOrEqual(t, res.Tokens, limits.Budget)
	proveProvenance(t, end, res)
}
