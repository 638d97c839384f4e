package wire_test

import (
	"context"
	"strings"
	"testing"

	"github.com/go-preflight/preflight/internal/rapidseed"
	"github.com/go-preflight/preflight/wire"
)

// samples are short bodies that hold one of everything.
var samples = map[string]string{
	"gemini": `{"model":"gemini-3.7-flash",` +
		`"system_instruction":{"parts":[{"text":"s\ud83d"}]},` +
		`"tools":[{"functionDeclarations":[{"name":"a b"}]}],` +
		`"contents":[{"role":"user","parts":[{"text":"q"},` +
		`{"inlineData":{"mimeType":"image/png","data":"/9j/"}}]},` +
		`{"role":"model","parts":[{"text":"t","thought":true,"thoughtSignature":"QUJD"},` +
		`{"functionCall":{"id":"1","name":"f","args":{"a":1.0}},"thought_signature":"QUJE"},` +
		`{"functionCall":{"name":"g"}}]},` +
		`{"role":"user","parts":[{"functionResponse":{"id":"1","name":"f",` +
		`"response":{"output":"r"},"parts":[{"fileData":{"fileUri":"u"}}]}},` +
		`{"function_response":{"name":"g","response":{"a":[1.0]}}},{"text":""}]}]}`,
	"anthropic": `{"model":"claude-sonnet-4-5","system":[{"type":"text","text":"s\ud83d"}],` +
		`"thinking":{"type":"enabled"},"tools":[{"name":"f","input_schema":{}}],` +
		`"container":"c","messages":[{"role":"user","content":"q"},` +
		`{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"QUJD"},` +
		`{"type":"tool_use","id":"t1","name":"f","input":{"a":1.0}},` +
		`{"type":"server_tool_use","id":"srvtoolu_1","name":"w","input":{}}]},` +
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1",` +
		`"content":[{"type":"text","text":"r","cache_control":{"type":"ephemeral"}}]},` +
		`{"type":"image","source":{"type":"base64","media_type":"image/png","data":"/9j/"}}]}]}`,
	"bedrock": `{"modelId":"anthropic.claude-sonnet-4-5-20250929-v1:0",` +
		`"system":[{"text":"s\ud83d"},` +
		`{"cachePoint":{"type":"default"}}],` +
		`"additionalModelRequestFields":{"thinking":{"type":"enabled"}},` +
		`"toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":{}}}},` +
		`{"cachePoint":{"type":"default"}}],"toolChoice":{"tool":{"name":"f"}}},` +
		`"messages":[{"role":"user","content":[{"text":"q"},` +
		`{"document":{"format":"pdf","name":"d","source":{"bytes":"JVBERi0="}}}]},` +
		`{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"t",` +
		`"signature":"QUJD"}}},{"toolUse":{"toolUseId":"t1","name":"f","input":{"a":1.0}}}]},` +
		`{"role":"user","content":[{"toolResult":{"toolUseId":"t1","content":[{"text":"r"},` +
		`{"json":{"a":1.0}}],"status":"error"}},{"cachePoint":{"type":"default","ttl":"1h"}},` +
		`{"image":{"format":"png","source":{"bytes":"/9j/"}}}]}]}`,
	"openai-chat": `{"model":"gpt-4o","tools":[{"type":"function","function":{"name":"a.b"}}],` +
		`"messages":[{"role":"system","content":"s"},` +
		`{"role":"assistant","content":null,"reasoning":"r","tool_calls":[{"id":"c1",` +
		`"type":"function","function":{"name":"f","arguments":"{\"a\":1.0}"}}]},` +
		`{"role":"tool","tool_call_id":"c1","content":[{"type":"text","text":"t"},` +
		`{"type":"image_url","image_url":{"url":"u"}}]},` +
		`{"role":"function","name":"f","content":"o"}]}`,

	"mistral": `{"model":"mistral-large-latest","tools":[{"type":"function",` +
		`"function":{"name":"a.b"}}],"messages":[{"role":"system","content":null},` +
		`{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text",` +
		`"text":"t"}]},{"type":"text","text":"a"}],` +
		`"reasoning_content":"r","tool_calls":[{"id":"c1","function":{"name":"f",` +
		`"arguments":{"a":1.0}}}]},{"role":"tool","tool_call_id":"c1","name":"f",` +
		`"content":[{"type":"image_url","image_url":"u"}]},` +
		`{"role":"user","content":[{"type":"document_url","document_url":"u"}]},` +
		`{"role":"assistant","content":"p","prefix":true}]}`,
	"cohere": `{"model":"command-a-03-2025","messages":[{"role":"user","content":"q"},` +
		`{"role":"assistant","tool_plan":"p","content":[{"type":"thinking","thinking":"t"}],` +
		`"tool_calls":[{"id":"c1","type":"function","function":{"name":"f",` +
		`"arguments":"{\"a\":1.0}"}}]},` +
		`{"role":"tool","tool_call_id":"c1","content":[{"type":"document",` +
		`"document":{"data":"d"}}]}]}`,
	"ollama": `{"model":"qwen3","messages":[{"role":"user","content":[{"type":"text",` +
		`"text":"q"}],"images":["AA=="]},` +
		`{"role":"assistant","content":"a","thinking":"t","tool_calls":[{"function":{"name":"f",` +
		`"arguments":{"a":1.0}}},{"id":"c2","function":{"name":"g","arguments":"{}"}}]},` +
		`{"role":"tool","tool_name":"g","tool_call_id":"c2","content":"1"},` +
		`{"role":"tool","tool_name":"f","content":"2","images":["AA=="]}]}`,

	"openrouter": `{"model":"x/y","messages":[{"role":"assistant","content":"",` +
		`"reasoning":"r","reasoning_details":[{"n":1.0}],` +
		`"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}]},` +
		`{"role":"user","content":"n"}]}`,
	"deepseek": `{"model":"deepseek-v4-flash","thinking":{"type":"enabled"},` +
		`"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"u"}}]},` +
		`{"role":"assistant","content":null,"reasoning":"r","tool_calls":[{"id":"c1",` +
		`"type":"function","function":{"name":"f","arguments":"{}"}}]},` +
		`{"role":"tool","tool_call_id":"c1","content":"ok"},` +
		`{"role":"assistant","content":"","tool_calls":[]}]}`,
	"moonshot": `{"model":"kimi-k2.6","tools":[{"function":{"name":"f"}},` +
		`{"function":{"name":"f"}}],"messages":[{"role":"assistant","content":"",` +
		`"reasoning_content":""},{"role":"assistant","content":null,"tool_calls":[{"id":"",` +
		`"type":"function","function":{"name":"f","arguments":"{}"}}]},` +
		`{"role":"tool","tool_call_id":"","content":""}]}`,
	"groq": `{"model":"m","messages":[{"role":"user","content":"q","id":1},` +
		`{"role":"assistant","content":"a","reasoning":"r","tool_calls":[{"id":"c1",` +
		`"function":{"name":"f","arguments":"{}"}}]},` +
		`{"role":"tool","content":[{"type":"text","text":"1"},{"type":"text","text":"2"}]}]}`,
	"openai-compatible": `{"model":"m","messages":[{"role":"user","content":""},` +
		`{"role":"assistant","content":null,"reasoning_content":"r",` +
		`"tool_calls":[{"id":"functions.f:0","type":"function","function":{"name":"a.b",` +
		`"arguments":"{}"},"extra_content":{"n":1.0}}]},` +
		`{"role":"tool","tool_call_id":"functions.f:0","content":""}]}`,
	"chat-template": `{"model":"llama-3.1-8b","messages":[{"role":"system","content":"s"},` +
		`{"role":"developer","content":[{"type":"text","text":"t\u0001"}]},` +
		`{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function",` +
		`"function":{"name":"f","arguments":"{}"}},` +
		`{"id":"c2","type":"function","function":{"name":"f","arguments":"{}"}}]},` +
		`{"role":"tool","tool_call_id":"c1","content":"1"},` +
		`{"role":"tool","tool_call_id":"c2","content":"2"},{"role":"user","content":"n"},` +
		`{"role":"assistant","content":"a"}]}`,
}

