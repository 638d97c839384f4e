package preflight

import (
	"context"
	"fmt"
	"slices"
)

// This file orders the work: fixers in sequence, to a fixpoint, hooks, and the fixers again.

// maxRounds is how often the fixers run before giving up. It is a safety valve: the built-in ones
// come to rest in two or three rounds, so only a caller's own fixer can get there.
const maxRounds = 10

// Pipeline is a validated sequence of fixers. It is immutable and safe for concurrent use.
type Pipeline struct {
	fixers    []Fixer
	certifies bool // Run is Sanitize
}

// NewPipeline makes a pipeline of fixers, in the order given; the slice is copied. It fails with
// ErrPipeline when a fixer has no name or no work to do, or when two have one name.
func NewPipeline(fixers ...Fixer) (*Pipeline, error) {
	seen := make(map[string]bool, len(fixers))
	for k, f := range fixers {
		switch {
		case f.Name == "":
			return nil, fmt.Errorf("%w: fixer %d has no name", ErrPipeline, k)
		case seen[f.Name]:
			return nil, fmt.Errorf("%w: two fixers are named %q", ErrPipeline, f.Name)
		case f.Fix == nil && f.repair == nil:
			return nil, fmt.Errorf("%w: fixer %q has no Fix func", ErrPipeline, f.Name)
		}
		seen[f.Name] = true
	}
	return &Pipeline{fixers: slices.Clone(fixers)}, nil
}

// DefaultFixers are the built-in fixers in the order that loses least: repair by position first,
// while the positions are still evidence. The slice is fresh; extend it and hand it to NewPipeline.
//
//	repair-unicode              lone surrogates, invalid UTF-8, NUL
//	strip-controls              control characters
//	strip-ephemeral             per-response metadata (when asked)
//	strip-system                system messages (when asked)
//	clear-bindings              metadata that binds to one run (when asked)
//	truncate-provider-executed  long payloads of server tools (when asked)
//	place-roles                 role aliases, system messages, parts in the wrong role
//	repair-reasoning            unsigned, foreign and empty reasoning
//	flatten-emptied             server-tool results whose encrypted payload is gone
//	pair-tool-calls             every call its result, every result its call
//	error-to-text                  error results where nothing can mark them
//	repair-arguments            arguments are a JSON object
//	rewrite-ids                 call ids the provider accepts, unique
//	rewrite-names               tool and participant names
//	flatten-tools               tool exchanges become text where the model knows no tools
//	describe-media              media that the model does not take becomes text
//	repair-media                media types, names, places
//	drop-empty                  empty text and messages
//	normalize-items                ids of items, and the reasoning they depend on
//	merge-roles            one message for neighbours of one role
//	split-calls                 one tool call for each message
//	enforce-alternation         a user turn first
//	bridge-results              an assistant turn between tool results and a user turn
//	normalize-documents            titles, numbers and company of documents
//	truncate-older              texts and results of older messages (when asked)
//	order-calls                 text before tool calls
//	end-conversation        how the conversation ends
//	normalize-reasoning            reasoning and the thinking mode
//	fill-reasoning              the reasoning that the provider wants back
//	sign-calls                  the signatures of the open turn's calls
//	normalize-cache                prompt-cache breakpoints
func DefaultFixers() []Fixer {
	return []Fixer{
		repairUnicodeFixer, stripControlsFixer, stripEphemeralFixer, stripSystemFixer,
		clearBindingsFixer, TruncateProviderExecuted,
		placeRolesFixer, repairReasoningFixer, flattenEmptiedFixer, PairToolCalls, errorToTextFixer,
		repairArgumentsFixer, rewriteIDsFixer, rewriteNamesFixer, flattenToolsFixer,
		describeMediaFixer, repairMediaFixer, DropEmpty, normalizeItemsFixer,
		MergeRoles, splitCallsFixer, EnforceAlternation, bridgeResultsFixer,
		normalizeDocumentsFixer, truncateOlderFixer, orderCallsFixer,
		endConversationFixer, normalizeReasoningFixer, fillReasoningFixer, signCallsFixer,
		normalizeCacheFixer,
	}
}

var defaultPipeline = &Pipeline{DefaultFixers(), true}

// FixerNamed returns one of DefaultFixers by its name, and whether there is one.
func FixerNamed(name string) (Fixer, bool) {
	for _, f := range DefaultFixers() {
		if f.Name == name {
			return f, true
		}
	}
	return Fixer{}, false
}

// Fixers returns the pipeline's fixers, in order, in a fresh slice.
func (p *Pipeline) Fixers() []Fixer {
	if p == nil {
		return nil
	}
	return slices.Clone(p.fixers)
}

