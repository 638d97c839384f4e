package rule

// anthropicTurns holds the rules of roles, turns and the request as a whole in Anthropic Messages.
var anthropicTurns = []Rule{
	{ID: "anthropic/alternation",
		Statement: "Until 2024 user and assistant had to take strict turns. The API has since " +
			"joined neighbours of one role by itself.",
		Error: `messages: roles must alternate between "user" and "assistant", but found ` +
			`multiple "user" roles in a row`,
		Fix: "Merge the neighbours into one message, with tool results in front. Where a host " +
			"still asks for it, a profile with NeighboursMerged has preflight do so.",
		Severity: Varies,
		For: []Evidence{{Kind: Reported, Seen: "2024",
			Source: "https://github.com/anthropics/anthropic-sdk-typescript/issues/565"}},
		Against: []Evidence{
			{Kind: Recorded, Seen: "2026-11",
				Source: "https://github.com/pydantic/pydantic-ai/blob/HEAD/tests/cassettes/test_tool_search/test_cross_provider_capability_replay%5Bopenai-responses-gpt-5.4-anthropic-claude-sonnet-4-5%5D.yaml",
				Note:   "26 recordings, on claude-3-5 to claude-opus-4-8"},
			{Kind: Stated, Seen: "2026-11",
				Source: "https://github.com/anthropics/anthropic-sdk-go/blob/v1.84.0/message.go",
				Note:   "consecutive turns of one role are combined"},
		}, Cost: CostPrefix, Coverage: Accepted,
		Reason: "Recordings show 26 such requests accepted, by models from claude-3-5 to " +
			"claude-opus-4-8."},
	{ID: "anthropic/extra-inputs",
		Statement: "The request schema is closed: a field it does not know, at any depth, fails " +
			"the whole body.",
		Error: "messages.0.content.0.text.cache_control: Extra inputs are not permitted",
		Fix: "Send only fields of the wire format. preflight strips what a store or another SDK " +
			"left behind, such as ids, timestamps and usage.",
		For: []Evidence{
			{Kind: Reported, Seen: "2026-08",
				Source: "https://github.com/earendil-works/pi/issues/7938"},
			{Kind: Reported, Seen: "2026-07", Note: "the citations of a result of code execution",
				Source: "https://github.com/agno-agi/agno/pull/8686"},
			{Kind: Reported, Seen: "2026-05", Hosts: []string{"bedrock"},
				Source: "https://github.com/anthropics/anthropic-sdk-python/pull/1566",
				Note:   "the caller of a call, null"},
			{Kind: Reported, Seen: "2025-12", Models: []string{"claude-sonnet-4-20250514"},
				Source: "https://github.com/browserbase/stagehand-python/issues/249",
				Note:   "the caller of a call, as the SDK's beta types write it"},
		},
		Against: []Evidence{{Kind: Recorded, Seen: "2026-08", Models: []string{"claude-sonnet-5*"},
			Source: "https://github.com/tidyverse/ellmer/blob/HEAD/tests/testthat/_vcr/anthropic-web-search.yml",
			Note:   "the caller of a call, which stays until it is refused"}}, Cost: CostLoss},
	{ID: "anthropic/first-role-user",
		Statement: "A conversation opened with a user message once. The API now serves a leading " +
			"assistant message, too.",
		Error: `messages: first message must use the "user" role`,
		Fix: "Open with a user turn, where a host asks for it: a profile with Turns.UserFirst " +
			"has preflight insert a short placeholder in front and keep the assistant message.",
		Severity: Varies,
		For: []Evidence{{Kind: Reported, Seen: "2026-06",
			Source: "https://github.com/NousResearch/hermes-agent/issues/52160",
			Note:   "refused in words about tool calls without results, and cured by a user turn"}},
		Against: []Evidence{
			{Kind: Recorded, Seen: "2026-11", Models: []string{"claude-sonnet-4-5*"},
				Source: "https://github.com/pydantic/pydantic-ai/blob/HEAD/tests/models/cassettes/test_anthropic/test_anthropic_model_empty_message_on_history.yaml",
				Note:   "4 recordings, on claude-haiku-4-5 to claude-opus-4-8"},
			{Kind: Recorded, Seen: "2026-11", Models: []string{"claude-sonnet-4-6*"},
				Source: "https://github.com/0xPlaygrounds/rig/blob/HEAD/tests/cassettes/anthropic/empty_end_turn/raw_followup_empty_end_turn_normalizes_to_empty_text_choice.yaml"},
		}, Cost: CostWords, Coverage: Accepted,
		Reason: "Recordings show it accepted by claude-haiku-4-5, claude-sonnet-4-5, " +
			"claude-sonnet-4-6 and claude-opus-4-8."},
	{ID: "anthropic/messages-empty",
		Statement: "A request without any message is refused.",
		Error:     "messages: at least one message is required",
		Fix:       "Add a user message. For an empty list preflight returns an error.",
		For: []Evidence{{Kind: Reported, Seen: "2025-06",
			Source: "https://github.com/langchain-ai/langchain/pull/31696"}}, Coverage: Refused,
		Reason: "There is nothing to repair: whatever the library put there would be its own " +
			"words."},
	{ID: "anthropic/messages-max",
		Statement: "A single request takes no more than 100,000 messages.", ErrorKind: Documented,
		Fix: "Compact the history. Package compact shortens one without splitting a tool pair.",
		For: []Evidence{{Kind: Stated,
			Source: "https://github.com/anthropics/anthropic-sdk-go/blob/v1.84.0/message.go",
			Note:   "'There is a limit of 100,000 messages in a single request.'"}},
		Coverage: Unseen,
		Reason:   "It is a limit on size, and what to forget is the caller's decision."},
	{ID: "anthropic/prefill-unsupported",
		Statement: "From Opus 4.6 on, models no longer continue an assistant message: the last " +
			"message must be the user's. Up to 4.5 they do, unless extended thinking is on.",
		Error: "This model does not support assistant message prefill. The conversation must end " +
			"with a user message.",
		Fix: "Close with a user turn. preflight appends a short one, or removes the trailing " +
			"message if told to; tool calls in it are answered first.",
		For: []Evidence{{Kind: Reported, Seen: "2026-09",
			Source: "https://github.com/cortexkit/magic-context/issues/511"}}, Cost: CostWords,
		Sources: []string{"https://github.com/smallmain/vscode-unify-chat-provider/issues/249",
			"https://github.com/ericc-ch/copilot-api/pull/261",
			"https://platform.claude.com/docs/en/api/errors#prefill-not-supported",
			"https://github.com/anthropics/anthropic-sdk-go/blob/v1.84.0/betamessage.go",
			"https://github.com/vybestack/llxprt-code/pull/3695"}},
	{ID: "anthropic/request-too-large",
		Statement: "A body of more than 32 MB is turned away before anything in it is read.",
		Error:     "Request exceeds the maximum allowed number of bytes.", ErrorKind: Quoted,
		Fix: "Shed the oldest media first, or compact the history.", Status: 413,
		For: []Evidence{{Kind: Stated, Seen: "2026-09",
			Source: "https://platform.claude.com/docs/en/api/errors"}}, Coverage: Unseen,
		Reason: "The limit is on the bytes of the whole body, and what to shed is the caller's " +
			"choice."},
}
