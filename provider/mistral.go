package provider

// Mistral returns the profile of the Mistral API. Call ids are nine letters or digits, except for
// models that were seen to accept others. A final assistant message is accepted when it is marked
// as a prefix. A user turn may follow tool results; set Turns.BridgeResults, as ChatTemplate does
// for Mistral's models, for self-hosted servers that refuse it.
func Mistral(model string) *Profile { return mistral.forModel(model) }

// nineCharacters is what the ids of Mistral's models are.
var nineCharacters = Pattern{Alphabet: AlnumChars, Min: 9, Max: 9}

var mistral = definition{
	name: "mistral",
	like: &nearChat,
	rows: []row{
		{rule: "mistral/messages-empty", is: "no-messages"},
		{rule: "mistral/system-null", is: "system-content"},
		{rule: "mistral/order-after-tool", is: "user-after-result"},
		{rule: "mistral/call-result-count", is: "dangling"},
		{rule: "mistral/unexpected-result-id", is: "orphan"},
		{rule: "mistral/duplicate-result-id", is: "duplicate-result"},
		{rule: "mistral/order-tool-after-user", is: "result-not-first"},
		{rule: "mistral/content-chunk-types", is: "reasoning-role"},

		{rule: "mistral/order-system", is: "system-after",
			set: "System.Placement", to: SystemAfterUser},
		{rule: "mistral/last-role", set: "Prefill.Refused", to: true},
		{set: "Prefill.MarkAccepted", to: true},
		{rule: "mistral/assistant-empty", set: "Content.RefuseEmptyMessage", to: true},
		{rule: "mistral/assistant-empty", set: "Content.NeedsText", to: []Role{"assistant"}},
		{rule: "mistral/tool-call-id", not: "mistral-small*", set: "IDs.Call", to: nineCharacters},
		{rule: "mistral/duplicate-result-id", set: "IDs.Unique", to: ScopeTurn},
		{rule: "mistral/function-name", set: "Tools.Name", to: openAINames},
		{rule: "mistral/content-chunk-types", set: "Media.Roles", to: []Role{"user", "tool"}},
		{set: "Media.InResult", to: true},
		{rule: "mistral/content-chunk-types", // recorded with mistral-small-latest
			set: "Media.ResultKinds", to: []string{"image"}},
		{rule: "mistral/media-disabled",
			set: "Media.Kinds", to: []string{"image", "audio", "document"}},
		{rule: "mistral/media-disabled",
			of:  "mistral-small* mistral-medium* mistral-large* ministral*",
			set: "Media.Kinds", to: []string{"image", "document"}},
		{rule: "mistral/media-disabled", of: "voxtral*",
			set: "Media.Kinds", to: []string{"audio", "document"}},
		{set: "Media.URLKinds", to: []string{"image", "document"}},
	},
}
