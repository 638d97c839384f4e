package rule

// xai holds the rules of xAI.
var xai = []Rule{
	{
		ID:       "xai/content-element",
		Provider: "xai",
		Statement: "A message has at least one content element; on tool calls null is refused, and an empty string by some " +
			"reports accepted.",
		Error:     "Invalid request content: Each message must have at least one content element.",
		ErrorKind: Quoted,
		Fix:       "Set an empty string beside tool calls, and remove a message that has neither.",
		Severity:  Rejects,
		Status:    400,
		Sources: []string{
			"public source (Vercel AI SDK fixture, code 'Client specified an invalid argument')",
			"public source (langchain#34140)",
			"public source (AIMessage with tool_calls)",
		},
		Coverage: Repaired,
	},
}
