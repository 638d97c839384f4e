package rule

// anthropicTools holds the rules of the caller's own tools in Anthropic Messages.
var anthropicTools = []Rule{
	{ID: "anthropic/assistant-must-end-on-tool-use",
		Statement: "Text after a tool call was refused once, where the conversation starts with " +
			"the call, and one project reported that it is taken for a prefill. Measurements on " +
			"five models contradict it.",
		Error: "This model does not support assistant message prefill. The conversation must end " +
			"with a user message.", ErrorKind: Quoted,
		Fix: "Put the calls last, where a host asks for it.", Severity: Varies,
		For: []Evidence{{Kind: Recorded, Seen: "2026-05", Models: []string{"claude-haiku-4-5*"},
			Source: "https://github.com/anomalyco/opencode/blob/678c40589f4c75ff88c139ee824ddb840908a912/packages/llm/test/fixtures/recordings/anthropic-messages/rejects-malformed-assistant-tool-order-without-patch.json",
			Note:   "the assistant speaks first; for want of a result"}}, Cost: CostPrefix,
		Coverage: Accepted,
		Reason: "Five models from claude-haiku-4-5 to claude-fable-5 were measured to accept " +
			"text after a call."},
	{ID: "anthropic/tool-name-pattern",
		Statement: "A declared tool has a name of at most 128 letters, digits, underscores and " +
			"hyphens; until mid-2025 the limit was 64.",
		Error: "tools.7.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'",
		Fix: "Rename the tool. preflight rewrites the name in the declaration and in the history " +
			"alike, without collisions.",
		For: []Evidence{{Kind: Reported, Seen: "2025-08",
			Source: "https://github.com/apify/tester-mcp-client/issues/11"}}, Cost: CostPrefix,
		Sources: []string{"https://github.com/aws/aws-sdk-js-v3/issues/7287"}},
	{ID: "anthropic/tool-names-unique",
		Statement: "No two declared tools share a name.",
		Error:     "tools: Tool names must be unique.", ErrorKind: Quoted,
		Fix: "Keep one of them. preflight removes the later declaration.",
		For: []Evidence{{Kind: Reported, Seen: "2026-05",
			Source: "https://github.com/danny-avila/LibreChat/issues/13162"}}, Cost: CostLoss},
	{ID: "anthropic/tool-result-duplicate",
		Statement: "A tool call has one result; a second block with the same id is refused.",
		Error: "each tool_use must have a single result. Found multiple `tool_result` blocks " +
			"with id: toolu_XXXX",
		Fix: "Decide on one. preflight drops an identical copy, and by default merges other ones.",
		For: []Evidence{{Kind: Reported,
			Source: "https://github.com/can1357/oh-my-pi/blob/HEAD/packages/ai/test/duplicate-tool-results.test.ts"}},
		Cost: CostPrefix},
	{ID: "anthropic/tool-result-error-empty",
		Statement: "A tool result marked as an error has to say something.",
		Error:     "messages.N.content.M.tool_result: content cannot be empty if `is_error` is true",
		ErrorKind: Quoted,
		Fix:       "Put a word in it. preflight fills in a short text.",
		For: []Evidence{
			{Kind: Reported, Seen: "2026-02",
				Source: "https://github.com/jlevy/markform/issues/153",
				Note:   "Claude Haiku 4.5 and Sonnet 4.5"},
			{Kind: Reported, Seen: "2026-06",
				Source: "https://github.com/can1357/oh-my-pi/pull/2250"},
		}, Cost: CostWords},
	{ID: "anthropic/tool-result-error-text",
		Statement: "A tool result marked as an error holds text and nothing else.",
		Error: "messages.N.content.M.tool_result: all content must be type `text` if `is_error` " +
			"is true", ErrorKind: Quoted,
		Fix: "State the error in words. preflight puts a short text before the content and takes " +
			"the mark off, so that the picture stays in its result.",
		For: []Evidence{
			{Kind: Reported, Seen: "2026-03",
				Source: "https://github.com/vellum-ai/vellum-assistant/pull/18387"},
			{Kind: Reported, Seen: "2026-04",
				Source: "https://github.com/caozhiyuan/copilot-api/pull/196",
				Note:   "an image, a document, a reference to a tool"},
		}, Cost: CostWords},
	{ID: "anthropic/tool-result-first",
		Statement: "In the turn that answers a call, results come ahead of everything else; text " +
			"can only follow them.",
		Error: "messages.N: `tool_use` ids were found without `tool_result` blocks immediately " +
			"after: toolu_XXXX. Each `tool_use` block must have a corresponding `tool_result` " +
			"block in the next message.",
		Fix: "Reorder the turn. preflight brings the results to the front and keeps the order of " +
			"the rest.",
		For: []Evidence{{Kind: Stated, Seen: "2026-07",
			Source: "https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls"}},
		Cost: CostPrefix},
	{ID: "anthropic/tool-result-in-assistant",
		Statement: "Tool results are the user's to give; an assistant message cannot hold one.",
		Error:     "messages.1: `tool_result` blocks can only be in `user` messages",
		Fix:       "Hand it over. preflight moves the result into the user turn that follows.",
		For: []Evidence{
			{Kind: Stated, Seen: "2025-11",
				Source: "https://github.com/patrickcarmichael/claude-docs/blob/HEAD/docs/ai-platforms/anthropic/formatted/388-handling-tool-use-and-tool-result-content-blocks.md",
				Note:   "a copy of the documentation"},
			{Kind: Reported, Seen: "2025-04",
				Source: "https://github.com/mark3labs/mcphost/pull/34",
				Note:   "results in a message that is not the user's"},
		}, Cost: CostPrefix},
	{ID: "anthropic/tool-result-missing",
		Statement: "Each tool call is answered by the unbroken run of results that opens the " +
			"user side after it. The run may span several user messages, any other block ends " +
			"it, and a call in the last message counts as unanswered.",
		Error: "messages.N: `tool_use` ids were found without `tool_result` blocks immediately " +
			"after: toolu_XXXX. Each `tool_use` block must have a corresponding `tool_result` " +
			"block in the next message.",
		Fix: "Supply the answer or take the call back. preflight first looks for a displaced " +
			"result and moves it, then removes the dangling call or answers it with an error " +
			"result, as the options say.",
		For: []Evidence{
			{Kind: Reported, Seen: "2026-03",
				Source: "https://github.com/vercel/ai/issues/13013",
				Note:   "the call is before a web search of its message"},
			{Kind: Reported, Seen: "2026-07",
				Source: "https://github.com/anthropics/claude-code/issues/1237"},
		}, Cost: CostLoss,
		Sources: []string{"https://github.com/anthropics/claude-code/issues/5989",
			"https://github.com/Kilo-Org/kilocode/issues/5163"}},
	{ID: "anthropic/tool-result-orphan",
		Statement: "A tool result is accepted only where the assistant turn directly before it " +
			"made that call.",
		Error: "messages.N.content.M: unexpected `tool_use_id` found in `tool_result` blocks: " +
			"toolu_XXXX. Each `tool_result` block must have a corresponding `tool_use` block in " +
			"the previous message.",
		Fix: "Bring it to its call. preflight moves a displaced result, and removes a true " +
			"orphan or keeps it as text, as the options say.",
		For: []Evidence{{Kind: Reported, Seen: "2026-08",
			Source: "https://github.com/anthropics/claude-code/issues/13460"}}, Cost: CostLoss,
		Sources: []string{"https://github.com/router-for-me/CLIProxyAPI/issues/497",
			"https://github.com/tghamm/Anthropic.SDK/issues/184",
			"https://github.com/decocms/studio/issues/1803"}},
	{ID: "anthropic/tool-use-id-duplicate",
		Statement: "A tool call id occurs once in the whole request, however far apart the calls " +
			"are.",
		Error: "messages: `tool_use` ids must be unique",
		Fix:   "Rename the later one. preflight gives it and its result a new stable id.",
		For: []Evidence{{Kind: Reported, Seen: "2026-09",
			Source: "https://github.com/anthropics/claude-code/issues/20901"}},
		Against: []Evidence{{Kind: Recorded, Seen: "2026-08",
			Models: []string{"claude-sonnet-4-5*"},
			Source: "https://github.com/pydantic/pydantic-ai/blob/HEAD/tests/cassettes/test_tool_search/test_cross_provider_capability_replay%5Bgoogle-gemini-3-flash-preview-anthropic-claude-sonnet-4-5%5D.yaml",
			Note:   "one id in two rounds"}}, Cost: CostPrefix,
		Sources: []string{"https://github.com/anthropics/claude-code/issues/20508"}},
	{ID: "anthropic/tool-use-id-pattern",
		Statement: "A tool call id consists of letters, digits, underscores and hyphens, on the " +
			"call and on its result.",
		Error: "messages.1.content.1.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
		Fix: "Rewrite the id on both sides. preflight maps it to a stable legal one that " +
			"collides with no other.",
		For: []Evidence{{Kind: Reported, Seen: "2026-06",
			Source: "https://github.com/CommandCodeAI/command-code/issues/323"}}, Cost: CostPrefix,
		Sources: []string{"https://github.com/BlockRunAI/ClawRouter/issues/17",
			"https://github.com/tailcallhq/forgecode/issues/1142",
			"https://github.com/RooCodeInc/Roo-Code/pull/10649",
			"https://github.com/HKUDS/nanobot/pull/4356"}},
	{ID: "anthropic/tool-use-in-user",
		Statement: "A tool call is the assistant's to make; a user message cannot hold one.",
		Error:     "messages.0: `tool_use` blocks can only be in `assistant` messages",
		Fix: "Give it back to the assistant. preflight moves the call into an assistant message " +
			"and pairs it there.",
		For: []Evidence{{Kind: Reported,
			Source: "https://github.com/microsoft/agent-framework/issues/4328"}}, Cost: CostPrefix},
	{ID: "anthropic/tool-use-input-object",
		Statement: "The input of a tool call is a JSON object, and neither a string nor null nor " +
			"a list, in calls of server tools, too.",
		Error:     "messages.N.content.M.tool_use.input: Input should be a valid dictionary",
		ErrorKind: Quoted,
		Fix: "Make it one. preflight decodes an object that was encoded twice and wraps anything " +
			"else, so that what was there survives.",
		For: []Evidence{
			{Kind: Reported, Seen: "2026-03",
				Source: "https://github.com/lijunzh/koda/issues/501"},
			{Kind: Reported, Seen: "2026-04", Source: "https://github.com/laravel/ai/pull/389"},
		}, Cost: CostPrefix},
	{ID: "anthropic/tool-use-name-length",
		Statement: "A tool call in the history has a name of 1 to 200 characters, whether or not " +
			"such a tool exists.",
		Error: "messages.N.content.M.tool_use.name: String should have at most 200 characters",
		Fix:   "Shorten the name, or supply one. preflight does both and leaves the pair in place.",
		For: []Evidence{{Kind: Reported, Seen: "2026-02",
			Source: "https://github.com/openclaw/openclaw/issues/7974"}}, Cost: CostWords},
	{ID: "anthropic/tools-required",
		Statement: "A history with tool blocks needs the tools declared, on Bedrock and at " +
			"converting gateways. Anthropic's own API has accepted it without since early 2025.",
		Error: "Requests which include `tool_use` or `tool_result` blocks must define tools.",
		Fix: "Declare them. For Bedrock, preflight adds a minimal declaration for every tool " +
			"name that occurs in the history.", Severity: Varies,
		For: []Evidence{{Kind: Reported, Seen: "2026-09",
			Hosts:  []string{"bedrock-runtime.*.amazonaws.com"},
			Source: "https://github.com/BerriAI/litellm/issues/6007"}},
		Against: []Evidence{
			{Kind: Recorded, Seen: "2026-11", Models: []string{"claude-sonnet-4-6*"},
				Hosts:  []string{"api.anthropic.com"},
				Source: "https://github.com/0xPlaygrounds/rig/blob/HEAD/tests/cassettes/anthropic/empty_end_turn/raw_followup_empty_end_turn_normalizes_to_empty_text_choice.yaml"},
			{Kind: Stated, Seen: "2025-02", Hosts: []string{"api.anthropic.com"},
				Source: "https://github.com/anthropics/anthropic-sdk-python/issues/849",
				Note:   "the words of Anthropic's staff"},
		}, Cost: CostWords, Coverage: Accepted,
		Reason: "Recordings show it accepted twice, and Anthropic's staff says so; the dialect " +
			"of Bedrock repairs it."},
}
