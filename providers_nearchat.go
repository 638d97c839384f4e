package preflight

import "maps"

// This file is the profiles of the providers whose formats are close to OpenAI's Chat and yet their own, as data.

// nearChatHost is what they have in common, with the rules of one of them, and what change says.
func nearChatHost(provider string, rules map[Problem]string, change func(p *Profile)) Profile {
	p := Profile{
		Provider: provider,

		Roles:               []Role{RoleSystem, RoleUser, RoleAssistant, RoleTool},
		ResultRole:          RoleTool,
		OneResultPerMessage: true,

		CallID:        Pattern{Min: 1},
		ToolName:      Pattern{Min: 1},
		NoServerTools: true,

		Rules: map[Problem]string{ProblemNUL: "chat-template/nul-truncation"},
	}
	maps.Copy(p.Rules, rules)
	change(&p)
	return p
}

// Mistral is the profile of the Mistral API: call ids of nine letters or digits, but for the models that were seen to take
// others, and a final assistant message that says that it is a prefix (MetaPrefix). A user turn may follow tool results; for
// servers of one's own that refuse it, set BridgeResults, as ChatTemplate does.
func Mistral() Profile {
	return nearChatHost("mistral", mistralRules, func(p *Profile) {
		p.System = SystemBehind
		p.RefusePrefill, p.PrefillMark = true, true
		p.RefuseEmptyMessage, p.RefuseHollow = true, []Role{RoleAssistant}
		p.CallID, p.UniqueIDs = Pattern{Alphabet: AlnumChars, Min: 9, Max: 9}, ScopeTurn
		p.ToolName = Pattern{Alphabet: WordChars, Min: 1, Max: 64}
		p.MediaRoles = []Role{RoleUser}
		p.MediaKinds = []string{"image", "audio", "document"}
	})
}

// mistralRules are the rules of Mistral, by the problem that breaks them.
var mistralRules = map[Problem]string{
	ProblemInvalidUnicode:  "chat-template/nim-control-chars",
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
}

// Cohere is the profile of Cohere's v2 chat API. What it checks beyond pairing and the types of
// content is not on record, so no more is asked for.
func Cohere() Profile {
	return nearChatHost("cohere", map[Problem]string{
		ProblemDangling:       "cohere/tool-result-missing",
		ProblemResultNotFirst: "cohere/tool-result-missing",
		ProblemResultEmpty:    "cohere/tool-content-required",
		ProblemMediaRole:      "cohere/image-user-only",
		ProblemMediaInResult:  "cohere/image-user-only",
	}, func(p *Profile) {
		p.ResultNeedsText = true
		p.MediaRoles = []Role{RoleUser}
		p.MediaKinds = []string{"image"}
	})
}

// Ollama is the profile of Ollama's own /api/chat. It does not look at pairs and order, and drops silently what a template
// has no place for: sound histories answer better.
func Ollama() Profile {
	const pairing = "ollama/pairing-not-validated"
	return nearChatHost("ollama", map[Problem]string{
		ProblemArguments:       "ollama/arguments-invalid-json",
		ProblemDangling:        pairing,
		ProblemOrphan:          pairing,
		ProblemDuplicateResult: pairing,
		ProblemResultNotFirst:  pairing,
	}, func(p *Profile) {
		p.ObjectArguments = true
		p.MediaInResult = true
		p.MediaKinds = []string{"image"}
		p.NoMediaURLs = true
	})
}
