package conformance

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighttest/histgen"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file holds single runs against the rules.

// runBreach runs a step and holds it against what every run keeps: purity, determinism, aliasing,
// totality.
func runBreach(run step, history []preflight.Message) (outcome, *Breach) {
	before := histgen.Clone(history)
	first := run.try(history)
	if first.panicked != nil {
		return first, breach(RuleTotality,
			"it panics: %v; a history may hold any role, any part, and any bytes as arguments",
			first.panicked)
	}
	if where := written(before, history); where != "" {
		return first, breach(RulePurity,
			"it wrote to its input, %s; copy a message and its part before changing it (p := "+
				"*part), and do not filter in place (history[:0])", where)
	}
	returned := histgen.Clone(first.messages)
	var again [2]outcome
	var wait sync.WaitGroup
	for k := range again {
		wait.Add(1)
		go func() {
			defer wait.Done()
			again[k] = run.try(histgen.Clone(history))
		}()
	}
	wait.Wait()
	for _, second := range again {
		if where := firstDifference(returned, second.messages); where != "" ||
			!slices.EqualFunc(first.warnings, second.warnings, sameWarning) ||
			fmt.Sprint(first.err) != fmt.Sprint(second.err) {
			return first, breach(RuleDeterminism,
				"two runs over one history differ%s; no clock, no random value, no order of a "+
					"map may reach the result", orNothing(where))
		}
	}
	run.try(slices.Repeat([]preflight.Message{
		{
			Role:  preflight.RoleUser,
			Parts: []preflight.Part{&preflight.Text{Text: "another history"}},
		},
	}, len(history)))
	if where := firstDifference(returned, first.messages); where != "" {
		return first, breach(RuleAliasing,
			"a later run changed what an earlier one had returned, %s; keep no buffer between runs",
			where)
	}
	return first, nil
}

// appendBreach appends to what a run returned, as a caller may.
func appendBreach(history []preflight.Message, first outcome) *Breach {
	before := histgen.Clone(history)
	_ = append(first.messages, preflight.Message{Role: "appended"})
	if where := written(before, history); where != "" {
		return breach(RuleAliasing,
			"an append to the result reached the input, %s; clip what is returned (slices.Clip)",
			where)
	}
	return nil
}

func sameWarning(a, b preflight.Warning) bool { return reflect.DeepEqual(a, b) }

func orNothing(where string) string {
	if where == "" {
		return ""
	}
	return ", " + where
}

// againBreach runs a step over what it returned.
func againBreach(run step, first outcome) *Breach {
	second := run.try(first.messages)
	switch {
	case second.panicked != nil:
		return breach(RuleTotality, "it panics on what it returned itself: %v", second.panicked)
	case second.err != nil:
		return breach(RuleIdempotence, "it refuses what it returned itself: %v", second.err)
	case len(second.warnings) > 0:
		return breach(RuleIdempotence,
			"a second run warns again (%s at %s: %s); do nothing where the first run's work is "+
				"done", second.warnings[0].Code, second.warnings[0].At, second.warnings[0].Detail)
	}
	if where := firstDifference(first.messages, second.messages); where != "" {
		return breach(RuleIdempotence,
			"a second run changes the result again, %s; do nothing where the first run's work is "+
				"done", where)
	}
	return nil
}

// warningBreach holds the warnings of a run against what it changed.
func warningBreach(in []preflight.Message, out outcome) *Breach {
	if sameMessages(in, out.messages) {
		if len(out.warnings) > 0 {
			w := out.warnings[0]
			return breach(RuleWarnings,
				"it warns of %s at %s, and changed nothing; warn of changes only", w.Code, w.At)
		}
		return nil
	}
	if len(out.warnings) == 0 {
		return breach(RuleWarnings,
			"it changed the history without a warning, %s; return the slice it was given when "+
				"there is nothing to do, and one warning for each change",
			firstDifference(in, out.messages))
	}
	var removed, added preflight.Tally
	warned := map[preflight.Position]bool{}
	for _, w := range out.warnings {
		if b := positionBreach(w, in); b != nil {
			return b
		}
		warned[preflight.At(w.At.Message(), w.At.Part())] = true
		removed, added = removed.Plus(w.Removed), added.Plus(w.Added)
	}
	had := preflight.TallyOf(in...).Plus(added)
	have := preflight.TallyOf(out.messages...).Plus(removed)
	if had != have {
		return breach(RuleWarnings,
			"the accounts do not balance: input + Added is %+v, output + Removed is %+v; give "+
				"each warning what it removed and added (preflight.TallyOf)", had, have)
	}
	return nil
}

func positionBreach(w preflight.Warning, in []preflight.Message) *Breach {
	switch {
	case w.Detail == "":
		return breach(RuleWarnings,
			"the warning at %s says nothing; Detail is a verb phrase that says what was done", w.At)
	case !within(w.At, in):
		return breach(RuleWarnings,
			"the warning %q points at %s, which is not in the input; positions count in the "+
				"history that was given", w.Detail, w.At)
	}
	return nil
}

// within reports whether a position is one of a message or part of the history.
func within(at preflight.Position, history []preflight.Message) bool {
	return at.Message() >= 0 && at.Message() < len(history) &&
		at.Part() >= -1 && at.Part() < len(history[at.Message()].Parts)
}

// pairing are the problems of calls and results that lost each other. No later fixer can repair
// them without a loss.
var pairing = []problems.Problem{
	problems.Dangling, problems.Orphan, problems.ServerDangling, problems.ServerOrphan,
}

// orphanBreach reports calls and results that lost each other in a history that was valid before.
func orphanBreach(before, after []preflight.Message, p *preflight.Profile) *Breach {
	if len(preflight.Check(before, p, nil)) > 0 {
		return nil
	}
	for _, v := range preflight.Check(after, p, nil) {
		if slices.Contains(pairing, v.Problem) {
			return breach(RuleOrphans,
				"it tears a pair of a valid history apart: %s, at %s of its result (%s); a tool "+
					"call and its result stay, move, or go together", v.Detail, v.At, v.Rule)
		}
	}
	return nil
}

// sameMessages reports whether two histories are the same messages with the same parts in memory.
func sameMessages(a, b []preflight.Message) bool {
	return firstDifference(a, b) == "" &&
		slices.EqualFunc(a, b, func(m, n preflight.Message) bool {
			return slices.Equal(m.Parts, n.Parts)
		})
}

// firstDifference says where two histories differ, "" when they do not.
func firstDifference(a, b []preflight.Message) string {
	if len(a) != len(b) {
		return fmt.Sprintf("%d messages and %d", len(a), len(b))
	}
	for i := range a {
		if reflect.DeepEqual(a[i], b[i]) {
			continue
		}
		for j := range min(len(a[i].Parts), len(b[i].Parts)) {
			if !reflect.DeepEqual(a[i].Parts[j], b[i].Parts[j]) {
				return fmt.Sprintf("at messages[%d].parts[%d]", i, j)
			}
		}
		return fmt.Sprintf("at messages[%d]", i)
	}
	return ""
}

// written says where a history differs from the snapshot that was taken of it, its spare capacity
// included.
func written(snapshot, history []preflight.Message) string {
	if reflect.DeepEqual(histgen.Whole(snapshot), histgen.Whole(history)) {
		return ""
	}
	return cmp.Or(firstDifference(snapshot, history),
		"past the end of a slice, in its spare capacity")
}

func breach(rule, format string, args ...any) *Breach {
	return &Breach{Rule: rule, Detail: fmt.Sprintf(format, args...)}
}
