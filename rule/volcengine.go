package rule

// volcengine holds the rules of Volcengine Ark.
var volcengine = []Rule{
	{ID: "volcengine/content-missing",
		Statement: "Every message has content. An empty string is content.",
		Error:     "The request failed because it is missing `messages.content` parameter.",
		Fix:       "Send an empty string beside tool calls, and remove a message that says nothing.",
		For: []Evidence{{Kind: Reported, Seen: "2026-03",
			Models: []string{"doubao-seed-2-0-lite*"},
			Source: "https://github.com/AstrBotDevs/AstrBot/issues/6852"}}, Cost: CostNothing},
}
