package provider

// This file has the groups of a profile's fields. A rule id in a comment is the evidence for a
// field that comes from one rule.

// SystemRules say where system messages may be.
type SystemRules struct {
	Placement SystemPlacement

	// Single: leading system messages are merged into one (chat-template/system-first).
	Single bool

	// Directives are the kinds of Other parts that are settings; a system message of nothing else
	// may be anywhere.
	Directives []string
}

// SystemPlacement says where system messages may be. One in another place becomes user text.
type SystemPlacement string

// The placements.
const (
	// SystemAnywhere accepts system messages at any place.
	SystemAnywhere SystemPlacement = ""
	// SystemLeading accepts them before the first turn only.
	SystemLeading SystemPlacement = "leading"
	// SystemMidway also accepts them after a user turn if an assistant turn or nothing follows
	// (anthropic/system-role-after, anthropic/system-role-before).
	SystemMidway SystemPlacement = "midway"
	// SystemAfterUser also accepts them after a user turn, whatever follows
	// (mistral/order-system).
	SystemAfterUser SystemPlacement = "after-user"
	// SystemRefused accepts none.
	SystemRefused SystemPlacement = "refused"
)

// TurnRules say in what order messages may come.
type TurnRules struct {
	// Required: a history of system messages alone is refused.
	Required bool `refuses:"no-messages"`

	// UserFirst: the first turn after leading system messages is the user's.
	UserFirst bool `refuses:"first-role"`

	// UserSpeaks: the user says something somewhere (chat-template/no-user-query).
	UserSpeaks bool `refuses:"first-role"`

	// Neighbours says what the provider makes of consecutive messages of one role.
	Neighbours Neighbours

	// CallsAfterUser: a message with tool calls is not the first turn, and messages of the same
	// role next to it hold calls too (gemini/function-call-turn-placement).
	CallsAfterUser bool `refuses:"call-turn first-role"`

	// BridgeResults: an assistant message is between tool results and the next user message
	// (chat-template/alternation-mistral3).
	BridgeResults bool `refuses:"user-after-result"`

	// BridgeDocuments: as BridgeResults, but only if the user message has a document that is no PDF
	// (bedrock/document-beside-result).
	BridgeDocuments bool `refuses:"document-after-result"`

	// TextBeforeCalls: the text of an assistant turn comes before its tool calls
	// (anthropic/assistant-must-end-on-tool-use), and its reasoning, too, where each part is a
	// message of its own (deepseek/tool-result-missing).
	TextBeforeCalls bool `refuses:"call-not-last"`

	// ServedBeforeCalls: in an assistant message, the calls and results of provider-executed tools
	// come before the tool calls (anthropic/tool-result-missing).
	ServedBeforeCalls bool `refuses:"call-before-served"`

	// NoTextAfterResults: a message holds no text after its tool results, which the provider takes
	// for a final assistant turn (gemini/ends-with-model-turn).
	NoTextAfterResults bool `refuses:"text-after-result"`
}

// Joined reports whether consecutive messages of one role are one turn: results after the last of
// them answer the calls of all.
func (r TurnRules) Joined() bool { return r.Neighbours != NeighboursApart }

// Neighbours says what a provider makes of consecutive messages of one role.
type Neighbours string

// The readings of neighbours.
const (
	NeighboursApart  Neighbours = ""       // accepted, each a turn of its own
	NeighboursJoined Neighbours = "joined" // accepted, and read as one turn
	NeighboursMerged Neighbours = "merged" // refused, so they are merged into one message
)

// PrefillRules say whether a history may end with an assistant turn, which the model continues.
type PrefillRules struct {
	// Refused: a history may not end with an assistant turn.
	Refused bool `refuses:"trailing-turn"`

	// MarkAccepted: although Refused, a message with MetaPrefix in its Meta may be last
	// (mistral/last-role).
	MarkAccepted bool

	// Trim: the last text of such a turn may not end in white space
	// (anthropic/trailing-whitespace).
	Trim bool `refuses:"trailing-space"`
}

