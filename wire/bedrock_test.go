package wire_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/wire"
)

// converseOf makes parts into the messages of an empty body.
func converseOf(t *testing.T, role preflight.Role, parts ...preflight.Part) string {
	t.Helper()
	return encode(t, "bedrock", `[]`, func([]preflight.Message) []preflight.Message {
		return []preflight.Message{{Role: role, Parts: parts}}
	})
}

// TestConverseFromNeutral writes parts that were decoded from nothing.
func TestConverseFromNeutral(t *testing.T) {
	cached := func(cache string) preflight.Carried {
		return preflight.Carried{Cache: json.RawMessage(cache)}
	}
	for _, c := range []struct {
		reason, want string
		part         preflight.Part
	}{
		{"text", `{"text":"a <b>"}`, &preflight.Text{Text: "a <b>"}},
		{"a breakpoint is a block", `{"text":"a"},{"cachePoint":{"type":"default"}}`,
			&preflight.Text{Text: "a", Carried: cached(`{"type":"ephemeral"}`)}},
		{"a long-lived one", `{"text":"a"},{"cachePoint":{"type":"default","ttl":"1h"}}`,
			&preflight.Text{Text: "a", Carried: cached(`{"type":"ephemeral","ttl":"1h"}`)}},
		{"Converse's own", `{"text":"a"},{"cachePoint":{"x":1.0}}`,
			&preflight.Text{Text: "a", Carried: cached(`{"cachePoint":{"x":1.0}}`)}},
		{"reasoning", `{"reasoningContent":{"reasoningText":{"text":"t","signature":"QUJD"}}}`,
			&preflight.Reasoning{Text: "t", Signature: "QUJD"}},
		{"redacted reasoning", `{"reasoningContent":{"redactedContent":"QUJD"}}`,
			&preflight.Reasoning{Opaque: "QUJD"}},
		{"a call", `{"toolUse":{"toolUseId":"t","name":"f","input":{"n":1.0}}}`,
			&preflight.ToolCall{ID: "t", Name: "f", Input: json.RawMessage(`{"n":1.0}`)}},
		{"a call without arguments", `{"toolUse":{"toolUseId":"t","name":"f","input":{}}}`,
			&preflight.ToolCall{ID: "t", Name: "f"}},
		{
			"free text as arguments",
			`{"toolUse":{"toolUseId":"t","name":"f","input":{"input":"free"}}}`,
			&preflight.ToolCall{
				ID: "t", Name: "f", Variant: "custom", Input: json.RawMessage(`free`),
			},
		},
		{"a call that the provider runs",
			`{"toolUse":{"toolUseId":"t","name":"f","input":{},"type":"server_tool_use"}}`,
			&preflight.ToolCall{ID: "t", Name: "f", ProviderExecuted: true}},
		{
			"a result",
			`{"toolResult":{"toolUseId":"t","content":[{"text":"r"}],"status":"error"}}`,
			&preflight.ToolResult{
				CallID: "t", IsError: true, Content: []preflight.Part{&preflight.Text{Text: "r"}},
			},
		},
		{"a result that says nothing", `{"toolResult":{"toolUseId":"t","content":[]}}`,
			&preflight.ToolResult{CallID: "t"}},
		{"an output that is an object",
			`{"toolResult":{"toolUseId":"t","content":[{"json":{"n":1.0}}]}}`,
			&preflight.ToolResult{CallID: "t", Output: json.RawMessage(` {"n":1.0}`)}},
		{"any other output", `{"toolResult":{"toolUseId":"t","content":[{"text":"[1.0]"}]}}`,
			&preflight.ToolResult{CallID: "t", Output: json.RawMessage(`[1.0]`)}},
		{"an image without a type, which its first bytes show",
			`{"image":{"format":"gif","source":{"bytes":"R0lGODlhAQABAAAAACw="}}}`,
			&preflight.Media{Kind: "image", Data: "R0lGODlhAQABAAAAACw="}},
		{"a document without a type",
			`{"document":{"source":{"bytes":"cQ=="},"name":"n"}}`,
			&preflight.Media{Kind: "document", Name: "n", Data: "cQ=="}},
		{"a breakpoint inside a result",
			`{"toolResult":{"toolUseId":"t","content":[{"text":"r"}]}},` +
				`{"cachePoint":{"type":"default"}}`,
			&preflight.ToolResult{CallID: "t", Content: []preflight.Part{
				&preflight.Text{Text: "r", Carried: cached(`{"type":"ephemeral"}`)},
			}}},
		{"an image", `{"image":{"format":"png","source":{"bytes":"QUJD"}}}`,
			&preflight.Media{Kind: "image", MediaType: "image/png", Data: "QUJD"}},
		{"an image in its address", `{"image":{"format":"webp","source":{"bytes":"QUJD"}}}`,
			&preflight.Media{Kind: "image", URL: "data:image/webp;base64,QUJD"}},
		{"a document", `{"document":{"format":"docx","source":{"bytes":"QUJD"},"name":"d"}}`,
			&preflight.Media{
				Kind:      "document",
				MediaType: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
				Data:      "QUJD", Name: "d",
			}},
		{"a document of some kind of text",
			`{"document":{"format":"txt","source":{"bytes":"QUJD"},"name":"d"}}`,
			&preflight.Media{Kind: "document", MediaType: "text/x-go", Data: "QUJD", Name: "d"}},
		{"a video in a bucket",
			`{"video":{"format":"mp4","source":{"s3Location":{"uri":"s3://b/k"}}}}`,
			&preflight.Media{Kind: "video", MediaType: "video/mp4", FileID: "s3://b/k"}},
	} {
		t.Run(c.reason, func(t *testing.T) {
			require.Empty(
				t,
				cmp.Diff(`[{"role":"user","content":[`+c.want+`]}]`,
					converseOf(t, preflight.RoleUser, c.part)),
			)
		})
	}
}

