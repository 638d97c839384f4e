package preflightlangchaingo

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/tmc/langchaingo/llms"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/adapter"
)

// This file reads and writes single parts.

// unfit returns the error for what langchaingo has no part for.
func unfit(what string) error { return fmt.Errorf("%w: %s", adapter.ErrInexact, what) }

// readPart returns a part in the neutral words, nil for nil. One of a type that langchaingo does
// not have is left alone.
func readPart(p llms.ContentPart) preflight.Part {
	switch p := p.(type) {
	case nil:
		return nil
	case llms.TextContent:
		return &preflight.Text{Text: p.Text}
	case llms.ImageURLContent:
		return &preflight.Media{Kind: "image", URL: p.URL}
	case llms.BinaryContent:
		return &preflight.Media{
			Kind:      mediaKind(p.MIMEType),
			MediaType: p.MIMEType,
			Data:      base64.StdEncoding.EncodeToString(p.Data),
		}
	case llms.ToolCall:
		return readCall(p)
	case llms.ToolCallResponse:
		return &preflight.ToolResult{
			CallID:  p.ToolCallID,
			Name:    p.Name,
			Content: []preflight.Part{&preflight.Text{Text: p.Content}},
		}
	case llms.CachedContent:
		part := readPart(p.ContentPart)
		if c := preflight.CarriedBy(part); c != nil && p.CacheControl != nil {
			c.Cache = readCache(p.CacheControl)
		}
		return part
	}
	return &preflight.Other{Kind: fmt.Sprintf("%T", p)}
}

func readCall(c llms.ToolCall) preflight.Part {
	call := &preflight.ToolCall{ID: c.ID}
	if f := c.FunctionCall; f != nil {
		call.Name = f.Name
		if f.Arguments != "" {
			call.Input = []byte(f.Arguments)
		}
	}
	return call
}

// mediaKind returns what a MIME type is of.
func mediaKind(mime string) string {
	switch kind, _, _ := strings.Cut(mime, "/"); kind {
	case "image", "audio", "video":
		return kind
	}
	return "document"
}

// writePart is was, the part that p was read from, if that still says the same; otherwise a part
// that says what p says.
func writePart(p preflight.Part, was llms.ContentPart) (llms.ContentPart, error) {
	if was != nil && reflect.DeepEqual(p, readPart(was)) {
		return was, nil
	}
	cached, _ := was.(llms.CachedContent)
	if cached.ContentPart != nil {
		was = cached.ContentPart
	}
	out, err := newPart(p, was)
	if cache := preflight.CarriedBy(p).Cache; err == nil && cache != nil {
		out, err = writeCache(out, cache, cached.CacheControl)
	}
	return out, err
}

func newPart(p preflight.Part, was llms.ContentPart) (llms.ContentPart, error) {
	switch p := p.(type) {
	case *preflight.Text:
		return llms.TextContent{Text: p.Text}, nil
	case *preflight.Media:
		return newMedia(p, was)
	case *preflight.ToolCall:
		return newCall(p, was)
	case *preflight.ToolResult:
		return newResult(p)
	case *preflight.Other:
		if was != nil {
			return was, nil
		}
	}
	return nil, unfit("a part of kind " + preflight.PartKind(p))
}

func newMedia(m *preflight.Media, was llms.ContentPart) (llms.ContentPart, error) {
	switch {
	case m.Data != "":
		data, err := base64.StdEncoding.DecodeString(m.Data)
		return llms.BinaryContent{MIMEType: m.MediaType, Data: data}, err
	case m.URL != "" && m.Kind == "image":
		image, _ := was.(llms.ImageURLContent)
		return llms.ImageURLContent{URL: m.URL, Detail: image.Detail}, nil
	}
	return nil, unfit("media that are neither data nor an image's address")
}

func newCall(c *preflight.ToolCall, was llms.ContentPart) (llms.ContentPart, error) {
	if c.ProviderExecuted || c.Variant != "" || c.Signature != "" {
		return nil, unfit("a tool call that is no plain one")
	}
	out := llms.ToolCall{Type: "function"}
	if call, ok := was.(llms.ToolCall); ok && call.Type != "" {
		out.Type = call.Type
	}
	out.ID, out.FunctionCall = c.ID, &llms.FunctionCall{Name: c.Name, Arguments: string(c.Input)}
	return out, nil
}

func newResult(r *preflight.ToolResult) (llms.ContentPart, error) {
	if r.ProviderExecuted {
		return nil, unfit("the result of a provider's own tool")
	}
	content, ok := resultText(r)
	if !ok {
		return nil, unfit("a tool result that is more than text")
	}
	return llms.ToolCallResponse{ToolCallID: r.CallID, Name: r.Name, Content: content}, nil
}

// resultText returns the text of a result that is nothing else.
func resultText(r *preflight.ToolResult) (string, bool) {
	var texts []string
	for _, p := range r.Content {
		t, ok := p.(*preflight.Text)
		if !ok {
			return "", false
		}
		texts = append(texts, t.Text)
	}
	if len(r.Output) > 0 {
		texts = append(texts, string(r.Output))
	}
	return strings.Join(texts, "\n"), true
}

// breakpoint is a cache breakpoint in the words of Anthropic's API, the only ones there are.
type breakpoint struct {
	Type string `json:"type,omitempty"`
	TTL  string `json:"ttl,omitempty"`
}

func readCache(c *llms.CacheControl) json.RawMessage {
	b := breakpoint{Type: c.Type}
	switch c.Duration {
	case 0:
	case time.Hour:
		b.TTL = "1h"
	case 5 * time.Minute:
		b.TTL = "5m"
	default:
		b.TTL = c.Duration.String()
	}
	out, _ := json.Marshal(b) // two strings
	return out
}

// writeCache puts a breakpoint on a part: the caller's own if it had that one.
func writeCache(
	p llms.ContentPart,
	cache json.RawMessage,
	was *llms.CacheControl,
) (llms.ContentPart, error) {
	if was != nil && bytes.Equal(readCache(was), cache) {
		return llms.WithCacheControl(p, was), nil
	}
	var b breakpoint
	if err := json.Unmarshal(cache, &b); err != nil {
		return nil, err
	}
	control := &llms.CacheControl{Type: b.Type}
	if b.TTL != "" {
		var err error
		if control.Duration, err = time.ParseDuration(b.TTL); err != nil {
			return nil, err
		}
	}
	return llms.WithCacheControl(p, control), nil
}
