package wire_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/wire"
)

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
		{"a result for the caller's call, which has the id of a search that Nova answered",
			grounded(own, answer+`{"toolUse":{"toolUseId":"t_1","name":"f","input":{}}},`),
			"anthropic/tool-use-id-duplicate"},
		{
			"a result with the id of another search than the one that Nova answered",
			grounded(own, strings.ReplaceAll(answer, "t_1", "t_2")), "bedrock/tool-result-exceeds",
		},
	} {
		result, err := wire.Sanitize(context.Background(), []byte(c.body),
			&wire.Options{Provider: "bedrock"})
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

func TestConverseKeeps(t *testing.T) {
	model := func(block string) string { return `{"role":"assistant","content":[` + block + `]}` }
	user := func(block string) string { return `{"role":"user","content":[` + block + `]}` }
	runEdits(t, "bedrock", []edits{
		{"a string becomes a list and keeps its spelling",
			`{"role":"user","content":"\u0061","x":1.0}`, same,
			`{"role":"user","content":[{"text":"\u0061"}],"x":1.0}`},
		{"a string among blocks", user(`"\u0061"`), same,
			`{"role":"user","content":[{"text":"\u0061"}]}`},
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
		{"a signature that goes",
			model(`{"reasoningContent":{"reasoningText":{"text":"a","signature":"QUJD"}}}`),
			part(0, 0, func(r *preflight.Reasoning) { r.Signature = "" }),
			`{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"a"}}}]}`},
		{"a signature that is none goes",
			model(`{"reasoningContent":{"reasoningText":{"text":"a","signature":7}}}`),
			part(0, 0, func(r *preflight.Reasoning) { r.Signature = "" }),
			`{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"a"}}}]}`},
		{
			"redacted reasoning",
			model(`{"reasoningContent":{"redactedContent":"QUJD","x":1.0}}`),
			part(0, 0, func(r *preflight.Reasoning) { r.Opaque = "QUJE" }),
			`{"role":"assistant","content":[{"reasoningContent":{"redactedContent":"QUJE",` +
				`"x":1.0}}]}`,
		},
		{"redacted reasoning that can be read",
			model(`{"reasoningContent":{"redactedContent":"QUJD","x":1.0}}`),
			part(0, 0, func(r *preflight.Reasoning) { r.Opaque, r.Text = "", "t" }),
			`{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"t"}}}]}`},
		{
			"a call",
			model(`{"toolUse":{"toolUseId":"t","name":"f","input":{ "a":1.0 },"x":1.0}}`),
			part(0, 0, func(c *preflight.ToolCall) { c.Name = "g" }),
			`{"role":"assistant","content":[{"toolUse":{"toolUseId":"t","name":"g",` +
				`"input":{ "a":1.0 },"x":1.0}}]}`,
		},
		{"a call without arguments", model(`{"toolUse":{"toolUseId":"t","name":"f"}}`),
			part(0, 0, func(c *preflight.ToolCall) { c.Name = "g" }),
			`{"role":"assistant","content":[{"toolUse":{"toolUseId":"t","name":"g","input":{}}}]}`},
		{"a call that the provider ran",
			model(`{"toolUse":{"toolUseId":"t","name":"f","input":{},"type":"server_tool_use"}}`),
			part(0, 0, func(c *preflight.ToolCall) { c.ProviderExecuted = false }),
			`{"role":"assistant","content":[{"toolUse":{"toolUseId":"t","name":"f","input":{}}}]}`},
		{
			"a call of another type",
			model(`{"toolUse":{"toolUseId":"t","name":"f","input":{},"type":"tool_use"}}`),
			part(0, 0, func(c *preflight.ToolCall) { c.Name = "g" }),
			`{"role":"assistant","content":[{"toolUse":{"toolUseId":"t","name":"g","input":{},` +
				`"type":"tool_use"}}]}`,
		},
		{
			"a result's id",
			user(
				`{"toolResult":{"toolUseId":"t","content":[ {"text":"a","x":1.0} ],` +
					`"status":"success","y":1.0}}`,
			),
			part(0, 0, func(r *preflight.ToolResult) { r.CallID = "u" }),
			`{"role":"user","content":[{"toolResult":{"toolUseId":"u","content":[ {"text":"a",` +
				`"x":1.0} ],"status":"success","y":1.0}}]}`,
		},
		{
			"a result that now is an error",
			user(`{"toolResult":{"toolUseId":"t","content":[],"status":"success"}}`),
			part(0, 0, func(r *preflight.ToolResult) { r.IsError = true }),
			`{"role":"user","content":[{"toolResult":{"toolUseId":"t","content":[],` +
				`"status":"error"}}]}`,
		},
		{"a result that is none any longer",
			user(`{"toolResult":{"toolUseId":"t","content":[],"status":"error"}}`),
			part(0, 0, func(r *preflight.ToolResult) { r.IsError = false }),
			`{"role":"user","content":[{"toolResult":{"toolUseId":"t","content":[]}}]}`},
		{"a result without content", user(`{"toolResult":{"toolUseId":"t"}}`), same,
			`{"role":"user","content":[{"toolResult":{"toolUseId":"t","content":[]}}]}`},
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
			part(0, 0, func(r *preflight.ToolResult) { r.CallID = "u" }),
			`{"role":"user","content":[{"toolResult":{"toolUseId":"u",` +
				`"content":[{"json":{ "n":1.0 },"x":1.0}]}}]}`,
		},
		{
			"an image",
			user(`{"image":{"format":"png","source":{"bytes":"aa","x":1.0},"y":1.0}}`),
			part(0, 0, func(m *preflight.Media) { m.Data = "bb" }),
			`{"role":"user","content":[{"image":{"format":"png","source":{"bytes":"bb","x":1.0},` +
				`"y":1.0}}]}`,
		},
		{"an image of another type", user(`{"image":{"format":"png","source":{"bytes":"aa"}}}`),
			part(0, 0, func(m *preflight.Media) { m.MediaType = "image/jpeg" }),
			`{"role":"user","content":[{"image":{"format":"jpeg","source":{"bytes":"aa"}}}]}`},
		{"a video that comes inline",
			user(`{"video":{"format":"mp4","source":{"s3Location":{"uri":"s3://b/k"}}}}`),
			part(0, 0, func(m *preflight.Media) { m.Data, m.FileID = "aa", "" }),
			`{"role":"user","content":[{"video":{"format":"mp4","source":{"bytes":"aa"}}}]}`},
		{
			"a video in another bucket",
			user(
				`{"video":{"format":"mp4","source":{"s3Location":{"uri":"s3://b/k",` +
					`"bucketOwner":"o"}}}}`,
			),
			part(0, 0, func(m *preflight.Media) { m.FileID = "s3://b/l" }),
			`{"role":"user","content":[{"video":{"format":"mp4",` +
				`"source":{"s3Location":{"uri":"s3://b/l"}}}}]}`,
		},
		{
			"a video in its bucket",
			user(
				`{"video":{"format":"mp4","source":{"s3Location":{"uri":"s3://b/k",` +
					`"bucketOwner":"o"}}}}`,
			),
			part(0, 0, func(m *preflight.Media) { m.MediaType = "video/webm" }),
			`{"role":"user","content":[{"video":{"format":"webm",` +
				`"source":{"s3Location":{"uri":"s3://b/k","bucketOwner":"o"}}}}]}`,
		},
		{
			"a document's name",
			user(`{"document":{"format":"pdf","name":"n","source":{"text":"x"},"citations":{}}}`),
			part(0, 0, func(m *preflight.Media) { m.Name = "o" }),
			`{"role":"user","content":[{"document":{"format":"pdf","name":"o",` +
				`"source":{"text":"x"},"citations":{}}}]}`,
		},
		{
			"a document without a source",
			user(`{"document":{"format":"pdf","name":"n"}}`),
			part(0, 0, func(m *preflight.Media) { m.Data = "aa" }),
			`{"role":"user","content":[{"document":{"format":"pdf","name":"n",` +
				`"source":{"bytes":"aa"}}}]}`,
		},
		{
			"an image that becomes a document",
			user(`{"image":{"format":"png","source":{"bytes":"aa"}}}`),
			part(0, 0,
				func(m *preflight.Media) {
					m.Kind, m.MediaType, m.Name = "document", "application/pdf", "n"
				},
			),
			`{"role":"user","content":[{"document":{"format":"pdf","source":{"bytes":"aa"},` +
				`"name":"n"}}]}`,
		},
	})
}
