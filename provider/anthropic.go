package provider

// Anthropic returns the profile of the Anthropic Messages API. Other hosts of the format have
// dialects of it.
//
// It restricts what the API was seen to refuse, and no more: consecutive messages of one role, a
// leading assistant message, white space beside other content of an assistant message, text after a
// tool call, and tool blocks without declared tools are accepted and stay.
func Anthropic(model string) *Profile { return anthropic.forModel(model) }

// Models of Claude, wherever they are hosted. Models of other vendors, which other hosts serve in
// the format, keep the structure of a history: turns, pairs of calls and results, arguments. What
// only Anthropic verifies, counts or spells stays as the vendor made it: reasoning is sent back as it
// came, with the vendor's signature, Anthropic's or none, and ids are the vendor's own.
//
// DeepSeek refuses a turn of tool calls without its thinking ("The `content[].thinking` in the
// thinking mode must be passed back to the API."), and signs with the id of the message; Kimi
// accepts any signature; MiniMax signs with its own. No host is on record that refuses reasoning
// which Anthropic signed.
//
// Sources: NousResearch/hermes-agent#16748, #21048, #67391, #85251, #75725 and #104219,
// OEvortex/aether#31.
const (
	claude       = "claude*"
	claudeOldest = "claude-2* claude-v* claude-instant* claude-3*" // up to the third generation
	claudeOld    = "claude-opus-4* claude-sonnet-4* claude-haiku-4*"
	claude46     = "claude-opus-4-6* claude-sonnet-4-6* claude-opus-4-7*" // these and 4.8 are not old
	claudeNew    = "claude-opus-5* claude-sonnet-5* claude-haiku-5* claude-fable-5* claude-mythos-*"
)

