package provider

import "github.com/go-preflight/preflight/rule/problems"

// Mistral returns the profile of the Mistral API. Call ids are nine letters or digits, except for
// models that were seen to accept others. A final assistant message is accepted when it is marked
// as a prefix. A user turn may follow tool results; set Turns.BridgeResults, as ChatTemplate does
// for Mistral's models, for self-hosted servers that refuse it.
func Mistral(model string) *Profile { return mistral.forModel(model) }

var mistral = definition{
	name: "mistral",
	base: nearChat,
	rules: map[problems.Problem]string{
		problems.NoMessages:      "mistral/messages-empty",
		problems.SystemAfter:     "mistral/order-system",
		problems.SystemContent:   "mistral/system-null",
		problems.Bridge:          "mistral/order-after-tool",
		problems.TrailingTurn:    "mistral/last-role",
		problems.EmptyMessage:    "mistral/assistant-empty",
		problems.Dangling:        "mistral/call-result-count",
		problems.Orphan:          "mistral/unexpected-result-id",
		problems.DuplicateResult: "mistral/duplicate-result-id",
		problems.IDDuplicate:     "mistral/duplicate-result-id",
		problems.ResultNotFirst:  "mistral/order-tool-after-user",
		problems.IDPattern:       "mistral/tool-call-id",
		problems.IDLength:        "mistral/tool-call-id",
		problems.NameLength:      "mistral/function-name",
		problems.ToolName:        "mistral/function-name",
		problems.ReasoningRole:   "mistral/content-chunk-types",
		problems.MediaRole:       "mistral/content-chunk-types",
		problems.MediaRefused:    "mistral/media-disabled",
		problems.MediaInResult:   "mistral/content-chunk-types",
	},
	change: func(p *Profile) {
		p.System.Placement = SystemAfterUser
		p.Prefill.Refused, p.Prefill.MarkAccepted = true, true
		p.Content.RefuseEmptyMessage, p.Content.NeedsText = true, []Role{"assistant"}
		p.IDs.Call, p.IDs.Unique = Pattern{Alphabet: AlnumChars, Min: 9, Max: 9}, ScopeTurn
		p.Tools.Name = Pattern{Alphabet: WordChars, Min: 1, Max: 64}
		p.Media.Roles, p.Media.InResult = []Role{"user", "tool"}, true
		p.Media.ResultKinds = []string{"image"} // recorded with mistral-small-latest
		p.Media.Kinds = []string{"image", "audio", "document"}
		p.Media.URLKinds = []string{"image", "document"}
	},
	models: []row{
		{
			"mistral-small*", traits{freeIDs, readsImages},
			"rules mistral/tool-call-id and mistral/media-disabled", "2026-10",
		},
		{"mistral-medium*", traits{readsImages}, "rule mistral/media-disabled", "2026-08"},
		{"mistral-large*", traits{readsImages}, "rule mistral/media-disabled", "2026-08"},
		{"ministral*", traits{readsImages}, "rule mistral/media-disabled", "2026-08"},
		{"voxtral*", traits{readsAudio}, "rule mistral/media-disabled", "2026-08"},
	},
}

// readsAudio: the model reads audio and documents, but no images.
func readsAudio(p *Profile) { p.Media.Kinds = []string{"audio", "document"} }

// freeIDs: call ids of any form are accepted.
func freeIDs(p *Profile) { p.IDs.Call = Pattern{Min: 1} }
