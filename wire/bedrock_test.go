package wire_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
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
				cmp.Diff(
					`[{"role":"user","content":[`+c.want+`]}]`,
					converseOf(t, preflight.RoleUser, c.part),
				),
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
		"image by address": &preflight.Media{Kind: "image", URL: "https://e/x.png"},
		"thing":            &preflight.Other{Kind: "thing"},
	} {
		_, err := r.Encode(
			[]preflight.Message{{Role: preflight.RoleUser, Parts: []preflight.Part{part}}},
		)
		require.ErrorIs(t, err, wire.ErrEncode)
		require.ErrorContains(t, err, want)
	}
}

// TestConverseReading: what parts of a Converse body are to everybody else.
func TestConverseReading(t *testing.T) {
	r, err := wire.Decode(
		[]byte(
			`{"modelId":"us.anthropic.claude-opus-5-5-v1:0","messages":[{"role":"assistant",`+
				`"content":[{"text":"a"},{"cachePoint":{"type":"default"}},`+
				`{"toolUse":{"toolUseId":"t","name":"nova_grounding","input":{},`+
				`"type":"server_tool_use"}},`+
				`{"toolResult":{"toolUseId":"t","type":"nova_grounding_result",`+
				`"content":[{"json":{"n":1.0}}]}},{"new":{}}]},
 {"role":"user","content":[{"toolResult":{"toolUseId":"t","type":"x","content":[]}},`+
				`{"image":{"source":{"stream":1}}},`+
				`{"document":{"name":"d","format":"md",`+
				`"source":{"s3Location":{"uri":"s3://b/k"}}}}]}]}`,
		),
		nil,
	)
	require.NoError(t, err)
	require.Equal(t, "bedrock", r.Provider)
	require.Equal(t, "us.anthropic.claude-opus-5-5-v1:0", r.Model)
	require.True(t, r.Profile.Reasoning.Bound)
	turn, user := r.Messages[0].Parts, r.Messages[1].Parts
	require.Len(t, turn, 4)
	require.Equal(t, `{"cachePoint":{"type":"default"}}`, string(turn[0].(*preflight.Text).Cache))
	require.True(t, turn[1].(*preflight.ToolCall).ProviderExecuted)
	result := turn[2].(*preflight.ToolResult)
	require.True(t, result.ProviderExecuted)
	require.Equal(t, `{"n":1.0}`, result.Content[0].(*preflight.Text).Text)
	require.Equal(t, "new", turn[3].(*preflight.Other).Kind)
	// for a call that Bedrock answered itself
	require.Equal(t, "toolResult", user[0].(*preflight.Other).Kind)
	require.Equal(t, "image", user[1].(*preflight.Other).Kind)
	require.Equal(t, "s3://b/k", user[2].(*preflight.Media).FileID)
	require.Equal(t, "text/markdown", user[2].(*preflight.Media).MediaType)
	require.Equal(
		t,
		"messages[0].content[3].toolResult.content[0]",
		r.Path(preflight.Position{Message: 0, Part: 2, Inner: 0}),
	)
	require.Equal(
		t,
		"messages[0].content[4]",
		r.Path(preflight.Position{Message: 0, Part: 3, Inner: -1}),
	)
}

// TestConverseLeaves: what no refusal is on record for comes back as it is, and what differs from
// it in the one thing that a refusal was for does not. The requests are crmne/ruby_llm
// chat_bedrock_nova_2_reasoning_returns_reasoning_content_blocks and
// chat_web_search_with_bedrock_amazon_nova-2-lite-v1_0_grounds_the_answer_with_web_citations, each
// with what follows; the refusals are those of https://github.com/can1357/oh-my-pi/pull/9086 and of
// badlogic/pi-mono bedrock-models.test.ts, where no request has Nova reason.
func TestConverseLeaves(t *testing.T) {
	thought := func(model, fields string) string {
		return `{"modelId":"` + model +
			`","messages":[{"role":"user","content":[{"text":"q"}]},` +
			`{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"[` +
			`REDACTED]"}}},{"text":"a"}]},{"role":"user","content":[{"text":"n"}]}]` +
			fields + `}`
	}
	const reasons = `,"additionalModelRequestFields":{"reasoningConfig":{"type":"enabled",` +
		`"maxReasoningEffort":"low"}}`
	grounded := func(kind, result string) string {
		return `{"modelId":"us.amazon.nova-2-lite-v1:0",` +
			`"toolConfig":{"tools":[{"systemTool":{"name":"nova_grounding"}}]},` +
			`"messages":[{"role":"user","content":[{"text":"q"}]},` +
			`{"role":"assistant","content":[{"toolUse":{"toolUseId":"t_1",` +
			`"name":"nova_grounding","input":{}` +
			kind + `}},` + result +
			`{"text":"a"}]},{"role":"user","content":[{"toolResult":{"toolUseId":"t_1",` +
			`"content":[{"text":"ok"}]}}]}]}`
	}
	const own, answer = `,"type":"server_tool_use"`, `{"toolResult":{"toolUseId":"t_1",` +
		`"type":"nova_grounding_result","status":"success","content":[{"text":"found"}]}},`
	for _, c := range []struct {
		name, body, rule string
	}{
		{"Nova 2 is to reason", thought("us.amazon.nova-2-lite-v1:0", reasons), ""},
		{"Nova 2 is not to reason", thought("us.amazon.nova-2-lite-v1:0", ""),
			"bedrock/reasoning-content"},
		{"Nova 2 is told not to", thought(
			"us.amazon.nova-2-lite-v1:0",
			`,"additionalModelRequestFields":{"reasoningConfig":{"type":"disabled"}}`,
		), "bedrock/reasoning-content"},
		{"Nova does not reason", thought("amazon.nova-pro-v1:0", ""), "bedrock/reasoning-content"},
		{"Llama 3 does not reason", thought("us.meta.llama3-3-70b-instruct-v1:0", ""),
			"bedrock/reasoning-content"},
		{"Command does not reason", thought("cohere.command-r-plus-v1:0", ""),
			"bedrock/reasoning-content"},
		{"Gemma 3 does not reason", thought("google.gemma-3-27b-it", ""),
			"bedrock/reasoning-content"},
		{"an unknown model", thought("later.model-v1:0", ""), ""},
		{"a result for a search that Nova ran and answered", grounded(own, answer), ""},
		{"a result for a search that Nova ran and did not answer", grounded(own, ""),
			"bedrock/tool-result-exceeds"},
		{"a result for a search that Nova ran and found nothing by",
			grounded(own, strings.Replace(answer, `{"text":"found"}`, ``, 1)), ""},
		{
			"a result for the caller's call, which has the id of a search that Nova answered",
			grounded(own, answer+`{"toolUse":{"toolUseId":"t_1","name":"f","input":{}}},`),
			"anthropic/tool-use-id-duplicate",
		},
		{
			"a result with the id of another search than the one that Nova answered",
			grounded(own, strings.ReplaceAll(answer, "t_1", "t_2")), "bedrock/tool-result-exceeds",
		},
	} {
		result, err := wire.Sanitize(
			context.Background(),
			[]byte(c.body),
			&wire.Options{Provider: "bedrock"},
		)
		require.NoError(t, err, c.name)
		require.Equal(t, c.rule != "", result.Changed, "%s: %s", c.name, result.Body)
		if c.rule != "" {
			require.Contains(t, rulesOf(result), c.rule, c.name)
		}
		report, err := wire.Check(result.Body, &wire.Options{Provider: "bedrock"})
		require.NoError(t, err, c.name)
		require.Empty(t, report.Violations, "%s: %s", c.name, result.Body)
	}
}

