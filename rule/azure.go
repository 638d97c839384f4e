package rule

// azure holds the rules of Azure OpenAI.
var azure = []Rule{
	{ID: "azure/same-as-openai",
		Statement: "Azure answers with OpenAI's texts and follows its behaviour with a delay: " +
			"ids and reasoning pairs are still checked strictly.",
		Error: "Invalid 'messages[5]'. Image URLs are only allowed for messages with role " +
			"'user', but this message with role 'tool' contains an image URL.",
		Fix: "Apply the OpenAI rules in their stricter form, and remove item ids.",
		For: []Evidence{{Kind: Reported, Seen: "2026-04", Models: []string{"gpt-5*"},
			Source: "https://github.com/anomalyco/opencode/issues/20698"}}, Cost: CostLoss,
		SeenAs: "openai-chat/tool-message-image"},
}
