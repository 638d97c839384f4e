package preflighttest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var openaiResponsesChecks = []check{
	{"", inOwnWords, "missing_required_parameter", openaiResponsesRequired},
	{"openai-responses/input-empty",
		"Invalid 'input': empty array. Expected an array with minimum length 1, but got an empty " +
			"array instead.", "empty_array", openaiInputEmpty},
	{"", inOwnWords, "invalid_value", openaiItemSchema},
	{"openai-responses/web-search-action", "", "invalid_value", openaiOnly(openaiSearchAction)},
	{"openai-responses/compaction-trigger-last", "", "", openaiOnly(openaiTriggerLast)},
	{"openai-responses/file-type", inOwnWords, "invalid_value", openaiOnly(openaiFileType)},
	{"openai-responses/unknown-item-field", "", "unknown_parameter", openaiOnly(openaiItemFields)},
	{"openai-responses/required-item-fields", "", "missing_required_parameter", openaiItemRequired},
	{"openai-responses/reasoning-summary-required", "", "missing_required_parameter",
		openaiOnly(openaiSummaryRequired)},
	{"openai-responses/reasoning-content-nonempty", "", "array_above_max_length",
		openaiOnly(openaiReasoningContent)},
	{"openai-responses/required-item-fields", "", "missing_required_parameter",
		openaiOnly(openaiReasoningBare)},
	{"openai-responses/assistant-input-text", "", "invalid_value", openaiPartTypes},
	{"openai-responses/item-id-length", "", "string_above_max_length",
		openaiOnly(openaiItemIDLength)},
	{"openai-responses/item-id-charset", "", "invalid_value", openaiOnly(openaiItemIDCharset)},
	{"openai-responses/item-id-prefix", "", "invalid_value", openaiOnly(openaiItemIDPrefix)},
	{"openai-responses/call-id-length", "", "string_above_max_length", openaiCallIDLength},
	{"openai-responses/name-pattern", "", "invalid_value", openaiItemName},
	{"openai-responses/string-max", "", "string_above_max_length", openaiItemStringMax},
	{"openai-responses/duplicate-item", "", "", openaiOnly(openaiItemDuplicate)},
	{"openai-responses/item-not-found", "", "", openaiOnly(openaiItemNotFound)},
	{"openai-responses/encrypted-content-invalid", "", "invalid_encrypted_content",
		openaiOnly(openaiEncrypted)},
	{"openai-responses/item-needs-reasoning", "", "", openaiOnly(openaiNeedsReasoning)},
	{"openai-responses/reasoning-needs-following", "", "", openaiOnly(openaiNeedsFollowing)},
	{"openai-responses/reasoning-needs-following", "", "", openaiOnly(openaiReasoningDetached)},
	{"openai-responses/tool-output-orphan", "", "", openaiOutputOrphan},
	{"openai-responses/tool-output-missing", "", "", openaiOutputMissing},
}

// openaiOnly is a check of what OpenAI's own service was seen to refuse. Other
// hosts that speak the format serve other models, and take it: ids of every
// form, reasoning in plain words, members that only answers have.
func openaiOnly(check func(r *request, found found)) func(r *request, found found) {
	return func(r *request, found found) {
		if openaiResponsesOf(r).own {
			check(r, found)
		}
	}
}

// openaiOwn is how the names of OpenAI's models begin, the open ones aside,
// which others serve. A name with a slash is a gateway's.
var openaiOwn = regexp.MustCompile(`^(gpt-[^o]|chatgpt-|codex-|computer-use-|ft:|o[134])[^/]*$`)

func openaiOwnModel(model string) bool {
	return model == "" || openaiOwn.MatchString(strings.ToLower(model))
}

// openaiContinues reports whether the history, or its beginning, is stored.
func openaiContinues(r *request) bool {
	return r.root["previous_response_id"] != nil || r.root["conversation"] != nil
}

