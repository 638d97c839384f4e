package preflighttest

import "strings"

// The fake of Zhipu's Chat API, which answers every fault of structure with one code.

var glmHost = chatHost{
	name: "glm",
	words: map[string]string{
		"openai-chat/function-name-pattern":  "",
		"openai-chat/messages-empty":         "glm/messages-invalid",
		"openai-chat/content-null":           "",
		"openai-chat/tool-result-missing":    "",
		"openai-chat/tool-result-orphan":     "",
		"openai-chat/tool-call-id-duplicate": "",
		"":                                   "",
	},
	own: []check{
		{"openai-chat/tool-call-id-length", inOwnWords, "1214", glmIDs},
		{"openai-chat/function-name-pattern", "", "invalid_value", openaiChatFunctionName},
		{"glm/messages-invalid", "", "1214",
			needsText("system", "developer", "user", "assistant", "tool", "function")},
		{"openai-chat/content-null", "", "", reasoningAlone},
		{"glm/messages-invalid", "", "1214", glmTurns},
		{"glm/messages-invalid", "", "1214", glmPairs},
		{"", inOwnWords, "1210", openaiChatRequired},
		{"", inOwnWords, "1210", glmSchema},
	},
}

// glmTurns finds a first turn that is not the user's, and neighbours of one role.
func glmTurns(r *request, found found) {
	before, spoken := "", false
	for _, m := range openaiChatMessages(r) {
		if m.role != "system" && m.role != "developer" {
			if !spoken && m.role != "user" ||
				m.role == before && (m.role == "user" || m.role == "assistant") {
				found(m.path)
			}
			spoken = true
		}
		before = m.role
	}
	if !spoken && len(openaiChatMessages(r)) > 0 {
		found("messages")
	}
}

// glmSchema is that of the format, but for the ids of calls and results, which may be left out.
func glmSchema(r *request, found found) {
	openaiChatSchema(r, func(path string, fill ...string) {
		id := strings.HasSuffix(path, "].id") && strings.HasPrefix(fill[1], "Missing")
		if !id && !strings.HasSuffix(path, ".tool_call_id") {
			found(path, fill...)
		}
	})
}

// glmIDs finds ids of white space.
func glmIDs(r *request, found found) {
	judge := func(path string, id any) {
		if s := text(id); s != "" && strings.TrimSpace(s) == "" {
			found(path, inOwnWords, openaiEmpty(path))
		}
	}
	for _, m := range openaiChatMessages(r) {
		for _, c := range m.calls {
			judge(c.path+".id", c.object["id"])
		}
		if m.role == "tool" {
			judge(m.path+".tool_call_id", m.object["tool_call_id"])
		}
	}
}

// glmPairs matches the results after a message with its calls: by id, and those without one in
// their order.
func glmPairs(r *request, found found) {
	openaiChatRuns(r, func(call openaiChatMessage, results []openaiChatMessage) {
		open, seen := map[string]int{}, map[string]bool{}
		for _, c := range call.calls {
			if open[c.id]++; open[c.id] > 1 && c.id != "" {
				found(c.path + ".id")
			}
		}
		nameless := 0
		for _, m := range results {
			id := strings.TrimSpace(text(m.object["tool_call_id"]))
			switch {
			case id == "":
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
