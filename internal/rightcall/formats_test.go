package rightcall_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
)

// This file writes the histories of TestRightCall as request bodies, and reads the repaired ones.

// rightFormat is a format of TestRightCall.
type rightFormat struct {
	name, provider, model string
	noIDs                 bool // the histories have no ids
	write                 func(h []spoken) []byte
	read                  func(t *testing.T, body []byte) []spoken
}

var rightFormats = []rightFormat{
	{"anthropic", "anthropic", "claude-sonnet-4-5", false, writeAnthropic, readAnthropic},
	{"bedrock", "bedrock", "", false, writeBedrock, readBedrock},
	{"openai-chat", "openai-chat", "gpt-4.1", false, writeChat, readChat},
	{"mistral", "mistral", "mistral-large-latest", false, writeChat, readChat},
	{"openai-responses", "openai-responses", "gpt-4.1", false, writeResponses, readResponses},
	{"gemini, ids", "gemini", "gemini-2.5-pro", false, writeGemini, readGemini},
	{"gemini", "gemini", "gemini-2.5-pro", true, writeGemini, readGemini},
	{"chat-template", "chat-template", "llama-3.1", true, writeChat, readChat},
}

type object = map[string]any

func marshal(o object) []byte {
	b, err := json.Marshal(o)
	if err != nil {
		panic(err)
	}
	return b
}

// neutralOf and spokenOf are for messages of preflight.
func neutralOf(h []spoken) []preflight.Message {
	var out []preflight.Message
	for _, m := range h {
		n := preflight.Message{Role: preflight.Role(m.role)}
		if m.words != "" {
			n.Parts = append(n.Parts, &preflight.Text{Text: m.words})
		}
		for _, c := range m.calls {
			n.Parts = append(n.Parts, &preflight.ToolCall{
				ID: c.id, Name: c.name, Input: []byte(c.arguments()),
			})
		}
		for _, r := range m.results {
			n.Parts = append(n.Parts, &preflight.ToolResult{
				CallID: r.id, Name: r.name, Content: []preflight.Part{&preflight.Text{Text: r.text()}},
			})
		}
		out = append(out, n)
	}
	return out
}

func spokenOf(h []preflight.Message) []spoken {
	var out []spoken
	for _, m := range h {
		n := spoken{role: string(m.Role)}
		for _, p := range m.Parts {
			switch p := p.(type) {
			case *preflight.ToolCall:
				n.calls = append(n.calls, asked{numbers(string(p.Input))[0], p.ID, p.Name})
			case *preflight.ToolResult:
				text := ""
				for _, c := range p.Content {
					if x, ok := c.(*preflight.Text); ok {
						text += x.Text
					}
				}
				n.results = append(n.results, told{numbers(text), p.CallID, p.Name})
			}
		}
		out = append(out, n)
	}
	return out
}

func toolsOf(declare func(name string) any) []any {
	return []any{declare("ls"), declare("cat"), declare("pay")}
}

func writeAnthropic(h []spoken) []byte {
	var messages []any
	for _, m := range h {
		var content []any
		if m.words != "" {
			content = append(content, object{"type": "text", "text": m.words})
		}
		for _, c := range m.calls {
			content = append(content, object{"type": "tool_use", "id": c.id, "name": c.name,
				"input": json.RawMessage(c.arguments())})
		}
		for _, r := range m.results {
			content = append(content, object{"type": "tool_result", "tool_use_id": r.id,
				"content": r.text()})
		}
		role := m.role
		if role == "tool" {
			role = "user"
		}
		messages = append(messages, object{"role": role, "content": content})
	}
	return marshal(object{"model": "claude-sonnet-4-5", "max_tokens": 9, "messages": messages,
		"tools": toolsOf(func(name string) any {
			return object{"name": name, "input_schema": object{"type": "object"}}
		})})
}

