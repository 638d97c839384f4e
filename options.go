package preflight

import (
	"github.com/go-preflight/preflight/internal/shorten"
	"github.com/go-preflight/preflight/provider"
)

// This file is what the caller decides: policies where a repair has more than one honest form.

// Options are the caller's choices. The zero value is the recommended one for every field.
type Options struct {
	// Dangling says what becomes of a call without a result: DanglingRemove (default) or
	// DanglingAnswer. [call] → [] or [call, error result].
	Dangling Dangling `json:"dangling,omitempty"`
	// DanglingText is the text of an inserted result; default DefaultDanglingText.
	DanglingText string `json:"dangling_text,omitempty"`
	// Orphans says what becomes of a result without a call: OrphanRemove (default) or OrphanText,
	// which keeps it as user text under a label: what a tool said then speaks with the user's
	// voice.
	Orphans Orphans `json:"orphans,omitempty"`
	// Duplicates says what becomes of several different results of one call: DuplicateMerge
	// (default), DuplicateFirst or DuplicateLast. Identical ones become one; a real result takes
	// the place of an error, and an error that of a placeholder.
	Duplicates Duplicates `json:"duplicates,omitempty"`
	// Trailing says what becomes of a final assistant turn that the model refuses: TrailingContinue
	// (default) appends a short user turn, TrailingStrip removes it, TrailingKeep leaves it. The
	// turn meant is the last one of the repaired history: TrailingStrip also removes text of the
	// assistant's that only stands last because a repair removed what stood behind it, such as a
	// dangling call.
	Trailing Trailing `json:"trailing,omitempty"`
	// ContinueText is the text of the appended user turn; default DefaultContinueText.
	ContinueText string `json:"continue_text,omitempty"`
	// Placeholder is the text of a user turn inserted where the provider needs one; default
	// DefaultPlaceholder.
	Placeholder string `json:"placeholder,omitempty"`
	// Bridge is the text of an assistant turn inserted between tool results and a user turn where
	// the provider wants one; default defaultBridge.
	Bridge string `json:"bridge,omitempty"`
	// Strict refuses ambiguous corruption with ErrAmbiguous instead of choosing a reading.
	Strict bool `json:"strict,omitempty"`
	// Fallback says what to do when nothing valid can be made of the history: FallbackError
	// (default), or FallbackLastUser, which goes on with the leading system messages and the last
	// user message that has content.
	Fallback Fallback `json:"fallback,omitempty"`

	// stripEphemeralFixer removes per-response provider metadata that must not be replayed (OpenAI
	// item ids, encrypted reasoning).
	StripEphemeral bool `json:"strip_ephemeral,omitempty"`
	// KeepEncrypted limits stripEphemeralFixer to the ids: stateless requests (store: false) replay
	// the encrypted reasoning.
	KeepEncrypted bool `json:"keep_encrypted,omitempty"`
	// stripSystemFixer removes system messages, for a history that is resumed by a framework which
	// injects its own again.
	StripSystem bool `json:"strip_system,omitempty"`
	// ClearMeta removes metadata by name, from messages and parts, or one field of it: "run_id",
	// "openai.responseId".
	ClearMeta []string `json:"clear_meta,omitempty"`
	// MaxString shortens every longer string in provider-executed results to this length, marker
	// included; 0 leaves them alone.
	MaxString int `json:"max_string,omitempty"`
	// TruncateInputs applies MaxString to provider-executed inputs too, and MaxBytes to all
	// arguments as a last resort. Off by default: models copy a truncation marker they see in their
	// own past arguments into new calls.
	TruncateInputs bool `json:"truncate_inputs,omitempty"`
	// KeepOutputs exempts results from MaxString, for a caller who wants inputs shortened and
	// nothing else.
	KeepOutputs bool `json:"keep_outputs,omitempty"`
	// Unit is what lengths of texts are counted in: UnitUTF16 (default), UnitRunes or UnitBytes.
	Unit Unit `json:"unit,omitempty"`
	// Older shortens texts and tool results of all but the last few messages; the zero value does
	// not.
	Older Older `json:"older,omitzero"`
	// MaxBytes is the most a message may take in its JSON form, in bytes, when Persist stores it; 0
	// is no limit, and Sanitize does not look at it.
	MaxBytes int `json:"max_bytes,omitempty"`

	// Waiting says what becomes of a call without a result that waits on purpose, for approval or
	// for the client: WaitingAnswer (default) answers it with a placeholder, since no provider
	// takes an open call; WaitingKeep leaves it open. Persist, RepairInterrupted, Abort, Resume
	// without a profile, and package compact always keep it.
	Waiting Waiting `json:"waiting,omitempty"`
	// WaitingText is the text of that placeholder; default defaultApprovalText or
	// DefaultWaitingText, by what the call waits for. When the real result comes, it takes the
	// place of the placeholder.
	WaitingText string `json:"waiting_text,omitempty"`
	// Pending reports whether a tool call waits on purpose, beside those that say so in Awaiting;
	// see Waiting. It must be pure, and may not change the call.
	Pending func(*ToolCall) bool `json:"-"`
	// Interrupted is asked about each call without a result that does not wait: the part it returns
	// takes the call's place (a question becomes text), a *ToolResult answers the call, nil leaves
	// it to Dangling. It gets a copy, must be pure, and cannot replace a call in a turn with signed
	// reasoning.
	Interrupted func(*ToolCall) Part `json:"-"`
	// Request is what the request that the history is sent in says beside it. Package wire reads it
	// from the body.
	Request Request `json:"request,omitzero"`

	// Boundary says where a text may be cut; default GraphemeBoundary.
	Boundary Boundary `json:"-"`
	// Hooks run last, in order, once each; what they return is repaired again if they broke a rule.
	Hooks []Hook `json:"-"`
}

