package preflight

import (
	"context"
	"slices"
)

// This file picks a stored session up again, and closes one that was interrupted.

// ResumeOptions are the options of Resume: system messages go, since the framework injects its own again; the run_id
// that binds a message to the run it was made in goes; and a final assistant turn stays, since the next prompt follows it.
func ResumeOptions() Options {
	return Options{StripSystem: true, ClearMeta: []string{"run_id"}, Trailing: TrailingKeep}
}

// sessionFixers clean a stored session up without a provider in mind.
var sessionFixers = []Fixer{StripSystem, ClearBindings, PairToolCalls, DropEmpty, MergeNeighbours}

// session is what a session looks like that any provider's rules can start from.
func session() *Profile {
	return &Profile{Merge: true, JoinTurns: true, RefuseEmptyMessage: true, RefuseEmptyText: true, RefuseBlankText: true}
}

// Resume makes a stored history fit to be continued: injected system messages and run bindings go, a call without its
// result goes with everything that belongs to it (or is answered, see Options.Dangling), a result without its call goes,
// empty messages go, and neighbours of one role are merged. Repairs repeat until nothing is left to do; the valve is 10
// rounds, and only a hook or fixer of the caller's can get there.
//
// An error result (a retry prompt) answers its call like any other. No user text and no completed result is removed.
//
// With a profile the history is repaired for that provider as by Sanitize, and passes Check: a call that waits on purpose is
// answered with a placeholder. Without one (nil) only what no provider takes is repaired, and such a call stays open. Unlike Sanitize, Resume takes an empty history, and without a profile may return one.
// Nil options are ResumeOptions.
//
// Result.Changed says whether anything changed, Result.Pruned which calls went, Result.Rounds how many rounds it took.
// history is never written to. The error, with the input back unchanged, is one of those of Pipeline.Run.
func Resume(ctx context.Context, history []Message, profile *Profile, options *Options) (Result, error) {
	if options == nil {
		o := ResumeOptions()
		options = &o
	}
	if profile == nil {
		return preset{fixers: sessionFixers, profile: session()}.run(ctx, history, options)
	}
	if len(history) == 0 {
		return Result{Messages: slices.Clip(history), FirstChanged: none}, nil
	}
	return Sanitize(ctx, history, profile, options)
}

// InterruptedMark is what Abort puts before the text of an interrupted answer.
const InterruptedMark = "[INTERRUPTED]"

// AbortOptions are the options of Abort: open calls are answered, so that nothing of the turn is lost.
func AbortOptions() Options { return Options{Dangling: DanglingAnswer} }

var abortFixers = []Fixer{PairToolCalls, DropEmpty}

// Abort records in a history that the user, or an error, interrupted the model: open calls are closed (answered by an error
// result; results that did arrive stay), empty messages go, and partial, what the model had said so far, is appended as an
// assistant message behind InterruptedMark and a blank line. Blank partial text is not appended, nor is one that the
// history ends with already, so calling Abort again changes nothing.
//
// Calls that wait on purpose (ToolCall.Awaiting, Options.Pending) stay open. Nil options are AbortOptions; of the options,
// those of RepairInterrupted count, except Hooks, which do not run. history is never written to. The error, with the
// input back unchanged, is or wraps ErrAmbiguous (strict mode). The cost is linear in the history.
func Abort(history []Message, partial string, options *Options) (Result, error) {
	o := AbortOptions()
	if options != nil {
		o = *options
		o.Hooks = nil
	}
	p := preset{fixers: abortFixers, profile: &Profile{RefuseEmptyMessage: true}, finish: func(r *run, d *draft) error {
		if !d.appendPartial(partial) {
			return nil
		}
		return r.rest(d) // a tool of the provider's that was running at the end is not at the end any more
	}}
	return p.run(context.Background(), history, &o)
}

// appendPartial appends what the model had said when it was interrupted, and says whether there was anything to append.
func (d *draft) appendPartial(partial string) bool {
	if blank(partial) {
		return false
	}
	text := &Text{Text: InterruptedMark + "\n\n" + partial}
	if d.endsWith(text.Text) {
		return false
	}
	d.warn(d.position(len(d.nodes), none), note{code: CodePartialAppended, detail: "appended the text of an interrupted answer"}, Tally{}, tallyPart(text))
	d.insertBefore(len(d.nodes), made(RoleAssistant, []Part{text}, []origin{{none, none}}))
	d.commit()
	return true
}

// endsWith reports whether the last message is the assistant's and its last part this text.
func (d *draft) endsWith(text string) bool {
	last := len(d.nodes) - 1
	if last < 0 || d.role(last) != RoleAssistant || len(d.nodes[last].Parts) == 0 {
		return false
	}
	t, ok := d.nodes[last].Parts[len(d.nodes[last].Parts)-1].(*Text)
	return ok && t.Text == text
}
