package preflight

import (
	"log/slog"
	"strconv"
)

// This file is what preflight says about its work: where (Position), what was wrong (Problem, Violation), and what was
// done about it (Code, Warning).

// Position names a place in the history the caller handed in. Part and Inner are -1 when the place is a whole message, or
// a whole part. Inner counts the parts inside a tool result.
type Position struct {
	Message int `json:"message"`
	Part    int `json:"part"`
	Inner   int `json:"inner"`
}

// String spells the position as a path, such as messages[3].parts[1].content[0].
func (p Position) String() string {
	b := make([]byte, 0, 40)
	b = append(b, "messages["...)
	b = strconv.AppendInt(b, int64(p.Message), 10)
	b = append(b, ']')
	if p.Part >= 0 {
		b = append(b, ".parts["...)
		b = strconv.AppendInt(b, int64(p.Part), 10)
		b = append(b, ']')
	}
	if p.Inner >= 0 {
		b = append(b, ".content["...)
		b = strconv.AppendInt(b, int64(p.Inner), 10)
		b = append(b, ']')
	}
	return string(b)
}

// Code says what a warning's change did. Codes are stable and part of the API; docs/warnings.md describes each.
type Code string

// The changes preflight makes.
const (
	CodeNilRemoved          Code = "nil-part-removed"
	CodeNestingRemoved      Code = "nesting-removed"
	CodeTextRepaired        Code = "text-repaired"
	CodeMetadataStripped    Code = "metadata-stripped"
	CodeTruncated           Code = "truncated"
	CodeTruncatedOlder      Code = "truncated-older"
	CodeCutToSize           Code = "cut-to-size"
	CodeBindingCleared      Code = "binding-cleared"
	CodeRoleMapped          Code = "role-mapped"
	CodeNameRepaired        Code = "name-repaired"
	CodePartMoved           Code = "part-moved"
	CodeSystemDemoted       Code = "system-demoted"
	CodeSystemRemoved       Code = "system-removed"
	CodePartRemoved         Code = "part-removed"
	CodePartToText          Code = "part-to-text"
	CodePartChanged         Code = "part-changed"
	CodeReasoningRemoved    Code = "reasoning-removed"
	CodeReasoningMoved      Code = "reasoning-moved"
	CodeReasoningAdded      Code = "reasoning-added"
	CodeMediaMoved          Code = "media-moved"
	CodeMediaRemoved        Code = "media-removed"
	CodeMediaRepaired       Code = "media-repaired"
	CodeResultMoved         Code = "result-moved"
	CodeResultRebound       Code = "result-rebound"
	CodeOrphanRemoved       Code = "orphan-removed"
	CodeOrphanToText        Code = "orphan-to-text"
	CodeDuplicateRemoved    Code = "duplicate-removed"
	CodeDuplicatesMerged    Code = "duplicates-merged"
	CodePlaceholderReplaced Code = "placeholder-replaced"
	CodeDanglingRemoved     Code = "dangling-removed"
	CodeDanglingAnswered    Code = "dangling-answered"
	CodeDanglingReplaced    Code = "dangling-replaced"
	CodePartialAppended     Code = "partial-appended"
	CodeArgumentsRepaired   Code = "arguments-repaired"
	CodeIDRewritten         Code = "id-rewritten"
	CodeCallSigned          Code = "call-signed"
	CodeItemIDRemoved       Code = "item-id-removed"
	CodeResultFilled        Code = "result-filled"
	CodeTextAdded           Code = "text-added"
	CodeErrorSaid           Code = "error-said"
	CodeEmptyRemoved        Code = "empty-part-removed"
	CodeMessageRemoved      Code = "message-removed"
	CodeMerged              Code = "messages-merged"
	CodeTurnInserted        Code = "turn-inserted"
	CodeContinued           Code = "trailing-continued"
	CodeTrailingStripped    Code = "trailing-stripped"
	CodeTrailingTrimmed     Code = "trailing-trimmed"
	CodeReordered           Code = "parts-reordered"
	CodeCallsSplit          Code = "calls-split"
	CodeCacheMoved          Code = "cache-moved"
	CodeCacheRemoved        Code = "cache-removed"
	CodeCacheChanged        Code = "cache-changed"
	CodeHook                Code = "hook"
	CodeFallback            Code = "fallback"
)

// Ambiguous reports whether the change chose between readings of a corrupt history. In strict mode such a change is
// refused with ErrAmbiguous instead of made.
func (c Code) Ambiguous() bool {
	switch c {
	case CodeResultRebound, CodeDuplicatesMerged:
		return true
	}
	return false
}

// Warning reports one change.
type Warning struct {
	Code       Code
	Rule       string   // id of the provider rule the change serves, "" when it serves none (a hook, a size limit)
	At         Position // in the caller's input; an inserted turn has the position of the message it stands before
	ToolCallID string   // as the caller spelled it, when the change is about a tool call or its result
	Detail     string   // a verb phrase for people; not API, and never message content
	Ambiguous  bool     // the history allowed another reading: strict mode refuses instead
	Removed    Tally    // content that is gone through this change
	Added      Tally    // content that was not there before
}

// LogValue lets slog print the warning. It carries no message content.
func (w Warning) LogValue() slog.Value {
	attrs := []slog.Attr{slog.String("code", string(w.Code)), slog.String("at", w.At.String()), slog.String("detail", w.Detail)}
	if w.Rule != "" {
		attrs = append(attrs, slog.String("rule", w.Rule))
	}
	if w.ToolCallID != "" {
		attrs = append(attrs, slog.String("tool_call_id", w.ToolCallID))
	}
	return slog.GroupValue(attrs...)
}

// Violation is one breach of a profile's rules, found by Check.
type Violation struct {
	Problem    Problem
	Rule       string // the provider rule's id
	At         Position
	ToolCallID string
	Detail     string // what is wrong, for people; not API, and never message content
}

// LogValue lets slog print the violation. It carries no message content.
func (v Violation) LogValue() slog.Value {
	return slog.GroupValue(slog.String("rule", v.Rule), slog.String("at", v.At.String()), slog.String("detail", v.Detail))
}
