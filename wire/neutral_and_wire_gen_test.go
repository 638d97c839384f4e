package wire_test

import (
	"encoding/json"
	"slices"

	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighttest/histgen"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/wire"
)

// This file makes histories in memory, to hold the neutral rules against those of the wire: sound
// ones and damaged ones, of the provider's own kind or of another's, and parts in any form.

// drawHistory draws a history of parts that the format has a form for.
func (a agreement) drawHistory(t *rapid.T) []preflight.Message {
	of, options := a.profile, &preflight.Options{Request: a.request}
	switch rapid.IntRange(0, 3).Draw(t, "of") {
	case 0:
		other := rapid.SampledFrom(wire.Providers()).Draw(t, "other")
		of, _ = provider.ByName(other, "")
	case 1:
		of = provider.Portable()
	}
	var history []preflight.Message
	switch rapid.IntRange(0, 3).Draw(t, "kind") {
	case 0:
		history = histgen.Valid(of, options).Draw(t, "sound")
	case 1:
		history = histgen.Any(of, options).Draw(t, "any")
	default:
		history = rapid.SliceOfN(rapid.Custom(drawMessage), 1, 6).Draw(t, "messages")
	}
	return a.withForm(history)
}

// withForm returns history without the parts that only the format they are from can write: those of
// unknown kinds, and opaque reasoning where the format has none. Tools that the provider runs are
// some that a provider has.
func (a agreement) withForm(history []preflight.Message) []preflight.Message {
	opaque := slices.Contains([]string{"anthropic", "bedrock", "openai-responses"},
		formatOf(a.profile))
	formless := func(p preflight.Part) bool {
		switch p := p.(type) {
		case *preflight.Other:
			return true
		case *preflight.Reasoning:
			return !opaque && p != nil && p.Opaque != ""
		}
		return false
	}
	out := slices.Clone(history)
	for i := range out {
		out[i].Parts = slices.DeleteFunc(slices.Clone(out[i].Parts), formless)
		for j, p := range out[i].Parts {
			if c, ok := p.(*preflight.ToolCall); ok && c != nil && c.ProviderExecuted &&
				c.Variant != "mcp" && !slices.Contains(servedTools, c.Name) {
				known := *c
				known.Name = servedTools[0]
				out[i].Parts[j] = &known
			}
			r, ok := p.(*preflight.ToolResult)
			if ok && slices.ContainsFunc(resultContent(r), formless) {
				less := *r
				less.Content = slices.DeleteFunc(slices.Clone(r.Content), formless)
				out[i].Parts[j] = &less
			}
		}
	}
	return out
}

// servedTools are tools that Anthropic runs.
var servedTools = []string{"web_search", "code_execution", "bash_code_execution"}

func resultContent(r *preflight.ToolResult) []preflight.Part {
	if r == nil {
		return nil
	}
	return r.Content
}

func formatOf(p *preflight.Profile) string {
	if p.Format != "" {
		return p.Format
	}
	return p.Provider
}

// draw draws one of values.
func draw[T any](t *rapid.T, label string, values ...T) T {
	return rapid.SampledFrom(values).Draw(t, label)
}

func drawMessage(t *rapid.T) preflight.Message {
	return preflight.Message{
		Role: draw[preflight.Role](t, "role", "user", "user", "assistant", "assistant", "tool",
			"system", "developer", "function"),
		Name:  draw(t, "participant", "", "", "", "ann"),
		Parts: rapid.SliceOfN(rapid.Custom(drawPart), 0, 4).Draw(t, "parts"),
	}
}

func drawPart(t *rapid.T) preflight.Part {
	switch rapid.IntRange(0, 8).Draw(t, "part") {
	case 0, 1:
		return drawContent(t)
	case 2:
		return &preflight.Reasoning{
			Text:      draw(t, "text", "", " ", "hm"),
			Signature: draw(t, "signature", "", "c2lnbmVk", "not base64!"),
			Opaque:    draw(t, "opaque", "", "", "", "b3BhcXVl"),
		}
	case 3, 4, 5:
		return drawCall(t)
	}
	return drawResult(t)
}

func drawContent(t *rapid.T) preflight.Part {
	if rapid.IntRange(0, 2).Draw(t, "media") < 2 {
		return &preflight.Text{Text: draw(t, "text", "", " ", "hi", "hi ")}
	}
	m := &preflight.Media{
		Kind: draw(t, "kind", "image", "document", "audio", "video", ""),
		Name: draw(t, "name", "", "a.pdf", "report"),
		MediaType: draw(t, "media type", "", "image/png", "application/pdf", "text/plain",
			"audio/wav", "video/mp4"),
	}
	data := draw(t, "data", "", pixel, "JVBERi0xLjQKJSVFT0YK", "aGk=")
	switch draw(t, "source", "data", "url", "data url", "file") {
	case "data":
		m.Data = data
	case "url":
		m.URL = "https://example.com/a.png"
	case "data url":
		m.URL = "data:image/png;base64," + data
	case "file":
		m.FileID = "file_1"
	}
	return m
}

// pixel is a PNG of one pixel.
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9" +
	"awAAAABJRU5ErkJggg=="

func drawCall(t *rapid.T) *preflight.ToolCall {
	c := &preflight.ToolCall{
		ID:   draw(t, "id", "", "a", "b", "call_1", "toolu_1"),
		Name: draw(t, "name", "f", "f", "g", "", "a.b"),
		Input: json.RawMessage(draw(t, "input", "", `{}`, `{"a":1}`, `{"a":1,"a":2}`, `null`, `[]`,
			`x`, `"s"`)),
		Signature: draw(t, "signature", "", "", "c2lnbmVk", "not base64!"),
		Variant:   draw(t, "variant", "", "", "", "custom", "mcp", "function"),
	}
	if rapid.IntRange(0, 9).Draw(t, "server") == 9 {
		c.ProviderExecuted, c.ID, c.Name = true, "srvtoolu_1", "web_search"
	}
	return c
}

func drawResult(t *rapid.T) *preflight.ToolResult {
	if rapid.IntRange(0, 9).Draw(t, "server") == 9 {
		return &preflight.ToolResult{
			CallID: "srvtoolu_1", ProviderExecuted: true, Output: json.RawMessage(`{"ok":true}`),
		}
	}
	return &preflight.ToolResult{
		CallID:  draw(t, "id", "", "a", "b", "call_1", "toolu_1"),
		Name:    draw(t, "name", "", "f", "g", "a.b"),
		IsError: rapid.Bool().Draw(t, "error"),
		Content: rapid.SliceOfN(rapid.Custom(drawContent), 0, 2).Draw(t, "content"),
		Output: json.RawMessage(draw(t, "output", "", "", " ", `{}`, `{"a":1}`, `{"a":1,"a":2}`,
			`null`, `[]`, `"s"`)),
	}
}
