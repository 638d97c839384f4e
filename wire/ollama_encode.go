package wire

import (
	"bytes"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file writes Ollama's format by editing the JSON that messages were decoded from.

func encodeOllama(w *writer, m *preflight.Message) ([][]byte, error) {
	native, parts := m.Native, m.Parts
	result := onlyResult(m)
	if result != nil {
		parts = contentOf(result)
		if len(result.Native.JSON) > 0 {
			native = result.Native
		}
	}
	o, message := w.open(native, ollamaName, `{"role":"","content":""}`)
	message.text("role", string(m.Role))
	if result != nil {
		encodeOllamaResult(message, result)
	}
	var p ollamaParts
	if err := p.sort(parts); err != nil {
		return nil, err
	}
	p.write(o, message, callsTools(m.Role))
	return o.pieces()
}

// encodeOllamaResult writes which call a result answers.
func encodeOllamaResult(message *member, r *preflight.ToolResult) {
	switch {
	case isMadeID(r.CallID):
		message.drop("tool_call_id")
	case !foundByName(r):
		message.text("tool_call_id", r.CallID)
	}
	message.textOrNone("tool_name", r.Name)
}

// ollamaParts are the parts of a message by the member that holds them.
type ollamaParts struct {
	texts, images, calls []preflight.Part
	thinking             []string
}

func (s *ollamaParts) sort(parts []preflight.Part) error {
	for _, p := range parts {
		switch p := p.(type) {
		case *preflight.Text:
			s.texts = append(s.texts, p)
		case *preflight.Reasoning:
			if isOpaque(p) {
				return errOpaque
			}
			if !isWordless(p) {
				s.thinking = append(s.thinking, thoughtsOf(p))
			}
		case *preflight.ToolCall:
			s.calls = append(s.calls, p)
		case *preflight.Media:
			if inlineImage(p) == "" && p.Native.Format != ollamaName {
				return noFormOf(p.Kind)
			}
			s.images = append(s.images, p)
		case *preflight.Other:
			return noFormOf(p.Kind)
		default:
			return noForm(preflight.PartKind(p))
		}
	}
	return nil
}

func (s *ollamaParts) write(o *object, message *member, assistant bool) {
	if v := message.v.Get("content"); len(s.texts) > 0 || v.Exists() && v.Kind() != jsonscan.Null {
		message.text("content", joinTexts(s.texts))
	}
	o.partList(message, "images", s.images, ollamaImage)
	if !assistant {
		return
	}
	thinking := strings.Join(s.thinking, "\n")
	if thinking != "" || message.v.Get("thinking").Str() != "" {
		message.text("thinking", thinking)
	}
	o.partList(message, "tool_calls", s.calls, ollamaCallBlock)
}

func ollamaImage(p preflight.Part) ([][]byte, error) {
	m, _ := p.(*preflight.Media)
	if n := m.Native; n.Format == ollamaName && valueOf(n.JSON).StrIs(m.Data) {
		return onePiece(n.JSON), nil
	}
	return onePiece(quoted(inlineImage(m))), nil
}

func ollamaCallBlock(p preflight.Part) ([][]byte, error) {
	c, _ := p.(*preflight.ToolCall)
	if c.Variant == customVariant {
		c = functionCall(c)
	}
	o, call := openObject(c.Native, ollamaName, `{"function":{"name":"","arguments":{}}}`)
	if !isMadeID(c.ID) {
		call.text("id", c.ID)
	}
	input := c.Input
	if !valueOf(input).Exists() {
		input = noArguments
	}
	v := call.v.Get("function")
	if v.Kind() != jsonscan.Object { // the members are one level too high
		call.o.SetMember("function",
			[]byte(`{"name":`+string(quoted(c.Name))+`,"arguments":`+string(input)+`}`))
		if call.drop("name"); topLevelArguments(call.v) != nil {
			call.drop("arguments")
		}
		return o.pieces()
	}
	function := o.member(v)
	function.text("name", c.Name)
	missing := v.Get("arguments").Kind() == jsonscan.Null || !v.Has("arguments")
	if !missing || !bytes.Equal(input, noArguments) {
		function.raw("arguments", input)
	}
	return o.pieces()
}