// Run repairs history for profile: the fixers to a fixpoint, then the hooks of options, then the
// fixers again. It returns a new history with one warning per change; history is not written to,
// and is returned itself when nothing had to change. What the fixers of the pipeline do not cure is
// no error but listed in Result.Open. In each round only those of the built-in fixers run that have
// something to cure, or that an edit of the round concerns. A nil profile stands for Portable, nil
// options for the zero value. Run checks ctx before each fixer and returns its error when it is
// done. The cost is linear in the history.
//
// On error the result holds the input unchanged, and the error is, or wraps, ErrEmptyHistory,
// ErrAmbiguous, ErrHook, ErrNoFixpoint, ErrPipeline or the error of ctx. A panic in a hook, in a
// caller's fixer or in a function of options is an ErrHook, and so is a caller's fixer that changes
// messages without a warning.
func (p *Pipeline) Run(
	ctx context.Context, history []Message, profile *Profile, options *Options,
) (Result, error) {
	return p.run(ctx, history, profile, options, p != nil && p.certifies)
}

// Sanitize is Run for a history that is going to be sent: the messages pass CheckWith for profile
// and options, or Sanitize returns an *UnfixableError that lists what is left, and the input
// unchanged. Result.Open is always nil.
func (p *Pipeline) Sanitize(
	ctx context.Context, history []Message, profile *Profile, options *Options,
) (Result, error) {
	return p.run(ctx, history, profile, options, true)
}

func (p *Pipeline) run(
	ctx context.Context, history []Message, profile *Profile, options *Options, certify bool,
) (Result, error) {
	if p == nil {
		err := fmt.Errorf("%w: it is nil", ErrPipeline)
		return Result{Messages: slices.Clip(history), FirstChanged: none}, err
	}
	r := run{ctx: ctx, fixers: p.fixers, certify: certify, profile: profile, options: options}
	r.applyDefaults()
	result, err := r.repair(history)
	if err != nil && r.options.FallbackToLastUser && fallsBack(err) {
		return r.fallBack(history, err)
	}
	return result, err
}

// run is one call of Pipeline.Run.
type run struct {
	ctx     context.Context
	fixers  []Fixer
	certify bool // a violation that is left is an error
	profile *Profile
	options *Options
	rounds  int
	fault   *error // of a function of the options; see guarded

	unchecked bool        // the result is not checked against the profile: every fixer runs
	finish    finish      // runs last; nil for nothing
	found     problemSet  // what is known to be wrong with the draft
	open      []Violation // what the fixers left
}

// finish is the last step of a preset. It reports whether the fixers have to run again.
type finish func(*draft) (changed bool, err error)

// zeroOptions are what nil options stand for. Nobody writes to them.
var zeroOptions Options

// applyDefaults puts the defaults in the places of nil, and lets a trailing turn stand where the
// caller keeps it.
func (r *run) applyDefaults() {
	r.profile = orPortable(r.profile)
	if r.options == nil {
		r.options = &zeroOptions
	}
	r.options, r.fault = r.options.guarded()
	if r.options.Trailing == TrailingKeep && r.profile.Prefill.Refused {
		kept := *r.profile
		kept.Prefill.Refused = false
		r.profile = &kept
	}
}

func (r *run) repair(history []Message) (Result, error) {
	untouched := Result{Messages: slices.Clip(history), FirstChanged: none}
	if len(history) == 0 && !r.options.Request.ServerHoldsHistory {
		return untouched, ErrEmptyHistory
	}
	r.found = problemsOf(history, r.profile, r.options, false)
	if r.found.empty() && r.readOnly() && !r.faulted() {
		return untouched, nil
	}
	return r.repairChecked(history)
}

// repairChecked repairs history, in which r.found was found.
func (r *run) repairChecked(history []Message) (Result, error) {
	result := Result{Messages: slices.Clip(history), FirstChanged: none}
	d := newDraft(history, r.profile, r.options)
	err := r.ended(r.repairDraft(d, history))
	if err == nil {
		result = r.result(d, history)
	}
	d.release() // not deferred: see release
	return result, err
}

// repairDraft runs the fixers to a fixpoint, the hooks, and the fixers again.
func (r *run) repairDraft(d *draft, history []Message) error {
	if err := validHooks(r.options.Hooks); err != nil {
		return err
	}
	if err := r.runToFixpoint(d); err != nil {
		return err
	}
	for _, h := range r.options.Hooks {
		if err := d.runHook(r.ctx, h); err != nil {
			return err
		}
	}
	if len(r.options.Hooks) > 0 {
		r.check(d)
		if err := r.runToFixpoint(d); err != nil {
			return err
		}
	}
	if r.finish != nil {
		if changed, err := r.finish(d); err != nil {
			return err
		} else if changed {
			if err := r.runToFixpoint(d); err != nil {
				return err
			}
		}
	}
	if err := r.dropBoundReasoning(d, history); err != nil {
		return err
	}
	if err := r.listOpen(d); err != nil {
		return err
	}
	return r.refuseAmbiguous(d)
}

