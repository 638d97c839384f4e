package wire

import (
	"bytes"
	"encoding/json"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/cachepoint"
	"github.com/go-preflight/preflight/internal/jsonscan"
)

// This file writes the Bedrock Converse format by editing the JSON that messages were decoded
// from.

func encodeBedrock(w *writer, m *preflight.Message) ([][]byte, error) {
	o, message := w.open(m.Native, "bedrock", `{"role":"","content":[]}`)
	message.text("role", string(m.Role))
	o.blocks(message, withCachePoints(m.Parts))
	return o.pieces()
}

func encodeBedrockSystem(native preflight.Native, parts []preflight.Part) ([][]byte, error) {
	return systemList(native, withCachePoints(parts), bedrockBlock)
}

// blocks makes the member content of m a list of parts.
func (o *object) blocks(m *member, parts []preflight.Part) {
	if v := m.v.Get("content"); v.Kind() == jsonscan.Array {
		o.spliceParts(v, parts, bedrockBlock)
	} else {
		m.o.SetPieces("content", o.list(parts, bedrockBlock))
	}
}

// withCachePoints adds a cache point after each part that carries a breakpoint, or holds one
// inside.
func withCachePoints(parts []preflight.Part) []preflight.Part {
	out := make([]preflight.Part, 0, len(parts)+1)
	for _, p := range parts {
		out = append(out, p)
		if cache := breakpointOf(p); cache != nil {
			point := &preflight.Other{Kind: "cachePoint"}
			point.Native = preflight.Native{Format: "bedrock", JSON: cachePoint(cache)}
			out = append(out, point)
		}
	}
	return out
}

// breakpointOf returns the breakpoint of a part. For a tool result without one it is the last one
// inside, where Converse allows none.
func breakpointOf(p preflight.Part) json.RawMessage {
	cache := *cacheOf(p)
	if r, ok := p.(*preflight.ToolResult); ok && cache == nil {
		for _, c := range withoutNil(r.Content) {
			if inner := *cacheOf(c); inner != nil {
				cache = inner
			}
		}
	}
	return cache
}

// cachePoint returns a breakpoint as a block: the decoded one, or one made from another provider's.
func cachePoint(cache json.RawMessage) json.RawMessage {
	if isCachePoint(valueOf(cache)) {
		return cache
	}
	if cachepoint.Long(cache) {
		return json.RawMessage(`{"cachePoint":{"type":"default","ttl":"1h"}}`)
	}
	return json.RawMessage(`{"cachePoint":{"type":"default"}}`)
}

// bedrockBlock writes one part.
func bedrockBlock(p preflight.Part) ([][]byte, error) {
	switch p := p.(type) {
	case *preflight.Text:
		return bedrockText(p)
	case *preflight.Reasoning:
		return writeReasoning(p)
	case *preflight.ToolCall:
		return writeToolUse(p)
	case *preflight.ToolResult:
		return writeToolResult(p)
	case *preflight.Media:
		return writeBedrockMedia(p)
	case *preflight.Other:
		if p.Native.Format == "bedrock" && bytes.HasPrefix(p.Native.JSON, []byte("{")) {
			return onePiece(p.Native.JSON), nil
		}
		return nil, noFormOf(p.Kind)
	}
	return nil, noForm(preflight.PartKind(p))
}

// openBlock starts an edit of the object that a block holds under key: native's, or template's
// where native has none.
func openBlock(native preflight.Native, key, template string) (*object, *member) {
	o, _ := openObject(native, "bedrock", template)
	if o.v.Get(key).Kind() != jsonscan.Object {
		o, _ = openObject(preflight.Native{}, "bedrock", template)
	}
	return o, o.member(o.v.Get(key))
}

func bedrockText(t *preflight.Text) ([][]byte, error) {
	o, block := openObject(t.Native, "bedrock", `{"text":""}`)
	v := o.v.Get("json")
	if !o.v.Has("text") && v.Kind() == jsonscan.Object && string(v.Raw()) == wordsOf(t) {
		return onePiece(o.src), nil
	}
	if !o.v.Has("text") && !o.short {
		return onePiece(wrapped("text", textToken(t))), nil
	}
	o.words(block, t)
	return o.pieces()
}

