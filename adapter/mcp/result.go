package preflightmcp

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"reflect"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/go-preflight/preflight"
)

// This file makes tool results of what a server answers.

// key is that of the metadata that only MCP knows.
const key = "mcp"

// extra is the metadata of a part, or of a result: the members of its block that the part has no
// field for. A block without such members has none.
type extra struct {
	// Type is set where the part does not say it: "resource" for the content of a resource, and
	// "json" for a text that is the JSON of a block.
	Type        string           `json:"type,omitempty"`
	Structured  bool             `json:"structured,omitempty"` // the text is the structured content
	Resource    *resource        `json:"resource,omitempty"`
	Annotations *mcp.Annotations `json:"annotations,omitempty"`
	Meta        mcp.Meta         `json:"_meta,omitempty"`
}

// resource is a resource without its content.
type resource struct {
	URI      string   `json:"uri"`
	MIMEType string   `json:"mimeType,omitempty"`
	Meta     mcp.Meta `json:"_meta,omitempty"`
}

// metadata returns the extra as the metadata of a part; nil for an empty one.
func (e *extra) metadata() (preflight.Metadata, error) {
	if reflect.ValueOf(*e).IsZero() {
		return nil, nil
	}
	raw, err := json.Marshal(e)
	return preflight.Metadata{key: raw}, err
}

// Result makes the result of a call from what a server answered. It shares no memory with it. The
// error is ErrNeedsInput, or that of content that is not JSON.
func Result(
	call *preflight.ToolCall,
	answer *mcp.CallToolResult,
) (*preflight.ToolResult, error) {
	if answer == nil {
		return nil, errors.New("the server has answered nothing")
	}
	if answer.NeedsInput() {
		return nil, ErrNeedsInput
	}
	out := &preflight.ToolResult{IsError: answer.IsError}
	if call != nil {
		out.CallID, out.Name, out.Variant = call.ID, call.Name, call.Variant
	}
	var structured any
	if answer.StructuredContent != nil {
		var err error
		if out.Output, err = json.Marshal(answer.StructuredContent); err != nil {
			return nil, err
		}
		if err := json.Unmarshal(out.Output, &structured); err != nil {
			return nil, err
		}
	}
	for _, c := range answer.Content {
		says := out.Output != nil && saysTheSame(c, structured)
		part, err := partOf(c, says)
		if err != nil {
			return nil, err
		}
		out.Content = append(out.Content, part)
		if says {
			out.Output = nil // the model need not read it twice
		}
	}
	var err error
	out.Meta, err = (&extra{Meta: answer.Meta}).metadata()
	return out, err
}

// saysTheSame reports whether a block is the JSON of a value as text.
func saysTheSame(c mcp.Content, value any) bool {
	text, ok := c.(*mcp.TextContent)
	if !ok || text == nil {
		return false
	}
	var said any
	return json.Unmarshal([]byte(text.Text), &said) == nil && reflect.DeepEqual(said, value)
}

// partOf returns the part for a block of content. structured is whether its text says what the
// structured content says.
func partOf(c mcp.Content, structured bool) (preflight.Part, error) {
	var e extra
	var part preflight.Part
	switch c := c.(type) {
	case *mcp.TextContent:
		if c != nil {
			e = extra{Annotations: c.Annotations, Meta: c.Meta, Structured: structured}
			part = &preflight.Text{Text: c.Text}
		}
	case *mcp.ImageContent:
		if c != nil && len(c.Data) > 0 {
			e = extra{Annotations: c.Annotations, Meta: c.Meta}
			part = media("image", c.MIMEType, c.Data)
		}
	case *mcp.AudioContent:
		if c != nil && len(c.Data) > 0 {
			e = extra{Annotations: c.Annotations, Meta: c.Meta}
			part = media("audio", c.MIMEType, c.Data)
		}
	case *mcp.EmbeddedResource:
		if c != nil && c.Resource != nil {
			r := c.Resource
			e = extra{
				Type: "resource", Annotations: c.Annotations, Meta: c.Meta,
				Resource: &resource{URI: r.URI, MIMEType: r.MIMEType, Meta: r.Meta},
			}
			switch {
			case len(r.Blob) > 0 && r.Text == "":
				part = media(kindOf(r.MIMEType), r.MIMEType, r.Blob)
			case r.Blob == nil && r.Text != "":
				part = &preflight.Text{Text: r.Text}
			}
		}
	}
	if part == nil { // a link, or what no part can hold
		if c == nil || reflect.ValueOf(c).IsZero() {
			return nil, errors.New("the server has answered with content that is nil")
		}
		raw, err := c.MarshalJSON()
		if err != nil {
			return nil, err
		}
		e, part = extra{Type: "json"}, &preflight.Text{Text: string(raw)}
	}
	var err error
	preflight.CarriedBy(part).Meta, err = e.metadata()
	return part, err
}

func media(kind, mediaType string, data []byte) *preflight.Media {
	return &preflight.Media{
		Kind: kind, MediaType: mediaType, Data: base64.StdEncoding.EncodeToString(data),
	}
}

// kindOf returns the kind of a medium by its type.
func kindOf(mediaType string) string {
	switch kind, _, _ := strings.Cut(mediaType, "/"); kind {
	case "image", "audio", "video":
		return kind
	}
	return "document"
}
