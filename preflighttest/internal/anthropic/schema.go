package anthropic

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/claude"
	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// The schema of a request: required members, unknown ones, and types.

// schema reports what has no rule of its own in the catalogue.
func schema(found fake.Found, path, message string) {
	found.Says(pathOf(path), path+": "+message)
}

func required(r *fake.Request, found fake.Found) {
	if _, ok := r.Root["model"].(string); !ok {
		schema(found, "model", wrong(r.Root["model"], "string"))
	}
	if n := read.Kind(r.Root["max_tokens"]); n != "integer" {
		schema(found, "max_tokens", wrong(r.Root["max_tokens"], "integer"))
	}
	if _, ok := r.Root["messages"].([]any); !ok {
		schema(found, "messages", wrong(r.Root["messages"], "list"))
	}
	if s := r.Root["system"]; s != nil && read.Kind(s) != "string" && read.Kind(s) != "array" {
		schema(found, "system", wrong(s, "list"))
	}
	if t := r.Root["tools"]; t != nil && read.Kind(t) != "array" {
		schema(found, "tools", wrong(t, "list"))
	}
	for i, t := range read.Array(r.Root["tools"]) {
		if _, ok := t.(map[string]any); !ok {
			schema(found, fmt.Sprintf("tools.%d", i), wrong(t, "dictionary"))
		}
	}
}

// wrong words a value that is missing or of the wrong type.
func wrong(v any, want string) string {
	if v == nil {
		return "Field required"
	}
	return "Input should be a valid " + want
}

// messagesEmpty takes system messages alone for no messages.
func messagesEmpty(r *fake.Request, found fake.Found) {
	turn := func(m message) bool { return m.role != "system" }
	if _, ok := r.Root["messages"].([]any); ok &&
		!slices.ContainsFunc(opened(r).messages, turn) {
		found("messages")
	}
}

func messagesMax(r *fake.Request, found fake.Found) {
	if len(opened(r).messages) > 100_000 {
		found("messages")
	}
}

// fields are the fields of the request, and of what it may hold
// by type. A type that is not listed is not looked into.
var fields = map[string]string{
	"request": "max_tokens messages model inference_geo temperature top_k top_p container " +
		"fallback_credit_token fallbacks speed cache_control compaction context_management " +
		"diagnostics mcp_servers metadata output_config output_format service_tier " +
		"stop_sequences stream system thinking thread tool_choice tools user_profile_id " +
		"anthropic_beta anthropic_version",
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
	known = strings.Fields("text image document tool_use tool_result")
	left  = strings.Fields(
		"index partial_json parsed_output providerMetadata providerOptions")
)

// extra returns the names in o that the type does not have, sorted.
func extra(o map[string]any, kind string) []string {
	known, ok := fields[kind]
	if !ok {
		return nil
	}
	return read.UnknownNames(o, append(strings.Fields(known), "type"))
}

