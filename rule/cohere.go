package rule

// cohere holds the rules of Cohere.
var cohere = []Rule{
	{ID: "cohere/empty-history-message",
		Statement: "In version 1 of the API, every element of the chat history has a message " +
			"that is not empty.",
		Error: "invalid request: all elements in history must have a message.",
		Fix:   "Remove the element, or fill it with a placeholder.",
		For: []Evidence{{Kind: Reported, Seen: "2024",
			Source: "https://github.com/langchain-ai/langchain-cohere/pull/15"}},
		Sources: []string{"https://github.com/kwaroran/Risuai/issues/458"}, Coverage: Unseen,
		Reason: "The rule concerns the v1 chat API, whose bodies have another shape: they are " +
			"refused as no request, by name."},
	{ID: "cohere/image-unsupported",
		Statement: "Some models read text only.",
		Error:     "invalid request: image content is not supported for this model",
		Fix:       "Replace the media by a line of text that describes it.",
		For: []Evidence{
			{Kind: Recorded, Seen: "2026-08", Models: []string{"command-r7b-12-2024"},
				Source: "https://github.com/maruel/genai/blob/HEAD/providers/cohere/testdata/TestClient/Scoreboard/command-r7b-12-2024_thinking/GenStreamMultiModal-Image-jpg-Inline.yaml"},
			{Kind: Recorded, Seen: "2026-08", Models: []string{"command-a-reasoning-08-2025"},
				Source: "https://github.com/maruel/genai/blob/HEAD/providers/cohere/testdata/TestClient/Scoreboard/command-a-reasoning-08-2025_thinking/GenStreamMultiModal-Image-jpg-Inline.yaml"},
		}, Cost: CostLoss},
	{ID: "cohere/image-user-only",
		Statement: "Only user messages hold images: system messages are text, assistant messages " +
			"text and thinking, tool messages text and documents.", ErrorKind: Documented,
		Fix: "Move the image to a user message, or leave a line of text in its place.",
		For: []Evidence{{Kind: Stated, Seen: "2026",
			Source: "https://github.com/cohere-ai/cohere-go/blob/v2.16.1/v_2.go",
			Note:   "Content, SystemMessageV2ContentItem, AssistantMessageV2ContentItem, ToolContent"}},
		Cost:    CostLoss,
		Sources: []string{"https://docs.cohere.com/reference/chat"}},
	{ID: "cohere/message-and-tool-results",
		Statement: "In version 1 of the API, a multistep request sends a message or tool " +
			"results, and cannot do both.",
		Error: "invalid request: cannot specify both message and tool_results in multistep mode",
		Fix:   "Put an assistant turn after the tool results, or use version 2.",
		For: []Evidence{{Kind: Reported, Seen: "2025-08",
			Source: "https://github.com/cohere-ai/cohere-python/issues/525"}},
		Sources: []string{"https://github.com/oracle/langchain-oracle/pull/9"}, Coverage: Unseen,
		Reason: "The rule concerns the v1 chat API, whose bodies have another shape: they are " +
			"refused as no request, by name."},
	{ID: "cohere/message-empty",
		Statement: "In version 1 of the API, a request without tool results needs a message of " +
			"at least one token.",
		Error: "invalid request: message must be at least 1 token long or tool results must be " +
			"specified.",
		Fix: "Send a message; a sanitizer can only return an error.",
		For: []Evidence{{Kind: Reported, Seen: "2024",
			Source: "https://github.com/kwaroran/Risuai/issues/504"}}, Coverage: Unseen,
		Reason: "The rule concerns the v1 chat API, whose bodies have another shape: they are " +
			"refused as no request, by name."},
	{ID: "cohere/tool-content-required",
		Statement: "A tool message has content: a text or a list, for which no least length is " +
			"stated.", ErrorKind: Documented,
		Fix: "Give it an empty text.",
		For: []Evidence{{Kind: Stated, Seen: "2026",
			Source: "https://github.com/cohere-ai/cohere-go/blob/v2.16.1/v_2.go",
			Note:   "ToolMessageV2: content is always sent; that of an assistant message is not"}},
		Cost:    CostNothing,
		Sources: []string{"https://docs.cohere.com/reference/chat"}},
	{ID: "cohere/tool-result-missing",
		Statement: "Command A and version 2 of the API want each tool call answered by a tool " +
			"message at once. A message without content between the two is in the way too.",
		Error: "invalid request: An assistant message with 'tool_calls' must be followed by tool " +
			"messages responding to each 'tool_call_id'. The following tool_call_ids did not " +
			"have response messages: ",
		Fix: "Move a displaced result to its call; remove a dangling call or answer it. Remove " +
			"an empty message in between.",
		For: []Evidence{{Kind: Reported, Seen: "2026-09",
			Source: "https://github.com/oracle/langchain-oracle/issues/10"}}, Cost: CostLoss,
		Sources: []string{"https://github.com/ethz-spylab/agentdojo/pull/200"}},
	{ID: "cohere/tool-results-need-tools",
		Statement: "In version 1 of the API, a request that sends tool results also declares the " +
			"tools.", ErrorKind: Documented,
		Fix: "Declare a minimal tool for every name in the results.",
		For: []Evidence{{Kind: Stated,
			Source: "https://github.com/cohere-ai/cohere-go/blob/v2.15.3/types.go"}},
		Coverage: Unseen,
		Reason: "The rule concerns the v1 chat API, whose bodies have another shape: they are " +
			"refused as no request, by name."},
}
