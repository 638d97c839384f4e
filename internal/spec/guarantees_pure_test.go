package spec

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighttest/histgen"
)

// This file proves G7: the input is never written to, and the same input has the same output.

// provePure: nothing the caller owns is written to, and the same input gives the same output, from
// several goroutines too.
func provePure(t *rapid.T, g given) {
	options := *g.options
	options.Hooks = nil
	if rapid.Bool().Draw(t, "hooks") {
		options.Hooks = []preflight.Hook{
			{
				Name: "scribble on messages",
				Message: func(_ context.Context, m preflight.Message) (preflight.Message, error) {
					scribble([]preflight.Message{m})
					return preflight.Message{
						Role:  preflight.RoleUser,
						Parts: []preflight.Part{&preflight.Text{Text: "scribbled"}},
					}, nil
				},
			},
			{
				Name: "scribble on the history",
				History: func(
					_ context.Context, h []preflight.Message,
				) ([]preflight.Message, error) {
					kept := histgen.Clone(h)
					scribble(h)
					return kept, nil
				},
			},
		}
	}
	g.options = &options
	snapshot := histgen.Clone(g.in)
	profile := *g.profile
	first, err := g.sanitize(g.in)
	unharmed := func(when string) {
		t.Helper()
		if !reflect.DeepEqual(histgen.Whole(snapshot), histgen.Whole(g.in)) {
			t.Fatalf(
				"the input changed %s\nbefore:\n%s\nafter:\n%s",
				when,
				dump(snapshot),
				dump(g.in),
			)
		}
		if !reflect.DeepEqual(profile, *g.profile) {
			t.Fatalf("the profile changed %s", when)
		}
	}
	unharmed("in a run")

	var wait sync.WaitGroup
	results, errs := make([]preflight.Result, 3), make([]error, 3)
	for k := range results {
		wait.Add(1)
		go func() {
			defer wait.Done()
			results[k], errs[k] = g.sanitize(g.in)
		}()
	}
	wait.Wait()
	unharmed("in concurrent runs")
	for k := range results {
		if fmt.Sprint(errs[k]) != fmt.Sprint(err) || !reflect.DeepEqual(results[k], first) {
			t.Fatalf(
				"two runs differ: %v and %v\n%s\n%s",
				err,
				errs[k],
				dump(first.Messages),
				dump(results[k].Messages),
			)
		}
	}
	if err == nil && len(first.Warnings) > 0 {
		first.Messages = append(first.Messages, preflight.Message{Role: "appended"})
		for i := range first.Messages {
			first.Messages[i].Parts = append(
				first.Messages[i].Parts,
				&preflight.Text{Text: "appended"},
			)
		}
		unharmed("when the output was appended to")
	} else {
		_ = append(first.Messages, preflight.Message{Role: "appended"})
		unharmed("when the output was appended to")
	}
}

// scribble writes over everything a hook can reach.
func scribble(h []preflight.Message) {
	for i := range h {
		for k := range h[i].Meta {
			clear(h[i].Meta[k])
			delete(h[i].Meta, k)
		}
		clear(h[i].Native.JSON)
		scribbleParts(h[i].Parts)
		for j := range h[i].Parts {
			h[i].Parts[j] = &preflight.Text{Text: "scribbled"}
		}
		_ = append(h[i].Parts, &preflight.Text{Text: "appended"})
		h[i].Role, h[i].Name = "scribbled", "scribbled"
	}
	_ = append(h, preflight.Message{Role: "appended"})
}

func scribbleParts(parts []preflight.Part) {
	for _, p := range parts {
		if carried := preflight.CarriedBy(p); carried != nil {
			for k := range carried.Meta {
				clear(carried.Meta[k])
				delete(carried.Meta, k)
			}
		}
		switch p := p.(type) {
		case *preflight.Text:
			clear(p.Cache)
			clear(p.Native.JSON)
			p.Text = "scribbled"
		case *preflight.ToolCall:
			clear(p.Input)
			p.ID = "scribbled"
		case *preflight.ToolResult:
			clear(p.Output)
			scribbleParts(p.Content)
			clear(p.Content)
			p.CallID = "scribbled"
		case *preflight.Reasoning:
			p.Text, p.Signature = "", ""
		case *preflight.Media:
			p.Data = ""
		case *preflight.Other:
			clear(p.Native.JSON)
		}
	}
}

// sameParts reports whether two histories hold the very same parts.
func sameParts(a, b []preflight.Message) bool {
	return slices.EqualFunc(
		a,
		b,
		func(m, n preflight.Message) bool { return slices.Equal(m.Parts, n.Parts) },
	)
}

// pointers counts how often each part is in a history.
func pointers(h []preflight.Message) map[preflight.Part]int {
	out := map[preflight.Part]int{}
	for _, m := range h {
		for _, p := range m.Parts {
			out[p]++
		}
	}
	return out
}
