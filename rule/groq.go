package rule

// groq holds the rules of Groq.
var groq = []Rule{
	{ID: "groq/image-unsupported",
		Statement: "Models that read text only take texts as content, alone or in a list, and no " +
			"image.",
		Error: "messages[0].content must be a string",
		Fix:   "Replace the media by a line of text that describes it.",
		For: []Evidence{
			{Kind: Recorded, Seen: "2026-08", Models: []string{"openai/gpt-oss*", "gpt-oss*"},
				Source: "https://github.com/maruel/genai/blob/HEAD/providers/groq/testdata/TestClient/Scoreboard/openai/gpt-oss-120b_thinking/GenStreamMultiModal-Image-jpg-Inline.yaml"},
			{Kind: Recorded, Seen: "2026-08", Models: []string{"groq/compound*", "compound*"},
				Source: "https://github.com/maruel/genai/blob/HEAD/providers/groq/testdata/TestClient/Scoreboard/groq/compound_thinking/GenStreamMultiModal-Image-jpg-Inline.yaml"},
		}, Cost: CostLoss},
	{ID: "groq/tool-fields",
		Statement: "Tool calls state their type, tool messages their call id, and both have " +
			"content as a string.",
		Error: "'messages.4' : for 'role:tool' the following must be " +
			"satisfied[('messages.4.tool_call_id' : property 'tool_call_id' is missing)]",
		Fix: "Fill in the type, take the id from the call, and flatten the content.",
		For: []Evidence{{Kind: Reported,
			Source: "https://github.com/OpenHands/OpenHands/issues/4643"}}, Cost: CostNothing},
	{ID: "groq/unknown-property",
		Statement: "Message objects are validated against a closed schema: reasoning_content, " +
			"refusal, annotations and private keys are refused, and reasoning by models that do " +
			"not think.",
		Error: "'messages.2' : for 'role:assistant' the following must be " +
			"satisfied[('messages.2' : property 'reasoning' is unsupported, did you mean 'role'?)]",
		Fix: "Send the role, content, name, reasoning, tool calls and call id, and strip the rest.",
		For: []Evidence{
			{Kind: Reported, Seen: "2026-08",
				Source: "https://github.com/tashfeenahmed/freellmapi/issues/1070"},
			{Kind: Reported, Seen: "2025-04",
				Models: []string{"deepseek-r1-distill-llama-70b"},
				Source: "https://github.com/karthink/gptel/issues/774"},
			{Kind: Reported, Seen: "2025-08", Models: []string{"kimi-k2-instruct*"},
				Source: "https://github.com/vercel/ai/pull/8057",
				Note:   "reasoning, even empty"},
		}, Cost: CostLoss},
}
