package preflight

// This file is the profiles of the providers whose formats are close to OpenAI's Chat and yet their own, as data.

// Mistral is the profile of the Mistral API, hosted and self-hosted, in the form that every tokenizer version takes: ids of
// nine letters or digits, and an assistant turn between tool results and a user turn. The hosted API has become lenient about
// both; sources disagree. A final assistant message has to say prefix, which package wire sees.
func Mistral() Profile {
	return Profile{
		Provider: "mistral",

		Roles:               []Role{RoleSystem, RoleUser, RoleAssistant, RoleTool},
		ResultRole:          RoleTool,
		OneResultPerMessage: true,
		BridgeResults:       true,
		System:              SystemBehind,
		RefusePrefill:       true,

		RefuseEmptyMessage: true,
		RefuseHollow:       []Role{RoleAssistant},

		CallID:          Pattern{Alphabet: AlnumChars, Min: 9, Max: 9},
		UniqueIDs:       ScopeTurn,
		ToolName:        Pattern{Alphabet: WordChars, Min: 1, Max: 64},
		ObjectArguments: true,
		ResultNeedsText: true,
		NoServerTools:   true,

		MediaRoles: []Role{RoleUser},
		MediaKinds: []string{"image", "audio", "document"},

		Rules: map[Problem]string{
			ProblemInvalidUnicode:  "chat-template/nim-control-chars",
			ProblemNUL:             "chat-template/nul-truncation",
			ProblemNoMessages:      "mistral/messages-empty",
			ProblemSystemAfter:     "mistral/order-system",
			ProblemSystemContent:   "mistral/system-null",
			ProblemBridge:          "mistral/order-after-tool",
			ProblemTrailingTurn:    "mistral/last-role",
			ProblemEmptyMessage:    "mistral/assistant-empty",
			ProblemDangling:        "mistral/call-result-count",
			ProblemOrphan:          "mistral/unexpected-result-id",
			ProblemDuplicateResult: "mistral/duplicate-result-id",
			ProblemIDDuplicate:     "mistral/duplicate-result-id",
			ProblemResultNotFirst:  "mistral/order-tool-after-user",
			ProblemIDPattern:       "mistral/tool-call-id",
			ProblemIDLength:        "mistral/tool-call-id",
			ProblemNameLength:      "mistral/function-name",
			ProblemToolName:        "mistral/function-name",
			ProblemReasoningRole:   "mistral/content-chunk-types",
			ProblemMediaRole:       "mistral/content-chunk-types",
			ProblemMediaInResult:   "mistral/content-chunk-types",
		},
	}
}

// Cohere is the profile of Cohere's v2 chat API. What it checks beyond pairing is not on record; OpenAI's habits are taken
// for granted.
func Cohere() Profile {
	return Profile{
		Provider: "cohere",

		Roles:               []Role{RoleSystem, RoleUser, RoleAssistant, RoleTool},
		ResultRole:          RoleTool,
		OneResultPerMessage: true,

		RefuseEmptyMessage: true,

		CallID:          Pattern{Min: 1},
		UniqueIDs:       ScopeTurn,
		ToolName:        Pattern{Min: 1},
		ObjectArguments: true,
		ResultNeedsText: true,
		NoServerTools:   true,

		MediaRoles: []Role{RoleUser},
		MediaKinds: []string{"image"},

		Rules: map[Problem]string{
			ProblemNUL:            "chat-template/nul-truncation",
			ProblemDangling:       "cohere/tool-result-missing",
			ProblemResultNotFirst: "cohere/tool-result-missing",
		},
	}
}

// Ollama is the profile of Ollama's own /api/chat. It does not look at pairs and order, and drops silently what a template
// has no place for: sound histories answer better.
func Ollama() Profile {
	const pairing = "ollama/pairing-not-validated"
	return Profile{
		Provider: "ollama",

		Roles:               []Role{RoleSystem, RoleUser, RoleAssistant, RoleTool},
		ResultRole:          RoleTool,
		OneResultPerMessage: true,

		RefuseEmptyMessage: true,

		CallID:          Pattern{Min: 1},
		UniqueIDs:       ScopeTurn,
		ToolName:        Pattern{Min: 1},
		ObjectArguments: true,
		NoServerTools:   true,

		MediaInResult: true,
		MediaKinds:    []string{"image"},
		NoMediaURLs:   true,

		Rules: map[Problem]string{
			ProblemNUL:             "chat-template/nul-truncation",
			ProblemArguments:       "ollama/arguments-invalid-json",
			ProblemDangling:        pairing,
			ProblemOrphan:          pairing,
			ProblemDuplicateResult: pairing,
			ProblemResultNotFirst:  pairing,
		},
	}
}
