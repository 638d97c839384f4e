package preflight

import "strings"

// This file is what a provider accepts, as data. Fixers and Check read a profile; none of them asks for a provider's name.

// Profile says what one provider, and model family, accepts. It is a plain value: copy one, change a field, use it.
// The zero Profile accepts any order of turns and still pairs tool calls; a nil *Profile stands for Portable.
type Profile struct {
	Provider string // "anthropic", "openai-chat", "deepseek-anthropic"…
	Format   string // the wire format, where Provider is a dialect of it ("anthropic"); "" where Provider is the format itself
	Model    string // the model the profile was narrowed to, "" for the strict common denominator

	// Roles and turns.
	Roles               []Role          // role spellings the provider takes as they are; others are mapped to the neutral roles
	ResultRole          Role            // the role of messages that hold tool results: RoleUser or RoleTool; "" for either
	OneResultPerMessage bool            // each tool result is a message of its own
	OneCallPerMessage   bool            // an assistant message holds one tool call
	BridgeResults       bool            // an assistant turn stands between tool results and a user turn
	OneSystem           bool            // leading system messages are merged into one
	NamePattern         Pattern         // participants' names; the zero Pattern takes anything
	System              SystemPlacement // where system messages may stand
	Directives          []string        // kinds of Other parts that are settings: a system message of nothing else may stand anywhere
	FirstUser           bool            // the first turn after system messages is the user's
	Merge               bool            // neighbours of one role are merged into one message
	JoinTurns           bool            // the provider reads neighbours of one role as one turn, so pairing does too
	NeedTurn            bool            // system messages alone are no request
	CallsAfterUser      bool            // a turn with tool calls is not first, and all its messages hold some
	GatherResults       bool            // the results of a turn are in one message, before all else in it; not with OneResultPerMessage
	ResultsTogether     bool            // the results of a turn are in one message, in any place of it; the same
	NoTextAfterResults  bool            // a message holds no text after its tool results
	RefusePrefill       bool            // the last turn may not be the assistant's
	PrefillMark         bool            // but it may be when it says that it is to be continued: see MetaPrefix
	TrimPrefill         bool            // the last assistant text may not end in white space
	TextBeforeCalls     bool            // text of an assistant message stands before its tool calls

	// Content.
	RefuseEmptyMessage bool      // messages need content
	RefuseEmptyText    bool      // "" is not a text part
	RefuseBlankText    bool      // neither is white space alone
	BlankBeside        []Role    // roles whose messages may hold it beside other content
	RefusedKinds       []RefKind // kinds of Other parts that are output only
	LoneKinds          []string  // kinds of Other parts of which a message holds one at most
	RefuseHollow       []Role    // roles whose messages need more than empty text
	RefuseControls     bool      // no control characters but tab and line ends

	// Tool calls.
	CallID          Pattern // client tool call ids
	ServerCallID    Pattern // provider-executed call ids
	UniqueIDs       Scope   // within what a call id may not occur twice
	ToolName        Pattern // names of tools in the history
	ObjectArguments bool    // arguments are a JSON object
	ErrorNeedsText  bool    // an error result says something
	ResultNeedsText bool    // any result has content
	NoServerTools   bool    // the provider has no provider-executed tools
	NoTools         bool    // the model knows no tools at all: a tool exchange becomes text

	ReservedTools []string // tool names the provider keeps for itself
	NoErrorFlag   bool     // results cannot be marked as errors
	PairByName    bool     // a call or result without an id goes by its tool's name, and results bear the name of their call
	CallSignature string   // stands in for the signature that the first call of each step of the open turn needs; "" for no such need

	// Reasoning.
	Thinking          Thinking // whether this request thinks, and how; the caller or the wire codec knows
	DefaultThinking   Thinking // the mode of a request that says nothing about thinking
	RefuseReasoning   bool     // reasoning is refused, signed or not
	SignedReasoning   bool     // reasoning without a signature is refused
	SignatureAlphabet Alphabet // what a signature this provider made is written in
	BoundReasoning    bool     // reasoning is bound to everything before it: an edit there invalidates it
	EncryptedPayloads bool     // provider-executed results hold encrypted payloads that may not be emptied
	Replay            Replay   // what the provider wants of reasoning on replayed assistant messages

	// Media.
	MediaRoles        []Role       // roles whose messages may hold media; empty for any
	MediaInResult     bool         // tool results may hold media
	ResultKinds       []string     // kinds of media that they may hold; empty for all that the provider takes
	MediaKinds        []string     // kinds of media the provider takes (image, document, audio, video); empty for any
	MediaLimits       []MediaLimit // how many of a kind a message may hold
	NoMediaURLs       bool         // media comes as inline data, never as a URL
	NoMediaFiles      bool         // nor as a file that the provider holds, but in tool results
	TextOnly          bool         // the model reads text only: media becomes a line of text
	ReadableMedia     bool         // inline images are PNG, JPEG, GIF or WebP files, and PDF documents PDF files
	MatchMedia        bool         // a declared image type must match the bytes
	MediaName         Pattern      // document titles
	UniqueMediaNames  bool         // no two documents have one title
	FileNeedsName     bool         // files need a name
	DocumentNeedsName bool         // documents need a title, wherever their content is
	DocumentNeedsText bool         // a message with a document holds text, too

	// Items, where messages have ids of their own (Message.ID), under which the provider may hold them.
	LoneParts       bool               // reasoning, tool calls and tool results are messages of their own
	AnswerAnywhere  bool               // a tool result may stand anywhere behind its call
	TypedResults    bool               // a tool result has the variant of its call
	WordlessCalls   []string           // variants of calls that no text can answer
	HeldPast        bool               // the provider holds an earlier part of the history: the call of a result may be there
	HoldsItems      bool               // the provider holds items by id, so reasoning may go by its id instead of its payload
	ItemIDs         map[string]Pattern // ids of messages by kind of item (message, reasoning, call, result, a variant, a kind of Other), "" for the others; nil for no rule
	FollowReasoning bool               // reasoning that is sent in full is followed by what it led to, as reasoning under its id alone is
	NeedReasoning   []string           // kinds of items that, under an id the provider holds, need reasoning before them in their turn
	ReferenceKind   string             // the kind of Other part that stands for an item the provider holds

	// Prompt cache.
	CacheLimit       int  // the most breakpoints the messages may hold, 0 for no limit; see NoCache
	NoCacheReasoning bool // no breakpoint on reasoning
	NoCacheDocument  bool // nor on a document, unless it is a PDF file
	CacheLongFirst   bool // breakpoints of one hour stand before those of five minutes

	// Rules gives each problem the id of the provider rule it breaks. A problem without an entry goes by a neutral id.
	Rules map[Problem]string
}

