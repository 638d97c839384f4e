package wire_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/wire"
)

// foreignBlocks are a block of every type that one format has and others do not. None names the
// format it is from: the tables of package rule do.
var foreignBlocks = []string{
	`{"type":"text","text":"said"}`, `{"type":"input_text","text":"said"}`,
	`{"type":"output_text","text":"said","annotations":[]}`,
	`{"type":"refusal","refusal":"said"}`,
	`{"type":"thinking","thinking":"thought","signature":"QUJD"}`,
	`{"type":"thinking","thinking":[{"type":"text","text":"thought"}]}`,
	`{"type":"redacted_thinking","data":"QUJD"}`,
	`{"type":"reasoning","id":"rs_9","summary":[{"type":"summary_text","text":"thought"}],` +
		`"encrypted_content":"gAAA"}`,
	`{"type":"tool_use","id":"toolu_9","name":"g","input":{"q":1}}`,
	`{"type":"tool_result","tool_use_id":"toolu_1","content":"said"}`,
	`{"type":"tool_result","tool_use_id":"call_1","is_error":true,"content":[{"type":"text",` +
		`"text":"said"},{"type":"image","source":{"type":"base64","media_type":"image/png",` +
		`"data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"}}]}`,
	`{"type":"function_call","call_id":"call_9","name":"g","arguments":"{\"q\":1}"}`,
	`{"type":"function_call_output","call_id":"call_1","output":"said"}`,
	`{"type":"function_call_output","call_id":"toolu_1","output":[{"type":"input_text",` +
		`"text":"said"}]}`,
	`{"type":"custom_tool_call","call_id":"call_9","name":"g","input":"free"}`,
	`{"type":"custom_tool_call_output","call_id":"call_9","output":"said"}`,
	`{"type":"local_shell_call","call_id":"call_9","action":{"type":"exec","command":["ls"]},` +
		`"status":"completed"}`,
	`{"type":"function","id":"call_9","function":{"name":"g","arguments":"{}"}}`,
	`{"functionCall":{"id":"x9","name":"g","args":{"q":1}}}`,
	`{"functionResponse":{"name":"f","response":{"output":"said"}}}`,
	`{"function_call":{"name":"g","args":{}}}`, `{"text":"thought","thought":true}`,
	`{"toolUse":{"toolUseId":"tooluse_9","name":"g","input":{}}}`,
	`{"toolResult":{"toolUseId":"toolu_1","content":[{"json":{"a":"said"}}]}}`,
	`{"reasoningContent":{"reasoningText":{"text":"thought","signature":"QUJD"}}}`,
	`{"cachePoint":{"type":"default"}}`,
	`{"type":"image","source":{"type":"base64","media_type":"image/png",` +
		`"data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"}}`,
	`{"type":"image","source":{"type":"file","file_id":"file_1"}}`,
	`{"type":"document","source":{"type":"text","media_type":"text/plain","data":"said"},` +
		`"title":"t"}`,
	`{"type":"image_url","image_url":{"url":"data:image/png;base64,` +
		`iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ","detail":"low"}}`,
	`{"type":"input_image","image_url":"https://e/x.png"}`,
	`{"type":"input_audio","input_audio":{"data":"UklGRg==","format":"wav"}}`,
	`{"type":"document_url","document_url":"https://e/a.pdf"}`,
	`{"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,` +
		`JVBERi0="}}`,
	`{"type":"input_file","filename":"a.pdf","file_data":"data:application/pdf;base64,JVBERi0="}`,
	`{"type":"file","file":{"file_id":"file_1"}}`,
	`{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"}}`,
	`{"file_data":{"mime_type":"application/pdf","file_uri":"https://e/a.pdf"}}`,
	`{"image":{"format":"png","source":{"bytes":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"}}}`,
	`{"video":{"format":"mp4","source":{"s3Location":{"uri":"s3://b/k"}}}}`,
	`{"type":"server_tool_use","id":"srvtoolu_9","name":"web_search","input":{"query":"said"}}`,
	`{"type":"web_search_tool_result","tool_use_id":"srvtoolu_9",` +
		`"content":[{"type":"web_search_result","url":"said","title":"t",` +
		`"encrypted_content":"QUJD"}]}`,
	`{"type":"mcp_tool_use","id":"mcptoolu_9","name":"m","server_name":"s","input":{}}`,
	`{"type":"container_upload","file_id":"file_1"}`,
	`{"type":"search_result","source":"https://e","title":"t","content":[{"type":"text",` +
		`"text":"said"}]}`,
	`{"type":"tool_reference","tool_name":"f"}`,
	`{"type":"compaction","content":"said"}`,
	`{"type":"fallback","from":{"model":"a"},"to":{"model":"b"}}`,
	`{"type":"web_search_call","id":"ws_9","status":"completed","action":{"type":"search",` +
		`"query":"said"}}`,
	`{"type":"image_generation_call","id":"ig_9","status":"completed",` +
		`"result":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"}`,
	`{"type":"mcp_call","id":"mcp_9","name":"m","server_label":"s","arguments":"{}",` +
		`"output":"said"}`,
	`{"type":"item_reference","id":"rs_9"}`,
	`{"executableCode":{"language":"PYTHON","code":"said"}}`,
	`{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"said"}}`,
	`{"toolCall":{"id":"t9","toolType":"GOOGLE_SEARCH_WEB","args":{}}}`,
	`{"guardContent":{"text":{"text":"said"}}}`,
	`{"citationsContent":{"content":[{"text":"said"}],"citations":[]}}`,
	`{"searchResult":{"source":"https://e","title":"t","content":[{"text":"said"}]}}`,
	`{"type":"reference","reference_ids":[1]}`, `{"type":"tool_result"}`,
	`{"type":"tool_use","id":7,"name":"g"}`, `{"type":"function_call"}`,
	`{"type":"image"}`, `{"inlineData":{}}`, `{"type":"reasoning_text","text":"thought"}`,
	`{"type":"computer_screenshot","image_url":"u"}`,
	`{"type":"user_input","content":[{"type":"text","text":"said"}]}`,
	`{"type":"model_output","content":[{"type":"text","text":"said"},{"type":"image","uri":"u"}]}`,
	`{"type":"thought","signature":"QUJD","summary":[{"type":"text","text":"thought"}]}`,
	`{"type":"function_call","id":"c9","name":"g","arguments":{"q":1}}`,
	`{"type":"function_result","call_id":"call_1","result":"said"}`,
	`{"type":"google_search_result","call_id":"s9","result":[{"url":"said"}]}`,
}

