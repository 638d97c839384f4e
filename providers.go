package preflight

// This file is the providers' profiles, as data. Each field's source is the rule that Rules names for the problem it is
// about; package rule has the statements, error texts and citations.

// Anthropic is the profile of the Anthropic Messages API. ForModel narrows it; other hosts that speak the format have
// dialects of it.
//
// It asks for what the API was seen to refuse, and for no more: neighbours of one role, a leading assistant message, white
// space beside other content of an assistant message, text after a tool call, and tool blocks without declared tools are
// accepted, so they stay.
func Anthropic() Profile {
	return Profile{
		Provider: "anthropic",

		Roles:         []Role{RoleSystem, RoleUser, RoleAssistant},
		ResultRole:    RoleUser,
		System:        SystemMidway,
		Directives:    []string{"output_config"},
		NeedTurn:      true,
		JoinTurns:     true,
		RefusePrefill: true,
		TrimPrefill:   true,

		RefuseEmptyMessage: true,
		RefuseEmptyText:    true,
		RefuseBlankText:    true,
		BlankBeside:        []Role{RoleAssistant},
		RefusedKinds:       []RefKind{{Kind: "fallback"}, {Kind: "container_upload", Role: RoleAssistant}},

		CallID:          Pattern{Alphabet: WordChars, Min: 1},
		ServerCallID:    Pattern{Prefix: "srvtoolu_", Alphabet: PlainChars, Min: len("srvtoolu_") + 1},
		UniqueIDs:       ScopeHistory,
		ToolName:        Pattern{Min: 1, Max: 200},
		ObjectArguments: true,
		ErrorNeedsText:  true,

		SignedReasoning:   true,
		SignatureAlphabet: Base64,
		EncryptedPayloads: true,

		MediaRoles:    []Role{RoleUser, RoleTool},
		MediaInResult: true,
		MediaKinds:    []string{"image", "document"},
		ReadableMedia: true,
		MatchMedia:    true,

		CacheLimit:       4,
		NoCacheReasoning: true,
		CacheLongFirst:   true,

		Rules: map[Problem]string{
			ProblemInvalidUnicode:   "anthropic/lone-surrogate",
			ProblemNUL:              "chat-template/nul-truncation",
			ProblemNoMessages:       "anthropic/messages-empty",
			ProblemFirstRole:        "anthropic/first-role-user",
			ProblemAlternation:      "anthropic/alternation",
			ProblemSystemRefused:    "anthropic/system-role-unsupported-model",
			ProblemSystemLate:       "anthropic/system-role-unsupported-model",
			ProblemSystemAfter:      "anthropic/system-role-after",
			ProblemSystemBefore:     "anthropic/system-role-before",
			ProblemSystemContent:    "anthropic/system-role-content",
			ProblemTrailingTurn:     "anthropic/prefill-unsupported",
			ProblemTrailingSpace:    "anthropic/trailing-whitespace",
			ProblemEmptyMessage:     "anthropic/empty-message-content",
			ProblemEmptyText:        "anthropic/empty-text-block",
			ProblemBlankText:        "anthropic/whitespace-text-block",
			ProblemCallMisplaced:    "anthropic/tool-use-in-user",
			ProblemResultMisplaced:  "anthropic/tool-result-in-assistant",
			ProblemKindRefused:      "anthropic/output-only-blocks",
			ProblemNested:           "anthropic/output-only-blocks",
			ProblemDangling:         "anthropic/tool-result-missing",
			ProblemOrphan:           "anthropic/tool-result-orphan",
			ProblemDuplicateResult:  "anthropic/tool-result-duplicate",
			ProblemResultNotFirst:   "anthropic/tool-result-first",
			ProblemServerDangling:   "anthropic/server-tool-result-missing",
			ProblemServerOrphan:     "anthropic/server-tool-result-orphan",
			ProblemServerMixed:      "anthropic/server-tool-mixed-turn",
			ProblemMCPPairing:       "anthropic/mcp-tool-pairing",
			ProblemServerID:         "anthropic/server-tool-id-pattern",
			ProblemIDPattern:        "anthropic/tool-use-id-pattern",
			ProblemIDDuplicate:      "anthropic/tool-use-id-duplicate",
			ProblemNameLength:       "anthropic/tool-use-name-length",
			ProblemToolName:         "anthropic/tool-name-pattern",
			ProblemArguments:        "anthropic/tool-use-input-object",
			ProblemErrorEmpty:       "anthropic/tool-result-error-empty",
			ProblemCallNotLast:      "anthropic/assistant-must-end-on-tool-use",
			ProblemUnsigned:         "anthropic/thinking-signature-required",
			ProblemForeign:          "anthropic/thinking-signature-invalid",
			ProblemReasoningEmpty:   "anthropic/thinking-empty",
			ProblemReasoningOff:     "anthropic/thinking-disabled-final",
			ProblemReasoningLast:    "anthropic/thinking-final-block",
			ProblemReasoningOrder:   "anthropic/thinking-order-in-message",
			ProblemReasoningMissing: "anthropic/thinking-must-lead",
			ProblemReasoningBound:   "anthropic/thinking-binding-prefix",
			ProblemOpaqueEmpty:      "anthropic/web-search-encrypted-content",
			ProblemMediaRole:        "anthropic/image-in-assistant",
			ProblemMediaUnreadable:  "anthropic/image-undecodable",
			ProblemMediaType:        "anthropic/image-media-type-mismatch",
			ProblemMediaName:        "anthropic/document-title-chars",
			ProblemCacheLimit:       "anthropic/cache-control-max4",
			ProblemCacheEmptyText:   "anthropic/cache-control-empty-text",
			ProblemCacheReasoning:   "anthropic/cache-control-on-thinking",
			ProblemCacheOrder:       "anthropic/cache-control-ttl-order",
		},
	}
}

