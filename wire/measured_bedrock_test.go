package wire_test

import "testing"

// TestMeasuredBedrockRows: what was measured about Bedrock Converse and about Anthropic's format
// behind Bedrock, beside TestMeasuredConverse and TestMeasuredChatRefused.
func TestMeasuredBedrockRows(t *testing.T) {
	const (
		claude = "us.anthropic.claude-sonnet-4-5-20250929-v1:0"
		nova   = "us.amazon.nova-2-lite-v1:0"
		ask    = `{"role":"user","content":[{"text":"q"}]}`
		point  = `{"cachePoint":{"type":"default"}}`
		signed = `{"reasoningContent":{"reasoningText":{"text":"t","signature":"c2ln"}}}`
		bare   = `{"reasoningContent":{"reasoningText":{"text":"t"}}}`
	)
	body := func(messages string) string { return `{"messages":[` + messages + `]}` }
	bot := func(blocks string) string { return `{"role":"assistant","content":[` + blocks + `]}` }
	user := func(blocks string) string { return `{"role":"user","content":[` + blocks + `]}` }
	round := func(id, content string) string {
		return body(ask+`,`+bot(`{"toolUse":{"toolUseId":"`+id+`","name":"f","input":{}}}`)+`,`+
			user(`{"toolResult":{"toolUseId":"`+id+`","content":[`+content+`]}}`)) + "\n"
	}
	tools := func(in string) string {
		return in[:len(in)-2] +
			`,"toolConfig":{"tools":[{"toolSpec":{"name":"f",` +
			`"inputSchema":{"json":{"type":"object"}}}}]}}`
	}
	runMeasured(t, []measuredRow{
		{
			what:     "a cache point after reasoning",
			source:   "anomalyco/opencode#36517, 0xPlaygrounds/rig#1673",
			rule:     "bedrock/cache-point-after-reasoning",
			provider: "bedrock",
			model:    claude,
			in:       body(ask + `,` + bot(`{"text":"a"},`+signed+`,`+point) + `,` + ask),
			out:      body(ask + `,` + bot(`{"text":"a"},`+point+`,`+signed) + `,` + ask),
		},
		{
			what:     "a cache point alone",
			source:   "vercel/ai#19851, zed-industries/zed#59436",
			rule:     "bedrock/cache-point-alone",
			provider: "bedrock",
			model:    claude,
			in:       body(ask + `,` + bot(point) + `,` + ask),
			out:      body(ask + `,` + ask),
		},
		{
			what:     "a cache point after reasoning that goes",
			source:   "vercel/ai#19851",
			rule:     "bedrock/reasoning-content",
			provider: "bedrock",
			model:    claude,
			in:       body(ask + `,` + bot(bare+`,`+point) + `,` + ask),
			out:      body(user(`{"text":"q"},`+point) + `,` + ask),
		},
		{
			what:     "a cache point after a Markdown document",
			source:   "strands-agents/harness-sdk#1966, aws/aws-sdk-java-v2#6277",
			rule:     "bedrock/cache-point-after-document",
			provider: "bedrock",
			model:    claude,
			in: body(
				user(
					`{"text":"q"},{"document":{"format":"md","name":"d",` +
						`"source":{"bytes":"IyBk"}}},` +
						point,
				),
			),
			out: body(
				user(
					`{"text":"q"},` + point +
						`,{"document":{"format":"md","name":"d","source":{"bytes":"IyBk"}}}`,
				),
			),
		},
		{
			what:     "a cache point after a PDF document",
			source:   "strands-agents/harness-sdk#1966: unaffected",
			provider: "bedrock",
			model:    claude,
			in: body(
				user(
					`{"text":"q"},{"document":{"format":"pdf","name":"d",` +
						`"source":{"bytes":"JVBERi0xLjQKJSVFT0YK"}}},` +
						point,
				),
			),
		},
		{
			what:     "an id of Kimi's",
			source:   "measured: functions.add:0 accepted as it is, Bedrock among the hosts",
			provider: "bedrock",
			model:    "moonshot.kimi-k2-thinking",
			in:       tools(round("functions.add:0", `{"text":"x"}`)),
		},
		{
			what: "a video in a result for Nova",
			source: "pydantic-ai recording: #/messages/2/content/0: extraneous key [" +
				"toolResult] is not permitted",
			rule:     "bedrock/tool-result-video",
			provider: "bedrock",
			model:    nova,
			in: tools(
				round(
					"t1",
					`{"video":{"format":"mp4","source":{"s3Location":{"uri":"s3://b/v.mp4"}}}}`,
				),
			),
			out: tools(body(ask+`,`+bot(`{"toolUse":{"toolUseId":"t1","name":"f","input":{}}}`)+`,`+
				user(
					`{"toolResult":{"toolUseId":"t1",`+
						`"content":[{"text":"(see the media in the next user message)"}]}}`,
				)+`,`+
				user(
					`{"video":{"format":"mp4","source":{"s3Location":{"uri":"s3://b/v.mp4"}}}}`,
				)) + "\n"),
		},
		{
			what:     "an image by its address for Claude behind Bedrock",
			source:   "recorded: URL sources are not supported",
			rule:     "bedrock/media-unsupported",
			provider: "bedrock-anthropic",
			in: measuredBody(
				"anthropic.claude-sonnet-4-5",
				`{"role":"user","content":[{"type":"image","source":{"type":"url",`+
					`"url":"https://example.com/a.png"}},{"type":"text","text":"q"}]}`,
				"",
			),
			out: measuredBody(
				"anthropic.claude-sonnet-4-5",
				`{"role":"user","content":[{"type":"text",`+
					`"text":"[image: https://example.com/a.png]"},{"type":"text","text":"q"}]}`,
				"",
			),
		},
		{
			what:     "blocks of the newest SDK",
			source:   "bedrockruntime v1.63.10: searchResult, citationsContent, cachePoint.ttl",
			provider: "bedrock",
			model:    claude,
			in: body(
				user(
					`{"searchResult":{"source":"s","title":"t","content":[{"text":"x"}]}},`+
						`{"text":"q"},{"cachePoint":{"type":"default","ttl":"1h"}}`,
				) + `,` +
					bot(
						`{"citationsContent":{"content":[{"text":"a"}],"citations":[]}}`,
					) + `,` + ask,
			),
		},
	})
}