func TestConverseReads(t *testing.T) {
	user := func(content string) string { return `{"role":"user","content":` + content + `}` }
	const point = `{"cachePoint":{"type":"default"}}`
	runReads(t, "bedrock", []reads{
		{
			"messages without their role",
			`{"content":[{"toolUse":{"toolUseId":"t","name":"f","input":{}}}]},` +
				`{"role":"","content":[{"toolResult":{"toolUseId":"t","content":[]}}]},` +
				`{"role":7,"content":[{"text":"a"}]}`,
			`{"parts":[{"id":"t","input":{},"name":"f","type":"tool_call"}],"role":"assistant"}
{"parts":[{"call_id":"t","type":"tool_result"}],"role":"user"}
{"parts":[{"text":"a","type":"text"}],"role":"user"}`,
		},
		{
			"content that is no list",
			user(
				`"a"`,
			) + `,` + user(
				`""`,
			) + `,` + user(
				`{"text":"b"}`,
			) + `,` + user(
				`7`,
			) + `,` + user(
				`null`,
			) + `,{"role":"user"}`,
			`{"parts":[{"text":"a","type":"text"}],"role":"user"}
{"parts":[],"role":"user"}
{"parts":[{"text":"b","type":"text"}],"role":"user"}
{"parts":[{"text":"7","type":"text"}],"role":"user"}
{"parts":[],"role":"user"}
{"parts":[],"role":"user"}`,
		},
		{
			"what is among blocks",
			user(`[null,"a",7,{},{"text":7},{"a":1,"b":2},{"later":{}},{"x":1,"text":"b"}]`),
			`{"parts":[{"text":"a","type":"text"},{"text":"7","type":"text"},` +
				`{"text":"{}","type":"text"},{"text":"7","type":"text"},` +
				`{"text":"{\"a\":1,\"b\":2}","type":"text"},{"kind":"later","type":"other"},` +
				`{"text":"b","type":"text"}],"role":"user"}`,
		},
		{
			"blocks that hold no object",
			user(`[{"toolUse":1},{"image":"x"},{"toolResult":[]},{"reasoningContent":null}]`),
			`{"parts":[{"text":"1","type":"text"},{"text":"x","type":"text"},` +
				`{"text":"[]","type":"text"},{"text":"null","type":"text"}],"role":"user"}`,
		},
		{
			"cache points",
			user(
				`[{"text":"a"},` + point + `,` + point +
					`,{"text":"b"},{"cachePoint":7},{"text":"c"},` +
					`{"cachePoint":{"type":"default","ttl":"1h"}}]`,
			),
			`{"parts":[{"cache":{"cachePoint":{"type":"default"}},"text":"a","type":"text"},` +
				`{"text":"b","type":"text"},` +
				`{"cache":{"cachePoint":{"ttl":"1h","type":"default"}},` +
				`"text":"c","type":"text"}],"role":"user"}`,
		},
		{
			"cache points before all blocks",
			user(
				`[`+point+`,`+point+`,{"text":"a"},{"text":"b"}]`,
			) + `,` + user(
				`[`+point+`,{"text":"a"},{"cachePoint":{"type":"default","ttl":"1h"}}]`,
			) + `,` + user(
				`[`+point+`]`,
			),
			`{"parts":[{"cache":{"cachePoint":{"type":"default"}},"text":"a","type":"text"},` +
				`{"text":"b","type":"text"}],"role":"user"}
{"parts":[{"cache":{"cachePoint":{"ttl":"1h","type":"default"}},"text":"a","type":"text"}],` +
				`"role":"user"}
{"parts":[],"role":"user"}`,
		},
		{
			"reasoning",
			`{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"t",` +
				`"signature":"QUJD"}}},{"reasoningContent":{"redactedContent":"QUJD"}},` +
				`{"reasoningContent":{"reasoningText":{"text":7}}}]}`,
			`{"parts":[{"signature":"QUJD","text":"t","type":"reasoning"},` +
				`{"opaque":"QUJD","type":"reasoning"},` +
				`{"text":"7","type":"reasoning"}],"role":"assistant"}`,
		},
		{
			"calls",
			`{"role":"assistant","content":[{"toolUse":{"toolUseId":"t","name":"f",` +
				`"input":{"a":1.0}}},{"toolUse":{"name":"f"}},` +
				`{"toolUse":{"toolUseId":7,"name":"a.b","input":"x"}},` +
				`{"toolUse":{"toolUseId":"s","name":"a.b","input":{},"type":"server_tool_use"}},` +
				`{"toolUse":{"toolUseId":"u","name":"f","type":"later"}}]}`,
			`{"parts":[{"id":"t","input":{"a":1.0},"name":"f","type":"tool_call"},` +
				`{"name":"f","type":"tool_call"},` +
				`{"id":"7","input":"x","name":"a.b","type":"tool_call"},` +
				`{"id":"s","input":{},"name":"a_b_2e7336dc","provider_executed":true,` +
				`"type":"tool_call","variant":"server_tool_use"},` +
				`{"id":"u","name":"f","type":"tool_call"}],"role":"assistant"}`,
		},
		{
			"results",
			user(
				`[{"toolResult":{"toolUseId":"t","content":[{"text":"a"},{"json":{ "n":1.0 }},` +
					`{"image":{"format":"png","source":{"bytes":"aa"}}}],"status":"success"}},` +
					`{"toolResult":{"toolUseId":"t","content":[],"status":"error"}},` +
					`{"toolResult":{"toolUseId":"t"}},` +
					`{"toolResult":{"toolUseId":"t","content":"a"}},` +
					`{"toolResult":{"toolUseId":"t","content":{"json":{"n":1.0}}}}]`,
			),
			`{"parts":[{"call_id":"t","content":[{"text":"a","type":"text"},` +
				`{"text":"{ \"n\":1.0 }","type":"text"},` +
				`{"data":"aa","kind":"image","media_type":"image/png","type":"media"}],` +
				`"type":"tool_result"},{"call_id":"t","is_error":true,"type":"tool_result"},` +
				`{"call_id":"t","type":"tool_result"},` +
				`{"call_id":"t","content":[{"text":"a","type":"text"}],"type":"tool_result"},` +
				`{"call_id":"t","content":[{"text":"{\"n\":1.0}","type":"text"}],` +
				`"type":"tool_result"}],"role":"user"}`,
		},
		{
			"media in a result",
			user(
				`[{"toolResult":{"toolUseId":"t","content":[{"document":{"format":"pdf",` +
					`"name":"n","source":{"bytes":"aa"}}},` +
					`{"video":{"format":"mp4","source":{"bytes":"aa"}}},` +
					`{"audio":{"format":"wav","source":{"bytes":"aa"}}}]}}]`,
			),
			`{"parts":[{"call_id":"t","content":[{"data":"aa","kind":"document",` +
				`"media_type":"application/pdf","name":"n","type":"media"},` +
				`{"data":"aa","kind":"video","media_type":"video/mp4","type":"media"},` +
				`{"data":"aa","kind":"audio","media_type":"audio/wav","type":"media"}],` +
				`"type":"tool_result"}],"role":"user"}`,
		},
		{
			"what is none in a result",
			user(
				`[{"toolResult":{"toolUseId":"t","content":[{"json":[1.0]},{"json":"x"},` +
					`{"toolUse":{}},` +
					point + `,{"later":1}]}}]`,
			),
			`{"parts":[{"call_id":"t","content":[{"text":"[1.0]","type":"text"},` +
				`{"text":"x","type":"text"},{"kind":"toolUse","type":"other"},` +
				`{"kind":"cachePoint","type":"other"},` +
				`{"kind":"later","type":"other"}],"type":"tool_result"}],"role":"user"}`,
		},
		{
			"JSON outside of a result",
			user(`[{"json":{"n":1.0}}]`),
			`{"parts":[{"kind":"json","type":"other"}],"role":"user"}`,
		},
		{
			"results of the provider's own calls",
			`{"role":"assistant","content":[{"toolUse":{"toolUseId":"s","name":"f","input":{},` +
				`"type":"server_tool_use"}},{"toolUse":{"toolUseId":"t","name":"f","input":{}}},` +
				`{"toolResult":{"toolUseId":"s","content":[]}},` +
				`{"toolResult":{"toolUseId":"t","content":[]}},` +
				`{"toolResult":{"toolUseId":"u","type":"x","content":[]}}]},` +
				user(
					`[{"toolResult":{"toolUseId":"s","type":"x","content":[]}}]`,
				),
			`{"parts":[{"id":"s","input":{},` +
				`"name":"f","provider_executed":true,"type":"tool_call",` +
				`"variant":"server_tool_use"},` +
				`{"id":"t","input":{},"name":"f","type":"tool_call"},` +
				`{"call_id":"s","provider_executed":true,"type":"tool_result"},` +
				`{"call_id":"t","type":"tool_result"},` +
				`{"call_id":"u","provider_executed":true,"type":"tool_result","variant":"x"}],` +
				`"role":"assistant"}
{"parts":[{"kind":"toolResult","type":"other"}],"role":"user"}`,
		},
		{
			"media",
			user(
				`[{"image":{"format":"png","source":{"bytes":"aa"}}},` +
					`{"video":{"format":"mp4","source":{"s3Location":{"uri":"s3://b/k"}}}},` +
					`{"audio":{"format":"wav","source":{"bytes":"aa"}}},` +
					`{"document":{"format":"pdf","name":"n","source":{"bytes":"aa"}}},` +
					`{"document":{"format":"epub","name":7,"source":{"text":"x"}}},` +
					`{"document":{}},{"image":{"source":{"later":1}}},{"image":{"source":{}}},` +
					`{"image":{}}]`,
			),
			`{"parts":[{"data":"aa","kind":"image","media_type":"image/png","type":"media"},` +
				`{"file_id":"s3://b/k","kind":"video","media_type":"video/mp4","type":"media"},` +
				`{"data":"aa","kind":"audio","media_type":"audio/wav","type":"media"},` +
				`{"data":"aa","kind":"document","media_type":"application/pdf","name":"n",` +
				`"type":"media"},{"kind":"document","media_type":"application/epub","name":"7",` +
				`"type":"media"},{"kind":"document","type":"media"},` +
				`{"kind":"image","type":"other"},{"kind":"image","type":"media"},` +
				`{"kind":"image","type":"media"}],"role":"user"}`,
		},
		{
			"kinds of documents",
			user(
				`[{"document":{"format":"txt"}},{"document":{"format":"md"}},` +
					`{"document":{"format":"html"}},{"document":{"format":"csv"}},` +
					`{"document":{"format":"doc"}},{"document":{"format":"docx"}},` +
					`{"document":{"format":"xls"}},{"document":{"format":"xlsx"}}]`,
			),
			`{"parts":[{"kind":"document","media_type":"text/plain","type":"media"},` +
				`{"kind":"document","media_type":"text/markdown","type":"media"},` +
				`{"kind":"document","media_type":"text/html","type":"media"},` +
				`{"kind":"document","media_type":"text/csv","type":"media"},` +
				`{"kind":"document","media_type":"application/msword","type":"media"},` +
				`{"kind":"document","media_type":` +
				`"application/vnd.openxmlformats-officedocument.wordprocessingml.document",` +
				`"type":"media"},{"kind":"document","media_type":"application/vnd.ms-excel",` +
				`"type":"media"},{"kind":"document",` +
				`"media_type":"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet","type":"media"}],"role":"user"}`,
		},
	})
}

