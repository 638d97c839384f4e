package preflight

import (
	"context"
	"slices"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
)

// This file holds the ready-made pipelines: that of the ContextSanitizer article, and those for a
// store: before saving, after loading, after an interruption.

// The article's names of five fixers of ContextSanitizer.
const (
	stepPair      = "pair"
	stepEmpties   = "empties"
	stepMerge     = "merge"
	stepAlternate = "alternate"
	stepTrailing  = "strip-trailing"
)

// articleSteps gives built-in fixers the article's names.
var articleSteps = map[string]string{
	PairToolCalls.Name:        stepPair,
	DropEmpty.Name:            stepEmpties,
	MergeRoles.Name:           stepMerge,
	EnforceAlternation.Name:   stepAlternate,
	endConversationFixer.Name: stepTrailing,
}

// ContextSanitizer returns the pipeline and the options of the ContextSanitizer article. The
// pipeline is the default one, in which the article's five steps have the article's names and run
// in the order pair, empties, merge, alternate, strip-trailing, until nothing changes. Run it with
// a profile in place of the article's provider flag.
//
// The options remove dangling calls and a final assistant turn that the model refuses, and fall
// back to the last user message. Set Strict for the article's SanitizeError, which is an
// ErrAmbiguous here, and clear FallbackToLastUser to see it: as in the article, the fallback
// comes before the error. docs/migration-contextsanitizer.md lists what is ambiguous.
func ContextSanitizer() (*Pipeline, Options) {
	fixers := DefaultFixers()
	for k := range fixers {
		if name, ok := articleSteps[fixers[k].Name]; ok {
			fixers[k].Name = name
		}
	}
	p := &Pipeline{fixers: fixers, certifies: true}
	return p, Options{Trailing: TrailingStrip, FallbackToLastUser: true}
}

var interruptedFixers = []Fixer{PairToolCalls, repairArgumentsFixer}

// RepairInterrupted gives every tool call in a stored history a result, and arguments that are a
// JSON object. Everything else stays as it is: nothing is merged, dropped or reordered.
//
// A call that waits (ToolCall.Awaiting, Options.Pending) stays open. A late result moves to its
// call. Options.Interrupted is called for every other call without a result, and Dangling applies
// where it returns nil.
//
// Nil options mean Options{Dangling: DanglingAnswer}, so that the model sees the call and what
// became of it, and does not repeat it. Of the options, Dangling, DanglingText, Orphans,
// Duplicates, Pending, Interrupted, Strict and Hooks count. The warnings have the codes
// codes.DanglingAnswered, DanglingReplaced and DanglingRemoved for calls, and ArgumentsRepaired for
// arguments; Result.CallIDs and Result.Count select by code.
//
// history is never written to. The error, with the input back unchanged, is or wraps ErrHook,
// ErrAmbiguous or ErrPipeline. The cost is linear in the history.
func RepairInterrupted(ctx context.Context, history []Message, options *Options) (Result, error) {
	if options == nil {
		options = &Options{Dangling: DanglingAnswer}
	}
	profile := &Profile{Tools: provider.ToolRules{ObjectArguments: true}}
	return preset{fixers: interruptedFixers, profile: profile}.run(ctx, history, options)
}

// The limits of PersistOptions.
const (
	defaultMaxString = 500       // UTF-16 units of a string in a provider-executed payload
	defaultMaxBytes  = 1_800_000 // of a message as JSON: 10 % below the 2 MB that hosts allow a row
)

// PersistOptions returns the options of Persist: metadata of single responses is removed, strings
// in provider-executed results keep their first 500 UTF-16 units, and a message is at most 1.8 MB
// of JSON. These are the limits and the form of Cloudflare's Agents SDK; without HeadOnly, a string
// keeps its end too.
func PersistOptions() Options {
	return Options{
		StripEphemeral: true, MaxString: defaultMaxString, HeadOnly: true,
		MaxBytes: defaultMaxBytes,
	}
}

// persistFixers strip metadata before they drop reasoning that has no metadata left.
var persistFixers = []Fixer{
	stripEphemeralFixer, clearBindingsFixer, stripSystemFixer, dropEmptyReasoningFixer,
	TruncateProviderExecuted, truncateOlderFixer,
}

// Persist makes a history small enough to store: it strips metadata of single responses, drops
// empty reasoning, shortens the payloads of provider-executed tools, runs the hooks, repeats these
// steps on what the hooks returned, and fits each message into Options.MaxBytes. It is idempotent.
//
// Persist applies no provider's rules: a stored history may end with an open call, hold neighbours
// of one role, or be empty. Sanitize a loaded history before sending it.
//
// Nil options are PersistOptions. Of the options, StripEphemeral, KeepEncrypted, ClearMeta,
// StripSystem, MaxString, HeadOnly, TruncateInputs, KeepOutputs, Unit, Boundary, Older, MaxBytes,
// Hooks and Strict count.
//
// MaxBytes is the size of one message as json.Marshal writes it, in bytes of UTF-8, with its native
// JSON. json.Marshal escapes <, > and & with six bytes each. In a larger message, tool results are
// shortened first, then texts and unsigned reasoning, the oldest first: to 1000 and 500 units, then
// to 100, then to 3, half at the beginning and half at the end. Opaque payloads are kept, and so
// are arguments unless TruncateInputs is set. The warnings have the code codes.CutToSize. Native
// JSON of a changed part is rewritten, so that text a hook redacted is not stored there.
//
// history is never written to. The error, with the input back unchanged, is or wraps ErrTooLarge,
// ErrHook, ErrAmbiguous or ErrPipeline, or reports that a message cannot be encoded as JSON.
// Strings that are not valid UTF-8 do not survive JSON: repair them first. The cost is linear in
// the history, except that members of oversized JSON outputs are sorted by size.
func Persist(ctx context.Context, history []Message, options *Options) (Result, error) {
	if options == nil {
		o := PersistOptions()
		options = &o
	}
	finish := func(d *draft) (changed bool, err error) {
		d.mirrorNatives()
		return false, d.fitSize()
	}
	p := preset{fixers: persistFixers, profile: &Profile{}, finish: finish}
	return p.run(ctx, history, options)
}

