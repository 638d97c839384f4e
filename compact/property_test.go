package compact_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
	"github.com/go-preflight/preflight/compact/tokens"
	"github.com/go-preflight/preflight/compact/unionfind"
	"github.com/go-preflight/preflight/preflighttest/histgen"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file holds what every strategy promises, as properties over generated histories, valid ones
// and broken ones, for every profile.

// subjects are limits with all profiles, and the models of them that bind reasoning, keep no system
// messages or know no tools.
func subjects() map[string]compact.Limits {
	profiles := make(map[string]preflight.Profile)
	for _, p := range provider.All() {
		profiles[p.Provider] = *p
	}
	profiles["zero"] = preflight.Profile{}
	profiles["o1-mini"] = *provider.OpenAIChat("o1-mini")
	out := make(map[string]compact.Limits)
	for name, p := range profiles {
		out[name] = compact.Limits{Profile: &p}
	}
	for _, thinking := range []provider.Thinking{
		provider.ThinkingOff, provider.ThinkingBudget, provider.ThinkingAdaptive,
	} {
		for _, model := range []string{"claude-sonnet-4-5", "claude-opus-5-5"} {
			out[fmt.Sprintf("%s thinking %s", model, thinking)] = compact.Limits{
				Profile: provider.Anthropic(model),
				Options: &preflight.Options{
					Orphans: preflight.OrphanText,
					Request: preflight.Request{Thinking: thinking},
				},
			}
		}
	}
	return out
}

// session draws a history of several generated ones, one after the other, so that there is
// something to compact.
func session(l compact.Limits) *rapid.Generator[[]preflight.Message] {
	return rapid.Custom(func(t *rapid.T) []preflight.Message {
		var h []preflight.Message
		for range rapid.IntRange(1, 4).Draw(t, "histories") {
			h = append(h,
				rapid.OneOf(histgen.Valid(l.Profile, l.Options),
					histgen.Any(l.Profile, l.Options)).Draw(t, "history")...)
		}
		return h
	})
}

// windowed is a Window as a strategy.
type windowed struct{ config unionfind.Config }

func (w windowed) Compact(
	ctx context.Context,
	history []preflight.Message,
	limits compact.Limits,
) (compact.Result, error) {
	config := w.config
	config.Limits = limits
	window, err := unionfind.NewWindow(config)
	if err != nil {
		return compact.Result{}, err
	}
	if err := window.Append(ctx, history...); err != nil {
		return compact.Result{}, err
	}
	if err := window.Resolve(ctx); err != nil {
		return compact.Result{}, err
	}
	return window.Render(ctx, unionfind.Query{})
}

// strategies are the strategies under test, small enough for generated histories.
func strategies() map[string]compact.Strategy {
	clustering := unionfind.Clustering{MaxClusters: 3, ClusterSize: 2}
	apart := clustering
	apart.Summarizer = extractive
	return map[string]compact.Strategy{
		"flat":       compact.Flat{Keep: 2},
		"masking":    compact.Masking{Keep: 2},
		"union-find": unionfind.Strategy{Keep: 2, Clustering: clustering},
		"union-find with query": unionfind.Strategy{
			Keep:       2,
			Clustering: clustering,
			Query:      unionfind.Query{Text: "result of the files", Top: 1},
		},
		"window": windowed{unionfind.Config{GraduateAt: 2, EvictAt: 4, Clustering: clustering}},
		"window with summaries": windowed{
			unionfind.Config{GraduateAt: 2, EvictAt: 4, Clustering: apart},
		},
		"union-find, summaries": unionfind.Strategy{Keep: 2, Clustering: apart},
		"window, nothing shared": windowed{
			unionfind.Config{GraduateAt: 1, EvictAt: 1, Clustering: unionfind.Clustering{Threshold: 2}},
		},
	}
}

// trial is one strategy over one history.
type trial struct {
	strategy compact.Strategy
	limits   compact.Limits
	history  []preflight.Message
}

func (x trial) run() (compact.Result, error) {
	return x.strategy.Compact(context.Background(), x.history, x.limits)
}

