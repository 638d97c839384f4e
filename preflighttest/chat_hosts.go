package preflighttest

import (
	"slices"
	"strings"
)

// The fakes of hosts that speak OpenAI's Chat format, by the names of their
// profiles. What they refuse is what the public reports in the sources of their
// rules say, and what every host of the format was seen to refuse.

// ofOpenAI are rules that OpenAI alone was seen to apply.
var ofOpenAI = []string{
	"openai-chat/unknown-parameter", "openai-chat/tools-max", "openai-chat/part-type",
	"openai-chat/tool-call-id-length", "openai-chat/function-name-pattern",
	"openai-chat/message-name-pattern", "openai-chat/string-max",
	"openai-chat/file-needs-filename", "openai-chat/system-role-unsupported",
	"openai-chat/tool-message-image", "openai-chat/image-undecodable",
	"openai-chat/tools-reasoning-effort", "openai-chat/tool-call-id-duplicate",
	"openai-chat/empty-tool-calls", "openai-chat/tool-result-missing",
}

// chatHosts are the hosts: whether ids have to be there and differ in a turn,
// whether the host has its own rule about messages without content, and the
// checks that it has beside the common ones.
var chatHosts = []struct {
	name    string
	ids     bool
	content bool
	own     []check
}{
	{"cerebras", false, false, []check{
		{"openai-compatible/reasoning-fields", inOwnWords, "wrong_api_format", cerebrasReasoning},
	}},
	{"nvidia", false, false, []check{
		{"chat-template/alternation-mistral3", inOwnWords, "BadRequestError", nvidiaBridge},
	}},
	{"volcengine", false, true, []check{
		{"volcengine/content-missing", "", "MissingParameter", volcengineContent},
	}},
	{"xai", true, true, []check{
		{"xai/content-element", "", "invalid-argument", xaiContent},
	}},
}

func init() {
	for _, h := range chatHosts {
		f := openaiChatFormat
		f.name, f.checks = h.name, slices.Clone(h.own)
		for _, c := range openaiChatChecks {
			if slices.Contains(ofOpenAI, c.rule) ||
				c.rule == "openai-chat/content-null" && h.content {
				continue
			}
			f.checks = append(f.checks, c)
		}
		f.checks = append(f.checks,
			check{"openai-chat/function-name-pattern", inOwnWords, "", chatHostNames})
		if h.ids {
			f.checks = append(f.checks,
				check{"openai-chat/tool-call-id-length", inOwnWords, "", chatHostIDs},
				check{"openai-chat/tool-call-id-duplicate", "", "", openaiChatDuplicate},
				check{"openai-chat/tool-result-missing", "", "", openaiChatMissing})
		} else {
			f.checks = append(f.checks,
				check{"openai-chat/tool-result-missing", "", "", chatHostMissing},
				check{"openai-chat/tool-call-id-duplicate", "", "", chatHostFurther})
		}
		hosts = append(hosts, &f)
	}
}

// chatHostIDs finds ids that are blank; no length is too long.
func chatHostIDs(r *request, found found) {
	openaiChatIDLength(r, func(path string, edits ...string) {
		if edits[0] == inOwnWords {
			found(path, edits...)
		}
	})
}

// chatHostNames finds functions without a name; no other name is refused.
func chatHostNames(r *request, found found) {
	judge := func(path, name string) {
		if name == "" {
			found(path, inOwnWords, openaiEmpty(path))
		}
	}
	openaiTools(r.root, judge)
	for _, m := range openaiChatMessages(r) {
		for _, c := range m.calls {
			if name, ok := c.function["name"].(string); ok {
				judge(c.path+".function.name", name)
			}
		}
	}
}

// chatHostMissing finds turns with fewer results than calls: calls that share an
// id take one each.
func chatHostMissing(r *request, found found) {
	openaiChatRuns(r, func(call openaiChatMessage, results []openaiChatMessage) {
		open := map[string]int{}
		for _, m := range results {
			open[text(m.object["tool_call_id"])]++
		}
		for _, c := range call.calls {
			if open[c.id]--; open[c.id] < 0 {
				found(call.path, "call_XXXX", c.id)
			}
		}
	})
}

// chatHostFurther finds results beyond the calls that have their id.
func chatHostFurther(r *request, found found) {
	openaiChatRuns(r, func(call openaiChatMessage, results []openaiChatMessage) {
		open, called := map[string]int{}, map[string]bool{}
		for _, c := range call.calls {
			open[c.id]++
			called[c.id] = true
		}
		for _, m := range results {
			id := text(m.object["tool_call_id"])
			if open[id]--; open[id] < 0 && called[id] {
				found(m.path+".tool_call_id", "call_00_abc", id)
			}
		}
	})
}

// servesModel reports whether the model's name, without its vendor's, begins so.
func servesModel(r *request, start string) bool {
	name := strings.ToLower(r.model)
	return strings.HasPrefix(name[strings.LastIndexByte(name, '/')+1:], start)
}

// cerebrasReasoning: qwen-code#11045.
func cerebrasReasoning(r *request, found found) {
	for _, m := range openaiChatMessages(r) {
		if _, there := m.object["reasoning_content"]; there && m.role == "assistant" {
			path := m.path + ".reasoning_content"
			found(path, inOwnWords, "property '"+path+"' is unsupported")
		}
	}
}

// nvidiaBridge: hermes-agent#20154.
func nvidiaBridge(r *request, found found) {
	if !servesModel(r, "mistral-") {
		return
	}
	messages := openaiChatMessages(r)
	for i := 1; i < len(messages); i++ {
		if messages[i].role == "user" && messages[i-1].role == "tool" {
			found(messages[i].path, inOwnWords, "Unexpected role 'user' after role 'tool'")
		}
	}
}

// volcengineContent: AstrBot#6852. An empty string is content.
func volcengineContent(r *request, found found) {
	for _, m := range openaiChatMessages(r) {
		list, isList := m.object["content"].([]any)
		if m.object["content"] == nil || isList && len(list) == 0 && len(m.calls) == 0 {
			found(m.path + ".content")
		}
	}
}

// xaiContent: langchain#34140, and AstrBot#6551 for messages that have no calls.
// Calls without the member were recorded, and with an empty list for grok-2, which
// nobody saw refuse null.
func xaiContent(r *request, found found) {
	for _, m := range openaiChatMessages(r) {
		content, there := m.object["content"]
		list, isList := content.([]any)
		switch calls := len(m.calls) > 0; {
		case !calls && (content == nil || isList && len(list) == 0),
			calls && there && content == nil && !servesModel(r, "grok-2"),
			calls && isList && len(list) == 0 && servesModel(r, "grok-4-1-fast"):
			found(m.path + ".content")
		}
	}
}
