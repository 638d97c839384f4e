package provider

import "github.com/go-preflight/preflight/rule"

// Anthropic is the profile of the Anthropic Messages API. ForModel narrows it; other hosts that
// speak the format have dialects of it.
//
// It asks for what the API was seen to refuse, and for no more: neighbours of one role, a leading
// assistant message, white space beside other content of an assistant message, text after a tool
// call, and tool blocks without declared tools are accepted, so they stay.
func Anthropic(model string) *Profile { return narrowed(anthropic(), model) }

func anthropic() Profile {
	return Profile{
		Provider: "anthropic",
		Roles:    []Role{"system", "user", "assistant"},
		IDs: IDRules{
			Call:       Pattern{Alphabet: WordChars, Min: 1},
			ServerCall: Pattern{Prefix: "srvtoolu_", Alphabet: PlainChars, Min: len("srvtoolu_") + 1},
			Unique:     ScopeHistory,
		},
		System: SystemRules{
			Placement:  SystemMidway,
			Directives: []string{"output_config"},
		},
		Turns: TurnRules{
			Required: true,
			Joined:   true,
		},
		Prefill: PrefillRules{
			Refused: true,
			Trim:    true,
		},
		Pairing: PairingRules{
			ResultRole: "user",
		},
		Tools: ToolRules{
			Name:             Pattern{Min: 1, Max: 200},
			ObjectArguments:  true,
			EncryptedResults: true,
		},
		Content: ContentRules{
			RefuseEmptyMessage: true,
			RefuseEmptyText:    true,
			RefuseBlankText:    true,
			BlankBeside:        []Role{"assistant"},
			RefusedKinds:       []RefKind{{Kind: "fallback"}, {Kind: "container_upload", Role: "assistant"}},
			ErrorNeedsText:     true,
		},
		Reasoning: ReasoningRules{
			Signed:            true,
			SignatureAlphabet: Base64,
		},
		Media: MediaRules{
			Roles:     []Role{"user", "tool"},
			InResult:  true,
			Kinds:     []string{"image", "document"},
			Readable:  true,
			MatchType: true,
		},
		Cache: CacheRules{
			Limit:       4,
			NoReasoning: true,
			LongFirst:   true,
		},
		Rules: map[rule.Problem]string{
			rule.InvalidUnicode:   "anthropic/lone-surrogate",
			rule.NUL:              "chat-template/nul-truncation",
			rule.NoMessages:       "anthropic/messages-empty",
			rule.FirstRole:        "anthropic/first-role-user",
			rule.Alternation:      "anthropic/alternation",
			rule.SystemRefused:    "anthropic/system-role-unsupported-model",
			rule.SystemLate:       "anthropic/system-role-unsupported-model",
			rule.SystemAfter:      "anthropic/system-role-after",
			rule.SystemBefore:     "anthropic/system-role-before",
			rule.SystemContent:    "anthropic/system-role-content",
			rule.TrailingTurn:     "anthropic/prefill-unsupported",
			rule.TrailingSpace:    "anthropic/trailing-whitespace",
			rule.EmptyMessage:     "anthropic/empty-message-content",
			rule.EmptyText:        "anthropic/empty-text-block",
			rule.BlankText:        "anthropic/whitespace-text-block",
			rule.CallMisplaced:    "anthropic/tool-use-in-user",
			rule.ResultMisplaced:  "anthropic/tool-result-in-assistant",
			rule.KindRefused:      "anthropic/output-only-blocks",
			rule.Nested:           "anthropic/output-only-blocks",
			rule.Dangling:         "anthropic/tool-result-missing",
			rule.Orphan:           "anthropic/tool-result-orphan",
			rule.DuplicateResult:  "anthropic/tool-result-duplicate",
			rule.ResultNotFirst:   "anthropic/tool-result-first",
			rule.ServerDangling:   "anthropic/server-tool-result-missing",
			rule.ServerOrphan:     "anthropic/server-tool-result-orphan",
			rule.ServerMixed:      "anthropic/server-tool-mixed-turn",
			rule.MCPPairing:       "anthropic/mcp-tool-pairing",
			rule.ServerID:         "anthropic/server-tool-id-pattern",
			rule.IDPattern:        "anthropic/tool-use-id-pattern",
			rule.IDDuplicate:      "anthropic/tool-use-id-duplicate",
			rule.NameLength:       "anthropic/tool-use-name-length",
			rule.ToolName:         "anthropic/tool-name-pattern",
			rule.Arguments:        "anthropic/tool-use-input-object",
			rule.ErrorEmpty:       "anthropic/tool-result-error-empty",
			rule.CallNotLast:      "anthropic/assistant-must-end-on-tool-use",
			rule.Unsigned:         "anthropic/thinking-signature-required",
			rule.Foreign:          "anthropic/thinking-signature-invalid",
			rule.ReasoningEmpty:   "anthropic/thinking-empty",
			rule.ReasoningOff:     "anthropic/thinking-disabled-final",
			rule.ReasoningLast:    "anthropic/thinking-final-block",
			rule.ReasoningOrder:   "anthropic/thinking-order-in-message",
			rule.ReasoningMissing: "anthropic/thinking-must-lead",
			rule.ReasoningBound:   "anthropic/thinking-binding-prefix",
			rule.OpaqueEmpty:      "anthropic/web-search-encrypted-content",
			rule.MediaRole:        "anthropic/image-in-assistant",
			rule.MediaUnreadable:  "anthropic/image-undecodable",
			rule.MediaType:        "anthropic/image-media-type-mismatch",
			rule.MediaName:        "anthropic/document-title-chars",
			rule.CacheLimit:       "anthropic/cache-control-max4",
			rule.CacheEmptyText:   "anthropic/cache-control-empty-text",
			rule.CacheReasoning:   "anthropic/cache-control-on-thinking",
			rule.CacheOrder:       "anthropic/cache-control-ttl-order",
		},
	}
}
