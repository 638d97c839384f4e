package rule

// openaiChatMessages holds the rules of messages and parts in OpenAI Chat Completions.
var openaiChatMessages = []Rule{
	{ID: "openai-chat/content-null",
		Statement: "Only an assistant message that has tool calls, a refusal or audio instead " +
			"may go without content.",
		Error: "Invalid value for 'content': expected a string, got null.",
		Fix: "Give it some. preflight removes a message that says nothing at all, and sends an " +
			"empty string where the message has to stay.",
		For: []Evidence{
			{Kind: Reported, Source: "https://github.com/langchain4j/langchain4j/issues/1105"},
			{Kind: Reported, Source: "https://github.com/openai/openai-python/issues/1571"},
		}, Cost: CostWords},
	{ID: "openai-chat/content-type",
		Statement: "Content is either a string or a list of part objects; numbers, objects and " +
			"booleans are refused.",
		Error: "Invalid type for 'messages[0].content': expected one of a string or array of " +
			"objects, but got an integer instead.",
		Fix: "Write it as text. preflight keeps the value as its JSON text.",
		For: []Evidence{{Kind: Reported, Seen: "2025-08", Models: []string{"gpt-4o*"},
			Source: "https://github.com/pydantic/pydantic-ai/issues/2653", Note: "an object"}},
		Cost: CostPrefix},
	{ID: "openai-chat/file-needs-filename",
		Statement: "A file part sent as data needs a file name.", ErrorKind: Inferred,
		Fix: "Name it. preflight supplies a neutral name that fits the media type.",
		For: []Evidence{{Kind: Reported, Seen: "2026-04", Models: []string{"gpt-*"},
			Source: "https://github.com/openai/openai-agents-python/pull/1513"}}, Cost: CostWords},
	{ID: "openai-chat/image-undecodable",
		Statement: "Inline image data is base64 of a PNG, JPEG, GIF or WebP file. On other " +
			"hosts, it is base64, and a file of these types has a whole header.",
		Error: "You uploaded an unsupported image. Please make sure your image has of one the " +
			"following formats: ['png', 'jpeg', 'gif', 'webp'].",
		Fix: "Correct the declared type where the bytes are another picture, and replace what is " +
			"no picture by a line of text.",
		For: []Evidence{
			{Kind: Recorded, Seen: "2026-11", Models: []string{"gpt-4o-mini"},
				Source: "https://github.com/traceloop/openllmetry/blob/HEAD/packages/opentelemetry-instrumentation-openai/tests/traces/cassettes/test_vision/test_vision_base64.yaml"},
			{Kind: Reported, Seen: "2026-07", Models: []string{"grok-4.5"}, Hosts: []string{"api.x.ai"},
				Source: "https://github.com/NousResearch/hermes-agent/issues/69078"},
			{Kind: Reported, Seen: "2026-08", Models: []string{"kimi*"},
				Hosts:  []string{"api.moonshot.*"},
				Source: "https://github.com/NousResearch/hermes-agent/issues/76884"},
		}, Cost: CostLoss},
	{ID: "openai-chat/message-name-pattern",
		Statement: "The name of a message's author takes letters, digits, underscores and " +
			"hyphens; a space is refused.",
		Error: "Invalid 'messages[1].name': string does not match pattern. Expected a string " +
			"that matches the pattern '^[a-zA-Z0-9_-]+$'.",
		Fix: "Spell it differently. preflight replaces the other characters, and drops a name of " +
			"which nothing remains.",
		For: []Evidence{{Kind: Reported, Seen: "2025-01",
			Source: "https://github.com/ag2ai/ag2/issues/451"}}, Cost: CostPrefix},
	{ID: "openai-chat/messages-empty",
		Statement: "A request without any message is refused.",
		Error: "Invalid 'messages': empty array. Expected an array with minimum length 1, but " +
			"got an empty array instead.",
		Fix: "Add a message. For an empty list preflight returns an error.",
		For: []Evidence{{Kind: Recorded, Seen: "2026-11", Models: []string{"gpt-5-nano"},
			Source: "https://github.com/envoyproxy/ai-gateway/blob/HEAD/tests/internal/testopenai/cassettes/chat-no-messages.yaml"}},
		Coverage: Refused,
		Reason: "There is nothing to repair: whatever the library put there would be its own " +
			"words."},
	{ID: "openai-chat/part-type",
		Statement: "A part of a message's content has one of the types that this API has for its " +
			"role; those of Anthropic, Gemini, Bedrock or the Responses API are refused.",
		Error: "Invalid value: 'search_result'. Supported values are: 'text', 'refusal', " +
			"'image_url', and 'input_audio'.", ErrorKind: Reconstructed,
		Fix: "Write the part in this API's form. preflight converts what maps (calls and results " +
			"of tools included), and writes the rest as text that names its type.",
		For: []Evidence{{Kind: Recorded, Seen: "2026-11", Models: []string{"gpt-5-mini"},
			Source: "https://github.com/pydantic/pydantic-ai/blob/HEAD/tests/models/cassettes/test_multimodal_tool_returns/test_multimodal_tool_return_matrix%5Bdirect-binary-audio-openai_chat%5D.yaml"}},
		Cost: CostLoss,
		Sources: []string{"https://github.com/epam/ai-dial-adapter-openai/issues/434",
			"https://github.com/QwenLM/qwen-code/issues/1888"}},
	{ID: "openai-chat/role-missing",
		Statement: "Every message names its role.",
		Error:     "Missing required parameter: 'messages[0].role'.",
		Fix: "Say who speaks. preflight infers the role from the message's own fields and treats " +
			"it as the user's otherwise.",
		For: []Evidence{
			{Kind: Reported, Seen: "2025-08", Models: []string{"gpt-4-0613"},
				Source: "https://github.com/Leon-Sander/Local-Multimodal-AI-Chat/issues/43"},
			{Kind: Reported, Seen: "2024-10",
				Source: "https://github.com/ServiceNow/TapeAgents/issues/66"},
		}, Cost: CostNothing},
	{ID: "openai-chat/role-unknown",
		Statement: "Six roles exist: system, developer, user, assistant, tool and function. " +
			"Names from other vendors are refused.",
		Error: "Invalid value: 'bogus'. Supported values are: 'system', 'assistant', 'user', " +
			"'function', 'tool', and 'developer'.",
		Fix: "Translate the role. preflight maps the usual aliases, such as model and human, and " +
			"keeps what an unknown role says as a user turn.",
		For: []Evidence{
			{Kind: Reported, Seen: "2025-02", Models: []string{"o1-mini"},
				Hosts:  []string{"*.openai.azure.com"},
				Source: "https://github.com/run-llama/llama_index/issues/17748",
				Note:   "an API version that did not know developer"},
			{Kind: Reported, Seen: "2024-03",
				Source: "https://github.com/sashabaranov/go-openai/issues/679",
				Note:   "an empty role, in older words"},
		}, Cost: CostPrefix},
	{ID: "openai-chat/string-max",
		Statement: "No content string may exceed 10,485,760 characters; the limit was once a " +
			"tenth of that.",
		Error: "Invalid 'messages[5].content': string too long. Expected a string with maximum " +
			"length 10485760, but got a string with length 10605342 instead.",
		Fix: "Cut the text, or keep it out of the history in the first place.",
		For: []Evidence{{Kind: Reported, Seen: "2024-08",
			Source: "https://github.com/gptscript-ai/clio/issues/41",
			Note:   "the limit was 1,048,576"}}, Coverage: Unseen,
		Reason: "It is a limit on size, and what may be cut is the caller's decision."},
	{ID: "openai-chat/system-role-unsupported",
		Statement: "The first reasoning models, o1-mini and o1-preview, take no system message; " +
			"some take no developer message either. Later models take both anywhere.",
		Error: "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
		Fix: "Use a role that the model knows. preflight sends the text as developer or user, as " +
			"the profile says.", Models: []string{"o1-mini*", "o1-preview*"},
		For: []Evidence{{Kind: Recorded, Seen: "2026-11", Models: []string{"o1-mini"},
			Source: "https://github.com/pydantic/pydantic-ai/blob/HEAD/tests/models/cassettes/test_openai/test_openai_o1_mini_system_role%5Bdeveloper%5D.yaml"}},
		Cost: CostPrefix},
	{ID: "openai-chat/unknown-parameter",
		Statement: "A top-level key that the API does not know is refused, and so are many " +
			"unknown keys inside messages.",
		Error: "Unknown parameter: 'zzz_unknown'.",
		Fix: "Send known keys only, and keep reasoning_content, cache_control and private " +
			"metadata at home.",
		For: []Evidence{
			{Kind: Reported, Seen: "2025-06", Models: []string{"o4-mini"},
				Source: "https://github.com/teabranch/open-responses-server/issues/41"},
			{Kind: Reported, Seen: "2023-04", Models: []string{"gpt-3.5-turbo"},
				Source: "https://github.com/transitive-bullshit/agentic/issues/531",
				Note:   "an id in a message"},
		}, Coverage: Unseen,
		Reason: "The full schema changes with the API; a key unknown to the library may be legal " +
			"tomorrow."},
}
