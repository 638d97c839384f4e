package provider

import "github.com/go-preflight/preflight/rule"

// Mistral is the profile of the Mistral API: call ids of nine letters or digits, but for the models
// that were seen to take others, and a final assistant message that says that it is a prefix
// (MetaPrefix). A user turn may follow tool results; for servers of one's own that refuse it, set
// bridgeResultsFixer, as ChatTemplate does.
func Mistral(model string) *Profile { return narrowed(mistral(), model) }

func mistral() Profile {
	return nearChatHost("mistral", mistralRules, func(p *Profile) {
		p.System.Placement = SystemBehind
		p.Prefill.Refused, p.Prefill.MarkAccepted = true, true
		p.Content.RefuseEmptyMessage, p.Content.NeedsText = true, []Role{"assistant"}
		p.IDs.Call, p.IDs.Unique = Pattern{Alphabet: AlnumChars, Min: 9, Max: 9}, ScopeTurn
		p.Tools.Name = Pattern{Alphabet: WordChars, Min: 1, Max: 64}
		p.Media.Roles = []Role{"user"}
		p.Media.Kinds = []string{"image", "audio", "document"}
	})
}

// mistralRules are the rules of Mistral, by the problem that breaks them.
var mistralRules = map[rule.Problem]string{
	rule.InvalidUnicode:  "chat-template/nim-control-chars",
	rule.NoMessages:      "mistral/messages-empty",
	rule.SystemAfter:     "mistral/order-system",
	rule.SystemContent:   "mistral/system-null",
	rule.Bridge:          "mistral/order-after-tool",
	rule.TrailingTurn:    "mistral/last-role",
	rule.EmptyMessage:    "mistral/assistant-empty",
	rule.Dangling:        "mistral/call-result-count",
	rule.Orphan:          "mistral/unexpected-result-id",
	rule.DuplicateResult: "mistral/duplicate-result-id",
	rule.IDDuplicate:     "mistral/duplicate-result-id",
	rule.ResultNotFirst:  "mistral/order-tool-after-user",
	rule.IDPattern:       "mistral/tool-call-id",
	rule.IDLength:        "mistral/tool-call-id",
	rule.NameLength:      "mistral/function-name",
	rule.ToolName:        "mistral/function-name",
	rule.ReasoningRole:   "mistral/content-chunk-types",
	rule.MediaRole:       "mistral/content-chunk-types",
	rule.MediaInResult:   "mistral/content-chunk-types",
}