// TestForeignWords: the words of a step stay those of the side that said them, in a list of
// messages of another format.
func TestForeignWords(t *testing.T) {
	for provider, body := range map[string]string{
		"anthropic": `{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[` +
			`{"role":"user","content":"q"},STEP,{"role":"user","content":"r"}]}`,
		"openai-chat":      `{"model":"gpt-5","messages":[{"role":"user","content":"q"},STEP]}`,
		"openai-responses": `{"model":"gpt-5","input":[{"role":"user","content":"q"},STEP]}`,
		"gemini":           `{"contents":[{"role":"user","parts":[{"text":"q"}]},STEP]}`,
	} {
		for kind, role := range map[string]preflight.Role{
			"user_input": preflight.RoleUser, "model_output": preflight.RoleAssistant,
		} {
			step := `{"type":"` + kind + `","content":[{"type":"text","text":"said"}]}`
			r, err := wire.Decode([]byte(strings.Replace(body, "STEP", step, 1)),
				&wire.Options{Provider: provider})
			require.NoError(t, err)
			found := false
			for _, m := range r.Messages {
				for _, p := range m.Parts {
					if text, ok := p.(*preflight.Text); ok && text.Text == "said" {
						found = true
						require.Equal(t, role, m.Role, "%s %s", provider, kind)
					}
				}
			}
			require.True(t, found, "%s %s", provider, kind)
		}
	}
}

