package rule

// qwen holds the rules of Qwen on DashScope.
var qwen = []Rule{
	{ID: "qwen/arguments-json",
		Statement: "The arguments of a tool call are the JSON text of an object; an empty " +
			"string, null, a bare string or a cut-off text is refused.",
		Error: `<400> InternalError.Algo.InvalidParameter: The "function.arguments" parameter of ` +
			"the code model must be in JSON format.",
		Fix: "Make it the text of an object, with what was there preserved in it.",
		For: []Evidence{{Kind: Reported, Seen: "2026-03", Models: []string{"qwen3.5-plus"},
			Source: "https://github.com/HKUDS/nanobot/issues/1487"}}, Cost: CostPrefix},
	{ID: "qwen/content-missing",
		Statement: "Every message has the member content.",
		Error:     "<400> InternalError.Algo.InvalidParameter: The content field is a required field.",
		Fix:       "Send an empty string beside tool calls, and remove a message that says nothing.",
		For: []Evidence{{Kind: Reported, Seen: "2026-06", Models: []string{"glm-5.1"},
			Hosts:  []string{"dashscope-intl.aliyuncs.com"},
			Source: "https://github.com/QwenLM/qwen-code/issues/5265"}}, Cost: CostNothing},
	{ID: "qwen/tool-name-search",
		Statement: "A tool of qwen3-coder-plus cannot be named search.",
		Error:     "Tool names are not allowed to be [search]",
		Fix:       "Rename it in declarations and history by one mapping.",
		Models:    []string{"qwen3-coder-plus*"},
		For: []Evidence{{Kind: Reported, Seen: "2025-09", Models: []string{"*qwen3-coder-plus"},
			Source: "https://github.com/tailcallhq/forgecode/issues/1580"}},
		Against: []Evidence{{Kind: Recorded, Seen: "2026-02", Models: []string{"qwen-plus"},
			Source: "https://github.com/alibaba/loongsuite-python-agent/blob/HEAD/instrumentation-loongsuite/loongsuite-instrumentation-litellm/tests/cassettes/TestToolCalls.test_function_calling_with_streaming.yaml"}},
		Cost: CostPrefix},
	{ID: "qwen/tool-result-missing",
		Statement: "Each tool call is answered by a tool message before anybody else speaks; the " +
			"error names a message where others name the id.",
		Error: "<400> InternalError.Algo.InvalidParameter: An assistant message with " +
			`"tool_calls" must be followed by tool messages responding to each "tool_call_id". ` +
			"The following tool_call_ids did not have response messages: message[532].role",
		Fix: "Move a displaced result to its call; remove a dangling call or answer it.",
		For: []Evidence{{Kind: Reported, Seen: "2025-10",
			Source: "https://github.com/QwenLM/qwen-code/issues/606"}}, Cost: CostLoss,
		Sources: []string{"https://github.com/QwenLM/qwen-code/issues/869"}},
	{ID: "qwen/tool-result-orphan",
		Statement: "A tool message without a call in front of it is refused.",
		Error: `<400> InternalError.Algo.InvalidParameter: messages with role "tool" must be a ` +
			`response to a preceeding message with "tool_calls".`,
		Fix: "Move it to its call, and remove it when there is none.",
		For: []Evidence{{Kind: Reported, Seen: "2025-03",
			Source: "https://github.com/philschmid/mcp-openai-gemini-llama-example/pull/5"}},
		Cost: CostLoss},
	{ID: "qwen/user-missing",
		Statement: "The user speaks somewhere in the messages.",
		Error: "<400> InternalError.Algo.InvalidParameter: The input messages do not contain " +
			"elements with the role of user",
		Fix: "Where there are system messages alone, insert a user turn.",
		For: []Evidence{
			{Kind: Reported, Seen: "2026-01", Models: []string{"qwen3-vl-plus"},
				Source: "https://github.com/agentscope-ai/agentscope-java/issues/613"},
			{Kind: Reported, Seen: "2025-11",
				Source: "https://github.com/langfuse/langfuse/issues/10513"},
		}, Cost: CostWords},
}
