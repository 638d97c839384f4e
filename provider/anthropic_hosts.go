package provider

import "github.com/go-preflight/preflight/rule"

// bedrockAnthropic is Bedrock's InvokeModel for Claude. It fetches no media by its address ("URL
// sources are not supported").
func bedrockAnthropic(p *Profile) {
	p.Media.NoURLs = true
	p.Rules[rule.MediaRefused] = "bedrock/media-unsupported"
}

// otherVendor asks for the structure of a history alone: turns, pairs of calls and results,
// arguments. What only Anthropic verifies, counts or spells stays as the vendor made it: its
// reasoning goes back as it came, signed, signed by the vendor or unsigned, and its ids are its
// own.
//
// DeepSeek refuses a turn of tool calls without its thinking ("The `content[].thinking` in the
// thinking mode must be passed back to the API."), and signs with the id of the message; Kimi takes
// any signature; MiniMax signs with its own. No host is on record that refuses reasoning which
// Anthropic signed.
//
// Sources: NousResearch/hermes-agent#16748, #21048, #67391, #85251 and #75725, OEvortex/aether#31.
func otherVendor(p *Profile) {
	p.System.Placement = SystemAnywhere
	p.Prefill.Refused, p.Prefill.Trim = false, false
	p.Content.RefuseEmptyText, p.Content.RefuseBlankText, p.Content.RefusedKinds = false, false, nil
	p.IDs.Call, p.IDs.ServerCall = Pattern{Min: 1}, Pattern{Min: 1}
	p.IDs.Unique, p.Tools.Name, p.Content.ErrorNeedsText = ScopeTurn, Pattern{}, false
	p.Reasoning.Signed, p.Reasoning.SignatureAlphabet, p.Tools.EncryptedResults, p.Reasoning.Bound = false, AnyChars, false, false
	p.Reasoning.Default = ThinkingUnknown
	p.Media.Roles, p.Media.Kinds = nil, nil
	p.Media.Readable, p.Media.MatchType = false, false
	p.Cache.Limit, p.Cache.NoReasoning, p.Cache.LongFirst = 0, false, false
}

// deepSeekAnthropic is DeepSeek. It finds the results of a turn only where its calls come last:
// text after them makes it refuse the request for missing results (Hmbown/Codewhale#4329).
func deepSeekAnthropic(p *Profile) {
	otherVendor(p)
	p.Turns.TextBeforeCalls = true
}

const (
	srcVendors = "https://github.com/NousResearch/hermes-agent/pull/104219 (unsigned thinking of other vendors behind relays)"
	srcHosted  = "https://docs.aws.amazon.com/bedrock/latest/userguide/claude-messages-adaptive-thinking.html"
)

// anthropicHostModels are the rows for those hosts, and for models of other vendors behind hosts
// that nobody knows.
func anthropicHostModels() []Model {
	rows := []Model{
		{"anthropic", "claude-v*", oldestTraits, srcPrefill, "2026-10"},
		{"anthropic", "claude*", nil, srcSystem, "2026-11"},
		{"anthropic", "*", []Trait{OtherVendor}, srcVendors, "2026-09"},
	}
	for _, host := range []string{"bedrock-anthropic", "vertex-anthropic"} {
		rows = append(rows, hosted(host, "anthropic")...)
		rows = append(rows, Model{host, "claude-v*", oldestTraits, srcPrefill, "2026-10"}, Model{host, "*", nil, srcHosted, "2026-11"})
	}
	for _, vendor := range []string{"deepseek-anthropic", "moonshot-anthropic", "minimax-anthropic", "glm-anthropic", "vllm-anthropic"} {
		// a name of Claude's stands for a model of theirs
		rows = append(rows, Model{vendor, "*", nil, srcVendors, "2026-09"})
	}
	return rows
}
