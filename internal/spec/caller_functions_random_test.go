package spec

import (
	"context"
	"errors"
	"math"
	"net/url"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/fixer"
	"github.com/go-preflight/preflight/preflighttest/histgen"
	"github.com/go-preflight/preflight/stored"
)

// This file gives Sanitize functions that fail, end their goroutine, call Sanitize themselves, or
// return unexpected values, at any of their calls.

// faultyCall does something in one of the calls of the functions of options.
type faultyCall struct {
	nth, calls int
	do         func()
}

func (s *faultyCall) called() {
	if s.calls++; s.calls == s.nth {
		s.do()
	}
}

// TestFailingFunctions: whatever the caller's functions do, an error is typed and has the input, a
// result is valid, nothing of the caller's is written to, and a later call is as if nothing had
// been.
func TestFailingFunctions(t *testing.T) { rapid.Check(t, failingFunctions) }

func FuzzFailingFunctions(f *testing.F) { f.Fuzz(rapid.MakeFuzz(failingFunctions)) }

func failingFunctions(t *rapid.T) {
	subjects := underTest()
	s := subjects[rapid.SampledFrom(profileNames()).Draw(t, "profile")]
	profile := &s.profile
	plain := drawOptions(t)
	plain.Request = s.request
	other := histgen.Any(profile, plain).Draw(t, "other")
	want, wantErr := preflight.Sanitize(context.Background(), other, profile, plain)

	in := histgen.Roomy(histgen.Any(profile, plain).Draw(t, "history"))
	kept := histgen.Clone(in)
	spy := &faultyCall{nth: rapid.IntRange(1, 60).Draw(t, "nth")}
	spy.do = drawFault(t, func() {
		got, err := preflight.Sanitize(context.Background(), other, profile, plain)
		if !reflect.DeepEqual(got, want) || (err != nil) != (wantErr != nil) {
			t.Fatalf("in a callback: %v, want %v", err, wantErr)
		}
	})
	options := withFaults(t, *plain, spy)

	var res preflight.Result
	var err error
	returned := inGoroutine(func() {
		res, err = preflight.Sanitize(context.Background(), in, profile, options)
	})
	if !reflect.DeepEqual(histgen.Whole(kept), histgen.Whole(in)) {
		t.Fatalf("the input changed\nbefore:\n%s\nafter:\n%s", dump(kept), dump(in))
	}
	if returned {
		requireTyped(t, in, res, err)
		if found := preflight.Check(res.Messages, profile, options); err == nil && len(found) > 0 {
			t.Fatalf("%v\n%s\n%s", found, dump(kept), dump(res.Messages))
		}
	}
	got, err := preflight.Sanitize(context.Background(), other, profile, plain)
	if !reflect.DeepEqual(got, want) || (err != nil) != (wantErr != nil) {
		t.Fatalf("afterwards: %v, want %v\n%s\nwant\n%s", err, wantErr, dump(got.Messages),
			dump(want.Messages))
	}
}

// inGoroutine runs f in a goroutine, which f may end. It reports whether f returned.
func inGoroutine(f func()) (returned bool) {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		f()
		returned = true
	}()
	<-ended
	return returned
}

// requireTyped: an error of Sanitize is one of those that it documents, and comes with the input.
func requireTyped(t *rapid.T, in []preflight.Message, res preflight.Result, err error) {
	if err == nil {
		return
	}
	if !sameArray(res.Messages, in) || res.Changed || res.Warnings != nil {
		t.Fatalf("on error the input has to come back as it was: %v", err)
	}
	for _, known := range []error{
		preflight.ErrHook, preflight.ErrEmptyHistory, preflight.ErrUnfixable,
		preflight.ErrNoFixpoint, preflight.ErrAmbiguous,
	} {
		if errors.Is(err, known) {
			return
		}
	}
	t.Fatalf("untyped error %v", err)
}

// drawFault draws what a function does in one of its calls.
func drawFault(t *rapid.T, again func()) func() {
	return rapid.SampledFrom([]func(){
		func() {}, again, runtime.Goexit,
		func() { panic(errors.New(secret)) },
		func() { panic(nil) },
		func() { panic([]int{1}) },
		func() { var none *preflight.ToolCall; none.ID = secret },
		func() { again(); panic(secret) },
		func() { again(); runtime.Goexit() },
		runtime.GC,
	}).Draw(t, "fault")
}

