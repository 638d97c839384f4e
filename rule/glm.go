package rule

// glm holds the rules of Zhipu GLM.
var glm = []Rule{
	{ID: "glm/alternation",
		Statement: "Newer models refuse two messages of one role in a row; an older one was " +
			"recorded to accept them. The error is that of every structural fault.",
		ErrorKind: Inferred,
		Fix:       "Join the messages.", Severity: Varies,
		For: []Evidence{{Kind: Reported, Seen: "2026-05", Models: []string{"glm-5*"},
			Source: "https://github.com/Lingtai-AI/lingtai-kernel/issues/70",
			Note:   "glm-5.1, two messages of the assistant"}},
		Against: []Evidence{{Kind: Recorded, Seen: "2025-09", Models: []string{"glm-4.5-flash"},
			Source: "https://github.com/llmrb/llm/blob/HEAD/spec/fixtures/cassettes/zai/chat/llm_chat_completions.yml",
			Note:   "two and four messages of the user"}}, Cost: CostPrefix},
	{ID: "glm/messages-invalid",
		Statement: "One code covers every structural fault: an orphan result, empty content, or " +
			"no user message.",
		Error: "1214: messages 参数非法。请检查文档。", ErrorKind: Quoted,
		Fix: "Repair pairing, remove what is empty, and see to it that there is a user message.",
		For: []Evidence{
			{Kind: Reported, Seen: "2026-09", Models: []string{"glm-5.2"},
				Source: "https://github.com/continuedev/continue/issues/13259"},
			{Kind: Reported, Seen: "2026-01",
				Source: "https://github.com/lobehub/lobehub/issues/11408"},
			{Kind: Reported, Seen: "2024-03",
				Source: "https://github.com/MetaGLM/zhipuai-sdk-python-v4/issues/14",
				Note:   "no message of the user"},
		}, Cost: CostLoss},
}
