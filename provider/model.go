package provider

import (
	"slices"
	"strings"
)

// Trait is a difference between model families of one provider.
type Trait string

// The traits.
const (
	TakesPrefill  Trait = "takes-prefill"  // the conversation may end on an assistant turn
	TakesSystem   Trait = "takes-system"   // system messages midway, behind a user turn
	LeadingSystem Trait = "leading-system" // system messages before the first turn only
	RefusesSystem Trait = "refuses-system" // no system messages at all
	// a request that says nothing about thinking does not think
	ThinksWhenAsked  Trait = "thinks-when-asked"
	ThinksUnasked    Trait = "thinks-unasked"    // … or does
	BindsReasoning   Trait = "binds-reasoning"   // reasoning is bound to everything before it
	RefusesReasoning Trait = "refuses-reasoning" // takes no reasoning back
	NoErrorFlags     Trait = "no-error-flags"    // a tool result cannot be marked as an error
	NoCaching        Trait = "no-caching"        // takes no cache breakpoint
	NeverReasons     Trait = "never-reasons"     // makes no reasoning, so no item depends on any
	// not served by the API's own host: no rule about ids and members of items
	FreeItems Trait = "free-items"
	// merges neighbours of one role itself, so they need not be merged here
	JoinsTurns   Trait = "joins-neighbours"
	SignedCalls  Trait = "signed-calls"  // the first tool call of a step needs a signature
	UserResults  Trait = "user-results"  // tool results are in user messages, in none of the role "function"
	SplitResults Trait = "split-results" // no text comes after a tool result in its message
	// the conversation may not end on an assistant turn
	RefusesPrefill Trait = "refuses-prefill"
	// user and assistant take turns, and the user is first and last
	Alternates   Trait = "alternates"
	PlainResults Trait = "plain-results" // tool results hold no media
	// takes an image under a type that its bytes are not
	MislabelledMedia Trait = "mislabelled-media"
	// of another vendor than the format's: what only that one verifies is not asked for
	OtherVendor Trait = "other-vendor"
)

// Model is a row of the model table: what the models with a matching name do differently from the
// provider's strict profile.
type Model struct {
	Provider string
	// a model name; * stands for any characters. With a slash it is held against the name as it is
	// given
	Pattern string
	Traits  []Trait
	Source  string // where that is known from
	Date    string // when it was last seen to hold, year and month
}

const (
	srcPrefill     = "https://github.com/ericc-ch/copilot-api/pull/261"
	srcSystem      = "https://docs.rs/gproxy-transform/2.6.1/src/gproxy_transform/transform/common/claude_mid_conv_system.rs.html"
	srcBinding     = "rule anthropic/thinking-binding-prefix and its sources"
	srcAdaptive    = "https://docs.aws.amazon.com/bedrock/latest/userguide/claude-messages-adaptive-thinking.html"
	srcOpus5       = "https://platform.claude.com/docs/en/about-claude/models/whats-new-opus-5"
	srcMislabelled = "https://github.com/Arize-ai/openinference (cassettes of its instrumentation of Anthropic, image input)"
	srcO1          = "rule openai-chat/system-role-unsupported and its sources"
)

// Sets of traits that several rows share.
var (
	oldestTraits = []Trait{TakesPrefill, ThinksWhenAsked, LeadingSystem, MislabelledMedia}
	oldTraits    = []Trait{TakesPrefill, ThinksWhenAsked, LeadingSystem}
	askedTraits  = []Trait{ThinksWhenAsked, LeadingSystem}
	newTraits    = []Trait{TakesSystem, ThinksUnasked}
	boundTraits  = []Trait{TakesSystem, ThinksUnasked, BindsReasoning}
)

// models is the whole table: the providers' own models, then those that others host.
var models = slices.Concat(ownModels, anthropicHostModels(), responsesModels(), bedrockModels(), chatModels(), geminiModels())

// ownModels is searched from the top; the first row that matches counts. A Claude model that no row
// names takes the profile as it is.
var ownModels = []Model{
	{"anthropic", "claude-2*", oldestTraits, srcPrefill, "2026-10"},
	{"anthropic", "claude-instant*", oldestTraits, srcPrefill, "2026-10"},
	{"anthropic", "claude-3*", oldestTraits, srcMislabelled, "2026-11"},
	{"anthropic", "claude-opus-4-6*", askedTraits, srcAdaptive, "2026-11"},
	{"anthropic", "claude-sonnet-4-6*", askedTraits, srcAdaptive, "2026-11"},
	{"anthropic", "claude-opus-4-7*", askedTraits, srcAdaptive, "2026-11"},
	{"anthropic", "claude-opus-4-8*", []Trait{TakesSystem, ThinksWhenAsked}, srcOpus5, "2026-11"},
	{"anthropic", "claude-opus-4*", oldTraits, srcPrefill, "2026-10"},
	{"anthropic", "claude-sonnet-4*", oldTraits, srcPrefill, "2026-10"},
	{"anthropic", "claude-haiku-4*", oldTraits, srcPrefill, "2026-10"},
	{"anthropic", "claude-opus-5-5*", boundTraits, srcBinding, "2026-10"},
	{"anthropic", "claude-sonnet-5-5*", boundTraits, srcBinding, "2026-10"},
	{"anthropic", "claude-haiku-5-5*", boundTraits, srcBinding, "2026-10"},
	{"anthropic", "claude-fable-5-1*", boundTraits, srcBinding, "2026-10"},
	{"anthropic", "claude-fable-5-2*", boundTraits, srcBinding, "2026-10"},
	{"anthropic", "claude-mythos-5-1*", boundTraits, srcBinding, "2026-10"},
	{"anthropic", "claude-opus-5*", newTraits, srcOpus5, "2026-11"},
	{"anthropic", "claude-sonnet-5*", newTraits, srcSystem, "2026-11"},
	{"anthropic", "claude-haiku-5*", newTraits, srcSystem, "2026-11"},
	{"anthropic", "claude-fable-5*", newTraits, srcAdaptive, "2026-11"},
	{"anthropic", "claude-mythos-*", newTraits, srcAdaptive, "2026-11"},
	{"openai-chat", "o1-mini*", []Trait{RefusesSystem}, srcO1, "2025-12"},
	{"openai-chat", "o1-preview*", []Trait{RefusesSystem}, srcO1, "2025-12"},
}