// withFaults returns options whose functions tell spy of their calls, and return anything.
func withFaults(t *rapid.T, o preflight.Options, spy *faultyCall) *preflight.Options {
	flip := func(name string) bool { return rapid.Bool().Draw(t, name) }
	waits, part := flip("an open call waits"), drawStrangePart(t, "of an open call")
	if flip("open call") {
		o.OpenCall = func(c *preflight.ToolCall) preflight.Part {
			spy.called()
			even := len(c.ID)%2 == 0
			c.ID, c.Input = "scribbled", nil
			if waits && even {
				return c
			}
			return part
		}
	}
	if knows := flip("vouch knows"); flip("untrusted") {
		o.Untrusted = true
		o.Vouch = func(p preflight.Part) bool {
			spy.called()
			if c, ok := p.(*preflight.ToolCall); ok {
				c.ID, c.Input = "scribbled", nil
			}
			return knows
		}
		o.AllowURL = func(u *url.URL) bool { spy.called(); u.Host = "scribbled"; return knows }
	}
	cuts := []int{0, 1, -1, 7, math.MaxInt, math.MinInt}
	if at := rapid.SampledFrom(cuts).Draw(t, "at"); flip("cut") {
		boundary := func(s string, n int) int { spy.called(); return n + at }
		o.Fixers = append(fixersBut(o.Fixers, "truncate-provider-executed"), fixer.Truncate{
			MaxString: rapid.SampledFrom([]int{1, 9, 60}).Draw(t, "longest"), Boundary: boundary,
		}.Fixer(), stored.Older{Keep: 1, MaxText: 20, Boundary: boundary}.Fixer())
	}
	if flip("message hook") {
		edit := rapid.SampledFrom(messageEdits).Draw(t, "edit")
		part := drawStrangePart(t, "part")
		o.Hooks = append(o.Hooks, messageHook("message", func(m *preflight.Message) {
			spy.called()
			edit(m, part)
		}))
	}
	if flip("history hook") {
		edit := rapid.SampledFrom(historyEdits).Draw(t, "history edit")
		o.Hooks = append(o.Hooks, historyHook("history", func(h messages) messages {
			spy.called()
			return edit(h)
		}))
	}
	if flip("fixer") {
		o.Fixers = append(o.Fixers, onceFixer(t, spy))
	}
	return &o
}

// fixersBut returns the fixers without the one of a name.
func fixersBut(fixers []preflight.Fixer, name string) []preflight.Fixer {
	return slices.DeleteFunc(slices.Clone(fixers), func(f preflight.Fixer) bool {
		return f.Name == name
	})
}

// drawStrangePart draws a part, now and then one that should not be.
func drawStrangePart(t *rapid.T, label string) preflight.Part {
	cyclic := &preflight.ToolResult{CallID: "c"}
	cyclic.Content = []preflight.Part{cyclic, says("x")}
	nested := &preflight.ToolResult{CallID: "n", Content: []preflight.Part{
		&preflight.ToolCall{ID: "n"}, nil, (*preflight.Text)(nil), &preflight.Reasoning{Text: "r"},
	}}
	return rapid.SampledFrom([]preflight.Part{
		nil, (*preflight.ToolResult)(nil), (*preflight.Text)(nil), says("ok"), says(""),
		&preflight.ToolResult{}, &preflight.ToolResult{CallID: "other", Output: []byte(`{"a":`)},
		&preflight.ToolCall{ID: "again", Name: "f", Input: []byte(`{"a":1,"a":2}`)},
		&preflight.Media{}, &preflight.Other{}, cyclic, nested,
		&preflight.Reasoning{Text: "\xff", Signature: "s"},
	}).Draw(t, label)
}

// messageEdits are what message hooks do. The part is the same in every call.
var messageEdits = []func(*preflight.Message, preflight.Part){
	func(m *preflight.Message, p preflight.Part) { m.Parts = append(m.Parts, p) },
	func(m *preflight.Message, p preflight.Part) { m.Parts = []preflight.Part{p, p} },
	func(m *preflight.Message, _ preflight.Part) { *m = preflight.Message{} },
	func(m *preflight.Message, _ preflight.Part) { m.Parts = nil },
	func(m *preflight.Message, _ preflight.Part) { m.Role = "\x00narrator" },
	func(m *preflight.Message, _ preflight.Part) { m.Parts = append(m.Parts, m.Parts...) },
	func(m *preflight.Message, _ preflight.Part) { scribble([]preflight.Message{*m}) },
}

// historyEdits are what history hooks do.
var historyEdits = []func(messages) messages{
	func(messages) messages { return nil },
	func(h messages) messages { return append(h, h...) },
	func(h messages) messages { slices.Reverse(h); return h },
	func(h messages) messages { scribble(h); return h },
	func(h messages) messages { return h[:len(h)/2] },
	func(h messages) messages {
		var parts []preflight.Part
		for _, m := range h {
			parts = append(parts, m.Parts...)
		}
		return messages{{Role: preflight.RoleUser, Parts: parts}}
	},
	func(h messages) messages {
		for i := range h {
			h[i].Parts = h[0].Parts
		}
		return h
	},
}

// onceFixer is a caller's fixer that changes the history in its first call.
func onceFixer(t *rapid.T, spy *faultyCall) preflight.Fixer {
	edit := rapid.SampledFrom(historyEdits).Draw(t, "fixer's edit")
	at := preflight.At(
		rapid.SampledFrom([]int{0, -1, 1 << 40, math.MinInt}).Draw(t, "message"),
		rapid.SampledFrom([]int{0, -1, 1 << 40, math.MinInt}).Draw(t, "part of it"),
		rapid.SampledFrom([]int{0, -1, 1 << 40}).Draw(t, "inner"))
	called := false
	return preflight.Fixer{
		Name: "once",
		Fix: func(
			h []preflight.Message, _ *preflight.Profile, _ preflight.Request,
		) ([]preflight.Message, []preflight.Warning) {
			spy.called()
			if called {
				return h, nil
			}
			called = true
			return edit(histgen.Clone(h)), []preflight.Warning{{At: at}}
		},
	}
}
