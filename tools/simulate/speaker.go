package main

import (
	"encoding/json"
	"errors"
)

// This file is what an agent knows of each provider's API: how it keeps a conversation, writes a
// request, and reads an answer. It is as naive as agents are: what the provider sent is stored as
// it came and sent back.

// speaker is how an agent talks to one provider.
type speaker struct {
	provider string
	models   []string // a session draws one of them
	list     string   // the field of the body that holds the messages
	path     func(model string) string
	settings func(model string, variant int) map[string]any // all of the body but the messages
	user     func(text string) any
	answer   func(body []byte) (messages []json.RawMessage, calls []call, err error)
	results  func(done []done) []any
	replies  func(raw json.RawMessage) bool       // whether a stored message is the model's
	reasons  func(model string, variant int) bool // whether the model thinks
}

// call is a call of the agent's tool.
type call struct{ id, name string }

// done is a call that was run.
type done struct {
	call
	output string
	failed bool
}

const toolName = "lookup"

type fields = map[string]any

var schema = fields{"type": "object", "properties": fields{"what": fields{"type": "string"}}}

// raw is v as JSON. What is given here can always be written.
func raw(v any) json.RawMessage {
	out, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return out
}

// body is a whole request.
func (s *speaker) body(model string, variant int, messages []json.RawMessage) []byte {
	request := s.settings(model, variant)
	request[s.list] = messages
	return raw(request)
}

// messages are those of a request body.
func (s *speaker) messages(body []byte) ([]json.RawMessage, error) {
	var request map[string]json.RawMessage
	if err := json.Unmarshal(body, &request); err != nil {
		return nil, err
	}
	var out []json.RawMessage
	return out, json.Unmarshal(request[s.list], &out)
}

var speakers = []*speaker{anthropic, openAIChat, openAIResponses, gemini, bedrock, mistral}

var anthropic = &speaker{
	provider: "anthropic",
	models:   []string{"claude-sonnet-4-5", "claude-opus-4-6", "claude-opus-5-5"},
	list:     "messages",
	reasons: func(model string, variant int) bool {
		return variant%2 == 1 || model == "claude-opus-5-5"
	},
	path: func(string) string { return "/v1/messages" },
	settings: func(model string, variant int) map[string]any {
		out := fields{
			"model":      model,
			"max_tokens": 4096,
			"system":     "Be brief.",
			"tools":      []any{fields{"name": toolName, "input_schema": schema}},
		}
		if variant%2 == 1 && model == "claude-sonnet-4-5" {
			out["thinking"] = fields{"type": "enabled", "budget_tokens": 1024}
		} else if variant%2 == 1 {
			out["thinking"] = fields{"type": "adaptive"}
		}
		return out
	},
	user: func(text string) any { return fields{"role": "user", "content": text} },
	answer: func(body []byte) ([]json.RawMessage, []call, error) {
		var reply struct{ Content json.RawMessage }
		var blocks []struct{ Type, ID, Name string }
		if err := decode(body, &reply, &reply.Content, &blocks); err != nil {
			return nil, nil, err
		}
		var calls []call
		for _, b := range blocks {
			if b.Type == "tool_use" {
				calls = append(calls, call{b.ID, b.Name})
			}
		}
		message := raw(fields{"role": "assistant", "content": reply.Content})
		return []json.RawMessage{message}, calls, nil
	},
	results: func(all []done) []any {
		var blocks []any
		for _, d := range all {
			b := fields{"type": "tool_result", "tool_use_id": d.id, "content": d.output}
			if d.failed {
				b["is_error"] = true
			}
			blocks = append(blocks, b)
		}
		return []any{fields{"role": "user", "content": blocks}}
	},
	replies: hasRole("assistant"),
}

