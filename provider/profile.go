package provider

import (
	"slices"

	"github.com/go-preflight/preflight/rule"
)

// Role says whose turn a message is. The four constants are the neutral roles; a decoder may leave
// a provider's own spelling (developer, function, model, human…) in place, and the role fixer maps
// what the profile does not know.
type Role string

// Profile says what one provider, and model family, accepts. It is a plain value: copy one, change
// a field, use it. The zero Profile accepts any order of turns and still pairs tool calls.
//
// Each group is about one concern; the rule ids in Rules lead to the evidence, in package rule.
type Profile struct {
	Provider string // "anthropic", "openai-chat", "deepseek-anthropic"…
	Format   string // the wire format, where Provider is a dialect of it; "" for the format itself
	Model    string // the model the profile was narrowed to, "" for none

	Roles     []Role // role spellings that are accepted; others are mapped to the neutral roles
	System    SystemRules
	Turns     TurnRules
	Prefill   PrefillRules
	Pairing   PairingRules
	IDs       IDRules
	Tools     ToolRules
	Content   ContentRules
	Reasoning ReasoningRules
	Media     MediaRules
	Items     ItemRules
	Cache     CacheRules

	// Rules gives each problem the id of the provider rule it breaks. A problem without an entry
	// has a neutral id.
	Rules map[rule.Problem]string
}

// SystemRules say where system messages may be.
type SystemRules struct {
	Placement  SystemPlacement // where they may be
	Single     bool            // leading ones are merged into one
	Directives []string        // kinds of Other parts that are settings, which may be anywhere
}

// TurnRules say in what order messages may come.
type TurnRules struct {
	Required           bool // system messages alone are no request
	UserFirst          bool // the first turn after system messages is the user's
	Merge              bool // neighbours of one role are merged into one message
	Joined             bool // the provider reads neighbours of one role as one turn
	CallsAfterUser     bool // a turn with tool calls is not first, and all its messages hold some
	BridgeResults      bool // an assistant turn separates tool results from the next user turn
	TextBeforeCalls    bool // text of an assistant message comes before its tool calls
	NoTextAfterResults bool // a message holds no text after its tool results
}

// PrefillRules say whether the last turn may be the assistant's.
type PrefillRules struct {
	Refused      bool // it may not
	MarkAccepted bool // but a message with the mark MetaPrefix may be last
	Trim         bool // its last text may not end in white space
}

// PairingRules say where the results of tool calls are, and what they are matched by.
type PairingRules struct {
	ResultRole          Role     // of messages with results: RoleUser or RoleTool; "" for either
	OneResultPerMessage bool     // each result is a message of its own
	OneCallPerMessage   bool     // an assistant message holds one call
	ResultsFirst        bool     // the results of a turn are in one message, before all else in it
	ResultsTogether     bool     // the results of a turn are in one message, at any place in it
	Anywhere            bool     // a result may be anywhere after its call
	ByName              bool     // a call or result without an id is matched by its tool's name
	Typed               bool     // a result has the variant of its call
	Unanswerable        []string // variants of calls that no text can answer
}

// IDRules say how ids and participants' names are written.
type IDRules struct {
	Call        Pattern // ids of client tool calls
	ServerCall  Pattern // ids of provider-executed calls
	Unique      Scope   // within what a call id may not occur twice
	Participant Pattern // names of participants
}

// ToolRules say what calls and results look like.
type ToolRules struct {
	Name             Pattern  // names of tools in the history
	Reserved         []string // names the provider keeps for itself
	ObjectArguments  bool     // arguments are a JSON object
	NoErrorFlag      bool     // results cannot be marked as errors
	NoServerTools    bool     // there are no provider-executed tools
	NoTools          bool     // the model knows no tools: a tool exchange becomes text
	EncryptedResults bool     // provider-executed results hold payloads that may not be emptied
	CallSignature    string   // for first calls of the open turn without their own; "" for no need
}

// ContentRules say what messages, texts and results may be empty, and which parts they may hold.
type ContentRules struct {
	RefuseEmptyMessage bool      // messages need content
	RefuseEmptyText    bool      // "" is not a text part
	RefuseBlankText    bool      // neither is white space alone
	BlankBeside        []Role    // roles whose messages may hold it beside other content
	NeedsText          []Role    // roles whose messages need more than empty text
	ErrorNeedsText     bool      // an error result has text
	ResultNeedsText    bool      // any result has content
	RefuseControls     bool      // no control characters but tab and line ends
	RefusedKinds       []RefKind // kinds of Other parts that are output only
	SingleKinds        []string  // kinds of Other parts of which a message holds one at most
}

// ReasoningRules say what is accepted, and wanted, of earlier reasoning.
type ReasoningRules struct {
	Default           Thinking // the mode of a request that does not name one
	Replay            Replay   // what the provider wants of reasoning on replayed messages
	Refused           bool     // reasoning is refused, signed or not
	Signed            bool     // reasoning without a signature is refused
	SignatureAlphabet Alphabet // the alphabet of this provider's signatures
	Bound             bool     // an edit before reasoning invalidates it
}