func writeReasoning(r *preflight.Reasoning) ([][]byte, error) {
	if r.Opaque != "" {
		o, held := openBlock(r.Native, "reasoningContent",
			`{"reasoningContent":{"redactedContent":""}}`)
		held.text("redactedContent", r.Opaque)
		return o.pieces()
	}
	const template = `{"reasoningContent":{"reasoningText":{"text":""}}}`
	o, held := openBlock(r.Native, "reasoningContent", template)
	text := held.v.Get("reasoningText")
	if text.Kind() != jsonscan.Object {
		o, held = openBlock(preflight.Native{}, "reasoningContent", template)
		text = held.v.Get("reasoningText")
	}
	inner := o.member(text)
	inner.thoughts("text", r)
	inner.textOrNone("signature", r.Signature)
	return o.pieces()
}

// errMCP is the error for a call of an MCP server that was not decoded from the format.
var errMCP = noForm("tool_call of an MCP server")

func writeToolUse(c *preflight.ToolCall) ([][]byte, error) {
	if c.ProviderExecuted && c.Variant == mcpVariant && c.Native.Format != "bedrock" {
		return nil, errMCP
	}
	o, held := openBlock(c.Native, "toolUse", `{"toolUse":{"toolUseId":"","name":"","input":{}}}`)
	held.text("toolUseId", c.ID)
	held.text("name", c.Name)
	held.input(c)
	if c.ProviderExecuted {
		held.text("type", serverVariant)
	} else if held.v.Get("type").StrIs(serverVariant) {
		held.drop("type")
	}
	return o.pieces()
}

func writeToolResult(r *preflight.ToolResult) ([][]byte, error) {
	o, held := openBlock(r.Native, "toolResult", `{"toolResult":{"toolUseId":"","content":[]}}`)
	held.text("toolUseId", r.CallID)
	o.blocks(held, resultBlocks(r))
	if was := held.v.Get("status").StrIs("error"); was != r.IsError {
		if held.drop("status"); r.IsError {
			held.text("status", "error")
		}
	}
	if r.ProviderExecuted && r.Variant != "" {
		held.text("type", r.Variant)
	}
	return o.pieces()
}

// resultBlocks returns the content of a result: its parts, followed by its output, as a JSON block
// if that is an object.
func resultBlocks(r *preflight.ToolResult) []preflight.Part {
	parts := contentOf(r)
	if v := valueOf(r.Output); v.Kind() == jsonscan.Object {
		output := jsonscan.Unrepeated(v)
		t := &preflight.Text{Text: string(output)}
		t.Native = preflight.Native{Format: "bedrock", JSON: wrapped("json", output)}
		parts[len(parts)-1] = t
	}
	return parts
}

func writeBedrockMedia(m *preflight.Media) ([][]byte, error) {
	key := mediaKind(m)
	if key != "image" && key != "video" && key != "audio" {
		key = "document"
	}
	mediaType, data := inlineData(m)
	if data == "" && m.URL != "" {
		return nil, noForm(key + " by address")
	}
	template := `{"` + key + `":{"format":"","source":{}}}`
	if mediaType == "" && m.Native.Format != "bedrock" {
		mediaType = typeOfData(key, data)
		switch {
		case mediaType != "":
		case key == "document": // the only kind whose format may be left out
			template = `{"document":{"source":{}}}`
		default:
			return nil, noForm(key + " without a media type")
		}
	}
	o, held := openBlock(m.Native, key, template)
	if mediaType != "" && mediaTypeOf(key, held.v.Get("format").Str()) != mediaType {
		held.text("format", mediaFormat(mediaType))
	}
	if key == "document" {
		held.text("name", m.Name)
	}
	v := held.v.Get("source")
	switch {
	case data != "" && v.Kind() == jsonscan.Object:
		source := o.member(v)
		source.text("bytes", data)
		source.drop("s3Location")
	case data != "":
		held.o.SetMember("source", []byte(`{"bytes":`+string(quoted(data))+`}`))
	case m.FileID != "" && !v.Get("s3Location").Get("uri").StrIs(m.FileID):
		held.o.SetMember("source", []byte(`{"s3Location":{"uri":`+string(quoted(m.FileID))+`}}`))
	}
	return o.pieces()
}
