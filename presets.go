package preflight

import (
	"context"
	"slices"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule"
)

// This file is the ready-made pipelines for a store: before saving, after loading, after an abort.

// The names of the article's five steps among the fixers of ContextSanitizer.
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

// ContextSanitizer is the pipeline of the ContextSanitizer article: the default fixers, of which
// those that are one of its five steps bear the article's names. Run it with a profile in the place
// of the article's provider flag, and ContextSanitizerOptions.
//
// The steps run in the order that works: pair, empties, merge, alternate, strip-trailing, and again
// until nothing changes. (The article's prose merges first and pairs third, its code drops empties
// first; either way the last steps leave empty messages and equal neighbours that nobody looks for
// any more.) The other fixers stay in between, so that what comes out is a request the provider
// accepts in every respect.
func ContextSanitizer() *Pipeline {
	fixers := DefaultFixers()
	for k := range fixers {
		if name, ok := articleSteps[fixers[k].Name]; ok {
			fixers[k].Name = name
		}
	}
	return &Pipeline{fixers, true}
}

// ContextSanitizerOptions are the article's policies: unanswered calls go, a final assistant turn
// that the model refuses goes, and a history beyond repair is given up for its last user message.
// Set Strict for its SanitizeError, which here is an *AmbiguousError;
// docs/migration-contextsanitizer.md lists what counts as ambiguous. With the fallback set, strict
// mode falls back instead of failing, as the article advises its callers to; clear Fallback to see
// the error.
func ContextSanitizerOptions() Options {
	return Options{Trailing: TrailingStrip, Fallback: FallbackLastUser}
}

// InterruptedOptions are the options of RepairInterrupted: dangling calls are answered, so that the
// model sees that it made the call and what became of it, and does not make it again unasked.
func InterruptedOptions() Options { return Options{Dangling: DanglingAnswer} }

var interruptedFixers = []Fixer{PairToolCalls, repairArgumentsFixer}

// RepairInterrupted gives every tool call in a stored history its result and arguments that are an
// object, and leaves everything else as it is: nothing is merged, dropped or reordered. The history
// may end with an open call.
//
// A call is settled when a result stands behind its turn. It is left open when it says that it
// awaits an approval or the client, or when Options.Pending says so, which is where the caller's
// own idea of settled goes. What is left is interrupted: it goes to Options.Interrupted first,
// which may put another part in its place (a question becomes text) or answer it, and then to
// Options.Dangling. A late result that stands further back moves to its call.
//
// Nil options are InterruptedOptions. Of the options, Dangling, DanglingText, Orphans, Duplicates,
// Pending, Interrupted, Strict and Hooks count. Result.CallIDs and Result.Count report what was
// done: CodeDanglingAnswered, CodeDanglingReplaced and CodeDanglingRemoved are the repaired calls,
// CodeArgumentsRepaired the normalised inputs.
//
// history is never written to. The error, with the input back unchanged, is or wraps ErrHook,
// ErrAmbiguous or ErrPipeline. The cost is linear in the history.
func RepairInterrupted(ctx context.Context, history []Message, options *Options) (Result, error) {
	if options == nil {
		o := InterruptedOptions()
		options = &o
	}
	p := preset{fixers: interruptedFixers, profile: &Profile{Tools: provider.ToolRules{ObjectArguments: true}}}
	return p.run(ctx, history, options)
}

// interrupted is what the caller gives for a call without a result: a part to take its place, or a
// result that answers it. A tool call or reasoning is neither.
func (o *Options) interrupted(call *ToolCall) (part Part, result *ToolResult) {
	if o.Interrupted == nil {
		return nil, nil
	}
	part = o.Interrupted(clonePart(call).(*ToolCall))
	if isNil(part) {
		return nil, nil
	}
	switch p := part.(type) {
	case *ToolResult:
		return nil, edited(p, func(x *ToolResult) {
			x.CallID, x.Name, x.ProviderExecuted = call.ID, or(x.Name, call.Name), false
		})
	case *ToolCall, *Reasoning:
		return nil, nil
	}
	return part, nil
}

// waitingResult is the placeholder that answers a call which waits on purpose.
func (o *Options) waitingResult(call *ToolCall) *ToolResult {
	return &ToolResult{
		CallID: call.ID, Name: call.Name, Content: []Part{&Text{Text: o.waitingText(call)}}, Variant: call.Variant,
	}
}

// errorResult is the error result that answers a call which has none.
func (o *Options) errorResult(call *ToolCall) *ToolResult {
	return &ToolResult{CallID: call.ID, Name: call.Name, IsError: true, Content: []Part{&Text{Text: o.danglingText()}}, Variant: call.Variant}
}

