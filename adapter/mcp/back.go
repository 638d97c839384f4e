package preflightmcp

import (
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/adapter"
)

// This file makes what a server answers of tool results.

// unfit returns the error for what MCP has no place for.
func unfit(what string) error { return fmt.Errorf("%w: %s", adapter.ErrInexact, what) }

// block is the JSON of a block of content.
type block struct {
	Type        string           `json:"type"`
	Text        *string          `json:"text,omitempty"`
	MIMEType    string           `json:"mimeType,omitempty"`
	Data        string           `json:"data,omitempty"`
	Resource    any              `json:"resource,omitempty"`
	URI         string           `json:"uri,omitempty"`
	Name        string           `json:"name,omitempty"`
	Annotations *mcp.Annotations `json:"annotations,omitempty"`
	Meta        mcp.Meta         `json:"_meta,omitempty"`
}

// CallToolResult makes what a server answers of a result: what Result was given, as far as the
// result still says it. Structured content is a json.RawMessage. Results from elsewhere can be
// converted, too: text, images and audio, addresses of files, and an output. Where MCP has no place
// for something, such as a file without an address, the error satisfies errors.Is with
// adapter.ErrInexact.
func CallToolResult(result *preflight.ToolResult) (*mcp.CallToolResult, error) {
	if result == nil {
		return nil, unfit("no result")
	}
	answer := struct {
		Content []json.RawMessage `json:"content"`
		IsError bool              `json:"isError"`
		Meta    mcp.Meta          `json:"_meta,omitempty"`
	}{[]json.RawMessage{}, result.IsError, extraOf(result).Meta}
	structured := result.Output
	for _, p := range result.Content {
		raw, err := blockOf(p)
		if err != nil {
			return nil, err
		}
		answer.Content = append(answer.Content, raw)
		text, ok := p.(*preflight.Text)
		if ok && len(structured) == 0 && extraOf(p).Structured && json.Valid([]byte(text.Text)) {
			structured = json.RawMessage(text.Text)
		}
	}
	raw, err := json.Marshal(answer)
	if err != nil {
		return nil, err
	}
	out := &mcp.CallToolResult{}
	if err := json.Unmarshal(raw, out); err != nil {
		return nil, unfit(err.Error())
	}
	if len(structured) > 0 {
		if !json.Valid(structured) {
			return nil, unfit("an output that is not JSON")
		}
		out.StructuredContent = structured
	}
	return out, nil
}

// extraOf returns the metadata that partOf left.
func extraOf(p preflight.Part) (e extra) {
	if c := preflight.CarriedBy(p); c != nil && len(c.Meta[key]) > 0 {
		_ = json.Unmarshal(c.Meta[key], &e) // what cannot be read is not from here
	}
	return e
}

// blockOf returns the JSON of the block for a part.
func blockOf(p preflight.Part) (json.RawMessage, error) {
	e := extraOf(p)
	b := block{Annotations: e.Annotations, Meta: e.Meta}
	switch p := p.(type) {
	case *preflight.Text:
		if raw := json.RawMessage(p.Text); e.Type == "json" && isBlock(raw) {
			return raw, nil
		}
		b.Type, b.Text = "text", &p.Text
		if e.Resource != nil {
			b.Type, b.Text, b.Resource = "resource", nil, withContent{*e.Resource, p.Text, ""}
		}
	case *preflight.Media:
		switch {
		case p.FileID != "":
			return nil, unfit("a file that a provider stores")
		case p.Data == "":
			b.Type, b.URI, b.Name, b.MIMEType = "resource_link", p.URL, p.Name, p.MediaType
			if b.Name == "" {
				b.Name = p.URL
			}
		case e.Resource != nil:
			of := *e.Resource
			of.MIMEType = p.MediaType
			b.Type, b.Resource = "resource", withContent{of, "", p.Data}
		case p.Kind == "image" || p.Kind == "audio":
			b.Type, b.Data, b.MIMEType = p.Kind, p.Data, p.MediaType
		default:
			return nil, unfit("a file without an address")
		}
	default:
		return nil, unfit("content of kind " + preflight.PartKind(p))
	}
	return json.Marshal(b)
}

// withContent is a resource with its content.
type withContent struct {
	resource
	Text string `json:"text,omitempty"`
	Blob string `json:"blob,omitempty"`
}

// isBlock reports whether a text still is the JSON of a block.
func isBlock(raw json.RawMessage) bool {
	if !json.Valid(raw) {
		return false
	}
	body, err := json.Marshal(map[string]any{"content": []any{raw}})
	return err == nil && json.Unmarshal(body, &mcp.CallToolResult{}) == nil
}
