package rule

// moonshot holds the rules of Moonshot (Kimi).
var moonshot = []Rule{
	{ID: "moonshot/empty-message",
		Statement: "A message of any role has to say something.",
		Error:     "the message at position 2 with role 'assistant' must not be empty",
		Fix:       "Remove the message, or fill in a placeholder where it must stay.",
		For: []Evidence{{Kind: Reported,
			Source: "https://github.com/AIDotNet/OpenCowork/issues/10"},
			{Kind: Reported, Seen: "2026-08", Models: []string{"kimi-k3"}, Hosts: []string{"openrouter"},
				Source: "https://github.com/pingdotgg/t3code/issues/5571"}}, Cost: CostWords},
	{ID: "moonshot/reasoning-content-missing",
		Statement: "With thinking on, Kimi K2.5 and later want reasoning content on every " +
			"assistant message with tool calls; an empty string will do.",
		Error: "thinking is enabled but reasoning_content is missing in assistant tool call " +
			"message at index N",
		Fix: "Replay the stored text; where it is lost, set an empty string.",
		For: []Evidence{{Kind: Reported, Seen: "2026-09",
			Source: "https://www.kimi.com/code/docs/kimi-code/error-reference.html"}},
		Cost: CostNothing},
	{ID: "moonshot/size",
		Statement: "All messages together stay within 2 MiB.",
		Error:     "total message size 5943865 exceeds limit 2097152",
		Fix:       "Shed inline media first, then compact the history.",
		For: []Evidence{{Kind: Reported, Seen: "2026-07", Models: []string{"*k3*"},
			Source: "https://github.com/MoonshotAI/kimi-code/issues/1862"}}, Coverage: Unseen,
		Reason: "The size of a whole request is no matter of its structure; what to leave out is " +
			"the caller's choice."},
	{ID: "moonshot/tool-call-id-not-found",
		Statement: "A tool message names a call that was made. In the error an empty id shows as " +
			"two spaces.",
		Error: "Invalid request: tool_call_id  is not found",
		Fix:   "Give call and result a common id where it is missing, and remove an orphan.",
		For: []Evidence{{Kind: Reported, Seen: "2026-07",
			Source: "https://github.com/MoonshotAI/kimi-code/pull/1292"}}, Cost: CostLoss},
	{ID: "moonshot/tool-duplicate",
		Statement: "No two declared tools share a name.",
		Error:     "function name ... is duplicated",
		Fix:       "Remove the later declaration.",
		For: []Evidence{{Kind: Reported, Seen: "2026-04", Models: []string{"kimi-for-coding"},
			Source: "https://github.com/swarmclawai/swarmclaw/issues/39"}}, Cost: CostLoss},
}