// MetaPrefix is the metadata key, with the value true, of a final assistant message that the model
// is to continue. A provider with PrefillRules.MarkAccepted accepts it on text, with or without
// reasoning.
const MetaPrefix = "prefix"

// PairingRules say where the results of tool calls are, and what they are matched by.
type PairingRules struct {
	// ResultRole is the role of messages with results, user or tool; "" is either.
	ResultRole Role

	// AsGiven: results in messages of another role are repaired, as in a request body, because no
	// encoder follows that would move them.
	AsGiven bool

	// Results says where the results of a turn's calls are.
	Results ResultPlace

	// OneResultPerMessage: each result is a message of its own, whatever Results says.
	OneResultPerMessage bool

	// OneCallPerMessage: an assistant message holds at most one call
	// (chat-template/single-tool-call).
	OneCallPerMessage bool `refuses:"parallel-calls"`

	// ByName: a call or result without an id is matched by the name of its tool
	// (gemini/function-response-name).
	ByName bool

	// ResultIDOptional: a result in its place needs no id of its call.
	ResultIDOptional bool

	// UnansweredTurns: the calls of a turn may all stay without a result if the user speaks next.
	// What is refused is fewer results than calls, not none (gemini/function-response-count).
	UnansweredTurns bool

	// Unpaired: a call needs no result, and a result no call (ollama/pairing-not-validated).
	Unpaired bool

	// FurtherResults: a call that has its result may get another one, with the same id, after text
	// of the assistant.
	FurtherResults bool

	// Typed: a result has the variant of its call.
	Typed bool

	// ServedLater: the provider may give the result of a tool that it runs after results of the
	// caller's tools, in the assistant message that follows them
	// (anthropic/server-tool-result-missing).
	ServedLater bool

	// ServedOpen: a call of a tool that the provider runs may stay without a result. No refusal of
	// one is on record.
	ServedOpen bool

	// Unanswerable are variants of calls that no text can answer: without a result they are
	// removed.
	Unanswerable []string
}

// ResultPlace says where the results of a turn's calls are.
type ResultPlace string

// The places of results.
const (
	// ResultsNext is in the messages right after the calls, before all else in them.
	ResultsNext ResultPlace = ""
	// ResultsFirst is in one message right after the calls, before all else in it
	// (bedrock/tool-result-missing).
	ResultsFirst ResultPlace = "first"
	// ResultsTogether is in one message right after the calls, at any place in it
	// (gemini/function-response-count).
	ResultsTogether ResultPlace = "together"
	// ResultsAnywhere is anywhere after the calls (openai-responses/tool-output-missing).
	ResultsAnywhere ResultPlace = "anywhere"
)

// IDRules say how ids and participants' names are written.
type IDRules struct {
	// Call is for the ids of calls that the client answers.
	Call Pattern `letters:"id-pattern" length:"id-length"`

	// ServerCall is for the ids of provider-executed calls.
	ServerCall Pattern `letters:"server-id" length:"server-id"`

	// Unique is the range in which a call id may occur once.
	Unique Scope `refuses:"id-duplicate"`

	// Participant is for Message.Name (openai-chat/message-name-pattern).
	Participant Pattern `letters:"name-pattern" length:"name-pattern"`
}

// Scope is a range in which something has to be unique.
type Scope string

// The scopes.
const (
	ScopeNone    Scope = ""        // none: it may occur again anywhere
	ScopeTurn    Scope = "turn"    // the calls of one turn
	ScopeHistory Scope = "history" // the whole history
)

