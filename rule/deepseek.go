package rule

// deepseek holds the rules of DeepSeek.
var deepseek = []Rule{
	{
		ID:       "deepseek/assistant-empty",
		Provider: "deepseek",
		Statement: "An assistant message has content or tool calls; an empty string counts as " +
			"content, null does not.",
		Error:     "Invalid assistant message: content or tool_calls must be set",
		ErrorKind: Verbatim,
		Fix:       "Set an empty string, or remove the message.",
		Severity:  Rejects,
		Status:    400,
		Sources: []string{
			"public source (captured)",
			"public source (after content filter)",
			`public source (content:"" is accepted, null is not)`,
		},
		Coverage: Repaired,
	},
	{
		ID:        "deepseek/empty-tool-calls",
		Provider:  "deepseek",
		Statement: "An empty list of tool calls is refused.",
		Error: "Invalid 'messages[N].tool_calls': empty array. Expected an array with " +
			"minimum length 1, but got an empty array instead.",
		ErrorKind: Quoted,
		Fix:       "Remove the key.",
		Severity:  Rejects,
		Status:    400,
		Sources:   []string{"public source (v4)", "public source (opencode zen)"},
		Coverage:  Repaired,
	},
	{
		ID:        "deepseek/image-unsupported",
		Provider:  "deepseek",
		Statement: "Models that read text only fail on an image part anywhere in the history.",
		Error: "Failed to deserialize the JSON body into the target type: messages[1]: " +
			"unknown variant `image_url`, expected `text`",
		ErrorKind: Verbatim,
		Fix:       "Put a line of text in place of the image.",
		Severity:  Rejects,
		Status:    400,
		Sources: []string{
			"public source (captured)",
			"public source (v4-flash no, v4-pro yes)",
			"public source (history blocks)",
		},
		Coverage: Repaired,
	},
	{
		ID:       "deepseek/reasoning-content-forbidden",
		Provider: "deepseek",
		Statement: "The first reasoner generation refused reasoning content on input, the " +
			"reverse of what its successors demand.",
		ErrorKind: Documented,
		Fix:       "Strip the field for hosts of that generation only.",
		Severity:  Varies,
		Status:    400,
		Sources: []string{
			"† https://api-docs.deepseek.com/guides/reasoning_model (R1 docs)",
			"public source ('Must NOT Echo Back')",
		},
		Coverage: Unseen,
		Reason: "The same model name once meant a model that refused the field and now " +
			"means one that demands it; models named deepseek-r1, or a profile with " +
			"Reasoning.Refused, are treated as the first.",
	},
	{
		ID:       "deepseek/reasoning-content-missing",
		Provider: "deepseek",
		Statement: "In thinking mode an assistant turn with tool calls carries its reasoning " +
			"content, and by some probes so does every later one. An empty string will do, null " +
			"will not.",
		Error:     "The `reasoning_content` in the thinking mode must be passed back to the API.",
		ErrorKind: Verbatim,
		Fix: "Replay the stored text; where it is lost, set an empty string on every turn " +
			"since the first call.",
		Severity: Rejects,
		Status:   400,
		Sources: []string{
			`public source (measured 2026-09-22: only tool turns enforced; "" ok, null/absent 400)`,
			"public source (measured: ALL assistant turns after the first tool call)",
			"public source (V4 extends across user messages)",
			"public source (NetMind V4-Pro 2026-09-08)",
			"† https://api-docs.deepseek.com/guides/thinking_mode",
		},
		Coverage: Repaired,
	},
	{
		ID:       "deepseek/reasoning-content-missing-v32",
		Provider: "deepseek",
		Statement: "The V3.2 reasoner words the demand for reasoning content differently and " +
			"names the message.",
		Error: "Missing `reasoning_content` field in the assistant message at message index " +
			"2. For more information, please refer to " +
			"https://api-docs.deepseek.com/guides/thinking_mode#tool-calls",
		ErrorKind: Verbatim,
		Fix: "Replay the stored text; where it is lost, set an empty string on every turn " +
			"since the first call.",
		Severity: Rejects,
		Status:   400,
		Sources: []string{
			"public source (captured)",
			"public source (Koog)",
			"public source (Cline/Roo: needed on ALL assistant messages incl. summaries)",
		},
		Coverage: Repaired,
		SeenAs:   "deepseek/reasoning-content-missing",
	},
	{
		ID:        "deepseek/role-developer",
		Provider:  "deepseek",
		Statement: "DeepSeek has no role developer.",
		Error: "Failed to deserialize the JSON body into the target type: messages[1].role: " +
			"unknown variant `developer`, expected one of `system`, `user`, `assistant`, `tool`, " +
			"`latest_reminder` at line 1 column 51036",
		ErrorKind: Verbatim,
		Fix:       "Send the message as a system message.",
		Severity:  Rejects,
		Status:    400,
		Sources:   []string{"decolua/9router#773"},
		Coverage:  Repaired,
	},
	{
		ID:       "deepseek/successive-roles",
		Provider: "deepseek",
		Statement: "The first reasoner generation refused two user or two assistant messages in " +
			"a row.",
		Error: "deepseek-reasoner does not support successive user or assistant messages " +
			"(messages[1] and messages[2] in your input). You should interleave the " +
			"user/assistant messages in the message sequence.",
		ErrorKind: Verbatim,
		Fix:       "Merge the neighbours.",
		Severity:  Varies,
		Status:    400,
		Sources: []string{
			"public source (captured)",
			"public source (LiteLLM)",
			"public source (cites deepseek-ai/DeepSeek-R1#21)",
		},
		Coverage: Repaired,
	},
	{
		ID:        "deepseek/tool-call-id-duplicate",
		Provider:  "deepseek",
		Statement: "Two results in one run cannot name the same call.",
		Error:     "Duplicate value for 'tool_call_id' of call_00_abc in message[2]",
		ErrorKind: Verbatim,
		Fix:       "Drop the repeated one, or rename call and result together.",
		Severity:  Rejects,
		Status:    400,
		Sources: []string{
			"public source (captured)",
			"public source (stream finalization twice)",
		},
		Coverage: Repaired,
	},
	{
		ID:        "deepseek/tool-result-missing",
		Provider:  "deepseek",
		Statement: "Each tool call is answered by a tool message before anybody else speaks.",
		Error: "An assistant message with 'tool_calls' must be followed by tool messages " +
			"responding to each 'tool_call_id'. (insufficient tool messages following tool_calls " +
			"message)",
		ErrorKind: Verbatim,
		Fix:       "Move a displaced result to its call; remove a dangling call or answer it.",
		Severity:  Rejects,
		Status:    400,
		Sources: []string{
			"https://github.com/agno-agi/agno/issues/3105",
			"https://github.com/langgenius/dify/issues/32222",
			"https://github.com/smallmain/vscode-unify-chat-provider/issues/248",
		},
		Coverage: Repaired,
	},
	{
		ID:        "deepseek/tool-result-orphan",
		Provider:  "deepseek",
		Statement: "A tool message without a call in front of it is refused.",
		Error: "Messages with role 'tool' must be a response to a preceding message with " +
			"'tool_calls'",
		ErrorKind: Quoted,
		Fix:       "Move it to its call, and remove it when there is none.",
		Severity:  Rejects,
		Status:    400,
		Sources:   []string{"public source (cites zed #41531, llama_index #13715)"},
		Coverage:  Repaired,
	},
}