// block is a part of content in the formats of Anthropic, Bedrock and Gemini.
type block struct {
	Type      string          `json:"type"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	ToolUseID string          `json:"tool_use_id"`
	Input     json.RawMessage `json:"input"`
	Content   json.RawMessage `json:"content"`
	ToolUse   *struct {
		ID    string          `json:"toolUseId"`
		Name  string          `json:"name"`
		Input json.RawMessage `json:"input"`
	} `json:"toolUse"`
	ToolResult *struct {
		ID      string          `json:"toolUseId"`
		Content json.RawMessage `json:"content"`
	} `json:"toolResult"`
	FunctionCall *struct {
		ID   string          `json:"id"`
		Name string          `json:"name"`
		Args json.RawMessage `json:"args"`
	} `json:"functionCall"`
	FunctionResponse *struct {
		ID       string          `json:"id"`
		Name     string          `json:"name"`
		Response json.RawMessage `json:"response"`
	} `json:"functionResponse"`
}

// add adds what a block holds to a message.
func (b block) add(m *spoken) {
	switch {
	case b.Type == "tool_use":
		m.calls = append(m.calls, asked{numbers(string(b.Input))[0], b.ID, b.Name})
	case b.Type == "tool_result":
		m.results = append(m.results, told{numbers(string(b.Content)), b.ToolUseID, ""})
	case b.ToolUse != nil:
		m.calls = append(m.calls, asked{numbers(string(b.ToolUse.Input))[0], b.ToolUse.ID,
			b.ToolUse.Name})
	case b.ToolResult != nil:
		m.results = append(m.results, told{numbers(string(b.ToolResult.Content)), b.ToolResult.ID, ""})
	case b.FunctionCall != nil:
		m.calls = append(m.calls, asked{numbers(string(b.FunctionCall.Args))[0], b.FunctionCall.ID,
			b.FunctionCall.Name})
	case b.FunctionResponse != nil:
		m.results = append(m.results, told{numbers(string(b.FunctionResponse.Response)),
			b.FunctionResponse.ID, b.FunctionResponse.Name})
	}
}

func readAnthropic(t *testing.T, body []byte) []spoken {
	var request struct {
		Messages []struct {
			Role    string
			Content json.RawMessage
		}
	}
	require.NoError(t, json.Unmarshal(body, &request))
	var out []spoken
	for _, m := range request.Messages {
		n := spoken{role: m.Role}
		var blocks []block
		if json.Unmarshal(m.Content, &blocks) == nil { // else a text
			for _, b := range blocks {
				b.add(&n)
			}
		}
		out = append(out, n)
	}
	return out
}

func writeBedrock(h []spoken) []byte {
	var messages []any
	for _, m := range h {
		var content []any
		if m.words != "" {
			content = append(content, object{"text": m.words})
		}
		for _, c := range m.calls {
			content = append(content, object{"toolUse": object{"toolUseId": c.id, "name": c.name,
				"input": json.RawMessage(c.arguments())}})
		}
		for _, r := range m.results {
			content = append(content, object{"toolResult": object{"toolUseId": r.id,
				"content": []any{object{"text": r.text()}}}})
		}
		role := m.role
		if role == "tool" {
			role = "user"
		}
		messages = append(messages, object{"role": role, "content": content})
	}
	return marshal(object{"messages": messages, "toolConfig": object{
		"tools": toolsOf(func(name string) any {
			return object{"toolSpec": object{"name": name,
				"inputSchema": object{"json": object{"type": "object"}}}}
		})}})
}

func readBedrock(t *testing.T, body []byte) []spoken { return readAnthropic(t, body) }

func writeGemini(h []spoken) []byte {
	var contents []any
	withID := func(o object, id string) object {
		if id != "" {
			o["id"] = id
		}
		return o
	}
	for i, m := range h {
		var parts []any
		if m.words != "" {
			parts = append(parts, object{"text": m.words})
		}
		for _, c := range m.calls {
			parts = append(parts, object{"functionCall": withID(object{"name": c.name,
				"args": json.RawMessage(c.arguments())}, c.id)})
		}
		for _, r := range m.results {
			parts = append(parts, object{"functionResponse": withID(object{"name": r.name,
				"response": object{"output": r.text()}}, r.id)})
		}
		role := map[string]string{"assistant": "model"}[m.role]
		if role == "" {
			role = "user"
		}
		if m.role == "tool" && i > 0 && h[i-1].role == "tool" {
			last := contents[len(contents)-1].(object)
			last["parts"] = append(last["parts"].([]any), parts...)
			continue
		}
		contents = append(contents, object{"role": role, "parts": parts})
	}
	return marshal(object{"contents": contents, "tools": []any{object{
		"functionDeclarations": toolsOf(func(name string) any { return object{"name": name} })}}})
}

func readGemini(t *testing.T, body []byte) []spoken {
	var request struct {
		Contents []struct {
			Role  string
			Parts []block
		}
	}
	require.NoError(t, json.Unmarshal(body, &request))
	var out []spoken
	for _, m := range request.Contents {
		n := spoken{role: m.Role}
		for _, b := range m.Parts {
			b.add(&n)
		}
		out = append(out, n)
	}
	return out
}

func writeChat(h []spoken) []byte { return writeToolCalls(h, false) }

func writeOllama(h []spoken) []byte { return writeToolCalls(h, true) }

func writeToolCalls(h []spoken, ollama bool) []byte {
	var messages []any
	for _, m := range h {
		n := object{"role": m.role, "content": m.words}
		var calls []any
		for _, c := range m.calls {
			call := object{"type": "function",
				"function": object{"name": c.name, "arguments": c.arguments()}}
			if ollama {
				call = object{"function": object{"name": c.name,
					"arguments": json.RawMessage(c.arguments())}}
			} else if c.id != "" {
				call["id"] = c.id
			}
			calls = append(calls, call)
		}
		if calls != nil {
			n["tool_calls"] = calls
		}
		for _, r := range m.results {
			n["content"] = r.text()
			if ollama {
				n["tool_name"] = r.name
			} else if r.id != "" {
				n["tool_call_id"] = r.id
			}
		}
		messages = append(messages, n)
	}
	return marshal(object{"model": "m", "messages": messages, "tools": toolsOf(func(name string) any {
		return object{"type": "function", "function": object{"name": name,
			"parameters": object{"type": "object"}}}
	})})
}

func readChat(t *testing.T, body []byte) []spoken {
	var request struct {
		Messages []struct {
			Role, Name string
			ToolName   string `json:"tool_name"`
			ToolCallID string `json:"tool_call_id"`
			Content    json.RawMessage
			ToolCalls  []struct {
				ID       string
				Function struct {
					Name      string
					Arguments json.RawMessage
				}
			} `json:"tool_calls"`
		}
	}
	require.NoError(t, json.Unmarshal(body, &request))
	var out []spoken
	for _, m := range request.Messages {
		n := spoken{role: m.Role}
		for _, c := range m.ToolCalls {
			n.calls = append(n.calls, asked{numbers(string(c.Function.Arguments))[0], c.ID,
				c.Function.Name})
		}
		if m.Role == "tool" {
			n.results = append(n.results, told{numbers(string(m.Content)), m.ToolCallID, m.ToolName})
		}
		out = append(out, n)
	}
	return out
}

func writeResponses(h []spoken) []byte {
	var input []any
	for _, m := range h {
		if m.words != "" {
			input = append(input, object{"role": m.role, "content": m.words})
		}
		for _, c := range m.calls {
			input = append(input, object{"type": "function_call", "call_id": c.id, "name": c.name,
				"arguments": c.arguments()})
		}
		for _, r := range m.results {
			input = append(input, object{"type": "function_call_output", "call_id": r.id,
				"output": r.text()})
		}
	}
	return marshal(object{"model": "gpt-4.1", "input": input, "tools": toolsOf(func(name string) any {
		return object{"type": "function", "name": name, "parameters": object{"type": "object"}}
	})})
}

func readResponses(t *testing.T, body []byte) []spoken {
	var request struct {
		Input []struct {
			Type, Role, Name, Arguments string
			CallID                      string `json:"call_id"`
			Output                      json.RawMessage
		}
	}
	require.NoError(t, json.Unmarshal(body, &request))
	var out []spoken
	for _, m := range request.Input {
		switch {
		case m.Type == "function_call":
			c := asked{numbers(m.Arguments)[0], m.CallID, m.Name}
			if k := len(out) - 1; k >= 0 && len(out[k].calls) > 0 {
				out[k].calls = append(out[k].calls, c)
			} else {
				out = append(out, spoken{role: "assistant", calls: []asked{c}})
			}
		case m.Type == "function_call_output":
			out = append(out, spoken{role: "tool", results: []told{{numbers(string(m.Output)), m.CallID,
				""}}})
		default:
			out = append(out, spoken{role: m.Role})
		}
	}
	return out
}
