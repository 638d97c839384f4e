package openaichat

import (
	"slices"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// The fake of DeepSeek's Chat API. Its own words are on record in the sources of its rules.

var deepSeek = host{
	name: "deepseek",
	ids:  true,
	words: map[string]string{
		"openai-chat/function-name-pattern":  "",
		"openai-chat/role-unknown":           "",
		"openai-chat/content-null":           "",
		"openai-chat/tool-result-missing":    "deepseek/tool-result-missing",
		"openai-chat/tool-result-orphan":     "deepseek/tool-result-orphan",
		"openai-chat/tool-call-id-duplicate": "deepseek/tool-call-id-duplicate",
	},
	own: []fake.Check{
		{Rule: "openai-chat/function-name-pattern", Code: "invalid_value", Find: functionName},
		{Rule: "deepseek/role-developer", Code: "invalid_request_error", Find: deepSeekRoles},
		{Rule: "deepseek/image-unsupported", Code: "invalid_request_error", Find: deepSeekImages},
		{Rule: "deepseek/assistant-empty", Code: "invalid_request_error", Find: deepSeekEmpty},
		{Rule: "openai-chat/content-null", Code: "invalid_request_error", Find: deepSeekContent},
		{
			Rule: "deepseek/reasoning-content-missing",
			Code: "invalid_request_error",
			Find: deepSeekReasoning,
		},
		{Rule: "deepseek/empty-tool-calls", Code: "invalid_request_error", Find: emptyCalls},
		{
			Rule: "deepseek/successive-roles",
			Code: "invalid_request_error",
			Find: deepSeekSuccessive,
		},
	},
}

func deepSeekRoles(r *fake.Request, found fake.Found) {
	for _, m := range messagesOf(r) {
		if read.Has(m.object, "role") &&
			!slices.Contains([]string{"system", "user", "assistant", "tool"}, m.role) {
			found(m.path+".role", "messages[1]", m.path, "`developer`", "`"+m.role+"`")
		}
	}
}

// deepSeekReasoning: V4 and the reasoner want the reasoning of every turn from the first call on,
// unless the request turns thinking off.
func deepSeekReasoning(r *fake.Request, found fake.Found) {
	thinks := servesModel(r, "deepseek-v4") || servesModel(r, "deepseek-reasoner")
	if !thinks || read.Text(read.Object(r.Root["thinking"])["type"]) == "disabled" {
		return
	}
	called := false
	for _, m := range messagesOf(r) {
		called = called || len(m.calls) > 0
		if called && lacksReasoning(r, m) {
			found(m.path + ".reasoning_content")
		}
	}
}

// deepSeekImages: these models were seen to refuse pictures; V4 Pro and the vision model read them,
// and of others nothing is known.
func deepSeekImages(r *fake.Request, found fake.Found) {
	text := servesModel(r, "deepseek-v4-flash") || servesModel(r, "deepseek-chat") ||
		servesModel(r, "deepseek-reasoner") || servesModel(r, "deepseek-r1")
	if !text || servesModel(r, "deepseek-v4-flash-vision") {
		return
	}
	for _, m := range messagesOf(r) {
		for _, p := range read.Array(m.object["content"]) {
			if kind := read.Text(read.Object(p)["type"]); kind == "image_url" || kind == "file" ||
				kind == "input_audio" {
				found(m.path+".content", "messages[1]", m.path, "image_url", kind)
			}
		}
	}
}

// deepSeekEmpty: null is no content, and an empty string is.
func deepSeekEmpty(r *fake.Request, found fake.Found) {
	for _, m := range messagesOf(r) {
		if m.role == "assistant" && len(m.calls) == 0 && m.bare() {
			found(m.path + ".content")
		}
	}
}

// deepSeekContent: the messages of others have content.
func deepSeekContent(r *fake.Request, found fake.Found) {
	for _, m := range messagesOf(r) {
		if m.role != "assistant" && m.bare() {
			found(m.path + ".content")
		}
	}
}

// deepSeekSuccessive: the first reasoner took neither two users nor two assistants in a row.
func deepSeekSuccessive(r *fake.Request, found fake.Found) {
	if !servesModel(r, "deepseek-r1") {
		return
	}
	messages := messagesOf(r)
	for i := 1; i < len(messages); i++ {
		if m := messages[i]; m.role == messages[i-1].role &&
			(m.role == "user" || m.role == "assistant") {
			found(m.path)
		}
	}
}