func openaiResponsesRequired(r *request, found found) {
	if _, ok := r.root["model"].(string); !ok && !has(r.root, "prompt") {
		found("model", inOwnWords, openaiMissing("model"))
	}
	switch v := r.root["input"].(type) {
	case nil:
		if !openaiContinues(r) && r.root["prompt"] == nil {
			found("input", inOwnWords, openaiMissing("input"))
		}
	case string, []any:
	default:
		found("input", inOwnWords,
			openaiType("input", "one of a string or array of input items", v))
	}
	if t := r.root["tools"]; t != nil && kind(t) != "array" {
		found("tools", inOwnWords, openaiType("tools", "an array of objects", t))
	}
}

func openaiInputEmpty(r *request, found found) {
	if a, ok := r.root["input"].([]any); ok && len(a) == 0 && !openaiContinues(r) &&
		r.root["prompt"] == nil {
		found("input")
	}
}

// openaiItemTypes are the types of items with their fields. What is marked
// with ! is required.
var openaiItemTypes = map[string][]string{
	"message":   strings.Fields("!role !content phase id status type"),
	"reasoning": strings.Fields("id summary encrypted_content content type"),
	"function_call": strings.Fields(
		"!call_id !name !arguments id async namespace caller status type"),
	"function_call_output": strings.Fields("!call_id !output id name namespace caller status type"),
	"custom_tool_call": strings.Fields(
		"!call_id !name !input id async namespace caller status type"),
	"custom_tool_call_output": strings.Fields("!call_id !output id caller status type"),
	"web_search_call":         strings.Fields("action id status type"),
	"file_search_call":        strings.Fields("queries results id status type"),
	"computer_call": strings.Fields(
		"!call_id pending_safety_checks action actions id status type"),
	"computer_call_output": strings.Fields(
		"!call_id !output acknowledged_safety_checks id status type"),
	"code_interpreter_call": strings.Fields("code outputs container_id id status type"),
	"image_generation_call": strings.Fields(
		"result revised_prompt action background output_format quality size error svg_usage id " +
			"status type"),
	"local_shell_call":        strings.Fields("!action !call_id id status type"),
	"local_shell_call_output": strings.Fields("!output id status type"),
	"shell_call":              strings.Fields("!action !call_id caller environment id status type"),
	"shell_call_output": strings.Fields(
		"!call_id !output max_output_length caller id status type"),
	"apply_patch_call":        strings.Fields("!call_id !operation caller id status type"),
	"apply_patch_call_output": strings.Fields("!call_id output caller id status type"),
	"mcp_list_tools":          strings.Fields("!server_label !tools error id type"),
	"mcp_call": strings.Fields(
		"!name !server_label !arguments approval_request_id output error id status type"),
	"mcp_approval_request":  strings.Fields("!name !server_label !arguments id type"),
	"mcp_approval_response": strings.Fields("!approval_request_id !approve reason id type"),
	"item_reference":        strings.Fields("!id type"),
	"compaction":            strings.Fields("!encrypted_content id type"),
	"compaction_trigger":    strings.Fields("id type"),
	"configuration_update":  strings.Fields("id reasoning text type"),
	"tool_search_call":      strings.Fields("arguments call_id execution id status type"),
	"tool_search_output":    strings.Fields("tools call_id execution id status type"),
	"additional_tools":      strings.Fields("tools id role type"),
	"program":               strings.Fields("call_id code fingerprint id type"),
	"program_output":        strings.Fields("call_id result status id type"),
}

// openaiItemSchema looks for what is no item at all.
func openaiItemSchema(r *request, found found) {
	for i, item := range openaiResponsesOf(r).items {
		switch v := array(r.root["input"])[i]; {
		case item.object == nil:
			found(item.path, inOwnWords, openaiType(item.path, "an object", v))
		case item.kind == "" && !has(item.object, "type"):
			found(item.path+".type", inOwnWords, openaiMissing(item.path+".type"))
		case item.kind == "" || openaiItemTypes[item.kind] == nil && openaiResponsesOf(r).own:
			found(item.path+".type", inOwnWords,
				fmt.Sprintf("Invalid value: '%v'.", item.object["type"]))
		case item.kind == "message":
			openaiMessageSchema(item, found)
		}
		if item.object["id"] != nil && kind(item.object["id"]) != "string" &&
			openaiResponsesOf(r).own {
			found(item.path+".id", inOwnWords,
				openaiType(item.path+".id", "a string", item.object["id"]))
		}
	}
}