// blockPlaces are bodies of each format with a place for a block: in every role, in a tool result,
// and among the messages.
var blockPlaces = map[string][]string{
	"anthropic": {
		`{"model":"claude-sonnet-4-5","max_tokens":9,"tools":[{"name":"f",` +
			`"input_schema":{"type":"object"}}],` +
			`"messages":[{"role":"user","content":[{"type":"text","text":"q"},BLOCK]}]}`,
		`{"model":"claude-sonnet-4-5","max_tokens":9,"tools":[{"name":"f",` +
			`"input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"q"},` +
			`{"role":"assistant","content":[{"type":"text","text":"a"},BLOCK]},` +
			`{"role":"user","content":"r"}]}`,
		`{"model":"claude-sonnet-4-5","max_tokens":9,"tools":[{"name":"f",` +
			`"input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"q"},` +
			`{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f",` +
			`"input":{}}]},{"role":"user","content":[{"type":"tool_result",` +
			`"tool_use_id":"toolu_1","content":[{"type":"text","text":"x"},BLOCK]}]}]}`,
		`{"model":"claude-sonnet-4-5","max_tokens":9,"tools":[{"name":"f",` +
			`"input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"q"},` +
			`{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f",` +
			`"input":{}}]},{"role":"user","content":[BLOCK]}]}`,
		`{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[{"role":"user","content":"q"},` +
			`BLOCK]}`,
		`{"model":"claude-sonnet-4-5","max_tokens":9,"system":[{"type":"text","text":"s"},` +
			`BLOCK],"messages":[{"role":"user","content":"q"}]}`,
	},
	"openai-chat": {
		`{"model":"gpt-5.4","messages":[{"role":"user","content":[{"type":"text","text":"q"},` +
			`BLOCK]}]}`,
		`{"model":"gpt-5.4","messages":[{"role":"user","content":"q"},` +
			`{"role":"assistant","content":[{"type":"text","text":"a"},BLOCK]},` +
			`{"role":"user","content":"r"}]}`,
		`{"model":"gpt-5.4","messages":[{"role":"user","content":"q"},` +
			`{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function",` +
			`"function":{"name":"f","arguments":"{}"}}]},` +
			`{"role":"tool","tool_call_id":"call_1","content":[{"type":"text","text":"x"},` +
			`BLOCK]}]}`,
		`{"model":"gpt-5.4","messages":[{"role":"user","content":"q"},` +
			`{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function",` +
			`"function":{"name":"f","arguments":"{}"}}]},{"role":"user","content":[BLOCK]}]}`,
		`{"model":"gpt-5.4","messages":[{"role":"user","content":"q"},BLOCK]}`,
		`{"model":"gpt-5.4","messages":[{"role":"system","content":[{"type":"text","text":"s"},` +
			`BLOCK]},{"role":"user","content":"q"}]}`,
	},
	"openai-responses": {
		`{"model":"gpt-5.4","input":[{"role":"user","content":[{"type":"input_text","text":"q"},` +
			`BLOCK]}]}`,
		`{"model":"gpt-5.4","input":[{"role":"user","content":"q"},` +
			`{"role":"assistant","content":[{"type":"output_text","text":"a"},BLOCK]},` +
			`{"role":"user","content":"r"}]}`,
		`{"model":"gpt-5.4","input":[{"role":"user","content":"q"},` +
			`{"type":"function_call","call_id":"call_1","name":"f","arguments":"{}"},` +
			`{"type":"function_call_output","call_id":"call_1","output":[{"type":"input_text",` +
			`"text":"x"},BLOCK]}]}`,
		`{"model":"gpt-5.4","input":[{"role":"user","content":"q"},` +
			`{"type":"function_call","call_id":"call_1","name":"f","arguments":"{}"},` +
			`{"role":"user","content":[BLOCK]}]}`,
		`{"model":"gpt-5.4","input":[{"role":"user","content":"q"},BLOCK]}`,
	},
	"gemini": {
		`{"contents":[{"role":"user","parts":[{"text":"q"},BLOCK]}]}`,
		`{"contents":[{"role":"user","parts":[{"text":"q"}]},` +
			`{"role":"model","parts":[{"text":"a"},BLOCK]},` +
			`{"role":"user","parts":[{"text":"r"}]}]}`,
		`{"contents":[{"role":"user","parts":[{"text":"q"}]},` +
			`{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]},` +
			`{"role":"user","parts":[BLOCK]}]}`,
		`{"contents":[{"role":"user","parts":[{"text":"q"}]},BLOCK]}`,
	},
	"bedrock": {
		`{"modelId":"anthropic.claude-sonnet-4-5-20250929-v1:0","messages":[{"role":"user",` +
			`"content":[{"text":"q"},BLOCK]}]}`,
		`{"modelId":"anthropic.claude-sonnet-4-5-20250929-v1:0","messages":[{"role":"user",` +
			`"content":[{"text":"q"}]},{"role":"assistant","content":[{"text":"a"},BLOCK]},` +
			`{"role":"user","content":[{"text":"r"}]}]}`,
		`{"modelId":"anthropic.claude-sonnet-4-5-20250929-v1:0",` +
			`"toolConfig":{"tools":[{"toolSpec":{"name":"f",` +
			`"inputSchema":{"json":{"type":"object"}}}}]},` +
			`"messages":[{"role":"user","content":[{"text":"q"}]},` +
			`{"role":"assistant","content":[{"toolUse":{"toolUseId":"toolu_1","name":"f",` +
			`"input":{}}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"toolu_1",` +
			`"content":[{"text":"x"},BLOCK]}}]}]}`,
		`{"modelId":"anthropic.claude-sonnet-4-5-20250929-v1:0","messages":[{"role":"user",` +
			`"content":[{"text":"q"}]},BLOCK]}`,
	},
	"mistral": {
		`{"model":"mistral-large-latest","messages":[{"role":"user","content":[{"type":"text",` +
			`"text":"q"},BLOCK]}]}`,
		`{"model":"mistral-large-latest","messages":[{"role":"user","content":"q"},` +
			`{"role":"assistant","content":[{"type":"text","text":"a"},BLOCK]},` +
			`{"role":"user","content":"r"}]}`,
	},
	"cohere": {
		`{"model":"command-a-03-2025","messages":[{"role":"user","content":[{"type":"text",` +
			`"text":"q"},BLOCK]}]}`,
		`{"model":"command-a-03-2025","messages":[{"role":"user","content":"q"},` +
			`{"role":"assistant","content":[{"type":"text","text":"a"},BLOCK]},` +
			`{"role":"user","content":"r"}]}`,
	},
	"ollama": {
		`{"model":"qwen3","messages":[{"role":"user","content":[{"type":"text","text":"q"},` +
			`BLOCK]}]}`,
		`{"model":"qwen3","messages":[{"role":"user","content":"q"},` +
			`{"role":"assistant","content":[BLOCK]},{"role":"user","content":"r"}]}`,
	},
	"gemini-interactions": {
		`{"model":"gemini-3.7-flash","input":[{"type":"user_input","content":[{"type":"text",` +
			`"text":"q"},BLOCK]}]}`,
		`{"model":"gemini-3.7-flash","input":[{"type":"user_input","content":[{"type":"text",` +
			`"text":"q"}]},{"type":"model_output","content":[{"type":"text","text":"a"},BLOCK]},` +
			`{"type":"user_input","content":[{"type":"text","text":"r"}]}]}`,
		`{"model":"gemini-3.7-flash","input":[{"type":"user_input","content":[{"type":"text",` +
			`"text":"q"}]},{"type":"function_call","id":"c1","name":"f","arguments":{}},` +
			`{"type":"function_result","call_id":"c1","result":[{"type":"text","text":"x"},` +
			`BLOCK]}]}`,
		`{"model":"gemini-3.7-flash","input":[{"type":"user_input","content":[{"type":"text",` +
			`"text":"q"}]},BLOCK]}`,
		`{"model":"gemini-3.7-flash","input":[{"role":"user","content":[{"type":"text",` +
			`"text":"q"}]},{"role":"model","content":[{"type":"text","text":"a"},BLOCK]}]}`,
	},
}