func TestStrategies(t *testing.T) {
	for _, property := range []struct {
		name  string
		prove func(*rapid.T, trial)
	}{
		{"valid, within budget, accounted for, pure", proveWhole},
		{"tool pairs are whole", provePairs},
	} {
		t.Run(property.name, func(t *testing.T) {
			for name, limits := range subjects() {
				t.Run(name, func(t *testing.T) {
					rapid.Check(t, func(t *rapid.T) {
						names := strategies()
						x := trial{limits: limits}
						sorted := slices.Sorted(maps.Keys(names))
						x.strategy = names[rapid.SampledFrom(sorted).Draw(t, "strategy")]
						x.limits.Budget = rapid.IntRange(0, 40).Draw(t, "budget") * 25
						x.limits.Count = drawCounter(t)
						x.limits.Pinned = drawPins(t)
						property.prove(t, x)
					})
				})
			}
		})
	}
}

// drawCounter draws the default counter, or one that knows nothing of bytes.
func drawCounter(t *rapid.T) func(preflight.Message) int {
	if rapid.IntRange(0, 3).Draw(t, "counter") > 0 {
		return nil
	}
	return func(m preflight.Message) int {
		n := 1
		for _, p := range m.Parts {
			n += 3
			if text, ok := p.(*preflight.Text); ok && text != nil {
				n += len(strings.Fields(text.Text))
			}
		}
		return n
	}
}

// drawPins draws no pins, or some messages.
func drawPins(t *rapid.T) func(preflight.Message) bool {
	every := rapid.SampledFrom([]int{0, 0, 3, 8}).Draw(t, "pins")
	if every == 0 {
		return nil
	}
	return func(m preflight.Message) bool {
		return len(compact.InputOf(m).Text)%every == 1
	}
}

// request is the state of the request that the limits are for.
func (x trial) request() preflight.Request {
	if x.limits.Options == nil {
		return preflight.Request{}
	}
	return x.limits.Options.Request
}

func (x trial) total(messages []preflight.Message) int {
	n := 0
	for _, m := range messages {
		if x.limits.Count != nil {
			n += x.limits.Count(m)
		} else {
			n += tokens.Estimate(m)
		}
	}
	return n
}

// proveWhole: the history is not written to, a second run gives the same, and the output fits and
// accounts for all that went in.
func proveWhole(t *rapid.T, x trial) {
	x.history = histgen.Roomy(session(x.limits).Draw(t, "history"))
	before := histgen.Clone(x.history)
	first, err := x.run()
	again, err2 := x.run()
	if (err == nil) != (err2 == nil) || err != nil && err.Error() != err2.Error() {
		t.Fatalf("two runs, two errors: %v, %v", err, err2)
	}
	if !reflect.DeepEqual(first, again) {
		t.Fatalf("two runs differ: %s", cmp.Diff(dump(first.Messages), dump(again.Messages)))
	}
	proveFit(t, x, first, err)
	if err == nil {
		proveProvenance(t, x, first)
	}
	if stray := append(first.Messages, preflight.Message{Role: "stray"}); len(stray) == 0 ||
		!reflect.DeepEqual(histgen.Whole(before), histgen.Whole(x.history)) {
		t.Fatalf("the history was written to")
	}
}

// proveFit: what comes out passes Check and costs no more than the budget, or a typed error says
// why.
func proveFit(t *rapid.T, x trial, res compact.Result, err error) {
	var tooSmall *compact.BudgetError
	switch {
	case errors.As(err, &tooSmall):
		if tooSmall.Budget != x.limits.Budget || tooSmall.Need <= tooSmall.Budget {
			t.Fatalf("the error does not say why: %v", err)
		}
	case err != nil:
		if !errors.Is(err, preflight.ErrEmptyHistory) && !errors.Is(err, preflight.ErrUnfixable) {
			t.Fatalf("unexpected error: %v", err)
		}
		if x.excused(err) == "" {
			t.Fatalf("no reason to give up: %v\n%s", err, dump(x.history))
		}
	default:
		// compaction answers no call that waits, and appends nothing
		keep := preflight.Options{
			KeepWaiting: true,
			Trailing:    preflight.TrailingKeep,
			Request:     x.request(),
		}
		if found := preflight.Check(res.Messages, x.limits.Profile, &keep); len(found) > 0 {
			t.Fatalf("Check finds %v\nin:\n%s\nout:\n%s", found, dump(x.history),
				dump(res.Messages))
		}
		if n := x.total(res.Messages); n != res.Tokens ||
			x.limits.Budget > 0 && n > x.limits.Budget {
			t.Fatalf("%d tokens, said to be %d, for a budget of %d", n, res.Tokens, x.limits.Budget)
		}
		return
	}
	if got, want := dump(res.Messages), dump(x.history); got != want || res.Changed {
		t.Fatalf("with an error the history comes back as it was: %s", cmp.Diff(want, got))
	}
}

