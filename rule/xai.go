package rule

// xai holds the rules of xAI.
var xai = []Rule{
	{ID: "xai/arguments-json",
		Statement: "The arguments of a tool call are JSON text; an empty string is none.",
		Error: "The arguments to a tool_call with ID 'call_abc' are not a valid JSON string. " +
			`Parsing error: Error("EOF while parsing a value", line: 1, column: 0)`,
		Fix: "Make it the text of an object, with what was there preserved in it.",
		For: []Evidence{{Kind: Reported, Seen: "2025-02", Models: []string{"grok-2*"},
			Source: "https://github.com/spiceai/spiceai/issues/4734"}}, Cost: CostPrefix},
	{ID: "xai/compaction-blob-invalid",
		Statement: "A compaction item is sent back exactly as the compact response returned it, " +
			"to the account that made it.",
		Error: "Could not decode the compaction blob. Ensure it is unmodified from the compact " +
			"response.",
		Fix: "Send the item unchanged, or remove it and keep the readable summaries.",
		For: []Evidence{{Kind: Reported, Seen: "2026-11",
			Source: "https://github.com/chenyme/grok2api/issues/688"}},
		Sources: []string{"https://github.com/lidge-jun/opencodex/pull/2228"}, Coverage: Unseen,
		Reason: "Whether the payload verifies is known to the server alone."},
	{ID: "xai/content-element",
		Statement: "A message has at least one content element. An empty string is one, and tool " +
			"calls count as one: recordings of them without content were accepted.",
		Error:     "Invalid request content: Each message must have at least one content element.",
		ErrorKind: Quoted,
		Fix:       "Remove a message that has neither content nor tool calls.",
		For: []Evidence{
			{Kind: Reported, Seen: "2026-03",
				Source: "https://github.com/AstrBotDevs/AstrBot/pull/6551"},
			{Kind: Reported, Seen: "2025-11", Models: []string{"grok-4-1-fast-reasoning"},
				Source: "https://github.com/langchain-ai/langchain/issues/34140",
				Note:   "content null or [] beside tool calls"},
		},
		Against: []Evidence{{Kind: Recorded, Seen: "2025-08", Models: []string{"grok-4-0709"},
			Source: "https://github.com/llmrb/llm/blob/HEAD/spec/fixtures/cassettes/xai/chat/llm_function_multiple.yml",
			Note:   "content null beside tool calls"}}, Cost: CostNothing},
	{ID: "xai/encrypted-content-invalid",
		Statement: "Encrypted reasoning is sent back exactly as a response returned it, to the " +
			"account that made it.",
		Error: "Could not decrypt the provided encrypted_content. Ensure the value is the " +
			"unmodified encrypted_content from a previous response.",
		Fix: "Send it unchanged, or remove the reasoning.",
		For: []Evidence{{Kind: Reported, Seen: "2026-11",
			Source: "https://github.com/Wei-Shaw/sub2api/issues/4535"}}, Coverage: Unseen,
		Reason: "Whether the payload verifies is known to the server alone."},
	{ID: "xai/single-text",
		Statement: "An older model took one text in the content of a message.",
		Error:     "The model expects a single `text` element per message.",
		Fix:       "Join the texts of the message.", Severity: Varies,
		For: []Evidence{{Kind: Reported, Seen: "2025-02",
			Source: "https://github.com/nocmt/LLMSearchPlus/issues/2"}}, Coverage: Unseen,
		Reason: "One report of 2025-02 names no model; the remedy join-texts of preflighthttp " +
			"answers the refusal."},
}
