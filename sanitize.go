// Package preflight makes the message history of an LLM request acceptable to the provider, right
// before it is sent.
//
// A history breaks because a user aborted in the middle of a tool call, a context window was
// trimmed, a session was resumed from disk, a stream died, or a model was switched. From then on
// every request of that session fails with the same 400. Sanitize repairs what the provider would
// refuse or mishandle, and returns a new history with one Warning for each change. A valid history
// is returned as it is: the same slice, no allocation, no warning.
//
//	history := []preflight.Message{
//		preflight.UserText("Why does the build fail?"),
//		{Role: preflight.RoleAssistant, Parts: []preflight.Part{&preflight.ToolCall{
//			ID: "toolu_1", Name: "run", Input: json.RawMessage(`{"command":"make"}`)}}},
//		preflight.UserText("Stop."),
//	}
//	profile := provider.Anthropic("claude-sonnet-4-5")
//	result, err := preflight.Sanitize(ctx, history, profile, nil)
//
// Before, the provider answers "tool_use ids were found without tool_result blocks". After,
// result.Messages is one message of the user with two texts,
//
//	user  Why does the build fail? | Stop.
//
// and result.Warnings says that the call toolu_1 at messages[1].parts[0] was removed, and that the
// messages around it were merged. With Options{Dangling: DanglingAnswer} the call stays, and an
// error result answers it.
//
// # Which one do I call?
//
//   - Your SDK sends the requests: put a preflighthttp.Transport into its HTTP client. If you want
//     its own types repaired, or a framework runs the loop, use an adapter: docs/adapters.md.
//   - You have the JSON of a request: wire.Sanitize. It keeps every byte that it does not have to
//     change.
//   - You have messages of this package, and want the JSON: wire.Prepare repairs and writes it.
//   - You have messages of this package, and only want them repaired: [Sanitize].
//   - You want only some repairs, or your own order: [NewPipeline], and [Pipeline.Sanitize].
//   - You want one repair alone, for example to merge messages: [Fixer.Apply].
//
// [Options] say how to repair, in all of these: wire.Options adds the provider and model of a body,
// wire.RequestOptions what a new request holds, a Transport what becomes of requests that cannot be
// repaired. [Request] is a field of [Options]: what the rules need to know of the request that the
// history is sent in. Package wire reads it from the body; wire.Request is the decoded body itself.
//
// # What it is not
//
// preflight does not judge content, count tokens or send requests. Package compact shortens
// histories. preflight knows the history and, through package wire, the request, but not what the
// provider's servers know: whether a signature is valid, which items are stored. docs/rules.md
// lists the rules that it cannot check.
//
// # How it works
//
// A Profile describes, as data, what one provider and model family accepts. Check reports the rules
// that a history breaks. A Fixer repairs one concern. A Pipeline runs fixers until nothing changes,
// then the caller's hooks, then the fixers again, so that the result is valid whatever a hook
// returns. Sanitize is the default pipeline; NewPipeline makes others, of Fixers, package fixer and
// the caller's own. Problems that its fixers leave are an error, or, with Options.LeaveOpen, listed
// in the result.
//
// # Ownership
//
// Input is never written to: neither the slice and its spare capacity, nor the messages, nor their
// parts. Output shares unchanged parts with the input, and its capacity is its length, so that an
// append cannot write to the caller's array. Hooks get deep copies.
//
// # Concurrency
//
// Pipelines, fixers and profiles hold no state and are safe for concurrent use. Two goroutines may
// sanitize the same history at once.
//
// # Performance
//
// The cost is linear in the size of the history. A valid history costs no allocation;
// docs/performance.md has figures.
package preflight

import (
	"context"
	"slices"

	"github.com/go-preflight/preflight/codes"
)

// This file is the main entry point: Sanitize, and the result it returns.

// Sanitize repairs history for profile with the default pipeline and returns the repaired history,
// or the input itself if nothing had to change. It never writes to history.
//
// On success the messages pass Check for the profile and the options. On error the result holds the
// input unchanged, and the error is, or wraps, ErrEmptyHistory, ErrUnfixable, ErrAmbiguous (strict
// mode), ErrHook, ErrNoFixpoint, ErrPipeline (malformed hooks, fixers or options) or the error of
// ctx, which is checked between the fixers and passed to the hooks. A nil profile means Portable,
// nil options the zero value. The cost is linear in the history.
func Sanitize(
	ctx context.Context, history []Message, profile *Profile, options *Options,
) (Result, error) {
	return defaultPipeline.Sanitize(ctx, history, profile, options)
}

// Result is what Sanitize did.
type Result struct {
	// Messages is the repaired history; the caller's own slice (clipped, so that an append cannot
	// reach its array) when nothing changed. Untouched parts are the caller's own pointers.
	Messages []Message
	// Warnings holds one entry per change, in the order they were made.
	Warnings []Warning
	// Changed reports whether anything was changed: there are Warnings.
	Changed bool
	// Origins gives, for each message, the indices of the input messages it was made of, ascending;
	// an empty list for an inserted one. With it a caller can repair its store once. Nil when
	// nothing changed.
	Origins [][]int
	// PartOrigins gives, for each part of each message, its position in the input: that of the part
	// itself, of the part that it was made from, or of the part that it was inside of. Parts that
	// were merged have the position of the first of them. A new part has the zero Position.
	// Nil when nothing changed.
	PartOrigins [][]Position
	// FirstChanged is the index in Messages of the first message that differs from the input at
	// that index: from there on a prompt cache misses. -1 when there is none.
	FirstChanged int
	// Removed and Added account for content: input = output + Removed − Added, in every field.
	Removed, Added Tally
	// Left holds the problems that were left alone because of a member of the JSON: its meaning is
	// not known, or it says that this is no problem here, such as a call that stays open.
	// Violation.Member names it. Nil when there are none.
	Left []Violation
	// Open holds the problems that no fixer of the pipeline cures, as Check finds them in Messages,
	// with positions there. Only with Options.LeaveOpen may there be any: without it, they are an
	// error. Nil when there are none.
	Open []Violation
}

// CallIDs returns the tool call ids of the warnings with one of the codes (of all warnings when
// none is given), in the order of the changes, each once, spelled as in the input. A registry of
// running calls can forget those of codes.DanglingRemoved and codes.OrphanRemoved.
func (r Result) CallIDs(with ...codes.Code) []string {
	var out []string
	seen := make(map[string]bool)
	for _, w := range r.Warnings {
		if w.ToolCallID != "" && !seen[w.ToolCallID] &&
			(len(with) == 0 || slices.Contains(with, w.Code)) {
			seen[w.ToolCallID] = true
			out = append(out, w.ToolCallID)
		}
	}
	return out
}
