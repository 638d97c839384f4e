package preflightmcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/adapter"
	preflightmcp "github.com/go-preflight/preflight/adapter/mcp"
	"github.com/go-preflight/preflight/internal/clienttest"
	"github.com/go-preflight/preflight/redact"
)

// This file converts what servers answer to results and back.

var png = []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" +
	"\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00")

// meta has _meta and annotations, which no provider has a place for.
func meta() (mcp.Meta, *mcp.Annotations) {
	return mcp.Meta{"example.org/trace": "4711"},
		&mcp.Annotations{Audience: []mcp.Role{"user"}, Priority: 0.5}
}

// answers are what servers answer, and the kinds of parts that are made of it.
func answers() map[string]struct {
	answer *mcp.CallToolResult
	want   string
} {
	m, a := meta()
	size := int64(4711)
	content := func(c ...mcp.Content) *mcp.CallToolResult { return &mcp.CallToolResult{Content: c} }
	pdf := &mcp.ResourceContents{URI: "file:///a.pdf", MIMEType: "application/pdf", Blob: png}
	return map[string]struct {
		answer *mcp.CallToolResult
		want   string
	}{
		"text":        {content(&mcp.TextContent{Text: "port=8080 <b> & more"}), "text"},
		"empty text":  {content(&mcp.TextContent{}), "text"},
		"nothing":     {content(), ""},
		"annotations": {content(&mcp.TextContent{Text: "x", Meta: m, Annotations: a}), "text"},
		"image": {content(&mcp.ImageContent{
			Data: png, MIMEType: "image/png", Meta: m, Annotations: a,
		}), "media image"},
		"empty image": {content(&mcp.ImageContent{MIMEType: "image/png"}), "text"},
		"audio":       {content(&mcp.AudioContent{Data: png, MIMEType: "audio/wav"}), "media audio"},
		"link": {content(&mcp.ResourceLink{
			URI: "file:///a.go", Name: "a.go", Title: "A", Description: "Go code",
			MIMEType: "text/x-go", Size: &size, Meta: m, Annotations: a,
			Icons: []mcp.Icon{{Source: "data:,x"}},
		}), "text"},
		"text resource": {content(&mcp.EmbeddedResource{
			Resource: &mcp.ResourceContents{
				URI: "file:///a.go", MIMEType: "text/x-go", Text: "package a\n", Meta: m,
			}, Annotations: a, Meta: m,
		}), "text"},
		"file resource": {content(&mcp.EmbeddedResource{Resource: pdf}), "media document"},
		"empty resource": {
			content(&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "a:b"}}), "text",
		},
		"error": {&mcp.CallToolResult{
			Content: []mcp.Content{&mcp.TextContent{Text: "no such file"}}, IsError: true, Meta: m,
		}, "error text"},
		"structured alone": {
			&mcp.CallToolResult{StructuredContent: map[string]any{"port": 8080.0}}, "output",
		},
		"structured, and as text": {&mcp.CallToolResult{
			Content:           []mcp.Content{&mcp.TextContent{Text: "{\"port\": 8080 }"}},
			StructuredContent: map[string]any{"port": 8080.0},
		}, "text"},
		"structured, and another text": {&mcp.CallToolResult{
			Content:           []mcp.Content{&mcp.TextContent{Text: "The port is 8080."}},
			StructuredContent: []any{8080.0, "x"},
		}, "output text"},
		"all": {&mcp.CallToolResult{
			Content: []mcp.Content{
				&mcp.TextContent{Text: "a"}, &mcp.ImageContent{Data: png, MIMEType: "image/png"},
				&mcp.ResourceLink{URI: "a:b", Name: "b"}, &mcp.TextContent{Text: "null"},
			},
			StructuredContent: "x",
		}, "output text media image text text"},
	}
}

// kinds are the parts of a result.
func kinds(r *preflight.ToolResult) string {
	var out []string
	if r.IsError {
		out = append(out, "error")
	}
	if len(r.Output) > 0 {
		out = append(out, "output")
	}
	for _, p := range r.Content {
		out = append(out, preflight.PartKind(p))
		if m, ok := p.(*preflight.Media); ok {
			out = append(out, m.Kind)
		}
	}
	return strings.Join(out, " ")
}

// stored is the result after a restart.
func stored(t *testing.T, r *preflight.ToolResult) *preflight.ToolResult {
	t.Helper()
	raw, err := json.Marshal(preflight.Message{Role: preflight.RoleTool, Parts: []preflight.Part{r}})
	if err != nil {
		t.Fatal(err)
	}
	var m preflight.Message
	if err := json.Unmarshal(raw, &m); err != nil {
		t.Fatal(err)
	}
	return m.Parts[0].(*preflight.ToolResult)
}

// TestRoundTrip: nothing that a server answers is lost, after a store either, and nothing is
// written to.
func TestRoundTrip(t *testing.T) {
	call := &preflight.ToolCall{ID: "call_1", Name: "read"}
	for name, c := range answers() {
		before := clienttest.JSON(t, c.answer)
		result, err := preflightmcp.Result(call, c.answer)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := kinds(result); got != c.want || result.CallID != "call_1" || result.Name != "read" {
			t.Errorf("%s: %q of %s, want %q", name, got, result.CallID, c.want)
		}
		for _, r := range []*preflight.ToolResult{result, stored(t, result)} {
			back, err := preflightmcp.CallToolResult(r)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			var want, got any
			if json.Unmarshal([]byte(before), &want) != nil ||
				json.Unmarshal([]byte(clienttest.JSON(t, back)), &got) != nil {
				t.Fatal(name)
			}
			if m := want.(map[string]any); m["content"] == nil {
				m["content"] = []any{}
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s:\n got %s\nwant %s", name, clienttest.JSON(t, got), clienttest.JSON(t, want))
			}
		}
		if after := clienttest.JSON(t, c.answer); after != before {
			t.Errorf("%s was written to", name)
		}
	}
}

