package preflight

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/problemset"
)

// This file runs the repair: the fixers in order, to a fixpoint, then the hooks, then the fixers
// again.

// maxRounds is the maximum number of rounds. The built-in fixers reach a fixpoint in two or three,
// so only a caller's fixers or hooks can exceed it.
const maxRounds = 10

// Pipeline is a validated sequence of fixers. It is immutable and safe for concurrent use.
type Pipeline struct {
	fixers      []Fixer
	keepsNative bool // see builtin.SanitizeOnly
}

// NewPipeline returns a pipeline of fixers in the given order; it copies the slice. It fails with
// ErrPipeline if a fixer has no name, is neither built in nor has a Fix, or if two have the same
// name.
func NewPipeline(fixers ...Fixer) (*Pipeline, error) {
	if err := validFixers(fixers); err != nil {
		return nil, err
	}
	p := &Pipeline{fixers: slices.Clone(fixers)}
	for k, f := range p.fixers {
		p.fixers[k] = f.own()
	}
	return p, nil
}

// validFixers checks that every fixer has a name of its own, and something to run.
func validFixers(fixers []Fixer) error {
	seen := make(map[string]bool, len(fixers))
	for k, f := range fixers {
		switch {
		case f.Name == "":
			return fmt.Errorf("%w: fixer %d has no name", ErrPipeline, k)
		case seen[f.Name]:
			return fmt.Errorf("%w: two fixers are named %q", ErrPipeline, f.Name)
		case f.Fix == nil && f.repair == nil:
			return fmt.Errorf("%w: fixer %q has no Fix func", ErrPipeline, f.Name)
		}
		seen[f.Name] = true
	}
	return nil
}

var defaultPipeline = &Pipeline{fixers: defaultFixers()}

// Sanitize repairs history for profile: it runs the fixers to a fixpoint, then the hooks of
// options, then the fixers again. It returns a new history with one warning per change. It does not
// write to history, and returns it if nothing had to change. In each round a built-in fixer runs
// only if there may be a problem that it cures, or if an earlier fixer of the round changed what it
// looks at. A nil ctx means context.Background, a nil profile Portable, nil options the zero value.
// Sanitize checks ctx before each fixer and returns its error once it is done. The cost is linear
// in the history.
//
// If the fixers of the pipeline do not cure all problems, an *Error lists the rest, or, with
// Options.LeaveOpen, Result.Open does.
//
// On error the result holds the input unchanged, and the error is, or wraps, ErrEmptyHistory,
// ErrUnfixable, ErrAmbiguous, ErrHook, ErrNoFixpoint, ErrPipeline or the error of ctx. A panic in a
// hook, in a caller's fixer or in a function of options is an ErrHook, and so is a caller's fixer
// that changes messages without a warning.
func (p *Pipeline) Sanitize(
	ctx context.Context, history []Message, profile *Profile, options *Options,
) (Result, error) {
	if p == nil {
		return untouched(history), fmt.Errorf("%w: it is nil", ErrPipeline)
	}
	r := run{
		ctx: orBackground(ctx), fixers: p.fixers, keepsNative: p.keepsNative, profile: profile,
		options: options,
	}
	r.applyDefaults()
	if err := r.addSteps(); err != nil {
		return untouched(history), err
	}
	result, err := r.repair(history)
	if err != nil && r.options.FallbackToLastUser && fallsBack(err) {
		return r.fallBack(history, err)
	}
	return result, err
}

// orBackground is ctx, and context.Background for nil.
func orBackground(ctx context.Context) context.Context {
	if ctx == nil {
		return context.Background()
	}
	return ctx
}

// untouched returns the result for a history that is not changed.
func untouched(history []Message) Result {
	return Result{Messages: slices.Clip(history), FirstChanged: none}
}

// run is one call of Pipeline.Sanitize.
type run struct {
	ctx         context.Context
	fixers      []Fixer // those of the pipeline, and those of the options; see addSteps
	keepsNative bool    // messages keep native JSON that no longer agrees with their parts
	profile     *Profile
	options     *Options
	fault       *error // of a function of the options; see guarded

	last    bool           // no hook runs any more; see finish
	priced  bool           // a warning says how much reasoning the edits may cost
	checker *checker       // makes all checks of the run
	found   problemset.Set // problems found in the draft
	open    []Violation    // violations that the fixers left
}

// zeroOptions are the options for nil. They are never written to.
var zeroOptions Options

// applyDefaults replaces nil by the defaults.
func (r *run) applyDefaults() {
	r.profile = orPortable(r.profile)
	if r.options == nil {
		r.options = &zeroOptions
	}
	r.options, r.fault = r.options.guarded()
}

