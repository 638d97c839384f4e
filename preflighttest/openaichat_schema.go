package preflighttest

import (
	"fmt"
	"slices"
	"strings"
)

// This file is the schema of requests for OpenAI's Chat Completions.

func openaiChatRequired(r *request, found found) {
	if _, ok := r.root["model"].(string); !ok {
		found("model", inOwnWords, "you must provide a model parameter")
	}
	switch v := r.root["messages"].(type) {
	case nil:
		found("messages", inOwnWords, openaiMissing("messages"))
	case []any:
		for i, m := range v {
			if _, ok := m.(map[string]any); !ok {
				path := fmt.Sprintf("messages[%d]", i)
				found(path, inOwnWords, openaiType(path, "an object", m))
			}
		}
	default:
		found("messages", inOwnWords, openaiType("messages", "an array of objects", v))
	}
	if t := r.root["tools"]; t != nil && kind(t) != "array" {
		found("tools", inOwnWords, openaiType("tools", "an array of objects", t))
	}
}

// openaiChatFields are the parameters of the request.
var openaiChatFields = strings.Fields(
	`messages model frequency_penalty logprobs max_completion_tokens max_tokens n presence_penalty
	prompt_cache_key safety_identifier seed store temperature top_logprobs top_p parallel_tool_calls
	user audio logit_bias metadata modalities moderation prompt_cache_retention reasoning_effort
	service_tier stop stream stream_options verbosity function_call functions
	prediction prompt_cache_options response_format tool_choice tools web_search_options`)

func openaiChatUnknown(r *request, found found) {
	for _, name := range unknownNames(r.root, openaiChatFields) {
		found(name, "zzz_unknown", name)
	}
}

func openaiChatMessagesEmpty(r *request, found found) {
	if m, ok := r.root["messages"].([]any); ok && len(m) == 0 {
		found("messages")
	}
}

func openaiChatToolsMax(r *request, found found) {
	if n := len(array(r.root["tools"])); n > 128 {
		found("tools", "length 150", fmt.Sprintf("length %d", n))
	}
}

func openaiChatRoleMissing(r *request, found found) {
	for _, m := range openaiChatMessages(r) {
		if m.object != nil && !has(m.object, "role") {
			found(m.path+".role", "messages[0]", m.path)
		}
	}
}

var openaiChatRoles = []string{"system", "developer", "user", "assistant", "tool", "function"}

func openaiChatRoleUnknown(r *request, found found) {
	for _, m := range openaiChatMessages(r) {
		if has(m.object, "role") && !slices.Contains(openaiChatRoles, m.role) {
			found(m.path+".role", "'bogus'", fmt.Sprintf("'%v'", m.object["role"]))
		}
	}
}

func openaiChatContentType(r *request, found found) {
	for _, m := range openaiChatMessages(r) {
		switch c := m.object["content"].(type) {
		case nil, string:
		case []any:
			for j, p := range c {
				if path := fmt.Sprintf("%s.content[%d]", m.path, j); kind(p) != "object" {
					found(path, inOwnWords, openaiType(path, "an object", p))
				}
			}
		default:
			found(m.path+".content", "messages[0]", m.path, "an integer", article(openaiKind(c)))
		}
	}
}

// openaiChatSchema looks for missing fields and wrong types in the messages.
func openaiChatSchema(r *request, found found) {
	for _, m := range openaiChatMessages(r) {
		if name := m.object["name"]; name != nil && kind(name) != "string" {
			found(m.path+".name", inOwnWords, openaiType(m.path+".name", "a string", name))
		}
		if c := m.object["tool_calls"]; c != nil && kind(c) != "array" && m.role == "assistant" {
			found(m.path+".tool_calls", inOwnWords,
				openaiType(m.path+".tool_calls", "an array of objects", c))
		}
		for _, c := range m.calls {
			need := func(o map[string]any, path, name string) {
				if !has(o, name) {
					found(path+"."+name, inOwnWords, openaiMissing(path+"."+name))
				} else if _, ok := o[name].(string); !ok {
					found(path+"."+name, inOwnWords, openaiType(path+"."+name, "a string", o[name]))
				}
			}
			need(c.object, c.path, "id")
			need(c.object, c.path, "type")
			switch text(c.object["type"]) {
			case "function":
				need(c.function, c.path+".function", "name")
				if !has(c.function, "arguments") {
					need(c.function, c.path+".function", "arguments")
				}
			case "custom":
				need(object(c.object["custom"]), c.path+".custom", "name")
				need(object(c.object["custom"]), c.path+".custom", "input")
			default:
				if kind, ok := c.object["type"].(string); ok {
					found(c.path+".type", inOwnWords,
						fmt.Sprintf("Invalid value: '%s'. Supported values are: 'function' and "+
							"'custom'.", kind))
				}
			}
		}
		if _, ok := m.object["tool_call_id"].(string); m.role == "tool" && !ok {
			found(m.path+".tool_call_id", inOwnWords,
				"Missing parameter 'tool_call_id': messages with role 'tool' must have a "+
					"'tool_call_id'.")
		}
		for j, p := range array(m.object["content"]) {
			openaiPart(object(p), fmt.Sprintf("%s.content[%d]", m.path, j), openaiChatParts, found)
		}
	}
}

// openaiChatParts are the types of parts, with the member that holds what is
// in them and its type.
var openaiChatParts = map[string][2]string{
	"text": {"text", "string"}, "refusal": {"refusal", "string"},
	"image_url": {"image_url", "object"}, "file": {"file", "object"},
	"input_audio": {"input_audio", "object"},
}

// openaiChatPartType refuses every type that the API does not have.
func openaiChatPartType(r *request, found found) {
	for _, m := range openaiChatMessages(r) {
		for j, p := range array(m.object["content"]) {
			kind, ok := object(p)["type"].(string)
			if _, known := openaiChatParts[kind]; ok && !known {
				found(fmt.Sprintf("%s.content[%d].type", m.path, j), "'search_result'",
					"'"+kind+"'")
			}
		}
	}
}
