package provider

import "github.com/go-preflight/preflight/rule"

// Lengths of ids in bytes.
const (
	responsesCallID = 64
	responsesItemID = 64
)

// OpenAIResponses is the profile of the OpenAI Responses API, for a request that stores what it is
// given, which is the API's default. A request with storage off does not set HoldsItems, and
// refuses references (RefusedKinds); one that continues a stored response or conversation sets
// HeldPast. Package wire does so by the body.
//
// Each item of the input is one message, and the id of the item is Message.ID. OpenAI's own models
// follow the profile as it is; for models of other makers, which other hosts serve in the same
// format, ForModel drops what only OpenAI was seen to refuse. Arguments of calls may be any string:
// OpenAI takes "[]", "" and JSON that was cut off.
func OpenAIResponses(model string) *Profile { return narrowed(openAIResponses(), model) }

func openAIResponses() Profile {
	itemID := func(prefix string) Pattern {
		return Pattern{Prefix: prefix, Alphabet: WordChars, Max: responsesItemID}
	}
	return Profile{
		Provider: "openai-responses",
		Roles:    []Role{"system", "developer", "user", "assistant", "tool"},
		IDs: IDRules{
			Call: Pattern{Min: 1, Max: responsesCallID},
		},
		Turns: TurnRules{
			Joined: true,
		},
		Pairing: PairingRules{
			ResultRole:          "tool",
			OneResultPerMessage: true,
			Anywhere:            true,
			Typed:               true,
			Unanswerable:        []string{"computer_call"},
		},
		Tools: ToolRules{
			Name:          Pattern{Alphabet: WordChars, Min: 1, Max: 128},
			NoServerTools: true,
		},
		Content: ContentRules{
			RefuseEmptyMessage: true,
			ResultNeedsText:    true,
		},
		Media: MediaRules{
			Roles:    []Role{"system", "user"},
			InResult: true,
			Kinds:    []string{"image", "document"},
		},
		Items: ItemRules{
			OnePartPerMessage: true,
			Held:              true,
			IDs: map[string]Pattern{
				"message":         itemID("msg"),
				"reasoning":       itemID(""),
				"call":            itemID("fc"),
				"custom":          itemID("ctc"),
				"web_search_call": itemID("ws"),
				"":                itemID(""),
			},
			NeedReasoning: []string{"message", "call", "custom", "web_search_call", "computer_call"},
			ReferenceKind: "item_reference",
		},
		Cache: CacheRules{
			Limit: NoCache,
		},
		Rules: map[rule.Problem]string{
			rule.InvalidUnicode:  "chat-template/nim-control-chars",
			rule.NUL:             "chat-template/nul-truncation",
			rule.NoMessages:      "openai-responses/input-empty",
			rule.EmptyMessage:    "openai-responses/required-item-fields",
			rule.SystemContent:   "openai-responses/required-item-fields",
			rule.ResultEmpty:     "openai-responses/required-item-fields",
			rule.IDPattern:       "openai-responses/required-item-fields",
			rule.ReasoningEmpty:  "openai-responses/required-item-fields",
			rule.Dangling:        "openai-responses/tool-output-missing",
			rule.Orphan:          "openai-responses/tool-output-orphan",
			rule.DuplicateResult: "openai-responses/tool-output-orphan",
			rule.IDLength:        "openai-responses/call-id-length",
			rule.NameLength:      "openai-responses/name-pattern",
			rule.ToolName:        "openai-responses/name-pattern",
			rule.KindRefused:     "openai-responses/item-not-found",
			rule.MediaRole:       "openai-responses/assistant-input-text",
			rule.MediaRefused:    "openai-responses/file-type",
			rule.ItemID:          "openai-responses/item-id-charset",
			rule.ItemIDPrefix:    "openai-responses/item-id-prefix",
			rule.ItemIDLength:    "openai-responses/item-id-length",
			rule.ItemDuplicate:   "openai-responses/duplicate-item",
			rule.ItemAlone:       "openai-responses/item-needs-reasoning",
			rule.ItemNotHeld:     "openai-responses/item-not-found",
			rule.ReasoningAlone:  "openai-responses/reasoning-needs-following",
			rule.ReasoningSplit:  "openai-responses/reasoning-needs-following",
			rule.CacheLimit:      "openai-responses/unknown-item-field",
		},
	}
}

// freeItems drops the rules about ids and members of items that only OpenAI's own service was seen
// to enforce.
func (p *Profile) freeItems() {
	p.Items.IDs, p.Items.NeedReasoning = nil, nil
	p.Tools.Name = Pattern{}
	p.Cache.Limit = 0
}

// azureResponses: Azure enforces OpenAI's rules, whatever a deployment is called.
func azureResponses(p *Profile) {
	p.Rules[rule.ReasoningAlone] = "openai-responses/reasoning-ids-azure"
	p.Rules[rule.ReasoningSplit] = "openai-responses/reasoning-ids-azure"
}

// deepSeekResponses: ids of items are UUIDs, and reasoning is sent in full as its content. Text
// between a call and its output hides the call, so that text is moved before the calls of its turn.
func deepSeekResponses(p *Profile) {
	p.freeItems()
	p.Turns.TextBeforeCalls = true
	p.Rules[rule.CallNotLast] = "deepseek/tool-result-missing"
}

// responsesModels are the rows of the model table for the Responses API: the models that make no
// reasoning, then OpenAI's other models, then everybody else's. Of the chat models of the fifth
// generation the first alone makes none: gpt-5.1-chat-latest and later ones reason.
func responsesModels() []Model {
	const (
		openai, azure = "openai-responses", "azure-responses"
		source        = "https://github.com/vercel/ai/blob/005be604878853411cb374d0a80e509adca5cb68/packages/openai/src/openai-language-model-capabilities.ts"
		recorded      = "requests that api.x.ai, api.deepseek.com, openrouter.ai and Bedrock accepted"
	)
	plain, free := []Trait{NeverReasons}, []Trait{FreeItems}
	var rows []Model
	row := func(provider string, traits []Trait, source string, patterns ...string) {
		for _, p := range patterns {
			rows = append(rows, Model{provider, p, traits, source, "2026-11"})
		}
	}
	row(openai, free, recorded, "*/*", "gpt-oss*")
	row(openai, plain, source, "gpt-3-5*", "gpt-4*", "chatgpt-4o*", "gpt-5-chat*", "ft:gpt-3-5*", "ft:gpt-4*")
	row(openai, nil, source, "gpt-*", "ft:*", "o1*", "o3*", "o4*", "codex-*", "chatgpt-*", "computer-use-*")
	row(openai, free, recorded, "*")
	row(azure, free, recorded, "gpt-oss*", "grok-*", "deepseek-*")
	row(azure, plain, source, "gpt-4*")
	row(azure, nil, "a deployment may have any name", "*")
	return rows
}