// preset is a sequence of fixers for a history that is stored, not sent.
type preset struct {
	fixers  []Fixer
	profile *Profile // a fresh one: run sets its result role from the history
	finish  finish   // runs last; may be nil
}

// run repairs history, in which waiting calls stay open: the fixers to a fixpoint, the hooks once,
// the fixers again, and finish.
func (p preset) run(ctx context.Context, history []Message, options *Options) (Result, error) {
	p.profile.Pairing.ResultRole = resultRoleIn(history)
	if !options.KeepWaiting {
		kept := *options
		kept.KeepWaiting = true
		options = &kept
	}
	r := &run{
		ctx: orBackground(ctx), fixers: p.fixers, profile: p.profile,
		unchecked: true, found: everyProblem, finish: p.finish,
	}
	r.options, r.fault = options.guarded()
	return r.repairChecked(history)
}

// resultRoleIn returns the role of the first message with tool results, RoleTool if there is none.
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

// ResumeOptions returns the options of Resume: system messages are removed, because the framework
// adds its own; so is the run_id that ties a message to an earlier run; and a final assistant turn
// stays, because the next prompt follows it.
func ResumeOptions() Options {
	return Options{StripSystem: true, ClearMeta: []string{"run_id"}, Trailing: TrailingKeep}
}

// sessionFixers repair a stored session for no particular provider.
var sessionFixers = []Fixer{
	stripSystemFixer, clearBindingsFixer, PairToolCalls, DropEmpty, MergeRoles,
}

// session returns the profile of a session that is not sent yet.
func session() *Profile {
	return &Profile{
		Turns: provider.TurnRules{Neighbours: provider.NeighboursMerged},
		Content: provider.ContentRules{
			RefuseEmptyMessage: true, RefuseEmptyText: true, RefuseBlankText: true,
		},
	}
}

// Resume repairs a stored history so that it can be continued: system messages and run ids are
// removed, dangling calls are removed or answered (Options.Dangling), orphan results and empty
// messages are removed, and neighbours of one role are merged. No user text and no completed result
// is removed; an error result (a retry prompt) completes its call.
//
// With a profile, the history is repaired as by Sanitize and passes Check; a call that waits is
// answered with a placeholder. Without one (nil), only what every provider refuses is repaired, and
// a call that waits stays open. Unlike Sanitize, Resume accepts an empty history, and without a
// profile it may return one. Nil options are ResumeOptions.
//
// Result.CallIDs returns the ids of removed calls. history is never written to. The error, with the
// input back unchanged, is one of those of Pipeline.Run.
func Resume(
	ctx context.Context,
	history []Message,
	profile *Profile,
	options *Options,
) (Result, error) {
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

// interruptedMark is the first line of the text that Abort appends.
const interruptedMark = "[INTERRUPTED]"

var abortFixers = []Fixer{PairToolCalls, DropEmpty}

// Abort records that the model was interrupted, by the user or by an error: open calls get an error
// result, results that did arrive stay, empty messages are removed, and partial, the text so far,
// is appended as an assistant message after the line "[INTERRUPTED]" and a blank line. A blank
// partial, or one that the history already ends with, is not appended, so that Abort is idempotent.
//
// Calls that wait (ToolCall.Awaiting, Options.Pending) stay open. Nil options mean
// Options{Dangling: DanglingAnswer}; the options of RepairInterrupted count, except Hooks. history
// is never written to. The error, with the input back unchanged, is or wraps ErrAmbiguous (strict
// mode). The cost is linear in the history.
func Abort(history []Message, partial string, options *Options) (Result, error) {
	o := Options{Dangling: DanglingAnswer}
	if options != nil {
		o = *options
		o.Hooks = nil
	}
	// a provider-executed call that ended the history is then no longer at its end
	finish := func(d *draft) (changed bool, err error) { return d.appendPartial(partial), nil }
	profile := &Profile{Content: provider.ContentRules{RefuseEmptyMessage: true}}
	p := preset{fixers: abortFixers, profile: profile, finish: finish}
	return p.run(context.Background(), history, &o)
}

// appendPartial appends the text of an interrupted answer, and reports whether it did.
func (d *draft) appendPartial(partial string) bool {
	if blank(partial) {
		return false
	}
	text := interruptedMark + "\n\n" + partial
	if d.endsWith(text) {
		return false
	}
	d.insertText(len(d.nodes), RoleAssistant, text, note{
		code: codes.PartialAppended, detail: "appended the text of an interrupted answer",
	})
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
