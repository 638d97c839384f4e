// Package codes has the codes of warnings, which say what a change did.
package codes

// Code says what a warning's change did. Codes are stable and part of the API; docs/warnings.md
// describes each.
type Code string

// The changes preflight makes.
const (
	NilRemoved          Code = "nil-part-removed"
	NestingRemoved      Code = "nesting-removed"
	TextRepaired        Code = "text-repaired"
	MetadataStripped    Code = "metadata-stripped"
	Truncated           Code = "truncated"
	TruncatedOlder      Code = "truncated-older"
	CutToSize           Code = "cut-to-size"
	BindingCleared      Code = "binding-cleared"
	RoleMapped          Code = "role-mapped"
	NameRepaired        Code = "name-repaired"
	PartMoved           Code = "part-moved"
	SystemDemoted       Code = "system-demoted"
	SystemRemoved       Code = "system-removed"
	PartRemoved         Code = "part-removed"
	PartToText          Code = "part-to-text"
	PartChanged         Code = "part-changed"
	ReasoningRemoved    Code = "reasoning-removed"
	ReasoningMoved      Code = "reasoning-moved"
	ReasoningAdded      Code = "reasoning-added"
	MediaMoved          Code = "media-moved"
	MediaRemoved        Code = "media-removed"
	MediaDescribed      Code = "media-described"
	MediaRepaired       Code = "media-repaired"
	ResultMoved         Code = "result-moved"
	ResultRebound       Code = "result-rebound"
	ResultRemoved       Code = "result-removed"
	OrphanRemoved       Code = "orphan-removed"
	OrphanToText        Code = "orphan-to-text"
	DuplicateRemoved    Code = "duplicate-removed"
	DuplicatesMerged    Code = "duplicates-merged"
	PlaceholderReplaced Code = "placeholder-replaced"
	DanglingRemoved     Code = "dangling-removed"
	DanglingAnswered    Code = "dangling-answered"
	DanglingReplaced    Code = "dangling-replaced"
	PartialAppended     Code = "partial-appended"
	ArgumentsRepaired   Code = "arguments-repaired"
	IDRewritten         Code = "id-rewritten"
	CallSigned          Code = "call-signed"
	SignatureRemoved    Code = "signature-removed"
	ItemIDRemoved       Code = "item-id-removed"
	ResultFilled        Code = "result-filled"
	TextAdded           Code = "text-added"
	ErrorToText         Code = "error-to-text"
	EmptyRemoved        Code = "empty-part-removed"
	MessageRemoved      Code = "message-removed"
	FieldRemoved        Code = "field-removed"
	Merged              Code = "messages-merged"
	TurnInserted        Code = "turn-inserted"
	Continued           Code = "trailing-continued"
	TrailingStripped    Code = "trailing-stripped"
	TrailingTrimmed     Code = "trailing-trimmed"
	Reordered           Code = "parts-reordered"
	CallsSplit          Code = "calls-split"
	CacheMoved          Code = "cache-moved"
	CacheRemoved        Code = "cache-removed"
	CacheChanged        Code = "cache-changed"
	Hook                Code = "hook"
	Fallback            Code = "fallback"
)

// Ambiguous reports whether the change chose between readings of a corrupt history. In strict mode
// such a change is refused with ErrAmbiguous instead of made.
func (c Code) Ambiguous() bool {
	switch c {
	case ResultRebound, DuplicatesMerged:
		return true
	}
	return false
}
