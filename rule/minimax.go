package rule

// minimax holds the rules of MiniMax.
var minimax = []Rule{
	{ID: "minimax/content-empty",
		Statement: "Messages of the user and of tools have content that is not empty, and a " +
			"request of system messages alone is refused.",
		Error: "invalid params, chat content is empty (2013)", ErrorKind: Quoted,
		Fix: "Fill in a placeholder, and add a user message where there is none.",
		For: []Evidence{
			{Kind: Reported, Seen: "2026-04", Models: []string{"minimax-m2.7*"},
				Source: "https://github.com/openclaw/openclaw/pull/74731",
				Note:   "no messages beside the system prompt"},
			{Kind: Reported, Seen: "2026-04",
				Source: "https://github.com/earendil-works/pi/pull/3311",
				Note:   "a user message or a tool result"},
		}, Cost: CostWords},
	{ID: "minimax/system-role",
		Statement: "One system message leads the conversation; another one, or one in the " +
			"middle, is refused.",
		Error: "invalid params, chat content has invalid message role: system (2013)",
		Fix:   "Join leading ones, and send a later one as the user's.",
		For: []Evidence{
			{Kind: Reported, Seen: "2026-11",
				Source: "https://github.com/BigPizzaV3/CodexPlusPlus/issues/267"},
			{Kind: Reported, Seen: "2026-05",
				Source: "https://github.com/codexu/note-gen/issues/918",
				Note:   "Anthropic's format, too"},
			{Kind: Reported, Seen: "2026-04", Models: []string{"minimax-m2*"},
				Source: "https://github.com/MiniMax-AI/MiniMax-M2/issues/51",
				Note:   `several system messages: "invalid params, invalid chat setting (2013)", which MiniMax's staff confirm`},
		}, Cost: CostPrefix},
	{ID: "minimax/tool-parameters",
		Statement: "A declared function has parameters, if only the empty schema.",
		ErrorKind: Inferred,
		Fix:       "Give it the schema of an object without properties.",
		For: []Evidence{{Kind: Reported, Seen: "2026-09", Models: []string{"minimax-m2*"},
			Source: "https://github.com/QwenLM/qwen-code/issues/11834",
			Note:   "a table of four models, measured live"}}, Cost: CostNothing},
	{ID: "minimax/tool-result-order",
		Statement: "Tool results follow their call in one unbroken run.",
		Error:     "invalid params, tool call result does not follow tool call (2013)",
		ErrorKind: Quoted,
		Fix:       "Move the results up to their call, and whatever was between after them.",
		For: []Evidence{{Kind: Reported, Seen: "2026-06",
			Source: "https://github.com/anomalyco/opencode/issues/32611"}}, Cost: CostPrefix},
}
