package rule

// xai holds the rules of xAI.
var xai = []Rule{
	{
		ID:       "xai/compaction-blob-invalid",
		Provider: "xai",
		Statement: "A compaction item is sent back exactly as the compact response returned it, " +
			"to the account that made it.",
		Error: "Could not decode the compaction blob. Ensure it is unmodified from the " +
			"compact response.",
		ErrorKind: Verbatim,
		Fix:       "Send the item unchanged, or remove it and keep the readable summaries.",
		Severity:  Rejects,
		Status:    400,
		Sources:   []string{"chenyme/grok2api#688", "lidge-jun/opencodex#2228 (pull request)"},
		Coverage:  Unseen,
		Reason:    "Whether the payload verifies is known to the server alone.",
	},
	{
		ID:       "xai/content-element",
		Provider: "xai",
		Statement: "A message has at least one content element. An empty string is one, and tool " +
			"calls count as one: recordings of them without content were accepted.",
		Error:     "Invalid request content: Each message must have at least one content element.",
		ErrorKind: Quoted,
		Fix:       "Remove a message that has neither content nor tool calls.",
		Severity:  Rejects,
		Status:    400,
		Sources: []string{
			"public source (Vercel AI SDK fixture, code 'Client specified an invalid argument')",
			"public source (langchain#34140)",
			"public source (AIMessage with tool_calls)",
		},
		Coverage: Repaired,
	},
	{
		ID:       "xai/encrypted-content-invalid",
		Provider: "xai",
		Statement: "Encrypted reasoning is sent back exactly as a response returned it, to the " +
			"account that made it.",
		Error: "Could not decrypt the provided encrypted_content. Ensure the value is the " +
			"unmodified encrypted_content from a previous response.",
		ErrorKind: Verbatim,
		Fix:       "Send it unchanged, or remove the reasoning.",
		Severity:  Rejects,
		Status:    400,
		Sources:   []string{"Wei-Shaw/sub2api#4535"},
		Coverage:  Unseen,
		Reason:    "Whether the payload verifies is known to the server alone.",
	},
	{
		ID:        "xai/single-text",
		Provider:  "xai",
		Statement: "An older model took one text in the content of a message.",
		Error:     "The model expects a single `text` element per message.",
		ErrorKind: Verbatim,
		Fix:       "Join the texts of the message.",
		Severity:  Varies,
		Status:    400,
		Sources:   []string{"nocmt/LLMSearchPlus#2"},
		Coverage:  Unseen,
		Reason: "One report of 2025-02 names no model; the remedy join-texts of preflighthttp " +
			"answers the refusal.",
	},
}
