package preflighteino

import (
	"errors"
	"fmt"
	"strings"

	"github.com/cloudwego/eino/schema"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/adapter"
)

// This file reads and writes whole messages. The parts of one are its reasoning, its content, and
// its calls, in this order; a tool's message is one result, whose parts are the content.

var errNil = errors.New("it is nil")

// unfit returns the error for what the type has no place for.
func unfit(what string) error { return fmt.Errorf("%w: %s", adapter.ErrInexact, what) }

func read(m *schema.Message) (preflight.Message, error) {
	if m == nil {
		return preflight.Message{}, errNil
	}
	out := preflight.Message{Role: preflight.Role(m.Role), Name: m.Name}
	content := readContent(m)
	if m.Role == schema.Tool {
		if len(content) == 0 {
			content = []preflight.Part{&preflight.Text{}}
		}
		out.Parts = []preflight.Part{
			&preflight.ToolResult{CallID: m.ToolCallID, Name: m.ToolName, Content: content},
		}
		return out, nil
	}
	if m.ReasoningContent != "" {
		out.Parts = append(out.Parts, &preflight.Reasoning{Text: m.ReasoningContent})
	}
	out.Parts = append(out.Parts, content...)
	for _, c := range m.ToolCalls {
		out.Parts = append(out.Parts, readCall(c))
	}
	if len(out.Parts) == 0 {
		out.Parts = []preflight.Part{&preflight.Text{}}
	}
	return out, nil
}

func readCall(c schema.ToolCall) *preflight.ToolCall {
	call := &preflight.ToolCall{ID: c.ID, Name: c.Function.Name}
	if c.Function.Arguments != "" {
		call.Input = []byte(c.Function.Arguments)
	}
	return call
}

// callAt returns the call that is part k of a message.
func callAt(m *schema.Message, k int) (schema.ToolCall, bool) {
	if m == nil || m.Role == schema.Tool {
		return schema.ToolCall{}, false
	}
	if k -= contentLen(m); m.ReasoningContent != "" {
		k--
	}
	if k < 0 || k >= len(m.ToolCalls) {
		return schema.ToolCall{}, false
	}
	return m.ToolCalls[k], true
}

// write returns a copy of the message that m was made of, in which the parts are those of m.
func write(
	m preflight.Message,
	from **schema.Message,
	origin adapter.Origin[*schema.Message],
) (*schema.Message, error) {
	out := &schema.Message{}
	if from != nil {
		*out = **from
	}
	out.Role, out.Name = schema.RoleType(m.Role), m.Name
	var extras []map[string]any
	for _, s := range origin.Sources(m.Parts) {
		if from != nil && (*s).Role == out.Role {
			extras = append(extras, (*s).Extra)
		}
	}
	out.Extra = adapter.Union(out.Extra, extras...)
	out.ToolCallID, out.ToolName, out.ReasoningContent, out.ToolCalls = "", "", "", nil
	parts := m.Parts
	if m.Role == preflight.RoleTool {
		r, ok := loneResult(m)
		if !ok {
			return nil, unfit("a tool's message that is not one result")
		}
		out.ToolCallID, out.ToolName, parts = r.CallID, r.Name, r.Content
		if from != nil && (*from).Role == schema.Tool { // what read does not read
			out.ReasoningContent, out.ToolCalls = (*from).ReasoningContent, (*from).ToolCalls
		}
		if len(r.Output) > 0 {
			parts = append(parts[:len(parts):len(parts)], &preflight.Text{Text: string(r.Output)})
		}
	}
	var content, reasoning []preflight.Part
	for _, p := range parts {
		switch p := p.(type) {
		case *preflight.Reasoning:
			if p.Signature == signed {
				content = append(content, p)
			} else {
				reasoning = append(reasoning, p)
			}
		case *preflight.ToolCall:
			c, err := writeCall(p, origin)
			if err != nil {
				return nil, err
			}
			out.ToolCalls = append(out.ToolCalls, c)
		case *preflight.ToolResult:
			return nil, unfit("a tool result in another message than a tool's")
		default:
			content = append(content, p)
		}
	}
	if len(reasoning) > 0 {
		if err := writeReasoning(out, reasoning); err != nil {
			return nil, err
		}
	}
	var was *schema.Message
	if from != nil {
		was = *from
	}
	return out, writeContent(out, was, content, origin)
}

// loneResult returns the only part of a tool's message.
func loneResult(m preflight.Message) (*preflight.ToolResult, bool) {
	if len(m.Parts) != 1 {
		return nil, false
	}
	r, ok := m.Parts[0].(*preflight.ToolResult)
	return r, ok && !r.ProviderExecuted
}

func writeReasoning(m *schema.Message, parts []preflight.Part) error {
	texts := make([]string, len(parts))
	for i, p := range parts {
		r := p.(*preflight.Reasoning)
		if r.Signed() {
			return unfit("signed reasoning")
		}
		texts[i] = r.Text
	}
	m.ReasoningContent = strings.Join(texts, "\n")
	return nil
}

// writeCall returns a call with all that the call had which it was read from.
func writeCall(
	c *preflight.ToolCall,
	origin adapter.Origin[*schema.Message],
) (schema.ToolCall, error) {
	if c.ProviderExecuted || c.Variant != "" || c.Signature != "" {
		return schema.ToolCall{}, unfit("a tool call that is no plain one")
	}
	out := schema.ToolCall{Type: "function"}
	if from, k := origin(c); from != nil {
		if was, ok := callAt(*from, k); ok {
			out = was
		}
	}
	out.ID, out.Function.Name, out.Function.Arguments = c.ID, c.Name, string(c.Input)
	return out, nil
}
