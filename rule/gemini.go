package rule

// gemini holds the rules of Google Gemini generateContent, on AI Studio and Vertex AI.
var gemini = []Rule{
	{
		ID:       "gemini/alternation-old",
		Provider: "gemini",
		Statement: "The first Gemini generation insisted on user and model in turns, with the " +
			"user last. From 2.0 on, neighbours of one role are accepted.",
		Error:     "Please ensure that multiturn requests alternate between user and model.",
		ErrorKind: Verbatim,
		Fix:       "Merge neighbours of one role, for Gemini 1.0 alone.",
		Severity:  Varies,
		Status:    400,
		Models:    []string{"gemini-1.0*", "gemini-pro*"},
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
		Cost:     CostPrefix,
		Coverage: Repaired,
	},
	{
		ID:       "gemini/empty-part-data",
		Provider: "gemini",
		Statement: "A part carries exactly one kind of data. Empty text that an encoder leaves " +
			"out turns a part into an empty object. Empty text that is written out is accepted " +
			"by the Gemini API and refused by Vertex AI; a thought signature needs no data " +
			"beside it.",
		Error: "* GenerateContentRequest.contents[0].parts[1].data: required oneof field " +
			"'data' must have one initialized field",
		ErrorKind: Verbatim,
		Fix:       "Remove the empty part, except one that holds a thought signature.",
		Severity:  Rejects,
		Status:    400,
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
		},
		Cost: CostPrefix,
		Sources: []string{
			"https://github.com/Portkey-AI/gateway/issues/462",
		},
		Coverage: Repaired,
	},
	{
		ID:        "gemini/empty-parts",
		Provider:  "gemini",
		Statement: "A content has at least one part.",
		Error:     "* GenerateContentRequest.contents[0].parts: contents.parts must not be empty.",
		ErrorKind: Quoted,
		Fix:       "Remove the content and merge the neighbours it separated.",
		Severity:  Rejects,
		Status:    400,
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
		Cost:     CostPrefix,
		Coverage: Repaired,
	},
	{
		ID:        "gemini/empty-parts-vertex",
		Provider:  "gemini",
		Statement: "Vertex AI refuses a content without parts in words of its own.",
		Error: "Unable to submit request because it must include at least one parts field, " +
			"which describes the prompt input.",
		ErrorKind: Verbatim,
		Fix:       "Remove the content and merge the neighbours it separated.",
		Severity:  Rejects,
		Status:    400,
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
		Cost:     CostPrefix,
		Coverage: Repaired,
		SeenAs:   "gemini/empty-parts",
	},
	{
		ID:       "gemini/ends-with-model-turn",
		Provider: "gemini",
		Statement: "Recent models, the lite model of 3.5 and those from 3.6 on, do not continue " +
			"a model turn: something from the user has to come last. Vertex AI takes text after " +
			"a function response in one content for such a turn.",
		Error:     "Requests ending with a model turn are not supported.",
		ErrorKind: Verbatim,
		Fix: "Append a short user turn, or remove the trailing model turn; on Vertex AI, " +
			"put text after a function response into a content of its own.",
		Severity: Rejects,
		Status:   400,
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
		Coverage: Repaired,
	},
	{
		ID:       "gemini/extra-field",
		Provider: "gemini",
		Statement: "The request is parsed as a strict protocol message, and a key unknown to it " +
			"is an error.",
		Error:     `Invalid JSON payload received. Unknown name "exclusiveMinimum"`,
		ErrorKind: Verbatim,
		Fix:       "Send the fields of contents and parts only.",
		Severity:  Rejects,
		Status:    400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-07",
				Source: "https://github.com/google-gemini/gemini-cli/blob/HEAD/packages/core/src/core/geminiChat.ts",
				Note:   "scrubContents whitelist",
			},
		},
		Cost:     CostLoss,
		Coverage: Repaired,
	},
	{
		ID:       "gemini/function-call-turn-placement",
		Provider: "gemini",
		Statement: "A model turn with a function call comes straight after a user turn or a " +
			"function response: never first, never after a model turn without calls. Contents " +
			"with calls one after the other are one turn.",
		Error: "Please ensure that function call turn comes immediately after a user turn or " +
			"after a function response turn.",
		ErrorKind: Verbatim,
		Fix: "Merge adjoining model turns, and put a user turn in front of a call that " +
			"opens the history.",
		Severity: Rejects,
		Status:   400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-09",
				Source: "https://github.com/google-gemini/gemini-cli/issues/11814",
				Note:   "a history that starts with a call",
			},
			{
				Kind: Reported, Seen: "2026-03",
				Models: []string{"gemini-3.1-pro*"},
				Source: "https://github.com/continuedev/continue/issues/11164",
				Note:   "text of the model, then its call",
			},
		},
		Cost: CostWords,
		Sources: []string{
			"https://github.com/diegosouzapw/OmniRoute/pull/13573",
		},
		Coverage: Repaired,
	},
	{
		ID:       "gemini/function-name-pattern",
		Provider: "gemini",
		Statement: "A function name starts with a letter or underscore, is followed by letters, " +
			"digits, underscores, dots, colons or dashes, and has at most 128 characters; until " +
			"2026 that was 64. The refusals on record are of declarations; by the reference, " +
			"the names of calls and responses are restricted too.",
		Error: "The GenerateContentRequest proto is invalid:\n  * " +
			"tools[0].function_declarations[24].name: [FIELD_INVALID] Invalid function name. " +
			"Must start with a letter or an underscore. Must be a-z, A-Z, 0-9, or contain " +
			"underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 64.",
		ErrorKind: Verbatim,
		Fix:       "Rename it in declarations, calls and responses by one mapping.",
		Severity:  Rejects,
		Status:    400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2025-12",
				Source: "https://github.com/kaitranntt/ccs/issues/219",
			},
		},
		Cost: CostPrefix,
		Sources: []string{
			"https://github.com/googleapis/go-genai/blob/v1.77.0/types.go",
			"https://ai.google.dev/api/python/google/generativeai/protos/FunctionCall",
		},
		Coverage: Repaired,
	},
	{
		ID:       "gemini/function-response-count",
		Provider: "gemini",
		Statement: "The one user turn that answers a turn of calls holds as many responses as " +
			"there were calls.",
		Error: "Please ensure that the number of function response parts is equal to the " +
			"number of function call parts of the function call turn.",
		ErrorKind: Quoted,
		Fix: "Collect the responses in one content, in the order of the calls; add what is " +
			"missing and remove what is too much.",
		Severity: Rejects,
		Status:   400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-08",
				Models: []string{"gemini-2.5-flash", "gemini-3.1-flash-lite"},
				Hosts:  []string{"*aiplatform.googleapis.com"},
				Source: "https://github.com/vertesia/llumiverse/pull/620",
				Note:   "both shapes replayed",
			},
			{
				Kind: Reported, Seen: "2026-08",
				Models: []string{"gemini-3.7-flash"},
				Hosts:  []string{"*aiplatform.googleapis.com"},
				Source: "https://github.com/archestra-ai/archestra/pull/7585",
			},
		},
		Against: []Evidence{
			{
				Kind: Reported, Seen: "2026-06",
				Hosts:  []string{"generativelanguage.googleapis.com"},
				Source: "https://github.com/openclaw/openclaw/pull/93780",
				Note:   "a response that is missing",
			},
			{
				Kind: Reported, Seen: "2026-06",
				Hosts:  []string{"generativelanguage.googleapis.com"},
				Source: "https://github.com/Oaklight/llm-rosetta/pull/303",
				Note:   "responses in several contents",
			},
		},
		Cost:     CostLoss,
		Coverage: Repaired,
	},
	{
		ID:       "gemini/function-response-name",
		Provider: "gemini",
		Statement: "A function response has a name. It should be that of the function that was " +
			"called; where there are as many responses as calls, another one is accepted.",
		Error: "* GenerateContentRequest.contents[2].parts[0].function_response.name: Name " +
			"cannot be empty.",
		ErrorKind: Verbatim,
		Fix:       "Take the name from the call with the same id.",
		Severity:  Rejects,
		Status:    400,
		For: []Evidence{
			{
				Kind: Stated, Seen: "2026-08",
				Source: "https://github.com/googleapis/go-genai/blob/v1.77.0/types.go",
			},
		},
		Cost:     CostPrefix,
		Coverage: Repaired,
	},
	{
		ID:        "gemini/function-response-object",
		Provider:  "gemini",
		Statement: "What a function returns is sent as a JSON object, as its arguments are.",
		ErrorKind: Inferred,
		Fix:       "Wrap any other value in an object, under output or error.",
		Severity:  Rejects,
		Status:    400,
		For: []Evidence{
			{
				Kind: Stated, Seen: "2026-11",
				Source: "https://ai.google.dev/api/caching#FunctionCall",
				Note:   "args and response are of the type Struct",
			},
		},
		Cost: CostPrefix,
		Sources: []string{
			"https://github.com/googleapis/go-genai/blob/v1.77.0/types.go",
		},
		Coverage: Repaired,
	},
	{
		ID:        "gemini/function-response-placement",
		Provider:  "gemini",
		Statement: "A function response directly follows the model turn that made the call.",
		Error: "Please ensure that function response turn comes immediately after a function " +
			"call turn.",
		ErrorKind: Quoted,
		Fix:       "Move it there; remove it, or keep it as text, when that turn is gone.",
		Severity:  Rejects,
		Status:    400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2025-04",
				Source: "https://github.com/lobehub/lobehub/issues/7298",
			},
			{
				Kind: Reported, Seen: "2024-10",
				Source: "https://github.com/langchain-ai/langchain/issues/27799",
			},
		},
		Cost:     CostLoss,
		Coverage: Repaired,
	},
	{
		ID:        "gemini/mime-type",
		Provider:  "gemini",
		Statement: "Media names its type in full: image/png, not png.",
		Error:     "Unsupported MIME type: png",
		ErrorKind: Verbatim,
		Fix:       "Write the whole name of the type.",
		Severity:  Rejects,
		Status:    400,
		For: []Evidence{
			{
				Kind:   Reported,
				Source: "https://github.com/charmbracelet/crush/issues/995",
			},
		},
		Cost:     CostPrefix,
		Coverage: Repaired,
	},
	{
		ID:       "gemini/role-invalid",
		Provider: "gemini",
		Statement: "A content is either the user's or the model's; Vertex AI wants it stated. " +
			"The Gemini API takes responses in the role function too, up to 3.1.",
		Error:     "Please use a valid role: user, model.",
		ErrorKind: Verbatim,
		Fix: "Translate the role: assistant to model, tool and, where it is refused, " +
			"function to user, and system to the system instruction.",
		Severity: Rejects,
		Status:   400,
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
		Coverage: Repaired,
	},
	{
		ID:       "gemini/server-side-tool-flag",
		Provider: "gemini",
		Statement: "On the Gemini API, a request to a model of generation 3 sets a flag where it " +
			"declares functions beside Google Search or URL context. Vertex AI does not know the " +
			"flag.",
		Error: "Please enable tool_config.include_server_side_tool_invocations to use " +
			"Built-in tools with Function calling.",
		ErrorKind: Verbatim,
		Fix:       "Set toolConfig.includeServerSideToolInvocations to true.",
		Severity:  Rejects,
		Status:    400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-08",
				Models: []string{"gemini-3*"},
				Source: "https://github.com/ag2ai/ag2/pull/3145",
				Note:   "tried live on gemini-3.1-pro-preview, 3.6-flash and 3.5-flash-lite",
			},
		},
		Against: []Evidence{
			{
				Kind: Recorded, Seen: "2026-11",
				Models: []string{"gemini-2.5*"},
				Source: "https://github.com/0xPlaygrounds/rig/blob/HEAD/tests/cassettes/gemini/raw_capture_matrix/raw_exposes_forced_function_call.yaml",
				Note:   "code execution beside functions",
			},
		},
		Cost: CostNothing,
		Sources: []string{
			"https://github.com/googleapis/js-genai/issues/1425",
			"https://github.com/cloudwego/eino-ext/issues/761",
			"https://github.com/genkit-ai/genkit/issues/4970",
		},
		Coverage: Repaired,
	},
	{
		ID:        "gemini/system-in-contents",
		Provider:  "gemini",
		Statement: "Instructions have a field of their own; a system content is refused.",
		Error:     "Please use a valid role: user, model.",
		ErrorKind: Quoted,
		Fix: "Move leading ones to the system instruction and turn later ones into user " +
			"text.",
		Severity: Rejects,
		Status:   400,
		For: []Evidence{
			{
				Kind:   Stated,
				Source: "https://github.com/googleapis/go-genai/blob/v1.77.0/types.go",
			},
		},
		Cost:     CostPrefix,
		Coverage: Repaired,
	},
	{
		ID:        "gemini/thought-signature-corrupt",
		Provider:  "gemini",
		Statement: "A thought signature has to come back intact and to the model that issued it.",
		Error:     "Corrupted thought signature.",
		ErrorKind: Verbatim,
		Fix: "Replay signatures unchanged and parts unmerged; replace a foreign one by the " +
			"documented dummy. preflight does that with one that is not base64; a well-formed " +
			"forgery passes.",
		Severity: Rejects,
		Status:   400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-09",
				Source: "https://github.com/iOfficeAI/gemini-cli-pro/pull/18",
			},
		},
		Coverage: Unseen,
		Reason:   "Only the server can verify a signature.",
	},
	{
		ID:       "gemini/thought-signature-missing",
		Provider: "gemini",
		Statement: "From Gemini 3 on, the first function call of each step in the current turn " +
			"carries its thought signature. Earlier turns are not examined.",
		Error: "Function call is missing a thought_signature in functionCall parts. This is " +
			"required for tools to work correctly, and missing thought_signature may lead to " +
			"degraded model performance. Additional data, function call `default_api:NAME` , " +
			"position 2. Please refer to " +
			"https://ai.google.dev/gemini-api/docs/thought-signatures for more details.",
		ErrorKind: Verbatim,
		Fix:       "Restore the stored signature on that part, or set the documented dummy there.",
		Severity:  Rejects,
		Status:    400,
		Models:    []string{"gemini-3*"},
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-11",
				Models: []string{"gemini-3*"},
				Source: "https://github.com/vercel/ai/issues/15560",
			},
			{
				Kind: Reported, Seen: "2026-04",
				Models: []string{"gemini-3-flash-preview"},
				Source: "https://github.com/googleapis/js-genai/issues/1275",
				Note:   "parallel calls in two contents",
			},
		},
		Cost: CostWords,
		Sources: []string{
			"https://ai.google.dev/gemini-api/docs/thought-signatures",
			"https://github.com/nanbingxyz/5ire/issues/405",
			"https://github.com/manthanabc/paws/issues/103",
			"https://github.com/lbjlaq/Antigravity-Manager/issues/3202",
			"https://github.com/langgenius/dify-official-plugins/issues/2088",
			"https://github.com/google-gemini/gemini-cli/blob/HEAD/packages/core/src/core/geminiChat.ts",
			"https://github.com/erain/glue/releases/tag/v1.8.0",
			"https://ai.google.dev/gemini-api/docs/thought-signatures?hl=zh-cn",
		},
		Coverage: Repaired,
	},
	{
		ID:       "gemini/thought-signature-missing-vertex",
		Provider: "gemini",
		Statement: "Vertex AI refuses a function call without its thought signature in words of " +
			"its own.",
		Error: "Unable to submit request because function call `NAME` in the 3. content " +
			"block is missing a `thought_signature`. Learn more: " +
			"https://docs.cloud.google.com/vertex-ai/generative-ai/docs/thought-signatures",
		ErrorKind: Verbatim,
		Fix:       "Restore the stored signature on that part, or set the documented dummy there.",
		Severity:  Rejects,
		Status:    400,
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-02",
				Source: "https://github.com/GewoonJaap/gemini-cli-openai/issues/156",
			},
		},
		Cost: CostWords,
		Sources: []string{
			"https://github.com/Wei-Shaw/claude-relay-service/pull/967",
			"https://docs.cloud.google.com/vertex-ai/generative-ai/docs/thought-signatures",
		},
		Coverage: Repaired,
		SeenAs:   "gemini/thought-signature-missing",
	},
	{
		ID:       "gemini/vertex-call-id",
		Provider: "gemini",
		Statement: "An SDK leaves the id of function calls and responses out for Vertex AI, as " +
			"it was refused there. Vertex AI was recorded to accept it since.",
		ErrorKind: Inferred,
		Fix:       "None is needed.",
		Severity:  Varies,
		Status:    400,
		For: []Evidence{
			{
				Kind:   Guessed,
				Source: "https://github.com/charmbracelet/fantasy/blob/HEAD/providers/google/google.go",
				Note:   "'Vertex breaks with a 400 if this field be present'",
			},
		},
		Against: []Evidence{
			{
				Kind: Recorded, Seen: "2026-11",
				Models: []string{"gemini-3-flash-preview"},
				Hosts:  []string{"*aiplatform.googleapis.com"},
				Source: "https://github.com/pydantic/pydantic-ai/blob/HEAD/tests/models/cassettes/test_multimodal_tool_returns/test_multimodal_tool_return_matrix%5Bdirect-binary-image-google_vertex%5D.yaml",
			},
		},
		Cost:     CostNothing,
		Coverage: Accepted,
		Reason:   "Recordings of gemini-3-flash on Vertex AI disprove it, so the ids stay.",
	},
}