func extraInputs(r *fake.Request, found fake.Found) {
	const specimen = "messages.0.content.0.text.cache_control"
	if opened(r).foreign() {
		everywhere(r, func(role string, b block) { // what an SDK leaves
			if role != "tools" && slices.Contains(known, b.kind) {
				for _, name := range read.UnknownNames(b.object, nil) {
					if slices.Contains(left, name) {
						found(b.at()+"."+name, specimen, b.path+"."+b.kind+"."+name)
					}
				}
			}
		})
		return
	}
	for _, name := range extra(r.Root, "request") {
		found(name, specimen, name)
	}
	for _, m := range opened(r).messages {
		for _, name := range extra(m.object, "message") {
			found(fmt.Sprintf("messages[%d].%s", m.index, name), specimen,
				fmt.Sprintf("messages.%d.%s", m.index, name))
		}
		if _, ok := m.object["type"]; ok {
			found(fmt.Sprintf("messages[%d].type", m.index), specimen,
				fmt.Sprintf("messages.%d.type", m.index))
		}
	}
	everywhere(r, func(role string, b block) {
		if role == "tools" && read.Has(b.object, "type") &&
			read.Text(b.object["type"]) != "custom" {
			return // a tool of the provider, with fields of its own
		}
		for _, name := range extra(b.object, b.kind) {
			if name != "cache_control" || !claude.Thinks(b.kind) {
				found(b.at()+"."+name, specimen, b.path+"."+b.kind+"."+name)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(read.Object(b.object["cache_control"]))) {
			if name != "type" && name != "ttl" && name != "scope" {
				found(b.at()+".cache_control."+name, specimen,
					b.path+"."+b.kind+".cache_control."+name)
			}
		}
	})
	thinking := read.Object(r.Root["thinking"])
	if read.Has(thinking, "block_binding") && r.Header != nil &&
		!strings.Contains(r.Header.Get("Anthropic-Beta"), "thinking-binding-controls-") {
		path := "thinking." + read.Text(thinking["type"]) + ".block_binding"
		found("thinking.block_binding", specimen, path)
	}
}

// inResult are the types of blocks that the result of a tool may hold.
var inResult = strings.Fields(
	"text image document search_result tool_reference browser_state")

func outputOnly(r *fake.Request, found fake.Found) {
	everywhere(r, func(role string, b block) {
		_, known := fields[b.kind]
		if strings.Contains(b.path, ".tool_result.content.") {
			known = slices.Contains(inResult, b.kind)
		}
		if b.kind == "fallback" && len(read.Array(r.Root["fallbacks"])) > 0 {
			return // the beta is on
		}
		if !known && b.kind != "" {
			found(b.at(), b.fill("'fallback'", "'"+b.kind+"'")...)
		}
	})
}

// stringMembers are the fields of each type that have to be strings.
var stringMembers = map[string]string{
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

// schemaFaults looks for missing fields and wrong types in the messages.
func schemaFaults(r *fake.Request, found fake.Found) {
	a := opened(r)
	for i, m := range read.Array(r.Root["messages"]) {
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
				found.Says(messagePath(i)+".role",
					fmt.Sprintf("messages: Unexpected role %q. Allowed roles are \"user\" or "+
						"\"assistant\".", role))
			}
		default:
			schema(found, path+".role", "Input should be a valid string")
		}
		switch c := a.messages[i].content.(type) {
		case string, []any:
		default:
			schema(found, path+".content", wrong(c, "list"))
		}
		for j, b := range read.Array(a.messages[i].content) {
			if _, ok := b.(map[string]any); !ok {
				schema(found, fmt.Sprintf("%s.content.%d", path, j),
					"Input should be a valid dictionary or object to extract fields from")
			}
		}
	}
	everywhere(r, func(role string, b block) {
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
			schema(found, b.path+".type", wrong(b.object["type"], "string"))
		}
		if (b.kind == "image" || b.kind == "document") && read.Object(b.object["source"]) == nil {
			found.Says(b.at()+".source",
				b.path+"."+b.kind+".source: "+wrong(b.object["source"], "dictionary"))
		}
		for _, name := range strings.Fields(stringMembers[b.kind]) {
			if _, ok := b.object[name].(string); !ok {
				found.Says(b.at()+"."+name,
					b.path+"."+b.kind+"."+name+": "+wrong(b.object[name], "string"))
			}
		}
		if c := b.object["content"]; b.kind == "tool_result" && c != nil &&
			read.Kind(c) != "string" &&
			read.Kind(c) != "array" {
			found.Says(b.at()+".content",
				b.path+".tool_result.content: Input should be a valid list")
		}
		if claude.Thinks(b.kind) && role == "user" && !strings.Contains(b.path, ".tool_result.") {
			found.Says(b.at(),
				fmt.Sprintf("messages.%d: `%s` blocks can only be in `assistant` messages", b.msg,
					b.kind))
		}
	})
}