// TestForeignBlocks puts a block of every format into every place of every format, and holds the
// outcome to the guarantees. What was said in the block is not lost.
func TestForeignBlocks(t *testing.T) {
	for _, provider := range wire.Providers() {
		places, dialect := blockPlaces[provider], false
		for format, of := range blockPlaces {
			if name, ok := wire.Dialect(provider, format); ok && name == provider && places == nil {
				places, dialect = of, true
			}
		}
		require.NotEmpty(t, places, provider)
		t.Run(provider, func(t *testing.T) {
			for n, place := range places {
				for k, foreign := range foreignBlocks {
					if dialect && (n+k)%4 != 0 { // what differs are few rules
						continue
					}
					t.Run(fmt.Sprintf("%d/%d", n, k), func(t *testing.T) {
						in := strings.Replace(place, "BLOCK", foreign, 1)
						requireGuarantees(t, []byte(in), &wire.Options{Provider: provider})
						kept := &wire.Options{Provider: provider}
						kept.Options.Orphans = preflight.OrphanText
						out := string(requireGuarantees(t, []byte(in), kept))
						if strings.Contains(foreign, "said") &&
							!(strings.HasSuffix(provider, "anthropic") &&
								strings.Contains(foreign, "srvtoolu")) {
							require.Contains(t, out, "said", "%s", in)
						}
						res, err := wire.Sanitize(context.Background(), []byte(in), kept)
						require.NoError(t, err)
						if testing.Verbose() && res.Changed {
							t.Logf("%s\n%s\n%v", in, out, res.Warnings)
						}
					})
				}
			}
		})
	}
}