func openaiMessageSchema(item openaiItem, found found) {
	if has(item.object, "role") &&
		!slices.Contains([]string{"assistant", "system", "developer", "user"}, item.role) {
		found(item.path+".role", inOwnWords,
			fmt.Sprintf("Invalid value: '%v'. Supported values are: 'assistant', 'system', "+
				"'developer', and 'user'.", item.object["role"]))
	}
	path := item.path + ".content"
	switch c := item.object["content"].(type) {
	case nil, string:
	case []any:
		for j, p := range c {
			path := fmt.Sprintf("%s[%d]", path, j)
			if kind(p) != "object" {
				found(path, inOwnWords, openaiType(path, "an object", p))
			}
			openaiPart(object(p), path, openaiResponsesParts, found)
		}
	default:
		found(path, inOwnWords, openaiType(path, "one of a string or array of objects", c))
	}
}

// openaiResponsesParts are the types of parts that hold text.
var openaiResponsesParts = map[string][2]string{
	"input_text": {"text", "string"}, "output_text": {"text", "string"},
	"refusal": {"refusal", "string"},
}

// openaiSearchAction: openai/codex#7129.
func openaiSearchAction(r *request, found found) {
	known := []string{"search", "open_page", "find_in_page"}
	for _, item := range openaiResponsesOf(r).items {
		action, ok := object(item.object["action"])["type"].(string)
		if item.kind == "web_search_call" && ok && !slices.Contains(known, action) {
			found(item.path+".action.type", "other", action)
		}
	}
}

// openaiTriggerLast: router-for-me/CLIProxyAPI#4148.
func openaiTriggerLast(r *request, found found) {
	items := openaiResponsesOf(r).items
	for i, item := range items {
		if item.kind == "compaction_trigger" && i+1 < len(items) {
			found(item.path)
			return
		}
	}
}

// openaiFileType checks files that say of themselves that they are sound or
// film: what one by its address holds, the fake does not know.
func openaiFileType(r *request, found found) {
	for _, item := range openaiResponsesOf(r).items {
		for _, list := range []string{"content", "output"} {
			for j, p := range array(item.object[list]) {
				path := fmt.Sprintf("%s.%s[%d].file_data", item.path, list, j)
				data, ok := strings.CutPrefix(text(object(p)["file_data"]), "data:")
				mime, _, _ := strings.Cut(data, ";")
				if ok && object(p)["type"] == "input_file" &&
					(strings.HasPrefix(mime, "audio/") || strings.HasPrefix(mime, "video/")) {
					found(path, inOwnWords,
						"Invalid file data: '"+path+
							"'. Expected a base64-encoded data URL with a valid file MIME type, "+
							"but got unsupported MIME type '"+mime+
							"'. Please see https://platform.openai.com/docs for supported file "+
							"types.")
				}
			}
		}
	}
}

func openaiItemFields(r *request, found found) {
	for _, item := range openaiResponsesOf(r).items {
		fields := openaiItemTypes[item.kind]
		if fields == nil {
			continue
		}
		for _, name := range unknownNames(item.object, fields) {
			if !slices.Contains(fields, "!"+name) {
				found(item.path+"."+name, "input[2].status", item.path+"."+name)
			}
		}
		// The short form of a message has no status. An answer is in the long
		// one under its id alone.
		_, typed := item.object["type"]
		short := !typed || kind(item.object["content"]) != "array" ||
			item.role == "assistant" && item.id == ""
		if _, ok := item.object["status"]; ok && item.kind == "message" && short {
			found(item.path+".status", "input[2].status", item.path+".status")
		}
		if object(item.object["action"])["sources"] != nil {
			found(item.path+".action.sources", "input[2].status", item.path+".action.sources")
		}
	}
}

