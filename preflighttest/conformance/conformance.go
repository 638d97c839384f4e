// Package conformance tests a caller's own fixers, hooks and pipelines: it runs them over generated
// histories, valid and broken ones, for every profile, and says which rule they break.
//
//	func TestMyFixer(t *testing.T) { conformance.TestFixer(t, myFixer, nil) }
//
// The rules are what package preflight promises its callers and requires of an extension: purity,
// no aliasing, determinism, idempotence, one warning for each change, no separated calls and
// results, no panic. The built-in fixers pass the same tests.
//
// The histories are drawn by pgregory.net/rapid, whose flags apply: -rapid.checks sets how many
// there are for each profile, -rapid.seed repeats a failure. A failing test prints the smallest
// history it found, in preflight's JSON form.
package conformance

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighttest/histgen"
	"github.com/go-preflight/preflight/provider"
)

// Scope is what an extension is tested on. Nil means the zero value.
type Scope struct {
	// Profiles to test under, in order; after one under which a rule is broken, the others are not
	// tried. Default provider.All().
	Profiles []*preflight.Profile
	// Options of the runs; the zero value by default. TestHook adds the hook to them.
	Options preflight.Options
	// Histories are tried before the generated ones: your own recordings, and what a fixer or hook
	// changes that generated histories do not have, such as secrets.
	Histories [][]preflight.Message
}

// Breach is the error for a rule that an extension broke.
type Breach struct {
	Rule   string // one of the Rule constants
	Detail string // what happened, where, and what to do about it
}

// Error says which rule was broken, how, and what to do.
func (b *Breach) Error() string { return b.Rule + ": " + b.Detail }

// The rules that fixers, hooks and pipelines keep.
const (
	RulePurity = "purity" // what it is given is not written to
	// what it returned is not changed by a later run, or by an append of the caller
	RuleAliasing = "aliasing"
	// the same history gives the same result, from several goroutines too
	RuleDeterminism = "determinism"
	RuleIdempotence = "idempotence" // a second run has nothing left to do
	// every change has a warning at its original position, and there are no others
	RuleWarnings = "warnings"
	// in a valid history no call loses its result, and no result its call
	RuleOrphans  = "orphans"
	RuleTotality = "totality" // no history makes it panic
	// what a pipeline returns is valid, or an error says why nothing is
	RuleValidity = "validity"
)

// TestFixer runs a fixer alone over generated histories, valid and broken ones, and fails t with a
// shrunk example at the first rule it breaks: purity, aliasing, determinism, idempotence, warnings,
// orphans, totality. The number of histories for each profile is the flag -rapid.checks. A caller's
// fixer is given well-formed histories only, as in a pipeline: without nil parts, and without
// results inside results. The test of one that changes none of the histories fails, because nothing
// was tested: Scope.Histories is for histories that it changes.
func TestFixer(t *testing.T, f preflight.Fixer, scope *Scope) {
	t.Helper()
	if _, err := preflight.NewPipeline(f); err != nil {
		t.Fatal(err)
	}
	idle := f.Fix != nil // a built-in fixer has nothing to do for many profiles
	over(t, scope, func(h []preflight.Message, p *preflight.Profile, o *preflight.Options) *Breach {
		changed, b := fixerBreach(f, h, p, o)
		idle = idle && !changed
		return b
	})
	if idle && !t.Failed() {
		t.Error("the fixer changed none of the histories, so that nothing was tested; give " +
			"histories that it changes in Scope.Histories")
	}
}

// TestHook runs a hook over generated histories, alone and inside preflight.Sanitize, and fails t
// with a shrunk example at the first rule it breaks. A hook may write to what it is given, which is
// a copy, and may return an error; both times the same one for the same history. The test of one
// that changes and refuses none of the histories fails, because nothing was tested: Scope.Histories
// is for histories that it changes.
func TestHook(t *testing.T, h preflight.Hook, scope *Scope) {
	t.Helper()
	idle := true
	over(t, scope,
		func(in []preflight.Message, p *preflight.Profile, o *preflight.Options) *Breach {
			acted, b := hookBreach(h, in, p, o)
			idle = idle && !acted
			return b
		})
	if idle && !t.Failed() {
		t.Error("the hook changed none of the histories, so that nothing was tested; give " +
			"histories that it changes in Scope.Histories")
	}
}

