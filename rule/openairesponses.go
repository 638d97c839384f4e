package rule

// openaiResponsesItems holds the rules of the items of OpenAI Responses: ids, types and fields.
var openaiResponsesItems = []Rule{
	{ID: "openai-responses/assistant-input-text",
		Statement: "Text has a direction here: assistant messages hold output_text or refusal " +
			"parts, the others input parts.",
		Error: "Invalid value: 'input_text'. Supported values are: 'output_text' and 'refusal'.",
		Fix:   "Give the part the type of its role, or send the message as a plain string.",
		For: []Evidence{
			{Kind: Reported, Seen: "2026-07",
				Source: "https://github.com/epam/ai-dial-adapter-openai/issues/511"},
			{Kind: Reported, Seen: "2026-01", Models: []string{"gpt-5.2-codex"},
				Source: "https://github.com/jeremychone/rust-genai/pull/119"},
		}, Cost: CostPrefix},
	{ID: "openai-responses/compaction-trigger-last",
		Statement: "The item that asks for a compaction is the last of the input, and there is " +
			"one at most.",
		Error: "The 'compaction_trigger' item must be the final input item.",
		Fix:   "Remove the item where others follow it.",
		For: []Evidence{{Kind: Reported, Seen: "2026-08",
			Source: "https://github.com/router-for-me/CLIProxyAPI/issues/4148"}}, Cost: CostLoss,
		Sources: []string{"https://github.com/Wei-Shaw/sub2api/issues/6366",
			"https://github.com/james-6-23/codex2api/pull/546",
			"https://github.com/openai/openai-go/blob/v3.95.0/responses/response.go"}},
	{ID: "openai-responses/conflicting-identities",
		Statement: "Compaction items and encrypted reasoning of one input come from one account " +
			"and deployment.",
		Error: "Conflicting authenticated continuation identities.",
		Fix: "Remove the compaction items and the reasoning of the other account, and keep " +
			"readable summaries.",
		For: []Evidence{{Kind: Reported, Seen: "2026-11",
			Source: "https://github.com/anomalyco/opencode/issues/48942",
			Note:   "Azure AI Foundry"}}, Coverage: Unseen,
		Reason: "Which account made a payload is known to the server alone."},
	{ID: "openai-responses/duplicate-item",
		Statement: "An item id occurs once in the input, and not again in the response the " +
			"request is chained to.",
		Error: "Duplicate item found with id msg_XXXX. Remove duplicate items from your input " +
			"and try again.",
		Fix: "Drop the copy, or remove the ids; parts of one item that were stored apart are " +
			"joined again. Items of the provider's own tools have to have an id: another one " +
			"there.",
		For: []Evidence{
			{Kind: Reported, Seen: "2025-11",
				Source: "https://github.com/vercel/ai/issues/10573"},
			{Kind: Reported, Seen: "2026-08",
				Source: "https://github.com/vercel/ai/issues/18605",
				Note:   "a request for approval that the server holds, given by reference again"},
		}, Cost: CostPrefix},
	{ID: "openai-responses/file-type",
		Statement: "A file that a request brings along is of a type that the model reads; " +
			"gpt-5-mini reads no audio as a file.",
		Error: "The file type you uploaded is not supported. Please try again with a pdf",
		Fix: "Describe a file that declares itself to be audio or video in text. What one by its " +
			"address holds, the host alone knows.",
		For: []Evidence{{Kind: Recorded, Seen: "2026-11", Models: []string{"gpt-5-mini"},
			Source: "https://github.com/pydantic/pydantic-ai/blob/HEAD/tests/models/cassettes/test_multimodal_tool_returns/test_multimodal_tool_return_matrix%5Bdirect-url-audio-openai_responses%5D.yaml"}},
		Cost: CostLoss,
		Sources: []string{
			"https://github.com/pydantic/pydantic-ai/blob/HEAD/tests/models/cassettes/test_multimodal_tool_returns/test_multimodal_tool_return_matrix%5Bdirect-url_force_download-audio-openai_responses%5D.yaml"}},
	{ID: "openai-responses/input-empty",
		Statement: "A request with an empty input list is refused.", ErrorKind: Inferred,
		Fix: "Add an item; a sanitizer can only return an error.",
		For: []Evidence{{Kind: Reported, Seen: "2025-11",
			Source: "https://github.com/pydantic/pydantic-ai/pull/3470",
			Note:   "instructions alone"}}, Coverage: Refused,
		Reason: "There is nothing to repair: whatever the library put there would be its own " +
			"words."},
	{ID: "openai-responses/item-id-charset",
		Statement: "Item ids are made of letters, digits, underscores and hyphens, and by report " +
			"do not end in an underscore.",
		Error: "Invalid 'input[14].id': 'msg-2026…'. Expected an ID that contains letters, " +
			"numbers, underscores, or dashes, but this value contained additional characters.",
		Fix: "Leave the id out: the call id is what ties a call to its output.",
		For: []Evidence{{Kind: Reported, Seen: "2026-06",
			Source: "https://github.com/langchain-ai/langchainjs/issues/11044",
			Note:   "an empty id"}}, Cost: CostPrefix},
	{ID: "openai-responses/item-id-length",
		Statement: "Item ids have at most 64 characters.",
		Error: "Invalid 'input[3].id': string too long. Expected a string with maximum length " +
			"64, but got a string with length 408 instead.",
		Fix: "Leave the id out: the call id is what ties a call to its output.",
		For: []Evidence{
			{Kind: Reported, Seen: "2026-04",
				Source: "https://github.com/NousResearch/hermes-agent/issues/10788"},
			{Kind: Reported, Seen: "2026-03", Models: []string{"gpt-5.3-codex"},
				Hosts:  []string{"api.githubcopilot.com"},
				Source: "https://github.com/can1357/oh-my-pi/issues/284"},
		}, Cost: CostPrefix},
	{ID: "openai-responses/item-id-prefix",
		Statement: "The first letters of an item id state its type: fc for a call, msg for a " +
			"message, rs for reasoning.",
		Error: "Invalid 'input[4].id': 'call_XXXX'. Expected an ID that begins with 'fc'.",
		Fix:   "Leave the id out: the call id is what ties a call to its output.",
		For: []Evidence{
			{Kind: Reported, Seen: "2026-09",
				Source: "https://github.com/jlcodes99/cockpit-tools/issues/2090",
				Note:   "the id of reasoning"},
			{Kind: Reported, Seen: "2026-07",
				Source: "https://github.com/openai/codex/issues/33176",
				Note:   "the id of a message"},
		}, Cost: CostPrefix},
	{ID: "openai-responses/item-not-found",
		Statement: "With storage off the server keeps no items, so none can be referred to by id.",
		Error: "Item with id 'rs_XXXX' not found. Items are not persisted when `store` is set to " +
			"false. Try again with `store` set to true, or remove this item from your input.",
		Fix:  "Send items in full and reasoning with its encrypted content; drop bare references.",
		For:  []Evidence{{Kind: Reported, Source: "https://github.com/vercel/ai/pull/13234"}},
		Cost: CostLoss},
	{ID: "openai-responses/item-null-field",
		Statement: "Azure AI Foundry refuses members of an item that are null.",
		Error:     "Value is 'null' but should be 'string'",
		Fix:       "Remove the members that are null.", Severity: Varies,
		For: []Evidence{{Kind: Reported, Seen: "2026-03",
			Hosts:  []string{"*.services.ai.azure.com"},
			Source: "https://github.com/microsoft/agent-framework/issues/4576"}},
		Against: []Evidence{{Kind: Recorded, Seen: "2026-11", Models: []string{"gpt-5"},
			Hosts:  []string{"api.openai.com"},
			Source: "https://github.com/pydantic/pydantic-ai/blob/HEAD/tests/models/cassettes/test_openai_responses/test_openai_responses_requires_function_call_status_none.yaml"}},
		Cost: CostNothing, Coverage: Unseen,
		Reason: "OpenAI and Azure OpenAI were recorded to accept null members, and a body does " +
			"not show the deployment."},
	{ID: "openai-responses/item-of-another-connection",
		Statement: "GitHub Copilot takes the id of an item on the connection that gave it, and on " +
			"no other.",
		Error: "input item ID does not belong to this connection", Status: 401,
		Fix: "Leave the id out: the call id is what ties a call to its output.", Severity: Varies,
		For: []Evidence{{Kind: Reported, Seen: "2026-07", Hosts: []string{"api.githubcopilot.com"},
			Source: "https://github.com/NousResearch/hermes-agent/pull/62242"}}, Coverage: Unseen,
		Reason: "Which connection gave an id is known to the server alone."},
	{ID: "openai-responses/item-type-missing",
		Statement: "The project endpoint of Azure AI Foundry asks for the type of every item; " +
			"elsewhere, a message needs none.",
		Error: "Invalid value: ''. Supported values are: 'additional_tools', 'agent_message'",
		Fix:   "Give the message its type.", Severity: Varies,
		For: []Evidence{{Kind: Reported, Seen: "2026-09", Hosts: []string{"*.services.ai.azure.com"},
			Source: "https://github.com/vercel/ai/issues/20180"}},
		Sources: []string{"https://github.com/microsoft/vscode/issues/318125"}, Coverage: Unseen,
		Reason: "OpenAI and Azure OpenAI take it without, and a body does not show the endpoint."},
	{ID: "openai-responses/item-type-unsupported",
		Statement: "A host takes the item types that it knows; third-party hosts know fewer than " +
			"OpenAI.",
		Error:    "Invalid input type 'compaction_trigger' at index 464",
		Fix:      "Remove the item, or send the request to a host that knows its type.",
		Severity: Varies,
		For: []Evidence{{Kind: Reported, Seen: "2026-11",
			Source: "https://github.com/james-6-23/codex2api/issues/224"}},
		Sources:  []string{"https://github.com/CommandCodeAI/command-code/issues/893"},
		Coverage: Unseen,
		Reason:   "Which item types a third-party host knows is on record for none."},
	{ID: "openai-responses/mcp-approval-orphan",
		Statement: "The answer to a request for approval is sent with its request, or continues " +
			"the response that holds it.", ErrorKind: Inferred,
		Fix: "Remove an answer whose request is nowhere: it approves nothing.",
		For: []Evidence{{Kind: Reported, Seen: "2026-08",
			Source: "https://github.com/microsoft/agent-framework/issues/7452",
			Note:   "Azure, the id of a function call in place of the request's"}}, Cost: CostLoss},
	{ID: "openai-responses/required-item-fields",
		Statement: "Every item type has fields that it cannot do without, such as the call id, " +
			"the name or the output.",
		Error: "Missing required parameter: 'input[1].call_id'.",
		Fix: "Fill in what can be derived from the partner item, and remove an item that stays " +
			"incomplete.",
		For: []Evidence{
			{Kind: Reported, Source: "https://github.com/CommandCodeAI/command-code/issues/745"},
			{Kind: Reported, Source: "https://github.com/esengine/DeepSeek-Reasonix/issues/8359"},
		}, Cost: CostLoss},
	{ID: "openai-responses/string-max",
		Statement: "No string of the input may exceed 10,485,760 characters.",
		Error: "[LargeStringParam] [input[2].content[0].text] [string_above_max_length] Invalid " +
			"'input[2].content[0].text': string too long. Expected a string with maximum length " +
			"10485760, but got a string with length 14274669 instead.",
		Fix: "Cut the text, or keep it out of the history in the first place.",
		For: []Evidence{{Kind: Reported, Seen: "2025-11",
			Source: "https://github.com/VectorlyApp/bluebox/issues/31"}}, Coverage: Unseen,
		Reason: "It is a limit on size, and what may be cut is the caller's decision."},
	{ID: "openai-responses/unknown-item-field",
		Statement: "Fields that only responses have are refused on input, status among them, as " +
			"are those of other vendors.",
		Error: "Unknown parameter: 'input[2].status'.",
		Fix:   "Send the fields that the item type takes on input and no others.",
		For: []Evidence{
			{Kind: Reported, Source: "https://github.com/earendil-works/pi/issues/7263"},
			{Kind: Reported, Seen: "2026-07", Note: "the action of an image that was made",
				Source: "https://github.com/Yeachan-Heo/gajae-code/issues/1688"},
		},
		Against: []Evidence{{Kind: Recorded, Seen: "2025-08",
			Models: []string{"gpt-4.1-nano", "gpt-5"},
			Source: "https://github.com/tpaulshippy/ruby_llm_community/blob/HEAD/spec/fixtures/vcr_cassettes/activerecord_actsas_tool_usage_persists_tool_calls.yml",
			Note:   "a status on messages of every role that have a type, and on calls and their outputs"}},
		Cost: CostLoss},
}
