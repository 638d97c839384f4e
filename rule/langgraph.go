package rule

// langGraph holds the rules of LangGraph, which checks a history on the client.
var langGraph = []Rule{
	{ID: "langgraph/missing-tool-messages",
		Statement: "Every tool call of an AIMessage has a ToolMessage before the graph continues.",
		Error:     "Found AIMessages with tool_calls that do not have a corresponding ToolMessage.",
		Fix:       "Add a ToolMessage for each open call, or remove the call.", Severity: Throws,
		For: []Evidence{{Kind: Reported, Seen: "2026-11",
			Source: "https://github.com/langchain-ai/langgraph/issues/4289"}}, Coverage: Unseen,
		Reason: "The library checks its own messages in the caller's process before it makes a " +
			"request."},
}