// TestConverseEdits changes one part of a message: the rest keeps its bytes.
func TestConverseEdits(t *testing.T) {
	const in = `[{"role":"user","y":1.0,"content":[ {"x":1.0,"text":"\u0061"} ,` +
		` {"cachePoint":{"type":"default","z":1.0}} ,` +
		` {"toolResult":{"content":[{"json":{ "n":1.0 }},` +
		`{"text":"r"}],"w":1.0,"status":"error","toolUseId":"t"}} ]}]`
	for _, c := range []struct {
		reason, want string
		change       func(parts []preflight.Part) []preflight.Part
	}{
		{"a text",
			`[{"role":"user","y":1.0,"content":[ {"x":1.0,"text":"b"} ,` +
				` {"cachePoint":{"type":"default","z":1.0}} ,` +
				` {"toolResult":{"content":[{"json":{ "n":1.0 }},` +
				`{"text":"r"}],"w":1.0,"status":"error","toolUseId":"t"}} ]}]`,
			func(parts []preflight.Part) []preflight.Part {
				text := *parts[0].(*preflight.Text)
				text.Text = "b"
				return []preflight.Part{&text, parts[1]}
			}},
		{"a breakpoint goes",
			`[{"role":"user","y":1.0,"content":[ {"x":1.0,"text":"\u0061"} ,` +
				` {"toolResult":{"content":[{"json":{ "n":1.0 }},` +
				`{"text":"r"}],"w":1.0,"status":"error","toolUseId":"t"}} ]}]`,
			func(parts []preflight.Part) []preflight.Part {
				text := *parts[0].(*preflight.Text)
				text.Cache = nil
				return []preflight.Part{&text, parts[1]}
			}},
		{"a breakpoint goes with its block",
			`[{"role":"user","y":1.0,"content":[ {"toolResult":{"content":[{"json":{ "n":1.0 }},` +
				`{"text":"r"}],"w":1.0,"status":"error","toolUseId":"t"}} ]}]`,
			func(parts []preflight.Part) []preflight.Part { return parts[1:] }},
		{"blocks change places, each with its breakpoint",
			`[{"role":"user","y":1.0,"content":[ {"toolResult":{"content":[{"json":{ "n":1.0 }},` +
				`{"text":"r"}],"w":1.0,"status":"error","toolUseId":"t"}} , {"x":1.0,` +
				`"text":"\u0061"} , {"cachePoint":{"type":"default","z":1.0}} ]}]`,
			func(parts []preflight.Part) []preflight.Part {
				return []preflight.Part{parts[1], parts[0]}
			}},
		{"a result: JSON that changed is text, and an error that is none has no status",
			`[{"role":"user","y":1.0,"content":[ {"x":1.0,"text":"\u0061"} ,` +
				` {"cachePoint":{"type":"default","z":1.0}} ,` +
				` {"toolResult":{"content":[{"text":"{…}"},` +
				`{"text":"r"}],"w":1.0,"toolUseId":"u"}} ]}]`,
			func(parts []preflight.Part) []preflight.Part {
				result := *parts[1].(*preflight.ToolResult)
				result.Content = slices.Clone(result.Content)
				cut := *result.Content[0].(*preflight.Text)
				cut.Text = "{…}"
				result.Content[0], result.CallID, result.IsError = &cut, "u", false
				return []preflight.Part{parts[0], &result}
			}},
	} {
		t.Run(c.reason, func(t *testing.T) {
			got := encode(t, "bedrock", in, func(m []preflight.Message) []preflight.Message {
				m[0].Parts = c.change(m[0].Parts)
				return m
			})
			require.Empty(t, cmp.Diff(c.want, got))
		})
	}
}

// TestConverseCannotSay: what Converse has no form for is an error that names it.
func TestConverseCannotSay(t *testing.T) {
	r, err := wire.Decode([]byte(`[]`), &wire.Options{Provider: "bedrock"})
	require.NoError(t, err)
	for want, part := range map[string]preflight.Part{
		"image without a media type": &preflight.Media{Kind: "image", Data: "cQ=="},
		"audio without a media type": &preflight.Media{Kind: "audio", Data: "cQ=="},
		"image by address":           &preflight.Media{Kind: "image", URL: "https://e/x.png"},
		"thing":                      &preflight.Other{Kind: "thing"},
	} {
		_, err := r.Encode(
			[]preflight.Message{{Role: preflight.RoleUser, Parts: []preflight.Part{part}}},
		)
		require.ErrorIs(t, err, wire.ErrEncode)
		require.ErrorContains(t, err, want)
	}
}
