package provider

import (
	"slices"

	"github.com/go-preflight/preflight/rule/problems"
)

// This file has the hosts of Anthropic's format: clouds that serve Claude, and what vendors that
// serve models of their own share. A vendor's dialect is in the vendor's file.

// bedrockAnthropic is Bedrock's InvokeModel for Claude. It fetches no media by URL ("URL sources
// are not supported").
var bedrockAnthropic = definition{
	name:   "bedrock-anthropic",
	format: &anthropic,
	rules:  map[problems.Problem]string{problems.MediaRefused: "bedrock/media-unsupported"},
	change: func(p *Profile) { p.Media.NoURLs = true },
	models: cloudModels,
}

// vertexAnthropic is Claude on Google Cloud. Nothing is known to differ.
var vertexAnthropic = definition{
	name:   "vertex-anthropic",
	format: &anthropic,
	models: cloudModels,
}

// cloudModels are the rows of clouds that serve Claude and no other model in the format.
var cloudModels = slices.Concat(claudeModels, []row{
	{"claude-v*", oldestClaude, srcPrefill, "2026-10"},
	{"*", nil, srcAdaptive, "2026-11"},
})

// otherVendor: models of other vendors than Anthropic keep the structure of a history: turns, pairs
// of calls and results, arguments. What only Anthropic verifies, counts or spells stays as the
// vendor made it: reasoning is sent back as it came, with the vendor's signature, Anthropic's or
// none, and ids are the vendor's own.
//
// DeepSeek refuses a turn of tool calls without its thinking ("The `content[].thinking` in the
// thinking mode must be passed back to the API."), and signs with the id of the message; Kimi
// accepts any signature; MiniMax signs with its own. No host is on record that refuses reasoning
// which Anthropic signed.
//
// Sources: NousResearch/hermes-agent#16748, #21048, #67391, #85251 and #75725, OEvortex/aether#31.
func otherVendor(p *Profile) {
	p.System.Placement, p.Turns.ServedBeforeCalls = SystemAnywhere, false
	p.Prefill.Refused, p.Prefill.Trim = false, false
	p.IDs.Call, p.IDs.ServerCall = Pattern{Min: 1}, Pattern{Min: 1}
	p.IDs.Unique = ScopeTurn
	p.Tools.Name, p.Tools.EncryptedResults = Pattern{}, false
	p.Content.RefuseEmptyText, p.Content.RefuseBlankText = false, false
	p.Content.RefusedKinds, p.Content.ErrorNeedsText = nil, false
	p.Content.ErrorTextOnly = false
	delete(p.Rules, problems.Nested)
	p.Reasoning.Signed, p.Reasoning.SignatureAlphabet = false, AnyChars
	p.Reasoning.Bound, p.Reasoning.Default = false, ThinkingUnknown
	p.Media.Roles, p.Media.Kinds = nil, nil
	p.Media.Readable, p.Media.Decodable, p.Media.MatchType = false, true, false
	p.Cache.Limit, p.Cache.NoReasoning, p.Cache.LongFirst = 0, false, false
}

// otherVendorModels are the rows of a vendor that serves models of its own. There, a name of
// Claude's is an alias of such a model.
var otherVendorModels = []row{{"*", nil, srcVendors, "2026-09"}}

const srcVendors = "https://github.com/NousResearch/hermes-agent/pull/104219 " +
	"(unsigned thinking of other vendors through relays)"