func TestConverseWrites(t *testing.T) {
	const user, model = preflight.RoleUser, preflight.RoleAssistant
	runWrites(t, "bedrock", []writes{
		{
			"an output and text",
			user,
			`{"type":"tool_result","call_id":"t","output":{"n":1.0},` +
				`"content":[{"type":"text","text":"a"}]},` +
				`{"type":"tool_result","call_id":"t","output":[1.0],` +
				`"content":[{"type":"text","text":"a"}]},` +
				`{"type":"tool_result","call_id":"t","output_text":"{cut",` +
				`"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}`,
			`{"role":"user","content":[{"toolResult":{"toolUseId":"t","content":[{"text":"a"},` +
				`{"json":{"n":1.0}}]}},{"toolResult":{"toolUseId":"t","content":[{"text":"a"},` +
				`{"text":"[1.0]"}]}},{"toolResult":{"toolUseId":"t","content":[{"text":"a"},` +
				`{"text":"b"},{"text":"{cut"}]}}]}`,
		},
		{
			"a result that the provider made",
			model,
			`{"type":"tool_result","call_id":"t","provider_executed":true,"variant":"x"},` +
				`{"type":"tool_result","call_id":"t","provider_executed":true},` +
				`{"type":"tool_result","call_id":"t","variant":"custom"}`,
			`{"role":"assistant","content":[{"toolResult":{"toolUseId":"t","content":[],` +
				`"type":"x"}},{"toolResult":{"toolUseId":"t","content":[]}},` +
				`{"toolResult":{"toolUseId":"t","content":[]}}]}`,
		},
		{
			"the last breakpoint inside a result",
			user,
			`{"type":"tool_result","call_id":"t","content":[{"type":"text","text":"a",` +
				`"cache":{"type":"ephemeral","ttl":"1h"}},` +
				`{"type":"text","text":"b","cache":{"type":"ephemeral"}},` +
				`{"type":"text","text":"c"}]},{"type":"text","text":"d"}`,
			`{"role":"user","content":[{"toolResult":{"toolUseId":"t","content":[{"text":"a"},` +
				`{"text":"b"},{"text":"c"}]}},{"cachePoint":{"type":"default"}},{"text":"d"}]}`,
		},
		{
			"a result's own breakpoint",
			user,
			`{"type":"tool_result","call_id":"t","cache":{"type":"ephemeral","ttl":"1h"},` +
				`"content":[{"type":"text","text":"b","cache":{"type":"ephemeral"}}]}`,
			`{"role":"user","content":[{"toolResult":{"toolUseId":"t",` +
				`"content":[{"text":"b"}]}},{"cachePoint":{"type":"default","ttl":"1h"}}]}`,
		},
		{
			"media of other kinds",
			user,
			`{"type":"media","kind":"audio","media_type":"audio/wav","data":"aa"},` +
				`{"type":"media","kind":"spreadsheet","media_type":"text/csv","data":"aa",` +
				`"name":"n"},{"type":"media","kind":"document","media_type":"application/epub",` +
				`"data":"aa","name":"n"}`,
			`{"role":"user","content":[{"audio":{"format":"wav","source":{"bytes":"aa"}}},` +
				`{"document":{"format":"csv","source":{"bytes":"aa"},"name":"n"}},` +
				`{"document":{"format":"epub","source":{"bytes":"aa"},"name":"n"}}]}`,
		},
		{
			"kinds of documents",
			user,
			`{"type":"media","kind":"document","media_type":"application/msword","data":"aa"},` +
				`{"type":"media","kind":"document","media_type":"text/html","data":"aa"},` +
				`{"type":"media","kind":"document","media_type":"text/x-go","data":"aa"}`,
			`{"role":"user","content":[{"document":{"format":"doc","source":{"bytes":"aa"},` +
				`"name":""}},{"document":{"format":"html","source":{"bytes":"aa"},"name":""}},` +
				`{"document":{"format":"txt","source":{"bytes":"aa"},"name":""}}]}`,
		},
	})
}

