package preflight

// This file is the profiles of the OpenAI Responses API and of the hosts that speak its format, as
// data.

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
func OpenAIResponses() Profile {
	itemID := func(prefix string) Pattern {
		return Pattern{Prefix: prefix, Alphabet: WordChars, Max: responsesItemID}
	}
	return Profile{
		Provider: "openai-responses",

		Roles:               []Role{RoleSystem, "developer", RoleUser, RoleAssistant, RoleTool},
		ResultRole:          RoleTool,
		OneResultPerMessage: true,
		JoinTurns:           true,

		RefuseEmptyMessage: true,

		CallID:          Pattern{Min: 1, Max: responsesCallID},
		ToolName:        Pattern{Alphabet: WordChars, Min: 1, Max: 128},
		ResultNeedsText: true,
		NoServerTools:   true,

		MediaRoles:    []Role{RoleSystem, RoleUser},
		MediaInResult: true,
		MediaKinds:    []string{"image", "document"},

		LoneParts:      true,
		AnswerAnywhere: true,
		TypedResults:   true,
		WordlessCalls:  []string{"computer_call"},
		HoldsItems:     true,
		ItemIDs: map[string]Pattern{
			messageItem:       itemID("msg"),
			reasoningItem:     itemID(""),
			callItem:          itemID("fc"),
			"custom":          itemID("ctc"),
			"web_search_call": itemID("ws"),
			"":                itemID(""),
		},
		NeedReasoning: []string{messageItem, callItem, "custom", "web_search_call", "computer_call"},
		ReferenceKind: "item_reference",

		CacheLimit: NoCache,

		Rules: map[Problem]string{
			ProblemInvalidUnicode:  "chat-template/nim-control-chars",
			ProblemNUL:             "chat-template/nul-truncation",
			ProblemNoMessages:      "openai-responses/input-empty",
			ProblemEmptyMessage:    "openai-responses/required-item-fields",
			ProblemSystemContent:   "openai-responses/required-item-fields",
			ProblemResultEmpty:     "openai-responses/required-item-fields",
			ProblemIDPattern:       "openai-responses/required-item-fields",
			ProblemReasoningEmpty:  "openai-responses/required-item-fields",
			ProblemDangling:        "openai-responses/tool-output-missing",
			ProblemOrphan:          "openai-responses/tool-output-orphan",
			ProblemDuplicateResult: "openai-responses/tool-output-orphan",
			ProblemIDLength:        "openai-responses/call-id-length",
			ProblemNameLength:      "openai-responses/name-pattern",
			ProblemToolName:        "openai-responses/name-pattern",
			ProblemKindRefused:     "openai-responses/item-not-found",
			ProblemMediaRole:       "openai-responses/assistant-input-text",
			ProblemMediaRefused:    "openai-responses/file-type",
			ProblemItemID:          "openai-responses/item-id-charset",
			ProblemItemIDPrefix:    "openai-responses/item-id-prefix",
			ProblemItemIDLength:    "openai-responses/item-id-length",
			ProblemItemDuplicate:   "openai-responses/duplicate-item",
			ProblemItemAlone:       "openai-responses/item-needs-reasoning",
			ProblemItemNotHeld:     "openai-responses/item-not-found",
			ProblemReasoningAlone:  "openai-responses/reasoning-needs-following",
			ProblemReasoningSplit:  "openai-responses/reasoning-needs-following",
			ProblemCacheLimit:      "openai-responses/unknown-item-field",
		},
	}
}

// The hosts that speak the format; see otherDialects.

// freeItems drops the rules about ids and members of items that only OpenAI's own service was seen
// to enforce.
func (p *Profile) freeItems() {
	p.ItemIDs, p.NeedReasoning = nil, nil
	p.ToolName = Pattern{}
	p.CacheLimit = 0
}

// azureResponses: Azure enforces OpenAI's rules, whatever a deployment is called.
func azureResponses(p *Profile) {
	p.Rules[ProblemReasoningAlone] = "openai-responses/reasoning-ids-azure"
	p.Rules[ProblemReasoningSplit] = "openai-responses/reasoning-ids-azure"
}

// deepSeekResponses: ids of items are UUIDs, and reasoning is sent in full as its content. Text
// between a call and its output hides the call, so that text is moved before the calls of its turn.
func deepSeekResponses(p *Profile) {
	p.freeItems()
	p.TextBeforeCalls = true
	p.Rules[ProblemCallNotLast] = "deepseek/tool-result-missing"
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
