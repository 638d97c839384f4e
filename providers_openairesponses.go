package preflight

// This file is the profile of the OpenAI Responses API, as data.

// Lengths of ids in bytes.
const (
	responsesCallID = 64
	responsesItemID = 64
)

// OpenAIResponses is the profile of the OpenAI Responses API (also on Azure), in the strict form that every model takes and
// for a request that stores what it is given, which is the API's default. A request with storage off does
// not set HoldsItems, and refuses references (RefusedKinds); one that continues a stored response or conversation sets
// HeldPast. Package wire does so by the body.
//
// Each item of the input is one message, and the id of the item is Message.ID. Stricter than the API where that loses
// nothing: arguments are a JSON object, and an id that depends on reasoning goes when no reasoning stands before it in its
// turn, although the model may not have reasoned there.
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
		ObjectArguments: true,
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
			reasoningItem:     itemID("rs"),
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
			ProblemArguments:       "openai-chat/arguments-not-json",
			ProblemKindRefused:     "openai-responses/item-not-found",
			ProblemItemID:          "openai-responses/item-id-charset",
			ProblemItemIDPrefix:    "openai-responses/item-id-prefix",
			ProblemItemIDLength:    "openai-responses/item-id-length",
			ProblemItemDuplicate:   "openai-responses/duplicate-item",
			ProblemItemAlone:       "openai-responses/item-needs-reasoning",
			ProblemItemNotHeld:     "openai-responses/item-not-found",
			ProblemReasoningAlone:  "openai-responses/reasoning-needs-following",
			ProblemReasoningSplit:  "openai-responses/reasoning-ids-azure",
			ProblemCacheLimit:      "openai-responses/unknown-item-field",
		},
	}
}

// responsesModels are the rows of the model table for models that make no reasoning. Of the chat models of the fifth
// generation that is the first alone: gpt-5.1-chat-latest and later ones reason.
func responsesModels() []Model {
	const source = "https://github.com/vercel/ai/blob/005be604878853411cb374d0a80e509adca5cb68/packages/openai/src/openai-language-model-capabilities.ts"
	plain := []Trait{NeverReasons}
	return []Model{
		{"openai-responses", "gpt-3-5*", plain, source, "2026-11"},
		{"openai-responses", "gpt-4*", plain, source, "2026-11"},
		{"openai-responses", "chatgpt-4o*", plain, source, "2026-11"},
		{"openai-responses", "gpt-5-chat*", plain, source, "2026-11"},
	}
}
