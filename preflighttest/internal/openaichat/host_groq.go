package openaichat

import (
	"maps"
	"slices"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// The fake of Groq's Chat API, which has a closed schema for messages.

var groq = host{
	name:  "groq",
	ids:   true,
	words: map[string]string{"openai-chat/tool-call-id-length": "groq/tool-fields", "": ""},
	shape: []fake.Check{
		{Find: required},
		{Rule: "groq/tool-fields", Find: groqTools},
		{Find: groqSchema},
		{Rule: "groq/unknown-property", Find: groqProperties},
		{Rule: "groq/tool-fields", Find: groqContent},
		{Rule: "groq/image-unsupported", Find: groqImages},
	},
}

// groqImages: recordings of maruel/genai.
func groqImages(r *fake.Request, found fake.Found) {
	if !servesModel(r, "gpt-oss") && !servesModel(r, "compound") {
		return
	}
	for _, m := range messagesOf(r) {
		for _, p := range read.Array(m.object["content"]) {
			if kind := read.Object(p)["type"]; kind == "image_url" || kind == "input_audio" ||
				kind == "file" {
				found(m.path+".content", "messages[0]", m.path)
			}
		}
	}
}

// groqFault words a fault of a message: at is where in it.
func groqFault(m message, at, why string) string {
	path := strings.NewReplacer("[", ".", "]", "")
	return "'" + path.Replace(m.path) + "' : for 'role:" + m.role +
		"' the following must be satisfied[('" + path.Replace(at) + "' : " + why + ")]"
}

// groqMembers are the members that a message may have, and groqAssistantMembers those that only one
// of the assistant may have: each role has a schema of its own.
var (
	groqMembers          = []string{"role", "content", "name", "tool_call_id"}
	groqAssistantMembers = []string{"reasoning", "tool_calls", "function_call"}
)

// groqProperties: a member that is not one of them is refused, and reasoning where the model does
// not think.
func groqProperties(r *fake.Request, found fake.Found) {
	for _, m := range messagesOf(r) {
		for _, name := range slices.Sorted(maps.Keys(m.object)) {
			known := slices.Contains(groqMembers, name) ||
				m.role == "assistant" && slices.Contains(groqAssistantMembers, name)
			if !known || name == "reasoning" && servesModel(r, "kimi-k2-instruct") {
				found.Says(m.path+"."+name,
					groqFault(m, m.path, "property '"+name+"' is unsupported"))
			}
		}
	}
}

// groqContent: the content of a tool's message is no list, and every part has a type.
func groqContent(r *fake.Request, found fake.Found) {
	for _, m := range messagesOf(r) {
		for _, p := range read.Array(m.object["content"]) {
			kind, isText := read.Object(p)["type"].(string)
			if m.role == "tool" || isText && kind == "" {
				found.Says(m.path, groqFault(m, m.path+".content", "content must be a string"))
			}
		}
	}
}

// groqTools: a call has a type, and a result the id of its call.
func groqTools(r *fake.Request, found fake.Found) {
	for _, m := range messagesOf(r) {
		for _, c := range m.calls {
			if !read.Has(c.object, "type") {
				found.Says(c.path+".type",
					groqFault(m, c.path+".type", "property 'type' is missing"))
			}
		}
		if m.role == "tool" && !read.Has(m.object, "tool_call_id") {
			found.Says(m.path+".tool_call_id",
				groqFault(m, m.path+".tool_call_id", "property 'tool_call_id' is missing"))
		}
	}
}

// groqSchema is that of the format but for what groqTools finds.
func groqSchema(r *fake.Request, found fake.Found) {
	schema(r, func(path string, fill ...string) {
		kind := strings.HasSuffix(path, "].type") && strings.Contains(path, ".tool_calls[")
		if !strings.HasPrefix(fill[1], "Missing") ||
			!kind && !strings.HasSuffix(path, ".tool_call_id") {
			found(path, fill...)
		}
	})
}