// TestPipeline runs a pipeline over generated histories and fails t with a shrunk example at the
// first rule it breaks: purity, aliasing, determinism, idempotence, warnings, totality, and
// validity: the output passes preflight.Check, or there is an error and the input.
func TestPipeline(t *testing.T, p *preflight.Pipeline, scope *Scope) {
	t.Helper()
	over(t, scope,
		func(h []preflight.Message, profile *preflight.Profile, o *preflight.Options) *Breach {
			return pipelineBreach(p, h, profile, o)
		})
}

// over holds an extension against the caller's histories and generated ones, profile by profile, up
// to the first that shows a fault.
func over(
	t *testing.T,
	scope *Scope,
	examine func([]preflight.Message, *preflight.Profile, *preflight.Options) *Breach,
) {
	t.Helper()
	if scope == nil {
		scope = &Scope{}
	}
	profiles := scope.Profiles
	if profiles == nil {
		profiles = provider.All()
	}
	for k, p := range profiles {
		sound := t.Run(p.Provider, func(t *testing.T) {
			for k, h := range scope.Histories {
				if b := examine(h, p, &scope.Options); b != nil {
					t.Fatalf("histories[%d] of the scope: %v", k, b)
				}
			}
			rapid.Check(t, func(t *rapid.T) {
				h := rapid.Map(histgen.Any(p, &scope.Options), newDrawn).Draw(t, "history")
				if b := examine(histgen.Roomy(h), p, &scope.Options); b != nil {
					t.Fatalf("%v", b)
				}
			})
		})
		if left := len(profiles) - k - 1; !sound && left > 0 {
			t.Logf("%d more profiles were not tried: the same fault would show once for each", left)
			return
		}
	}
}

// drawn is a generated history that a failing test prints as JSON.
type drawn []preflight.Message

func newDrawn(h []preflight.Message) drawn { return h }

// GoString implements fmt.GoStringer.
func (d drawn) GoString() string {
	out, err := json.Marshal([]preflight.Message(d))
	if err != nil {
		return fmt.Sprintf("%d messages that have no JSON form: %v", len(d), err)
	}
	return string(out)
}

// step is what the rules are held against: one run of an extension.
type step func(history []preflight.Message) outcome

// outcome is what a run gave back.
type outcome struct {
	messages []preflight.Message
	warnings []preflight.Warning
	err      error
	panicked any
}

// try runs a step and catches its panic.
func (s step) try(history []preflight.Message) (out outcome) {
	defer func() {
		if r := recover(); r != nil {
			out.panicked = r
		}
	}()
	return s(history)
}

// fixerBreach returns the first rule that a fixer breaks on one history, nil when it keeps them
// all. changed reports whether it changed the history.
func fixerBreach(
	f preflight.Fixer,
	history []preflight.Message,
	p *preflight.Profile,
	o *preflight.Options,
) (changed bool, b *Breach) {
	run := step(func(h []preflight.Message) outcome {
		out, warnings := f.Apply(h, p, o)
		return outcome{messages: out, warnings: warnings}
	})
	if f.Fix != nil {
		history = wellFormed(history, p)
		run = func(h []preflight.Message) outcome {
			out, warnings := f.Fix(h, p, preflight.Request{})
			return outcome{messages: out, warnings: warnings}
		}
	}
	first, b := runBreach(run, history)
	changed = len(first.warnings) > 0
	if b != nil {
		return changed, b
	}
	if b := warningBreach(history, first); b != nil {
		return changed, b
	}
	if b := againBreach(run, first); b != nil {
		return changed, b
	}
	return changed, orphanBreach(history, first.messages, p)
}