// ToolRules say what calls and results look like.
type ToolRules struct {
	// Name is for the names of tools.
	Name Pattern `letters:"tool-name-pattern" length:"tool-name-length"`

	// FreeResultNames: results may have other names. If a call is renamed, so is its result.
	FreeResultNames bool

	// Reserved are names that the provider keeps for its own tools (qwen/tool-name-search).
	Reserved []string `refuses:"tool-name-reserved"`

	// ObjectArguments: the arguments of a call are a JSON object.
	ObjectArguments bool `refuses:"arguments"`

	// NoErrorFlag: a result cannot be marked as an error (bedrock/tool-result-status-model).
	NoErrorFlag bool `refuses:"error-flag"`

	// NoServerTools: the provider has no provider-executed tools.
	NoServerTools bool `refuses:"server-refused"`

	// NoTools: the model has no form for a tool exchange, which becomes text
	// (chat-template/roles-supported).
	NoTools bool `refuses:"tools-refused"`

	// EncryptedResults: the encrypted payloads of provider-executed results may not be empty
	// (anthropic/web-search-encrypted-content).
	EncryptedResults bool `refuses:"opaque-empty"`

	// CallSignature is what the first call of each step in the open turn gets if it has no
	// signature (gemini/thought-signature-missing); "" where no signature is needed.
	CallSignature string `refuses:"call-unsigned"`

	// StandInFirst: CallSignature is refused on a call that is not the first of its message.
	StandInFirst bool
}

// ContentRules say what messages, texts and results may be empty, and which parts they may hold.
type ContentRules struct {
	// RefuseEmptyMessage: a message holds at least one part. An empty text is one.
	RefuseEmptyMessage bool `refuses:"empty-message"`

	// NeedsText are the roles whose messages hold more than empty text and empty reasoning. A tool
	// call or an image is more.
	NeedsText []Role `refuses:"empty-message"`

	// RefuseEmptyText: no text part is "", wherever it is.
	RefuseEmptyText bool `refuses:"empty-text"`

	// RefuseBlankText: no text part is white space alone, wherever it is. An empty one is not
	// concerned: some formats write a message without text that way.
	RefuseBlankText bool `refuses:"blank-text"`

	// BlankBeside are the roles whose messages may hold blank text beside other content, although
	// RefuseBlankText is set.
	BlankBeside []Role

	// NoBlankBesideServed: BlankBeside does not count calls and results of provider-executed tools
	// as other content (anthropic/whitespace-text-block).
	NoBlankBesideServed bool

	// ErrorTextOnly: a result marked as an error holds text and nothing else
	// (anthropic/tool-result-error-text).
	ErrorTextOnly bool `refuses:"error-content"`

	// ErrorNeedsText: a result marked as an error has content.
	ErrorNeedsText bool `refuses:"error-empty"`

	// ResultNeedsText: every result has content.
	ResultNeedsText bool `refuses:"result-empty"`

	// RefuseControls: text holds no control characters but tab and line ends
	// (chat-template/nim-control-chars).
	RefuseControls bool `refuses:"control-character"`

	// BareCalls are the forms of absent content that are refused in a message with tool calls
	// (xai/content-element). An empty string is accepted.
	BareCalls []BareContent `refuses:"empty-message"`

	// RefuseChannelTags: text of the assistant has no channel tags
	// (chat-template/gpt-oss-channel-tags).
	RefuseChannelTags bool `refuses:"channel-tags"`

	// RefusedKinds are the kinds of Other parts that the provider sends and refuses
	// (anthropic/output-only-blocks).
	RefusedKinds []RefKind `refuses:"kind-refused"`

	// SingleKinds are the kinds of Other parts that a message can hold once: when messages are
	// merged, the first one's is kept.
	SingleKinds []string
}

// BareContent is a way to leave the content of a message out.
type BareContent string

// The ways to leave the content out.
const (
	BareMissing BareContent = "missing" // there is no such member
	BareNull    BareContent = "null"    // it is null
	BareList    BareContent = "list"    // it is an empty list
)

// RefKind names a kind of Other part in messages of a role; Role "" is every role.
type RefKind struct {
	Kind string
	Role Role
}