// The limits of PersistOptions.
const (
	DefaultMaxString = 500       // UTF-16 units a string in a provider-executed payload keeps
	defaultMaxBytes  = 1_800_000 // bytes of a message's JSON form: 10 % below the 2 MB of a SQLite row in common hosts
)

// PersistOptions are the options of Persist: per-response metadata goes, strings in
// provider-executed results keep 500 UTF-16 units, and a message takes at most 1.8 MB.
func PersistOptions() Options {
	return Options{StripEphemeral: true, MaxString: DefaultMaxString, MaxBytes: defaultMaxBytes}
}

// dropEmptyReasoningFixer removes reasoning that holds nothing: no text but white space, no
// signature, no opaque payload, and no metadata (where some decoders keep those). It is part of
// Persist; in Sanitize the profile says what reasoning is refused.
var dropEmptyReasoningFixer = Fixer{
	Name:   "drop-empty-reasoning",
	Doc:    "removes reasoning without text, signature, payload or metadata",
	repair: dropEmptyReasoning,
	always: true,
}

func dropEmptyReasoning(d *draft) {
	for i := range d.nodes {
		for j, p := range d.nodes[i].Parts {
			if r, ok := p.(*Reasoning); ok && blank(r.Text) && !r.Signed() && !holdsMeta(r.Meta) {
				d.drop(i, j, note{code: codes.ReasoningRemoved, problem: rule.ReasoningEmpty, detail: "removed reasoning without anything in it"})
			}
		}
	}
	d.commit()
}

// holdsMeta reports whether metadata says anything: an entry that is null or an empty object does
// not.
func holdsMeta(meta Metadata) bool {
	for _, raw := range meta {
		doc, err := jsonscan.Parse(raw)
		if err != nil {
			return len(raw) > 0 // whatever it is
		}
		if v := doc.Root(); v.Kind() != jsonscan.Null && (v.Kind() != jsonscan.Object || v.Len() > 0) {
			return true
		}
	}
	return false
}

// persistFixers in the order that decides: metadata goes before reasoning is judged by what it has
// left.
var persistFixers = []Fixer{stripEphemeralFixer, clearBindingsFixer, stripSystemFixer, dropEmptyReasoningFixer, TruncateProviderExecuted, truncateOlderFixer}

// Persist makes a history small and safe to store: it strips per-response metadata, drops empty
// reasoning, shortens the payloads of provider-executed tools, runs the caller's hooks, runs the
// steps before once more over what the hooks returned, and fits each message into Options.MaxBytes.
// Every step may be repeated without effect.
//
// It enforces no provider's rules: a stored history may end with an open call, hold neighbours of
// one role, or be empty. Sanitize what is loaded before it is sent.
//
// Nil options are PersistOptions; start from these to change one. Of the options,
// stripEphemeralFixer, KeepEncrypted, ClearMeta, stripSystemFixer, MaxString, TruncateInputs,
// KeepOutputs, Unit, Boundary, Older, MaxBytes, Hooks and Strict count.
//
// MaxBytes counts bytes of UTF-8 of the JSON form of one message (Message.MarshalJSON), native JSON
// included. Of a message over it, tool results are shortened first, then texts and unsigned
// reasoning, the oldest first, until it fits: to 1000 and 500 units, if that is not enough to 100,
// and to 3. What is opaque stays; so do arguments, unless TruncateInputs is set. The warnings
// (CodeCutToSize) say what was cut. Native JSON of what was changed is brought up to date, so that
// what a hook redacts is not stored there.
//
// history is never written to. The error, with the input back unchanged, is or wraps ErrTooLarge,
// ErrHook, ErrAmbiguous or ErrPipeline, or says that a message has no JSON form. Strings that are
// not valid UTF-8 do not survive JSON: repair them first. The cost is linear in the history, but
// for sorting the members of oversized JSON outputs by size.
func Persist(ctx context.Context, history []Message, options *Options) (Result, error) {
	if options == nil {
		o := PersistOptions()
		options = &o
	}
	p := preset{fixers: persistFixers, profile: &Profile{}, finish: func(d *draft) (changed bool, err error) {
		d.mirrorNatives()
		return false, d.fitSize()
	}}
	return p.run(ctx, history, options)
}

// preset is a sequence of fixers for a purpose other than sending.
type preset struct {
	fixers []Fixer
	// its own; run sets the role that tool results have in the history at hand
	profile *Profile
	finish  finish // runs last; nil for nothing
}

