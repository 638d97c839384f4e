package rule

// anthropicText holds the rules of text, and of empty text, in Anthropic Messages.
var anthropicText = []Rule{
	{ID: "anthropic/citations-user-text",
		Statement: "From API version 2026-10-21 on, text of the user has no citations, in a search " +
			"result or beside one, and an assistant message has no document.",
		ErrorKind: Documented,
		Fix:       "Leave the citations out, or send an older version in anthropic-version.",
		For: []Evidence{{Kind: Stated, Seen: "2026-10",
			Source: "https://platform.claude.com/docs/en/api/versioning"}}, Coverage: Unseen,
		Reason: "The version is a header, and versions before it take citations, which are the " +
			"caller's."},
	{ID: "anthropic/empty-message-content",
		Statement: "A user message without content is refused. For assistant messages the API " +
			"has grown lenient, and older models still accept an empty one only at the very end.",
		Error: "messages.N: all messages must have non-empty content except for the optional " +
			"final assistant message",
		Fix: "Take the empty message out. preflight removes it, then repairs what its removal " +
			"changes in pairing and roles.",
		For: []Evidence{{Kind: Reported, Seen: "2026-08",
			Source: "https://github.com/anthropics/claude-code/issues/6774"}}, Cost: CostPrefix,
		Sources: []string{"https://github.com/anthropics/claude-code/issues/3196",
			"https://github.com/corespeed-io/zypher-agent/pull/122"}},
	{ID: "anthropic/empty-text-block",
		Statement: "A text block must hold text, whatever its role and place; system prompts and " +
			"tool results are no exception.",
		Error: "messages: text content blocks must be non-empty",
		Fix: "Drop the block. preflight removes it, and the message too when nothing is left in " +
			"it.",
		For: []Evidence{{Kind: Reported, Seen: "2026-09",
			Source: "https://github.com/anthropics/claude-code/issues/59812"}}, Cost: CostPrefix,
		Sources: []string{"https://github.com/stackblitz/bolt.new/issues/7426",
			"https://github.com/HKUDS/nanobot/pull/949"}},
	{ID: "anthropic/lone-surrogate",
		Statement: "A JSON string that escapes half of a surrogate pair makes the entire body " +
			"unreadable for the server.",
		Error: "The request body is not valid JSON: no low surrogate in string: line 1 column " +
			"247871 (char 247870)",
		Fix: "Replace the half character with U+FFFD. preflight does so in the raw bytes, where " +
			"a decoder would hide it; signed thinking that holds one is removed whole.",
		For: []Evidence{{Kind: Reported, Seen: "2026-05",
			Source: "https://github.com/anthropics/claude-code/issues/60394"}}, Cost: CostLoss},
	{ID: "anthropic/trailing-whitespace",
		Statement: "A prefill, where the model still takes one, cannot end in white space.",
		Error:     "messages: final assistant content cannot end with trailing whitespace",
		Fix:       "Trim it. preflight cuts the end of that one text block and nothing else.",
		For: []Evidence{{Kind: Reported, Seen: "2025-12",
			Source: "https://github.com/tailcallhq/forgecode/issues/1872"}}, Cost: CostNothing,
		Sources: []string{"https://github.com/anomalyco/opencode/issues/1295",
			"https://github.com/aaif-goose/goose/pull/5967",
			"https://github.com/tghamm/Anthropic.SDK/pull/137"}},
	{ID: "anthropic/whitespace-text-block",
		Statement: "White space alone does not make a text block of the user's, nor an assistant " +
			"message, nor the only text of one that holds calls of server tools and no others. " +
			"Beside other content of an assistant message it is accepted: the API answers in " +
			"that form itself.",
		Error: "messages: text content blocks must contain non-whitespace text",
		Fix: "Treat it as empty. preflight drops the block, except beside other content of an " +
			"assistant message, and never pads an empty one with a space.",
		For: []Evidence{
			{Kind: Reported, Seen: "2026-07",
				Source: "https://github.com/LibreChat-AI/agents/pull/124",
				Note:   "where the message has no other text; a table measured live, and the answer of a web search whose only text is blank"},
			{Kind: Reported, Seen: "2026-07",
				Source: "https://github.com/home-assistant/core/issues/175637",
				Note:   "in a user message"},
		}, Cost: CostPrefix,
		Sources: []string{"https://github.com/anomalyco/opencode/pull/3194",
			"https://github.com/anomalyco/opencode/issues/31259",
			"https://github.com/nick1udwig/kibitz/issues/78",
			"https://github.com/simonw/llm-anthropic/blob/HEAD/tests/cassettes/test_anthropic/test_tools.yaml"}},
}
