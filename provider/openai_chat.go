package provider

// OpenAIChat returns the profile of the OpenAI Chat Completions API.
//
// Consecutive messages of one role, empty strings, system messages midway, and arguments that are
// cut off or no object, as in OpenAI's own answers, are accepted and stay.
func OpenAIChat(model string) *Profile { return openAIChat.forModel(model) }

// openAIChat has the rows of OpenAI's own hosts, of vendors that have the format for their own API,
// and of hosts that only speak it. OpenAI's limits on ids, names and media are its own: other hosts
// were recorded to accept more, and have the limits that they were seen to apply, or document.
var openAIChat = definition{
	name:  "openai-chat",
	group: "openai",
	layout: Profile{
		Roles:   []Role{"system", "developer", "user", "assistant", "tool", "function"},
		Pairing: PairingRules{ResultRole: "tool", OneResultPerMessage: true},
		Tools:   ToolRules{NoServerTools: true},
		Media: MediaRules{
			InResult:  true,
			URLKinds:  []string{"image", "video"},
			FileKinds: []string{"document"},
		},
	},
	rows: []row{
		{rule: "chat-template/nul-truncation", is: "nul-character"},
		{rule: "openai-chat/messages-empty", is: "no-messages"},
		{rule: "openai-chat/role-unknown", is: "role-unknown"},
		{rule: "openai-chat/tool-result-missing", is: "dangling result-not-first"},
		{rule: "openai-chat/tool-result-orphan", is: "orphan"},
		{rule: "openai-chat/tool-call-id-duplicate", is: "duplicate-result"},
		{rule: "openai-chat/arguments-not-json", is: "arguments"},

		{rule: "openai-chat/content-null", is: "empty-message system-content result-empty",
			set: "Content.RefuseEmptyMessage Content.ResultNeedsText", to: true},
		{rule: "openai-chat/system-role-unsupported", is: "system-refused", of: "o1-mini* o1-preview*",
			set: "System.Placement", to: SystemRefused},
		{rule: "openai-chat/part-type", of: "gpt-5*",
			set: "Media.Kinds", to: []string{"image", "document"}},

		{rule: "openai-chat/message-name-pattern", at: "openai",
			set: "IDs.Participant", to: openAINames},
		{rule: "openai-chat/tool-call-id-length", at: "openai",
			set: "IDs.Call", to: Pattern{Min: 1, Max: 40}},
		{rule: "openai-chat/tool-call-id-duplicate", at: "openai vendor",
			set: "IDs.Unique", to: ScopeTurn},
		{rule: "openai-chat/function-name-pattern", at: "openai", set: "Tools.Name", to: openAINames},
		{rule: "openai-chat/tool-message-image", at: "openai",
			set: "Media.Roles", to: []Role{"user"}},
		{rule: "openai-chat/tool-message-image", at: "openai", set: "Media.InResult", to: false},
		{rule: "openai-chat/part-type", at: "openai",
			set: "Media.Kinds", to: []string{"image", "audio", "video", "document"}},
		{rule: "openai-chat/image-undecodable", at: "openai", set: "Media.Readable", to: true},
		{rule: "openai-chat/file-needs-filename", at: "openai", set: "Media.FileNeedsName", to: true},

		{rule: "openai-chat/tool-call-id-length", is: "id-pattern", at: "vendor",
			set: "IDs.Call", to: Pattern{Min: 1}},
		{rule: "openai-chat/function-name-pattern", is: "tool-name-length tool-name-pattern",
			at: "vendor compatible", set: "Tools.Name", to: Pattern{Min: 1}},
		{rule: "openai-chat/image-undecodable", at: "vendor compatible",
			set: "Media.Decodable", to: true},
		{at: "azure vendor compatible",
			set: "Content.SingleKinds", to: []string{"audio", "function_call"}},
		{at: "compatible", set: "IDs.Call", to: Pattern{Optional: true}}, // Gemini's makes empty ids
	},
}

// openAINames is what OpenAI accepts as a function's name, and hosts that document the same.
var openAINames = Pattern{Alphabet: WordChars, Min: 1, Max: 64}

// nearChat is what formats near OpenAI's Chat share.
var nearChat = definition{
	layout: Profile{
		Roles:   []Role{"system", "user", "assistant", "tool"},
		Pairing: PairingRules{ResultRole: "tool", OneResultPerMessage: true},
		Tools:   ToolRules{NoServerTools: true},
		Media:   MediaRules{URLKinds: []string{"image", "video"}, FileKinds: []string{"document"}},
	},
	rows: []row{
		{rule: "chat-template/nul-truncation", is: "nul-character"},
		{set: "IDs.Call Tools.Name", to: Pattern{Min: 1}},
		{rule: "openai-chat/image-undecodable", set: "Media.Decodable", to: true},
	},
}

// everyRole returns the neutral roles, for rules that hold for messages of every role.
func everyRole() []Role { return []Role{"system", "user", "assistant", "tool"} }
