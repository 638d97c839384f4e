package wire

import (
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/provider"
)

// This file describes the Bedrock Converse format. A block has no type: it is an object with one
// member, whose name is its kind and whose value holds the rest.

func bedrockFormat() *format {
	return &format{
		name:       "bedrock",
		profile:    provider.Bedrock,
		list:       "messages",
		system:     "system",
		model:      "modelId",
		systemRule: "anthropic/system-role-leading",
		decode:     decodeBedrock,
		complete:   nameServerCalls,

		opaqueReasoning: true,
		noMCP:           true,

		encode:       encodeBedrock,
		decodeSystem: decodeBedrockSystem,
		encodeSystem: encodeBedrockSystem,
		prepare:      prepareBedrock,
		finish:       declareToolConfig,
		relaxRequest: disableConverseThinking,
		opaque:       opaqueReasoning,
		signs: signs{
			members: []string{
				"modelId", "toolConfig", "inferenceConfig", "additionalModelRequestFields",
				"additionalModelResponseFieldPaths",
				"guardrailConfig", "performanceConfig", "promptVariables", "requestMetadata",
				"outputConfig",
			},
			bare: []string{
				"toolUse", "toolResult", "reasoningContent", "cachePoint", "guardContent",
				"citationsContent",
			},
			plain: []string{"text", "image", "document", "video", "audio"},
		},
	}
}

// bedrockBlocks are the kinds of blocks that hold an object.
var bedrockBlocks = []string{
	"toolUse", "toolResult", "reasoningContent", "image", "document", "video", "audio",
}

// isMediaKey reports whether blocks under a key are media, which a tool result may hold, too.
func isMediaKey(key string) bool {
	return key == "image" || key == "document" || key == "video" || key == "audio"
}

// serverVariant is the variant of a call that the provider runs itself, and the type of its block.
const serverVariant = "server_tool_use"

// nameServerCalls gives calls that Bedrock runs names that it takes. The fixers leave their names
// alone, as other formats have none.
func nameServerCalls(r *Request, messages []preflight.Message) []preflight.Message {
	return withParts(messages, func(p preflight.Part) preflight.Part {
		c, ok := p.(*preflight.ToolCall)
		if !ok || !c.ProviderExecuted || c.Name == r.Profile.RepairToolName(c.Name) {
			return p
		}
		named := *c
		named.Name = r.Profile.RepairToolName(c.Name)
		return &named
	})
}

// documentTypes are the formats of documents, and what they are called elsewhere.
var documentTypes = [][2]string{
	{"pdf", "application/pdf"}, {"txt", "text/plain"}, {"md", "text/markdown"},
	{"html", "text/html"}, {"csv", "text/csv"},
	{"doc", "application/msword"},
	{"docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"},
	{"xls", "application/vnd.ms-excel"},
	{"xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
}

// mediaFormat returns the format of a media type.
func mediaFormat(mediaType string) string {
	for _, t := range documentTypes {
		if t[1] == mediaType {
			return t[0]
		}
	}
	_, format, _ := strings.Cut(mediaType, "/")
	if strings.HasPrefix(mediaType, "text/") {
		return "txt"
	}
	return format
}
