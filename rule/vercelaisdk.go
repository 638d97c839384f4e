package rule

// vercelAISDK holds the rules of the Vercel AI SDK, which validates on the client.
var vercelAISDK = []Rule{
	{ID: "vercel-ai-sdk/invalid-prompt",
		Statement: "The SDK itself rejects an empty prompt, a message outside its schema, and a " +
			"system message among the others.",
		Error:    "messages must not be empty",
		Fix:      "Convert the messages to its model form, and give the system text as instructions.",
		Severity: Throws,
		For: []Evidence{{Kind: Stated, Seen: "2026-08",
			Source: "https://github.com/vercel/ai/blob/HEAD/packages/ai/src/prompt/standardize-prompt.ts",
			Note:   "also: 'prompt or messages must be defined', 'prompt and messages cannot be defined at the same time', 'System messages are not allowed in the prompt or messages fields. Use the instructions option instead.', 'The messages do not match the ModelMessage[] schema.'"}},
		Coverage: Unseen,
		Reason: "The SDK checks its own messages in the caller's process before it makes a " +
			"request, so a body that breaks this never goes over the wire; an empty history is " +
			"refused, and a leading system message kept, by the rules of the provider it is for."},
	{ID: "vercel-ai-sdk/missing-tool-results",
		Statement: "The SDK itself throws when the conversation moves on, or ends, before every " +
			"tool call has its result. Calls that the provider executes, and approved ones, are " +
			"exempt.",
		Error: "Tool result is missing for tool call call_1.",
		Fix:   "Add an error result for each open call, or remove the call.", Severity: Throws,
		For: []Evidence{{Kind: Stated, Seen: "2026-08",
			Source: "https://github.com/vercel/ai/blob/HEAD/packages/ai/src/error/missing-tool-result-error.ts"}},
		Sources: []string{
			"https://github.com/vercel/ai/blob/HEAD/packages/ai/src/prompt/convert-to-language-model-prompt.ts"},
		Coverage: Unseen,
		Reason: "The SDK checks its own messages in the caller's process before it makes a " +
			"request, so a body that breaks this never goes over the wire; an open call in a " +
			"body of any provider is repaired by that provider's rules."},
}
