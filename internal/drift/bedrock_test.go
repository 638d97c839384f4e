package drift

import (
	"strings"
	"testing"
)

func TestBedrock(t *testing.T) {
	sdk := sourcesOf(t, "github.com/aws/aws-sdk-go-v2/service/bedrockruntime", "types")
	const tools = `"toolConfig":{"tools":[{"toolSpec":{"name":"f",` +
		`"inputSchema":{"json":{"type":"object"}}}}]}`
	body := func(messages string) string {
		model := "us.anthropic.claude-opus-4-8-v1:0"
		if strings.Contains(messages, `"audio":`) || strings.Contains(messages, `"video":`) {
			model = "us.amazon.nova-2-omni-v1:0" // Claude takes neither
			if strings.Contains(messages, `"toolResult":`) {
				model = "example.unknown-v1:0" // nor does Nova, inside a tool result
			}
		}
		return `{"modelId":"` + model + `",` + tools +
			`,"messages":[{"role":"user","content":[{"text":"q"}]}` + messages + `]}`
	}
	said := func(blocks string) string {
		return `,{"role":"assistant","content":[` + blocks +
			`]},{"role":"user","content":[{"text":"r"}]}`
	}
	asked := func(block string) string {
		return `,{"role":"assistant","content":[{"text":"a"}]},` +
			`{"role":"user","content":[{"text":"q"},` +
			block + `]}`
	}
	result := func(block string) string {
		return `,{"role":"assistant","content":[{"toolUse":{"toolUseId":"tooluse_1","name":"f",` +
			`"input":{}}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"tooluse_1",` +
			`"content":[` +
			block + `]}}]}`
	}
	const (
		png = `{"image":{"format":"png","source":{"bytes":` +
			`"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"}}}`
		pdf   = `{"document":{"format":"pdf","name":"t","source":{"bytes":"JVBERi0="}}}`
		video = `{"video":{"format":"mp4","source":{"s3Location":{"uri":"s3://b/k"}}}}`
		found = `{"searchResult":{"source":"https://e","title":"t","content":[{"text":"x"}]}}`
	)
	for union, bodies := range map[string]cases{
		"ContentBlock": {"audio": asked(`{"audio":{"format":"wav","source":{"bytes":"UklGRg=="}}}`),
			"cachePoint": asked(`{"cachePoint":{"type":"default","ttl":"1h"}}`),
			"citationsContent": said(
				`{"citationsContent":{"content":[{"text":"a"}],"citations":[]}}`),
			"document": asked(pdf), "guardContent": asked(`{"guardContent":{"text":{"text":"x"}}}`),
			"image": asked(png),
			"reasoningContent": said(`{"reasoningContent":{"reasoningText":{"text":"t",` +
				`"signature":"QUJD"}}},{"text":"a"}`),
			"searchResult": asked(found), "text": said(`{"text":"a"}`),
			"toolAddition": asked(`{"toolAddition":{"name":"f"}}`),
			"toolRemoval":  asked(`{"toolRemoval":{"name":"f"}}`),
			"toolResult":   result(`{"text":"x"}`), "toolUse": result(`{"text":"x"}`),
			"video": asked(video)},
		"ToolResultContentBlock": {"document": result(pdf), "image": result(png),
			"json": result(`{"json":{"a":1.0}}`), "searchResult": result(found),
			"text": result(`{"text":"x"}`), "video": result(video)},
	} {
		members := sdk.variants(t, union)
		bodies.of(union, members).hold(t, "bedrock", members, body)
	}
	system := func(block string) string {
		return `{"modelId":"us.anthropic.claude-opus-4-8-v1:0","system":[{"text":"s"},` + block +
			`],"messages":[{"role":"user","content":[{"text":"q"}]}]}`
	}
	cases{
		"SystemContentBlock.cachePoint":   `{"cachePoint":{"type":"default"}}`,
		"SystemContentBlock.guardContent": `{"guardContent":{"text":{"text":"x"}}}`,
		"SystemContentBlock.text":         `{"text":"x"}`,
	}.hold(t, "bedrock", sdk.variants(t, "SystemContentBlock"), system)
}
