package rule

// geminiFunctions holds the rules of function calls, responses and thought signatures in Gemini.
var geminiFunctions = []Rule{
	{ID: "gemini/function-call-turn-placement",
		Statement: "A model turn with a function call comes straight after a user turn or a " +
			"function response: never first, never after a model turn without calls. Contents " +
			"with calls one after the other are one turn.",
		Error: "Please ensure that function call turn comes immediately after a user turn or " +
			"after a function response turn.",
		Fix: "Merge adjoining model turns, and put a user turn in front of a call that opens the " +
			"history.",
		For: []Evidence{
			{Kind: Reported, Seen: "2026-09",
				Source: "https://github.com/google-gemini/gemini-cli/issues/11814",
				Note:   "a history that starts with a call"},
			{Kind: Reported, Seen: "2026-03", Models: []string{"gemini-3.1-pro*"},
				Source: "https://github.com/continuedev/continue/issues/11164",
				Note:   "text of the model, then its call"},
		}, Cost: CostWords,
		Sources: []string{"https://github.com/diegosouzapw/OmniRoute/pull/13573"}},
	{ID: "gemini/function-name-pattern",
		Statement: "A function name starts with a letter or underscore, is followed by letters, " +
			"digits, underscores, dots, colons or dashes, and has at most 128 characters; until " +
			"2026 that was 64. The refusals on record are of declarations; by the reference, the " +
			"names of calls are restricted too. Those of responses were recorded to be free.",
		Error: "The GenerateContentRequest proto is invalid:\n  * " +
			"tools[0].function_declarations[24].name: [FIELD_INVALID] Invalid function name. " +
			"Must start with a letter or an underscore. Must be a-z, A-Z, 0-9, or contain " +
			"underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 64.",
		Fix: "Rename it in declarations, calls and responses by one mapping.",
		For: []Evidence{{Kind: Reported, Seen: "2025-12",
			Source: "https://github.com/kaitranntt/ccs/issues/219"}}, Cost: CostPrefix,
		Sources: []string{"https://github.com/googleapis/go-genai/blob/v1.77.0/types.go",
			"https://ai.google.dev/api/python/google/generativeai/protos/FunctionCall",
			"https://github.com/tpaulshippy/ruby_llm_community/blob/HEAD/spec/fixtures/vcr_cassettes/chat_function_calling_vertexai_gemini-2_5-flash_can_use_tools.yml"}},
	{ID: "gemini/function-response-count",
		Statement: "The one user turn that answers a turn of calls holds as many responses as " +
			"there were calls.",
		Error: "Please ensure that the number of function response parts is equal to the number " +
			"of function call parts of the function call turn.", ErrorKind: Quoted,
		Fix: "Collect the responses in one content, in the order of the calls; add what is " +
			"missing and remove what is too much.",
		For: []Evidence{
			{Kind: Reported, Seen: "2026-08",
				Models: []string{"gemini-2.5-flash", "gemini-3.1-flash-lite"},
				Hosts:  []string{"*aiplatform.googleapis.com"},
				Source: "https://github.com/vertesia/llumiverse/pull/620",
				Note:   "both shapes replayed"},
			{Kind: Reported, Seen: "2026-08", Models: []string{"gemini-3.7-flash"},
				Hosts:  []string{"*aiplatform.googleapis.com"},
				Source: "https://github.com/archestra-ai/archestra/pull/7585"},
		},
		Against: []Evidence{
			{Kind: Reported, Seen: "2026-06",
				Hosts:  []string{"generativelanguage.googleapis.com"},
				Source: "https://github.com/openclaw/openclaw/pull/93780",
				Note:   "a response that is missing"},
			{Kind: Reported, Seen: "2026-06",
				Hosts:  []string{"generativelanguage.googleapis.com"},
				Source: "https://github.com/Oaklight/llm-rosetta/pull/303",
				Note:   "responses in several contents"},
		}, Cost: CostLoss},
	{ID: "gemini/function-response-media",
		Statement: "A function response of Gemini 1 and 2 holds no media: its parts came with " +
			"Gemini 3.",
		Error: "Unable to submit request because `function_response.parts` is not supported for " +
			"this model. Learn more: " +
			"https://cloud.google.com/vertex-ai/generative-ai/docs/multimodal/function-calling",
		Fix:    "Move the media into the content after the response.",
		Models: []string{"gemini-1*", "gemini-2*", "gemini-pro*"},
		For: []Evidence{
			{Kind: Reported, Seen: "2026-02", Models: []string{"gemini-2.5*"},
				Source: "https://github.com/google-gemini/gemini-cli/issues/19436"},
			{Kind: Stated, Seen: "2026-04",
				Models: []string{"gemini-1*", "gemini-2*", "gemini-pro*"},
				Source: "https://ai.google.dev/gemini-api/docs/function-calling",
				Note:   "multimodal function responses are for Gemini 3 models"},
		}, Cost: CostPrefix},
	{ID: "gemini/function-response-name",
		Statement: "A function response has a name. It should be that of the function that was " +
			"called; where there are as many responses as calls, another one is accepted.",
		Error: "* GenerateContentRequest.contents[2].parts[0].function_response.name: Name " +
			"cannot be empty.",
		Fix: "Take the name from the call with the same id.",
		For: []Evidence{{Kind: Stated, Seen: "2026-08",
			Source: "https://github.com/googleapis/go-genai/blob/v1.77.0/types.go"}},
		Cost: CostPrefix},
	{ID: "gemini/function-call-id-duplicate",
		Statement: "The calls of one turn of Gemini 3 have ids of their own, where they have ids.",
		ErrorKind: Inferred,
		Fix:       "Give the second call, and its response, another id.", Models: []string{"gemini-3*"},
		For: []Evidence{{Kind: Reported, Seen: "2026-07",
			Models: []string{"gemini-3-flash-preview", "gemini-3.1-flash-lite-preview"},
			Hosts:  []string{"generativelanguage.googleapis.com"},
			Source: "https://github.com/watt-mind/coach/pull/280",
			Note:   "bisected against the live API; the same id in another turn passes"}},
		Cost: CostPrefix},
	{ID: "gemini/function-response-object",
		Statement: "What a function returns is sent as a JSON object, as its arguments are.",
		ErrorKind: Inferred,
		Fix:       "Wrap any other value in an object, under output or error.",
		For: []Evidence{{Kind: Stated, Seen: "2026-11",
			Source: "https://ai.google.dev/api/caching#FunctionCall",
			Note:   "args and response are of the type Struct"}}, Cost: CostPrefix,
		Sources: []string{"https://github.com/googleapis/go-genai/blob/v1.77.0/types.go"}},
	{ID: "gemini/function-response-placement",
		Statement: "A function response directly follows the model turn that made the call.",
		Error: "Please ensure that function response turn comes immediately after a function " +
			"call turn.", ErrorKind: Quoted,
		Fix: "Move it there; remove it, or keep it as text, when that turn is gone.",
		For: []Evidence{{Kind: Reported, Seen: "2025-04",
			Source: "https://github.com/lobehub/lobehub/issues/7298"}}, Cost: CostLoss},
	{ID: "gemini/server-side-tool-flag",
		Statement: "On the Gemini API, a request to a model of generation 3 sets a flag where it " +
			"declares functions beside Google Search or URL context. Vertex AI does not know the " +
			"flag.",
		Error: "Please enable tool_config.include_server_side_tool_invocations to use Built-in " +
			"tools with Function calling.",
		Fix: "Set toolConfig.includeServerSideToolInvocations to true.",
		For: []Evidence{{Kind: Reported, Seen: "2026-08", Models: []string{"gemini-3*"},
			Source: "https://github.com/ag2ai/ag2/pull/3145",
			Note:   "tried live on gemini-3.1-pro-preview, 3.6-flash and 3.5-flash-lite"}},
		Against: []Evidence{{Kind: Recorded, Seen: "2026-11", Models: []string{"gemini-2.5*"},
			Source: "https://github.com/0xPlaygrounds/rig/blob/HEAD/tests/cassettes/gemini/raw_capture_matrix/raw_exposes_forced_function_call.yaml",
			Note:   "code execution beside functions"}}, Cost: CostNothing,
		Sources: []string{"https://github.com/googleapis/js-genai/issues/1425",
			"https://github.com/cloudwego/eino-ext/issues/761",
			"https://github.com/genkit-ai/genkit/issues/4970"}},
	{ID: "gemini/thought-signature-corrupt",
		Statement: "A thought signature has to come back intact and to the model that issued it.",
		Error:     "Corrupted thought signature.",
		Fix: "Replay signatures unchanged and parts unmerged; replace a foreign one by the " +
			"documented dummy. preflight does that with one that is not base64; a well-formed " +
			"forgery passes.",
		For: []Evidence{{Kind: Reported, Seen: "2026-09",
			Source: "https://github.com/iOfficeAI/gemini-cli-pro/pull/18"}}, Coverage: Unseen,
		Reason: "Only the server can verify a signature."},
	{ID: "gemini/thought-signature-missing",
		Statement: "From Gemini 3 on, the first function call of each step in the current turn " +
			"carries its thought signature. Earlier turns are not examined.",
		Error: "Function call is missing a thought_signature in functionCall parts. This is " +
			"required for tools to work correctly, and missing thought_signature may lead to " +
			"degraded model performance. Additional data, function call `default_api:NAME` , " +
			"position 2. Please refer to " +
			"https://ai.google.dev/gemini-api/docs/thought-signatures for more details.",
		Fix:    "Restore the stored signature on that part, or set the documented dummy there.",
		Models: []string{"gemini-3*", "gemini-4*"},
		For: []Evidence{
			{Kind: Reported, Seen: "2026-11", Models: []string{"gemini-3*"},
				Source: "https://github.com/vercel/ai/issues/15560"},
			{Kind: Reported, Seen: "2026-04", Models: []string{"gemini-3-flash-preview"},
				Source: "https://github.com/googleapis/js-genai/issues/1275",
				Note:   "parallel calls in two contents"},
			{Kind: Reported, Seen: "2026-09", Models: []string{"gemini-3.6-flash"},
				Source: "https://github.com/securo-finance/securo/issues/884",
				Note:   "the Gemini API's Chat endpoint"},
			{Kind: Stated, Seen: "2026-10", Models: []string{"gemini-4*"},
				Source: "https://docs.apiyi.com/en/faq/gemini-thought-signature-missing",
				Note:   "gemini-4-argon refuses what 3.8-flash sometimes let pass"},
		}, Cost: CostWords,
		Sources: []string{"https://ai.google.dev/gemini-api/docs/thought-signatures",
			"https://github.com/nanbingxyz/5ire/issues/405",
			"https://github.com/manthanabc/paws/issues/103",
			"https://github.com/niki914/zafiro/issues/100",
			"https://github.com/lbjlaq/Antigravity-Manager/issues/3202",
			"https://github.com/langgenius/dify-official-plugins/issues/2088",
			"https://github.com/google-gemini/gemini-cli/blob/HEAD/packages/core/src/core/geminiChat.ts",
			"https://github.com/erain/glue/releases/tag/v1.8.0",
			"https://ai.google.dev/gemini-api/docs/thought-signatures?hl=zh-cn"}},
	{ID: "gemini/thought-signature-missing-vertex",
		Statement: "Vertex AI refuses a function call without its thought signature in words of " +
			"its own.",
		Error: "Unable to submit request because function call `NAME` in the 3. content block is " +
			"missing a `thought_signature`. Learn more: " +
			"https://docs.cloud.google.com/vertex-ai/generative-ai/docs/thought-signatures",
		Fix: "Restore the stored signature on that part, or set the documented dummy there.",
		For: []Evidence{{Kind: Reported, Seen: "2026-02",
			Source: "https://github.com/GewoonJaap/gemini-cli-openai/issues/156"}},
		Cost: CostWords,
		Sources: []string{"https://github.com/Wei-Shaw/claude-relay-service/pull/967",
			"https://docs.cloud.google.com/vertex-ai/generative-ai/docs/thought-signatures"},
		SeenAs: "gemini/thought-signature-missing"},
	{ID: "gemini/vertex-call-id",
		Statement: "An SDK leaves the id of function calls and responses out for Vertex AI, as " +
			"it was refused there. Vertex AI was recorded to accept it since.",
		ErrorKind: Inferred,
		Fix:       "None is needed.", Severity: Varies,
		For: []Evidence{{Kind: Guessed,
			Source: "https://github.com/charmbracelet/fantasy/blob/HEAD/providers/google/google.go",
			Note:   "'Vertex breaks with a 400 if this field be present'"}},
		Against: []Evidence{{Kind: Recorded, Seen: "2026-11",
			Models: []string{"gemini-3-flash-preview"},
			Hosts:  []string{"*aiplatform.googleapis.com"},
			Source: "https://github.com/pydantic/pydantic-ai/blob/HEAD/tests/models/cassettes/test_multimodal_tool_returns/test_multimodal_tool_return_matrix%5Bdirect-binary-image-google_vertex%5D.yaml"}},
		Cost: CostNothing, Coverage: Accepted,
		Reason: "Recordings of gemini-3-flash on Vertex AI disprove it, so the ids stay."},
}
