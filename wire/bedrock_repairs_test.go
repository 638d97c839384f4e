package wire_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/wire"
)

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
				"messages[2].content[2] cache-removed preflight/cache-point-repeated",
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
