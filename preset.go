package preflight

import (
	"context"
	"slices"
)

// This file runs fixers over histories that are stored or continued, and not sent: nobody asks whether a provider would
// take what comes out, and an empty history is as good as any.

// preset is a sequence of fixers for a purpose other than sending.
type preset struct {
	fixers  []Fixer
	profile *Profile                 // its own; run sets the role that tool results have in the history at hand
	finish  func(*run, *draft) error // runs last, behind the hooks; nil for nothing
}

// run repairs history, in which calls that wait stay open: the fixers until they come to rest, the hooks once, the fixers
// again, and the finish.
func (p preset) run(ctx context.Context, history []Message, options *Options) (Result, error) {
	p.profile.ResultRole = resultRoleIn(history)
	if options.Waiting != WaitingKeep {
		kept := *options
		kept.Waiting = WaitingKeep
		options = &kept
	}
	r := &run{ctx: ctx, pipeline: &Pipeline{p.fixers}, profile: p.profile}
	r.options, r.fault = options.guarded()
	d := newDraft(history, p.profile, r.options)
	res := Result{Messages: slices.Clip(history), FirstChanged: none}
	err := r.ended(r.prepare(d, p.finish))
	if err == nil {
		res = r.result(d, history)
	}
	d.release() // not deferred: see release
	return res, err
}

func (r *run) prepare(d *draft, finish func(*run, *draft) error) error {
	if err := validHooks(r.options.Hooks); err != nil {
		return err
	}
	if err := r.rest(d); err != nil {
		return err
	}
	for _, h := range r.options.Hooks {
		if err := d.runHook(r.ctx, h); err != nil {
			return err
		}
	}
	if len(r.options.Hooks) > 0 {
		if err := r.rest(d); err != nil {
			return err
		}
	}
	if finish != nil {
		if err := finish(r, d); err != nil {
			return err
		}
	}
	return r.refuseAmbiguous(d)
}

// rest runs the fixers until they find nothing more to do.
func (r *run) rest(d *draft) error {
	for range maxRounds {
		r.rounds++
		before := len(d.warnings)
		wellFormed(d)
		for _, f := range r.pipeline.fixers {
			if err := r.runFixer(f, d); err != nil {
				return err
			}
		}
		if len(d.warnings) == before {
			return nil
		}
	}
	return ErrNoFixpoint
}

// resultRoleIn is the role of the messages in which a history keeps its tool results: that of the first one.
func resultRoleIn(history []Message) Role {
	for i := range history {
		if r, _ := roleOf(history[i].Role); r == RoleUser || r == RoleTool {
			for _, p := range history[i].Parts {
				if !isNil(p) && clientResult(p) != nil {
					return r
				}
			}
		}
	}
	return RoleTool
}
