package rule

// anthropicThinking holds the rules of thinking blocks and their signatures in Anthropic Messages.
var anthropicThinking = []Rule{
	{ID: "anthropic/context-edit-needs-thinking",
		Statement: "A request that asks for thinking to be cleared from its history has to have " +
			"thinking enabled or adaptive itself.",
		Error: "`clear_thinking_20251015` strategy requires `thinking` to be enabled or adaptive",
		Fix:   "Leave the edit out of a request that does not think. preflight removes it.",
		For: []Evidence{{Kind: Reported, Seen: "2026-11",
			Source: "https://github.com/PostHog/posthog/pull/73838"}}, Cost: CostNothing,
		Sources: []string{"https://github.com/anthropics/claude-code/issues/11971"}},
	{ID: "anthropic/redacted-thinking-data",
		Statement: "The payload of a redacted thinking block has to come back as the API issued " +
			"it.",
		Error:     "messages.N.content.M: Invalid `data` in `redacted_thinking` block",
		ErrorKind: Quoted,
		Fix:       "Drop the thinking of that turn. preflight recognizes only an empty payload.",
		For: []Evidence{{Kind: Reported, Seen: "2026-06",
			Source: "https://github.com/microsoft/vscode/pull/320196"}}, Coverage: Unseen,
		Reason: "The payload is encrypted and can be judged by the server alone."},
	{ID: "anthropic/thinking-binding-prefix",
		Statement: "Since August 2026 newer models tie a thinking block to all that preceded it: " +
			"system prompt, tools and messages. An edit anywhere before a kept block invalidates " +
			"it; cache markers and other thinking do not count.",
		Error: "messages.1.content.0: Invalid `signature` in `thinking` block. The block is " +
			"bound to a different conversation. Remove the block, or set " +
			"`thinking.block_binding.prefix_mismatch_behavior` to \"drop_block\". That setting " +
			"requires the `thinking-binding-controls-2026-08-01` value in the `anthropic-beta` " +
			"header. The `system` prompt differs from the one this block was created with.",
		Fix: "Keep the history append-only, or send " +
			"`thinking.block_binding.prefix_mismatch_behavior` as `drop_block` with its beta " +
			"header. After an edit of its own, preflight drops the thinking on models that bind " +
			"it, unless the server does, or each request was repaired alike " +
			"(`Options.RepairedBefore`).",
		Models: []string{"claude-opus-5-5*", "claude-sonnet-5-5*", "claude-haiku-5-5*", "claude-fable-5-1*", "claude-fable-5-2*", "claude-mythos-5-1*", "claude-mythos-5-2*"},
		For: []Evidence{{Kind: Reported, Seen: "2026-09",
			Source: "https://github.com/anomalyco/opencode/issues/48637"}},
		Sources: []string{
			"https://platform.claude.com/docs/en/build-with-claude/preserved-thinking/fix-bound-to-a-different-conversation.md",
			"https://docs.aws.amazon.com/bedrock/latest/userguide/claude-messages-thinking-block-binding.md",
			"https://docs.litellm.ai/docs/providers/anthropic_preserved_thinking",
			"https://github.com/anthropics/anthropic-sdk-go/blob/v1.84.0/betamessage.go"},
		Coverage: Unseen, Reason: "Which prefix produced the block is known to the server only."},
	{ID: "anthropic/thinking-disabled-final",
		Statement: "With thinking off, the assistant's open turn must not carry thinking blocks: " +
			"its last message, and those that lead to it through tool results alone.",
		Error: "messages.1.content.0: When thinking is disabled, an `assistant` message in the " +
			"final position cannot contain `thinking`. To use thinking blocks, enable `thinking` " +
			"in your request.",
		Fix: "Strip them or switch thinking on. preflight removes them when the request has it " +
			"off.",
		For: []Evidence{
			{Kind: Reported, Seen: "2025-11",
				Source: "https://github.com/tailcallhq/forgecode/issues/1853"},
			{Kind: Reported, Seen: "2026-01", Models: []string{"claude-opus-4-5*"},
				Source: "https://github.com/BerriAI/litellm/issues/18926",
				Note:   "the first message of the tool loop had thinking, the last one had none"},
		}, Cost: CostLoss},
	{ID: "anthropic/thinking-empty",
		Statement: "A thinking block without text is refused, unless a signature shows that the " +
			"text was withheld on purpose.",
		Error: "messages.N.content.M.thinking: each thinking block must contain thinking",
		Fix: "Drop the block. preflight removes one that has neither text nor signature and " +
			"keeps a signed one.",
		For: []Evidence{{Kind: Reported, Seen: "2026-09",
			Source: "https://github.com/eclipse-theia/theia/issues/18044",
			Note:   "a gateway had taken the text"}}, Cost: CostPrefix},
	{ID: "anthropic/thinking-final-block",
		Statement: "Thinking cannot be the last thing said: the closing block of the final " +
			"assistant message has to be of another kind.",
		Error: "messages.N: The final block in an assistant message cannot be `thinking`.",
		Fix: "Let something follow it. preflight appends a short user turn, or strips the last " +
			"message when told to.",
		For: []Evidence{
			{Kind: Reported, Seen: "2026-08", Models: []string{"claude-haiku-4-5*"},
				Source: "https://github.com/router-for-me/CLIProxyAPI/issues/5321"},
			{Kind: Reported, Seen: "2026-04",
				Source: "https://github.com/NousResearch/hermes-agent/pull/13010"},
		}, Cost: CostWords},
	{ID: "anthropic/thinking-modified",
		Statement: "The thinking of the latest assistant turn has to come back complete, in " +
			"order and to the byte.",
		Error: "messages.N.content.M: `thinking` or `redacted_thinking` blocks in the latest " +
			"assistant message cannot be modified. These blocks must remain as they were in the " +
			"original response.",
		Fix: "Restore the stored blocks, or remove all thinking of that turn and switch it off " +
			"for the request. preflight never edits a thinking block itself.",
		For: []Evidence{{Kind: Reported, Seen: "2026-06",
			Source: "https://github.com/anthropics/claude-code/issues/63404"}},
		Sources: []string{"https://github.com/anthropics/claude-code/issues/19539",
			"https://github.com/anthropics/claude-code/issues/25361",
			"https://github.com/vybestack/llxprt-code/issues/1653"}, Coverage: Unseen,
		Reason: "The original blocks are known only to the server; an edited copy looks like any " +
			"other."},
	{ID: "anthropic/thinking-must-lead",
		Statement: "With a thinking budget set, the assistant turn that made the latest tool " +
			"calls has to begin with its thinking block. Adaptive models do not ask for it.",
		Error: "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found " +
			"`tool_use`. When `thinking` is enabled, a final `assistant` message must start with " +
			"a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` " +
			"blocks). We recommend you include thinking blocks from previous turns. To avoid " +
			"this requirement, disable `thinking`. Please consult our documentation at " +
			"https://docs.claude.com/en/docs/build-with-claude/extended-thinking",
		Fix: "Put the stored block back in front. When it is lost, preflight switches thinking " +
			"off for this request; it never makes one up.",
		For: []Evidence{{Kind: Reported, Seen: "2026-01",
			Source: "https://github.com/anomalyco/opencode/issues/3077"}}, Cost: CostLoss,
		Sources: []string{"https://github.com/mastra-ai/mastra/issues/7799",
			"https://github.com/Kilo-Org/kilocode/issues/5219",
			"https://github.com/deepset-ai/haystack-core-integrations/issues/2146"}},
	{ID: "anthropic/thinking-order-in-message",
		Statement: "With a thinking budget set, thinking comes first in its turn; a text block " +
			"ahead of it is refused. Messages of the assistant in a row are one turn. Other " +
			"modes accept it.",
		Error: "messages.1.content.0: If an assistant message contains any thinking blocks, the " +
			"first block must be `thinking` or `redacted_thinking`. Found `text`.",
		Fix: "Restore the order in which the blocks arrived. preflight moves the thinking to the " +
			"front of its turn, unchanged.", Severity: Varies,
		For: []Evidence{
			{Kind: Reported, Seen: "2026-01",
				Source: "https://github.com/anthropics/claude-code/issues/20705"},
			{Kind: Reported, Seen: "2025-10", Models: []string{"claude-sonnet-4-5*"},
				Source: "https://github.com/OpenHands/software-agent-sdk/issues/738"},
		}, Cost: CostPrefix},
	{ID: "anthropic/thinking-signature-invalid",
		Statement: "Each replayed thinking block is verified: a signature from another vendor, " +
			"gateway or account, or one put on foreign text, fails.",
		Error: "messages.N.content.M: Invalid `signature` in `thinking` block",
		Fix: "Replay thinking only to the provider that wrote it. preflight drops a signature " +
			"outside the base64 alphabet as foreign; a well-formed forgery passes.",
		For: []Evidence{{Kind: Reported, Seen: "2026-09",
			Source: "https://github.com/ding113/claude-code-hub/issues/518"}},
		Sources: []string{"https://github.com/lbjlaq/Antigravity-Manager/issues/498",
			"https://github.com/code-yeongyu/oh-my-openagent/issues/2775",
			"https://github.com/kaitranntt/ccs/issues/415"}, Coverage: Unseen,
		Reason: "Verification takes the provider's key."},
	{ID: "anthropic/thinking-signature-required",
		Statement: "Thinking without a signature cannot be replayed.",
		Error:     "messages.N.content.M.thinking.signature: Field required",
		Fix:       "Remove the block or carry it on as text. preflight drops unsigned thinking.",
		For: []Evidence{{Kind: Reported, Seen: "2026-01",
			Source: "https://github.com/lbjlaq/Antigravity-Manager/blob/HEAD/README.md"}},
		Cost: CostLoss},
}
