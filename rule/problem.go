package rule

// Problem is a kind of violation.
type Problem string

// The problems Check looks for. The comment names what is wrong.
const (
	NilPart Problem = "nil-part" // a nil part
	// a part that may not stand inside a tool result
	Nested         Problem = "nested"
	InvalidUnicode Problem = "invalid-unicode"   // a lone surrogate or invalid UTF-8
	NUL            Problem = "nul"               // U+0000 in text
	Control        Problem = "control-character" // a control character in text
	NoMessages     Problem = "no-messages"       // nothing to send
	RoleUnknown    Problem = "role-unknown"      // a role the provider does not know
	// a participant's name with characters the provider refuses
	NamePattern Problem = "name-pattern"
	FirstRole   Problem = "first-role"  // the first turn is not the user's
	Alternation Problem = "alternation" // two neighbours of one role
	// an assistant message without tool calls next to one with some
	CallTurn        Problem = "call-turn"
	ResultsApart    Problem = "results-apart"     // results of one turn in several messages
	TextAfterResult Problem = "text-after-result" // text after a tool result in its message
	// a system message where the model takes none
	SystemRefused Problem = "system-refused"
	// a system message behind the first turn, where the model takes leading ones only
	SystemLate Problem = "system-late"
	// a mid-conversation system message after the wrong turn
	SystemAfter  Problem = "system-after"
	SystemBefore Problem = "system-before" // … or before the wrong turn
	// an empty mid-conversation system message
	SystemContent Problem = "system-content"
	Bridge        Problem = "user-behind-result" // a user turn right behind tool results
	ParallelCalls Problem = "parallel-calls"     // several tool calls in one message
	// a tool exchange where the model knows no tools
	ToolsRefused Problem = "tools-refused"
	// the last turn is the assistant's and the model refuses that
	TrailingTurn Problem = "trailing-turn"
	// the last assistant text ends in white space
	TrailingSpace Problem = "trailing-space"
	EmptyMessage  Problem = "empty-message" // a message without content
	EmptyText     Problem = "empty-text"    // a text part that is ""
	BlankText     Problem = "blank-text"    // a text part of white space only
	// a tool call outside an assistant message
	CallMisplaced Problem = "call-misplaced"
	// a tool result in a message of the wrong role
	ResultMisplaced Problem = "result-misplaced"
	ReasoningRole   Problem = "reasoning-role" // reasoning outside an assistant message
	// anything but a tool result in a tool message
	TextMisplaced   Problem = "text-misplaced"
	KindRefused     Problem = "kind-refused"     // a part kind that is output only
	Dangling        Problem = "dangling"         // a call without its result
	Orphan          Problem = "orphan"           // a result without its call
	DuplicateResult Problem = "duplicate-result" // a second result for one call
	// a result behind other content of its turn
	ResultNotFirst Problem = "result-not-first"
	// a provider-executed part where the provider has no such tools
	ServerRefused Problem = "server-refused"
	// a provider-executed call without its result
	ServerDangling Problem = "server-dangling"
	// a provider-executed result without its call before it
	ServerOrphan Problem = "server-orphan"
	// an open provider-executed call, and more than results behind it
	ServerMixed Problem = "server-mixed"
	// an MCP call or result without its other half
	MCPPairing Problem = "mcp-pairing"
	// a provider-executed call id the provider refuses
	ServerID Problem = "server-id"
	// a call id with refused characters, or none
	IDPattern   Problem = "id-pattern"
	IDLength    Problem = "id-length"         // a call id that is too long
	IDDuplicate Problem = "id-duplicate"      // a call id used twice
	NameLength  Problem = "tool-name-length"  // a tool name that is empty or too long
	ToolName    Problem = "tool-name-pattern" // a tool name with refused characters
	// a tool name that the provider keeps for itself
	ToolReserved Problem = "tool-name-reserved"
	Arguments    Problem = "arguments" // arguments that are not a JSON object
	// a result marked as an error where nothing may say so
	ErrorFlag   Problem = "error-flag"
	ErrorEmpty  Problem = "error-empty"  // an error result without a word
	ResultEmpty Problem = "result-empty" // a result without content
	// a result that does not bear the name of its call
	ResultName Problem = "result-name"
	// a call of the open turn without the signature it needs
	CallUnsigned     Problem = "call-unsigned"
	CallNotLast      Problem = "call-not-last"      // text behind a tool call in one message
	ReasoningRefused Problem = "reasoning-refused"  // reasoning where the model takes none
	Unsigned         Problem = "reasoning-unsigned" // reasoning without a signature
	// a signature this provider cannot have made
	Foreign Problem = "reasoning-foreign"
	// reasoning without text, signature or payload
	ReasoningEmpty Problem = "reasoning-empty"
	// reasoning in the open turn while thinking is off
	ReasoningOff Problem = "reasoning-off"
	// the last block of the conversation is reasoning
	ReasoningLast Problem = "reasoning-last"
	// reasoning behind other content of its message
	ReasoningOrder Problem = "reasoning-order"
	// the open tool turn does not start with reasoning
	ReasoningMissing Problem = "reasoning-missing"
	// an assistant message without the reasoning the provider wants back
	ReasoningAbsent Problem = "reasoning-absent"
	// reasoning beside the text of a message with tool calls
	ProblemReasoningBeside Problem = "reasoning-beside"
	// reasoning bound to a prefix that was repaired; never found by Check
	ReasoningBound Problem = "reasoning-bound"
	OpaqueEmpty    Problem = "opaque-empty" // an opaque payload that was emptied
	// a message that holds more than the one part it may
	ItemMixed Problem = "item-mixed"
	// a message's id with refused characters, or an empty one
	ItemID Problem = "item-id"
	// a message's id that names another kind of item
	ItemIDPrefix  Problem = "item-id-prefix"
	ItemIDLength  Problem = "item-id-length" // a message's id that is too long
	ItemDuplicate Problem = "item-duplicate" // a message's id used twice
	// an item under its id, without the reasoning it was made with
	ItemAlone Problem = "item-alone"
	// reasoning that goes by its id, which the provider does not hold
	ItemNotHeld    Problem = "item-not-held"
	ReasoningAlone Problem = "reasoning-alone" // reasoning without the item it led to
	// reasoning that goes by its id, and the item it led to without its own
	ReasoningSplit Problem = "reasoning-split"
	MediaRole      Problem = "media-role"      // media in a role that may not hold it
	MediaInResult  Problem = "media-in-result" // media inside a tool result
	// media of a kind, or in a form, that the model does not take
	MediaRefused Problem = "media-refused"
	MediaEmpty   Problem = "media-empty" // media without data, address or file id
	// inline data that is no picture, or no PDF file
	MediaUnreadable Problem = "media-unreadable"
	// a declared media type that the bytes contradict
	MediaType Problem = "media-type"
	// a document title with refused characters
	MediaName      Problem = "media-name"
	MediaNameTwice Problem = "media-name-twice" // a second document of one title
	// more media in a message than it may hold
	MediaLimit     Problem = "media-limit"
	DocumentAlone  Problem = "document-alone"   // a document without text beside it
	FileName       Problem = "file-name"        // a file without its name
	CacheLimit     Problem = "cache-limit"      // too many cache breakpoints
	CacheEmptyText Problem = "cache-empty-text" // a cache breakpoint on empty text
	CacheReasoning Problem = "cache-reasoning"  // a cache breakpoint on reasoning
	// a cache breakpoint on a document that may carry none
	CacheDocument Problem = "cache-document"
	// a long-lived breakpoint behind a short-lived one
	CacheOrder Problem = "cache-order"
)