// TestForeignBlockClasses: a block that only its provider can read is removed, which is a loss; one
// that is written in another form, or as text, is none.
func TestForeignBlockClasses(t *testing.T) {
	for foreign, want := range map[string]codes.Class{
		`{"type":"redacted_thinking","data":"c2VjcmV0"}`:                codes.Lossy,
		`{"type":"document","source":{"type":"text","data":"said"}}`:    codes.Lossless,
		`{"type":"tool_use","id":"toolu_1","name":"f","input":{"a":1}}`: codes.Lossless,
	} {
		in := `{"contents":[{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":[` + foreign +
			`,{"text":"a"}]},{"role":"user","parts":[{"text":"r"}]}]}`
		options := &wire.Options{Provider: "gemini"}
		options.Options.Dangling = preflight.DanglingAnswer
		res, err := wire.Sanitize(context.Background(), []byte(in), options)
		require.NoError(t, err)
		require.NotEmpty(t, res.Warnings)
		worst := codes.Layout
		for _, w := range res.Warnings {
			worst = max(worst, w.Class())
		}
		require.Equal(t, want, worst, "%s: %v", foreign, res.Warnings)
	}
}

// TestChatMessagesElsewhere puts messages in the form of OpenAI's Chat format into lists of other
// ones: what was called and what came of it stay a pair.
func TestChatMessagesElsewhere(t *testing.T) {
	const pair = `{"role":"assistant","content":CONTENT,"tool_calls":[{"id":"call_1",` +
		`"type":"function","function":{"name":"f","arguments":"{\"q\":1}"}}]},` +
		`{"role":"tool","tool_call_id":"call_1","content":"said"}`
	for provider, body := range map[string]string{
		"anthropic": `{"model":"claude-sonnet-4-5","max_tokens":9,"system":"s",` +
			`"tools":[{"name":"f","input_schema":{"type":"object"}}],` +
			`"messages":[{"role":"user","content":[{"type":"text","text":"q"}]},PAIR]}`,
		"bedrock": `{"modelId":"anthropic.claude-sonnet-4-5-20250929-v1:0",` +
			`"toolConfig":{"tools":[{"toolSpec":{"name":"f",` +
			`"inputSchema":{"json":{"type":"object"}}}}]},` +
			`"messages":[{"role":"user","content":[{"text":"q"}]},PAIR]}`,
		"gemini": `{"model":"gemini-2.5-pro","contents":[{"role":"user",` +
			`"parts":[{"text":"q"}]},PAIR]}`,
		"openai-responses": `{"model":"gpt-4o","input":[{"role":"user",` +
			`"content":[{"type":"input_text","text":"q"}]},PAIR]}`,
		"gemini-interactions": `{"model":"gemini-3.7-flash","input":[{"type":"user_input",` +
			`"content":[{"type":"text","text":"q"}]},PAIR]}`,
	} {
		for _, content := range []string{
			`null`, `"a"`, `[{"type":"text","text":"a"}]`,
			`[{"type":"tool_use","id":"call_1","name":"f","input":{"q":1}}]`,
		} {
			t.Run(provider+" "+content, func(t *testing.T) {
				in := strings.Replace(body, "PAIR", strings.Replace(pair, "CONTENT", content, 1), 1)
				out := requireGuarantees(t, []byte(in), &wire.Options{Provider: provider})
				r, err := wire.Decode(out, &wire.Options{Provider: provider})
				require.NoError(t, err)
				calls, results := 0, 0
				for _, m := range r.Messages {
					for _, p := range m.Parts {
						switch p := p.(type) {
						case *preflight.ToolCall:
							calls++
							require.Equal(t, "f", p.Name)
						case *preflight.ToolResult:
							results++
						}
					}
				}
				require.Equal(t, [2]int{1, 1}, [2]int{calls, results}, "%s", out)
				require.Contains(t, string(out), "said")
			})
		}
	}
}
