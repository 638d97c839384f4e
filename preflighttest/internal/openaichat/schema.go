package openaichat

import (
	"fmt"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
	"github.com/go-preflight/preflight/preflighttest/internal/openai"
	"github.com/go-preflight/preflight/preflighttest/internal/read"
)

// The schema of a request: required and unknown members, and types.

func required(r *fake.Request, found fake.Found) {
	if _, ok := r.Root["model"].(string); !ok {
		found.Says("model", "you must provide a model parameter")
	}
	switch v := r.Root["messages"].(type) {
	case nil:
		found.Says("messages", openai.Missing("messages"))
	case []any:
		for i, m := range v {
			if _, ok := m.(map[string]any); !ok {
				path := fmt.Sprintf("messages[%d]", i)
				found.Says(path, openai.Type(path, "an object", m))
			}
		}
	default:
		found.Says("messages", openai.Type("messages", "an array of objects", v))
	}
	if t := r.Root["tools"]; t != nil && read.Kind(t) != "array" {
		found.Says("tools", openai.Type("tools", "an array of objects", t))
	}
}

// fields are the parameters of the request.
var fields = strings.Fields(
	`messages model frequency_penalty logprobs max_completion_tokens max_tokens n presence_penalty
	prompt_cache_key safety_identifier seed store temperature top_logprobs top_p parallel_tool_calls
	user audio logit_bias metadata modalities moderation prompt_cache_retention reasoning_effort
	service_tier stop stream stream_options verbosity function_call functions
	prediction prompt_cache_options response_format tool_choice tools web_search_options`)

func unknown(r *fake.Request, found fake.Found) {
	for _, name := range read.UnknownNames(r.Root, fields) {
		found(name, "zzz_unknown", name)
	}
}

func messagesEmpty(r *fake.Request, found fake.Found) {
	if m, ok := r.Root["messages"].([]any); ok && len(m) == 0 {
		found("messages")
	}
}

func toolsMax(r *fake.Request, found fake.Found) {
	if n := len(read.Array(r.Root["tools"])); n > 128 {
		found("tools", "length 150", fmt.Sprintf("length %d", n))
	}
}

func contentType(r *fake.Request, found fake.Found) {
	for _, m := range messagesOf(r) {
		switch c := m.object["content"].(type) {
		case nil, string:
		case []any:
			for j, p := range c {
				if path := fmt.Sprintf("%s.content[%d]", m.path, j); read.Kind(p) != "object" {
					found.Says(path, openai.Type(path, "an object", p))
				}
			}
		default:
			found(m.path+".content", "messages[0]", m.path, "an integer",
				openai.Article(openai.Kind(c)))
		}
	}
}

// schema looks for missing fields and wrong types in the messages.
func schema(r *fake.Request, found fake.Found) {
	for _, m := range messagesOf(r) {
		if name := m.object["name"]; name != nil && read.Kind(name) != "string" {
			found.Says(m.path+".name", openai.Type(m.path+".name", "a string", name))
		}
		if c := m.object["tool_calls"]; c != nil && read.Kind(c) != "array" &&
			m.role == "assistant" {
			found.Says(m.path+".tool_calls",
				openai.Type(m.path+".tool_calls", "an array of objects", c))
		}
		for _, c := range m.calls {
			need := func(o map[string]any, path, name string) {
				if !read.Has(o, name) {
					found.Says(path+"."+name, openai.Missing(path+"."+name))
				} else if _, ok := o[name].(string); !ok {
					found.Says(path+"."+name, openai.Type(path+"."+name, "a string", o[name]))
				}
			}
			need(c.object, c.path, "id")
			need(c.object, c.path, "type")
			switch read.Text(c.object["type"]) {
			case "function":
				need(c.function, c.path+".function", "name")
				if !read.Has(c.function, "arguments") {
					need(c.function, c.path+".function", "arguments")
				}
			case "custom":
				need(read.Object(c.object["custom"]), c.path+".custom", "name")
				need(read.Object(c.object["custom"]), c.path+".custom", "input")
			default:
				if kind, ok := c.object["type"].(string); ok {
					found.Says(c.path+".type",
						fmt.Sprintf("Invalid value: '%s'. Supported values are: 'function' and "+
							"'custom'.", kind))
				}
			}
		}
		if _, ok := m.object["tool_call_id"].(string); m.role == "tool" && !ok {
			found.Says(m.path+".tool_call_id",
				"Missing parameter 'tool_call_id': messages with role 'tool' must have a "+
					"'tool_call_id'.")
		}
		for j, p := range read.Array(m.object["content"]) {
			openai.Part(read.Object(p), fmt.Sprintf("%s.content[%d]", m.path, j), parts, found)
		}
	}
}

// parts are the types of parts, with the member that holds what is
// in them and its type.
var parts = map[string][2]string{
	"text": {"text", "string"}, "refusal": {"refusal", "string"},
	"image_url": {"image_url", "object"}, "file": {"file", "object"},
	"input_audio": {"input_audio", "object"},
}

// partType refuses every type that the API does not have.
func partType(r *fake.Request, found fake.Found) {
	for _, m := range messagesOf(r) {
		for j, p := range read.Array(m.object["content"]) {
			kind, ok := read.Object(p)["type"].(string)
			if _, known := parts[kind]; ok && !known {
				found(fmt.Sprintf("%s.content[%d].type", m.path, j), "'search_result'",
					"'"+kind+"'")
			}
		}
	}
}
