package provider

// Groq returns the profile of the Groq API, which refuses members that it does not know. Some
// models refuse reasoning.
func Groq(model string) *Profile { return groq.forModel(model) }

var groq = definition{
	name: "groq", format: &openAIChat, group: "vendor",
	rows: []row{
		{rule: "groq/tool-fields", is: "id-pattern result-empty"},
		{rule: "groq/tool-fields", set: "Media.InResult", to: false},
		{rule: "groq/image-unsupported", of: "gpt-oss* compound*", set: "Media.TextOnly", to: true},
		{rule: "groq/unknown-property", of: "kimi-k2-instruct*", set: "Reasoning.Refused", to: true},
	},
}
