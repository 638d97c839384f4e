package rule

// openaiChatTools holds the rules of tool calls and results in OpenAI Chat Completions.
var openaiChatTools = []Rule{
	{ID: "openai-chat/arguments-not-json",
		Statement: "The arguments of a tool call are a string. OpenAI does not look inside it on " +
			"replay, and takes back what its own models cut off; hosts that insist on a JSON " +
			"object have rules of their own.", ErrorKind: Inferred,
		Fix: "Send a string. Where the host wants an object, preflight repairs what it can and " +
			"preserves the rest inside one.", Severity: Varies,
		For: []Evidence{{Kind: Reported, Seen: "2026-11",
			Hosts:  []string{"api.minimax.io", "api.minimaxi.com"},
			Source: "https://github.com/NousResearch/hermes-agent/issues/12167"}},
		Against: []Evidence{
			{Kind: Recorded, Seen: "2026-11", Models: []string{"gpt-4o-mini"},
				Hosts:  []string{"api.openai.com"},
				Source: "https://github.com/0xPlaygrounds/rig/blob/HEAD/tests/cassettes/openai/chat_terminal_metadata_matrix/blocking_gpt_4o_mini_tiny_tool.yaml"},
			{Kind: Recorded, Seen: "2026-11", Models: []string{"llama-3.3-70b-versatile"},
				Hosts:  []string{"api.groq.com"},
				Source: "https://github.com/0xPlaygrounds/rig/blob/HEAD/tests/cassettes/groq/agent_tool_sessions/parallel_tool_calls_single_turn_streaming.yaml"},
		}, Cost: CostPrefix},
	{ID: "openai-chat/empty-tool-calls",
		Statement: "An empty list of tool calls is refused; the key is either absent or lists a " +
			"call.",
		Error: "Invalid 'messages[1].tool_calls': empty array. Expected an array with minimum " +
			"length 1, but got an empty array instead.",
		Fix: "Remove the key. preflight does, and leaves the message as it is otherwise.",
		For: []Evidence{
			{Kind: Reported, Seen: "2025-01", Models: []string{"gpt-4o-mini"},
				Source: "https://github.com/openai/openai-python/issues/2061"},
			{Kind: Reported, Seen: "2026-03", Models: []string{"qwen*"},
				Hosts:  []string{"*dashscope*.aliyuncs.com"},
				Source: "https://github.com/smallmain/vscode-unify-chat-provider/pull/65",
				Note:   "Empty tool_calls is not supported in message"},
		},
		Against: []Evidence{
			{Kind: Recorded, Seen: "2026-11", Models: []string{"mistral-large-latest"},
				Hosts:  []string{"api.mistral.ai"},
				Source: "https://github.com/pydantic/pydantic-ai/blob/HEAD/tests/models/cassettes/test_mistral/test_mistral_history_uses_prompt_cache.yaml"},
			{Kind: Recorded, Seen: "2026-11", Models: []string{"command-a-03-2025"},
				Hosts:  []string{"api.cohere.com"},
				Source: "https://github.com/0xPlaygrounds/rig/blob/HEAD/tests/cassettes/cohere/agent/multiturn_history_is_accepted.yaml"},
		}, Cost: CostNothing},
	{ID: "openai-chat/function-name-pattern",
		Statement: "A function name has 1 to 64 letters, digits, underscores and hyphens, in " +
			"declarations as in past calls.",
		Error: "Invalid 'tools[0].function.name': string does not match pattern. Expected a " +
			"string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
		Fix: "Rename it everywhere at once. preflight uses one mapping for tools and history.",
		For: []Evidence{{Kind: Reported, Seen: "2026-05",
			Source: "https://github.com/hackers365/xiaozhi-esp32-server-golang/issues/268"}},
		Cost: CostPrefix},
	{ID: "openai-chat/tool-call-id-duplicate",
		Statement: "Two calls of one turn cannot share an id, nor can two results. The text on " +
			"record was captured from DeepSeek.",
		Error: "Duplicate value for 'tool_call_id' of call_00_abc in message[2]",
		Fix: "Tell them apart. preflight renames the second call with its result, and drops a " +
			"result that merely repeats another.",
		For: []Evidence{{Kind: Reported, Seen: "2024-06",
			Source: "https://github.com/fatwang2/search2ai/issues/30"}}, Cost: CostPrefix},
	{ID: "openai-chat/tool-call-id-length",
		Statement: "A tool call id is limited to 40 characters, on the call and on its result.",
		Error: "Invalid 'messages[2].tool_calls[0].id': string too long. Expected a string with " +
			"maximum length 40, but got a string with length 41 instead.",
		Fix: "Shorten it on both sides. preflight derives a stable short id that collides with " +
			"no other.",
		For: []Evidence{{Kind: Reported, Seen: "2026-02",
			Source: "https://github.com/anomalyco/opencode/issues/12653"}}, Cost: CostPrefix},
	{ID: "openai-chat/tool-message-image",
		Statement: "Images belong to user messages; a tool message cannot carry one.",
		Error: "Invalid 'messages[3]'. Image URLs are only allowed for messages with role " +
			"'user', but this message with role 'tool' contains an image URL.",
		Fix: "Show it from the user's side. preflight leaves a line of text in the result and " +
			"puts the images into one user turn after the run of results.",
		For: []Evidence{
			{Kind: Reported, Seen: "2026-09", Note: "cited in public source",
				Source: "https://github.com/strands-agents/sdk-python/issues/320"},
			{Kind: Reported, Seen: "2026-09", Models: []string{"deepseek-v4-flash"},
				Source: "https://github.com/NousResearch/hermes-agent/pull/109707"},
		}, Cost: CostWords},
	{ID: "openai-chat/tool-result-missing",
		Statement: "After an assistant message with tool calls come its tool messages, one for " +
			"each call, before anybody else speaks.",
		Error: "An assistant message with 'tool_calls' must be followed by tool messages " +
			"responding to each 'tool_call_id'. The following tool_call_ids did not have " +
			"response messages: call_XXXX",
		Fix: "Supply the answer or take the call back. preflight first looks for a displaced " +
			"result and moves it, then removes the dangling call or answers it with an error " +
			"text, as the options say.",
		For: []Evidence{{Kind: Reported, Seen: "2026-07",
			Source: "https://github.com/BerriAI/litellm/issues/10083"}}, Cost: CostLoss,
		Sources: []string{"https://github.com/aliasrobotics/cai/issues/111",
			"https://github.com/langchain-ai/open_deep_research/issues/164",
			"https://github.com/BerriAI/litellm/issues/28995"}},
	{ID: "openai-chat/tool-result-orphan",
		Statement: "A tool message is accepted only in the run after an assistant message that " +
			"made its call.",
		Error: "Invalid parameter: messages with role 'tool' must be a response to a preceeding " +
			"message with 'tool_calls'.",
		Fix: "Bring it to its call. preflight moves a displaced result, and removes a true " +
			"orphan or keeps it as user text, as the options say.",
		For: []Evidence{
			{Kind: Reported, Seen: "2025-01", Models: []string{"gpt-4-turbo"},
				Source: "https://github.com/smarter-sh/smarter/issues/264"},
			{Kind: Reported, Seen: "2025-05",
				Source: "https://github.com/dimagi/open-chat-studio/issues/1659"},
		},
		Against: []Evidence{{Kind: Recorded, Seen: "2025", Models: []string{"llama3.2*"},
			Hosts:  []string{"localhost:11434"},
			Source: "https://github.com/llamastack/llama-stack/tree/main/tests/integration/tool_runtime/recordings",
			Note:   "Ollama, a second result of a call after the assistant's text"}}, Cost: CostLoss},
	{ID: "openai-chat/tools-max",
		Statement: "A request declares at most 128 tools.",
		Error: "Invalid 'tools': array too long. Expected an array with maximum length 128, but " +
			"got an array with length 150 instead.", ErrorKind: Quoted,
		Fix: "Declare fewer.",
		For: []Evidence{{Kind: Reported, Seen: "2025-07",
			Source: "https://github.com/keinsaasforever/better-chatbot/issues/197"}},
		Coverage: Unseen,
		Reason:   "It is a limit on size, and which tools to drop is the caller's choice."},
	{ID: "openai-chat/tools-reasoning-effort",
		Statement: "Some newer models do not combine function tools with reasoning on this " +
			"endpoint.",
		Error: "...use /v1/responses or set reasoning_effort to 'none'",
		Fix:   "Send the request to the Responses endpoint, or set `reasoning_effort` to `none`.",
		For: []Evidence{{Kind: Reported, Seen: "2026-05", Models: []string{"gpt-5.4*"},
			Source: "https://github.com/openai/openai-openapi/issues/541"}}, Coverage: Unseen,
		Reason: "The caller chooses the endpoint; the history does not."},
}