// addSteps adds the fixers of the options to those of the pipeline. It fails if these, the hooks or
// the options are not well formed, whether or not the history needs them.
func (r *run) addSteps() error {
	if err := r.options.valid(); err != nil {
		return fmt.Errorf("%w: %w", ErrPipeline, err)
	}
	if err := validHooks(r.options.Hooks); err != nil || len(r.options.Fixers) == 0 {
		return err
	}
	r.fixers = withAdded(r.fixers, r.options.Fixers)
	return validFixers(r.fixers)
}

func (r *run) repair(history []Message) (Result, error) {
	if len(history) == 0 && !r.options.Request.startsElsewhere() {
		return untouched(history), ErrEmptyHistory
	}
	r.checker = newChecker(history, r.profile, r.options)
	r.checker.run()
	r.found = r.checker.problems
	if r.found.Empty() && r.readOnly() && !r.faulted() {
		result := untouched(history)
		result.Left = r.listLeft(&result)
		r.checker.release()
		return result, nil
	}
	result, err := r.repairChecked(history)
	r.checker.release() // not deferred: see draft.release
	return result, err
}

// repairChecked repairs history, whose problems are in r.found.
func (r *run) repairChecked(history []Message) (Result, error) {
	result := untouched(history)
	d := newDraft(history, r.profile, r.options)
	d.expected, d.pairs = r.checker.reports, &r.checker.pairs
	err := r.ended(r.repairDraft(d, history))
	if err == nil {
		result = r.result(d, history)
		result.Left = r.listLeft(&result)
	}
	d.release() // not deferred: see release
	return result, err
}

// repairDraft runs the fixers to a fixpoint, the hooks, and the fixers again.
func (r *run) repairDraft(d *draft, history []Message) error {
	if r.options.Untrusted {
		if r.found.Meets(malformed) {
			makeWellFormed(d)
		}
		d.dropUntrusted()
		r.check(d)
	}
	r.last = len(r.options.Hooks) == 0 && !r.options.Untrusted
	if err := r.runToFixpoint(d, history); err != nil {
		return err
	}
	if !r.last {
		if err := r.runHooks(d); err != nil {
			return err
		}
		r.check(d)
		r.last = true
		if err := r.runToFixpoint(d, history); err != nil {
			return err
		}
	}
	if err := r.listOpen(d); err != nil {
		return err
	}
	return r.refuseAmbiguous(d)
}

// runHooks runs the hooks. If the history is untrusted, it first removes the ids, names and
// metadata of messages.
func (r *run) runHooks(d *draft) error {
	if r.options.Untrusted {
		d.bareMessages()
	}
	ctx := r.ctx
	if len(r.options.Hooks) > 0 {
		ctx = context.WithValue(ctx, targetKey{}, target{r.profile, r.options.Request})
	}
	for _, h := range r.options.Hooks {
		if err := d.runHook(ctx, h); err != nil {
			return err
		}
		makeWellFormed(d) // the next hook relies on it
	}
	return nil
}

// readOnly reports whether a valid history can be returned as it is, because no option, hook or
// fixer of the run changes valid histories.
func (r *run) readOnly() bool {
	return len(r.options.Hooks) == 0 && !r.options.Untrusted &&
		!slices.ContainsFunc(r.fixers, func(f Fixer) bool { return f.repair == nil || f.always })
}

// withAdded returns the fixers of a pipeline and those of the options, in the order in which they
// run.
func withAdded(fixers, added []Fixer) []Fixer {
	out := slices.Clone(fixers)
	next := 0 // the index after those that lead
	for next < len(out) && out[next].first {
		next++
	}
	for _, f := range added {
		f = f.own()
		if !f.first {
			out = append(out, f)
			continue
		}
		out = slices.Insert(out, next, f)
		next++
	}
	return out
}

// validHooks checks that every hook has exactly one of Message and History.
func validHooks(hooks []Hook) error {
	for _, h := range hooks {
		if (h.Message == nil) == (h.History == nil) {
			return fmt.Errorf("%w: hook %q needs exactly one of Message and History",
				ErrPipeline, h.Name)
		}
	}
	return nil
}