// OpenAIChat is the profile of the OpenAI Chat Completions API.
//
// Neighbours of one role, empty strings, system messages midway, and arguments that are cut off or no object, which OpenAI's
// own answers hold, are legal there and stay.
func OpenAIChat() Profile {
	return Profile{
		Provider: "openai-chat",

		Roles:               []Role{RoleSystem, "developer", RoleUser, RoleAssistant, RoleTool, "function"},
		ResultRole:          RoleTool,
		OneResultPerMessage: true,
		NamePattern:         Pattern{Alphabet: WordChars, Min: 1, Max: 64},

		RefuseEmptyMessage: true,

		CallID:          Pattern{Min: 1, Max: 40},
		UniqueIDs:       ScopeTurn,
		ToolName:        Pattern{Alphabet: WordChars, Min: 1, Max: 64},
		ResultNeedsText: true,
		NoServerTools:   true,

		MediaRoles:    []Role{RoleUser},
		MediaKinds:    []string{"image", "audio", "video", "document"},
		ReadableMedia: true,
		FileNeedsName: true,

		Rules: map[Problem]string{
			ProblemInvalidUnicode:  "chat-template/nim-control-chars",
			ProblemNUL:             "chat-template/nul-truncation",
			ProblemNoMessages:      "openai-chat/messages-empty",
			ProblemRoleUnknown:     "openai-chat/role-unknown",
			ProblemNamePattern:     "openai-chat/message-name-pattern",
			ProblemSystemRefused:   "openai-chat/system-role-unsupported",
			ProblemEmptyMessage:    "openai-chat/content-null",
			ProblemSystemContent:   "openai-chat/content-null",
			ProblemResultEmpty:     "openai-chat/content-null",
			ProblemDangling:        "openai-chat/tool-result-missing",
			ProblemOrphan:          "openai-chat/tool-result-orphan",
			ProblemDuplicateResult: "openai-chat/tool-call-id-duplicate",
			ProblemResultNotFirst:  "openai-chat/tool-result-missing",
			ProblemIDPattern:       "openai-chat/tool-call-id-length",
			ProblemIDLength:        "openai-chat/tool-call-id-length",
			ProblemIDDuplicate:     "openai-chat/tool-call-id-duplicate",
			ProblemNameLength:      "openai-chat/function-name-pattern",
			ProblemToolName:        "openai-chat/function-name-pattern",
			ProblemArguments:       "openai-chat/arguments-not-json",
			ProblemMediaRole:       "openai-chat/tool-message-image",
			ProblemMediaInResult:   "openai-chat/tool-message-image",
			ProblemMediaRefused:    "openai-chat/part-type",
			ProblemMediaUnreadable: "openai-chat/image-undecodable",
			ProblemFileName:        "openai-chat/file-needs-filename",
		},
	}
}
