package preflight

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"reflect"
	"slices"

	"github.com/go-preflight/preflight/internal/pairing"
	"github.com/go-preflight/preflight/internal/validtext"
	"github.com/go-preflight/preflight/provider"
)

// This file holds what a caller decides: the profile, the options, and the state of the request.

// Profile is what a provider accepts; package provider has one for each provider and model.
type Profile = provider.Profile

// portable is the profile that nil means. It is never written to.
var portable = provider.Portable()

// orPortable returns p, or the portable profile for nil.
func orPortable(p *Profile) *Profile {
	if p == nil {
		return portable
	}
	return p
}

// Options say how to repair a history. The zero value of every field is the recommended choice,
// but for tools that write, send or pay: see OpenCall. A misspelled choice is ErrPipeline.
//
// Its functions may be called several times for one value. They must always return the same for
// equal arguments and have no other effect, and must be safe for concurrent use if the options are
// used concurrently. If one panics, Sanitize returns ErrHook.
type Options struct {
	// Dangling says what becomes of a call without a result: DanglingRemove removes the call,
	// DanglingAnswer inserts an error result after it. The default is DanglingRemove, but
	// DanglingAnswer in stored.Abort and stored.RepairInterrupted.
	Dangling Dangling `json:"dangling,omitempty"`
	// DanglingText is the text of an inserted result; default "Tool call was interrupted before a
	// result was recorded.".
	DanglingText string `json:"dangling_text,omitempty"`
	// OpenCall decides about a call without a result. It is called with a copy of the call, and
	// returns
	//   - nil: a call whose Awaiting is set waits, and for others Dangling decides
	//   - a *ToolCall, such as the given one: the call waits, for what its Awaiting says if it is set
	//   - a *ToolResult: it answers the call. It gets the CallID, and Name and Variant if it has
	//     none. Without Content and Output it gets the text that is inserted otherwise, and is an
	//     error unless the call waits
	//   - another part: it replaces the call, except in a turn with signed reasoning
	// A model repeats a call that it does not see: return &ToolResult{} for tools that write, send
	// or pay. For a call of a tool that the provider runs, only a *ToolCall counts: the call waits.
	// A *Reasoning counts as nil.
	OpenCall func(*ToolCall) Part `json:"-"`
	// Orphans says what becomes of a result without a call: OrphanRemove removes it, OrphanText
	// keeps its content as labelled user text, which the model reads as the user's. The default is
	// OrphanRemove, but OrphanText in package compact, which removes calls.
	Orphans Orphans `json:"orphans,omitempty"`
	// Duplicates says what becomes of several different results of one call: DuplicateMerge
	// (default), DuplicateFirst or DuplicateLast. Identical results become one, and a real result
	// replaces an error or a placeholder, whatever the option.
	Duplicates Duplicates `json:"duplicates,omitempty"`
	// Trailing says what becomes of a final assistant turn that the model refuses: TrailingContinue
	// appends a short user turn, TrailingStrip removes the turn, TrailingKeep leaves it as it is,
	// with white space at its end. The default is TrailingContinue, but TrailingKeep in packages
	// stored and compact, which send nothing. The final turn is that of the repaired history, after
	// dangling calls were removed.
	Trailing Trailing `json:"trailing,omitempty"`
	// ContinueText is the text of the appended user turn; default "Continue.".
	ContinueText string `json:"continue_text,omitempty"`
	// Placeholder is the text of a user turn inserted where the provider needs one; default
	// "(conversation resumed)".
	Placeholder string `json:"placeholder,omitempty"`
	// Bridge is the text of an assistant turn inserted between tool results and a user turn where
	// the provider needs one; default "I have read the tool results.".
	Bridge string `json:"bridge,omitempty"`
	// Untrusted says that strangers wrote the history, as a browser sends it. Only text in messages
	// of users and of the assistant stays, and media in messages of users that are inline or at an
	// address that AllowURL accepts. System messages, calls, results, reasoning, files of the
	// provider and parts of unknown kinds are removed, whatever message they are in, unless Vouch
	// knows them. What stays has no further members: no metadata, ids, participant's names, cache
	// breakpoints or unknown fields. It does not prove what the assistant said: if that matters,
	// take the messages of the assistant from your own store. In a request body, members that name
	// what the provider stores (previous_response_id, thread, cachedContent) are removed, too, and
	// those whose meaning is not known; a tool that names a container gets a new container.
	Untrusted bool `json:"untrusted,omitempty"`
	// Vouch reports, for Untrusted, whether a part is as the server's own store has it. It gets a
	// copy, and should compare the content and not the id alone.
	Vouch func(Part) bool `json:"-"`
	// AllowURL reports, for Untrusted, whether the provider may fetch media from an address; by
	// default from https addresses without credentials. data: URLs are not asked for.
	AllowURL func(*url.URL) bool `json:"-"`
	// LostRoles says that the history is from a store that is known to have lost roles: tool calls
	// and provider-executed results in messages that are not the assistant's become an assistant
	// message. By default they are removed, because whoever writes a user message would otherwise
	// make the assistant call tools.
	LostRoles bool `json:"lost_roles,omitempty"`
	// Strict returns ErrAmbiguous where a history can be read in several ways, instead of choosing,
	// and where content would have another author (codes.Rank), such as a system message that
	// becomes a user turn.
	Strict bool `json:"strict,omitempty"`
	// LeaveOpen allows problems that no fixer of the pipeline cures: Result.Open lists them, and
	// they are no error. It is for pipelines of a few fixers. Package wire ignores it, since a
	// request body is sent.
	LeaveOpen bool `json:"leave_open,omitempty"`
	// FallbackToLastUser replaces a history that cannot be repaired by its leading system messages
	// and its last user message with content. By default Sanitize returns the error.
	FallbackToLastUser bool `json:"fallback_to_last_user,omitempty"`

	// KeepWaiting leaves calls that wait for approval or for the client without a result; Check
	// then accepts them. By default a placeholder result answers them, because providers refuse an
	// open call; the real result replaces it when it arrives. Packages stored and compact leave
	// them open.
	KeepWaiting bool `json:"keep_waiting,omitempty"`
	// RepairedBefore says that the history has only grown, and that every earlier request of it was
	// repaired with the same options. Some models bind their reasoning to all that comes before it,
	// and refuse or ignore it after an edit of that. With RepairedBefore, reasoning that comes
	// after an edit stays: the model made it for the repaired history. By default it is removed,
	// because the history may have been damaged later.
	RepairedBefore bool `json:"repaired_before,omitempty"`
	// Request is the state of the request that the history is sent in. Package wire reads it from
	// the body.
	Request Request `json:"request,omitzero"`

	// Fixers run in order after those of the pipeline, in each of its rounds. They are the
	// caller's, or built-in ones that the pipeline does not have. StripEphemeral, StripSystem,
	// ClearMeta and Truncate of package fixer run earlier: right after the pipeline's repairs of
	// characters.
	Fixers []Fixer `json:"-"`
	// Hooks run in order, once each, after the fixers; what they return is repaired again.
	Hooks []Hook `json:"-"`
}

