package rule

// ollama holds the rules of Ollama.
var ollama = []Rule{
	{ID: "ollama/anthropic-compat",
		Statement: "In the Anthropic format, Ollama requires id and name on every tool call and " +
			"takes images as base64 only.",
		Error: "tool_use block missing required 'id' field",
		Fix:   "Supply the id and the name on call and result.",
		For: []Evidence{{Kind: Stated, Seen: "2026",
			Source: "https://github.com/ollama/ollama/blob/v0.17.4/anthropic/anthropic.go",
			Note:   `also "invalid image source type: %s. Only base64 images are supported."`}},
		Coverage: Unseen,
		Reason: "The rule concerns Ollama's Anthropic endpoint, whose bodies are in Anthropic's " +
			"format: as such they are checked and repaired under Anthropic's rules."},
	{ID: "ollama/arguments-invalid-json",
		Statement: "In the OpenAI format, Ollama parses the arguments of past tool calls and " +
			"refuses what is not JSON.",
		Error: "invalid tool call arguments",
		Fix:   "Make the arguments an object in JSON text, with what was there preserved in it.",
		For: []Evidence{{Kind: Stated, Seen: "2026",
			Source: "https://github.com/ollama/ollama/blob/v0.17.4/openai/openai.go"}},
		Cost: CostPrefix},
	{ID: "ollama/arguments-object",
		Statement: "In its native format, Ollama takes arguments as an object; the string of the " +
			"OpenAI format is refused.",
		Error: "json: cannot unmarshal string into Go struct field " +
			"ChatRequest.messages.tool_calls.function.arguments of type " +
			"api.ToolCallFunctionArguments",
		Fix: "Decode the string into an object.",
		For: []Evidence{
			{Kind: Reported, Seen: "2025-07", Models: []string{"llama3.2*"},
				Source: "https://github.com/neuron-core/neuron-ai/issues/219"},
			{Kind: Reported, Source: "https://github.com/aliasrobotics/cai/issues/76"},
		}, Cost: CostPrefix},
	{ID: "ollama/cloud-pairing",
		Statement: "Models that Ollama runs in its cloud want a result for each call, and a call " +
			"for each result.",
		Error: "Invalid tool usage: mismatch between tool calls and tool results",
		Fix:   "Answer or remove an open call, and remove an orphan.",
		For: []Evidence{{Kind: Reported, Seen: "2025-10", Models: []string{"*-cloud", "*:cloud"},
			Source: "https://github.com/jonigl/mcp-client-for-ollama/pull/106"}},
		Sources: []string{"https://github.com/ollama/ollama/issues/12395"}, Coverage: Unseen,
		Reason: "How it matches them is not on record: they are repaired after a refusal."},
	{ID: "ollama/content-format",
		Statement: "In the OpenAI format, Ollama takes text parts and images inlined as base64, " +
			"and nothing else.",
		Error: "invalid message format",
		Fix:   "Turn other parts into text, and inline the images.",
		For: []Evidence{{Kind: Stated, Seen: "2026",
			Source: "https://github.com/ollama/ollama/blob/v0.17.4/openai/openai.go",
			Note:   "also 'invalid message content type: %T', 'image URLs are not currently supported, please use base64 encoded data instead'"}},
		Cost: CostLoss},
	{ID: "ollama/pairing-not-validated",
		Statement: "Ollama checks neither pairing nor the order of roles: the model reads calls " +
			"without results and results without calls.", ErrorKind: Inferred,
		Fix: "Leave them as they are; join what is there twice.", Severity: Degrades,
		For: []Evidence{
			{Kind: Guessed,
				Source: "https://github.com/ollama/ollama/blob/v0.17.4/server/routes.go",
				Note:   "no pairing checks"},
			{Kind: Reported, Source: "https://github.com/taketwo/llm-ollama/issues/71",
				Note: "a result without a call is taken, and the model reads it"},
		}, Cost: CostLoss},
}
