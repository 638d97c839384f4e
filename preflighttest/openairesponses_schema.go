package preflighttest

import (
	"fmt"
	"slices"
	"strings"
)

// This file is the schema of the items in requests for OpenAI's Responses.

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
// with ! is required, by the refusals on record: the types of OpenAI's SDKs
// require more than the server does, such as the status of a call. That of the
// server of MCP tools is from https://github.com/maximhq/bifrost/issues/4843.
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
		"!call_id output acknowledged_safety_checks id status type"),
	"code_interpreter_call": strings.Fields("code outputs container_id id status type"),
	"image_generation_call": strings.Fields(
		"result revised_prompt action background output_format quality size error svg_usage id " +
			"status type"),
	"local_shell_call":        strings.Fields("!call_id action id status type"),
	"local_shell_call_output": strings.Fields("!output call_id id status type"),
	"shell_call":              strings.Fields("!call_id action caller environment id status type"),
	"shell_call_output": strings.Fields(
		"!call_id output max_output_length caller id status type"),
	"apply_patch_call":        strings.Fields("!call_id operation caller id status type"),
	"apply_patch_call_output": strings.Fields("!call_id output caller id status type"),
	"mcp_list_tools":          strings.Fields("!server_label tools error id type"),
	"mcp_call": strings.Fields(
		"!server_label name arguments approval_request_id output error id status type"),
	"mcp_approval_request":  strings.Fields("!server_label name arguments id type"),
	"mcp_approval_response": strings.Fields("approval_request_id approve reason id type"),
	"item_reference":        strings.Fields("id type"),
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
	for _, item := range openaiResponsesOf(r).items {
		if item.kind == "web_search_call" && object(item.object["action"])["type"] == "other" {
			found(item.path + ".action.type")
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

// openaiApprovalOrphan: microsoft/agent-framework#7452 and, for references to
// what the server has, vercel/ai#18605.
func openaiApprovalOrphan(r *request, found found) {
	chained := has(r.root, "previous_response_id") || has(r.root, "conversation")
	asked, answered := map[string]bool{}, map[string]bool{}
	for _, item := range openaiResponsesOf(r).items {
		if item.kind == "mcp_approval_response" {
			answered[text(item.object["approval_request_id"])] = true
		} else {
			asked[text(item.object["id"])] = true
		}
	}
	for _, item := range openaiResponsesOf(r).items {
		id := text(item.object["approval_request_id"])
		if item.kind == "mcp_approval_response" && !chained && !asked[id] {
			found(item.path, inOwnWords, "No approval request found with id "+id+".")
		}
		reference := text(item.object["id"])
		if item.kind == "item_reference" && chained && answered[reference] {
			found(item.path, inOwnWords, "Duplicate item found with id "+reference+".")
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
		// The short form of a message has no status.
		_, typed := item.object["type"]
		short := !typed || kind(item.object["content"]) != "array"
		if _, ok := item.object["status"]; ok && item.kind == "message" && short {
			found(item.path+".status", "input[2].status", item.path+".status")
		}
		// https://github.com/pydantic/pydantic-ai/issues/3653
		if action := object(item.object["action"]); item.kind == "web_search_call" &&
			has(action, "query") &&
			(action["type"] == "open_page" || action["type"] == "find_in_page") {
			found(item.path+".action.query", "input[2].status", item.path+".action.query")
		}
		if object(item.object["action"])["sources"] != nil {
			found(item.path+".action.sources", "input[2].status", item.path+".action.sources")
		}
	}
}

// openaiPayloads are what a call asks for and what an output says, where it is
// no string, with the types of value that it may be, none for any.
var openaiPayloads = map[string]struct {
	name  string
	kinds []string
}{
	"computer_call":        {"action", []string{"object"}},
	"computer_call_output": {"output", []string{"object", "array"}},
	"local_shell_call":     {"action", []string{"object"}},
	"shell_call":           {"action", []string{"object"}},
	"shell_call_output":    {"output", []string{"object", "array"}},
	"apply_patch_call":     {"operation", []string{"object"}},
	"tool_search_call":     {"arguments", nil},
	"tool_search_output":   {"tools", []string{"array"}},
}

func openaiItemRequired(r *request, found found) {
	own := openaiResponsesOf(r).own
	for _, item := range openaiResponsesOf(r).items {
		list := map[string]string{"message": "content", "function_call_output": "output"}[item.kind]
		// an answer without content is accepted: req_llm's recordings of a tool round trip
		if values, ok := item.object[list].([]any); ok && len(values) == 0 &&
			item.kind != "message" {
			found(item.path+"."+list, inOwnWords, openaiEmptyArray(item.path+"."+list))
		}
		for j, v := range array(item.object[list]) {
			if path := fmt.Sprintf("%s.%s[%d]", item.path, list, j); kind(v) != "object" &&
				item.kind != "message" {
				found(path, inOwnWords, openaiType(path, "an object", v))
			}
		}
		if path := item.path + ".call_id"; item.kind == "local_shell_call_output" &&
			!item.hasCall {
			found(path, "input[1].call_id", path)
		} else if item.kind == "local_shell_call_output" && blankID(item.called) {
			found(path, inOwnWords, openaiEmpty(path))
		}
		search := strings.HasPrefix(item.kind, "tool_search_")
		if payload := openaiPayloads[item.kind]; payload.name != "" && !openaiServed(item) &&
			(item.hasCall || !search) { // one without an id is not known to be the client's
			v, path := item.object[payload.name], item.path+"."+payload.name
			instead := item.kind == "computer_call" && kind(item.object["actions"]) == "array"
			switch {
			case instead:
			case v == nil:
				found(path, "input[1].call_id", path)
			case len(payload.kinds) > 0 && !slices.Contains(payload.kinds, kind(v)):
				found(path, inOwnWords, openaiType(path, "an "+payload.kinds[0], v))
			}
		}
		for _, name := range openaiItemTypes[item.kind] {
			name, required := strings.CutPrefix(name, "!")
			switch v, path := item.object[name], item.path+"."+name; {
			case !required || !own && (name == "server_label" || name == "encrypted_content"):
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

// openaiTexts are the members of items that hold parts.
var openaiTexts = map[string]string{
	"message": "content", "function_call_output": "output", "custom_tool_call_output": "output",
	"local_shell_call_output": "output",
}

// openaiPartTypes judges the parts of messages by the role, and those of outputs
// as what is not the model's.
func openaiPartTypes(r *request, found found) {
	for _, item := range openaiResponsesOf(r).items {
		list := openaiTexts[item.kind]
		for j, p := range array(item.object[list]) {
			kind := text(object(p)["type"])
			path := fmt.Sprintf("%s.%s[%d].type", item.path, list, j)
			models := list == "content" && item.role == "assistant"
			output := kind == "output_text" || kind == "refusal"
			switch {
			case object(p) == nil || kind == "":
			case models && !output:
				found(path, "'input_text'", "'"+kind+"'")
			case !models && (output || !strings.HasPrefix(kind, "input_")):
				found(path, inOwnWords,
					fmt.Sprintf("Invalid value: '%s'. Supported values are: 'input_text', "+
						"'input_image', and 'input_file'.", kind))
			}
		}
	}
}
