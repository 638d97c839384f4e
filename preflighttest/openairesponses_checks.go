package preflighttest

import (
	"fmt"
	"regexp"
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
	{"openai-responses/mcp-approval-orphan", inOwnWords, "", openaiOnly(openaiApprovalOrphan)},
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

// named reports whether the item has an id of its own. That of a reference is
// another item's, and what the API says of one that no item can have, or of one
// that is there twice, is not on record.
func (i openaiItem) named() bool { return i.kind != "item_reference" && i.kind != "" }

func openaiItemIDLength(r *request, found found) {
	for _, item := range openaiResponsesOf(r).items {
		if n := len([]rune(item.id)); n > 64 && item.named() {
			found(item.path+".id", "input[3]", item.path, "length 408", fmt.Sprintf("length %d", n))
		}
	}
}

var openaiItemIDForm = regexp.MustCompile(`^[a-zA-Z0-9_-]*[a-zA-Z0-9-]$`)

func openaiItemIDCharset(r *request, found found) {
	for _, item := range openaiResponsesOf(r).items {
		id, ok := item.object["id"].(string)
		if ok && item.named() && item.id == id && !openaiItemIDForm.MatchString(id) {
			found(item.path+".id", "input[14]", item.path, "msg-2026…", id)
		}
	}
}

// openaiPrefixes are what the ids of items begin with, by type.
var openaiPrefixes = map[string]string{
	"message": "msg", "function_call": "fc", "custom_tool_call": "ctc", "web_search_call": "ws",
	"reasoning": "rs",
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
		if n := len([]rune(item.called)); n > 64 {
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
		if !item.named() {
			continue
		}
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
		if !o.store && bare && (item.id != "" || item.kind == "item_reference") {
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

// openaiNeedsFollowing checks reasoning without what it led to, which is
// looked for where the request is stored (continuedev/continue#8933), and on
// Azure in every request (anomalyco/opencode#20698).
func openaiNeedsFollowing(r *request, found found) {
	o := openaiResponsesOf(r)
	for i, item := range o.items {
		if item.kind != "reasoning" || item.id == "" || !o.store && !o.azure {
			continue
		}
		following := o.after[i]
		if following == nil {
			found(item.path, "rs_XXXX", item.id)
			continue
		}
		if !o.store {
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
		if following.kind == "message" || strings.HasSuffix(following.kind, "_call") {
			found(item.path, "rs_XXXX", item.id)
		}
	}
}

// openaiAnswers are the types of items that answer calls.
var openaiAnswers = map[string]string{
	"function_call":    "function_call_output",
	"custom_tool_call": "custom_tool_call_output",
	"computer_call":    "computer_call_output",
	"local_shell_call": "local_shell_call_output",
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
	open := map[string][]int{}     // the calls without an output, by type of the output and id
	shells := map[string]string{}  // the ids of local shell calls by those of their items
	functions := map[string]bool{} // the ids of function calls
	for i, item := range items {
		id := item.called
		if !item.hasCall || openaiServed(item) {
			continue
		}
		if answer := openaiAnswers[item.kind]; answer != "" {
			open[answer+" "+id] = append(open[answer+" "+id], i)
			functions[id] = functions[id] || item.kind == "function_call"
			if item.kind == "local_shell_call" && item.id != "" {
				shells[item.id] = id
			}
			continue
		}
		kind := item.kind
		for _, other := range []string{"tool_search_output", "local_shell_call_output"} {
			// which a function's may stand in for: Codex sends it for a local shell
			if item.kind == "function_call_output" && !functions[id] &&
				len(open[kind+" "+id]) == 0 {
				kind = other
			}
		}
		if of, ok := shells[id]; ok && kind == "local_shell_call_output" &&
			len(open[kind+" "+id]) == 0 && !has(item.object, "call_id") {
			id = of
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
	called := map[string]bool{}
	for _, item := range items {
		called[item.called] = called[item.called] || openaiAnswers[item.kind] != ""
	}
	referred := false // so may a call be that is not here
	for i, item := range items {
		referred = referred || !item.named() && openaiResponsesOf(r).store
		if referred && !called[item.called] {
			continue
		}
		if item.hasCall && !paired[i] && !openaiServed(item) &&
			(strings.HasSuffix(item.kind, "_call_output") || item.kind == "tool_search_output") {
			found(item.path, "call_XXXX", item.called)
		}
	}
}

func openaiOutputMissing(r *request, found found) {
	items := openaiResponsesOf(r).items
	paired := openaiPair(items)
	for i, item := range items {
		id := item.called
		if !item.hasCall || paired[i] || openaiAnswers[item.kind] == "" || openaiServed(item) {
			continue
		}
		switch item.kind {
		case "custom_tool_call":
			found(item.path, inOwnWords, "Custom tool call output is missing for call id: "+id+".")
		case "tool_search_call", "local_shell_call":
			found(item.path, "function call", strings.ReplaceAll(item.kind, "_", " "), "call_XXXX",
				id)
		default:
			found(item.path, "call_XXXX", id)
		}
	}
}