// TestTruncations: every prefix of a body is an error or a body, and never a panic.
func TestTruncations(t *testing.T) {
	for provider, body := range samples {
		for n := range len(body) {
			requireGuarantees(t, []byte(body[:n]), &wire.Options{Provider: provider})
			_, _ = wire.Sanitize(context.Background(), []byte(body[:n]), nil)
		}
	}
}

// stride is the distance between the places of a body that a test tries: all of them with make
// soak, every nth otherwise. An n that shares no factor with what bodies repeat reaches all kinds.
func stride(n int) int { return rapidseed.Size(1, n) }

// TestCorruptions: so is every body with one byte changed.
func TestCorruptions(t *testing.T) {
	for provider, body := range samples {
		for n := 0; n < len(body); n += stride(7) {
			for _, c := range []byte(`"{}[],:\0n t` + "\x00\xff\n") {
				in := []byte(body)
				in[n] = c
				requireGuarantees(t, in, &wire.Options{Provider: provider})
			}
		}
	}
}

// TestValuesOfEveryKind puts a value of every kind into every place of a body.
func TestValuesOfEveryKind(t *testing.T) {
	for provider, body := range samples {
		all := places(body)
		for k := 0; k < len(all); k += stride(5) {
			at := all[k]
			for _, value := range append(scalars, texts...) {
				in := []byte(body[:at[0]] + value + body[at[1]:])
				requireGuarantees(t, in, &wire.Options{Provider: provider})
			}
		}
	}
}

