package rule

// bedrockTools holds the rules of tool calls and results in AWS Bedrock Converse.
var bedrockTools = []Rule{
	{ID: "bedrock/document-beside-result",
		Statement: "A user turn of Claude that holds tool results holds no document but a PDF " +
			"beside them. The error is about a missing result, which is there.",
		ErrorKind: Inferred,
		Fix: "Divide the message, with a short assistant turn between the results and the " +
			"document, so that it stays the user's.",
		For: []Evidence{
			{Kind: Reported, Seen: "2026-06", Models: []string{"*claude*"},
				Source: "https://github.com/pydantic/pydantic-ai/pull/6098",
				Note:   "a table by family, measured live: csv, txt and docx"},
			{Kind: Reported, Seen: "2026-06", Models: []string{"*claude*"},
				Source: "https://github.com/pydantic/pydantic-ai/issues/6081"},
			{Kind: Reported, Seen: "2025-10", Models: []string{"*claude*"},
				Source: "https://github.com/pydantic/pydantic-ai/issues/3253",
				Note:   "Nova accepts the same request"},
		}, Cost: CostWords},
	{ID: "bedrock/result-alone",
		Statement: "A user turn of Llama, Mistral or Palmyra that holds tool results holds " +
			"nothing else. Consecutive user messages are one turn.",
		Error: "messages.4.content: Conversation blocks and tool result blocks cannot be " +
			"provided in the same turn.",
		Fix: "Divide the message, with a short assistant turn between the results and the rest: " +
			"Bedrock joins user messages that follow each other.",
		For: []Evidence{
			{Kind: Reported, Seen: "2026-06",
				Models: []string{"*meta.llama*", "*mistral.*", "*writer.*"},
				Source: "https://github.com/pydantic/pydantic-ai/pull/6098",
				Note:   "a table by family, measured live"},
			{Kind: Reported, Seen: "2025-11", Models: []string{"*meta.llama4-maverick*"},
				Source: "https://github.com/strands-agents/harness-sdk/issues/1223"},
		},
		Against: []Evidence{
			{Kind: Reported, Seen: "2026-06",
				Models: []string{"*claude*", "*amazon.nova-*", "*qwen.*"},
				Source: "https://github.com/pydantic/pydantic-ai/pull/6098"},
			{Kind: Reported, Seen: "2026-09",
				Models: []string{"*openai.*", "*gemma*", "*kimi*", "*grok*"},
				Source: "https://github.com/anomalyco/opencode/issues/49443"},
		}, Cost: CostWords},
	{ID: "bedrock/text-beside-call",
		Statement: "Mistral Large 2402 and Llama 3.2 90B take no text in an assistant message " +
			"that holds a tool call.",
		Error: "The model returned the following errors: messages.1.content: Conversation blocks " +
			"and tool use blocks cannot be provided in the same turn.",
		Fix: "Remove the text beside the calls, after a refusal.",
		For: []Evidence{
			{Kind: Reported, Seen: "2026-06",
				Models: []string{"*mistral.mistral-large-2402*", "*meta.llama3-2-90b*"},
				Source: "https://github.com/langchain-ai/langchain-aws/pull/1118"},
			{Kind: Reported, Seen: "2025-11",
				Source: "https://github.com/quarkiverse/quarkus-langchain4j/issues/1983"},
		},
		Against: []Evidence{{Kind: Recorded, Seen: "2026-11",
			Models: []string{"*anthropic.claude*", "*amazon.nova*"},
			Source: "https://github.com/pydantic/pydantic-ai/blob/HEAD/tests/models/cassettes/test_bedrock/test_bedrock_model_thinking_part_anthropic.yaml",
			Note:   "28 recordings"}}, Cost: CostLoss, Coverage: Unseen,
		Reason: "Other models of both families take the text, and removing it is a loss: the " +
			"remedy drop-text of preflighthttp does so once the host has refused it."},
	{ID: "bedrock/tool-config-required",
		Statement: "A history with tool blocks needs a tool configuration, whatever the request " +
			"is for; a tool choice of none does not exist.",
		Error: "The toolConfig field must be defined when using toolUse and toolResult content " +
			"blocks.",
		Fix: "Declare a minimal tool for every name that occurs in the history, or turn the tool " +
			"blocks into text.",
		For: []Evidence{{Kind: Reported, Seen: "2026-06",
			Source: "https://github.com/langgenius/dify/issues/17545"}}, Cost: CostWords,
		Sources: []string{"https://github.com/patriceckhart/zot/pull/18",
			"https://github.com/vxcontrol/pentagi/pull/196",
			"https://github.com/epam/ai-dial-adapter-bedrock/pull/344",
			"https://github.com/onyx-dot-app/onyx/issues/7842"}},
	{ID: "bedrock/tool-input-object",
		Statement: "The input of a tool call is a JSON object.",
		Error: "The format of the value at messages.N.content.M.toolUse.input is invalid. " +
			"Provide a json object for the field and try again.",
		Fix: "Decode it when it was encoded twice, and wrap anything else in an object.",
		For: []Evidence{{Kind: Reported, Seen: "2026-08",
			Source: "https://github.com/vercel/ai/pull/19023"}}, Cost: CostPrefix},
	{ID: "bedrock/tool-name",
		Statement: "A declared tool name has at most 64 letters, digits, underscores and " +
			"hyphens, used or not. The native API allows 128.",
		Error: "Value at 'toolConfig.tools.N.member.toolSpec.name' failed to satisfy constraint: " +
			"Member must have length less than or equal to 64", ErrorKind: Reconstructed,
		Fix: "Rename it in declarations and history by one mapping.",
		For: []Evidence{{Kind: Stated, Seen: "2026-11",
			Source: "https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolUseBlock.html"}},
		Cost: CostPrefix,
		Sources: []string{"https://github.com/headroomlabs-ai/headroom/pull/2129",
			"https://github.com/aws-samples/sample-apj-sup-sa/pull/137",
			"https://github.com/aws/aws-sdk-js-v3/issues/7287"}},
	{ID: "bedrock/tool-result-error-empty",
		Statement: "A tool result with status error has to say something.",
		Error: "The content field at messages.<n>.content.0.toolResult cannot be empty when " +
			"status value is error.",
		Fix: "Fill in a short text.",
		For: []Evidence{{Kind: Reported, Seen: "2026-06",
			Source: "https://github.com/aws-samples/sample-multi-agent-orchestration-chat-on-agentcore/issues/15"}},
		Cost: CostWords},
	{ID: "bedrock/tool-result-exceeds",
		Statement: "A user message holds no more tool results than the turn before it holds calls.",
		Error: "The number of toolResult blocks at messages.8.content exceeds the number of " +
			"toolUse blocks of previous turn.",
		Fix: "Remove orphan results and repeated ones.",
		For: []Evidence{
			{Kind: Reported, Source: "https://github.com/evalstate/fast-agent/issues/624"},
			{Kind: Reported, Source: "https://github.com/pydantic/pydantic-ai/issues/2327"},
		}, Cost: CostLoss},
	{ID: "bedrock/tool-result-json-object",
		Statement: "A JSON block of a tool result is an object; lists, scalars and numbers that " +
			"are not finite are refused.",
		Error: "The format of the value at messages.2.content.0.toolResult.content.0.json is " +
			"invalid. Provide a json object for the field and try again.",
		Fix: "Wrap the value in an object, or send it as text.",
		For: []Evidence{
			{Kind: Reported, Seen: "2026-08", Models: []string{"*claude-sonnet-4-6*"},
				Source: "https://github.com/deepset-ai/haystack-core-integrations/pull/3766"},
			{Kind: Reported, Seen: "2026-08",
				Source: "https://github.com/sigoden/aichat/issues/1542"},
		}, Cost: CostPrefix},
	{ID: "bedrock/tool-result-missing",
		Statement: "The next message answers every tool call.",
		Error: "Expected toolResult blocks at messages.2.content for the following Ids: " +
			"tooluse_XXXX",
		Fix: "Move a displaced result to the front of that message; remove a dangling call or " +
			"answer it with an error result.",
		For: []Evidence{{Kind: Reported, Seen: "2026-02",
			Source: "https://github.com/agno-agi/agno/issues/6698"}}, Cost: CostLoss},
	{ID: "bedrock/tool-result-status-model",
		Statement: "Not every model takes a status on tool results: Palmyra was seen to refuse " +
			"it, while Llama 4 and Pixtral were recorded to accept it, which the documentation " +
			"denies.", ErrorKind: Documented,
		Fix: "Leave the status out elsewhere and say in the text that it was an error.",
		For: []Evidence{{Kind: Reported, Seen: "2026-07", Models: []string{"*writer.palmyra*"},
			Source: "https://github.com/strands-agents/sdk-python/issues/554"}},
		Against: []Evidence{{Kind: Recorded, Seen: "2026-11",
			Models: []string{"*meta.llama*", "*mistral.pixtral*", "*amazon.nova*", "*anthropic.claude*"},
			Source: "https://github.com/pydantic/pydantic-ai/blob/HEAD/tests/models/cassettes/test_bedrock/test_bedrock_llama_tool_result_followed_by_text_accepted.yaml"}},
		Cost: CostLoss,
		Sources: []string{
			"https://github.com/aws/aws-sdk-go-v2/blob/service/bedrockruntime/v1.63.10/service/bedrockruntime/types/types.go"}},
	{ID: "bedrock/tool-result-video",
		Statement: "A tool result for Nova holds no video, one for Mistral or Palmyra no media " +
			"but documents, one for Qwen no media, and one for GPT, Gemma, Kimi or Grok no image.",
		Error: "The model returned the following errors: Malformed input request: " +
			"#/messages/2/content/0: extraneous key [toolResult] is not permitted, please " +
			"reformat your input and try again.",
		Fix: "Move the media into a user message after the tool results.",
		For: []Evidence{
			{Kind: Recorded, Seen: "2026-11", Models: []string{"nova-2-lite*"},
				Source: "https://github.com/pydantic/pydantic-ai/blob/HEAD/tests/models/cassettes/test_multimodal_tool_returns/test_multimodal_tool_return_matrix%5Bdirect-uploaded_file-video-bedrock_nova%5D.yaml"},
			{Kind: Reported, Seen: "2026-07",
				Models: []string{"*mistral.*", "*writer.*", "*qwen.*", "*amazon.nova-*"},
				Source: "https://github.com/pydantic/pydantic-ai/pull/6254",
				Note:   "a table by family, measured live"},
			{Kind: Reported, Seen: "2026-09",
				Models: []string{"*openai.*", "*pixtral*", "*magistral*", "*qwen.*", "*gemma*", "*kimi*", "*grok*"},
				Source: "https://github.com/anomalyco/opencode/issues/49443",
				Note:   "a table of 16 models, measured live; beside the result they take it"},
		}, Cost: CostPrefix},
	{ID: "bedrock/tool-use-id",
		Statement: "A tool call id has 1 to 64 characters. On the characters allowed, sources " +
			"differ; letters, digits, underscores and hyphens satisfy all.",
		Error: "Value at 'messages.2.member.content.1.member.toolUse.toolUseId' failed to " +
			"satisfy constraint: Member must have length less than or equal to 64",
		Fix: "Map the id to that narrower set and length, on both sides.",
		For: []Evidence{{Kind: Reported, Seen: "2026-08",
			Source: "https://github.com/RooCodeInc/Roo-Code/pull/10902"}}, Cost: CostPrefix,
		Sources: []string{"https://github.com/run-llama/llama_index/pull/22775",
			"https://github.com/maximhq/bifrost/pull/6300"}},
}
