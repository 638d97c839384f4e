package preflighttest_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/wire"
)

// own are blocks of each format, which every other format refuses.
var own = map[string][]string{
	"anthropic": {`{"type":"tool_use","id":"toolu_9","name":"f","input":{}}`,
		`{"type":"tool_result","tool_use_id":"toolu_1","content":"r"}`,
		`{"type":"thinking","thinking":"t","signature":"QUJD"}`,
		`{"type":"image","source":{"type":"base64","media_type":"image/png",` +
			`"data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"}}`,
		`{"type":"document","source":{"type":"text","media_type":"text/plain","data":"d"}}`},
	"openai-chat": {`{"type":"image_url","image_url":{"url":"data:image/png;base64,` +
		`iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"}}`,
		`{"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,` +
			`JVBERi0xLjQKJSVFT0YK"}}`},
	"openai-responses": {`{"type":"input_text","text":"t"}`,
		`{"type":"output_text","text":"t","annotations":[]}`,
		`{"type":"input_image","image_url":"https://e/x.png"}`,
		`{"type":"function_call","call_id":"call_9","name":"f","arguments":"{}"}`,
		`{"type":"function_call_output","call_id":"call_1","output":"r"}`,
		`{"type":"reasoning","id":"rs_9","summary":[]}`,
		`{"type":"web_search_call","id":"ws_9","status":"completed","action":{"type":"search",` +
			`"query":"q"}}`},
	"gemini": {`{"functionCall":{"name":"f","args":{}}}`,
		`{"functionResponse":{"name":"f","response":{"output":"r"}}}`,
		`{"inlineData":{"mimeType":"image/png",` +
			`"data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"}}`,
		`{"executableCode":{"language":"PYTHON","code":"c"}}`},
	"bedrock": {`{"toolUse":{"toolUseId":"tooluse_9","name":"f","input":{}}}`,
		`{"toolResult":{"toolUseId":"toolu_1","content":[{"text":"r"}]}}`,
		`{"image":{"format":"png",` +
			`"source":{"bytes":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"}}}`,
		`{"cachePoint":{"type":"default"}}`},
	"mistral": {`{"type":"document_url","document_url":"https://e/a.pdf"}`},
}

// shared are formats that have the blocks of another.
var shared = map[string][]string{
	"mistral": {"openai-chat"},
	"cohere":  {"openai-chat"},
	"ollama":  {"openai-chat"},
}

// taken are blocks of others that a format has too, or may: text beside a member that it does not
// know.
var taken = map[string][]string{
	"mistral": {`"type":"image"`, `"type":"thinking"`},
	"cohere":  {`"type":"thinking"`, `"type":"document"`},
	"bedrock": {`"text":"t"`},
}

// hosts are bodies of each format with room for a block in a message of each role.
var hosts = map[string][]string{
	"anthropic": {`{"model":"claude-sonnet-4-5","max_tokens":9,"tools":[{"name":"f",` +
		`"input_schema":{"type":"object"}}],"messages":[{"role":"user",` +
		`"content":[{"type":"text","text":"q"},BLOCK]}]}`,
		`{"model":"claude-sonnet-4-5","max_tokens":9,"tools":[{"name":"f",` +
			`"input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"q"},` +
			`{"role":"assistant","content":[{"type":"text","text":"a"},BLOCK]},{"role":"user",` +
			`"content":"r"}]}`,
		`{"model":"claude-sonnet-4-5","max_tokens":9,"tools":[{"name":"f",` +
			`"input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"q"},` +
			`{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f",` +
			`"input":{}}]},{"role":"user","content":[{"type":"tool_result",` +
			`"tool_use_id":"toolu_1","content":[{"type":"text","text":"x"},BLOCK]}]}]}`},
	"openai-chat": {`{"model":"gpt-5.4","messages":[{"role":"user","content":[{"type":"text",` +
		`"text":"q"},BLOCK]}]}`,
		`{"model":"gpt-5.4","messages":[{"role":"user","content":"q"},{"role":"assistant",` +
			`"content":[{"type":"text","text":"a"},BLOCK]},{"role":"user","content":"r"}]}`},
	"openai-responses": {`{"model":"gpt-5.4","input":[{"role":"user",` +
		`"content":[{"type":"input_text","text":"q"},BLOCK]}]}`,
		`{"model":"gpt-5.4","input":[{"role":"user","content":"q"},{"role":"assistant",` +
			`"content":[{"type":"output_text","text":"a"},BLOCK]},{"role":"user","content":"r"}]}`,
		`{"model":"gpt-5.4","input":[{"role":"user","content":"q"},BLOCK]}`},
	"gemini": {`{"model":"gemini-2.5-pro","contents":[{"role":"user","parts":[{"text":"q"},` +
		`BLOCK]}]}`,
		`{"model":"gemini-2.5-pro","contents":[{"role":"user","parts":[{"text":"q"}]},` +
			`{"role":"model","parts":[{"text":"a"},BLOCK]},{"role":"user",` +
			`"parts":[{"text":"r"}]}]}`},
	"bedrock": {`{"modelId":"anthropic.claude-sonnet-4-5-20250929-v1:0",` +
		`"messages":[{"role":"user","content":[{"text":"q"},BLOCK]}]}`,
		`{"modelId":"anthropic.claude-sonnet-4-5-20250929-v1:0","messages":[{"role":"user",` +
			`"content":[{"text":"q"}]},{"role":"assistant","content":[{"text":"a"},BLOCK]},` +
			`{"role":"user","content":[{"text":"r"}]}]}`},
	"mistral": {`{"model":"mistral-large-latest","messages":[{"role":"user",` +
		`"content":[{"type":"text","text":"q"},BLOCK]}]}`,
		`{"model":"mistral-large-latest","messages":[{"role":"user","content":"q"},` +
			`{"role":"assistant","content":[{"type":"text","text":"a"},BLOCK]},{"role":"user",` +
			`"content":"r"}]}`},
	"cohere": {
		`{"model":"command-a-03-2025","messages":[{"role":"user","content":[{"type":"text",` +
			`"text":"q"},BLOCK]}]}`,
	},
	"ollama": {
		`{"model":"qwen3","messages":[{"role":"user","content":[{"type":"text","text":"q"},` +
			`BLOCK]}]}`,
	},
}

// TestBlocksOfOthers: the fake refuses a block of another format, the check sees it, and the fake
// accepts what preflight makes of it.
func TestBlocksOfOthers(t *testing.T) {
	for provider, bodies := range hosts {
		for n, host := range bodies {
			for format, blocks := range own {
				if format == provider || slices.Contains(shared[provider], format) {
					continue
				}
				for k, block := range blocks {
					t.Run(fmt.Sprintf("%s/%d/%s/%d", provider, n, format, k), func(t *testing.T) {
						if slices.ContainsFunc(taken[provider],
							func(own string) bool { return strings.Contains(block, own) }) {
							return
						}
						body := []byte(strings.Replace(host, "BLOCK", block, 1))
						violations, err := preflighttest.Violations(provider, body)
						require.NoError(t, err)
						require.NotEmpty(t, violations, "the fake accepts %s", body)
						report, err := wire.Check(body, &wire.Options{Provider: provider})
						require.NoError(t, err)
						require.NotEmpty(t, report.Violations, "Check sees nothing in %s", body)
						result, err := wire.Sanitize(context.Background(), body,
							&wire.Options{Provider: provider})
						require.NoError(t, err)
						violations, err = preflighttest.Violations(provider, result.Body)
						require.NoError(t, err)
						require.Empty(t, violations, "%s\nbecame %s", body, result.Body)
					})
				}
			}
		}
	}
}
