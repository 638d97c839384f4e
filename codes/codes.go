// Package codes has the codes of warnings, which say what a change did.
package codes

// Code says what a warning's change did. Codes are stable and part of the API, and new ones may be
// added. docs/warnings.md lists them with their classes.
type Code string

// The changes preflight makes.
const (
	// A nil part was removed.
	NilRemoved Code = "nil-part-removed"
	// Parts that no tool result may hold were replaced by their text.
	NestingRemoved Code = "nesting-removed"
	// Invalid UTF-8 and lone surrogates became U+FFFD, and NUL characters were removed.
	TextRepaired Code = "text-repaired"
	// Per-response provider metadata was removed (preflight.Fixers.StripEphemeral): ids of items,
	// and encrypted reasoning.
	MetadataStripped Code = "metadata-stripped"
	// Long strings of a provider-executed payload were shortened (fixer.Truncate).
	Truncated Code = "truncated"
	// Long texts or tool results of an older message were shortened (stored.Older).
	TruncatedOlder Code = "truncated-older"
	// A tool result, text or argument was shortened so that its message can be stored (MaxBytes) or
	// fits a token budget (package compact).
	CutToSize Code = "cut-to-size"
	// Metadata of one run was removed (fixer.ClearMeta).
	BindingCleared Code = "binding-cleared"
	// A message got a role that the provider knows. Ambiguous if the old role is unknown.
	RoleMapped Code = "role-mapped"
	// A tool or a participant got a name the provider accepts.
	NameRepaired Code = "name-repaired"
	// A part moved into a message of the role that may hold it.
	PartMoved Code = "part-moved"
	// A system message moved past the next turn of the user or of tools, where the provider takes
	// it.
	SystemMoved Code = "system-moved"
	// A system message became a user turn in place.
	SystemDemoted Code = "system-demoted"
	// A system message was removed (preflight.Fixers.StripSystem).
	SystemRemoved Code = "system-removed"
	// A part that the provider refuses on input was removed.
	PartRemoved Code = "part-removed"
	// A part that another provider cannot take became text with the same content.
	PartToText Code = "part-to-text"
	// A part stayed and is written in another way: a tool call or result of another provider's kind
	// is a plain one, a call is marked as run by the side that its result is from, or inline data
	// moved out of a data: URL.
	PartChanged Code = "part-changed"
	// Reasoning that the provider would refuse was removed. The rule is the reason.
	ReasoningRemoved Code = "reasoning-removed"
	// Reasoning moved to the front of its turn.
	ReasoningMoved Code = "reasoning-moved"
	// Empty reasoning was added, because the provider requires some.
	ReasoningAdded Code = "reasoning-added"
	// Media moved into a user turn.
	MediaMoved Code = "media-moved"
	// Media without data or address was removed.
	MediaRemoved Code = "media-removed"
	// Media that the model or another provider cannot take became a line of text that names it.
	MediaDescribed Code = "media-described"
	// A media type, file name or title was corrected.
	MediaRepaired Code = "media-repaired"
	// A tool result moved to the call it answers.
	ResultMoved Code = "result-moved"
	// A tool result with another spelling of its call's id got that id.
	ResultRebound Code = "result-rebound"
	// A further result of an answered call was removed: an error next to a real result, or a
	// different one, by option or because its call cannot be repeated (ambiguous).
	ResultRemoved Code = "result-removed"
	// A tool result without a call was removed.
	OrphanRemoved Code = "orphan-removed"
	// A call or result in a user message became the assistant's, or a tool's.
	PartLifted Code = "part-lifted"
	// A tool result became text in a fence that it cannot close, because the model knows no tools,
	// or because another provider ran the tool.
	ResultToText Code = "result-to-text"
	// A tool result without its call became labelled text of the user (OrphanText).
	OrphanToText Code = "orphan-to-text"
	// A further result that says nothing new was removed (a copy or a placeholder), or a copy of a
	// provider's own item.
	DuplicateRemoved Code = "duplicate-removed"
	// A further, different result was joined to the first one of its call.
	DuplicatesMerged Code = "duplicates-merged"
	// A tool call was repeated, with a new id, before its later result: the assistant had responded
	// to the first.
	CallRepeated Code = "call-repeated"
	// A tool call without a result was moved down to its late result: the assistant had spoken
	// again. Ambiguous if only its place says which call the result belongs to.
	CallMoved Code = "call-moved"
	// A placeholder was removed, because the real result was found. Ambiguous if it may have been
	// data.
	PlaceholderReplaced Code = "placeholder-replaced"
	// A tool call without a result was removed.
	DanglingRemoved Code = "dangling-removed"
	// A tool call without a result was answered by an error result.
	DanglingAnswered Code = "dangling-answered"
	// A tool call without a result became the part that OpenCall gave.
	DanglingReplaced Code = "dangling-replaced"
	// The text of an interrupted answer was appended (Abort).
	PartialAppended Code = "partial-appended"
	// Arguments that were not a JSON object became one.
	ArgumentsRepaired Code = "arguments-repaired"
	// A tool call, its result, or an item got an id that the provider accepts.
	IDRewritten Code = "id-rewritten"
	// A tool call of the open turn got the documented stand-in for its missing signature.
	CallSigned Code = "call-signed"
	// A signature of another provider was removed from reasoning or a tool call; the part stayed.
	SignatureRemoved Code = "signature-removed"
	// The provider's id of a message was removed: it is refused, used twice, or tied to missing
	// reasoning.
	ItemIDRemoved Code = "item-id-removed"
	// A tool result without content got one.
	ResultFilled Code = "result-filled"
	// A short text was added next to a document, because the provider refuses it alone.
	TextAdded Code = "text-added"
	// The error mark of a result became text.
	ErrorToText Code = "error-to-text"
	// A part without content was removed: text without text, reasoning with nothing in it.
	EmptyRemoved Code = "empty-part-removed"
	// A message without content was removed.
	MessageRemoved Code = "message-removed"
	// A field was removed: one that the provider refuses, one that only the second of two joined
	// messages had, or, with an empty message, one in which another format has its content.
	FieldRemoved Code = "field-removed"
	// A message was joined to the one before it; a field that only the second had is field-removed.
	Merged Code = "messages-merged"
	// A placeholder user turn was inserted, or an assistant turn between tool results and a user
	// turn.
	TurnInserted Code = "turn-inserted"
	// A short user turn was appended after a final assistant turn.
	Continued Code = "trailing-continued"
	// A final assistant turn was removed (TrailingStrip).
	TrailingStripped Code = "trailing-stripped"
	// White space at the end of the final assistant text was removed.
	TrailingTrimmed Code = "trailing-trimmed"
	// Text moved before the tool calls of its message.
	Reordered Code = "parts-reordered"
	// A parallel tool call moved, with its result, into a message of its own.
	CallsSplit Code = "calls-split"
	// A cache breakpoint moved to the next part that can carry it.
	CacheMoved Code = "cache-moved"
	// A cache breakpoint was removed: too many, or nothing left to carry it.
	CacheRemoved Code = "cache-removed"
	// A long-lived cache breakpoint became a short-lived one.
	CacheChanged Code = "cache-changed"
	// A hook changed, inserted or removed a message.
	Hook Code = "hook"
	// The history could not be repaired and was replaced by the fallback.
	Fallback Code = "fallback"
)

