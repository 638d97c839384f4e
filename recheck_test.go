package preflight_test

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighttest/histgen"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/wire"
)

// This file compares the repair that relies on the first check with one that does not.

// TestReuse: what Sanitize reuses of its first check changes no result, whatever the functions of
// the caller return.
func TestReuse(t *testing.T) {
	for name, s := range underTest() {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				options := drawOptions(t)
				options.Request = s.request
				drawFunctions(t, options)
				requireReuse(t, drawLong(t, &s.profile, options), &s.profile, options)
			})
		})
	}
}

// TestReuseWithAnyProfile: the same for profiles of which any field holds anything.
func TestReuseWithAnyProfile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		profile := *rapid.SampledFrom(provider.All()).Draw(t, "profile")
		in := drawLong(t, &profile, nil)
		scramble(t, reflect.ValueOf(&profile).Elem())
		options := drawOptions(t)
		drawFunctions(t, options)
		requireReuse(t, in, &profile, options)
	})
}

// requireReuse fails if the default pipeline repairs history in another way than one that reuses
// nothing of the first check.
func requireReuse(
	t *rapid.T, history []preflight.Message, profile *preflight.Profile, options *preflight.Options,
) {
	ctx := context.Background()
	got, gotErr := preflight.Sanitize(ctx, history, profile, options)
	want, wantErr := preflight.AfreshPipeline().Sanitize(ctx, history, profile, options)
	if fmt.Sprint(gotErr) != fmt.Sprint(wantErr) {
		t.Fatalf("the error is %v, want %v\n%s", gotErr, wantErr, dump(history))
	}
	if reflect.DeepEqual(want, got) {
		return // cmp.Diff costs ten times as much
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("(-want +got)\n%s\n%s", diff, dump(history))
	}
}

// drawLong draws a history of some valid sessions and some with faults, so that most messages are
// far from a fault.
func drawLong(
	t *rapid.T, profile *preflight.Profile, options *preflight.Options,
) []preflight.Message {
	history := histgen.Any(profile, options).Draw(t, "history")
	for range rapid.SampledFrom([]int{0, 0, 0, 1, 2, 9}).Draw(t, "more sessions") {
		more := histgen.Valid(profile, options)
		if rapid.IntRange(0, 3).Draw(t, "sound") == 0 {
			more = scatter(profile, options)
		}
		history = append(history, more.Draw(t, "session")...)
	}
	return history
}

// drawFunctions gives options, one time in three, functions that change what the first check saw.
func drawFunctions(t *rapid.T, options *preflight.Options) {
	cached := &preflight.Text{Text: "interrupted", Carried: preflight.Carried{
		Cache: json.RawMessage(`{"type":"ephemeral","ttl":"1h"}`),
	}}
	switch rapid.IntRange(0, 15).Draw(t, "functions") {
	case 11:
		options.Interrupted = func(*preflight.ToolCall) preflight.Part { return cached }
	case 12:
		options.Fixers = []preflight.Fixer{wire.HandOff("anthropic")}
	case 13:
		options.Fixers = []preflight.Fixer{{
			Name: "spoil", Fix: func(
				h []preflight.Message, _ *preflight.Profile, _ preflight.Request,
			) ([]preflight.Message, []preflight.Warning) {
				if h[0].Name == "spoiled" {
					return h, nil
				}
				out := append([]preflight.Message{}, h...)
				out[0].Name = "spoiled"
				return out, []preflight.Warning{{Detail: "named the first message"}}
			},
		}}
	case 14:
		options.Hooks = []preflight.Hook{{
			Name: "empty", Message: func(
				_ context.Context, m preflight.Message,
			) (preflight.Message, error) {
				m.Parts = append(m.Parts, &preflight.Text{}, cached)
				return m, nil
			},
		}}
	case 15:
		options.Hooks = []preflight.Hook{{
			Name: "repeat", History: func(
				_ context.Context, h []preflight.Message,
			) ([]preflight.Message, error) {
				return append(h, h[len(h)/2:]...), nil
			},
		}}
	}
}
