package wire

import (
	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
	"github.com/go-preflight/preflight/provider"
)

// This file describes the Gemini generateContent format. A part has no type: it is an object
// with one data member, whose name is its kind, and a few members beside it. Names are in
// camelCase or in snake_case, and keep their spelling.

const gemini = "gemini"

func geminiFormat() *format {
	return &format{
		name:    gemini,
		profile: provider.Gemini,
		list:    "contents",
		single:  true,
		wrapper: "generateContentRequest",
		system:  "systemInstruction", systemHeld: true,
		systemAlias:  "system_instruction",
		systemParts:  "parts",
		systemRule:   "gemini/system-in-contents",
		decode:       decodeGemini,
		encode:       encodeGemini,
		decodeSystem: decodeGeminiSystem,
		encodeSystem: encodeGeminiSystem,
		prepare:      prepareGemini,
		opaque:       opaqueThought,
		signs: signs{
			members: []string{
				"systemInstruction", "system_instruction", "generationConfig", "generation_config",
				"safetySettings", "safety_settings",
				"cachedContent", "cached_content",
			},
			fields:     []string{"parts"},
			otherRoles: []string{"assistant"},
			tools:      []string{"functionDeclarations", "function_declarations"},
		},
	}
}

// vertexGeminiFormat returns the format as Vertex AI reads it: a content without a role is not the
// user's there, but refused.
func vertexGeminiFormat() *format {
	f := geminiFormat()
	f.roleRequired = true
	return f
}

// The rules about the shape of contents and parts.
const (
	ruleGeminiRole      = "gemini/role-invalid"
	ruleGeminiEmpty     = "gemini/empty-part-data"
	ruleGeminiExtra     = "gemini/extra-field"
	ruleGeminiResponse  = "gemini/function-response-object"
	ruleGeminiSignature = "gemini/thought-signature-corrupt"
	ruleGeminiMediaType = "gemini/mime-type"
	ruleGeminiToolFlag  = "gemini/server-side-tool-flag"
)

// The members that the provider is known to refuse: left over from stored responses and frameworks.
var (
	geminiContentExtras = jsonscan.NewNames("id", "type", "name", "model", "timestamp",
		"createTime",
		"created_at", "metadata", "finishReason", "usageMetadata",
		"tokenCount", "index", "cache_control")
	geminiPartExtras = jsonscan.NewNames("type", "id", "index", "cache_control", "providerMetadata",
		"providerOptions")
)

// geminiThoughts are the members of a part that say nothing without data.
var geminiThoughts = jsonscan.NewNames("thought", "thoughtSignature", "thought_signature")

// geminiData are the data members of a part, and their readers, nil for kinds that are kept as they
// are. If a part has several, the other members belong to the first.
var geminiData = []struct {
	key, alias string
	read       func(d *decoder, v, part jsonscan.Value, c preflight.Carried) preflight.Part
}{
	{"functionCall", "function_call", geminiCall},
	{"functionResponse", "function_response", geminiResult},
	{"inlineData", "inline_data", geminiInline},
	{"fileData", "file_data", geminiFile},
	{"executableCode", "executable_code", nil},
	{"codeExecutionResult", "code_execution_result", nil},
	{"toolCall", "tool_call", nil},
	{"toolResponse", "tool_response", nil},
	{"text", "text", geminiText},
}

// dataSlots maps a key to its index in geminiData.
var dataSlots = func() map[string]int {
	slots := make(map[string]int)
	for k, data := range geminiData {
		slots[data.key], slots[data.alias] = k, k
	}
	return slots
}()

// opaqueThought lists the signatures, and the text of a signed thought.
func opaqueThought(part jsonscan.Value) []string {
	opaque := []string{"thoughtSignature", "thought_signature"}
	thought, _ := part.Get("thought").Bool()
	signature := spelledEither(part, "thoughtSignature", "thought_signature")
	if thought && isSignature(signature) && !signature.StrIs("") {
		opaque = append(opaque, "text")
	}
	return opaque
}

// isSignature reports whether v is base64, in either alphabet.
func isSignature(v jsonscan.Value) bool {
	return v.Kind() == jsonscan.String && provider.AnyBase64.Holds(v.Str())
}

// signatureKind is the kind of a part that holds nothing but a signature.
const signatureKind = "thoughtSignature"

// fragmentKind is the kind of a part that holds a later fragment of a streamed call. Package
// preflight does not remove the call that it belongs to.
const fragmentKind = "call-fragment"

// listKind is the kind of a list of parts among the parts: the Gemini API reads those in it
// (llmrb/llm spec/fixtures/cassettes/gemini/images/successful_edit.yml).
const listKind = "list"

// geminiTypes are the media types that are sent without their first half, by the second.
var geminiTypes = map[string]string{
	"png": "image/png", "jpeg": "image/jpeg", "jpg": "image/jpeg", "webp": "image/webp",
	"heic": "image/heic", "heif": "image/heif",
	"gif": "image/gif", "pdf": "application/pdf", "mp3": "audio/mp3", "wav": "audio/wav",
	"mp4": "video/mp4",
}
