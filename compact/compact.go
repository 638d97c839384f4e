package compact

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/go-preflight/preflight"
)

// This file is what every strategy has in common: what it is given, what it gives back, and how it
// can fail.

// Strategy makes a history fit a budget. Flat and Masking are those of this package;
// Limits.Replace helps to write others.
//
// An implementation does not write to the history, is deterministic if its summarizer is, and
// returns messages that pass preflight.Check for the profile of the limits and cost no more than
// their budget, or an error.
type Strategy interface {
	Compact(ctx context.Context, history []preflight.Message, limits Limits) (Result, error)
}

// errNotMade is the error of a Session that is nil, or the zero value.
var errNotMade = errors.New("compact: NewSession and RestoreSession make sessions")

// orBackground is ctx, and context.Background for nil.
func orBackground(ctx context.Context) context.Context {
	if ctx == nil {
		return context.Background()
	}
	return ctx
}

// Limits say what a compacted history has to satisfy. The zero value asks for nothing: the history
// is repaired, not shortened.
type Limits struct {
	// Budget is the most tokens the messages may cost together; 0 is no limit.
	Budget int
	// Count counts the tokens of a message; nil is tokens.Estimate. A history costs the sum over
	// its messages. The function must return the same number for equal messages, never a negative
	// one, and be safe for concurrent use. A text that is a part of another should not count for
	// more.
	Count func(preflight.Message) int
	// Profile is what the provider accepts. Nil is the zero profile, not Portable: calls and
	// results are paired, and nothing else is required, because the messages are to be kept and not
	// sent.
	Profile *preflight.Profile
	// Options are those of the repairs; nil is the zero value. By default, a result whose
	// call was compacted away is kept as text (preflight.OrphanText), and a final assistant turn
	// stays last (preflight.TrailingKeep). Calls that wait stay open. preflight.Sanitize prepares
	// the request. Hooks run several times: on the whole history, to see whether it fits, and on
	// each attempt to compact it.
	Options *preflight.Options
	// Pinned says which messages are never compacted or shortened; nil pins none. A pinned message
	// stays with its whole exchange: calls keep their results. Messages that stay before the cut
	// come after the summary. The function must return the same for equal messages.
	Pinned func(preflight.Message) bool
	// Offload stores the output of a tool that is longer than 4000 bytes when it is shortened, and
	// returns a handle that the agent can read it again by, such as the path of a file. The output
	// becomes its first and last lines and the handle. With nil, or after an error, the output is
	// shortened as without Offload. It may be called again for the same output, and should return
	// the same handle then. Package offload writes files. Session.Expand returns the whole output.
	Offload func(ctx context.Context, result *preflight.ToolResult) (handle string, err error)
	// PromptBytes is the most bytes of a Summarizer's prompt, and so of the messages it is given;
	// 0 is 64 KiB. If there is more, a Session leaves out what matters least, and Flat shortens the
	// oldest.
	PromptBytes int
	// SummaryTimeout is how long a Summarizer may take; 0 is 15 seconds. If it takes longer, the
	// extracted text stays.
	SummaryTimeout time.Duration
}

// Result is a compacted history and the origins of its messages.
type Result struct {
	// Messages pass preflight.Check, but for calls that wait and a final assistant turn, which
	// stay; they cost Tokens. Untouched parts are the caller's own pointers.
	Messages []preflight.Message
	// Sources gives, for each message, the indices of the history's messages it was made of,
	// ascending; an empty list for one that was inserted. A summary's sources are in Clusters.
	Sources [][]int
	// Clusters are the messages that are no longer in Messages. No index is in two clusters, or in
	// a cluster and in Sources. An index in neither belongs to a message that was removed because
	// nothing of it can be sent; Warnings say so.
	Clusters []Cluster
	// Tokens is what Messages cost, by the counter of the limits.
	Tokens int
	// Changed reports whether Messages differs from the history.
	Changed bool
	// Warnings are the repairs made on the way. Their positions are in the caller's history or, for
	// repairs after the compaction, in the compacted one.
	Warnings []preflight.Warning
}

// Cluster is a set of messages that one text replaces.
type Cluster struct {
	// Sources are the indices of the messages, ascending.
	Sources []int
	// Summary is the text that Messages holds, before it was made safe for its delimiter; "" when
	// there was no room for any.
	Summary string
	// Provisional reports that Summary was extracted, because the summarizer did not answer in time
	// or, in a Session, failed; a later compaction of the Session replaces it.
	Provisional bool
}

// BudgetError says that not even the shortest form of a history fits: its system messages, what is
// pinned, and the last message of the user, or calls that wait and what comes after them.
type BudgetError struct {
	Need, Budget int // tokens
}

// Error names the tokens that are needed and the budget.
func (e *BudgetError) Error() string {
	return fmt.Sprintf("compact: the history does not fit the budget: the system messages, pinned "+
		"messages and last messages need %d tokens, and the budget is %d; raise it to that, or "+
		"shorten them",
		e.Need, e.Budget)
}

// profile returns the profile of the limits, never nil.
func (l Limits) profile() *preflight.Profile {
	if l.Profile == nil {
		return &preflight.Profile{}
	}
	return l.Profile
}

// options returns those of the limits, never nil, with or without the hooks.
func (l Limits) options(hooks bool) *preflight.Options {
	var o preflight.Options
	if l.Options != nil {
		o = *l.Options
	}
	o.Orphans = cmp.Or(o.Orphans, preflight.OrphanText)
	o.Trailing = cmp.Or(o.Trailing, preflight.TrailingKeep)
	if !hooks {
		o.Hooks = nil
	}
	o.KeepWaiting, o.LeaveOpen = true, false
	return &o
}
