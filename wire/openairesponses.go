package wire

import (
	"slices"
	"strings"

	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/provider"
)

// This file describes the OpenAI Responses format: a list of items, each of which becomes one
// message.

const openAIResponses = "openai-responses"

func openAIResponsesFormat() *format {
	return &format{
		name: openAIResponses,

		opaqueReasoning: true,

		profile:       provider.OpenAIResponses,
		list:          "input",
		plain:         true,
		mayBeUnlisted: true,
		decode:        decodeResponses,
		encodeFor:     encodeResponses,
		prepare:       prepareResponses,
		opaque:        opaqueItem,

		system: "instructions", systemBeside: true,
		decodeSystem: decodeInstructions,
		encodeSystem: encodeInstructions,

		signs: signs{
			members: []string{"input"},
			fields:  []string{"encrypted_content", "call_id"},
			items: []string{
				"function_call", "function_call_output", "custom_tool_call",
				"custom_tool_call_output",
				"reasoning", "item_reference", "local_shell_call", "shell_call", "apply_patch_call",
				"computer_call", webSearch, "file_search_call", "mcp_call", toolSearch,
				"tool_search_output", "additional_tools", "configuration_update",
				"compaction_trigger",
			},
			blocks: []blockSign{
				{"input_text", ""}, {"output_text", ""}, {"input_image", ""}, {"input_file", ""},
			},
		},
	}
}

// checksItems reports whether the profile has rules about the members of items. Only OpenAI's own
// API was seen to enforce them.
func (r *Request) checksItems() bool { return r.Profile.Items.IDs != nil }

// The rules about the shape of items.
const (
	ruleItemFields      = "openai-responses/required-item-fields"
	ruleItemUnknown     = "openai-responses/unknown-item-field"
	ruleSearchAction    = "openai-responses/web-search-action"
	ruleTriggerLast     = "openai-responses/compaction-trigger-last"
	ruleSearchArguments = "openai-responses/tool-search-arguments"
	ruleItemID          = "openai-responses/item-id-charset"
	rulePartType        = "openai-responses/assistant-input-text"
	ruleSummary         = "openai-responses/reasoning-summary-required"
	rulePlain           = "openai-responses/reasoning-content-nonempty"
)

// compactionTrigger is the type of an item that asks the server to compact the conversation.
const compactionTrigger = "compaction_trigger"

// itemReference is the type of an item that refers to one that the server holds.
const itemReference = "item_reference"

// contentKinds are the types of parts in a message's content that are neither text nor media. A
// message in the content is one too: as an item it would be read as a message with a role and a
// content, which nothing has repaired.
var contentKinds = map[string]bool{
	"refusal": true, "input_audio": true, "input_video": true, "computer_screenshot": true,
	"summary_text": true, "reasoning_text": true, "message": true,
}

// beside are the items that are neither messages nor of calls.
var beside = []string{
	"reasoning", itemReference, compactionTrigger, "compaction", "additional_tools",
	"configuration_update", "mcp_list_tools", "mcp_approval_request", "mcp_approval_response",
}

// isItemKind reports whether parts of a kind are known to be items of their own.
func isItemKind(kind string) bool {
	return strings.HasSuffix(kind, "_call") || strings.HasSuffix(kind, "_output") ||
		slices.Contains(beside, kind)
}

// itemCall is a type of item that calls a tool: the variant of its calls in package preflight, and
// the type of the item that answers it.
type itemCall struct {
	kind, variant, output string
	name                  string // of the tool, where the item does not say
	payload               string // the member that holds the arguments
}

const (
	localShell = "local_shell_call"
	toolSearch = "tool_search_call"
	webSearch  = "web_search_call"
	imageCall  = "image_generation_call"
)

var itemCalls = []itemCall{
	{kind: "function_call", output: "function_call_output", payload: "arguments"},
	{kind: "custom_tool_call", variant: customVariant, output: "custom_tool_call_output",
		payload: "input"},
	{kind: localShell, variant: localShell, output: "local_shell_call_output", name: "local_shell",
		payload: "action"},
	{kind: "shell_call", variant: "shell_call", output: "shell_call_output", name: "shell",
		payload: "action"},
	{kind: "apply_patch_call", variant: "apply_patch_call", output: "apply_patch_call_output",
		name: "apply_patch", payload: "operation"},
	{kind: toolSearch, variant: toolSearch, output: "tool_search_output", name: "tool_search",
		payload: "arguments"},
	{kind: "computer_call", variant: "computer_call", output: "computer_call_output",
		name: "computer", payload: "action"},
}

// callKind returns the type of item for calls or results of a variant, a function's for an unknown
// variant.
func callKind(variant string) *itemCall {
	for k := range itemCalls {
		if itemCalls[k].variant == variant {
			return &itemCalls[k]
		}
	}
	return &itemCalls[0]
}

// opaqueItem lists the reasoning that only the server can read.
func opaqueItem(item jsonscan.Value) []string {
	if item.Get("type").StrIs("reasoning") {
		return []string{"encrypted_content"}
	}
	return nil
}

// itemName is the pattern for ids of items.
var itemName = provider.Pattern{Alphabet: provider.WordChars, Min: 1, Max: 64}
