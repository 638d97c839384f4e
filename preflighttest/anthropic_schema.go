package preflighttest

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// This file is the schema of Anthropic's requests.

// schema reports what has no rule of its own in the catalogue.
func schema(found found, path, message string) {
	found(anthropicPath(path), inOwnWords, path+": "+message)
}

// The request as a whole.

func anthropicRequired(r *request, found found) {
	if _, ok := r.root["model"].(string); !ok {
		schema(found, "model", anthropicWrong(r.root["model"], "string"))
	}
	if n := kind(r.root["max_tokens"]); n != "integer" {
		schema(found, "max_tokens", anthropicWrong(r.root["max_tokens"], "integer"))
	}
	if _, ok := r.root["messages"].([]any); !ok {
		schema(found, "messages", anthropicWrong(r.root["messages"], "list"))
	}
	if s := r.root["system"]; s != nil && kind(s) != "string" && kind(s) != "array" {
		schema(found, "system", anthropicWrong(s, "list"))
	}
	if t := r.root["tools"]; t != nil && kind(t) != "array" {
		schema(found, "tools", anthropicWrong(t, "list"))
	}
	for i, t := range array(r.root["tools"]) {
		if _, ok := t.(map[string]any); !ok {
			schema(found, fmt.Sprintf("tools.%d", i), anthropicWrong(t, "dictionary"))
		}
	}
}

// anthropicWrong words a value that is missing or of the wrong type.
func anthropicWrong(v any, want string) string {
	if v == nil {
		return "Field required"
	}
	return "Input should be a valid " + want
}

// anthropicMessagesEmpty takes system messages alone for no messages.
func anthropicMessagesEmpty(r *request, found found) {
	turn := func(m anthropicMessage) bool { return m.role != "system" }
	if _, ok := r.root["messages"].([]any); ok &&
		!slices.ContainsFunc(anthropicOf(r).messages, turn) {
		found("messages")
	}
}

func anthropicMessagesMax(r *request, found found) {
	if len(anthropicOf(r).messages) > 100_000 {
		found("messages")
	}
}

// anthropicFields are the fields of the request, and of what it may hold
// by type. A type that is not listed is not looked into.
var anthropicFields = map[string]string{
	"request": "max_tokens messages model inference_geo temperature top_k top_p container " +
		"fallback_credit_token fallbacks speed cache_control compaction context_management " +
		"diagnostics mcp_servers metadata output_config output_format service_tier " +
		"stop_sequences stream system thinking tool_choice tools anthropic_beta anthropic_version",
	"message":           "role content clear_at output_config",
	"text":              "text citations cache_control",
	"image":             "source cache_control transformations",
	"document":          "source context title cache_control citations",
	"search_result":     "content source title cache_control citations",
	"thinking":          "signature thinking",
	"redacted_thinking": "data",
	"tool_use":          "id input name toolset_name cache_control caller",
	"tool_result": "tool_use_id toolset_name is_error " +
		"cache_control content",
	"server_tool_use":                        "id input name cache_control caller",
	"web_search_tool_result":                 "content tool_use_id cache_control caller",
	"web_fetch_tool_result":                  "content tool_use_id cache_control caller",
	"code_execution_tool_result":             "content tool_use_id cache_control",
	"bash_code_execution_tool_result":        "content tool_use_id cache_control",
	"text_editor_code_execution_tool_result": "content tool_use_id cache_control",
	"tool_search_tool_result":                "content tool_use_id cache_control",
	"advisor_tool_result":                    "content tool_use_id cache_control",
	"mcp_tool_use":                           "id input name server_name cache_control",
	"mcp_tool_result":                        "tool_use_id is_error cache_control content",
	"container_upload":                       "file_id cache_control",
	"tool_reference":                         "tool_name cache_control",
	"tool_addition":                          "tool cache_control",
	"tool_removal":                           "tool cache_control",
	"compaction": "content encrypted_content signature " +
		"tool_changes cache_control",
	"browser_state":    "tabs state_changes cache_control",
	"mcp_tool_listing": "mcp_server_name tools",
	"custom": "input_schema name eager_input_streaming defer_loading description strict " +
		"allowed_callers cache_control input_examples",
}