// NoCache as a CacheLimit allows no breakpoint at all.
const NoCache = -1

// SystemPlacement says where system messages may stand.
type SystemPlacement string

// The placements.
const (
	SystemAnywhere SystemPlacement = ""           // wherever the caller puts them
	SystemLeading  SystemPlacement = "leading"    // only before the first turn
	SystemMidway   SystemPlacement = "after-user" // leading, and midway after a user turn and before an assistant turn
	SystemBehind   SystemPlacement = "behind"     // leading, and midway after a user turn, whatever follows
	SystemRefused  SystemPlacement = "refused"    // nowhere: it becomes user text
)

// Replay says what a provider wants of the reasoning on assistant messages that are sent again. What it wants may be empty.
type Replay string

// The demands on replayed reasoning.
const (
	ReplayFree      Replay = ""           // none
	ReplayOnCalls   Replay = "on-calls"   // messages with tool calls carry some
	ReplayInText    Replay = "in-text"    // messages with tool calls carry reasoning or text, not both
	ReplayFromCalls Replay = "from-calls" // so does every assistant message behind the first of them
)

// Scope is a range in which something has to be unique.
type Scope string

// The scopes.
const (
	ScopeNone    Scope = ""
	ScopeTurn    Scope = "turn"
	ScopeHistory Scope = "history"
)

// MediaLimit is the most media of a kind that a message may hold, beside what stands in its tool results.
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

// Alphabet is a set of characters.
type Alphabet string

// The alphabets providers use for ids, names and signatures.
const (
	AnyChars   Alphabet = ""
	WordChars  Alphabet = "word"   // A-Z a-z 0-9 _ -
	PlainChars Alphabet = "plain"  // A-Z a-z 0-9 _
	AlnumChars Alphabet = "alnum"  // A-Z a-z 0-9
	Base64     Alphabet = "base64" // A-Z a-z 0-9 + / =
	IDChars    Alphabet = "id"     // A-Z a-z 0-9 _ . : -
	FuncChars  Alphabet = "func"   // A-Z a-z 0-9 _ . : -, not first a digit or one of the last three
	IdentChars Alphabet = "ident"  // A-Z a-z 0-9 _ -, not first a digit or -
	TitleChars Alphabet = "title"  // letters, digits, white space, - ( ) [ ]
	NameChars  Alphabet = "name"   // those, with no two of white space in a row
)

// Pattern is a rule for ids and names: a prefix, an alphabet, and a length in bytes. The zero Pattern takes anything.
type Pattern struct {
	Prefix   string
	Alphabet Alphabet
	Min, Max int  // length in bytes including the prefix; 0 for no limit
	Optional bool // "" stands for none, and is fine
}

// RefKind names a kind of Other part the provider refuses on input. Role "" stands for every role.
type RefKind struct {
	Kind string
	Role Role
}

// Matches reports whether s follows the pattern.
func (p Pattern) Matches(s string) bool {
	return p.fits(s) && p.spelled(s)
}

// fits checks the length alone.
func (p Pattern) fits(s string) bool {
	return len(s) >= p.Min && (p.Max == 0 || len(s) <= p.Max)
}

// spelled checks prefix and characters alone.
func (p Pattern) spelled(s string) bool {
	if !strings.HasPrefix(s, p.Prefix) {
		return false
	}
	return p.Alphabet.holds(s[len(p.Prefix):])
}

