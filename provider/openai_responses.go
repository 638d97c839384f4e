package provider

// OpenAIResponses returns the profile of the OpenAI Responses API, for a request that stores what
// it is given, which is the API's default. For a request that does not, clear Items.Held and add
// references to Content.RefusedKinds. For one that continues a stored response or conversation, the
// provider holds an earlier part of the history. Package wire does so by the request body.
//
// Each item of the input is one message, and the id of the item is Message.ID. OpenAI's own models
// follow the profile as it is. Models of other vendors, which other hosts serve in the same format,
// have no rules that only OpenAI was seen to enforce. Arguments of calls may be any string: OpenAI
// accepts "[]", "" and JSON that was cut off.
func OpenAIResponses(model string) *Profile { return openAIResponses.forModel(model) }

// OpenAI's models, those of other vendors that are served under such names, and those that make no
// reasoning. Of the chat models of the fifth generation the first alone makes none:
// gpt-5.1-chat-latest and later ones reason.
// https://github.com/vercel/ai/blob/005be604/packages/openai/src/openai-language-model-capabilities.ts
const (
	ofOpenAI  = "openai:* gpt-* ft:* o1* o3* o4* codex-* chatgpt-* computer-use-*"
	notOpenAI = "*/* gpt-oss* grok-* deepseek-*"
	noReasons = notOpenAI + " gpt-3-5* gpt-4* chatgpt-4o* gpt-5-chat* ft:gpt-3-5* ft:gpt-4*"
)

// openAIResponses has the rows of OpenAI's own hosts, the only ones that were seen to enforce rules
// about ids and members of items: api.x.ai, api.deepseek.com, openrouter.ai and Bedrock accepted
// requests that break them.
var openAIResponses = definition{
	name: "openai-responses", group: "openai", family: "openai",
	layout: Profile{
		Roles: []Role{"system", "developer", "user", "assistant", "tool"},
		Turns: TurnRules{Neighbours: NeighboursJoined},
		Pairing: PairingRules{
			ResultRole: "tool", OneResultPerMessage: true, Results: ResultsAnywhere, Typed: true,
			Unanswerable: []string{"computer_call"},
		},
		Tools: ToolRules{NoServerTools: true},
		Media: MediaRules{InResult: true},
		Items: ItemRules{OnePartPerMessage: true, Held: true, ReferenceKind: "item_reference"},
	},
	rows: []row{
		{rule: "chat-template/nul-truncation", is: "nul-character"},
		{rule: "openai-responses/input-empty", is: "no-messages"},
		{rule: "openai-responses/required-item-fields", is: "reasoning-empty"},
		{rule: "openai-responses/tool-output-missing", is: "dangling"},
		{rule: "openai-responses/tool-output-orphan", is: "orphan duplicate-result"},
		{rule: "openai-responses/item-not-found", is: "kind-refused item-not-held"},
		{rule: "openai-responses/duplicate-item", is: "item-duplicate"},
		{rule: "openai-responses/reasoning-needs-following", is: "reasoning-alone reasoning-split"},

		{rule: "openai-responses/required-item-fields", is: "empty-message system-content result-empty",
			set: "Content.RefuseEmptyMessage Content.ResultNeedsText", to: true},
		{rule: "openai-responses/required-item-fields", is: "id-pattern"},
		{rule: "openai-responses/call-id-length", is: "id-length",
			set: "IDs.Call", to: Pattern{Min: 1, Max: 64}},
		{rule: "openai-responses/assistant-input-text",
			set: "Media.Roles", to: []Role{"system", "user"}},
		{rule: "openai-responses/file-type", set: "Media.Kinds", to: []string{"image", "document"}},
		{rule: "openai-chat/image-undecodable", set: "Media.Decodable", to: true},

		{rule: "openai-responses/name-pattern", at: "openai", of: ofOpenAI, not: notOpenAI,
			set: "Tools.Name", to: Pattern{Alphabet: WordChars, Min: 1, Max: 128}},
		{rule: "openai-responses/unknown-item-field", at: "openai", of: ofOpenAI, not: notOpenAI,
			set: "Cache.Limit", to: NoCache},
		{rule: "openai-responses/item-id-charset", is: "item-id", at: "openai", of: ofOpenAI,
			not: notOpenAI, set: "Items.IDs", to: map[string]Pattern{
				"message":         itemID("msg"),
				"reasoning":       itemID("rs"),
				"call":            itemID("fc"),
				"custom":          itemID("ctc"),
				"web_search_call": itemID("ws"),
				"":                itemID(""),
			}},
		{rule: "openai-responses/item-id-prefix", is: "item-id-prefix"},
		{rule: "openai-responses/item-id-length", is: "item-id-length"},
		{rule: "openai-responses/item-needs-reasoning", at: "openai", of: ofOpenAI, not: noReasons,
			set: "Items.NeedReasoning", to: []string{"message", "call", "custom", "web_search_call",
				"computer_call"}},
		// openai-go v3.96.0, responses/response.go
		{at: "openai", of: ofOpenAI, not: notOpenAI, set: "Items.RequireID", to: []string{
			"code_interpreter_call", "computer_call", "file_search_call", "image_generation_call",
			"local_shell_call", "mcp_approval_request", "mcp_call", "mcp_list_tools", "program",
			"program_output", "web_search_call",
		}},
	},
}

// itemID returns what OpenAI's ids of items look like.
func itemID(prefix string) Pattern { return Pattern{Prefix: prefix, Alphabet: WordChars, Max: 64} }

// azureResponses enforces OpenAI's rules, whatever the name of a deployment.
var azureResponses = definition{
	name: "azure-responses", format: &openAIResponses, group: "openai", family: "openai", only: true,
	rows: []row{{rule: "openai-responses/reasoning-ids-azure", is: "reasoning-alone reasoning-split",
		set: "Items.FollowReasoning", to: true}},
}

var (
	copilotResponses    = definition{name: "copilot-responses", format: &openAIResponses}
	openRouterResponses = definition{name: "openrouter-responses", format: &openAIResponses}
	xaiResponses        = definition{name: "xai-responses", format: &openAIResponses}
)