// Models returns the model table, in the order it is searched, in a fresh slice.
func Models() []Model { return append([]Model(nil), models...) }

// ForModel returns the profile narrowed to a model. For a dialect, the rows of its format hold
// where none of its own matches. A name that no row knows leaves the strict profile. Prefixes that
// gateways put before the name ("anthropic/", "us.anthropic.", "models/") are ignored.
func (p Profile) ForModel(name string) Profile {
	return p.ForModelIn(models, name)
}

// ForModelIn is ForModel with a table of the caller's.
func (p Profile) ForModelIn(table []Model, name string) Profile {
	p.Model = name
	row := modelRow(table, p.Provider, name)
	if row == nil && p.Format != "" {
		row = modelRow(table, p.Format, name)
	}
	if row != nil {
		for _, t := range row.Traits {
			p.apply(t)
		}
	}
	return p
}

// modelRow is the first row of a provider's that a model's name matches, nil when there is none.
func modelRow(table []Model, provider, name string) *Model {
	bare, whole := bareModel(name), strings.ToLower(strings.TrimSpace(name))
	if bare == "" {
		return nil
	}
	for k := range table {
		m, spelled := &table[k], bare
		if m.Provider != provider {
			continue
		}
		if strings.Contains(m.Pattern, "/") {
			spelled = whole
		}
		if globMatch(m.Pattern, spelled) {
			return m
		}
	}
	return nil
}

func (p *Profile) apply(t Trait) {
	switch t {
	case TakesPrefill:
		p.Prefill.Refused, p.Turns.TextBeforeCalls = false, false
	case TakesSystem:
		p.System.Placement = SystemMidway
	case LeadingSystem:
		p.System.Placement = SystemLeading
	case RefusesSystem:
		p.System.Placement, p.System.Directives = SystemRefused, nil
	case ThinksWhenAsked:
		p.Reasoning.Default = ThinkingOff
	case ThinksUnasked:
		p.Reasoning.Default = ThinkingAdaptive
	case NeverReasons:
		p.Items.NeedReasoning = nil
	case FreeItems:
		p.freeItems()
	case BindsReasoning:
		p.Reasoning.Bound = true
	case RefusesReasoning:
		p.Reasoning.Refused = true
	case NoErrorFlags:
		p.Tools.NoErrorFlag = true
	case NoCaching:
		p.Cache.Limit = NoCache
	case JoinsTurns:
		p.Turns.Merge = false
	case SignedCalls:
		p.Tools.CallSignature = skipSignature
	case UserResults:
		p.Roles = slices.DeleteFunc(slices.Clone(p.Roles), func(r Role) bool { return r == "function" })
	case SplitResults:
		p.Turns.NoTextAfterResults = true
	case RefusesPrefill:
		p.Prefill.Refused = true
	case Alternates:
		p.Turns.Merge, p.Turns.UserFirst, p.Prefill.Refused = true, true, true
	case PlainResults:
		p.Media.InResult = false
	case MislabelledMedia:
		p.Media.MatchType = false
	case OtherVendor:
		otherVendor(p)
	default:
		p.applyChat(t)
	}
}

// bareModel is the model's own name: lower case, without what gateways and clouds put before it.
func bareModel(name string) string {
	name = strings.ToLower(strings.TrimSpace(name))
	if k := strings.LastIndexByte(name, '/'); k >= 0 {
		name = name[k+1:]
	}
	if k := strings.LastIndex(name, "anthropic."); k >= 0 {
		name = name[k+len("anthropic."):]
	}
	return strings.ReplaceAll(name, ".", "-")
}

// globMatch reports whether s follows a pattern in which * stands for any characters.
func globMatch(pattern, s string) bool {
	head, rest, wild := strings.Cut(pattern, "*")
	if !wild {
		return s == pattern
	}
	if !strings.HasPrefix(s, head) {
		return false
	}
	s = s[len(head):]
	for {
		part, more, wild := strings.Cut(rest, "*")
		if !wild {
			return strings.HasSuffix(s, part)
		}
		k := strings.Index(s, part)
		if k < 0 {
			return false
		}
		s, rest = s[k+len(part):], more
	}
}