var openAIChat = &speaker{
	provider: "openai-chat",
	models:   []string{"gpt-4o", "gpt-5.4"},
	list:     "messages",
	reasons:  never,
	path:     func(string) string { return "/v1/chat/completions" },
	settings: chatSettings,
	user:     func(text string) any { return fields{"role": "user", "content": text} },
	answer:   chatAnswer,
	results: func(all []done) []any {
		var out []any
		for _, d := range all {
			out = append(out, fields{"role": "tool", "tool_call_id": d.id, "content": d.output})
		}
		return out
	},
	replies: hasRole("assistant"),
}

var mistral = &speaker{
	provider: "mistral",
	models:   []string{"mistral-large-latest"},
	list:     "messages",
	reasons:  never,
	path:     func(string) string { return "/v1/chat/completions" },
	settings: chatSettings,
	user:     func(text string) any { return fields{"role": "user", "content": text} },
	answer:   chatAnswer,
	results: func(all []done) []any {
		var out []any
		for _, d := range all {
			out = append(out,
				fields{"role": "tool", "tool_call_id": d.id, "name": d.name, "content": d.output})
		}
		return out
	},
	replies: hasRole("assistant"),
}

func chatSettings(model string, _ int) map[string]any {
	return fields{
		"model": model,
		"tools": []any{
			fields{"type": "function", "function": fields{"name": toolName, "parameters": schema}},
		},
	}
}

func chatAnswer(body []byte) ([]json.RawMessage, []call, error) {
	var reply struct {
		Choices []struct{ Message json.RawMessage }
	}
	if err := json.Unmarshal(body, &reply); err != nil {
		return nil, nil, err
	}
	if len(reply.Choices) == 0 {
		return nil, nil, errors.New("an answer without choices")
	}
	var message struct {
		ToolCalls []struct {
			ID       string
			Function struct{ Name string }
		} `json:"tool_calls"`
	}
	if err := json.Unmarshal(reply.Choices[0].Message, &message); err != nil {
		return nil, nil, err
	}
	var calls []call
	for _, c := range message.ToolCalls {
		calls = append(calls, call{c.ID, c.Function.Name})
	}
	return []json.RawMessage{reply.Choices[0].Message}, calls, nil
}

var openAIResponses = &speaker{
	provider: "openai-responses",
	models:   []string{"gpt-5.4"},
	list:     "input",
	reasons:  always,
	path:     func(string) string { return "/v1/responses" },
	settings: func(model string, variant int) map[string]any {
		return fields{
			"model":   model,
			"store":   variant%2 == 1,
			"include": []string{"reasoning.encrypted_content"},
			"tools": []any{
				fields{"type": "function", "name": toolName, "parameters": schema, "strict": false},
			},
		}
	},
	user: func(text string) any { return fields{"role": "user", "content": text} },
	answer: func(body []byte) ([]json.RawMessage, []call, error) {
		var reply struct{ Output []json.RawMessage }
		if err := json.Unmarshal(body, &reply); err != nil {
			return nil, nil, err
		}
		var calls []call
		for _, item := range reply.Output {
			var c struct {
				Type, Name string
				CallID     string `json:"call_id"`
			}
			if err := json.Unmarshal(item, &c); err != nil {
				return nil, nil, err
			}
			if c.Type == "function_call" {
				calls = append(calls, call{c.CallID, c.Name})
			}
		}
		return reply.Output, calls, nil
	},
	results: func(all []done) []any {
		var out []any
		for _, d := range all {
			out = append(out,
				fields{"type": "function_call_output", "call_id": d.id, "output": d.output})
		}
		return out
	},
	replies: func(item json.RawMessage) bool {
		var m struct{ Type, Role string }
		return json.Unmarshal(item, &m) == nil &&
			(m.Role == "assistant" || m.Type == "reasoning" || m.Type == "function_call")
	},
}

