package provider

import "slices"

// Azure returns the profile of Azure OpenAI's Chat Completions, which answers with OpenAI's texts.
func Azure(model string) *Profile { return azure.forModel(model) }

var azure = definition{
	name:   "azure",
	format: &openAIChat,
	change: func(p *Profile) {
		p.Content.SingleKinds = []string{"audio", "function_call"}
	},
	models: slices.Concat(o1Models, []row{
		{"grok-*", traits{takesResultMedia}, srcFoundry, "2026-05"},
	}),
}

const srcFoundry = "https://github.com/crmne/ruby_llm/blob/4bab6e26/spec/fixtures/vcr_cassettes/" +
	"chat_content_object_support_azure_grok-4-1-fast-non-reasoning_" +
	"preserves_content_objects_returned_from_tools.yml"

// takesResultMedia: tool results may hold media. On Azure, OpenAI's own models refuse that.
func takesResultMedia(p *Profile) {
	p.Media.Roles, p.Media.InResult = append(slices.Clone(p.Media.Roles), "tool"), true
}