// places are the values of a compact body, as ranges of its bytes.
func places(body string) [][2]int {
	var out [][2]int
	var open []int
	for k := 0; k < len(body); k++ {
		switch body[k] {
		case '{', '[':
			open = append(open, k)
		case '}', ']':
			out = append(out, [2]int{open[len(open)-1], k + 1})
			open = open[:len(open)-1]
		case '"':
			end := k + 1
			for body[end] != '"' || body[end-1] == '\\' {
				end++
			}
			if body[end+1] != ':' {
				out = append(out, [2]int{k, end + 1})
			}
			k = end
		}
	}
	return out
}

func TestDeepNesting(t *testing.T) {
	for _, depth := range []int{100, 400, 600, 100000} {
		for _, provider := range wire.Providers() {
			deep := strings.Repeat("[", depth) + strings.Repeat("]", depth)
			for _, body := range []string{
				`{"messages":` + deep + `}`, `[{"role":"user","content":` + deep + `}]`,
				`[{"role":"user","content":"q","x":` + deep + `}]`, deep,
			} {
				requireGuarantees(t, []byte(body), &wire.Options{Provider: provider})
			}
		}
	}
}

// spoilFifth takes the id of every fifth call or result away, or empties a text.
func spoilFifth(k int, message string) string {
	if k%5 != 2 {
		return message
	}
	message = strings.Replace(message, `"toolu_`, `"toolu-x_`, 1)
	message = strings.Replace(message, `"call0`, `"call-x0`, 1)
	return strings.Replace(message, `"role":"assistant"`, `"role":"user"`, 1)
}

func BenchmarkSanitize(b *testing.B) {
	for _, provider := range wire.Providers() {
		for _, c := range []struct {
			name  string
			n     int
			spoil func(int, string) string
		}{
			{"clean/1k", 1000, nil}, {"clean/10k", 10000, nil}, {"dirty/1k", 1000, spoilFifth},
			{"dirty/10k", 10000, spoilFifth},
		} {
			body := long(provider, c.n, 1199, c.spoil)
			options := &wire.Options{Provider: provider}
			b.Run(provider+"/"+c.name, func(b *testing.B) {
				b.SetBytes(int64(len(body)))
				b.ReportAllocs()
				for b.Loop() {
					result, err := wire.Sanitize(context.Background(), body, options)
					if err != nil || result.Changed != (c.spoil != nil) {
						b.Fatal("not as clean, or as dirty, as it should be: ", err)
					}
				}
			})
		}
	}
}