type messages = []preflight.Message

// wellFormed returns a history as a pipeline gives it to a caller's fixer.
func wellFormed(history []preflight.Message, p *preflight.Profile) []preflight.Message {
	var given []preflight.Message
	probe := preflight.Fixer{
		Name: "probe",
		Fix: func(
			h messages, _ *preflight.Profile, _ preflight.Request,
		) (messages, []preflight.Warning) {
			given = h
			return h, nil
		},
	}
	probe.Apply(history, p, nil)
	return histgen.Roomy(given)
}

// hookBreach returns the first rule that a hook breaks on one history. acted reports whether it
// changed the history, or refused it.
func hookBreach(
	hook preflight.Hook,
	history []preflight.Message,
	p *preflight.Profile,
	o *preflight.Options,
) (acted bool, b *Breach) {
	alone := step(func(h []preflight.Message) outcome { return callHook(hook, histgen.Clone(h)) })
	valid, err := preflight.Sanitize(context.Background(), history, p, o)
	if err != nil {
		return false, nil // a hook never sees such a history
	}
	first, b := runBreach(alone, valid.Messages)
	acted = first.err != nil || firstDifference(valid.Messages, first.messages) != ""
	if b != nil || first.err != nil {
		return acted, b
	}
	if b := orphanBreach(valid.Messages, first.messages, p); b != nil {
		return acted, b
	}
	with := *o
	with.Hooks = append(slices.Clip(o.Hooks), hook)
	return acted, sanitizeBreach(func(h []preflight.Message) outcome {
		res, err := preflight.Sanitize(context.Background(), h, p, &with)
		return outcome{messages: res.Messages, warnings: res.Warnings, err: err}
	}, history, p, o)
}

// callHook does what a pipeline does with a hook, on copies that are its own.
func callHook(hook preflight.Hook, history []preflight.Message) outcome {
	if hook.History != nil {
		out, err := hook.History(context.Background(), history)
		return outcome{messages: out, err: err}
	}
	var kept []preflight.Message
	for _, m := range history {
		after, err := hook.Message(context.Background(), m)
		if err != nil {
			return outcome{err: err}
		}
		if !reflect.DeepEqual(after, preflight.Message{}) {
			kept = append(kept, after)
		}
	}
	return outcome{messages: kept}
}

// pipelineBreach returns the first rule that a pipeline breaks on one history.
func pipelineBreach(
	pipeline *preflight.Pipeline,
	history []preflight.Message,
	p *preflight.Profile,
	o *preflight.Options,
) *Breach {
	open := *o
	open.LeaveOpen = true
	return sanitizeBreach(func(h []preflight.Message) outcome {
		res, err := pipeline.Sanitize(context.Background(), h, p, &open)
		return outcome{messages: res.Messages, warnings: res.Warnings, err: err}
	}, history, p, o)
}

// sanitizeBreach holds a whole run against the rules.
func sanitizeBreach(
	run step,
	history []preflight.Message,
	p *preflight.Profile,
	o *preflight.Options,
) *Breach {
	first, b := runBreach(run, history)
	if b != nil {
		return b
	}
	if b := appendBreach(history, first); b != nil {
		return b
	}
	if first.err != nil {
		if len(first.warnings) > 0 || !sameMessages(first.messages, history) {
			return breach(RuleValidity,
				"there is an error (%v), but the history that came with it is not the input; "+
					"return the input unchanged", first.err)
		}
		return nil
	}
	if b := warningBreach(history, first); b != nil {
		return b
	}
	if b := againBreach(run, first); b != nil {
		return b
	}
	if found := preflight.Check(first.messages, p, o); len(found) > 0 {
		return breach(RuleValidity, "the result breaks %s at %s: %s", found[0].Rule, found[0].At,
			found[0].Detail)
	}
	return nil
}