func TestConverseKeeps(t *testing.T) {
	same := func(m []preflight.Message) []preflight.Message { return m }
	model := func(block string) string { return `{"role":"assistant","content":[` + block + `]}` }
	user := func(block string) string { return `{"role":"user","content":[` + block + `]}` }
	result := func(
		change func(*preflight.ToolResult),
	) func([]preflight.Message) []preflight.Message {
		return part(0, 0, change)
	}
	call := func(change func(*preflight.ToolCall)) func([]preflight.Message) []preflight.Message {
		return part(0, 0, change)
	}
	media := func(change func(*preflight.Media)) func([]preflight.Message) []preflight.Message {
		return part(0, 0, change)
	}
	runEdits(t, "bedrock", []edits{
		{
			"a string becomes a list and keeps its spelling",
			`{"role":"user","content":"\u0061","x":1.0}`,
			same,
			`{"role":"user","content":[{"text":"\u0061"}],"x":1.0}`,
		},
		{
			"a string among blocks",
			user(`"\u0061"`),
			same,
			`{"role":"user","content":[{"text":"\u0061"}]}`,
		},
		{
			"reasoning",
			model(
				`{"reasoningContent":{"reasoningText":{"text":"a","signature":"QUJD","x":1.0}},` +
					`"y":1.0}`,
			),
			part(0, 0, func(r *preflight.Reasoning) { r.Text = "b" }),
			`{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"b",` +
				`"signature":"QUJD","x":1.0}},"y":1.0}]}`,
		},
		{
			"a signature that goes",
			model(`{"reasoningContent":{"reasoningText":{"text":"a","signature":"QUJD"}}}`),
			part(0, 0, func(r *preflight.Reasoning) { r.Signature = "" }),
			`{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"a"}}}]}`,
		},
		{
			"a signature that is none goes",
			model(`{"reasoningContent":{"reasoningText":{"text":"a","signature":7}}}`),
			part(0, 0, func(r *preflight.Reasoning) { r.Signature = "" }),
			`{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"a"}}}]}`,
		},
		{
			"redacted reasoning",
			model(`{"reasoningContent":{"redactedContent":"QUJD","x":1.0}}`),
			part(0, 0, func(r *preflight.Reasoning) { r.Opaque = "QUJE" }),
			`{"role":"assistant","content":[{"reasoningContent":{"redactedContent":"QUJE",` +
				`"x":1.0}}]}`,
		},
		{
			"redacted reasoning that can be read",
			model(`{"reasoningContent":{"redactedContent":"QUJD","x":1.0}}`),
			part(0, 0, func(r *preflight.Reasoning) { r.Opaque, r.Text = "", "t" }),
			`{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"t"}}}]}`,
		},
		{
			"a call",
			model(`{"toolUse":{"toolUseId":"t","name":"f","input":{ "a":1.0 },"x":1.0}}`),
			call(func(c *preflight.ToolCall) { c.Name = "g" }),
			`{"role":"assistant","content":[{"toolUse":{"toolUseId":"t","name":"g",` +
				`"input":{ "a":1.0 },"x":1.0}}]}`,
		},
		{
			"a call without arguments",
			model(`{"toolUse":{"toolUseId":"t","name":"f"}}`),
			call(func(c *preflight.ToolCall) { c.Name = "g" }),
			`{"role":"assistant","content":[{"toolUse":{"toolUseId":"t","name":"g","input":{}}}]}`,
		},
		{
			"a call that the provider ran",
			model(`{"toolUse":{"toolUseId":"t","name":"f","input":{},"type":"server_tool_use"}}`),
			call(func(c *preflight.ToolCall) { c.ProviderExecuted = false }),
			`{"role":"assistant","content":[{"toolUse":{"toolUseId":"t","name":"f","input":{}}}]}`,
		},
		{
			"a call of another type",
			model(`{"toolUse":{"toolUseId":"t","name":"f","input":{},"type":"later"}}`),
			call(func(c *preflight.ToolCall) { c.Name = "g" }),
			`{"role":"assistant","content":[{"toolUse":{"toolUseId":"t","name":"g","input":{},` +
				`"type":"later"}}]}`,
		},
		{
			"a result's id",
			user(
				`{"toolResult":{"toolUseId":"t","content":[ {"text":"a","x":1.0} ],` +
					`"status":"success","y":1.0}}`,
			),
			result(func(r *preflight.ToolResult) { r.CallID = "u" }),
			`{"role":"user","content":[{"toolResult":{"toolUseId":"u","content":[ {"text":"a",` +
				`"x":1.0} ],"status":"success","y":1.0}}]}`,
		},
		{
			"a result that now is an error",
			user(`{"toolResult":{"toolUseId":"t","content":[],"status":"success"}}`),
			result(func(r *preflight.ToolResult) { r.IsError = true }),
			`{"role":"user","content":[{"toolResult":{"toolUseId":"t","content":[],` +
				`"status":"error"}}]}`,
		},
		{
			"a result that is none any longer",
			user(`{"toolResult":{"toolUseId":"t","content":[],"status":"error"}}`),
			result(func(r *preflight.ToolResult) { r.IsError = false }),
			`{"role":"user","content":[{"toolResult":{"toolUseId":"t","content":[]}}]}`,
		},
		{
			"a result without content",
			user(`{"toolResult":{"toolUseId":"t"}}`),
			same,
			`{"role":"user","content":[{"toolResult":{"toolUseId":"t","content":[]}}]}`,
		},
		{
			"a result whose content is a string",
			user(`{"toolResult":{"toolUseId":"t","content":"\u0061"}}`),
			same,
			`{"role":"user","content":[{"toolResult":{"toolUseId":"t",` +
				`"content":[{"text":"\u0061"}]}}]}`,
		},
		{
			"JSON of a result stays while it says the same",
			user(`{"toolResult":{"toolUseId":"t","content":[{"json":{ "n":1.0 },"x":1.0}]}}`),
			result(func(r *preflight.ToolResult) { r.CallID = "u" }),
			`{"role":"user","content":[{"toolResult":{"toolUseId":"u",` +
				`"content":[{"json":{ "n":1.0 },"x":1.0}]}}]}`,
		},
		{
			"an image",
			user(`{"image":{"format":"png","source":{"bytes":"aa","x":1.0},"y":1.0}}`),
			media(func(m *preflight.Media) { m.Data = "bb" }),
			`{"role":"user","content":[{"image":{"format":"png","source":{"bytes":"bb","x":1.0},` +
				`"y":1.0}}]}`,
		},
		{
			"an image of another type",
			user(`{"image":{"format":"png","source":{"bytes":"aa"}}}`),
			media(func(m *preflight.Media) { m.MediaType = "image/jpeg" }),
			`{"role":"user","content":[{"image":{"format":"jpeg","source":{"bytes":"aa"}}}]}`,
		},
		{
			"a video that comes inline",
			user(`{"video":{"format":"mp4","source":{"s3Location":{"uri":"s3://b/k"}}}}`),
			media(func(m *preflight.Media) { m.Data, m.FileID = "aa", "" }),
			`{"role":"user","content":[{"video":{"format":"mp4","source":{"bytes":"aa"}}}]}`,
		},
		{
			"a video in another bucket",
			user(
				`{"video":{"format":"mp4","source":{"s3Location":{"uri":"s3://b/k",` +
					`"bucketOwner":"o"}}}}`,
			),
			media(func(m *preflight.Media) { m.FileID = "s3://b/l" }),
			`{"role":"user","content":[{"video":{"format":"mp4",` +
				`"source":{"s3Location":{"uri":"s3://b/l"}}}}]}`,
		},
		{
			"a video in its bucket",
			user(
				`{"video":{"format":"mp4","source":{"s3Location":{"uri":"s3://b/k",` +
					`"bucketOwner":"o"}}}}`,
			),
			media(func(m *preflight.Media) { m.MediaType = "video/webm" }),
			`{"role":"user","content":[{"video":{"format":"webm",` +
				`"source":{"s3Location":{"uri":"s3://b/k","bucketOwner":"o"}}}}]}`,
		},
		{
			"a document's name",
			user(`{"document":{"format":"pdf","name":"n","source":{"text":"x"},"citations":{}}}`),
			media(func(m *preflight.Media) { m.Name = "o" }),
			`{"role":"user","content":[{"document":{"format":"pdf","name":"o",` +
				`"source":{"text":"x"},"citations":{}}}]}`,
		},
		{
			"a document without a source",
			user(`{"document":{"format":"pdf","name":"n"}}`),
			media(func(m *preflight.Media) { m.Data = "aa" }),
			`{"role":"user","content":[{"document":{"format":"pdf","name":"n",` +
				`"source":{"bytes":"aa"}}}]}`,
		},
		{
			"an image that becomes a document",
			user(`{"image":{"format":"png","source":{"bytes":"aa"}}}`),
			media(
				func(m *preflight.Media) {
					m.Kind, m.MediaType, m.Name = "document", "application/pdf", "n"
				},
			),
			`{"role":"user","content":[{"document":{"format":"pdf","source":{"bytes":"aa"},` +
				`"name":"n"}}]}`,
		},
	})
}

