package rule

// geminiContents holds the rules of contents, parts and roles in Gemini generateContent.
var geminiContents = []Rule{
	{
		ID: "gemini/alternation-old",
		Statement: "The first Gemini generation insisted on user and model in turns, with the " +
			"user last. From 2.0 on, neighbours of one role are accepted.",
		Error:    "Please ensure that multiturn requests alternate between user and model.",
		Fix:      "Merge neighbours of one role, for Gemini 1.0 alone.",
		Severity: Varies,
		Models:   []string{"gemini-1.0*", "gemini-pro*"},
		For: []Evidence{
			{
				Kind: Reported, Seen: "2024-03",
				Models: []string{"gemini-1.0*", "gemini-pro*"},
				Source: "https://github.com/Portkey-AI/gateway/pull/246",
				Note:   "gemini-pro, which was 1.0 then",
			},
			{
				Kind: Reported, Seen: "2023-12",
				Models: []string{"gemini-1.0*", "gemini-pro*"},
				Source: "https://github.com/songquanpeng/one-api/issues/836",
				Note:   "a request that does not end with the user",
			},
		},
		Against: []Evidence{
			{
				Kind: Recorded, Seen: "2026-11",
				Models: []string{"gemini-2*", "gemini-3*"},
				Source: "https://github.com/pydantic/pydantic-ai/blob/HEAD/tests/models/cassettes/test_multimodal_tool_returns/test_model_sees_multiple_images%5Bgoogle_2_5%5D.yaml",
				Note:   "136 recordings, on gemini-2.0 to 3.5",
			},
		},
		Cost: CostPrefix,
	},
	{
		ID: "gemini/empty-part-data",
		Statement: "A part carries exactly one kind of data. Empty text that an encoder leaves " +
			"out turns a part into an empty object. Empty text that is written out is accepted " +
			"by the Gemini API and refused by Vertex AI; a thought signature needs no data " +
			"beside it.",
		Error: "* GenerateContentRequest.contents[0].parts[1].data: required oneof field " +
			"'data' must have one initialized field",
		Fix: "Remove the empty part, except one that holds a thought signature.",
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-09",
				Source: "https://github.com/pydantic/pydantic-ai/issues/2032",
				Note:   "empty text on Vertex AI: it must have a text parameter",
			},
		},
		Against: []Evidence{
			{
				Kind: Recorded, Seen: "2026-11",
				Models: []string{"gemini-2.5-flash"},
				Hosts:  []string{"generativelanguage.googleapis.com"},
				Source: "https://github.com/pydantic/pydantic-ai/blob/HEAD/tests/models/cassettes/test_google/test_google_model_empty_assistant_response.yaml",
				Note:   "about 21 recordings with an empty text, 5 with a signature alone",
			},
			{
				Kind: Recorded, Seen: "2026-11",
				Models: []string{"gemini-2.0-flash*"},
				Hosts:  []string{"*aiplatform.googleapis.com"},
				Source: "https://github.com/googleapis/js-genai/tree/main/test/system/recordings",
				Note:   "Chats_Tests_sendMessage_Vertex_AI_with_empty_text: a model turn of empty text",
			},
		},
		Cost: CostPrefix,
		Sources: []string{
			"https://github.com/Portkey-AI/gateway/issues/462",
		},
	},
	{
		ID:        "gemini/empty-parts",
		Statement: "A content has at least one part.",
		Error:     "* GenerateContentRequest.contents[0].parts: contents.parts must not be empty.",
		ErrorKind: Quoted,
		Fix:       "Remove the content and merge the neighbours it separated.",
		For: []Evidence{
			{
				Kind: Reported, Seen: "2025-05",
				Source: "https://github.com/QuantumNous/new-api/issues/1060",
			},
			{
				Kind: Reported, Seen: "2025-02",
				Source: "https://github.com/egoist/chatwise-releases/issues/250",
			},
		},
		Cost: CostPrefix,
	},
	{
		ID:        "gemini/empty-parts-vertex",
		Statement: "Vertex AI refuses a content without parts in words of its own.",
		Error: "Unable to submit request because it must include at least one parts field, " +
			"which describes the prompt input.",
		Fix: "Remove the content and merge the neighbours it separated.",
		For: []Evidence{
			{
				Kind: Reported, Seen: "2025-10",
				Models: []string{"gemini-2.5-flash"},
				Hosts:  []string{"*aiplatform.googleapis.com"},
				Source: "https://github.com/genkit-ai/genkit/issues/3690",
			},
			{
				Kind: Reported, Seen: "2025-07",
				Models: []string{"gemini-2.5-pro"},
				Hosts:  []string{"*aiplatform.googleapis.com"},
				Source: "https://github.com/pydantic/pydantic-ai/pull/2203",
			},
		},
		Cost:   CostPrefix,
		SeenAs: "gemini/empty-parts",
	},
	{
		ID: "gemini/ends-with-model-turn",
		Statement: "Recent models, the lite model of 3.5 and those from 3.6 on, do not continue " +
			"a model turn: something from the user has to come last. Vertex AI takes text after " +
			"a function response in one content for such a turn.",
		Error: "Requests ending with a model turn are not supported.",
		Fix: "Append a short user turn, or remove the trailing model turn; on Vertex AI, " +
			"put text after a function response into a content of its own.",
		Models: []string{
			"gemini-3.5-flash-lite*", "gemini-3.6*", "gemini-3.7*", "gemini-3.8*", "gemini-1.0*",
			"gemini-pro*",
		},
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-09",
				Source: "https://github.com/LibreChat-AI/agents/pull/323",
				Note:   "table: 3.6-flash & 3.5-flash-lite 400; 3.5-flash & 2.5-flash 200",
			},
		},
		Cost: CostWords,
		Sources: []string{
			"https://github.com/anomalyco/opencode/issues/47034",
			"https://github.com/anomalyco/opencode/issues/45359",
			"https://github.com/pipecat-ai/pipecat/pull/5821",
			"https://github.com/router-for-me/CLIProxyAPI/issues/5607",
			"https://github.com/deepnoodle-ai/dive/pull/287",
			"https://github.com/Prism-Shadow/agenthub/pull/189",
		},
	},
	{
		ID: "gemini/extra-field",
		Statement: "The request is parsed as a strict protocol message, and a key unknown to it " +
			"is an error.",
		Error: `Invalid JSON payload received. Unknown name "exclusiveMinimum"`,
		Fix:   "Send the fields of contents and parts only.",
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-07",
				Source: "https://github.com/google-gemini/gemini-cli/blob/HEAD/packages/core/src/core/geminiChat.ts",
				Note:   "scrubContents whitelist",
			},
		},
		Cost: CostLoss,
	},
	{
		ID:        "gemini/mime-type",
		Statement: "Media names its type in full: image/png, not png.",
		Error:     "Unsupported MIME type: png",
		Fix:       "Write the whole name of the type.",
		For: []Evidence{
			{
				Kind:   Reported,
				Source: "https://github.com/charmbracelet/crush/issues/995",
			},
		},
		Cost: CostPrefix,
	},
	{
		ID: "gemini/role-invalid",
		Statement: "A content is either the user's or the model's; Vertex AI wants it stated. " +
			"The Gemini API takes responses in the roles function and tool too, up to 3.1.",
		Error: "Please use a valid role: user, model.",
		Fix: "Translate the role: assistant to model, tool and, where it is refused, " +
			"function to user, and system to the system instruction.",
		For: []Evidence{
			{
				Kind: Recorded, Seen: "2026-11",
				Models: []string{"gemini-2.5-pro"},
				Hosts:  []string{"*aiplatform.googleapis.com"},
				Source: "https://github.com/open-telemetry/opentelemetry-python-contrib/blob/HEAD/instrumentation-genai/opentelemetry-instrumentation-vertexai/tests/cassettes/test_generate_content_invalid_role.yaml",
			},
		},
		Against: []Evidence{
			{
				Kind: Recorded, Seen: "2026-11",
				Models: []string{"gemini-2.0-flash*"},
				Hosts:  []string{"generativelanguage.googleapis.com"},
				Source: "https://github.com/patvice/ruby_llm-mcp/blob/HEAD/spec/fixtures/vcr_cassettes/with_stdio-mcp-sdk_with_gemini_gemini-2_0-flash_mixed_parameter_types_handles_both_RubyLLM_Parameter_and_MCP_Parameter_tools_in_same_chat.yml",
				Note:   "role function, 9 recordings",
			},
		},
		Cost: CostPrefix,
		Sources: []string{
			"https://github.com/googleapis/go-genai/blob/v1.77.0/types.go",
		},
	},
	{
		ID:        "gemini/system-in-contents",
		Statement: "Instructions have a field of their own; a system content is refused.",
		Error:     "Please use a valid role: user, model.",
		ErrorKind: Quoted,
		Fix: "Move leading ones to the system instruction and turn later ones into user " +
			"text.",
		For: []Evidence{
			{
				Kind:   Stated,
				Source: "https://github.com/googleapis/go-genai/blob/v1.77.0/types.go",
			},
		},
		Cost: CostPrefix,
	},
}