// run repairs history, in which calls that wait stay open: the fixers to a fixpoint, the hooks once,
// the fixers again, and the finish.
func (p preset) run(ctx context.Context, history []Message, options *Options) (Result, error) {
	p.profile.Pairing.ResultRole = resultRoleIn(history)
	if options.Waiting != WaitingKeep {
		kept := *options
		kept.Waiting = WaitingKeep
		options = &kept
	}
	r := &run{
		ctx: ctx, fixers: p.fixers, profile: p.profile,
		unchecked: true, found: everyProblem, finish: p.finish,
	}
	r.options, r.fault = options.guarded()
	return r.repairChecked(history)
}

// resultRoleIn is the role of the messages in which a history keeps its tool results: that of the
// first one.
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

// ResumeOptions are the options of Resume: system messages go, since the framework injects its own
// again; the run_id that binds a message to the run it was made in goes; and a final assistant turn
// stays, since the next prompt follows it.
func ResumeOptions() Options {
	return Options{StripSystem: true, ClearMeta: []string{"run_id"}, Trailing: TrailingKeep}
}

// sessionFixers clean a stored session up without a provider in mind.
var sessionFixers = []Fixer{stripSystemFixer, clearBindingsFixer, PairToolCalls, DropEmpty, MergeRoles}

// session is what a session looks like that any provider's rules can start from.
func session() *Profile {
	return &Profile{Turns: provider.TurnRules{Neighbours: provider.NeighboursMerged}, Content: provider.ContentRules{RefuseEmptyMessage: true, RefuseEmptyText: true, RefuseBlankText: true}}
}

// Resume makes a stored history fit to be continued: injected system messages and run bindings go,
// a call without its result goes with everything that belongs to it (or is answered, see
// Options.Dangling), a result without its call goes, empty messages go, and neighbours of one role
// are merged. Repairs repeat until nothing is left to do; the valve is 10 rounds, and only a hook
// or fixer of the caller's can get there.
//
// An error result (a retry prompt) answers its call like any other. No user text and no completed
// result is removed.
//
// With a profile the history is repaired for that provider as by Sanitize, and passes Check: a call
// that waits on purpose is answered with a placeholder. Without one (nil) only what no provider
// takes is repaired, and such a call stays open. Unlike Sanitize, Resume takes an empty history,
// and without a profile may return one. Nil options are ResumeOptions.
//
// Result.Changed says whether anything changed, Result.Pruned which calls went, Result.Rounds how
// many rounds it took. history is never written to. The error, with the input back unchanged, is
// one of those of Pipeline.Run.
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

// interruptedMark is what Abort puts before the text of an interrupted answer.
const interruptedMark = "[INTERRUPTED]"

// AbortOptions are the options of Abort: open calls are answered, so that nothing of the turn is
// lost.
func AbortOptions() Options { return Options{Dangling: DanglingAnswer} }

var abortFixers = []Fixer{PairToolCalls, DropEmpty}

// Abort records in a history that the user, or an error, interrupted the model: open calls are
// closed (answered by an error result; results that did arrive stay), empty messages go, and
// partial, what the model had said so far, is appended as an assistant message behind
// interruptedMark and a blank line. Blank partial text is not appended, nor is one that the history
// ends with already, so calling Abort again changes nothing.
//
// Calls that wait on purpose (ToolCall.Awaiting, Options.Pending) stay open. Nil options are
// AbortOptions; of the options, those of RepairInterrupted count, except Hooks, which do not run.
// history is never written to. The error, with the input back unchanged, is or wraps ErrAmbiguous
// (strict mode). The cost is linear in the history.
func Abort(history []Message, partial string, options *Options) (Result, error) {
	o := AbortOptions()
	if options != nil {
		o = *options
		o.Hooks = nil
	}
	p := preset{
		fixers:  abortFixers,
		profile: &Profile{Content: provider.ContentRules{RefuseEmptyMessage: true}},
		// a provider-executed call that was last is then no longer last, and has to be paired
		finish: func(d *draft) (changed bool, err error) { return d.appendPartial(partial), nil },
	}
	return p.run(context.Background(), history, &o)
}

// appendPartial appends what the model had said when it was interrupted, and says whether there was
// anything to append.
func (d *draft) appendPartial(partial string) bool {
	if blank(partial) {
		return false
	}
	text := &Text{Text: interruptedMark + "\n\n" + partial}
	if d.endsWith(text.Text) {
		return false
	}
	d.warn(d.position(len(d.nodes), none), note{code: codes.PartialAppended, detail: "appended the text of an interrupted answer"}, Tally{}, tallyPart(text))
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