// runToFixpoint runs the fixers in rounds until a round changes nothing, then finish, and begins
// again if finish changed anything. A round runs the fixers that cure a problem that Check has
// found, and those that an edit of the same round may have given work.
func (r *run) runToFixpoint(d *draft, history []Message) error {
	wanted := r.found
	for range maxRounds {
		before := len(d.warnings)
		if err := r.runRound(d, wanted); err != nil {
			return err
		}
		switch {
		case len(d.warnings) > before:
			if r.check(d); !r.found.Empty() || !r.readOnly() {
				wanted = r.found
				continue
			}
		case !r.found.Empty() && wanted != problemset.Every:
			wanted = problemset.Every // every fixer runs once before a problem is left
			continue
		}
		repaired := len(d.warnings)
		if repaired > 0 {
			r.finish(d, history)
		}
		if len(d.warnings) == repaired {
			return nil
		}
		r.check(d)
		wanted = r.found
	}
	return ErrNoFixpoint
}

// finish tidies the messages that the fixers changed, if nothing is left to cure. Once nothing is
// left to tidy either, and the hooks have run, it removes the reasoning that the edits have made
// invalid: see settleBound.
func (r *run) finish(d *draft, history []Message) {
	before := len(d.warnings)
	for k := range r.fixers {
		if tidy := r.fixers[k].tidy; tidy != nil && r.found.Empty() {
			tidy(d)
		}
	}
	if r.last && len(d.warnings) == before {
		r.settleBound(d, history)
	}
}

// runRound runs, in order, the fixers that are needed for the problems found.
func (r *run) runRound(d *draft, found problemset.Set) error {
	before := len(d.warnings)
	if found.Meets(malformed) {
		makeWellFormed(d)
		found = problemset.Every // Check looked for no other problems
	}
	for k := range r.fixers {
		f := &r.fixers[k]
		if !f.needed(found, len(d.warnings) > before) {
			continue
		}
		if err := r.runFixer(f, d); err != nil {
			return err
		}
	}
	return nil
}

// runFixer runs one fixer. It returns a panic in a caller's function as an error, as for hooks.
func (r *run) runFixer(f *Fixer, d *draft) (err error) {
	if err := r.stopped(); err != nil {
		return err
	}
	switch {
	case f.repair == nil:
		defer recovered(&err, f.Name, "the fixer")
	case f.calls != "":
		defer recovered(&err, f.calls, "the function")
	}
	return f.run(d)
}

// check records the problems that the draft has now.
func (r *run) check(d *draft) {
	r.checker.restart(d.asMessages(), d.profile, d.options)
	r.checker.run()
	r.found = r.checker.problems
}

// listOpen records the violations that the fixers left. Unless the options leave them open, they
// are an error.
func (r *run) listOpen(d *draft) error {
	if r.found.Empty() {
		return nil
	}
	r.open = check(d.asMessages(), d.profile, d.options)
	if len(r.open) > 0 && !r.options.LeaveOpen {
		return &Error{Reason: ErrUnfixable, Violations: r.open, Message: none}
	}
	return nil
}

// settleBound is for models that sign their reasoning together with all that comes before it. It
// announces, once, how much reasoning comes after the first edit, and removes what may have become
// invalid, unless the provider drops that itself.
func (r *run) settleBound(d *draft, history []Message) {
	if !r.profile.Reasoning.Bound {
		return
	}
	lost, all := d.unbound(history)
	if !r.priced {
		r.priced = true
		d.announceUnbound(all + d.unbinds)
	}
	if len(lost) > 0 && !r.profile.Reasoning.Dropped {
		d.dropUnbound(lost)
	}
}

func (r *run) refuseAmbiguous(d *draft) error {
	if !r.options.Strict {
		return nil
	}
	var choices []Warning
	for _, w := range d.warnings {
		if w.Class() >= codes.Rank {
			choices = append(choices, w)
		}
	}
	if choices == nil {
		return nil
	}
	return &Error{Reason: ErrAmbiguous, Choices: choices, Message: none}
}

func (r *run) result(d *draft, history []Message) Result {
	res := untouched(history)
	res.Open = r.open
	if len(d.warnings) == 0 {
		return res
	}
	res.Messages, res.Origins, res.PartOrigins = d.history()
	res.Warnings, res.Changed = d.report(), true
	for _, w := range res.Warnings {
		res.Removed, res.Added = res.Removed.Plus(w.Removed), res.Added.Plus(w.Added)
	}
	if !r.readOnly() && !r.keepsNative {
		res.agree(history)
	}
	res.FirstChanged = firstChanged(res.Messages, history)
	return res
}

// firstChanged returns the index of the first message that differs from that of history, none if
// they are equal.
func firstChanged(messages, history []Message) int {
	for i := range messages {
		if i >= len(history) || !sameMessage(&messages[i], &history[i]) {
			return i
		}
	}
	if len(messages) < len(history) {
		return len(messages)
	}
	return none
}