func TestConverseRepairs(t *testing.T) {
	const ask, point = `{"role":"user","content":[{"text":"q"}]}`, `{"cachePoint":{"type":` +
		`"default"}}`
	const config = `"toolConfig":{"tools":[{"toolSpec":{"name":"f",` +
		`"inputSchema":{"json":{"type":"object"}}}}]},`
	body := func(model, messages string) string {
		return `{"modelId":"` + model + `",` + config + `"messages":[` + ask + `,` + messages + `]}`
	}
	const sonnet = "anthropic.claude-sonnet-4-5-20250929-v1:0"
	exchange := func(model, result string) string {
		return body(
			model,
			`{"role":"assistant","content":[{"toolUse":{"toolUseId":"t","name":"f",`+
				`"input":{}}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"t",`+
				result+`}}]}`,
		)
	}
	runRepairs(t, "bedrock", []repairs{
		{
			"cache points that come after nothing of their own",
			body(
				sonnet,
				`{"role":"assistant","content":[`+point+`,`+point+`,{"text":"a"},`+
					point+`]},{"role":"user","content":[{"text":"b"},`+point+`,`+
					point+`,{"cachePoint":7}]}`,
			),
			`{"modelId":"anthropic.claude-sonnet-4-5-20250929-v1:0",` +
				`"toolConfig":{"tools":[{"toolSpec":{"name":"f",` +
				`"inputSchema":{"json":{"type":"object"}}}}]},` +
				`"messages":[{"role":"user","content":[{"text":"q"}]},` +
				`{"role":"assistant","content":[{"text":"a"},` +
				`{"cachePoint":{"type":"default"}}]},{"role":"user","content":[{"text":"b"},` +
				`{"cachePoint":{"type":"default"}}]}]}`,
			[]string{
				"messages[1].content[1] cache-removed bedrock/cache-point-alone",
				"messages[1].content[0] cache-removed bedrock/cache-point-alone",
				"messages[2].content[2] cache-removed bedrock/cache-point-alone",
				"messages[2].content[3] shape-repaired preflight/shape",
			},
		},
		{
			"a cache point before all blocks",
			body(sonnet, `{"role":"assistant","content":[`+point+`,{"text":"a"}]},`+ask),
			`{"modelId":"anthropic.claude-sonnet-4-5-20250929-v1:0",` +
				`"toolConfig":{"tools":[{"toolSpec":{"name":"f",` +
				`"inputSchema":{"json":{"type":"object"}}}}]},` +
				`"messages":[{"role":"user","content":[{"text":"q"}]},` +
				`{"role":"assistant","content":[{"text":"a"},` +
				`{"cachePoint":{"type":"default"}}]},{"role":"user","content":[{"text":"q"}]}]}`,
			[]string{"messages[1].content[0] cache-moved bedrock/cache-point-alone"},
		},
		{
			"a result without content",
			exchange(sonnet, `"x":1.0`),
			`{"modelId":"anthropic.claude-sonnet-4-5-20250929-v1:0",` +
				`"toolConfig":{"tools":[{"toolSpec":{"name":"f",` +
				`"inputSchema":{"json":{"type":"object"}}}}]},` +
				`"messages":[{"role":"user","content":[{"text":"q"}]},` +
				`{"role":"assistant","content":[{"toolUse":{"toolUseId":"t","name":"f",` +
				`"input":{}}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"t",` +
				`"x":1.0,"content":[]}}]}]}`,
			[]string{"messages[2].content[0].toolResult.content shape-repaired preflight/shape"},
		},
		{
			"a result whose content is a block",
			exchange(sonnet, `"content":{"json":{"n":1.0}}`),
			`{"modelId":"anthropic.claude-sonnet-4-5-20250929-v1:0",` +
				`"toolConfig":{"tools":[{"toolSpec":{"name":"f",` +
				`"inputSchema":{"json":{"type":"object"}}}}]},` +
				`"messages":[{"role":"user","content":[{"text":"q"}]},` +
				`{"role":"assistant","content":[{"toolUse":{"toolUseId":"t","name":"f",` +
				`"input":{}}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"t",` +
				`"content":[{"json":{"n":1.0}}]}}]}]}`,
			[]string{"messages[2].content[0].toolResult.content shape-repaired preflight/shape"},
		},
		{
			"JSON that is no object",
			exchange(sonnet, `"content":[{"json":[1.0]},{"text":"a"}]`),
			`{"modelId":"anthropic.claude-sonnet-4-5-20250929-v1:0",` +
				`"toolConfig":{"tools":[{"toolSpec":{"name":"f",` +
				`"inputSchema":{"json":{"type":"object"}}}}]},` +
				`"messages":[{"role":"user","content":[{"text":"q"}]},` +
				`{"role":"assistant","content":[{"toolUse":{"toolUseId":"t","name":"f",` +
				`"input":{}}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"t",` +
				`"content":[{"text":"[1.0]"},{"text":"a"}]}}]}]}`,
			[]string{
				"messages[2].content[0].toolResult.content[0].json shape-repaired " +
					"bedrock/tool-result-json-object",
			},
		},
		{
			"a status that the model does not know",
			exchange(
				"us.writer.palmyra-x4-v1:0",
				`"content":[{"text":"a"}],"status":"success","x":1.0`,
			),
			`{"modelId":"us.writer.palmyra-x4-v1:0",` +
				`"toolConfig":{"tools":[{"toolSpec":{"name":"f",` +
				`"inputSchema":{"json":{"type":"object"}}}}]},` +
				`"messages":[{"role":"user","content":[{"text":"q"}]},` +
				`{"role":"assistant","content":[{"toolUse":{"toolUseId":"t","name":"f",` +
				`"input":{}}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"t",` +
				`"content":[{"text":"a"}],"x":1.0}}]}]}`,
			[]string{
				"messages[2].content[0].toolResult.status field-removed " +
					"bedrock/tool-result-status-model",
			},
		},
		{
			"a role that is missing",
			body(sonnet, `{"content":[{"text":"a"}]}`),
			`{"modelId":"anthropic.claude-sonnet-4-5-20250929-v1:0",` +
				`"toolConfig":{"tools":[{"toolSpec":{"name":"f",` +
				`"inputSchema":{"json":{"type":"object"}}}}]},` +
				`"messages":[{"role":"user","content":[{"text":"q"}]},` +
				`{"content":[{"text":"a"}],"role":"user"}]}`,
			[]string{"messages[1].role shape-repaired preflight/shape"},
		},
		{
			"names of the provider's own tools",
			body(
				sonnet,
				`{"role":"assistant","content":[{"toolUse":{"toolUseId":"s","name":"a.b",`+
					`"input":{},"type":"server_tool_use"}},`+
					`{"toolResult":{"toolUseId":"s","type":"x","content":[]}},{"text":"a"}]},`+
					ask,
			),
			`{"modelId":"anthropic.claude-sonnet-4-5-20250929-v1:0",` +
				`"toolConfig":{"tools":[{"toolSpec":{"name":"f",` +
				`"inputSchema":{"json":{"type":"object"}}}}]},` +
				`"messages":[{"role":"user","content":[{"text":"q"}]},` +
				`{"role":"assistant","content":[{"toolUse":{"toolUseId":"s",` +
				`"name":"a_b_2e7336dc","input":{},"type":"server_tool_use"}},` +
				`{"toolResult":{"toolUseId":"s","type":"x","content":[]}},{"text":"a"}]},` +
				`{"role":"user","content":[{"text":"q"}]}]}`,
			[]string{"messages[1].content[0].toolUse.name shape-repaired bedrock/tool-name"},
		},
		{
			"an empty tool configuration",
			strings.Replace(
				body(sonnet, `{"role":"assistant","content":[{"text":"a"}]},`+ask),
				config,
				`"toolConfig":{"tools":[]},`,
				1,
			),
			`{"modelId":"anthropic.claude-sonnet-4-5-20250929-v1:0","messages":[{"role":"user",` +
				`"content":[{"text":"q"}]},{"role":"assistant","content":[{"text":"a"}]},` +
				`{"role":"user","content":[{"text":"q"}]}]}`,
			[]string{"toolConfig field-removed bedrock/tool-config-required"},
		},
		{
			"a tool configuration that lists none, for a history that uses some",
			strings.Replace(
				exchange(sonnet, `"content":[]`),
				config,
				`"toolConfig":{"tools":[`+point+`]},`,
				1,
			),
			`{"modelId":"anthropic.claude-sonnet-4-5-20250929-v1:0",` +
				`"toolConfig":{"tools":[{"toolSpec":{"name":"f",` +
				`"inputSchema":{"json":{"type":"object"}}}}]},` +
				`"messages":[{"role":"user","content":[{"text":"q"}]},` +
				`{"role":"assistant","content":[{"toolUse":{"toolUseId":"t","name":"f",` +
				`"input":{}}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"t",` +
				`"content":[]}}]}]}`,
			[]string{
				"toolConfig tools-declared bedrock/tool-config-required",
				"toolConfig.tools shape-repaired preflight/shape",
			},
		},
		{
			"one whose list is no list",
			strings.Replace(
				exchange(sonnet, `"content":[]`),
				config,
				`"toolConfig":{"tools":"f","x":1.0},`,
				1,
			),
			`{"modelId":"anthropic.claude-sonnet-4-5-20250929-v1:0",` +
				`"toolConfig":{"tools":[{"toolSpec":{"name":"f",` +
				`"inputSchema":{"json":{"type":"object"}}}}],"x":1.0},` +
				`"messages":[{"role":"user","content":[{"text":"q"}]},` +
				`{"role":"assistant","content":[{"toolUse":{"toolUseId":"t","name":"f",` +
				`"input":{}}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"t",` +
				`"content":[]}}]}]}`,
			[]string{
				"toolConfig tools-declared bedrock/tool-config-required",
				"toolConfig.tools shape-repaired preflight/shape",
			},
		},
		{
			"one that is null",
			strings.Replace(
				exchange(sonnet, `"content":[]`),
				config,
				`"toolConfig":{"tools":null},`,
				1,
			),
			`{"modelId":"anthropic.claude-sonnet-4-5-20250929-v1:0",` +
				`"toolConfig":{"tools":[{"toolSpec":{"name":"f",` +
				`"inputSchema":{"json":{"type":"object"}}}}]},` +
				`"messages":[{"role":"user","content":[{"text":"q"}]},` +
				`{"role":"assistant","content":[{"toolUse":{"toolUseId":"t","name":"f",` +
				`"input":{}}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"t",` +
				`"content":[]}}]}]}`,
			[]string{"toolConfig tools-declared bedrock/tool-config-required"},
		},
		{
			"one that is an empty list",
			strings.Replace(
				exchange(sonnet, `"content":[]`),
				config,
				`"toolConfig":{"tools":[]},`,
				1,
			),
			`{"modelId":"anthropic.claude-sonnet-4-5-20250929-v1:0",` +
				`"toolConfig":{"tools":[{"toolSpec":{"name":"f",` +
				`"inputSchema":{"json":{"type":"object"}}}}]},` +
				`"messages":[{"role":"user","content":[{"text":"q"}]},` +
				`{"role":"assistant","content":[{"toolUse":{"toolUseId":"t","name":"f",` +
				`"input":{}}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"t",` +
				`"content":[]}}]}]}`,
			[]string{"toolConfig tools-declared bedrock/tool-config-required"},
		},
		{
			"no tool configuration",
			strings.Replace(exchange(sonnet, `"content":[]`), config, ``, 1),
			`{"modelId":"anthropic.claude-sonnet-4-5-20250929-v1:0","messages":[{"role":"user",` +
				`"content":[{"text":"q"}]},` +
				`{"role":"assistant","content":[{"toolUse":{"toolUseId":"t","name":"f",` +
				`"input":{}}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"t",` +
				`"content":[]}}]}],"toolConfig":{"tools":[{"toolSpec":{"name":"f",` +
				`"inputSchema":{"json":{"type":"object"}}}}]}}`,
			[]string{"toolConfig tools-declared bedrock/tool-config-required"},
		},
		{
			"none, where the provider ran a tool",
			strings.Replace(
				body(
					sonnet,
					`{"role":"assistant","content":[{"toolUse":{"toolUseId":"s","name":"g",`+
						`"input":{},"type":"server_tool_use"}},`+
						`{"toolResult":{"toolUseId":"s","type":"x","content":[]}},`+
						`{"toolUse":{"toolUseId":"t","name":"f","input":{}}}]},`+
						`{"role":"user","content":[{"toolResult":{"toolUseId":"t","content":[]}}]}`,
				),
				config,
				``,
				1,
			),
			`{"modelId":"anthropic.claude-sonnet-4-5-20250929-v1:0","messages":[{"role":"user",` +
				`"content":[{"text":"q"}]},` +
				`{"role":"assistant","content":[{"toolUse":{"toolUseId":"s","name":"g",` +
				`"input":{},"type":"server_tool_use"}},` +
				`{"toolResult":{"toolUseId":"s","type":"x","content":[]}},` +
				`{"toolUse":{"toolUseId":"t","name":"f","input":{}}}]},` +
				`{"role":"user","content":[{"toolResult":{"toolUseId":"t","content":[]}}]}],` +
				`"toolConfig":{"tools":[{"toolSpec":{"name":"f",` +
				`"inputSchema":{"json":{"type":"object"}}}},{"systemTool":{"name":"g"}}]}}`,
			[]string{"toolConfig tools-declared bedrock/tool-config-required"},
		},
		{
			"what is declared beside plain tools",
			`{"modelId":"` + sonnet +
				`","toolConfig":{"tools":[{"systemTool":{"name":"f"}},{"toolSpec":{"name":7}},` +
				`{"toolSpec":{"name":"a b"}},{"toolSpec":{"name":"f"}},` +
				`{"later":{}}],"toolChoice":{"tool":{"name":"a b"}}},"messages":[` +
				ask + `]}`,
			`{"modelId":"anthropic.claude-sonnet-4-5-20250929-v1:0",` +
				`"toolConfig":{"tools":[{"systemTool":{"name":"f"}},{"toolSpec":{"name":7}},` +
				`{"toolSpec":{"name":"a_b_c8687a08"}},{"toolSpec":{"name":"f"}},` +
				`{"later":{}}],"toolChoice":{"tool":{"name":"a_b_c8687a08"}}},` +
				`"messages":[{"role":"user","content":[{"text":"q"}]}]}`,
			[]string{
				"toolConfig.tools[2].toolSpec.name tool-renamed bedrock/tool-name",
				"toolConfig.toolChoice.tool.name tool-renamed bedrock/tool-name",
			},
		},
		{
			"short-lived cache points of tools before long-lived ones",
			`{"modelId":"` + sonnet + `","toolConfig":{"tools":[{"toolSpec":{"name":"f"}},` +
				point +
				`]},"messages":[{"role":"user","content":[{"text":"q"},` +
				`{"cachePoint":{"type":"default","ttl":"1h"}}]}]}`,
			`{"modelId":"anthropic.claude-sonnet-4-5-20250929-v1:0",` +
				`"toolConfig":{"tools":[{"toolSpec":{"name":"f"}},` +
				`{"cachePoint":{"type":"default"}}]},` +
				`"messages":[{"role":"user","content":[{"text":"q"},` +
				`{"cachePoint":{"type":"default"}}]}]}`,
			[]string{"messages[0].content[0] cache-changed anthropic/cache-control-ttl-order"},
		},
		{
			"long-lived cache points of tools",
			`{"modelId":"` + sonnet +
				`","toolConfig":{"tools":[{"toolSpec":{"name":"f"}},` +
				`{"cachePoint":{"type":"default","ttl":"1h"}}]},` +
				`"messages":[{"role":"user","content":[{"text":"q"},` +
				`{"cachePoint":{"type":"default","ttl":"1h"}}]}]}`,
			`{"modelId":"anthropic.claude-sonnet-4-5-20250929-v1:0",` +
				`"toolConfig":{"tools":[{"toolSpec":{"name":"f"}},` +
				`{"cachePoint":{"type":"default","ttl":"1h"}}]},` +
				`"messages":[{"role":"user","content":[{"text":"q"},` +
				`{"cachePoint":{"type":"default","ttl":"1h"}}]}]}`,
			nil,
		},
		{
			"cache points of tools leave less to the messages",
			`{"modelId":"` + sonnet + `","toolConfig":{"tools":[{"toolSpec":{"name":"f"}},` +
				point + `,{"toolSpec":{"name":"g"}},` + point + `,{"toolSpec":{"name":"h"}},` +
				point + `]},"messages":[{"role":"user","content":[{"text":"a"},` + point +
				`,{"text":"b"},` + point + `]}]}`,
			`{"modelId":"anthropic.claude-sonnet-4-5-20250929-v1:0",` +
				`"toolConfig":{"tools":[{"toolSpec":{"name":"f"}},` +
				`{"cachePoint":{"type":"default"}},{"toolSpec":{"name":"g"}},` +
				`{"cachePoint":{"type":"default"}},{"toolSpec":{"name":"h"}},` +
				`{"cachePoint":{"type":"default"}}]},` +
				`"messages":[{"role":"user","content":[{"text":"a"},{"text":"b"},` +
				`{"cachePoint":{"type":"default"}}]}]}`,
			[]string{"messages[0].content[0] cache-removed anthropic/cache-control-max4"},
		},
		{
			"and none where they are as many as there may be",
			`{"modelId":"` + sonnet + `","toolConfig":{"tools":[{"toolSpec":{"name":"f"}},` +
				point + `,{"toolSpec":{"name":"g"}},` + point + `,{"toolSpec":{"name":"h"}},` +
				point + `,{"toolSpec":{"name":"i"}},` + point +
				`]},"messages":[{"role":"user","content":[{"text":"a"},` + point + `]}]}`,
			`{"modelId":"anthropic.claude-sonnet-4-5-20250929-v1:0",` +
				`"toolConfig":{"tools":[{"toolSpec":{"name":"f"}},` +
				`{"cachePoint":{"type":"default"}},{"toolSpec":{"name":"g"}},` +
				`{"cachePoint":{"type":"default"}},{"toolSpec":{"name":"h"}},` +
				`{"cachePoint":{"type":"default"}},{"toolSpec":{"name":"i"}},` +
				`{"cachePoint":{"type":"default"}}]},` +
				`"messages":[{"role":"user","content":[{"text":"a"}]}]}`,
			[]string{"messages[0].content[0] cache-removed anthropic/cache-control-max4"},
		},
		{
			"an open answer, where the model thinks",
			`{"modelId":"` + sonnet +
				`","additionalModelRequestFields":{"thinking":{"type":"enabled",` +
				`"budget_tokens":1024}},"messages":[` +
				ask +
				`,{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":` +
				`"t","signature":"QUJD"}}},{"text":"a"}]}]}`,
			`{"modelId":"anthropic.claude-sonnet-4-5-20250929-v1:0",` +
				`"additionalModelRequestFields":{"thinking":{"type":"enabled",` +
				`"budget_tokens":1024}},"messages":[{"role":"user","content":[{"text":"q"}]},` +
				`{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":` +
				`"t","signature":"QUJD"}}},{"text":"a"}]},` +
				`{"role":"user","content":[{"text":"Continue."}]}]}`,
			[]string{"messages[1] trailing-continued anthropic/prefill-unsupported"},
		},
		{
			"cache points of tools that the model does not take",
			`{"modelId":"meta.llama3-1-70b-instruct-v1:0",` +
				`"toolConfig":{"tools":[{"toolSpec":{"name":"f"}},` +
				point + `]},"messages":[` + ask + `]}`,
			`{"modelId":"meta.llama3-1-70b-instruct-v1:0",` +
				`"toolConfig":{"tools":[{"toolSpec":{"name":"f"}}]},"messages":[` +
				ask + `]}`,
			[]string{"toolConfig.tools[1] cache-removed anthropic/cache-control-max4"},
		},
		{
			"a system prompt of which one block is none",
			`{"modelId":"` + sonnet +
				`","system":[ {"text":"s","x":1.0} , null, {"text":"t"} , ` + point +
				` ],"messages":[` + ask + `]}`,
			`{"modelId":"` + sonnet + `","system":[ {"text":"s","x":1.0} , {"text":"t"} , ` +
				point + ` ],"messages":[` + ask + `]}`,
			[]string{"system[1] shape-repaired preflight/shape"},
		},
		{
			"a system message that leads a bare list",
			`[{"role":"system","content":[{"text":"s"}]},` +
				`{"role":"assistant","content":[{"text":"a"}]},` +
				ask + `]`,
			`[{"role":"user","content":[{"text":"s"}]},` +
				`{"role":"assistant","content":[{"text":"a"}]},` +
				`{"role":"user","content":[{"text":"q"}]}]`,
			[]string{"messages[0] system-demoted anthropic/system-role-unsupported-model"},
		},
		{
			"an open answer, where it does not",
			`{"modelId":"` + sonnet + `","messages":[` + ask +
				`,{"role":"assistant","content":[{"text":"a"}]}]}`,
			`{"modelId":"anthropic.claude-sonnet-4-5-20250929-v1:0","messages":[{"role":"user",` +
				`"content":[{"text":"q"}]},{"role":"assistant","content":[{"text":"a"}]}]}`,
			nil,
		},
	})
}

// TestConverseFallbackKeepsThinking: thinking is switched off where nothing but missing reasoning
// is wrong, and not where a fallback helps against something else.
func TestConverseFallbackKeepsThinking(t *testing.T) {
	const head = `{"modelId":"anthropic.claude-sonnet-4-5-20250929-v1:0",` +
		`"additionalModelRequestFields":{"thinking":{"type":"enabled","budget_tokens":1024}},` +
		`"messages":[`
	const ask = `{"role":"user","content":[{"text":"q"}]}`
	options := &wire.Options{
		Sanitize: preflight.Options{Strict: true, FallbackToLastUser: true},
	}
	result, err := wire.Sanitize(
		context.Background(),
		[]byte(head+`{"role":"narrator","content":[{"text":"s"}]},`+ask+`]}`),
		options,
	)
	require.NoError(t, err)
	require.Equal(t, head+ask+`]}`, string(result.Body))
	require.Len(t, result.Warnings, 1)
	require.Equal(t, codes.Fallback, result.Warnings[0].Code)
}