var (
	anthropicKnown = strings.Fields("text image document tool_use tool_result")
	anthropicLeft  = strings.Fields(
		"index partial_json parsed_output providerMetadata providerOptions")
)

// anthropicExtra returns the names in o that the type does not have, sorted.
func anthropicExtra(o map[string]any, kind string) []string {
	known, ok := anthropicFields[kind]
	if !ok {
		return nil
	}
	return unknownNames(o, append(strings.Fields(known), "type"))
}

func anthropicExtraInputs(r *request, found found) {
	const specimen = "messages.0.content.0.text.cache_control"
	if anthropicOf(r).foreign() {
		anthropicEverywhere(r, func(role string, b anthropicBlock) { // what an SDK leaves
			if role != "tools" && slices.Contains(anthropicKnown, b.kind) {
				for _, name := range unknownNames(b.object, nil) {
					if slices.Contains(anthropicLeft, name) {
						found(b.at()+"."+name, specimen, b.path+"."+b.kind+"."+name)
					}
				}
			}
		})
		return
	}
	for _, name := range anthropicExtra(r.root, "request") {
		found(name, specimen, name)
	}
	for _, m := range anthropicOf(r).messages {
		for _, name := range anthropicExtra(m.object, "message") {
			found(fmt.Sprintf("messages[%d].%s", m.index, name), specimen,
				fmt.Sprintf("messages.%d.%s", m.index, name))
		}
		if _, ok := m.object["type"]; ok {
			found(fmt.Sprintf("messages[%d].type", m.index), specimen,
				fmt.Sprintf("messages.%d.type", m.index))
		}
	}
	anthropicEverywhere(r, func(role string, b anthropicBlock) {
		if role == "tools" && has(b.object, "type") && text(b.object["type"]) != "custom" {
			return // a tool of the provider, with fields of its own
		}
		for _, name := range anthropicExtra(b.object, b.kind) {
			if name != "cache_control" || !b.thinks() {
				found(b.at()+"."+name, specimen, b.path+"."+b.kind+"."+name)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(object(b.object["cache_control"]))) {
			if name != "type" && name != "ttl" && name != "scope" {
				found(b.at()+".cache_control."+name, specimen,
					b.path+"."+b.kind+".cache_control."+name)
			}
		}
	})
	thinking := object(r.root["thinking"])
	if has(thinking, "block_binding") && r.header != nil &&
		!strings.Contains(r.header.Get("Anthropic-Beta"), "thinking-binding-controls-") {
		path := "thinking." + text(thinking["type"]) + ".block_binding"
		found("thinking.block_binding", specimen, path)
	}
}

// anthropicInResult are the types of blocks that the result of a tool may hold.
var anthropicInResult = strings.Fields(
	"text image document search_result tool_reference browser_state")

func anthropicOutputOnly(r *request, found found) {
	anthropicEverywhere(r, func(role string, b anthropicBlock) {
		_, known := anthropicFields[b.kind]
		if strings.Contains(b.path, ".tool_result.content.") {
			known = slices.Contains(anthropicInResult, b.kind)
		}
		if b.kind == "fallback" && len(array(r.root["fallbacks"])) > 0 {
			return // the beta is on
		}
		if !known && b.kind != "" {
			found(b.at(), b.fill("'fallback'", "'"+b.kind+"'")...)
		}
	})
}

func anthropicCompactionEmpty(r *request, found found) {
	anthropicEach(r, func(m anthropicMessage, b anthropicBlock) {
		if content, ok := b.object["content"].(string); b.kind == "compaction" && ok &&
			content == "" {
			found(b.at()+".content", inOwnWords,
				b.path+".compaction.content: Empty string content is not allowed")
		}
	})
}

// anthropicContextEdit looks for edits of thinking in a request without it.
func anthropicContextEdit(r *request, found found) {
	if anthropicOf(r).thinking != "disabled" {
		return
	}
	for i, e := range array(object(r.root["context_management"])["edits"]) {
		if kind := text(object(e)["type"]); strings.HasPrefix(kind, "clear_thinking_") {
			found(fmt.Sprintf("context_management.edits[%d]", i), "clear_thinking_20251015", kind)
		}
	}
}

// anthropicStrings are the fields of each type that have to be strings.
var anthropicStrings = map[string]string{
	"text":                                   "text",
	"tool_use":                               "id name",
	"server_tool_use":                        "id name",
	"mcp_tool_use":                           "id name server_name",
	"tool_result":                            "tool_use_id",
	"web_search_tool_result":                 "tool_use_id",
	"web_fetch_tool_result":                  "tool_use_id",
	"mcp_tool_result":                        "tool_use_id",
	"code_execution_tool_result":             "tool_use_id",
	"bash_code_execution_tool_result":        "tool_use_id",
	"text_editor_code_execution_tool_result": "tool_use_id",
	"tool_search_tool_result":                "tool_use_id",
	"advisor_tool_result":                    "tool_use_id",
	"redacted_thinking":                      "data",
}

// anthropicSchema looks for missing fields and wrong types in the messages.
func anthropicSchema(r *request, found found) {
	a := anthropicOf(r)
	for i, m := range array(r.root["messages"]) {
		path := "messages." + strconv.Itoa(i)
		if _, ok := m.(map[string]any); !ok {
			schema(found, path,
				"Input should be a valid dictionary or object to extract fields from")
			continue
		}
		switch role := a.messages[i].object["role"].(type) {
		case nil:
			schema(found, path+".role", "Field required")
		case string:
			if role != "user" && role != "assistant" && role != "system" {
				found(anthropicMessagePath(i)+".role", inOwnWords,
					fmt.Sprintf("messages: Unexpected role %q. Allowed roles are \"user\" or "+
						"\"assistant\".", role))
			}
		default:
			schema(found, path+".role", "Input should be a valid string")
		}
		switch c := a.messages[i].content.(type) {
		case string, []any:
		default:
			schema(found, path+".content", anthropicWrong(c, "list"))
		}
		for j, b := range array(a.messages[i].content) {
			if _, ok := b.(map[string]any); !ok {
				schema(found, fmt.Sprintf("%s.content.%d", path, j),
					"Input should be a valid dictionary or object to extract fields from")
			}
		}
	}
	anthropicEverywhere(r, func(role string, b anthropicBlock) {
		if role == "tools" {
			return
		}
		if b.object == nil {
			if strings.Contains(b.path, ".tool_result.") { // those of messages are looked at above
				schema(found, b.path,
					"Input should be a valid dictionary or object to extract fields from")
			}
			return
		}
		if b.kind == "" {
			schema(found, b.path+".type", anthropicWrong(b.object["type"], "string"))
		}
		if (b.kind == "image" || b.kind == "document") && object(b.object["source"]) == nil {
			found(b.at()+".source", inOwnWords,
				b.path+"."+b.kind+".source: "+anthropicWrong(b.object["source"], "dictionary"))
		}
		for _, name := range strings.Fields(anthropicStrings[b.kind]) {
			if _, ok := b.object[name].(string); !ok {
				found(b.at()+"."+name, inOwnWords,
					b.path+"."+b.kind+"."+name+": "+anthropicWrong(b.object[name], "string"))
			}
		}
		if c := b.object["content"]; b.kind == "tool_result" && c != nil && kind(c) != "string" &&
			kind(c) != "array" {
			found(b.at()+".content", inOwnWords,
				b.path+".tool_result.content: Input should be a valid list")
		}
		if b.thinks() && role == "user" && !strings.Contains(b.path, ".tool_result.") {
			found(b.at(), inOwnWords,
				fmt.Sprintf("messages.%d: `%s` blocks can only be in `assistant` messages", b.msg,
					b.kind))
		}
	})
}

// Tools and their ids.

func anthropicInputObject(r *request, found found) {
	anthropicEach(r, func(m anthropicMessage, b anthropicBlock) {
		if b.kind != "tool_use" && b.kind != "server_tool_use" && b.kind != "mcp_tool_use" {
			return
		}
		if _, ok := b.object["input"].(map[string]any); !ok {
			found(b.at()+".input", b.fill(".tool_use.", "."+b.kind+".")...)
		}
	})
}
