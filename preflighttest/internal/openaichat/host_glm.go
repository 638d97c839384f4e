package openaichat

import (
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// The fake of Zhipu's Chat API, which answers every fault of structure with one code.

var glm = host{
	name: "glm",
	words: map[string]string{
		"openai-chat/function-name-pattern":  "",
		"openai-chat/messages-empty":         "glm/messages-invalid",
		"openai-chat/content-null":           "",
		"openai-chat/tool-call-id-length":    "",
		"openai-chat/tool-result-missing":    "",
		"openai-chat/tool-result-orphan":     "",
		"openai-chat/tool-call-id-duplicate": "",
		"":                                   "",
	},
	own: []fake.Check{
		{Rule: "openai-chat/tool-call-id-length", Code: "1214", Find: spacesAsIDs},
		{Rule: "openai-chat/function-name-pattern", Code: "invalid_value", Find: functionName},
		{Rule: "openai-chat/empty-tool-calls", Code: "empty_array", Find: emptyCalls},
		{Rule: "glm/messages-invalid", Code: "1214", Find: needsText},
		{Rule: "openai-chat/content-null", Find: reasoningAlone},
		{Rule: "glm/messages-invalid", Code: "1214", Find: glmTurns},
		{
			Rule: "glm/alternation",
			Text: "1214: messages 参数非法。请检查文档。",
			Code: "1214",
			Find: glmNeighbours,
		},
		{Rule: "glm/messages-invalid", Code: "1214", Find: glmPairs},
		{Code: "1210", Find: required},
		{Code: "1210", Find: glmSchema},
	},
}

// glmTurns finds a first turn that is not the user's.
func glmTurns(r *fake.Request, found fake.Found) {
	spoken := false
	for _, m := range messagesOf(r) {
		if m.role != "system" && m.role != "developer" {
			if !spoken && m.role != "user" {
				found(m.path)
			}
			spoken = true
		}
	}
	if !spoken && len(messagesOf(r)) > 0 {
		found("messages")
	}
}

// glmNeighbours finds neighbours of one role, which glm-5.1 was reported to refuse, and
// glm-4.5-flash was recorded to accept.
func glmNeighbours(r *fake.Request, found fake.Found) {
	before := ""
	for _, m := range messagesOf(r) {
		if servesModel(r, "glm-5") && m.role == before &&
			(m.role == "user" || m.role == "assistant") {
			found(m.path)
		}
		before = m.role
	}
}

// glmSchema is that of the format, but for the ids of calls and results, which may be left out.
func glmSchema(r *fake.Request, found fake.Found) {
	schema(r, func(path string, fill ...string) {
		id := strings.HasSuffix(path, "].id") && strings.HasPrefix(fill[1], "Missing")
		if !id && !strings.HasSuffix(path, ".tool_call_id") {
			found(path, fill...)
		}
	})
}

// glmPairs matches the results after a message with its calls: by id, and those without one in
// their order.
func glmPairs(r *fake.Request, found fake.Found) {
	runs(r, func(call message, results []message) {
		open, seen := map[string]int{}, map[string]bool{}
		for _, c := range call.calls {
			if open[c.id]++; open[c.id] > 1 && c.id != "" {
				found(c.path + ".id")
			}
		}
		nameless := 0
		for _, m := range results {
			id := read.Text(m.object["tool_call_id"])
			switch {
			case strings.TrimSpace(id) == "":
				nameless++
			case open[id] == 0:
				found(m.path)
			case seen[id]:
				found(m.path + ".tool_call_id")
			}
			seen[id] = true
		}
		missing := 0
		for id, n := range open {
			if !seen[id] || id == "" {
				missing += n
			}
		}
		switch {
		case nameless > missing:
			found(results[0].path)
		case nameless < missing:
			found(call.path)
		}
	})
}