// Request is the state of one request, as far as rules about the history depend on it.
type Request struct {
	// Thinking is the request's thinking mode; by default it is unknown, and no rule about it
	// applies.
	Thinking provider.Thinking `json:"thinking,omitempty"`
	// ServerHoldsHistory reports that the request continues a history that the provider stores:
	// results may answer calls that are not shown, and an empty history is accepted.
	ServerHoldsHistory bool `json:"server_holds_history,omitempty"`
}

// Dangling is the policy for calls without a result.
type Dangling string

// The policies for dangling calls.
const (
	DanglingRemove Dangling = ""       // remove the call
	DanglingAnswer Dangling = "answer" // insert an error result
)

// Waiting is the policy for calls that wait on purpose.
type Waiting string

// The policies for waiting calls.
const (
	WaitingAnswer Waiting = ""     // answer with a placeholder that says so, and is no error
	WaitingKeep   Waiting = "keep" // leave the call open: for a history that is stored, not sent
)

// Orphans is the policy for results without a call.
type Orphans string

// The policies for orphan results.
const (
	OrphanRemove Orphans = ""     // remove the result
	OrphanText   Orphans = "text" // keep it as user text
)

// Duplicates is the policy for several different results of one call.
type Duplicates string

// The policies for duplicate results.
const (
	// put all into one, in order; a later one stays as text once the assistant has spoken
	DuplicateMerge Duplicates = ""
	DuplicateFirst Duplicates = "first" // keep the first
	DuplicateLast  Duplicates = "last"  // keep the last
)

// Trailing is the policy for a final assistant turn that the model refuses.
type Trailing string

// The policies for a trailing assistant turn.
const (
	TrailingContinue Trailing = ""      // append a short user turn
	TrailingStrip    Trailing = "strip" // remove the assistant turn
	TrailingKeep     Trailing = "keep"  // leave it
)

// Fallback is the policy for a history that cannot be repaired.
type Fallback string

// The fallback policies.
const (
	FallbackError    Fallback = ""          // return the error
	FallbackLastUser Fallback = "last-user" // leading system messages and the last user message
)

// The texts preflight inserts unless told otherwise.
const (
	DefaultDanglingText = "Tool call was interrupted before a result was recorded."
	DefaultWaitingText  = "The tool call has not finished yet: there is no result so far."
	defaultApprovalText = "The tool call is waiting for approval: it has not run yet."
	DefaultContinueText = "Continue."
	DefaultPlaceholder  = "(conversation resumed)"
	defaultBridge       = "I have read the tool results."
	emptyResultText     = "(no output)"
	emptyErrorText      = "(no error text)"
	unknownToolName     = "unknown_tool"
)

func (o *Options) danglingText() string { return orText(o.DanglingText, DefaultDanglingText) }
func (o *Options) continueText() string { return orText(o.ContinueText, DefaultContinueText) }
func (o *Options) bridge() string       { return orText(o.Bridge, defaultBridge) }
func (o *Options) placeholder() string  { return orText(o.Placeholder, DefaultPlaceholder) }

// waitingText is the text of the placeholder that answers a waiting call.
func (o *Options) waitingText(c *ToolCall) string {
	if c.Awaiting == AwaitingApproval {
		return orText(o.WaitingText, defaultApprovalText)
	}
	return orText(o.WaitingText, DefaultWaitingText)
}

// orText is a text to insert: blank ones would be refused at once.
func orText(s, fallback string) string {
	if blank(s) {
		return fallback
	}
	return s
}

func or(s, fallback string) string {
	if s == "" {
		return fallback
	}
	return s
}

// changesValid reports whether the options ask for changes to histories that are valid as they are.
func (o *Options) changesValid() bool {
	return o.StripEphemeral || o.StripSystem || len(o.ClearMeta) > 0 || o.MaxString > 0 || o.Older.Keep > 0
}

// staysOpen reports whether a call may stay without a result.
func (o *Options) staysOpen(c *ToolCall) bool { return o.Waiting == WaitingKeep && o.waits(c) }

// waits reports whether a call that has no result waits on purpose.
func (o *Options) waits(c *ToolCall) bool {
	return c.Awaiting != AwaitingNothing || o.Pending != nil && o.Pending(c)
}

// Unit is what the length of a text is counted in.
type Unit = shorten.Unit

// The units. A half of a surrogate pair without its partner counts as one UTF-16 unit and one rune;
// any other byte that is not valid UTF-8 counts as one of everything.
const (
	UnitUTF16 = shorten.UnitUTF16 // UTF-16 code units, as JavaScript and Java count: 😀 is 2
	UnitRunes = shorten.UnitRunes // Unicode code points: 😀 is 1
	UnitBytes = shorten.UnitBytes // bytes of UTF-8: 😀 is 4
)

// Boundary finds the place nearest to a byte offset where a text may be cut: the greatest offset of
// at most n at which no character is split, 0 when there is none. It must be pure. GraphemeBoundary
// is the default. A result above n, or inside a rune, is corrected downwards.
type Boundary = shorten.Boundary

// GraphemeBoundary is the greatest offset of at most n at which s may be cut without splitting what
// a reader sees as one character (a grapheme cluster of Unicode's UAX #29). It is 0 when the first
// character is longer than n, and len(s) when n is.
func GraphemeBoundary(s string, n int) int { return shorten.GraphemeBoundary(s, n) }
