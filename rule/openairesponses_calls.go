package rule

// openaiResponsesCalls holds the rules of calls, their outputs and reasoning in OpenAI Responses.
var openaiResponsesCalls = []Rule{
	{ID: "openai-responses/call-id-length",
		Statement: "The id that ties a call to its output has at most 64 characters. Ids that " +
			"smuggle a Gemini signature are far longer.",
		Error: "Invalid 'input[2].call_id': string too long. Expected a string with maximum " +
			"length 64, but got a string with length 452 instead.",
		Fix: "Shorten it on both sides to a stable id that collides with no other.",
		For: []Evidence{{Kind: Reported, Seen: "2026-02",
			Source: "https://github.com/RooCodeInc/Roo-Code/blob/HEAD/src/utils/tool-id.ts",
			Note:   "OPENAI_CALL_ID_MAX_LENGTH = 64"}}, Cost: CostPrefix},
	{ID: "openai-responses/encrypted-content-invalid",
		Statement: "Encrypted reasoning comes back whole, to the organization and model that it " +
			"was issued to.",
		Error: "The encrypted content for item rs_XXXX could not be verified. Reason: Encrypted " +
			"content organization_id did not match the target organization.",
		Fix: "Remove reasoning items when the provider, account or model changes.",
		For: []Evidence{
			{Kind: Reported, Seen: "2026-06",
				Source: "https://github.com/Wei-Shaw/sub2api/issues/3038"},
			{Kind: Reported, Seen: "2025-12", Models: []string{"gpt-5.2"},
				Source: "https://github.com/openai/codex/issues/8119"},
		}, Coverage: Unseen,
		Reason: "Only the server can verify encrypted reasoning; a hand-off to another provider " +
			"removes it."},
	{ID: "openai-responses/item-needs-reasoning",
		Statement: "An item sent under the id that the server gave it needs the reasoning item " +
			"it was produced with, directly in front.",
		Error: "Item 'fc_XXXX' of type 'function_call' was provided without its required " +
			"'reasoning' item: 'rs_XXXX'.",
		Fix: "Put the reasoning item back, or leave the item's id out, which ends the dependency.",
		For: []Evidence{{Kind: Reported, Seen: "2026-10", Models: []string{"gpt-5*"},
			Source: "https://github.com/NousResearch/hermes-agent/issues/97427"}},
		Against: []Evidence{{Kind: Recorded, Seen: "2026-11", Models: []string{"gpt-5.6"},
			Source: "https://github.com/0xPlaygrounds/rig/blob/HEAD/tests/cassettes/openai/streaming_grammar/tool_then_followup_text.yaml",
			Note:   "41 recordings with ids and without reasoning"}}, Cost: CostPrefix,
		Sources:  []string{"https://github.com/continuedev/continue/issues/11994"},
		Coverage: Unseen,
		Reason: "Whether an item was made with reasoning only the server knows: 41 recorded " +
			"requests with ids and without reasoning were accepted. When preflight removes " +
			"reasoning it removes the ids that depended on it."},
	{ID: "openai-responses/name-pattern",
		Statement: "The name of a called function takes letters, digits, underscores and hyphens.",
		Error: "Invalid 'input[189].name': string does not match pattern. Expected a string that " +
			"matches the pattern '^[a-zA-Z0-9_-]+$'.",
		Fix: "Rename it in calls and declarations alike, by one mapping.",
		For: []Evidence{{Kind: Reported, Seen: "2026-01",
			Source: "https://github.com/openai/codex/pull/9447"}}, Cost: CostPrefix},
	{ID: "openai-responses/reasoning-content-nonempty",
		Statement: "On input a reasoning item carries no plain content; hosts that copy the " +
			"format emit it nevertheless.",
		Error: "Invalid 'input[N].content': array too long. Expected an array with maximum " +
			"length 0, but got an array with length 1 instead.", ErrorKind: Quoted,
		Fix: "Delete the content of the reasoning item and keep the rest.",
		For: []Evidence{
			{Kind: Reported, Seen: "2026-09", Models: []string{"gpt-5.6-terra"},
				Source: "https://github.com/router-for-me/CLIProxyAPI/issues/5825"},
			{Kind: Reported, Seen: "2026-09", Models: []string{"gpt-5.6-sol"},
				Source: "https://github.com/querymt/querymt/issues/976"},
		}, Cost: CostLoss},
	{ID: "openai-responses/reasoning-binding-prefix",
		Statement: "Reasoning of GPT-6.2 is bound to all that comes before it: the server drops " +
			"it after an edit of the prefix, and says so in the answer.", ErrorKind: Documented,
		Fix: "Do not edit what comes before reasoning. Where preflight has to, it removes the " +
			"reasoning after the edit, which the server would not read, unless each request was " +
			"repaired alike (`Options.RepairedBefore`).", Severity: Degrades,
		Models: []string{"gpt-6.2*"},
		For: []Evidence{{Kind: Stated, Seen: "2026-11", Models: []string{"gpt-6.2*"},
			Source: "https://developers.openai.com/api/docs/guides/latest-model?model=gpt-6.2-astra"}},
		Cost: CostLoss, Coverage: Unseen,
		Reason: "Which prefix produced the reasoning is known to the server only."},
	{ID: "openai-responses/reasoning-ids-azure",
		Statement: "Azure still enforces that reasoning and the item it led to appear together, " +
			"after OpenAI's own endpoint relaxed it.",
		Error: "Item 'rs_XXXX' of type 'reasoning' was provided without its required following " +
			"item.", ErrorKind: Quoted,
		Fix: "Remove item ids and reasoning unless the stored chain is complete.",
		For: []Evidence{{Kind: Reported, Seen: "2026-04", Models: []string{"gpt-5*"},
			Hosts:  []string{"*.openai.azure.com"},
			Source: "https://github.com/anomalyco/opencode/issues/20698",
			Note:   "whatever store says"}}, Cost: CostLoss,
		SeenAs: "openai-responses/reasoning-needs-following"},
	{ID: "openai-responses/reasoning-needs-following",
		Statement: "A reasoning item is followed by the item it led to. With storage off and " +
			"encrypted content, later probes found one without that item accepted.",
		Error: "Item 'rs_XXXX' of type 'reasoning' was provided without its required following " +
			"item.",
		Fix: "Drop a reasoning item that nothing follows.", Severity: Varies,
		For: []Evidence{
			{Kind: Recorded, Seen: "2026-11", Models: []string{"gpt-5"},
				Source: "https://github.com/pydantic/pydantic-ai/blob/HEAD/tests/models/cassettes/test_openai_responses/test_openai_responses_thinking_with_modified_history.yaml",
				Note:   "where the next item has no id"},
			{Kind: Reported, Seen: "2026-03", Models: []string{"gpt-5*"},
				Source: "https://github.com/continuedev/continue/issues/11687",
				Note:   "with a payload, where store is not false"},
			{Kind: Reported, Seen: "2026-04", Models: []string{"gpt-5*"},
				Hosts:  []string{"*.openai.azure.com"},
				Source: "https://github.com/anomalyco/opencode/issues/20698",
				Note:   "whatever store says"},
		}, Cost: CostLoss,
		Sources: []string{"https://github.com/vercel/ai/issues/7099",
			"https://github.com/openai/openai-node/issues/1567",
			"https://github.com/continuedev/continue/issues/8933",
			"https://github.com/anomalyco/opencode/issues/1086",
			"https://github.com/UKGovernmentBEIS/inspect_ai/pull/1990"}},
	{ID: "openai-responses/reasoning-summary-required",
		Statement: "A reasoning item has a summary, if only an empty list.",
		Error:     "Missing required parameter: 'input[1].summary'.",
		Fix:       "Add an empty summary.",
		For: []Evidence{{Kind: Reported, Seen: "2026-07", Models: []string{"gpt-5.6-sol"},
			Source: "https://github.com/AAswordman/Operit/issues/797"}}, Cost: CostNothing},
	{ID: "openai-responses/tool-output-missing",
		Statement: "A function call in the input needs its output there too.",
		Error:     "No tool output found for function call call_XXXX.", ErrorKind: Quoted,
		Fix: "Move a displaced output to its call; a dangling call is removed with its " +
			"reasoning, or answered.",
		For: []Evidence{
			{Kind: Recorded, Seen: "2026-11", Models: []string{"deepseek-v4-flash"},
				Hosts:  []string{"api.deepseek.com"},
				Source: "https://github.com/pydantic/pydantic-ai/blob/HEAD/tests/models/cassettes/test_deepseek_responses/test_deepseek_responses_rejects_interleaved_function_calls.yaml"},
			{Kind: Reported, Seen: "2026-09",
				Source: "https://github.com/openai/codex/issues/5385"},
		}, Cost: CostLoss},
	{ID: "openai-responses/tool-output-orphan",
		Statement: "An output needs its call earlier in the input or in the response it is " +
			"chained to; a second output for one call fails in the same way.",
		Error: "No tool call found for function call output with call_id call_XXXX.",
		Fix:   "Move the output after its call, and remove one that has none.",
		For: []Evidence{{Kind: Reported,
			Source: "https://github.com/router-for-me/CLIProxyAPI/blob/HEAD/sdk/api/handlers/openai/openai_responses_websocket_requests.go"}},
		Against: []Evidence{{Kind: Recorded, Seen: "2026-11", Models: []string{"gpt-5.6"},
			Source: "https://github.com/pydantic/pydantic-ai/blob/HEAD/tests/cassettes/test_tool_availability_portability/test_tool_availability_portability_matrix%5BR5-T3-native-search%5D.yaml",
			Note:   "a tool_search_call that a function_call_output answers, which preflight leaves alone"}},
		Cost: CostLoss},
	{ID: "openai-responses/tool-search-arguments",
		Statement: "The arguments of a tool search are an object, and not a string as those of a " +
			"function call are.",
		Error: "Invalid type for 'input[61].arguments': expected an object, but got a string " +
			"instead.",
		Fix: "Send the object that the string holds. Of a string that holds none, preflight " +
			"makes one.",
		For: []Evidence{
			{Kind: Reported, Seen: "2026-07",
				Source: "https://github.com/openai/codex/issues/31517",
				Note:   "with two such items"},
			{Kind: Reported, Seen: "2026-07", Models: []string{"gpt-5.6"},
				Source: "https://github.com/torad-labs/splice/pull/50"},
			{Kind: Reported, Seen: "2026-07",
				Source: "https://github.com/james-6-23/codex2api/issues/330"},
		}, Cost: CostNothing},
	{ID: "openai-responses/web-search-action",
		Statement: "A web search that is sent back is of the type search, open_page or " +
			"find_in_page.",
		Error: "Invalid value: 'other'. Supported values are: 'search', 'open_page', and " +
			"'find_in_page'.",
		Fix: "Remove the web search.",
		For: []Evidence{
			{Kind: Reported, Seen: "2025-11",
				Source: "https://github.com/openai/codex/issues/7129"},
			{Kind: Reported, Seen: "2025-12",
				Source: "https://github.com/pydantic/pydantic-ai/issues/3653",
				Note:   "a query on find_in_page"},
		}, Cost: CostLoss,
		Sources: []string{"https://github.com/openai/codex/issues/6945"}},
}
