package rule

// pydanticAI holds the rules of Pydantic AI, which checks a history on the client.
var pydanticAI = []Rule{
	{ID: "pydantic-ai/unprocessed-tool-calls",
		Statement: "A new user prompt needs a history in which every tool call has its return.",
		Error: "Cannot provide a new user prompt when the message history contains unprocessed " +
			"tool calls.",
		Fix: "Add a tool return for each open call, or remove the call.", Severity: Throws,
		For: []Evidence{{Kind: Reported, Seen: "2026-11",
			Source: "https://github.com/pydantic/pydantic-ai/pull/6319", Note: "pull request"}},
		Coverage: Unseen,
		Reason: "The library checks its own messages in the caller's process before it makes a " +
			"request."},
}
