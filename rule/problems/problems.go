// Package problems names what Check finds in a history: each Problem is one way to break a rule.
// The rules of providers that name one have it in rule.Rule.SeenAs.
package problems

// Problem is a kind of violation.
type Problem string

// The problems that Check looks for.
const (
	// a nil part
	NilPart Problem = "nil-part"
	// a part that a tool result may not hold
	Nested Problem = "nested"
	// a lone surrogate or invalid UTF-8
	InvalidUnicode Problem = "invalid-unicode"
	// U+0000 in text
	NUL Problem = "nul-character"
	// a control character in text
	Control Problem = "control-character"
	// nothing to send
	NoMessages Problem = "no-messages"
	// a role the provider does not know
	RoleUnknown Problem = "role-unknown"
	// a participant's name with characters the provider refuses
	NamePattern Problem = "name-pattern"
	// the first turn is not the user's
	FirstRole Problem = "first-role"
	// two neighbours of one role
	Alternation Problem = "alternation"
	// an assistant message without tool calls next to one with some
	CallTurn Problem = "call-turn"
	// results of one turn in several messages
	ResultsApart Problem = "results-apart"
	// text after a tool result in its message
	TextAfterResult Problem = "text-after-result"
	// a system message where the model takes none
	SystemRefused Problem = "system-refused"
	// a system message after the first turn, where the model takes leading ones only
	SystemLate Problem = "system-late"
	// a mid-conversation system message after the wrong turn
	SystemAfter Problem = "system-after"
	// a mid-conversation system message before the wrong turn
	SystemBefore Problem = "system-before"
	// an empty mid-conversation system message
	SystemContent Problem = "system-content"
	// a user turn right after tool results
	Bridge Problem = "user-after-result"
	// a document of the user right after tool results
	BridgeDocument Problem = "document-after-result"
	// several tool calls in one message
	ParallelCalls Problem = "parallel-calls"
	// a tool exchange where the model knows no tools
	ToolsRefused Problem = "tools-refused"
	// the last turn is the assistant's and the model refuses that
	TrailingTurn Problem = "trailing-turn"
	// the last assistant text ends in white space
	TrailingSpace Problem = "trailing-space"
	// a message without content
	EmptyMessage Problem = "empty-message"
	// a text part that is ""
	EmptyText Problem = "empty-text"
	// a text part of white space only
	BlankText Problem = "blank-text"
	// a tool call outside an assistant message
	CallMisplaced Problem = "call-misplaced"
	// a tool result in a message of the wrong role
	ResultMisplaced Problem = "result-misplaced"
	// reasoning outside an assistant message
	ReasoningRole Problem = "reasoning-role"
	// anything but a tool result in a tool message
	TextMisplaced Problem = "text-misplaced"
	// a part kind that is output only
	KindRefused Problem = "kind-refused"
	// a call without its result
	Dangling Problem = "dangling"
	// a result without its call
	Orphan Problem = "orphan"
	// a second result for one call
	DuplicateResult Problem = "duplicate-result"
	// a result after other content of its turn
	ResultNotFirst Problem = "result-not-first"
	// a provider-executed part where the provider has no such tools
	ServerRefused Problem = "server-refused"
	// a provider-executed call without its result
	ServerDangling Problem = "server-dangling"
	// a provider-executed result without its call before it
	ServerOrphan Problem = "server-orphan"
	// an open provider-executed call, and more than results after it
	ServerMixed Problem = "server-mixed"
	// an MCP call or result without its other half
	MCPPairing Problem = "mcp-pairing"
	// a provider-executed call id the provider refuses
	ServerID Problem = "server-id"
	// a call id with refused characters, or none
	IDPattern Problem = "id-pattern"
	// a call id that is too long
	IDLength Problem = "id-length"
	// a call id used twice
	IDDuplicate Problem = "id-duplicate"
	// a tool name that is empty or too long
	NameLength Problem = "tool-name-length"
	// a tool name with refused characters
	ToolName Problem = "tool-name-pattern"
	// a tool name that the provider keeps for itself
	ToolReserved Problem = "tool-name-reserved"
	// arguments that are not a JSON object
	Arguments Problem = "arguments"
	// a result marked as an error, where the provider has no such mark
	ErrorFlag Problem = "error-flag"
	// A result that is marked as an error holds more than text.
	ErrorContent Problem = "error-content"
	// an error result without text
	ErrorEmpty Problem = "error-empty"
	// a result without content
	ResultEmpty Problem = "result-empty"
	// a result without the name of its call
	ResultName Problem = "result-name"
	// a call of the open turn without the signature it needs
	CallUnsigned Problem = "call-unsigned"
	// text after a tool call in one message
	CallNotLast Problem = "call-not-last"
	// a tool call before a provider-executed result in one message
	CallBeforeServed Problem = "call-before-served"
	// reasoning where the model takes none
	ReasoningRefused Problem = "reasoning-refused"
	// reasoning without a signature
	Unsigned Problem = "reasoning-unsigned"
	// a signature this provider cannot have made
	Foreign Problem = "reasoning-foreign"
	// reasoning without text, signature or payload
	ReasoningEmpty Problem = "reasoning-empty"
	// reasoning in the open turn while thinking is off
	ReasoningOff Problem = "reasoning-off"
	// the last block of the conversation is reasoning
	ReasoningLast Problem = "reasoning-last"
	// reasoning after other content of its message
	ReasoningOrder Problem = "reasoning-order"
	// the open tool turn does not start with reasoning
	ReasoningMissing Problem = "reasoning-missing"
	// an assistant message without the reasoning the provider wants back
	ReasoningAbsent Problem = "reasoning-absent"
	// reasoning beside the text of a message with tool calls
	ReasoningBeside Problem = "reasoning-beside"
	// text of the assistant with the channel tags of gpt-oss
	ChannelTags Problem = "channel-tags"
	// reasoning bound to a prefix that was repaired; never found by Check
	ReasoningBound Problem = "reasoning-bound"
	// Reasoning has a signature, which the model does not know.
	SignatureRefused Problem = "signature-refused"
	// an opaque payload that was emptied
	OpaqueEmpty Problem = "opaque-empty"
	// a message that holds more than the one part it may
	ItemMixed Problem = "item-mixed"
	// a message's id with refused characters, or an empty one
	ItemID Problem = "item-id"
	// a message's id that names another kind of item
	ItemIDPrefix Problem = "item-id-prefix"
	// a message's id that is too long
	ItemIDLength Problem = "item-id-length"
	// a message's id used twice
	ItemDuplicate Problem = "item-duplicate"
	// an item under its id, without the reasoning it was made with
	ItemAlone Problem = "item-alone"
	// reasoning that is sent by its id, which the provider does not hold
	ItemNotHeld Problem = "item-not-held"
	// reasoning without the item it led to
	ReasoningAlone Problem = "reasoning-alone"
	// reasoning that is sent by its id, while the item it led to has none
	ReasoningSplit Problem = "reasoning-split"
	// media in a role that may not hold it
	MediaRole Problem = "media-role"
	// media inside a tool result
	MediaInResult Problem = "media-in-result"
	// media of a kind, or in a form, that the model does not take
	MediaRefused Problem = "media-refused"
	// media without data, address or file id
	MediaEmpty Problem = "media-empty"
	// inline data that is no picture, or no PDF file
	MediaUnreadable Problem = "media-unreadable"
	// a declared media type that the bytes contradict
	MediaType Problem = "media-type"
	// a document title with refused characters
	MediaName Problem = "media-name"
	// a second document of one title
	MediaNameTwice Problem = "media-name-twice"
	// more media in a message than it may hold
	MediaLimit Problem = "media-limit"
	// a document without text beside it
	DocumentAlone Problem = "document-alone"
	// a file without its name
	FileName Problem = "file-name"
	// too many cache breakpoints
	CacheLimit Problem = "cache-limit"
	// a cache breakpoint on empty text
	CacheEmptyText Problem = "cache-empty-text"
	// a cache breakpoint on reasoning
	CacheReasoning Problem = "cache-reasoning"
	// a cache breakpoint on a document that may carry none
	CacheDocument Problem = "cache-document"
	// a long-lived breakpoint after a short-lived one
	CacheOrder Problem = "cache-order"
)