// readOnly reports whether a valid history needs no further look: nothing was asked for that
// changes valid ones.
func (r *run) readOnly() bool {
	if len(r.options.Hooks) > 0 || r.options.changesValid() {
		return false
	}
	return !slices.ContainsFunc(r.fixers, func(f Fixer) bool { return f.Fix != nil || f.always })
}

// validHooks makes sure that every hook has exactly one thing to do.
func validHooks(hooks []Hook) error {
	for _, h := range hooks {
		if (h.Message == nil) == (h.History == nil) {
			return fmt.Errorf("%w: hook %q needs exactly one of Message and History",
				ErrPipeline, h.Name)
		}
	}
	return nil
}

// runToFixpoint runs the fixers until they find nothing more to do: in each round those that have
// something to cure, and those that a repair of the same round concerns.
func (r *run) runToFixpoint(d *draft) error {
	wanted := r.found
	for range maxRounds {
		r.rounds++
		before := len(d.warnings)
		if err := r.runRound(d, wanted); err != nil {
			return err
		}
		changed := len(d.warnings) > before
		if changed {
			r.check(d)
		}
		switch {
		case changed && (r.unchecked || !r.found.empty() || !r.readOnly()):
			wanted = r.found
		case changed, r.found.empty(), wanted == everyProblem:
			return nil
		default:
			wanted = everyProblem // before a problem is left, each fixer gets to see it
		}
	}
	return ErrNoFixpoint
}

// runRound runs, in order, the fixers that are needed where these problems were found.
func (r *run) runRound(d *draft, found problemSet) error {
	before := len(d.warnings)
	if found.meets(malformed) {
		wellFormed(d)
		found = everyProblem // Check looked no further
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

// runFixer runs one fixer. A panic in a caller's fixer is an error, as in a hook.
func (r *run) runFixer(f *Fixer, d *draft) (err error) {
	if err := r.stopped(); err != nil {
		return err
	}
	if f.Fix != nil {
		defer func() {
			if p := recover(); p != nil {
				err = &HookError{Hook: f.Name, Message: none, Err: panicked("the fixer", p)}
			}
		}()
	}
	return f.run(d)
}

// check notes which problems the draft has now.
func (r *run) check(d *draft) {
	if r.unchecked {
		return
	}
	d.asMessages(func(history []Message) {
		r.found = problemsOf(history, d.profile, d.policy, false)
	})
}

// listOpen lists what the fixers left; for Sanitize that is an error.
func (r *run) listOpen(d *draft) error {
	if r.unchecked || r.found.empty() {
		return nil
	}
	d.asMessages(func(history []Message) { r.open = check(history, d.profile, d.policy) })
	if r.certify {
		return &UnfixableError{r.open}
	}
	return nil
}

// dropBoundReasoning removes reasoning that is bound to what had to change before it, and settles
// what that leaves.
func (r *run) dropBoundReasoning(d *draft, history []Message) error {
	if !r.profile.Reasoning.Bound || len(d.warnings) == 0 {
		return nil
	}
	before := len(d.warnings)
	d.dropBoundReasoning(d.firstEdit(history))
	if len(d.warnings) == before {
		return nil
	}
	r.check(d)
	return r.runToFixpoint(d)
}

func (r *run) refuseAmbiguous(d *draft) error {
	if !r.options.Strict {
		return nil
	}
	var choices []Warning
	for _, w := range d.warnings {
		if w.Ambiguous {
			choices = append(choices, w)
		}
	}
	if choices == nil {
		return nil
	}
	return &AmbiguousError{choices}
}

func (r *run) result(d *draft, history []Message) Result {
	res := Result{
		Messages: slices.Clip(history), FirstChanged: none, Rounds: r.rounds, Open: r.open,
	}
	if len(d.warnings) == 0 {
		res.Rounds = 0
		return res
	}
	res.Messages, res.Origins = d.history()
	res.Warnings, res.Changed = d.report(), true
	for _, w := range d.warnings {
		res.Removed, res.Added = res.Removed.Plus(w.Removed), res.Added.Plus(w.Added)
	}
	for i := range res.Messages {
		if i >= len(history) || !sameMessage(&res.Messages[i], &history[i]) {
			res.FirstChanged = i
			break
		}
	}
	if res.FirstChanged == none && len(res.Messages) < len(history) {
		res.FirstChanged = len(res.Messages)
	}
	return res
}