// TestChanged: after a hook has redacted a result, nothing on the way back says what it removed.
func TestChanged(t *testing.T) {
	const secret = "hunter2"
	for name, answer := range map[string]*mcp.CallToolResult{
		"structured": {
			Content:           []mcp.Content{&mcp.TextContent{Text: `{"token":"hunter2"}`}},
			StructuredContent: map[string]any{"token": secret},
		},
		"structured alone": {StructuredContent: map[string]any{"token": secret}},
		"link": {Content: []mcp.Content{
			&mcp.ResourceLink{URI: "file:///hunter2", Name: secret},
		}},
		"resource": {Content: []mcp.Content{&mcp.EmbeddedResource{
			Resource: &mcp.ResourceContents{URI: "file:///a", Text: "token=hunter2"},
		}}},
	} {
		result, err := preflightmcp.Result(nil, answer)
		if err != nil {
			t.Fatal(err)
		}
		m := redact.Message(
			preflight.Message{Role: preflight.RoleTool, Parts: []preflight.Part{result}},
			func(text string) string { return strings.ReplaceAll(text, secret, "***") })
		back, err := preflightmcp.CallToolResult(m.Parts[0].(*preflight.ToolResult))
		if err != nil {
			t.Fatal(err)
		}
		got := clienttest.JSON(t, back)
		if strings.Contains(got, secret) || !strings.Contains(got, "***") {
			t.Errorf("%s: %s", name, got)
		}
		if name == "structured" && !strings.Contains(got, `"structuredContent":{"token":"***"}`) {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// TestElsewhere: results of other tools can be answered by a server, as far as MCP has a place for
// them.
func TestElsewhere(t *testing.T) {
	content := func(p ...preflight.Part) *preflight.ToolResult {
		return &preflight.ToolResult{Content: p}
	}
	for name, c := range map[string]struct {
		result *preflight.ToolResult
		want   string // empty: it does not fit
	}{
		"text": {content(&preflight.Text{Text: "x"}), `{"content":[{"type":"text","text":"x"}]}`},
		"output": {
			&preflight.ToolResult{Output: []byte(`{"n":12345678901234567890}`)},
			`{"content":[],"structuredContent":{"n":12345678901234567890}}`,
		},
		"address": {
			content(&preflight.Media{Kind: "image", URL: "https://example.org/a.png"}),
			`{"content":[{"type":"resource_link","uri":"https://example.org/a.png",` +
				`"name":"https://example.org/a.png"}]}`,
		},
		"document":   {content(&preflight.Media{Kind: "document", Data: "QQ=="}), ""},
		"file":       {content(&preflight.Media{Kind: "image", FileID: "file_1"}), ""},
		"not base64": {content(&preflight.Media{Kind: "image", Data: "*"}), ""},
		"other":      {content(&preflight.Other{Kind: "search_result"}), ""},
		"nil":        {content(nil), ""},
		"not JSON":   {&preflight.ToolResult{Output: []byte("{")}, ""},
		"no result":  {nil, ""},
		"foreign metadata": {
			content(&preflight.Text{Text: "x", Carried: preflight.Carried{
				Meta: preflight.Metadata{"mcp": []byte("[")},
			}}), `{"content":[{"type":"text","text":"x"}]}`,
		},
	} {
		back, err := preflightmcp.CallToolResult(c.result)
		switch {
		case c.want == "" && !errors.Is(err, adapter.ErrInexact):
			t.Errorf("%s: %v", name, err)
		case c.want != "" && (err != nil || clienttest.JSON(t, back) != c.want):
			t.Errorf("%s: %v, %s", name, err, clienttest.JSON(t, back))
		}
	}
}

// TestNoResult: what is no result is a typed error.
func TestNoResult(t *testing.T) {
	var waits mcp.CallToolResult
	err := json.Unmarshal([]byte(`{"content":[],"resultType":"input_required"}`), &waits)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := preflightmcp.Result(nil, &waits); !errors.Is(err, preflightmcp.ErrNeedsInput) {
		t.Errorf("%v", err)
	}
	for _, answer := range []*mcp.CallToolResult{
		nil, {Content: []mcp.Content{nil}}, {Content: []mcp.Content{(*mcp.TextContent)(nil)}},
		{StructuredContent: func() {}},
	} {
		if _, err := preflightmcp.Result(nil, answer); err == nil {
			t.Errorf("%v", answer)
		}
	}
	if _, err := preflightmcp.Call(context.Background(), nil, nil); err == nil {
		t.Error("a call without a session")
	}
}

// TestTools: nil tools, schemas, and hints.
func TestTools(t *testing.T) {
	tools := []*mcp.Tool{
		nil, {Name: "write"}, {Name: "bad", InputSchema: func() {}},
		{Name: "read", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
		{Name: "add", Annotations: &mcp.ToolAnnotations{}, Description: "Adds.",
			InputSchema: map[string]any{"type": "object"}},
	}
	open := preflightmcp.OpenCall(tools)
	for name, want := range map[string]bool{
		"write": true, "read": false, "add": true, "unlisted": false,
	} {
		if answered := open(&preflight.ToolCall{Name: name}) != nil; answered != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
	if _, err := preflightmcp.Tools(tools); err == nil || !strings.Contains(err.Error(), `"bad"`) {
		t.Errorf("%v", err)
	}
	made, err := preflightmcp.Tools(tools[4:])
	if err != nil || len(made) != 1 || made[0].Name != "add" ||
		string(made[0].Schema) != `{"type":"object"}` || made[0].Description != "Adds." {
		t.Errorf("%v, %v", made, err)
	}
}