// Request is the state of one request that rules about its history depend on.
type Request struct {
	// Thinking is the thinking mode of the request; by default it is unknown, and no rule about it
	// applies.
	Thinking provider.Thinking `json:"thinking,omitempty"`
	// ServerHoldsHistory reports that the request continues a history that the provider stores:
	// results may answer calls that are not in the history, which may be empty.
	ServerHoldsHistory bool `json:"server_holds_history,omitempty"`
	// AnyEnd reports that the history may end on the assistant's turn: the request asks for no
	// answer, or that turn may be the beginning of the answer.
	AnyEnd bool `json:"any_end,omitempty"`
	// Unknown is the name of a member of the request whose meaning is not known, "" for none. Such
	// a member may say that the provider holds a part of the history, or that no answer is wanted.
	// So three things are left alone: a result without a call at the front, a missing first turn,
	// and the last turn.
	Unknown string `json:"unknown,omitempty"`
}

// Dangling says what becomes of calls without a result.
type Dangling string

// What becomes of dangling calls. The zero value means what Options.Dangling says.
const (
	DanglingRemove Dangling = "remove" // remove the call
	DanglingAnswer Dangling = "answer" // insert an error result
)

// Orphans says what becomes of results without a call.
type Orphans string

// What becomes of orphan results. The zero value means what Options.Orphans says.
const (
	OrphanRemove Orphans = "remove" // remove the result
	OrphanText   Orphans = "text"   // keep it as user text
)

