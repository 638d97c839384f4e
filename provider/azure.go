package provider

// Azure is the profile of Azure OpenAI's Chat Completions, which answers with OpenAI's texts.
func Azure(model string) *Profile { return narrowed(azure(), model) }

func azure() Profile {
	p := openAIChat()
	p.Format, p.Provider = p.Provider, "azure"
	p.Content.SingleKinds = []string{"audio", "function_call"}
	return p
}