func (a Alphabet) holds(s string) bool {
	switch a {
	case AnyChars:
		return true
	case TitleChars, NameChars:
		for k, r := range s {
			if !a.has(r) || a == NameChars && k > 0 && isSpace(r) && isSpace(rune(s[k-1])) {
				return false
			}
		}
		return true
	}
	return allIn(s, alphabetTable(a)) && (!a.named() || s == "" || startsName(s[0]))
}

// allIn reports whether all bytes of s are in the table. Eight to a turn take half the time of one to a turn: 70 ns instead of
// 150 for a signature of 240 bytes, and less than comparing eight bytes with ranges at once.
func allIn(s string, table *[256]bool) bool {
	for len(s) >= 8 {
		if !(table[s[0]] && table[s[1]] && table[s[2]] && table[s[3]] && table[s[4]] && table[s[5]] && table[s[6]] && table[s[7]]) {
			return false
		}
		s = s[8:]
	}
	for i := 0; i < len(s); i++ {
		if !table[s[i]] {
			return false
		}
	}
	return true
}

// The bytes of the alphabets that are checked byte by byte: looking each up is a third of the cost of asking has, which ids
// and signatures of hundreds of characters made a third of Check.
var (
	wordTable   = tableOf(WordChars)
	plainTable  = tableOf(PlainChars)
	alnumTable  = tableOf(AlnumChars)
	base64Table = tableOf(Base64)
	funcTable   = tableOf(FuncChars) // and IDChars
)

func tableOf(a Alphabet) *[256]bool {
	var t [256]bool
	for c := range t {
		t[c] = a.has(rune(c))
	}
	return &t
}

func alphabetTable(a Alphabet) *[256]bool {
	switch a {
	case WordChars, IdentChars:
		return wordTable
	case PlainChars:
		return plainTable
	case Base64:
		return base64Table
	case FuncChars, IDChars:
		return funcTable
	}
	return alnumTable // what an unknown alphabet has, too
}

// named reports whether the alphabet restricts the first character, as names of functions do.
func (a Alphabet) named() bool { return a == FuncChars || a == IdentChars }

// startsName reports whether a function's name may start with c.
func startsName(c byte) bool { return c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z' }

func (a Alphabet) has(r rune) bool {
	if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' {
		return true
	}
	switch a {
	case WordChars, IdentChars:
		return r == '_' || r == '-'
	case PlainChars:
		return r == '_'
	case Base64:
		return r == '+' || r == '/' || r == '='
	case FuncChars, IDChars:
		return r == '_' || r == '.' || r == ':' || r == '-'
	case TitleChars, NameChars:
		return isSpace(r) || strings.ContainsRune("-()[]", r)
	case AnyChars:
		return true
	}
	return false
}

// isSpace reports whether a title may hold r as white space.
func isSpace(r rune) bool { return r == ' ' || r == '\t' || r == '\n' || r == '\r' }

// portable is what nil stands for. Nobody writes to it.
var portable = Portable()

// orPortable is p, or Portable for nil.
func (p *Profile) orPortable() *Profile {
	if p == nil {
		return &portable
	}
	return p
}

// rule is the id under which the profile's provider knows a problem.
func (p *Profile) rule(problem Problem) string {
	if problem == "" {
		return ""
	}
	if id, ok := p.Rules[problem]; ok {
		return id
	}
	return "preflight/" + string(problem)
}

// roleOf maps a role's spelling to the neutral role it stands for; ok is false when nobody knows it.
func roleOf(r Role) (neutral Role, ok bool) {
	switch r {
	case RoleSystem, RoleUser, RoleAssistant, RoleTool:
		return r, true
	case "developer":
		return RoleSystem, true
	case "human":
		return RoleUser, true
	case "ai", "model", "bot":
		return RoleAssistant, true
	case "function":
		return RoleTool, true
	}
	switch Role(strings.ToLower(strings.TrimSpace(string(r)))) {
	case RoleSystem, "developer":
		return RoleSystem, true
	case RoleUser, "human":
		return RoleUser, true
	case RoleAssistant, "ai", "model", "bot":
		return RoleAssistant, true
	case RoleTool, "function":
		return RoleTool, true
	}
	return RoleUser, false
}

// takesRole reports whether the provider takes the role in this spelling.
func (p *Profile) takesRole(r Role) bool {
	if len(p.Roles) == 0 {
		return r == RoleSystem || r == RoleUser || r == RoleAssistant || r == RoleTool
	}
	for _, s := range p.Roles {
		if s == r {
			return true
		}
	}
	return false
}

// takesMedia reports whether messages of a role may hold media.
func (p *Profile) takesMedia(r Role) bool {
	if len(p.MediaRoles) == 0 {
		return true
	}
	for _, s := range p.MediaRoles {
		if s == r {
			return true
		}
	}
	return false
}

// refusesKind reports whether an Other part of this kind is refused in a message of this role.
func (p *Profile) refusesKind(kind string, r Role) bool {
	for _, k := range p.RefusedKinds {
		if k.Kind == kind && (k.Role == "" || k.Role == r) {
			return true
		}
	}
	return false
}

// resultRole is the role of a new message for tool results.
func (p *Profile) resultRole() Role {
	if p.ResultRole == "" {
		return RoleTool
	}
	return p.ResultRole
}
