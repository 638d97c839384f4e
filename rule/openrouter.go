package rule

// openrouter holds the rules of OpenRouter.
var openrouter = []Rule{
	{ID: "openrouter/image-unsupported",
		Statement: "When no host for the model reads images, a request with one cannot be routed.",
		Error:     "No endpoints found that support image input", ErrorKind: Quoted,
		Fix: "Put a line of text in place of the image.", Status: 404,
		For: []Evidence{{Kind: Reported, Seen: "2026-08",
			Source: "https://github.com/lidge-jun/opencodex/blob/HEAD/devlog/_fin/260805_bug_fix_stack/002_zen_modality_probe.md"}},
		Coverage: Unseen,
		Reason: "Which models read images is not in the request; a profile with TextOnly turns " +
			"them into text."},
	{ID: "openrouter/reasoning-details",
		Statement: "Reasoning details come back whole and in order to the model that wrote them.",
		ErrorKind: Documented,
		Fix:       "Store them untouched, and drop all of them when the model changes.",
		For: []Evidence{
			{Kind: Reported, Seen: "2026-09", Models: []string{"google/gemini-3.8-flash"},
				Source: "https://github.com/earendil-works/pi/issues/9100",
				Note:   "details of another model"},
			{Kind: Reported, Seen: "2026-03", Models: []string{"anthropic/claude*"},
				Source: "https://github.com/anomalyco/opencode/pull/19048"},
		}, Coverage: Unseen,
		Reason: "Only the server can tell whether the details were altered; they are never " +
			"edited, and a turn with details is never cut."},
	{ID: "openrouter/wrapped-errors",
		Statement: "The rules that apply are those of whichever host was chosen, and its own " +
			"error text is in metadata.raw. A retry may meet another host.",
		Error: "Provider returned error",
		Fix:   "Repair to the strictest of them, and explain the inner text instead of the wrapper.",
		For: []Evidence{{Kind: Reported, Seen: "2026-08",
			Source: "https://github.com/router-for-me/CLIProxyAPI/issues/497"}}, Cost: CostLoss,
		SeenAs: "openai-chat/tool-result-orphan"},
}