// excused is the documented reason for an error: nothing to send, or a thinking budget that demands
// reasoning which the provider does not hold, or which is bound to messages that were compacted.
func (x trial) excused(err error) string {
	if errors.Is(err, preflight.ErrEmptyHistory) {
		if len(x.history) == 0 {
			return "empty"
		}
		return ""
	}
	var unfixable *preflight.Error
	if errors.As(err, &unfixable) && x.request().Thinking == provider.ThinkingBudget {
		for _, v := range unfixable.Violations {
			if v.Problem != problems.ReasoningMissing {
				return ""
			}
		}
		return "thinking budget"
	}
	return ""
}

// proveProvenance: every message is in the output or in exactly one cluster; one that does
// neither was removed by a repair, and a warning says so.
func proveProvenance(t *rapid.T, x trial, res compact.Result) {
	if len(res.Sources) != len(res.Messages) {
		t.Fatalf("%d messages, %d lists of sources", len(res.Messages), len(res.Sources))
	}
	place := make([]string, len(x.history))
	for i, list := range res.Sources {
		for _, src := range list {
			place[src] = fmt.Sprintf("messages[%d]", i)
		}
	}
	for k, c := range res.Clusters {
		if len(c.Sources) == 0 || !slices.IsSorted(c.Sources) {
			t.Fatalf("sources of cluster %d: %v", k, c.Sources)
		}
		for _, src := range c.Sources {
			if place[src] != "" {
				t.Fatalf("message %d is in %s and in cluster %d", src, place[src], k)
			}
			place[src] = fmt.Sprintf("cluster %d", k)
		}
	}
	for src, where := range place {
		if where == "" &&
			!slices.ContainsFunc(res.Warnings,
				func(w preflight.Warning) bool { return w.At.Message() == src }) {
			t.Fatalf("message %d is nowhere, and no warning is about it\nin:\n%s\nout:"+
				"\n%s\nwarnings: %v\nclusters: %+v",
				src, dump(x.history), dump(res.Messages), res.Warnings, res.Clusters)
		}
	}
}

// provePairs: of a valid history no exchange is cut in two: a tool result that is in the output
// has its call there, and a result whose call is gone is gone with it.
func provePairs(t *rapid.T, x trial) {
	x.history = histgen.Valid(x.limits.Profile, x.limits.Options).Draw(t, "valid history")
	res, err := x.run()
	if err != nil {
		return
	}
	has := make(map[string]bool)
	for _, m := range res.Messages {
		for _, p := range m.Parts {
			has[histgen.Tag(p)] = true
		}
	}
	for _, m := range x.history {
		for _, p := range m.Parts {
			r, ok := p.(*preflight.ToolResult)
			if !ok || r.ProviderExecuted {
				continue
			}
			answer := histgen.Tag(r)
			if call := "c" + answer[1:]; has[call] != has[answer] {
				t.Fatalf("call %s is there: %v; its result %s is there: %v\nin:\n%s\nout:\n%s",
					call, has[call], answer, has[answer], dump(x.history), dump(res.Messages))
			}
		}
	}
}

// dump shows a history, a message on each line.
func dump(h []preflight.Message) string {
	var b strings.Builder
	for i, m := range h {
		fmt.Fprintf(&b, "%d %s:", i, m.Role)
		for _, p := range m.Parts {
			fmt.Fprintf(&b, " %s %.120q;", preflight.PartKind(p),
				compact.InputOf(preflight.Message{Parts: []preflight.Part{p}}).Text)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
