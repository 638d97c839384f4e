package preflighttest

import "strings"

// The fake of the Gemini API's endpoint for OpenAI's Chat format, where its
// refusals are on record: calls without results, results without calls, and
// calls without the signature that models of generation 3 want back.

var geminiChatFormat = func() *format {
	f := openaiChatFormat
	f.name = "gemini-chat"
	f.checks = []check{
		{"", inOwnWords, "missing_required_parameter", openaiChatRequired},
		{"", inOwnWords, "invalid_type", openaiChatSchema},
		{"gemini/thought-signature-missing", "", "", geminiChatUnsigned},
		{"openai-chat/tool-result-orphan", "", "", openaiChatOrphan},
		{"openai-chat/tool-result-missing", "", "", openaiChatMissing},
	}
	return &f
}()

// geminiChatUnsigned looks at the first call of each message since the user
// last spoke: manthanabc/paws#103.
func geminiChatUnsigned(r *request, found found) {
	if !geminiModelOf(r.model).signs() {
		return
	}
	messages := openaiChatMessages(r)
	open := 0
	for i, m := range messages {
		if m.role == "user" {
			open = i
		}
	}
	for _, m := range messages[open:] {
		if len(m.calls) == 0 {
			continue
		}
		call := m.calls[0]
		google := object(object(call.object["extra_content"])["google"])
		if text(google["thought_signature"]) == "" {
			name := strings.TrimSpace(text(call.function["name"]))
			found(call.path, "default_api:NAME", "default_api:"+name, "position 2", "position 1")
		}
	}
}