func openaiItemRequired(r *request, found found) {
	for _, item := range openaiResponsesOf(r).items {
		list := map[string]string{"message": "content", "function_call_output": "output"}[item.kind]
		if values, ok := item.object[list].([]any); ok && len(values) == 0 {
			found(item.path+"."+list, inOwnWords, openaiEmptyArray(item.path+"."+list))
		}
		for j, v := range array(item.object[list]) {
			if path := fmt.Sprintf("%s.%s[%d]", item.path, list, j); kind(v) != "object" &&
				item.kind != "message" {
				found(path, inOwnWords, openaiType(path, "an object", v))
			}
		}
		for _, name := range openaiItemTypes[item.kind] {
			name, required := strings.CutPrefix(name, "!")
			switch v, path := item.object[name], item.path+"."+name; {
			case !required:
			case v == nil:
				found(path, "input[1].call_id", path)
			case name == "call_id" && kind(v) == "string" && blankID(text(v)):
				found(path, inOwnWords, openaiEmpty(path))
			case slices.Contains([]string{"call_id", "name", "arguments", "input"}, name) &&
				kind(v) != "string":
				found(path, inOwnWords, openaiType(path, "a string", v))
			}
		}
	}
}

func openaiSummaryRequired(r *request, found found) {
	for _, item := range openaiResponsesOf(r).items {
		if path := item.path + ".summary"; item.kind == "reasoning" &&
			has(item.object, "summary") && kind(item.object["summary"]) != "array" {
			found(path, inOwnWords, openaiType(path, "an array of objects", item.object["summary"]))
		}
		if item.kind == "reasoning" && !has(item.object, "summary") {
			found(item.path+".summary", "input[1]", item.path)
		}
	}
}

func openaiReasoningContent(r *request, found found) {
	for _, item := range openaiResponsesOf(r).items {
		if n := len(array(item.object["content"])); item.kind == "reasoning" && n > 0 {
			found(item.path+".content", "input[N]", item.path, "length 1 ",
				fmt.Sprintf("length %d ", n))
		}
	}
}

// openaiReasoningBare checks reasoning of which nothing says which it is.
func openaiReasoningBare(r *request, found found) {
	for _, item := range openaiResponsesOf(r).items {
		if item.kind == "reasoning" && item.id == "" &&
			text(item.object["encrypted_content"]) == "" {
			found(item.path+".id", "input[1].call_id", item.path+".id")
		}
	}
}

// openaiPartTypes judges the parts of messages by the role.
func openaiPartTypes(r *request, found found) {
	for _, item := range openaiResponsesOf(r).items {
		if item.kind != "message" {
			continue
		}
		for j, p := range array(item.object["content"]) {
			kind, path := text(object(p)["type"]), fmt.Sprintf("%s.content[%d].type", item.path, j)
			output := kind == "output_text" || kind == "refusal"
			switch {
			case object(p) == nil || kind == "":
			case item.role == "assistant" && !output:
				found(path, "'input_text'", "'"+kind+"'")
			case item.role != "assistant" && (output || !strings.HasPrefix(kind, "input_")):
				found(path, inOwnWords,
					fmt.Sprintf("Invalid value: '%s'. Supported values are: 'input_text', "+
						"'input_image', and 'input_file'.", kind))
			}
		}
	}
}

func openaiItemIDLength(r *request, found found) {
	for _, item := range openaiResponsesOf(r).items {
		if n := len([]rune(item.id)); n > 64 {
			found(item.path+".id", "input[3]", item.path, "length 408", fmt.Sprintf("length %d", n))
		}
	}
}

var openaiItemIDForm = regexp.MustCompile(`^[a-zA-Z0-9_-]*[a-zA-Z0-9-]$`)

func openaiItemIDCharset(r *request, found found) {
	for _, item := range openaiResponsesOf(r).items {
		if id, ok := item.object["id"].(string); ok && !openaiItemIDForm.MatchString(id) {
			found(item.path+".id", "input[14]", item.path, "msg-2026…", id)
		}
	}
}

