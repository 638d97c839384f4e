package wire

import (
	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/provider"
)

// This file describes the Anthropic Messages format and lists the members that its API refuses.

func anthropicFormat() *format {
	return &format{
		name:    "anthropic",
		profile: provider.Anthropic,
		list:    "messages",
		system:  "system", systemHeld: true,
		systemRule: "anthropic/system-role-leading",
		decode:     decodeAnthropic,
		partsKeep:  true,
		textBlock:  typedText,

		opaqueReasoning: true,
		noMCP:           true,

		complete: func(_ *Request, messages []preflight.Message) []preflight.Message {
			return nameServerResults(messages)
		},
		encode: func(w *writer, m *preflight.Message) ([][]byte, error) {
			return encodeAnthropic(w, m, &anthropicMessageExtras)
		},
		decodeSystem: decodeAnthropicSystem,
		encodeSystem: encodeAnthropicSystem,
		prepare:      prepareAnthropic,
		finish:       declareTools,
		relaxRequest: disableThinking,
		opaque:       opaqueThinking,
		signs: signs{
			members: []string{
				"system", "anthropic_version", "anthropic_beta", "mcp_servers", "container",
			},
			blocks: []blockSign{
				{"tool_use", ""}, {"tool_result", ""}, {"thinking", "signature"},
				{"redacted_thinking", ""}, {"server_tool_use", ""},
				{"mcp_tool_use", ""}, {"mcp_tool_result", ""}, {"image", "source"},
				{"document", "source"},
			},
			tools:  []string{"input_schema"},
			models: []string{"claude*"},
		},
	}
}

// The members that the provider is known to refuse (rule anthropic/extra-inputs): left over from
// stored responses and frameworks. Members in no table are kept, since a later version of the API
// may have them.
var (
	anthropicMessageExtras = jsonscan.NewNames("id", "type", "model", "stop_reason",
		"stop_sequence", "usage",
		"container", "created_at", "timestamp",
		"metadata", "name", "cache_control", "tool_call_id")
	anthropicBlockExtras = jsonscan.NewNames("index", "partial_json", "parsed_output",
		"providerMetadata",
		"providerOptions")
)

const ruleExtraInputs = "anthropic/extra-inputs"

// opaqueThinking lists the text of a thinking block, which its signature covers.
func opaqueThinking(block jsonscan.Value) []string {
	if block.Get("type").StrIs("thinking") {
		return []string{"thinking"}
	}
	return nil
}

// directiveKind is the kind of the part for a system message's settings, which are a member of the
// message and no block.
const directiveKind = "output_config"
