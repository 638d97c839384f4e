package provider

import (
	"slices"

	"github.com/go-preflight/preflight/rule/problems"
)

// OpenAIResponses returns the profile of the OpenAI Responses API, for a request that stores what
// it is given, which is the API's default. For a request that does not, clear Items.Held and add
// references to Content.RefusedKinds. For one that continues a stored response or conversation, the
// provider holds an earlier part of the history. Package wire does so by the request body.
//
// Each item of the input is one message, and the id of the item is Message.ID. OpenAI's own models
// follow the profile as it is. Models of other vendors, which other hosts serve in the same format,
// have no rules that only OpenAI was seen to enforce. Arguments of calls may be any string: OpenAI
// accepts "[]", "" and JSON that was cut off.
func OpenAIResponses(model string) *Profile { return openAIResponses.forModel(model) }

// openAIResponses has rows for models of other vendors, for models that make no reasoning, and for
// OpenAI's other models. Of the chat models of the fifth generation the first alone makes none:
// gpt-5.1-chat-latest and later ones reason.
var openAIResponses = definition{
	name: "openai-responses",
	base: responsesBase,
	models: slices.Concat(
		responsesRows(traits{freeItems}, srcFreeItems, "*/*", "gpt-oss*"),
		responsesRows(traits{neverReasons}, srcReasons, "gpt-3-5*", "gpt-4*", "chatgpt-4o*",
			"gpt-5-chat*", "ft:gpt-3-5*", "ft:gpt-4*"),
		responsesRows(nil, srcReasons, "gpt-*", "ft:*", "o1*", "o3*", "o4*", "codex-*",
			"chatgpt-*", "computer-use-*"),
		responsesRows(traits{freeItems}, srcFreeItems, "*"),
	),
}

// azureResponses enforces OpenAI's rules, whatever the name of a deployment.
var azureResponses = definition{
	name:   "azure-responses",
	format: &openAIResponses,
	rules: map[problems.Problem]string{
		problems.ReasoningAlone: "openai-responses/reasoning-ids-azure",
		problems.ReasoningSplit: "openai-responses/reasoning-ids-azure",
	},
	change: func(p *Profile) { p.Items.FollowReasoning = true },
	models: slices.Concat(
		responsesRows(traits{freeItems}, srcFreeItems, "gpt-oss*", "grok-*", "deepseek-*"),
		responsesRows(traits{neverReasons}, srcReasons, "gpt-4*"),
		responsesRows(nil, "a deployment may have any name", "*"),
	),
}

var copilotResponses = definition{
	name:   "copilot-responses",
	format: &openAIResponses,
	change: freeItems,
}

const (
	srcReasons = "https://github.com/vercel/ai/blob/005be604878853411cb374d0a80e509adca5cb68/" +
		"packages/openai/src/openai-language-model-capabilities.ts"
	srcFreeItems = "requests that api.x.ai, api.deepseek.com, openrouter.ai and Bedrock accepted"
)

// responsesRows returns a row for each pattern.
func responsesRows(t traits, source string, patterns ...string) []row {
	var rows []row
	for _, p := range patterns {
		rows = append(rows, row{p, t, source, "2026-11"})
	}
	return rows
}

// freeItems: not served by OpenAI, the only one that was seen to enforce rules about ids and
// members of items.
func freeItems(p *Profile) {
	p.Items.IDs, p.Items.NeedReasoning, p.Items.RequireID = nil, nil, nil
	p.Tools.Name = Pattern{}
	p.Cache.Limit = 0
}

// neverReasons: the model makes no reasoning, so no item needs any before it.
func neverReasons(p *Profile) { p.Items.NeedReasoning = nil }

// Lengths of ids in bytes.
const (
	responsesCallID = 64
	responsesItemID = 64
)

func responsesBase() Profile {
	itemID := func(prefix string) Pattern {
		return Pattern{Prefix: prefix, Alphabet: WordChars, Max: responsesItemID}
	}
	return Profile{
		Roles: []Role{"system", "developer", "user", "assistant", "tool"},
		IDs: IDRules{
			Call: Pattern{Min: 1, Max: responsesCallID},
		},
		Turns: TurnRules{
			Neighbours: NeighboursJoined,
		},
		Pairing: PairingRules{
			ResultRole:          "tool",
			OneResultPerMessage: true,
			Results:             ResultsAnywhere,
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
			Roles:     []Role{"system", "user"},
			InResult:  true,
			Kinds:     []string{"image", "document"},
			Decodable: true,
		},
		Items: ItemRules{
			OnePartPerMessage: true,
			Held:              true,
			IDs: map[string]Pattern{
				"message":         itemID("msg"),
				"reasoning":       itemID("rs"),
				"call":            itemID("fc"),
				"custom":          itemID("ctc"),
				"web_search_call": itemID("ws"),
				"":                itemID(""),
			},
			NeedReasoning: []string{"message", "call", "custom", "web_search_call",
				"computer_call"},
			RequireID: []string{ // openai-go v3.96.0, responses/response.go
				"code_interpreter_call", "computer_call", "file_search_call",
				"image_generation_call", "local_shell_call", "mcp_approval_request", "mcp_call",
				"mcp_list_tools", "program", "program_output", "web_search_call",
			},
			ReferenceKind: "item_reference",
		},
		Cache: CacheRules{
			Limit: NoCache,
		},
		Rules: map[problems.Problem]string{
			problems.NUL:             "chat-template/nul-truncation",
			problems.NoMessages:      "openai-responses/input-empty",
			problems.EmptyMessage:    "openai-responses/required-item-fields",
			problems.SystemContent:   "openai-responses/required-item-fields",
			problems.ResultEmpty:     "openai-responses/required-item-fields",
			problems.IDPattern:       "openai-responses/required-item-fields",
			problems.ReasoningEmpty:  "openai-responses/required-item-fields",
			problems.Dangling:        "openai-responses/tool-output-missing",
			problems.Orphan:          "openai-responses/tool-output-orphan",
			problems.DuplicateResult: "openai-responses/tool-output-orphan",
			problems.IDLength:        "openai-responses/call-id-length",
			problems.NameLength:      "openai-responses/name-pattern",
			problems.ToolName:        "openai-responses/name-pattern",
			problems.KindRefused:     "openai-responses/item-not-found",
			problems.MediaRole:       "openai-responses/assistant-input-text",
			problems.MediaRefused:    "openai-responses/file-type",
			problems.MediaUnreadable: "openai-chat/image-undecodable",
			problems.ItemID:          "openai-responses/item-id-charset",
			problems.ItemIDPrefix:    "openai-responses/item-id-prefix",
			problems.ItemIDLength:    "openai-responses/item-id-length",
			problems.ItemDuplicate:   "openai-responses/duplicate-item",
			problems.ItemAlone:       "openai-responses/item-needs-reasoning",
			problems.ItemNotHeld:     "openai-responses/item-not-found",
			problems.ReasoningAlone:  "openai-responses/reasoning-needs-following",
			problems.ReasoningSplit:  "openai-responses/reasoning-needs-following",
			problems.CacheLimit:      "openai-responses/unknown-item-field",
		},
	}
}