// openaiPrefixes are what the ids of items begin with, by type. Those of
// reasoning differ between the hosts that serve one and the same model.
var openaiPrefixes = map[string]string{
	"message": "msg", "function_call": "fc", "custom_tool_call": "ctc", "web_search_call": "ws",
}

func openaiItemIDPrefix(r *request, found found) {
	for _, item := range openaiResponsesOf(r).items {
		if prefix := openaiPrefixes[item.kind]; item.id != "" &&
			!strings.HasPrefix(item.id, prefix) {
			found(item.path+".id", "input[4]", item.path, "call_XXXX", item.id, "with 'fc'",
				"with '"+prefix+"'")
		}
	}
}

func openaiCallIDLength(r *request, found found) {
	for _, item := range openaiResponsesOf(r).items {
		if n := len([]rune(text(item.object["call_id"]))); n > 64 {
			found(item.path+".call_id", "input[2]", item.path, "length 452",
				fmt.Sprintf("length %d", n))
		}
	}
}

func openaiItemName(r *request, found found) {
	const limit, specimen = 128, "input[189].name"
	own := openaiResponsesOf(r).own
	openaiTools(r.root, func(path, name string) {
		if own {
			openaiNameFaults(path, specimen, name, limit, found)
		}
	})
	for _, item := range openaiResponsesOf(r).items {
		name, ok := item.object["name"].(string)
		if ok && (own || blankID(name)) &&
			(item.kind == "function_call" || item.kind == "custom_tool_call") {
			openaiNameFaults(item.path+".name", specimen, name, limit, found)
		}
	}
}

func openaiItemStringMax(r *request, found found) {
	openaiLongStrings(r.root["input"], "input", func(path string, length int) {
		found(path, "input[2].content[0].text", path, "14274669", fmt.Sprint(length))
	})
}

func openaiItemDuplicate(r *request, found found) {
	seen := map[string]bool{}
	for _, item := range openaiResponsesOf(r).items {
		if item.id != "" && seen[item.id] {
			found(item.path+".id", "msg_XXXX", item.id)
		}
		seen[item.id] = true
	}
}

// openaiItemNotFound checks items that the request names without holding
// them, while nothing is stored.
func openaiItemNotFound(r *request, found found) {
	o := openaiResponsesOf(r)
	for _, item := range o.items {
		bare := item.kind == "item_reference" ||
			item.kind == "reasoning" && text(item.object["encrypted_content"]) == ""
		if !o.store && bare && item.id != "" {
			found(item.path+".id", "rs_XXXX", item.id)
		}
	}
}

func openaiEncrypted(r *request, found found) {
	for _, item := range openaiResponsesOf(r).items {
		fields, ours := unseal(text(item.object["encrypted_content"]))
		if item.kind != "reasoning" || !ours {
			continue
		}
		if len(fields) != 3 || fields[0] != "reasoning" || item.id != "" && item.id != fields[1] {
			found(item.path+".encrypted_content", "rs_XXXX", item.id)
		}
	}
}

// Which items belong to each other.

// openaiNeedsReasoning checks items that are sent with the id under which
// the API returned them: what was thought before them has to be there too.
// Whether anything was, only the one knows who gave the id. With store: false
// there are no ids to hold anything against.
func openaiNeedsReasoning(r *request, found found) {
	o := openaiResponsesOf(r)
	if !o.store {
		return
	}
	for i, item := range o.items {
		answer, reasoned := openaiAnswerOf(item.id)
		if !reasoned || !item.produced() || item.kind == "item_reference" {
			continue
		}
		if before := o.before[i]; before != nil {
			if of, _ := openaiAnswerOf(before.id); of == "" || of == answer {
				continue
			}
		}
		found(item.path, "fc_XXXX", item.id, "'function_call'", "'"+item.kind+"'", "rs_XXXX",
			"rs_pfr"+answer+"00")
	}
}

