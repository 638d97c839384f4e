package rule

// anthropicCache holds the rules of cache breakpoints in Anthropic Messages.
var anthropicCache = []Rule{
	{ID: "anthropic/cache-control-empty-text",
		Statement: "A cache breakpoint cannot sit on a text block that has no text.",
		Error:     "messages.0.content.1.text: cache_control cannot be set for empty text blocks",
		Fix: "Drop the block and keep the breakpoint. preflight hands the marker to the nearest " +
			"earlier block that can carry it.",
		For: []Evidence{{Kind: Reported, Seen: "2026-05",
			Source: "https://github.com/anthropics/claude-code/issues/55302"}}, Cost: CostNothing},
	{ID: "anthropic/cache-control-max4",
		Statement: "One request carries at most four cache breakpoints, counted over tools, " +
			"system and messages together.",
		Error: "A maximum of 4 blocks with cache_control may be provided. Found 5.",
		Fix: "Remove the surplus. preflight keeps those on tools and system, then the latest " +
			"ones in the messages.",
		For: []Evidence{{Kind: Reported, Seen: "2026-09",
			Source: "https://github.com/griffinmartin/opencode-claude-auth/issues/121"}},
		Cost: CostLoss,
		Sources: []string{"https://github.com/tghamm/Anthropic.SDK/issues/50",
			"https://github.com/Wei-Shaw/sub2api/issues/176"}},
	{ID: "anthropic/cache-control-on-thinking",
		Statement: "Thinking and redacted thinking blocks take no cache breakpoint.",
		Error:     "messages.N.content.0.thinking.cache_control: Extra inputs are not permitted",
		Fix: "Move the marker to a block that may hold one. preflight gives it to an eligible " +
			"neighbour and leaves the thinking itself alone.",
		For: []Evidence{
			{Kind: Reported, Seen: "2026-04", Models: []string{"claude-opus-4-6*"},
				Source: "https://github.com/LeenHawk/gproxy/issues/67"},
			{Kind: Reported, Seen: "2026-01",
				Source: "https://github.com/Wei-Shaw/sub2api/issues/225"},
		}, Cost: CostNothing},
	{ID: "anthropic/cache-control-ttl-order",
		Statement: "Read in the order tools, system, messages, every one-hour breakpoint comes " +
			"before the first five-minute one.",
		Error:     "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block",
		ErrorKind: Reconstructed,
		Fix: "Bring the lifetimes into order. preflight shortens the one-hour marker that comes " +
			"too late to five minutes.",
		For: []Evidence{
			{Kind: Stated, Seen: "2026-11",
				Source: "https://platform.claude.com/docs/en/build-with-claude/prompt-caching",
				Note:   "as cited in https://github.com/spring-projects/spring-ai/issues/4325"},
			{Kind: Reported, Seen: "2026-08",
				Source: "https://github.com/headroomlabs-ai/headroom/issues/2939"},
		}, Cost: CostNothing},
}
