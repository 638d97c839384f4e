package preflighttest

import (
	"regexp"
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

// chatHost is a host: what it has of its own beside the common checks.
type chatHost struct {
	name string

	// ids says that calls and results have ids, which differ in a turn.
	ids bool

	// words are the rules of its own by those of the format that they take the place of: the
	// common check is made under the host's rule, in the host's words. A rule that is not there is
	// not checked, where it is "".
	words map[string]string

	// shape are the checks that the host makes before the common ones, and own those after them.
	shape, own []check
}

var chatHosts = []chatHost{
	{name: "cerebras", own: []check{
		{"openai-compatible/reasoning-fields", inOwnWords, "wrong_api_format", cerebrasReasoning},
	}},
	{name: "nvidia", own: []check{
		{"chat-template/alternation-mistral3", inOwnWords, "BadRequestError", nvidiaBridge},
	}},
	{name: "volcengine", words: map[string]string{"openai-chat/content-null": ""}, own: []check{
		{"volcengine/content-missing", "", "MissingParameter", volcengineContent},
	}},
	{name: "xai", ids: true, words: map[string]string{"openai-chat/content-null": ""},
		own: []check{
			{"xai/content-element", "", "invalid-argument", xaiContent},
			{"xai/arguments-json", "", "invalid-argument", xaiArguments},
		}},
	deepSeekHost, glmHost, groqHost, miniMaxHost, moonshotHost, qwenHost,
	{name: "openrouter", words: map[string]string{"openai-chat/content-null": ""}, own: []check{
		{"openai-chat/content-null", "", "", openRouterContent},
	}},
}

func init() {
	for _, h := range chatHosts {
		f := openaiChatFormat
		f.name, f.checks = h.name, slices.Clone(h.shape)
		for _, c := range openaiChatChecks {
			if !slices.Contains(ofOpenAI, c.rule) {
				f.checks = h.add(f.checks, c)
			}
		}
		f.checks = h.add(f.checks,
			check{"openai-chat/function-name-pattern", inOwnWords, "", chatHostNames})
		if h.ids {
			for _, c := range []check{
				{"openai-chat/tool-call-id-length", inOwnWords, "", chatHostIDs},
				{"openai-chat/tool-call-id-duplicate", "", "", openaiChatDuplicate},
				{"openai-chat/tool-result-missing", "", "", openaiChatMissing},
			} {
				f.checks = h.add(f.checks, c)
			}
		} else {
			for _, c := range []check{
				{"openai-chat/tool-result-missing", "", "", chatHostMissing},
				{"openai-chat/tool-call-id-duplicate", "", "", chatHostFurther},
			} {
				f.checks = h.add(f.checks, c)
			}
		}
		f.checks = append(f.checks, h.own...)
		for k, c := range f.checks {
			if !aboutTools.MatchString(c.rule) {
				continue
			}
			f.checks[k].find = func(r *request, found found) {
				if !holdsUnknown(r) {
					c.find(r, found)
				}
			}
		}
		hosts = append(hosts, &f)
	}
}

// aboutTools matches the rules that depend on kinds of tools and modes of
// thinking.
var aboutTools = regexp.MustCompile(`^$|name|arguments|reasoning|parameters`)

// holdsUnknown reports whether a request has tools or calls of a kind, or a mode
// of thinking, that nothing is known of: nobody can say what a host makes of it.
func holdsUnknown(r *request) bool {
	unknown := func(v any, known ...string) bool {
		kind, ok := object(v)["type"].(string)
		return ok && !slices.Contains(known, kind)
	}
	for _, t := range array(r.root["tools"]) {
		if unknown(t, "function", "custom") {
			return true
		}
	}
	for _, m := range array(r.root["messages"]) {
		for _, c := range array(object(m)["tool_calls"]) {
			if unknown(c, "function", "custom") {
				return true
			}
		}
	}
	return unknown(r.root["thinking"], "enabled", "disabled", "auto", "adaptive")
}

// add appends a common check, under the host's own rule where it has one.
func (h *chatHost) add(checks []check, c check) []check {
	own, there := h.words[c.rule]
	switch {
	case !there:
		return append(checks, c)
	case own == "":
		return checks
	}
	find := c.find
	return append(checks, check{own, "", c.code, func(r *request, found found) {
		find(r, func(path string, _ ...string) { found(path) })
	}})
}

// needsText returns a check for messages that say nothing: an assistant message may have calls
// instead, and media are said, too.
func needsText(roles ...string) func(r *request, found found) {
	return func(r *request, found found) {
		for _, m := range openaiChatMessages(r) {
			if slices.Contains(roles, m.role) && len(m.calls) == 0 && saysNothing(m.object) {
				found(m.path + ".content")
			}
		}
	}
}

// saysNothing reports whether a message has neither text nor another part.
func saysNothing(m map[string]any) bool {
	if has(m, "refusal") || has(m, "audio") || has(m, "function_call") ||
		text(m["reasoning_content"]) != "" {
		return false
	}
	switch content := m["content"].(type) {
	case nil:
		return true
	case string:
		return content == ""
	case []any:
		for _, p := range content {
			if kind := text(object(p)["type"]); kind != "text" || text(object(p)["text"]) != "" {
				return false
			}
		}
		return true
	}
	return false
}

// reasoningAlone finds assistant messages that have reasoning and no content at all.
func reasoningAlone(r *request, found found) {
	for _, m := range openaiChatMessages(r) {
		list, isList := m.object["content"].([]any)
		if m.role == "assistant" && len(m.calls) == 0 && text(m.object["reasoning_content"]) != "" &&
			(m.object["content"] == nil || isList && len(list) == 0) {
			found(m.path + ".content")
		}
	}
}

// lacksReasoning reports whether an assistant message comes without its reasoning, which may be
// empty.
func lacksReasoning(m openaiChatMessage) bool {
	_, ok := m.object["reasoning_content"].(string)
	return m.role == "assistant" && !ok
}

// asObjects finds arguments that are not the JSON text of an object.
func asObjects(r *request, found found) {
	for _, m := range openaiChatMessages(r) {
		for _, c := range m.calls {
			s, ok := c.function["arguments"].(string)
			if _, err := decode([]byte(s)); ok && err != nil {
				found(c.path + ".function.arguments")
			}
		}
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

// xaiArguments: only grok-2 was seen to read the arguments of calls (spiceai#4734).
func xaiArguments(r *request, found found) {
	if servesModel(r, "grok-2") {
		asObjects(r, found)
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

// openRouterContent: beside the details of reasoning, content may be null.
func openRouterContent(r *request, found found) {
	openaiChatContentNull(r, func(path string, fill ...string) {
		for _, m := range openaiChatMessages(r) {
			if m.path+".content" == path && (has(m.object, "content") ||
				len(array(m.object["reasoning_details"])) == 0) {
				found(path, fill...)
			}
		}
	})
}