// The codes of changes to a request body outside of its messages, made by packages wire and
// preflighthttp.
const (
	// A message or its content had a wrong JSON type.
	ShapeRepaired Code = "shape-repaired"
	// A field that a later field of the same object repeats was removed; the last one stays.
	DuplicateFieldRemoved Code = "duplicate-field-removed"
	// A block of another provider was converted to this one's form, or to text that names its type,
	// or moved into or out of a message. docs/blocks.md lists the blocks of each format.
	BlockConverted Code = "block-converted"
	// A leading system message moved to the top-level system field.
	SystemHoisted Code = "system-hoisted"
	// Minimal tools were declared for the ones the history uses.
	ToolsDeclared Code = "tools-declared"
	// A declared tool got a name that the provider accepts; Result.ReturnNames gives its calls the
	// declared name back.
	ToolRenamed Code = "tool-renamed"
	// A declared tool got such a name in the HTTP transport, which gives the declared name back
	// itself.
	ToolAliased Code = "tool-aliased"
	// A second declaration of a tool was removed.
	ToolRemoved Code = "tool-removed"
	// A container id that no declared tool uses was removed.
	ContainerRemoved Code = "container-removed"
	// A setting, tool or field was left out, because the other format has no place for it
	// (Convert).
	NotCarried Code = "not-carried"
	// A setting was added that the request's tools need.
	SettingAdded Code = "setting-added"
	// Thinking was switched off for this request.
	ThinkingDisabled Code = "thinking-disabled"
)
