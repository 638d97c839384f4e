package preflight

// This file lists what can be wrong with a history, independent of any provider. A profile gives each problem the id of
// the provider rule that it breaks.

// Problem is a kind of violation.
type Problem string

// The problems Check looks for. The comment names what is wrong.
const (
	ProblemNilPart          Problem = "nil-part"           // a nil part
	ProblemNested           Problem = "nested"             // a part that may not stand inside a tool result
	ProblemInvalidUnicode   Problem = "invalid-unicode"    // a lone surrogate or invalid UTF-8
	ProblemNUL              Problem = "nul"                // U+0000 in text
	ProblemControl          Problem = "control-character"  // a control character in text
	ProblemNoMessages       Problem = "no-messages"        // nothing to send
	ProblemRoleUnknown      Problem = "role-unknown"       // a role the provider does not know
	ProblemNamePattern      Problem = "name-pattern"       // a participant's name with characters the provider refuses
	ProblemFirstRole        Problem = "first-role"         // the first turn is not the user's
	ProblemAlternation      Problem = "alternation"        // two neighbours of one role
	ProblemCallTurn         Problem = "call-turn"          // an assistant message without tool calls next to one with some
	ProblemResultsApart     Problem = "results-apart"      // results of one turn in several messages
	ProblemTextAfterResult  Problem = "text-after-result"  // text after a tool result in its message
	ProblemSystemRefused    Problem = "system-refused"     // a system message where the model takes none
	ProblemSystemLate       Problem = "system-late"        // a system message behind the first turn, where the model takes leading ones only
	ProblemSystemAfter      Problem = "system-after"       // a mid-conversation system message after the wrong turn
	ProblemSystemBefore     Problem = "system-before"      // … or before the wrong turn
	ProblemSystemContent    Problem = "system-content"     // an empty mid-conversation system message
	ProblemBridge           Problem = "user-behind-result" // a user turn right behind tool results
	ProblemParallelCalls    Problem = "parallel-calls"     // several tool calls in one message
	ProblemToolsRefused     Problem = "tools-refused"      // a tool exchange where the model knows no tools
	ProblemTrailingTurn     Problem = "trailing-turn"      // the last turn is the assistant's and the model refuses that
	ProblemTrailingSpace    Problem = "trailing-space"     // the last assistant text ends in white space
	ProblemEmptyMessage     Problem = "empty-message"      // a message without content
	ProblemEmptyText        Problem = "empty-text"         // a text part that is ""
	ProblemBlankText        Problem = "blank-text"         // a text part of white space only
	ProblemCallMisplaced    Problem = "call-misplaced"     // a tool call outside an assistant message
	ProblemResultMisplaced  Problem = "result-misplaced"   // a tool result in a message of the wrong role
	ProblemReasoningRole    Problem = "reasoning-role"     // reasoning outside an assistant message
	ProblemTextMisplaced    Problem = "text-misplaced"     // anything but a tool result in a tool message
	ProblemKindRefused      Problem = "kind-refused"       // a part kind that is output only
	ProblemDangling         Problem = "dangling"           // a call without its result
	ProblemOrphan           Problem = "orphan"             // a result without its call
	ProblemDuplicateResult  Problem = "duplicate-result"   // a second result for one call
	ProblemResultNotFirst   Problem = "result-not-first"   // a result behind other content of its turn
	ProblemServerRefused    Problem = "server-refused"     // a provider-executed part where the provider has no such tools
	ProblemServerDangling   Problem = "server-dangling"    // a provider-executed call without its result
	ProblemServerOrphan     Problem = "server-orphan"      // a provider-executed result without its call before it
	ProblemServerMixed      Problem = "server-mixed"       // an open provider-executed call, and more than results behind it
	ProblemMCPPairing       Problem = "mcp-pairing"        // an MCP call or result without its other half
	ProblemServerID         Problem = "server-id"          // a provider-executed call id the provider refuses
	ProblemIDPattern        Problem = "id-pattern"         // a call id with refused characters, or none
	ProblemIDLength         Problem = "id-length"          // a call id that is too long
	ProblemIDDuplicate      Problem = "id-duplicate"       // a call id used twice
	ProblemNameLength       Problem = "tool-name-length"   // a tool name that is empty or too long
	ProblemToolName         Problem = "tool-name-pattern"  // a tool name with refused characters
	ProblemToolReserved     Problem = "tool-name-reserved" // a tool name that the provider keeps for itself
	ProblemArguments        Problem = "arguments"          // arguments that are not a JSON object
	ProblemErrorFlag        Problem = "error-flag"         // a result marked as an error where nothing may say so
	ProblemErrorEmpty       Problem = "error-empty"        // an error result without a word
	ProblemResultEmpty      Problem = "result-empty"       // a result without content
	ProblemResultName       Problem = "result-name"        // a result that does not bear the name of its call
	ProblemCallUnsigned     Problem = "call-unsigned"      // a call of the open turn without the signature it needs
	ProblemCallNotLast      Problem = "call-not-last"      // text behind a tool call in one message
	ProblemReasoningRefused Problem = "reasoning-refused"  // reasoning where the model takes none
	ProblemUnsigned         Problem = "reasoning-unsigned" // reasoning without a signature
	ProblemForeign          Problem = "reasoning-foreign"  // a signature this provider cannot have made
	ProblemReasoningEmpty   Problem = "reasoning-empty"    // reasoning without text, signature or payload
	ProblemReasoningOff     Problem = "reasoning-off"      // reasoning in the open turn while thinking is off
	ProblemReasoningLast    Problem = "reasoning-last"     // the last block of the conversation is reasoning
	ProblemReasoningOrder   Problem = "reasoning-order"    // reasoning behind other content of its message
	ProblemReasoningMissing Problem = "reasoning-missing"  // the open tool turn does not start with reasoning
	ProblemReasoningAbsent  Problem = "reasoning-absent"   // an assistant message without the reasoning the provider wants back
	ProblemReasoningBeside  Problem = "reasoning-beside"   // reasoning beside the text of a message with tool calls
	ProblemReasoningBound   Problem = "reasoning-bound"    // reasoning bound to a prefix that was repaired; never found by Check
	ProblemOpaqueEmpty      Problem = "opaque-empty"       // an opaque payload that was emptied
	ProblemItemMixed        Problem = "item-mixed"         // a message that holds more than the one part it may
	ProblemItemID           Problem = "item-id"            // a message's id with refused characters, or an empty one
	ProblemItemIDPrefix     Problem = "item-id-prefix"     // a message's id that names another kind of item
	ProblemItemIDLength     Problem = "item-id-length"     // a message's id that is too long
	ProblemItemDuplicate    Problem = "item-duplicate"     // a message's id used twice
	ProblemItemAlone        Problem = "item-alone"         // an item under its id, without the reasoning it was made with
	ProblemItemNotHeld      Problem = "item-not-held"      // reasoning that goes by its id, which the provider does not hold
	ProblemReasoningAlone   Problem = "reasoning-alone"    // reasoning without the item it led to
	ProblemReasoningSplit   Problem = "reasoning-split"    // reasoning that goes by its id, and the item it led to without its own
	ProblemMediaRole        Problem = "media-role"         // media in a role that may not hold it
	ProblemMediaInResult    Problem = "media-in-result"    // media inside a tool result
	ProblemMediaRefused     Problem = "media-refused"      // media of a kind, or in a form, that the model does not take
	ProblemMediaEmpty       Problem = "media-empty"        // media without data, address or file id
	ProblemMediaUnreadable  Problem = "media-unreadable"   // inline data that is no picture, or no PDF file
	ProblemMediaType        Problem = "media-type"         // a declared media type that the bytes contradict
	ProblemMediaName        Problem = "media-name"         // a document title with refused characters
	ProblemMediaNameTwice   Problem = "media-name-twice"   // a second document of one title
	ProblemMediaLimit       Problem = "media-limit"        // more media in a message than it may hold
	ProblemDocumentAlone    Problem = "document-alone"     // a document without text beside it
	ProblemFileName         Problem = "file-name"          // a file without its name
	ProblemCacheLimit       Problem = "cache-limit"        // too many cache breakpoints
	ProblemCacheEmptyText   Problem = "cache-empty-text"   // a cache breakpoint on empty text
	ProblemCacheReasoning   Problem = "cache-reasoning"    // a cache breakpoint on reasoning
	ProblemCacheDocument    Problem = "cache-document"     // a cache breakpoint on a document that may carry none
	ProblemCacheOrder       Problem = "cache-order"        // a long-lived breakpoint behind a short-lived one
)