// openaiNeedsFollowing checks stored reasoning without what it led to. An
// answer that was cut off is reasoning alone, so what follows it may be the
// user's next message if the reasoning is there in full.
func openaiNeedsFollowing(r *request, found found) {
	o := openaiResponsesOf(r)
	for i, item := range o.items {
		if item.kind != "reasoning" || item.id == "" || !o.store {
			continue
		}
		following := o.after[i]
		if following == nil {
			end := !slices.ContainsFunc(o.items[i:],
				func(i openaiItem) bool { return i.kind != "reasoning" })
			if end || text(item.object["encrypted_content"]) == "" {
				found(item.path, "rs_XXXX", item.id)
			}
			continue
		}
		answer, _ := openaiAnswerOf(item.id)
		if of, _ := openaiAnswerOf(following.id); answer != "" && of != "" && of != answer {
			found(item.path, "rs_XXXX", item.id)
		}
	}
}

// openaiReasoningDetached checks stored reasoning that is followed by an
// item without the id that would make it the item it led to.
func openaiReasoningDetached(r *request, found found) {
	o := openaiResponsesOf(r)
	for i, item := range o.items {
		if item.kind != "reasoning" || item.id == "" || !o.store {
			continue
		}
		following := o.after[i]
		if following == nil || following.id != "" {
			continue
		}
		if following.kind == "message" || openaiAnswers[following.kind] != "" ||
			following.kind == "local_shell_call" {
			found(item.path, "rs_XXXX", item.id)
		}
	}
}

// openaiAnswers are the types of items that answer calls.
var openaiAnswers = map[string]string{
	"function_call":    "function_call_output",
	"custom_tool_call": "custom_tool_call_output",
	"computer_call":    "computer_call_output",
	"shell_call":       "shell_call_output",
	"apply_patch_call": "apply_patch_call_output",
	"tool_search_call": "tool_search_output",
}

// openaiServed reports whether the server answers a call itself.
func openaiServed(item openaiItem) bool {
	return strings.HasPrefix(item.kind, "tool_search_") &&
		text(item.object["execution"]) != "client"
}

// openaiPair matches each output to the first call with its id that precedes
// it and has no output yet. It returns which items have a partner.
func openaiPair(items []openaiItem) (paired []bool) {
	paired = make([]bool, len(items))
	open := map[string][]int{} // the calls without an output, by type of the output and id
	for i, item := range items {
		id, ok := item.object["call_id"].(string)
		if !ok || openaiServed(item) {
			continue
		}
		if answer := openaiAnswers[item.kind]; answer != "" {
			open[answer+" "+id] = append(open[answer+" "+id], i)
			continue
		}
		kind := item.kind
		if kind == "function_call_output" && len(open[kind+" "+id]) == 0 {
			kind = "tool_search_output" // which a function's may stand in for
		}
		if calls := open[kind+" "+id]; len(calls) > 0 {
			paired[calls[0]], paired[i] = true, true
			open[kind+" "+id] = calls[1:]
		}
	}
	return paired
}

func openaiOutputOrphan(r *request, found found) {
	if openaiContinues(r) {
		return // the call may be stored
	}
	items := openaiResponsesOf(r).items
	paired := openaiPair(items)
	for i, item := range items {
		if id, ok := item.object["call_id"].(string); ok && !paired[i] && !openaiServed(item) &&
			(strings.HasSuffix(item.kind, "_call_output") || item.kind == "tool_search_output") {
			found(item.path, "call_XXXX", id)
		}
	}
}

func openaiOutputMissing(r *request, found found) {
	items := openaiResponsesOf(r).items
	paired := openaiPair(items)
	for i, item := range items {
		id, ok := item.object["call_id"].(string)
		if !ok || paired[i] || openaiAnswers[item.kind] == "" || openaiServed(item) {
			continue
		}
		switch item.kind {
		case "custom_tool_call":
			found(item.path, inOwnWords, "Custom tool call output is missing for call id: "+id+".")
		case "tool_search_call":
			found(item.path, "function call", "tool search call", "call_XXXX", id)
		default:
			found(item.path, "call_XXXX", id)
		}
	}
}
