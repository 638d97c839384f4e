package rule

// anthropicSystem holds the rules of system messages in the list of Anthropic Messages.
var anthropicSystem = []Rule{
	{ID: "anthropic/system-role-after",
		Statement: "A mid-conversation system message follows a user message, or an assistant " +
			"turn whose last block is a server tool result.",
		Error: "messages.2: role 'system' must follow a 'user' message or an 'assistant' message " +
			"ending in a server tool result; the directive-only form (content: [] with " +
			"output_config) is accepted at any position",
		Fix: "Move it to such a place. Where there is none, preflight turns it into user text in " +
			"place.",
		For: []Evidence{{Kind: Stated, Seen: "2026-10",
			Source: "https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages"}},
		Cost:    CostPrefix,
		Sources: []string{"https://platform.claude.com/docs/en/about-claude/models/whats-new-opus-5"}},
	{ID: "anthropic/system-role-before",
		Statement: "What follows a system message in mid-conversation is an assistant message, " +
			"or nothing at all. Neighbouring system messages count as one.",
		Error: "messages.1: role 'system' must precede an 'assistant' message or end the array; " +
			"the directive-only form (content: [] with output_config) is accepted at any position",
		Fix: "Let the model answer next. preflight turns the message into a user message in place.",
		For: []Evidence{{Kind: Reported, Seen: "2026-07",
			Source: "https://github.com/anthropics/claude-code/issues/73821"}}, Cost: CostPrefix},
	{ID: "anthropic/system-role-content",
		Statement: "A system message in mid-conversation needs at least one block, and takes " +
			"text, tool additions and tool removals only.",
		Error: "messages.1: system content must contain at least one block", ErrorKind: Quoted,
		Fix: "Keep it to text. preflight removes an empty one, and turns one with other content " +
			"into a user message.",
		For: []Evidence{{Kind: Reported, Seen: "2026-09",
			Source: "https://github.com/langchain-ai/langchain/pull/40758",
			Note:   "the documentation names text and tool changes only"}}, Cost: CostPrefix},
	{ID: "anthropic/system-role-leading",
		Statement: "The opening instructions have a field of their own; a system message cannot " +
			"be the first of the list.",
		Error: "messages.0: use the top-level 'system' parameter for the initial system prompt; " +
			"the directive-only form (content: [] with output_config) is accepted at any position",
		Fix: "Send them as the top-level `system`. preflight moves leading system messages there.",
		For: []Evidence{{Kind: Reported, Seen: "2026-08", Models: []string{"claude-opus-5"},
			Source: "https://github.com/diegosouzapw/OmniRoute/pull/10457"}}, Cost: CostNothing},
	{ID: "anthropic/system-role-unsupported-model",
		Statement: "Models older than Opus 4.8 and Sonnet 5 take no system message among the " +
			"others.",
		Error: "role 'system' is not supported on this model",
		Fix: "Say it as the user. preflight turns the message into user text in place, so that " +
			"the prefix before it stays the same.",
		For: []Evidence{{Kind: Reported, Seen: "2026-09",
			Source: "https://docs.rs/gproxy-transform/2.6.1/src/gproxy_transform/transform/common/claude_mid_conv_system.rs.html"}},
		Cost: CostPrefix},
}