var gemini = &speaker{
	provider: "gemini",
	models:   []string{"gemini-2.5-pro", "gemini-3-pro-preview"},
	list:     "contents",
	reasons:  always,
	path:     func(model string) string { return "/v1beta/models/" + model + ":generateContent" },
	settings: func(string, int) map[string]any {
		return fields{
			"tools": []any{
				fields{
					"functionDeclarations": []any{fields{"name": toolName, "parameters": schema}},
				},
			},
		}
	},
	user: func(text string) any {
		return fields{"role": "user", "parts": []any{fields{"text": text}}}
	},
	answer: func(body []byte) ([]json.RawMessage, []call, error) {
		var reply struct {
			Candidates []struct{ Content json.RawMessage }
		}
		if err := json.Unmarshal(body, &reply); err != nil {
			return nil, nil, err
		}
		if len(reply.Candidates) == 0 {
			return nil, nil, errors.New("an answer without candidates")
		}
		var content struct {
			Parts []struct{ FunctionCall *struct{ ID, Name string } }
		}
		if err := json.Unmarshal(reply.Candidates[0].Content, &content); err != nil {
			return nil, nil, err
		}
		var calls []call
		for _, p := range content.Parts {
			if p.FunctionCall != nil {
				calls = append(calls, call{p.FunctionCall.ID, p.FunctionCall.Name})
			}
		}
		return []json.RawMessage{reply.Candidates[0].Content}, calls, nil
	},
	results: func(all []done) []any {
		var parts []any
		for _, d := range all {
			key := "result"
			if d.failed {
				key = "error"
			}
			response := fields{"name": d.name, "response": fields{key: d.output}}
			if d.id != "" {
				response["id"] = d.id
			}
			parts = append(parts, fields{"functionResponse": response})
		}
		return []any{fields{"role": "user", "parts": parts}}
	},
	replies: hasRole("model"),
}

var bedrock = &speaker{
	provider: "bedrock",
	models:   []string{"us.anthropic.claude-sonnet-4-5-20250929-v1:0", "us.amazon.nova-pro-v1:0"},
	list:     "messages",
	reasons:  always,
	path:     func(model string) string { return "/model/" + model + "/converse" },
	settings: func(string, int) map[string]any {
		return fields{
			"toolConfig": fields{
				"tools": []any{
					fields{
						"toolSpec": fields{"name": toolName, "inputSchema": fields{"json": schema}},
					},
				},
			},
		}
	},
	user: func(text string) any {
		return fields{"role": "user", "content": []any{fields{"text": text}}}
	},
	answer: func(body []byte) ([]json.RawMessage, []call, error) {
		var reply struct {
			Output struct{ Message json.RawMessage }
		}
		var message struct {
			Content []struct {
				ToolUse *struct {
					ToolUseID string `json:"toolUseId"`
					Name      string
				}
			}
		}
		if err := decode(body, &reply, &reply.Output.Message, &message); err != nil {
			return nil, nil, err
		}
		var calls []call
		for _, b := range message.Content {
			if b.ToolUse != nil {
				calls = append(calls, call{b.ToolUse.ToolUseID, b.ToolUse.Name})
			}
		}
		return []json.RawMessage{reply.Output.Message}, calls, nil
	},
	results: func(all []done) []any {
		var blocks []any
		for _, d := range all {
			r := fields{"toolUseId": d.id, "content": []any{fields{"text": d.output}}}
			if d.failed {
				r["status"] = "error"
			}
			blocks = append(blocks, fields{"toolResult": r})
		}
		return []any{fields{"role": "user", "content": blocks}}
	},
	replies: hasRole("assistant"),
}

func always(string, int) bool { return true }

func never(string, int) bool { return false }

// decode reads body into outer, and then the part of it that inner points to into value.
func decode(body []byte, outer any, inner *json.RawMessage, value any) error {
	if err := json.Unmarshal(body, outer); err != nil {
		return err
	}
	return json.Unmarshal(*inner, value)
}

func hasRole(role string) func(json.RawMessage) bool {
	return func(message json.RawMessage) bool {
		var m struct{ Role string }
		return json.Unmarshal(message, &m) == nil && m.Role == role
	}
}
