package rule

// glm holds the rules of Zhipu GLM.
var glm = []Rule{
	{
		ID: "glm/messages-invalid",
		Statement: "One code covers every structural fault: an orphan result, roles in a " +
			"row, empty content, or no user message.",
		Error:     "1214: messages 参数非法。请检查文档。",
		ErrorKind: Quoted,
		Fix: "Repair pairing and roles, remove what is empty, and see to it that there is " +
			"a user message.",
		For: []Evidence{
			{
				Kind: Reported, Seen: "2026-09",
				Models: []string{"glm-5.2"},
				Source: "https://github.com/continuedev/continue/issues/13259",
			},
			{
				Kind: Reported, Seen: "2026-01",
				Source: "https://github.com/lobehub/lobehub/issues/11408",
			},
		},
		Cost: CostLoss,
	},
}
