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
// On success the messages pass Check for the profile and the options. On error the result holds
// the input unchanged, and the error is, or wraps, ErrEmptyHistory, ErrUnfixable, ErrAmbiguous
// (strict mode), ErrHook, ErrNoFixpoint or the error of ctx, which is checked between the fixers
// and passed to the hooks. A nil profile means Portable, nil options the zero value. The cost is
// linear in the history.
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
	// Changed reports whether Messages differs from the input.
	Changed bool
	// Origins gives, for each message, the indices of the input messages it was made of, ascending;
	// an empty list for an inserted one. With it a caller can repair its store once. Nil when
	// nothing changed.
	Origins [][]int
	// FirstChanged is the index in Messages of the first message that differs from the input at
	// that index: from there on a prompt cache misses. -1 when nothing changed.
	FirstChanged int
	// Removed and Added account for content: input = output + Removed − Added, in every field.
	Removed, Added Tally
	// Open holds what Check finds in Messages, with positions there: the problems that no fixer of
	// the pipeline cures. Nil when there are none, which is always so for Sanitize; the presets
	// that enforce no provider's rules do not check.
	Open []Violation
	// Rounds is how often the fixers ran; 0 when the history was valid.
	Rounds int
}

// CallIDs are the tool call ids of the warnings with one of the codes (of all warnings when none is
// given), in the order of the changes, each once, spelled as in the input. A registry of running
// calls can forget those of codes.DanglingRemoved and codes.OrphanRemoved.
func (r Result) CallIDs(with ...codes.Code) []string {
	var out []string
	seen := make(map[string]bool)
	for _, w := range r.Warnings {
		if w.ToolCallID != "" && !seen[w.ToolCallID] && w.has(with) {
			seen[w.ToolCallID] = true
			out = append(out, w.ToolCallID)
		}
	}
	return out
}

// Count is the number of warnings with one of the codes.
func (r Result) Count(with ...codes.Code) int {
	n := 0
	for _, w := range r.Warnings {
		if w.has(with) {
			n++
		}
	}
	return n
}

func (w *Warning) has(with []codes.Code) bool {
	return len(with) == 0 || slices.Contains(with, w.Code)
}