// ReasoningRules say what is accepted, and wanted, of earlier reasoning.
type ReasoningRules struct {
	// Default is the mode of a request that does not name one. It restricts nothing by itself.
	Default Thinking

	// Replay says which reasoning the provider wants back.
	Replay Replay `refuses:"reasoning-absent=on-calls|from-calls reasoning-beside=in-text"`

	// Refused: reasoning is refused, signed or not.
	Refused bool `refuses:"reasoning-refused"`

	// Signed: reasoning without a signature is refused.
	Signed bool `refuses:"reasoning-unsigned"`

	// SignatureAlphabet is what the provider's signatures are written in, those of calls, too; a
	// signature in another is another provider's (anthropic/thinking-signature-invalid,
	// gemini/thought-signature-corrupt).
	SignatureAlphabet Alphabet `refuses:"reasoning-foreign"`

	// NoSignature: reasoning is accepted, and its signature is refused
	// (bedrock/reasoning-signature).
	NoSignature bool `refuses:"signature-refused"`

	// Bound: an edit before reasoning invalidates it (anthropic/thinking-binding-prefix,
	// openai-responses/reasoning-binding-prefix).
	Bound bool

	// Dropped: the request asks the provider to drop reasoning that is bound to another beginning
	// (drop_block). No repair removes it then, because only the provider knows which that is.
	Dropped bool
}

// Thinking is the thinking mode of a request.
type Thinking string

// The thinking modes.
const (
	ThinkingUnknown  Thinking = ""         // not known: no rule that depends on it applies
	ThinkingOff      Thinking = "off"      // the request does not think
	ThinkingBudget   Thinking = "budget"   // extended thinking with a token budget
	ThinkingAdaptive Thinking = "adaptive" // the model decides
)

// Replay says which reasoning a provider wants on assistant messages that are sent again. The
// reasoning may be empty.
type Replay string

// The demands on replayed reasoning.
const (
	// ReplayFree wants none.
	ReplayFree Replay = ""
	// ReplayOnCalls wants it on messages with tool calls (moonshot/reasoning-content-missing).
	ReplayOnCalls Replay = "on-calls"
	// ReplayFromCalls wants it on each assistant message from the first with tool calls on
	// (deepseek/reasoning-content-missing).
	ReplayFromCalls Replay = "from-calls"
	// ReplayInText wants a message with tool calls to hold reasoning or text, but not both
	// (chat-template/gpt-oss-both).
	ReplayInText Replay = "in-text"
)

// ItemRules are for formats whose messages are items with ids of their own (Message.ID), under
// which the provider may hold them.
type ItemRules struct {
	// OnePartPerMessage: reasoning, calls and results are messages of their own.
	OnePartPerMessage bool

	// Held: the provider holds items, so an item may be its id alone. Unlike other fields it
	// permits something. The next fields are about such items.
	Held bool

	// IDs are the patterns of ids by kind of item, "" for the kinds not named; nil is no rule.
	IDs map[string]Pattern

	// RequireID are the kinds of items that have to have an id: a refused one is replaced, not
	// removed (openai-responses/duplicate-item).
	RequireID []string

	// NeedReasoning are the kinds of held items that need the reasoning before them
	// (openai-responses/item-needs-reasoning).
	NeedReasoning []string `refuses:"item-alone"`

	// FollowReasoning: reasoning with an id is followed by what it led to, even if the provider
	// holds no items (openai-responses/reasoning-ids-azure). If it holds them, this is always
	// required (openai-responses/reasoning-needs-following).
	FollowReasoning bool

	// ReferenceKind is the kind of Other part that names a held item.
	ReferenceKind string
}

// CacheRules say where prompt-cache breakpoints may be.
type CacheRules struct {
	// Limit is the most that messages may hold; 0 is no limit, and NoCache allows none.
	Limit int `refuses:"cache-limit"`

	// NoReasoning: no breakpoint is on reasoning.
	NoReasoning bool `refuses:"cache-reasoning"`

	// NoDocument: none is on a document but a PDF (bedrock/cache-point-after-document).
	NoDocument bool `refuses:"cache-document"`

	// LongFirst: those of one hour come before those of five minutes
	// (anthropic/cache-control-ttl-order).
	LongFirst bool `refuses:"cache-order"`
}

// NoCache as a CacheRules.Limit allows no breakpoint.
const NoCache = -1
