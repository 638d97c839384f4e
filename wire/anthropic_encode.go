package wire

import (
	"slices"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file writes the Anthropic Messages format by editing the JSON that messages were decoded
// from.

func encodeAnthropic(
	w *writer, m *preflight.Message, refused *jsonscan.Names,
) ([][]byte, error) {
	o, message := w.open(m.Native, "anthropic", `{"role":""}`)
	message.drop(refused.List()...)
	message.text("role", string(m.Role))
	parts := m.Parts
	if k := slices.IndexFunc(parts, isDirective); k >= 0 {
		if m.Role != preflight.RoleSystem {
			return nil, noForm(directiveKind)
		}
		message.raw(directiveKind, nativeOf(parts[k]).JSON)
		parts = slices.DeleteFunc(slices.Clone(parts), isDirective)
		if len(parts) == 0 && !message.v.Has("content") {
			message.raw("content", []byte("[]"))
		}
	} else if isSystemRole(preflight.Role(message.v.Get("role").Str())) {
		message.drop(directiveKind)
	}
	if t := plainText(parts); t != nil && isEmptyText(t) {
		// an empty string is read as no content
		message.raw("content", slices.Concat(o.list(parts, w.anthropicBlock)...))
	} else {
		o.content(message, "content", parts, w.anthropicBlock)
	}
	return o.pieces()
}

// isDirective reports whether a part is a member of its message. A block would have a type.
func isDirective(p preflight.Part) bool {
	other, ok := p.(*preflight.Other)
	if !ok || other.Kind != directiveKind {
		return false
	}
	block := valueOf(other.Native.JSON)
	return block.Exists() && !block.Has("type")
}

// encodeAnthropicSystem writes the system member, as a string where that is possible.
func encodeAnthropicSystem(native preflight.Native, parts []preflight.Part) ([][]byte, error) {
	if t := plainText(parts); t != nil && (len(native.JSON) == 0 || native.JSON[0] == '"') {
		return onePiece(textToken(t)), nil
	}
	var w *writer // the member is no message
	return systemList(native, parts, w.anthropicBlock)
}

// anthropicBlock writes one part.
func (w *writer) anthropicBlock(p preflight.Part) ([][]byte, error) {
	if native := nativeOf(p).JSON; len(native) > 0 && native[0] == '{' && w.unchanged(p) {
		return onePiece(native), nil
	}
	switch p := p.(type) {
	case *preflight.Text:
		return anthropicText(w, p)
	case *preflight.Reasoning:
		return anthropicThinking(w, p)
	case *preflight.ToolCall:
		return anthropicCall(w, p)
	case *preflight.ToolResult:
		if p.ProviderExecuted {
			return anthropicServerResult(w, p)
		}
		return anthropicToolResult(w, p)
	case *preflight.Media:
		return writeAnthropicMedia(p)
	case *preflight.Other:
		return otherBlock(p, "anthropic")
	}
	return nil, noForm(preflight.PartKind(p))
}

func anthropicText(w *writer, t *preflight.Text) ([][]byte, error) {
	o, block := w.open(t.Native, "anthropic", `{"type":"text","text":""}`, "text")
	block.text("type", "text")
	o.words(block, t)
	block.drop(anthropicBlockExtras.List()...)
	block.cache(t.Cache)
	return o.pieces()
}

func anthropicThinking(w *writer, r *preflight.Reasoning) ([][]byte, error) {
	if r.Opaque != "" {
		o, block := w.open(r.Native, "anthropic", `{"type":"redacted_thinking","data":""}`,
			"redacted_thinking")
		block.text("data", r.Opaque)
		block.cache(r.Cache)
		return o.pieces()
	}
	o, block := w.open(r.Native, "anthropic",
		`{"type":"thinking","thinking":"","signature":""}`, "thinking")
	block.thoughts("thinking", r)
	block.textOrNone("signature", r.Signature)
	block.cache(r.Cache)
	return o.pieces()
}

func anthropicCall(w *writer, c *preflight.ToolCall) ([][]byte, error) {
	kind := "tool_use"
	if c.ProviderExecuted {
		if kind = "server_tool_use"; c.Variant == mcpVariant {
			kind = "mcp_tool_use"
		}
	}
	if c.Variant == mcpVariant && c.ProviderExecuted && c.Native.Format != "anthropic" {
		return nil, errMCP // it names the server
	}
	o, block := w.open(c.Native, "anthropic",
		`{"type":"`+kind+`","id":"","name":"","input":{}}`, kind)
	block.text("type", kind)
	block.text("id", c.ID)
	block.text("name", c.Name)
	block.input(c)
	if !c.ProviderExecuted {
		block.drop(anthropicBlockExtras.List()...)
	}
	block.cache(c.Cache)
	return o.pieces()
}

// withoutNullCaller takes the member caller off a call where it is null.
func withoutNullCaller(p preflight.Part) preflight.Part {
	c, ok := p.(*preflight.ToolCall)
	if !ok {
		return p
	}
	v := valueOf(c.Native.JSON)
	if v.Kind() != jsonscan.Object || !isNullMember(v, "caller") {
		return p
	}
	without := *c
	without.Native.JSON = withoutMember(c.Native.JSON, "caller")
	return &without
}

// withoutCitations takes the member citations off a result of code execution.
func withoutCitations(p preflight.Part) preflight.Part {
	r, ok := p.(*preflight.ToolResult)
	if !ok || !isExecutionResult(r.Variant) {
		return p
	}
	v := valueOf(r.Native.JSON)
	if v.Kind() != jsonscan.Object || !v.Has("citations") {
		return p
	}
	without := *r
	without.Native.JSON = withoutMember(r.Native.JSON, "citations")
	return &without
}

func isNullMember(v jsonscan.Value, name string) bool {
	return v.Get(name).Kind() == jsonscan.Null
}

// input makes the member input the arguments of a call: an object.
func (m *member) input(c *preflight.ToolCall) {
	switch {
	case c.Variant == customVariant: // another format's free text
		m.raw("input", functionCall(c).Input)
	case len(c.Input) > 0:
		m.raw("input", c.Input)
	case !m.v.Has("input"):
		m.raw("input", []byte("{}"))
	}
}

func anthropicToolResult(w *writer, r *preflight.ToolResult) ([][]byte, error) {
	o, block := w.open(r.Native, "anthropic", `{"type":"tool_result","tool_use_id":""}`,
		"tool_result")
	block.text("type", "tool_result")
	block.text("tool_use_id", r.CallID)
	content := block.v.Get("content")
	stray := content.Kind() > jsonscan.String && content.Kind() != jsonscan.Null
	switch parts := contentOf(r); {
	case content.Exists() && w.keepsContent(r):
	case len(parts) > 0:
		o.content(block, "content", parts, w.anthropicBlock)
	case content.Len() > 0, content.Kind() == jsonscan.String && !content.StrIs(""), stray:
		block.drop("content")
	}
	block.flag("is_error", r.IsError)
	block.drop(anthropicBlockExtras.List()...)
	block.cache(r.Cache)
	return o.pieces()
}

func anthropicServerResult(w *writer, r *preflight.ToolResult) ([][]byte, error) {
	kind := r.Variant
	switch {
	case kind == mcpVariant:
		kind = "mcp_tool_result"
	case !strings.HasSuffix(kind, "_tool_result"):
		kind = serverResultType(r.Name)
	}
	o, block := w.open(r.Native, "anthropic",
		`{"type":`+string(quoted(kind))+`,"tool_use_id":""}`, kind)
	block.text("tool_use_id", r.CallID)
	if len(r.Output) > 0 {
		block.raw("content", unrepeated(r.Output))
	} else if content := withoutNil(r.Content); len(content) > 0 {
		o.content(block, "content", content, w.anthropicBlock)
	}
	if kind == "mcp_tool_result" {
		block.flag("is_error", r.IsError)
	}
	block.cache(r.Cache)
	return o.pieces()
}

// serverResultType returns the type of the result of a tool that Anthropic runs.
func serverResultType(tool string) string {
	const search = "tool_search_tool"
	if strings.HasPrefix(tool, search) {
		return search + "_result"
	}
	return tool + "_tool_result"
}

// nameServerResults gives results of tools that Anthropic runs the name of their tool, which the
// type of their block is made of. One that was decoded has its type.
func nameServerResults(messages []preflight.Message) []preflight.Message {
	var names map[string]string
	return withParts(messages, func(p preflight.Part) preflight.Part {
		switch p := p.(type) {
		case *preflight.ToolCall:
			if p.ProviderExecuted {
				if names == nil {
					names = make(map[string]string)
				}
				names[p.ID] = p.Name
			}
		case *preflight.ToolResult:
			name := names[p.CallID]
			if !p.ProviderExecuted || name == "" || len(p.Native.JSON) > 0 || p.Name == name {
				return p
			}
			named := *p
			named.Name = name
			return &named
		}
		return p
	})
}

func writeAnthropicMedia(m *preflight.Media) ([][]byte, error) {
	kind := mediaKind(m)
	if kind != "image" {
		kind = "document"
	}
	o, block := openObject(m.Native, "anthropic", `{"type":"`+kind+`","source":{}}`, kind)
	block.text("type", kind)
	if v := block.v.Get("source"); v.Kind() == jsonscan.Object {
		source := o.member(v)
		mediaType, data := inlineData(m)
		if mediaType == "" && m.Native.Format != "anthropic" {
			mediaType = typeOfData(kind, data)
		}
		switch {
		case data != "":
			source.text("type", "base64")
			source.optional("media_type", mediaType)
			source.text("data", data)
			source.drop("url", "file_id")
		case m.URL != "":
			source.text("type", "url")
			source.text("url", m.URL)
			source.drop("media_type", "data", "file_id")
		case m.FileID != "":
			source.text("type", "file")
			source.text("file_id", m.FileID)
			source.drop("media_type", "data", "url")
		}
	}
	if kind == "document" {
		block.optional("title", m.Name)
	}
	block.drop(anthropicBlockExtras.List()...)
	block.cache(m.Cache)
	return o.pieces()
}