// Duplicates says what becomes of several different results of one call.
type Duplicates string

// What becomes of duplicate results. The zero value is DuplicateMerge.
const (
	// merge all into one, in order; where the assistant has spoken in between, the later result
	// stays in its place, and a copy of its call is put before it
	DuplicateMerge Duplicates = "merge"
	DuplicateFirst Duplicates = "first" // keep the first
	// keep the last; a result that names no call does not replace one that does
	DuplicateLast Duplicates = "last"
)

// Trailing says what becomes of a final assistant turn that the model refuses.
type Trailing string

// What becomes of a trailing assistant turn. The zero value means what Options.Trailing says.
const (
	TrailingContinue Trailing = "continue" // append a short user turn
	TrailingStrip    Trailing = "strip"    // remove the assistant turn
	TrailingKeep     Trailing = "keep"     // leave it
)

// The texts that are inserted by default.
const (
	defaultDanglingText = pairing.DanglingText
	defaultWaitingText  = "The tool call has not finished yet: there is no result so far."
	defaultApprovalText = "The tool call is waiting for approval: it has not run yet."
	defaultContinueText = "Continue."
	defaultPlaceholder  = "(conversation resumed)"
	defaultBridge       = "I have read the tool results."
	emptyResultText     = "(no output)"
	emptyErrorText      = "(no error text)"
	unknownToolName     = "unknown_tool"
)

func (o *Options) danglingText() string { return orText(o.DanglingText, defaultDanglingText) }
func (o *Options) continueText() string { return orText(o.ContinueText, defaultContinueText) }
func (o *Options) bridge() string       { return orText(o.Bridge, defaultBridge) }
func (o *Options) placeholder() string  { return orText(o.Placeholder, defaultPlaceholder) }

// waitingText returns the text of the placeholder that answers a waiting call.
func waitingText(awaiting Awaiting) string {
	if awaiting == AwaitingApproval {
		return defaultApprovalText
	}
	return defaultWaitingText
}

