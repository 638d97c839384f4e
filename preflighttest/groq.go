package preflighttest

import (
	"maps"
	"slices"
	"strings"
)

// The fake of Groq's Chat API, which has a closed schema for messages.

var groqHost = chatHost{
	name:  "groq",
	ids:   true,
	words: map[string]string{"openai-chat/tool-call-id-length": "groq/tool-fields", "": ""},
	shape: []check{
		{"", inOwnWords, "", openaiChatRequired},
		{"groq/tool-fields", inOwnWords, "", groqTools},
		{"", inOwnWords, "", groqSchema},
		{"groq/unknown-property", inOwnWords, "", groqProperties},
		{"groq/tool-fields", inOwnWords, "", groqContent},
	},
}

// groqFault words a fault of a message: at is where in it.
func groqFault(m openaiChatMessage, at, why string) string {
	path := strings.NewReplacer("[", ".", "]", "")
	return "'" + path.Replace(m.path) + "' : for 'role:" + m.role +
		"' the following must be satisfied[('" + path.Replace(at) + "' : " + why + ")]"
}

// groqMembers are the members that a message may have.
var groqMembers = []string{
	"role", "content", "name", "reasoning", "tool_calls", "tool_call_id", "function_call",
}

// groqProperties: a member that is not one of them is refused, and reasoning where the model does
// not think.
func groqProperties(r *request, found found) {
	for _, m := range openaiChatMessages(r) {
		for _, name := range slices.Sorted(maps.Keys(m.object)) {
			if !slices.Contains(groqMembers, name) ||
				name == "reasoning" && servesModel(r, "kimi-k2-instruct") {
				found(m.path+"."+name, inOwnWords,
					groqFault(m, m.path, "property '"+name+"' is unsupported"))
			}
		}
	}
}

// groqContent: the content of a tool's message is text.
func groqContent(r *request, found found) {
	for _, m := range openaiChatMessages(r) {
		for _, p := range array(m.object["content"]) {
			if kind := text(object(p)["type"]); m.role == "tool" && kind != "text" {
				found(m.path, inOwnWords, groqFault(m, m.path+".content", "content must be a string"))
			}
		}
	}
}

// groqTools: a call has a type, and a result the id of its call.
func groqTools(r *request, found found) {
	for _, m := range openaiChatMessages(r) {
		for _, c := range m.calls {
			if !has(c.object, "type") {
				found(c.path+".type", inOwnWords,
					groqFault(m, c.path+".type", "property 'type' is missing"))
			}
		}
		if m.role == "tool" && !has(m.object, "tool_call_id") {
			found(m.path+".tool_call_id", inOwnWords,
				groqFault(m, m.path+".tool_call_id", "property 'tool_call_id' is missing"))
		}
	}
}

// groqSchema is that of the format but for what groqTools finds.
func groqSchema(r *request, found found) {
	openaiChatSchema(r, func(path string, fill ...string) {
		kind := strings.HasSuffix(path, "].type") && strings.Contains(path, ".tool_calls[")
		if !strings.HasPrefix(fill[1], "Missing") ||
			!kind && !strings.HasSuffix(path, ".tool_call_id") {
			found(path, fill...)
		}
	})
}
