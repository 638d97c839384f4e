package rule

// deepseek holds the rules of DeepSeek.
var deepseek = []Rule{
	{ID: "deepseek/assistant-empty",
		Statement: "An assistant message has content or tool calls; an empty string counts as " +
			"content, null does not.",
		Error: "Invalid assistant message: content or tool_calls must be set",
		Fix:   "Set an empty string, or remove the message.",
		For: []Evidence{{Kind: Reported, Seen: "2025-01",
			Source: "https://github.com/carlrobertoh/ProxyAI/issues/834"}}, Cost: CostPrefix},
	{ID: "deepseek/empty-tool-calls",
		Statement: "An empty list of tool calls is refused.",
		Error: "Invalid 'messages[N].tool_calls': empty array. Expected an array with minimum " +
			"length 1, but got an empty array instead.", ErrorKind: Quoted,
		Fix: "Remove the key.",
		For: []Evidence{{Kind: Reported, Seen: "2026-08", Models: []string{"deepseek-v4-flash"},
			Hosts:  []string{"api.deepseek.com"},
			Source: "https://github.com/NousResearch/hermes-agent/issues/83312"}},
		Cost: CostNothing},
	{ID: "deepseek/image-unsupported",
		Statement: "Models that read text only fail on an image part anywhere in the history.",
		Error: "Failed to deserialize the JSON body into the target type: messages[1]: unknown " +
			"variant `image_url`, expected `text`",
		Fix: "Put a line of text in place of the image.",
		For: []Evidence{
			{Kind: Recorded, Seen: "2026-11", Models: []string{"deepseek-v4-flash"},
				Source: "https://github.com/0xPlaygrounds/rig/blob/HEAD/tests/cassettes/deepseek/wire_shape_matrix/blocking_image_only_message_reaches_the_wire.yaml"},
			{Kind: Reported, Seen: "2026-05", Models: []string{"deepseek-chat"},
				Source: "https://github.com/jxxghp/MoviePilot/issues/5863"},
			{Kind: Reported, Seen: "2026-04", Models: []string{"deepseek-reasoner"},
				Source: "https://github.com/JohnnyZ93/oai-compatible-copilot/issues/181"},
			{Kind: Stated, Seen: "2025-01", Models: []string{"deepseek-r1*"},
				Source: "https://github.com/ollama/ollama/issues/8627"},
		},
		Against: []Evidence{{Kind: Stated, Seen: "2026-08",
			Models: []string{"deepseek-v4-flash-vision-exp"},
			Source: "https://api-docs.deepseek.com/guides/vision",
			Note:   "as https://github.com/SillyTavern/SillyTavern/issues/5964 quotes it"}},
		Cost: CostLoss},
	{ID: "deepseek/reasoning-content-forbidden",
		Statement: "The first reasoner generation refused reasoning content on input, the " +
			"reverse of what its successors demand.", ErrorKind: Documented,
		Fix: "Strip the field for hosts of that generation only.", Severity: Varies,
		Models: []string{"deepseek-r1*"},
		For: []Evidence{{Kind: Stated, Seen: "2025",
			Source: "https://api-docs.deepseek.com/guides/reasoning_model", Note: "R1 docs"}},
		Coverage: Unseen,
		Reason: "The same model name once meant a model that refused the field and now means one " +
			"that demands it; models named deepseek-r1, or a profile with Reasoning.Refused, are " +
			"treated as the first."},
	{ID: "deepseek/reasoning-content-missing",
		Statement: "In thinking mode an assistant turn with tool calls carries its reasoning " +
			"content, and by some probes so does every later one. An empty string will do, null " +
			"will not.",
		Error: "The `reasoning_content` in the thinking mode must be passed back to the API.",
		Fix: "Replay the stored text; where it is lost, set an empty string on every turn since " +
			"the first call.",
		For: []Evidence{{Kind: Reported, Seen: "2026-09",
			Models: []string{"deepseek-v4*", "deepseek-reasoner*"},
			Source: "https://api-docs.deepseek.com/guides/thinking_mode"}},
		Against: []Evidence{{Kind: Recorded, Seen: "2026-11", Models: []string{"deepseek-chat"},
			Source: "https://github.com/crmne/ruby_llm/blob/HEAD/spec/fixtures/vcr_cassettes/chat_function_calling_deepseek_deepseek-chat_can_use_tools_with_multi-turn_streaming_conversations.yml",
			Note:   "a model that does not think, 11 recordings"}}, Cost: CostNothing},
	{ID: "deepseek/reasoning-content-missing-v32",
		Statement: "The V3.2 reasoner words the demand for reasoning content differently and " +
			"names the message.",
		Error: "Missing `reasoning_content` field in the assistant message at message index 2. " +
			"For more information, please refer to " +
			"https://api-docs.deepseek.com/guides/thinking_mode#tool-calls",
		Fix: "Replay the stored text; where it is lost, set an empty string on every turn since " +
			"the first call.",
		For: []Evidence{
			{Kind: Reported, Seen: "2026-03", Models: []string{"deepseek-reasoner"},
				Source: "https://github.com/continuedev/continue/issues/11285"},
			{Kind: Reported, Seen: "2025-12",
				Source: "https://github.com/deepseek-ai/DeepSeek-V3/issues/1053"},
		}, Cost: CostNothing, SeenAs: "deepseek/reasoning-content-missing"},
	{ID: "deepseek/role-developer",
		Statement: "DeepSeek has no role developer.",
		Error: "Failed to deserialize the JSON body into the target type: messages[1].role: " +
			"unknown variant `developer`, expected one of `system`, `user`, `assistant`, `tool`, " +
			"`latest_reminder` at line 1 column 51036",
		Fix: "Send the message as a system message.",
		For: []Evidence{{Kind: Reported, Seen: "2026-11",
			Source: "https://github.com/decolua/9router/issues/773"}}, Cost: CostPrefix},
	{ID: "deepseek/successive-roles",
		Statement: "The first reasoner generation refused two user or two assistant messages in " +
			"a row.",
		Error: "deepseek-reasoner does not support successive user or assistant messages " +
			"(messages[1] and messages[2] in your input). You should interleave the " +
			"user/assistant messages in the message sequence.",
		Fix: "Merge the neighbours.", Severity: Varies,
		Models: []string{"deepseek-r1*", "deepseek-reasoner*"},
		For: []Evidence{
			{Kind: Reported, Seen: "2025-01", Models: []string{"deepseek-reasoner"},
				Source: "https://github.com/deepseek-ai/DeepSeek-R1/issues/21"},
			{Kind: Reported, Seen: "2025-04", Models: []string{"deepseek-reasoner"},
				Source: "https://github.com/xerrors/Yuxi/issues/126"},
		}, Cost: CostPrefix},
	{ID: "deepseek/tool-call-id-duplicate",
		Statement: "Two results in one run cannot name the same call.",
		Error:     "Duplicate value for 'tool_call_id' of call_00_abc in message[2]",
		Fix:       "Drop the repeated one, or rename call and result together.",
		For: []Evidence{{Kind: Reported, Seen: "2026-05",
			Source: "https://github.com/HKUDS/nanobot/issues/3945"}}, Cost: CostPrefix},
	{ID: "deepseek/tool-result-missing",
		Statement: "Each tool call is answered by a tool message before anybody else speaks. In " +
			"the Responses format nothing is between the calls of a turn and their outputs.",
		Error: "An assistant message with 'tool_calls' must be followed by tool messages " +
			"responding to each 'tool_call_id'. (insufficient tool messages following tool_calls " +
			"message)",
		Fix: "Move a displaced result to its call; remove a dangling call or answer it.",
		For: []Evidence{
			{Kind: Reported, Seen: "2026-07",
				Source: "https://github.com/agno-agi/agno/issues/3105"},
			{Kind: Reported, Seen: "2026-09", Models: []string{"deepseek-flash"},
				Source: "https://github.com/deepseek-ai/awesome-deepseek-integration/issues/740",
				Note:   "Responses: messages and reasoning between a call and its output, replayed"},
			{Kind: Reported, Seen: "2026-08", Models: []string{"deepseek-v4-pro"},
				Source: "https://github.com/deepseek-ai/DeepSeek-V3/issues/1588",
				Note:   "Responses: a developer message between a call and its output"},
		}, Cost: CostLoss,
		Sources: []string{"https://github.com/langgenius/dify/issues/32222",
			"https://github.com/smallmain/vscode-unify-chat-provider/issues/248"}},
	{ID: "deepseek/tool-result-orphan",
		Statement: "A tool message without a call in front of it is refused.",
		Error: "Messages with role 'tool' must be a response to a preceding message with " +
			"'tool_calls'", ErrorKind: Quoted,
		Fix: "Move it to its call, and remove it when there is none.",
		For: []Evidence{
			{Kind: Reported, Seen: "2026-08", Models: []string{"deepseek-v4-flash"},
				Source: "https://github.com/qwersyk/Newelle/issues/425"},
			{Kind: Reported, Seen: "2025-03",
				Source: "https://github.com/FoundationAgents/OpenManus/issues/23"},
		}, Cost: CostLoss},
}