// MediaRules say which images, documents, audio and video are accepted, and where.
type MediaRules struct {
	Roles              []Role       // roles whose messages may hold media; empty for any
	Kinds              []string     // accepted kinds (image, document, audio, video); empty for any
	InResult           bool         // tool results may hold media
	ResultKinds        []string     // kinds that they may hold; empty for all of Kinds
	Limits             []MediaLimit // how many of a kind a message may hold
	NoURLs             bool         // inline data alone, no URLs
	NoFiles            bool         // no files that the provider holds, but in tool results
	TextOnly           bool         // the model reads text only: media becomes a line of text
	Readable           bool         // inline images are PNG, JPEG, GIF or WebP; documents are PDF
	MatchType          bool         // a declared image type must match the bytes
	Title              Pattern      // titles of documents
	UniqueTitles       bool         // no two documents have one title
	FileNeedsName      bool         // files need a name
	DocumentNeedsTitle bool         // documents need a title, wherever their content is
	DocumentNeedsText  bool         // a message with a document holds text, too
}

// ItemRules are for formats whose messages are items with ids of their own (Message.ID), under
// which the provider may hold them.
type ItemRules struct {
	OnePartPerMessage bool // reasoning, calls and results are messages of their own
	// the provider holds items, so reasoning may be an id alone
	Held            bool
	IDs             map[string]Pattern // ids by kind of item, "" for other kinds; nil for no rule
	NeedReasoning   []string           // kinds of held items that need reasoning before them
	FollowReasoning bool               // reasoning sent in full is followed by what it led to
	ReferenceKind   string             // the kind of Other part that stands for a held item
}

// CacheRules say where prompt-cache breakpoints may be.
type CacheRules struct {
	Limit       int  // the most that messages may hold, 0 for no limit; see NoCache
	NoReasoning bool // none on reasoning
	NoDocument  bool // none on a document, unless it is a PDF file
	LongFirst   bool // those of one hour come before those of five minutes
}

// NoCache as a CacheRules.Limit allows no breakpoint at all.
const NoCache = -1

// SystemPlacement says where system messages may stand.
type SystemPlacement string

// The placements.
const (
	SystemAnywhere SystemPlacement = ""        // wherever the caller puts them
	SystemLeading  SystemPlacement = "leading" // only before the first turn
	// leading, and midway after a user turn and before an assistant turn
	SystemMidway SystemPlacement = "after-user"
	// leading, and midway after a user turn, whatever follows
	SystemBehind  SystemPlacement = "behind"
	SystemRefused SystemPlacement = "refused" // nowhere: it becomes user text
)

// Replay says what a provider wants of the reasoning on assistant messages that are sent again.
// What it wants may be empty.
type Replay string

// The demands on replayed reasoning.
const (
	ReplayFree    Replay = ""         // none
	ReplayOnCalls Replay = "on-calls" // messages with tool calls carry some
	// messages with tool calls carry reasoning or text, not both
	ReplayInText Replay = "in-text"
	// so does every assistant message behind the first of them
	ReplayFromCalls Replay = "from-calls"
)

// Scope is a range in which something has to be unique.
type Scope string

// The scopes.
const (
	ScopeNone    Scope = ""
	ScopeTurn    Scope = "turn"
	ScopeHistory Scope = "history"
)

// MediaLimit is the most media of a kind that a message may hold, beside what stands in its tool
// results.
type MediaLimit struct {
	Kind string
	Most int
}

// Thinking is the request's thinking mode.
type Thinking string

// The thinking modes.
const (
	ThinkingUnknown  Thinking = ""         // nobody said: no rule that depends on it applies
	ThinkingOff      Thinking = "off"      // the request does not think
	ThinkingBudget   Thinking = "budget"   // extended thinking with a token budget
	ThinkingAdaptive Thinking = "adaptive" // the model decides
)

// RefKind names a kind of Other part the provider refuses on input. Role "" stands for every role.
type RefKind struct {
	Kind string
	Role Role
}

// rule is the id under which the profile's provider knows a problem.
func (p *Profile) RuleID(problem rule.Problem) string {
	if problem == "" {
		return ""
	}
	if id, ok := p.Rules[problem]; ok {
		return id
	}
	return "preflight/" + string(problem)
}

// portable is what a nil profile stands for. Nobody writes to it.
var portable = portableProfile()

// RepairToolName is the name under which a tool goes in a repaired history: the name itself when
// the profile accepts it. It depends on nothing but the name, so declarations and calls can be
// renamed apart and still agree.
func (p *Profile) RepairToolName(name string) string {
	if p == nil {
		p = &portable
	}
	repaired := p.Tools.Name.RepairName(name)
	if slices.Contains(p.Tools.Reserved, repaired) {
		return p.Tools.Name.tagged(name)
	}
	return repaired
}
