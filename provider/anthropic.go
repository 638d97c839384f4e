package provider

import (
	"slices"

	"github.com/go-preflight/preflight/rule/problems"
)

// Anthropic returns the profile of the Anthropic Messages API. Other hosts of the format have
// dialects of it.
//
// It restricts what the API was seen to refuse, and no more: consecutive messages of one role, a
// leading assistant message, white space beside other content of an assistant message, text after a
// tool call, and tool blocks without declared tools are accepted and stay.
func Anthropic(model string) *Profile { return anthropic.forModel(model) }

// anthropic has rows for Anthropic's own models, and one for models of other vendors, which unknown
// hosts serve in the format.
var anthropic = definition{
	name: "anthropic",
	base: anthropicBase,
	models: slices.Concat(claudeModels, []row{
		{"claude-v*", oldestClaude, srcPrefill, "2026-10"},
		{"claude*", nil, srcSystem, "2026-11"},
		{"*", traits{otherVendor}, srcVendors, "2026-09"},
	}),
}

// claudeModels are the rows of Anthropic's models, wherever they are hosted.
var claudeModels = []row{
	{"claude-2*", oldestClaude, srcPrefill, "2026-10"},
	{"claude-instant*", oldestClaude, srcPrefill, "2026-10"},
	{"claude-3*", oldestClaude, srcMislabelled, "2026-11"},
	{"claude-opus-4-6*", traits{thinksWhenAsked, leadingSystem}, srcAdaptive, "2026-11"},
	{"claude-sonnet-4-6*", traits{thinksWhenAsked, leadingSystem}, srcAdaptive, "2026-11"},
	{"claude-opus-4-7*", traits{thinksWhenAsked, leadingSystem}, srcAdaptive, "2026-11"},
	{"claude-opus-4-8*", traits{midwaySystem, thinksWhenAsked}, srcOpus5, "2026-11"},
	{"claude-opus-4*", oldClaude, srcPrefill, "2026-10"},
	{"claude-sonnet-4*", oldClaude, srcPrefill, "2026-10"},
	{"claude-haiku-4*", oldClaude, srcPrefill, "2026-10"},
	{"claude-opus-5*", newClaude, srcOpus5, "2026-11"},
	{"claude-sonnet-5*", newClaude, srcSystem, "2026-11"},
	{"claude-haiku-5*", newClaude, srcSystem, "2026-11"},
	{"claude-fable-5*", newClaude, srcAdaptive, "2026-11"},
	{"claude-mythos-*", newClaude, srcAdaptive, "2026-11"},
}

// Sets of traits that several rows share.
var (
	oldestClaude = traits{takesPrefill, thinksWhenAsked, leadingSystem, takesMislabelled}
	oldClaude    = traits{takesPrefill, thinksWhenAsked, leadingSystem}
	newClaude    = traits{midwaySystem, thinksUnasked}
)

const (
	srcPrefill = "https://github.com/ericc-ch/copilot-api/pull/261"
	srcSystem  = "https://docs.rs/gproxy-transform/2.6.1/src/gproxy_transform/transform/common/" +
		"claude_mid_conv_system.rs.html"
	srcAdaptive = "https://docs.aws.amazon.com/bedrock/latest/userguide/" +
		"claude-messages-adaptive-thinking.html"
	srcOpus5       = "https://platform.claude.com/docs/en/about-claude/models/whats-new-opus-5"
	srcMislabelled = "https://github.com/Arize-ai/openinference " +
		"(cassettes of its instrumentation of Anthropic, image input)"
)

// takesPrefill: the conversation may end with an assistant turn.
func takesPrefill(p *Profile) { p.Prefill.Refused = false }

// midwaySystem: system messages are accepted midway, after a user turn.
func midwaySystem(p *Profile) { p.System.Placement = SystemMidway }

// thinksWhenAsked: a request that does not mention thinking does not think.
func thinksWhenAsked(p *Profile) { p.Reasoning.Default = ThinkingOff }

// thinksUnasked: a request that does not mention thinking lets the model decide.
func thinksUnasked(p *Profile) { p.Reasoning.Default = ThinkingAdaptive }

// bindsReasoning: an edit before reasoning invalidates it.
func bindsReasoning(p *Profile) { p.Reasoning.Bound = true }

// takesMislabelled: an image may have a declared type that its bytes do not have.
func takesMislabelled(p *Profile) { p.Media.MatchType = false }