// orText returns s without NUL and as valid Unicode, or fallback where that is blank: providers
// refuse blank text.
func orText(s, fallback string) string {
	if s = validtext.Clean(s); blank(s) {
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

// openCall returns what Options.OpenCall returns for a call, nil for reasoning.
func (o *Options) openCall(call *ToolCall) Part {
	if o.OpenCall == nil {
		return nil
	}
	part := o.OpenCall(clonePart(call).(*ToolCall))
	if _, reasoning := part.(*Reasoning); reasoning || isNil(part) {
		return nil
	}
	return part
}

// waits reports whether a call without a result waits: for approval, for the client, or because
// OpenCall says so.
func (o *Options) waits(call *ToolCall) bool {
	switch o.openCall(call).(type) {
	case nil:
		return call.Awaiting != ""
	case *ToolCall:
		return true
	}
	return false
}

// staysOpen reports whether a call may stay without a result.
func (o *Options) staysOpen(call *ToolCall) bool { return o.KeepWaiting && o.waits(call) }

// answersOpen reports whether a call without a result is answered by a placeholder.
func (o *Options) answersOpen(call *ToolCall) bool {
	switch o.openCall(call).(type) {
	case nil:
		return o.Dangling == DanglingAnswer && call.Awaiting == "" ||
			call.Awaiting != "" && !o.KeepWaiting
	case *ToolResult:
		return true
	case *ToolCall:
		return !o.KeepWaiting
	}
	return false
}

// givenResult returns a copy of the result that OpenCall gave for a call, completed.
func (o *Options) givenResult(call *ToolCall, given *ToolResult) *ToolResult {
	if !allNestable(given.Content) {
		given = edited(given, func(r *ToolResult) { r.Content = flatten(given) })
	}
	r := clonePart(given).(*ToolResult)
	r.CallID, r.Name, r.ProviderExecuted = call.ID, or(r.Name, call.Name), false
	r.Variant = or(r.Variant, call.Variant)
	switch {
	case !saysNothing(r):
	case call.Awaiting != "":
		r.Content = []Part{&Text{Text: waitingText(call.Awaiting)}}
	default:
		r.Content, r.IsError = []Part{&Text{Text: o.danglingText()}}, true
	}
	return r
}

// saysNothing reports whether a result has neither content nor an output.
func saysNothing(r *ToolResult) bool { return len(r.Content) == 0 && len(r.Output) == 0 }

// waitingResult returns the placeholder that answers a call that waits for something.
func waitingResult(call *ToolCall, awaiting Awaiting) *ToolResult {
	return &ToolResult{
		CallID: call.ID, Name: call.Name, Variant: call.Variant,
		Content: []Part{&Text{Text: waitingText(awaiting)}},
	}
}

// errorResult returns the error result that answers a dangling call.
func (o *Options) errorResult(call *ToolCall) *ToolResult {
	return &ToolResult{
		CallID: call.ID, Name: call.Name, Variant: call.Variant, IsError: true,
		Content: []Part{&Text{Text: o.danglingText()}},
	}
}

// MarshalJSON writes the options that are data. Options that hold functions have no JSON form: the
// error names the field.
func (o Options) MarshalJSON() ([]byte, error) {
	v := reflect.ValueOf(o)
	for k := range v.NumField() {
		if field := v.Type().Field(k); field.Tag.Get("json") == "-" && !v.Field(k).IsZero() {
			return nil, fmt.Errorf("preflight: Options.%s holds functions, which have no JSON form",
				field.Name)
		}
	}
	type plain Options // without this method
	return json.Marshal(plain(o))
}

// UnmarshalJSON reads options. Members and values that are not known are errors, because an option
// that is silently ignored is a wrong one.
func (o *Options) UnmarshalJSON(data []byte) error {
	if o == nil {
		return fmt.Errorf("preflight: Options cannot be read into nil")
	}
	type plain Options
	read := plain(*o)
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&read); err != nil {
		return err
	}
	if err := (*Options)(&read).valid(); err != nil {
		return err
	}
	*o = Options(read)
	return nil
}

// valid returns an error if a choice is not one of those there are.
func (o *Options) valid() error {
	return cmp.Or(
		oneOf("dangling", o.Dangling, danglings),
		oneOf("orphans", o.Orphans, orphans),
		oneOf("duplicates", o.Duplicates, duplicates),
		oneOf("trailing", o.Trailing, trailings),
	)
}

// The choices that there are.
var (
	danglings  = []Dangling{DanglingRemove, DanglingAnswer}
	orphans    = []Orphans{OrphanRemove, OrphanText}
	duplicates = []Duplicates{DuplicateMerge, DuplicateFirst, DuplicateLast}
	trailings  = []Trailing{TrailingContinue, TrailingStrip, TrailingKeep}
)

// oneOf returns an error when an option is neither the default nor one of the known ones.
func oneOf[T ~string](name string, value T, known []T) error {
	if value != "" && !slices.Contains(known, value) {
		return fmt.Errorf("%s is one of %q, not %q", name, known, value)
	}
	return nil
}
