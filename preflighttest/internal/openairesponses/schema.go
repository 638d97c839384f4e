package openairesponses

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/openai"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// The schema of items: required and unknown members, and types.

func required(r *fake.Request, found fake.Found) {
	if _, ok := r.Root["model"].(string); !ok && !read.Has(r.Root, "prompt") {
		found.Says("model", openai.Missing("model"))
	}
	switch v := r.Root["input"].(type) {
	case nil:
		if !continues(r) && r.Root["prompt"] == nil {
			found.Says("input", openai.Missing("input"))
		}
	case string, []any:
	default:
		found.Says("input",
			openai.Type("input", "one of a string or array of input items", v))
	}
	if t := r.Root["tools"]; t != nil && read.Kind(t) != "array" {
		found.Says("tools", openai.Type("tools", "an array of objects", t))
	}
}

func inputEmpty(r *fake.Request, found fake.Found) {
	if a, ok := r.Root["input"].([]any); ok && len(a) == 0 && !continues(r) &&
		r.Root["prompt"] == nil {
		found("input")
	}
}

// itemTypes are the types of items with their fields. What is marked
// with ! is required, by the refusals on record: the types of OpenAI's SDKs
// require more than the server does, such as the status of a call. That of the
// server of MCP tools is from https://github.com/maximhq/bifrost/issues/4843.
var itemTypes = map[string][]string{
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
		"result revised_prompt background output_format quality size error svg_usage id " +
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

// itemSchema looks for what is no item at all.
func itemSchema(r *fake.Request, found fake.Found) {
	for i, item := range opened(r).items {
		switch v := read.Array(r.Root["input"])[i]; {
		case item.object == nil:
			found.Says(item.path, openai.Type(item.path, "an object", v))
		case item.kind == "" && !read.Has(item.object, "type"):
			found.Says(item.path+".type", openai.Missing(item.path+".type"))
		case item.kind == "" || itemTypes[item.kind] == nil && opened(r).own:
			found.Says(item.path+".type",
				fmt.Sprintf("Invalid value: '%v'.", item.object["type"]))
		case item.kind == "message":
			messageSchema(item, found)
		}
		if item.object["id"] != nil && read.Kind(item.object["id"]) != "string" &&
			opened(r).own {
			found.Says(item.path+".id",
				openai.Type(item.path+".id", "a string", item.object["id"]))
		}
	}
}

func messageSchema(item item, found fake.Found) {
	if read.Has(item.object, "role") &&
		!slices.Contains([]string{"assistant", "system", "developer", "user"}, item.role) {
		found.Says(item.path+".role",
			fmt.Sprintf("Invalid value: '%v'. Supported values are: 'assistant', 'system', "+
				"'developer', and 'user'.", item.object["role"]))
	}
	path := item.path + ".content"
	switch c := item.object["content"].(type) {
	case nil, string:
	case []any:
		for j, p := range c {
			path := fmt.Sprintf("%s[%d]", path, j)
			if read.Kind(p) != "object" {
				found.Says(path, openai.Type(path, "an object", p))
			}
			openai.Part(read.Object(p), path, parts, found)
		}
	default:
		found.Says(path, openai.Type(path, "one of a string or array of objects", c))
	}
}

// parts are the types of parts that hold text.
var parts = map[string][2]string{
	"input_text": {"text", "string"}, "output_text": {"text", "string"},
	"refusal": {"refusal", "string"},
}

// searchAction: openai/codex#7129.
func searchAction(r *fake.Request, found fake.Found) {
	for _, item := range opened(r).items {
		if item.kind == "web_search_call" && read.Object(item.object["action"])["type"] == "other" {
			found(item.path + ".action.type")
		}
	}
}

// searchArguments: openai/codex#31517.
func searchArguments(r *fake.Request, found fake.Found) {
	for _, item := range opened(r).items {
		path := item.path + ".arguments"
		if item.kind == "tool_search_call" && item.hasCall && !served(item) &&
			read.Kind(item.object["arguments"]) == "string" {
			found(path, "input[61].arguments", path)
		}
	}
}

// triggerLast: router-for-me/CLIProxyAPI#4148.
func triggerLast(r *fake.Request, found fake.Found) {
	items := opened(r).items
	for i, item := range items {
		if item.kind == "compaction_trigger" && i+1 < len(items) {
			found(item.path)
			return
		}
	}
}

// fileType checks files that say of themselves that they are sound or
// film: what one by its address holds, the fake does not know.
func fileType(r *fake.Request, found fake.Found) {
	for _, item := range opened(r).items {
		for _, list := range []string{"content", "output"} {
			for j, p := range read.Array(item.object[list]) {
				path := fmt.Sprintf("%s.%s[%d].file_data", item.path, list, j)
				data, ok := strings.CutPrefix(read.Text(read.Object(p)["file_data"]), "data:")
				mime, _, _ := strings.Cut(data, ";")
				if ok && read.Object(p)["type"] == "input_file" &&
					(strings.HasPrefix(mime, "audio/") || strings.HasPrefix(mime, "video/")) {
					found.Says(path,
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

func itemFields(r *fake.Request, found fake.Found) {
	for _, item := range opened(r).items {
		fields := itemTypes[item.kind]
		if fields == nil {
			continue
		}
		for _, name := range read.UnknownNames(item.object, fields) {
			if !slices.Contains(fields, "!"+name) {
				found(item.path+"."+name, "input[2].status", item.path+"."+name)
			}
		}
		// The short form of a message has no status.
		_, typed := item.object["type"]
		if _, ok := item.object["status"]; ok && item.kind == "message" && !typed {
			found(item.path+".status", "input[2].status", item.path+".status")
		}
		// https://github.com/pydantic/pydantic-ai/issues/3653
		if action := read.Object(item.object["action"]); item.kind == "web_search_call" &&
			read.Has(action, "query") &&
			(action["type"] == "open_page" || action["type"] == "find_in_page") {
			found(item.path+".action.query", "input[2].status", item.path+".action.query")
		}
		if read.Object(item.object["action"])["sources"] != nil {
			found(item.path+".action.sources", "input[2].status", item.path+".action.sources")
		}
	}
}

// payloads are what a call asks for and what an output says, where it is
// no string, with the types of value that it may be, none for any.
var payloads = map[string]struct {
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

func itemRequired(r *fake.Request, found fake.Found) {
	own := opened(r).own
	for _, item := range opened(r).items {
		list := map[string]string{"message": "content", "function_call_output": "output"}[item.kind]
		// an answer without content is accepted: req_llm's recordings of a tool round trip
		if values, ok := item.object[list].([]any); ok && len(values) == 0 &&
			item.kind != "message" {
			found.Says(item.path+"."+list, openai.EmptyArray(item.path+"."+list))
		}
		for j, v := range read.Array(item.object[list]) {
			if path := fmt.Sprintf("%s.%s[%d]", item.path, list, j); read.Kind(v) != "object" &&
				item.kind != "message" {
				found.Says(path, openai.Type(path, "an object", v))
			}
		}
		if path := item.path + ".call_id"; item.kind == "local_shell_call_output" &&
			!item.hasCall {
			found(path, "input[1].call_id", path)
		} else if item.kind == "local_shell_call_output" && read.BlankID(item.called) {
			found.Says(path, openai.Empty(path))
		}
		search := strings.HasPrefix(item.kind, "tool_search_")
		if payload := payloads[item.kind]; payload.name != "" && !served(item) &&
			(item.hasCall || !search) { // one without an id is not known to be the client's
			v, path := item.object[payload.name], item.path+"."+payload.name
			instead := item.kind == "computer_call" && read.Kind(item.object["actions"]) == "array"
			switch {
			case instead:
			case v == nil:
				found(path, "input[1].call_id", path)
			case len(payload.kinds) > 0 && !slices.Contains(payload.kinds, read.Kind(v)):
				found.Says(path, openai.Type(path, "an "+payload.kinds[0], v))
			}
		}
		for _, name := range itemTypes[item.kind] {
			name, required := strings.CutPrefix(name, "!")
			switch v, path := item.object[name], item.path+"."+name; {
			case !required || !own && (name == "server_label" || name == "encrypted_content"):
			case v == nil:
				found(path, "input[1].call_id", path)
			case name == "call_id" && read.Kind(v) == "string" && read.BlankID(read.Text(v)):
				found.Says(path, openai.Empty(path))
			case slices.Contains([]string{"call_id", "name", "arguments", "input"}, name) &&
				read.Kind(v) != "string":
				found.Says(path, openai.Type(path, "a string", v))
			}
		}
	}
}

// texts are the members of items that hold parts.
var texts = map[string]string{
	"message": "content", "function_call_output": "output", "custom_tool_call_output": "output",
	"local_shell_call_output": "output",
}

// partTypes judges the parts of messages by the role, and those of outputs
// as what is not the model's.
func partTypes(r *fake.Request, found fake.Found) {
	for _, item := range opened(r).items {
		list := texts[item.kind]
		for j, p := range read.Array(item.object[list]) {
			kind := read.Text(read.Object(p)["type"])
			path := fmt.Sprintf("%s.%s[%d].type", item.path, list, j)
			models := list == "content" && item.role == "assistant"
			output := kind == "output_text" || kind == "refusal"
			switch {
			case read.Object(p) == nil || kind == "":
			case models && !output:
				found(path, "'input_text'", "'"+kind+"'")
			case !models && (output || !strings.HasPrefix(kind, "input_")):
				found.Says(path,
					fmt.Sprintf("Invalid value: '%s'. Supported values are: 'input_text', "+
						"'input_image', and 'input_file'.", kind))
			}
		}
	}
}