// anthropic's rows without a host hold for Claude on Bedrock, too.
var anthropic = definition{
	name:   "anthropic",
	family: "claude",
	layout: Profile{
		Roles:   []Role{"system", "user", "assistant"},
		System:  SystemRules{Directives: []string{"output_config"}},
		Turns:   TurnRules{Required: true, Neighbours: NeighboursJoined},
		Pairing: PairingRules{ResultRole: "user", ServedLater: true},
		Content: ContentRules{BlankBeside: []Role{"assistant"}, NoBlankBesideServed: true},
		Media:   MediaRules{InResult: true},
	},
	rows: []row{
		{rule: "anthropic/lone-surrogate", is: "invalid-unicode"},
		{rule: "chat-template/nul-truncation", is: "nul-character"},
		{rule: "anthropic/messages-empty", is: "no-messages"},
		{rule: "anthropic/first-role-user", is: "first-role"},
		{rule: "anthropic/alternation", is: "alternation"},
		{rule: "anthropic/system-role-content", is: "system-content"},
		{rule: "anthropic/tool-use-in-user", is: "call-misplaced"},
		{rule: "anthropic/tool-result-in-assistant", is: "result-misplaced"},
		{rule: "anthropic/tool-result-missing", is: "dangling"},
		{rule: "anthropic/tool-result-orphan", is: "orphan"},
		{rule: "anthropic/tool-result-duplicate", is: "duplicate-result"},
		{rule: "anthropic/tool-result-first", is: "result-not-first"},
		{rule: "anthropic/server-tool-result-missing", is: "server-dangling", at: "anthropic"},
		{rule: "anthropic/server-tool-result-orphan", is: "server-orphan", at: "anthropic"},
		{rule: "anthropic/server-tool-mixed-turn", is: "server-mixed", at: "anthropic"},
		{rule: "anthropic/mcp-tool-pairing", is: "mcp-pairing", at: "anthropic"},
		{rule: "anthropic/assistant-must-end-on-tool-use", is: "call-not-last"},
		{rule: "anthropic/thinking-empty", is: "reasoning-empty"},
		{rule: "anthropic/thinking-disabled-final", is: "reasoning-off"},
		{rule: "anthropic/thinking-final-block", is: "reasoning-last"},
		{rule: "anthropic/thinking-order-in-message", is: "reasoning-order"},
		{rule: "anthropic/thinking-must-lead", is: "reasoning-missing"},
		{rule: "anthropic/thinking-binding-prefix", is: "reasoning-bound"},
		{rule: "anthropic/document-title-chars", is: "media-name"},
		{rule: "anthropic/cache-control-empty-text", is: "cache-empty-text"},

		{rule: "anthropic/empty-message-content", set: "Content.RefuseEmptyMessage", to: true},
		{rule: "anthropic/tool-use-input-object", set: "Tools.ObjectArguments", to: true},
		{at: "anthropic", set: "IDs.Call IDs.ServerCall", to: Pattern{Min: 1}},
		{rule: "anthropic/tool-use-id-duplicate", at: "anthropic", set: "IDs.Unique", to: ScopeTurn},
		{rule: "anthropic/image-undecodable", not: claude, set: "Media.Decodable", to: true},

		// What Claude refuses, and Anthropic, which verifies, counts and spells.
		{rule: "anthropic/system-role-after", is: "system-after", at: "anthropic", of: claude,
			set: "System.Placement", to: SystemMidway},
		{rule: "anthropic/system-role-after", is: "system-after", of: claudeNew + " claude-opus-4-8*",
			set: "System.Placement", to: SystemMidway},
		{rule: "anthropic/system-role-before", is: "system-before"},
		{rule: "anthropic/system-role-unsupported-model", is: "system-refused system-late",
			of: claudeOldest + " " + claudeOld, not: "claude-opus-4-8*",
			set: "System.Placement", to: SystemLeading},
		{rule: "anthropic/prefill-unsupported", of: claude, not: claudeOldest + " " + claudeOld,
			set: "Prefill.Refused", to: true},
		{rule: "anthropic/trailing-whitespace", of: claude, set: "Prefill.Trim", to: true},
		{of: claudeOldest + " " + claudeOld, set: "Reasoning.Default", to: ThinkingOff},
		{of: claudeNew, set: "Reasoning.Default", to: ThinkingAdaptive},

		{rule: "anthropic/tool-result-missing", at: "anthropic", of: claude,
			set: "Turns.ServedBeforeCalls", to: true},
		{rule: "anthropic/empty-text-block", at: "anthropic", of: claude,
			set: "Content.RefuseEmptyText", to: true},
		{rule: "anthropic/whitespace-text-block", at: "anthropic", of: claude,
			set: "Content.RefuseBlankText", to: true},
		{rule: "anthropic/output-only-blocks", at: "anthropic", of: claude,
			set: "Content.RefusedKinds", to: outputOnly},
		{rule: "anthropic/output-only-blocks", is: "nested", at: "anthropic", of: claude},
		{rule: "anthropic/tool-use-id-pattern", at: "anthropic", of: claude,
			is: "id-pattern", set: "IDs.Call", to: Pattern{Alphabet: WordChars, Min: 1}},
		{rule: "anthropic/server-tool-id-pattern", at: "anthropic", of: claude, set: "IDs.ServerCall",
			to: Pattern{Prefix: "srvtoolu_", Alphabet: PlainChars, Min: len("srvtoolu_") + 1}},
		{rule: "anthropic/tool-use-id-duplicate", of: claude, set: "IDs.Unique", to: ScopeHistory},
		{rule: "anthropic/tool-use-name-length", at: "anthropic", of: claude,
			is: "tool-name-length", set: "Tools.Name", to: Pattern{Min: 1, Max: 200}},
		{rule: "anthropic/tool-name-pattern", is: "tool-name-pattern"},
		{rule: "anthropic/tool-result-error-empty", at: "anthropic", of: claude,
			set: "Content.ErrorNeedsText", to: true},
		{rule: "anthropic/tool-result-error-text", of: claude, set: "Content.ErrorTextOnly", to: true},
		{rule: "anthropic/web-search-encrypted-content", at: "anthropic", of: claude,
			set: "Tools.EncryptedResults", to: true},
		{rule: "anthropic/thinking-signature-required", of: claude, set: "Reasoning.Signed", to: true},
		{rule: "anthropic/thinking-signature-invalid", of: claude,
			set: "Reasoning.SignatureAlphabet", to: Base64},
		{rule: "anthropic/image-in-assistant", at: "anthropic", of: claude,
			set: "Media.Roles", to: []Role{"user", "tool"}},
		{of: claude, set: "Media.Kinds", to: []string{"image", "document"}},
		{rule: "anthropic/image-undecodable", of: claude, set: "Media.Readable", to: true},
		{rule: "anthropic/image-media-type-mismatch", of: claude, not: claudeOldest,
			set: "Media.MatchType", to: true},
		{rule: "anthropic/cache-control-max4", at: "anthropic", of: claude, set: "Cache.Limit", to: 4},
		{rule: "anthropic/cache-control-on-thinking", at: "anthropic", of: claude,
			set: "Cache.NoReasoning", to: true},
		{rule: "anthropic/cache-control-ttl-order", at: "anthropic", of: claude,
			set: "Cache.LongFirst", to: true},
	},
}

// outputOnly are the blocks that only answers have, or only the user may send.
var outputOnly = []RefKind{{Kind: "fallback"}, {Kind: "container_upload", Role: "assistant"}}

// bedrockAnthropic is Bedrock's InvokeModel for Claude. It fetches no media by URL ("URL sources
// are not supported").
var bedrockAnthropic = definition{
	name: "bedrock-anthropic", format: &anthropic, family: "claude", only: true,
	rows: []row{{rule: "bedrock/media-unsupported", set: "Media.NoURLs", to: true}},
}

// Claude on Google Cloud, and OpenRouter's endpoint for the format. Nothing is known to differ.
var (
	vertexAnthropic = definition{
		name: "vertex-anthropic", format: &anthropic, family: "claude", only: true,
	}
	openRouterAnthropic = definition{
		name: "openrouter-anthropic", format: &anthropic, family: "claude",
	}
)

// vllmAnthropic is vLLM's endpoint for the format.
var vllmAnthropic = otherVendor("vllm-anthropic")

// otherVendor returns the definition of a host that serves models of its own in Anthropic's format.
// There, a name of Claude's is an alias of such a model.
func otherVendor(name string, rows ...row) definition {
	return definition{name: name, format: &anthropic, family: "other", aliases: true, rows: rows}
}
