package rule

// qwen holds the rules of Qwen on DashScope.
var qwen = []Rule{
	{
		ID:       "qwen/arguments-json",
		Provider: "qwen",
		Statement: "The arguments of a tool call are the JSON text of an object; an empty " +
			"string, null, a bare string or a cut-off text is refused.",
		Error: `<400> InternalError.Algo.InvalidParameter: The "function.arguments" ` +
			`parameter of the code model must be in JSON format.`,
		ErrorKind: Verbatim,
		Fix:       "Make it the text of an object, with what was there preserved in it.",
		Severity:  Rejects,
		Status:    400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-03",
				Models: []string{"qwen3.5-plus"},
				Source: "https://github.com/HKUDS/nanobot/issues/1487",
			},
		},
		Cost:     CostPrefix,
		Coverage: Repaired,
	},
	{
		ID:        "qwen/content-missing",
		Provider:  "qwen",
		Statement: "Every message has the member content.",
		Error: "<400> InternalError.Algo.InvalidParameter: The content field is a required " +
			"field.",
		ErrorKind: Verbatim,
		Fix:       "Send an empty string beside tool calls, and remove a message that says nothing.",
		Severity:  Rejects,
		Status:    400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-06",
				Models: []string{"glm-5.1"},
				Hosts:  []string{"dashscope-intl.aliyuncs.com"},
				Source: "https://github.com/QwenLM/qwen-code/issues/5265",
			},
		},
		Cost:     CostNothing,
		Coverage: Repaired,
	},
	{
		ID:        "qwen/tool-name-search",
		Provider:  "qwen",
		Statement: "A tool cannot be named search.",
		Error:     "Tool names are not allowed to be [search]",
		ErrorKind: Verbatim,
		Fix:       "Rename it in declarations and history by one mapping.",
		Severity:  Rejects,
		Status:    400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2025-09",
				Models: []string{"*qwen3-coder-plus"},
				Source: "https://github.com/tailcallhq/forgecode/issues/1580",
			},
		},
		Cost:     CostPrefix,
		Coverage: Repaired,
	},
	{
		ID:       "qwen/tool-result-missing",
		Provider: "qwen",
		Statement: "Each tool call is answered by a tool message before anybody else speaks; the " +
			"error names a message where others name the id.",
		Error: `<400> InternalError.Algo.InvalidParameter: An assistant message with ` +
			`"tool_calls" must be followed by tool messages responding to each "tool_call_id". ` +
			`The following tool_call_ids did not have response messages: message[532].role`,
		ErrorKind: Verbatim,
		Fix:       "Move a displaced result to its call; remove a dangling call or answer it.",
		Severity:  Rejects,
		Status:    400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2025-10",
				Source: "https://github.com/QwenLM/qwen-code/issues/606",
			},
		},
		Cost: CostLoss,
		Sources: []string{
			"https://github.com/QwenLM/qwen-code/issues/869",
		},
		Coverage: Repaired,
	},
	{
		ID:        "qwen/tool-result-orphan",
		Provider:  "qwen",
		Statement: "A tool message without a call in front of it is refused.",
		Error: `<400> InternalError.Algo.InvalidParameter: messages with role "tool" must be ` +
			`a response to a preceeding message with "tool_calls".`,
		ErrorKind: Verbatim,
		Fix:       "Move it to its call, and remove it when there is none.",
		Severity:  Rejects,
		Status:    400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2025-03",
				Source: "https://github.com/philschmid/mcp-openai-gemini-llama-example/pull/5",
			},
		},
		Cost:     CostLoss,
		Coverage: Repaired,
	},
	{
		ID:        "qwen/user-missing",
		Provider:  "qwen",
		Statement: "The user speaks somewhere in the messages.",
		Error: "<400> InternalError.Algo.InvalidParameter: The input messages do not contain " +
			"elements with the role of user",
		ErrorKind: Verbatim,
		Fix:       "Where there are system messages alone, insert a user turn.",
		Severity:  Rejects,
		Status:    400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-01",
				Models: []string{"qwen3-vl-plus"},
				Source: "https://github.com/agentscope-ai/agentscope-java/issues/613",
			},
			{
				Kind: Reported, Seen: "2025-11",
				Source: "https://github.com/langfuse/langfuse/issues/10513",
			},
		},
		Cost:     CostWords,
		Coverage: Repaired,
	},
}
