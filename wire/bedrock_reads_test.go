package wire_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/wire"
)

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