func anthropicBase() Profile {
	return Profile{
		Roles: []Role{"system", "user", "assistant"},
		IDs: IDRules{
			Call: Pattern{Alphabet: WordChars, Min: 1},
			ServerCall: Pattern{Prefix: "srvtoolu_", Alphabet: PlainChars,
				Min: len("srvtoolu_") + 1},
			Unique: ScopeHistory,
		},
		System: SystemRules{
			Placement:  SystemMidway,
			Directives: []string{"output_config"},
		},
		Turns: TurnRules{
			Required:          true,
			Neighbours:        NeighboursJoined,
			ServedBeforeCalls: true,
		},
		Prefill: PrefillRules{
			Refused: true,
			Trim:    true,
		},
		Pairing: PairingRules{
			ResultRole:  "user",
			ServedLater: true,
		},
		Tools: ToolRules{
			Name:             Pattern{Min: 1, Max: 200},
			ObjectArguments:  true,
			EncryptedResults: true,
		},
		Content: ContentRules{
			RefuseEmptyMessage:  true,
			RefuseEmptyText:     true,
			RefuseBlankText:     true,
			BlankBeside:         []Role{"assistant"},
			NoBlankBesideServed: true,
			RefusedKinds: []RefKind{{Kind: "fallback"},
				{Kind: "container_upload", Role: "assistant"}},
			ErrorNeedsText: true,
			ErrorTextOnly:  true,
		},
		Reasoning: ReasoningRules{
			Signed:            true,
			SignatureAlphabet: Base64,
		},
		Media: MediaRules{
			Roles:     []Role{"user", "tool"},
			InResult:  true,
			Kinds:     []string{"image", "document"},
			Readable:  true,
			MatchType: true,
		},
		Cache: CacheRules{
			Limit:       4,
			NoReasoning: true,
			LongFirst:   true,
		},
		Rules: map[problems.Problem]string{
			problems.InvalidUnicode:   "anthropic/lone-surrogate",
			problems.NUL:              "chat-template/nul-truncation",
			problems.NoMessages:       "anthropic/messages-empty",
			problems.FirstRole:        "anthropic/first-role-user",
			problems.Alternation:      "anthropic/alternation",
			problems.SystemRefused:    "anthropic/system-role-unsupported-model",
			problems.SystemLate:       "anthropic/system-role-unsupported-model",
			problems.SystemAfter:      "anthropic/system-role-after",
			problems.SystemBefore:     "anthropic/system-role-before",
			problems.SystemContent:    "anthropic/system-role-content",
			problems.TrailingTurn:     "anthropic/prefill-unsupported",
			problems.TrailingSpace:    "anthropic/trailing-whitespace",
			problems.EmptyMessage:     "anthropic/empty-message-content",
			problems.EmptyText:        "anthropic/empty-text-block",
			problems.BlankText:        "anthropic/whitespace-text-block",
			problems.CallMisplaced:    "anthropic/tool-use-in-user",
			problems.ResultMisplaced:  "anthropic/tool-result-in-assistant",
			problems.KindRefused:      "anthropic/output-only-blocks",
			problems.Nested:           "anthropic/output-only-blocks",
			problems.Dangling:         "anthropic/tool-result-missing",
			problems.Orphan:           "anthropic/tool-result-orphan",
			problems.DuplicateResult:  "anthropic/tool-result-duplicate",
			problems.ResultNotFirst:   "anthropic/tool-result-first",
			problems.ServerDangling:   "anthropic/server-tool-result-missing",
			problems.ServerOrphan:     "anthropic/server-tool-result-orphan",
			problems.ServerMixed:      "anthropic/server-tool-mixed-turn",
			problems.MCPPairing:       "anthropic/mcp-tool-pairing",
			problems.ServerID:         "anthropic/server-tool-id-pattern",
			problems.IDPattern:        "anthropic/tool-use-id-pattern",
			problems.IDDuplicate:      "anthropic/tool-use-id-duplicate",
			problems.NameLength:       "anthropic/tool-use-name-length",
			problems.ToolName:         "anthropic/tool-name-pattern",
			problems.Arguments:        "anthropic/tool-use-input-object",
			problems.ErrorEmpty:       "anthropic/tool-result-error-empty",
			problems.ErrorContent:     "anthropic/tool-result-error-text",
			problems.CallNotLast:      "anthropic/assistant-must-end-on-tool-use",
			problems.CallBeforeServed: "anthropic/tool-result-missing",
			problems.Unsigned:         "anthropic/thinking-signature-required",
			problems.Foreign:          "anthropic/thinking-signature-invalid",
			problems.ReasoningEmpty:   "anthropic/thinking-empty",
			problems.ReasoningOff:     "anthropic/thinking-disabled-final",
			problems.ReasoningLast:    "anthropic/thinking-final-block",
			problems.ReasoningOrder:   "anthropic/thinking-order-in-message",
			problems.ReasoningMissing: "anthropic/thinking-must-lead",
			problems.ReasoningBound:   "anthropic/thinking-binding-prefix",
			problems.OpaqueEmpty:      "anthropic/web-search-encrypted-content",
			problems.MediaRole:        "anthropic/image-in-assistant",
			problems.MediaUnreadable:  "anthropic/image-undecodable",
			problems.MediaType:        "anthropic/image-media-type-mismatch",
			problems.MediaName:        "anthropic/document-title-chars",
			problems.CacheLimit:       "anthropic/cache-control-max4",
			problems.CacheEmptyText:   "anthropic/cache-control-empty-text",
			problems.CacheReasoning:   "anthropic/cache-control-on-thinking",
			problems.CacheOrder:       "anthropic/cache-control-ttl-order",
		},
	}
}
