package provider

// Cohere returns the profile of Cohere's v2 chat API. Nothing is on record of what it checks beyond
// the pairing of tool calls and the types of content.
func Cohere(model string) *Profile { return cohere.forModel(model) }

var cohere = definition{
	name: "cohere",
	like: &nearChat,
	rows: []row{
		// an empty message is refused between a call and its result
		{rule: "cohere/tool-result-missing",
			is: "dangling result-not-first empty-message system-content"},
		{rule: "cohere/image-user-only", is: "media-in-result"},
		{rule: "cohere/image-user-only", set: "Media.Roles", to: []Role{"user"}},
		{set: "Media.Kinds", to: []string{"image"}},
		{rule: "cohere/image-unsupported", of: "command-r7b* command-a-reasoning*",
			set: "Media.TextOnly", to: true},
	},
}
