package stored

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
)

// This file completes what an interruption left open.

var interruptedPipeline = pipelineOf(preflight.Fixers.PairToolCalls, preflight.Fixers.RepairArguments)

// RepairInterrupted gives every tool call in a stored history a result, and arguments that are a
// JSON object. Everything else stays as it is: nothing is merged, dropped or reordered.
//
// A call that waits (ToolCall.Awaiting, Options.OpenCall) stays open. A late result moves to its
// call. For every other call without a result Dangling applies, unless OpenCall decides.
//
// By default a call is answered (preflight.DanglingAnswer), so that the model sees it and what
// became of it, and does not repeat it. Nil options mean the zero value. Of the options, Dangling,
// DanglingText, OpenCall, Orphans, Duplicates, Strict, Fixers and Hooks count. The warnings have
// the codes codes.DanglingAnswered, DanglingReplaced and DanglingRemoved for calls, and
// ArgumentsRepaired for arguments; Result.CallIDs selects by code.
//
// history is never written to. The error, with the input back unchanged, is or wraps ErrHook,
// ErrAmbiguous, ErrPipeline or the error of ctx. The cost is linear in the history.
func RepairInterrupted(
	ctx context.Context, history []preflight.Message, options *preflight.Options,
) (preflight.Result, error) {
	profile := &preflight.Profile{Tools: provider.ToolRules{ObjectArguments: true}}
	return run(ctx, interruptedPipeline, history, profile, answering(options))
}

// answering returns the options with the default of this file for calls without a result.
func answering(options *preflight.Options) *preflight.Options {
	var o preflight.Options
	if options != nil {
		o = *options
	}
	o.Dangling = cmp.Or(o.Dangling, preflight.DanglingAnswer)
	return &o
}

// interruptedMark is the first line of the text that Abort appends.
const interruptedMark = "[INTERRUPTED]"

var abortPipeline = pipelineOf(preflight.Fixers.PairToolCalls, preflight.Fixers.DropEmpty)

// Abort records that the model was interrupted, by the user or by an error: open calls get an error
// result, results that did arrive stay, empty messages are removed, and partial, the text so far,
// is appended as an assistant message after the line "[INTERRUPTED]" and a blank line. A blank
// partial, or one that the history already ends with, is not appended, so that Abort is idempotent.
//
// Calls that wait (ToolCall.Awaiting, Options.OpenCall) stay open, and Dangling is DanglingAnswer
// by default. Nil options mean the zero value. The options that RepairInterrupted lists count, but
// not Hooks, because there is no context to pass to them. history is never written to. The error,
// with the input back unchanged, is or wraps ErrAmbiguous (strict mode), ErrHook or ErrPipeline.
// The cost is linear in the history.
func Abort(
	history []preflight.Message, partial string, options *preflight.Options,
) (preflight.Result, error) {
	o := answering(options)
	o.Hooks = nil
	profile := &preflight.Profile{Content: provider.ContentRules{RefuseEmptyMessage: true}}
	repair := func(history []preflight.Message) (preflight.Result, error) {
		return run(context.Background(), abortPipeline, history, profile, o)
	}
	text := interruptedMark + "\n\n" + partial
	res, err := repair(history)
	if err != nil || strings.TrimSpace(partial) == "" || endsWith(res.Messages, text) {
		return res, err
	}
	// with the text, a provider-executed call that ended the history is not at its end any more
	appended := preflight.Message{
		Role: preflight.RoleAssistant, Parts: []preflight.Part{&preflight.Text{Text: text}},
	}
	res, err = repair(append(slices.Clip(history), appended))
	if err != nil {
		return unchanged(history), err
	}
	reportAppended(&res, len(history), preflight.TallyOf(appended))
	return res, nil
}

// endsWith reports whether the last message is the assistant's and its last part this text.
func endsWith(history []preflight.Message, text string) bool {
	if len(history) == 0 {
		return false
	}
	last := history[len(history)-1]
	if last.Role != preflight.RoleAssistant || len(last.Parts) == 0 {
		return false
	}
	t, ok := last.Parts[len(last.Parts)-1].(*preflight.Text)
	return ok && t.Text == text
}

// reportAppended makes the result of repairing n messages and an appended one the result for the n
// messages.
func reportAppended(res *preflight.Result, n int, added preflight.Tally) {
	end := preflight.At(max(n-1, 0))
	for k := range res.Warnings {
		if at := &res.Warnings[k].At; at.Message() >= n {
			*at = end
		}
	}
	if !res.Changed {
		res.Changed, res.FirstChanged = true, n
		res.Origins, res.PartOrigins = identity(res.Messages)
	}
	for i, from := range res.Origins {
		if last := len(from) - 1; last >= 0 && from[last] == n {
			res.Origins[i] = from[:last:last]
		}
		for j, at := range res.PartOrigins[i] {
			if at.Message() == n {
				res.PartOrigins[i][j] = preflight.At(-1)
			}
		}
	}
	res.Warnings = slices.Insert(res.Warnings, 0, preflight.Warning{
		Code: codes.PartialAppended, At: end, Added: added,
		Detail: "appended the text of an interrupted answer",
	})
	res.Added = res.Added.Plus(added)
}
