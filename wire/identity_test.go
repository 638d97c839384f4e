package wire_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/wire"
)

// sound are bodies with nothing wrong with them, in spellings that a decoder and encoder would
// change.
var sound = []struct{ reason, provider, body string }{
	{
		"order of keys, unknown fields, numbers",
		"anthropic",
		`{"zeta":1.0,"messages":[{"content":"q","role":"user","x_new":{"n":1e2,` +
			`"m":12345678901234567890}}],"max_tokens":1024.0,"model":"claude-sonnet-4-5"}`,
	},
	{
		"white space in every place",
		"anthropic",
		" \r\n{ \"model\" :\t\"claude-sonnet-4-5\" ," +
			"\r\n\"messages\" : [ {\r\n \"role\" : \"user\" ," +
			" \"content\" : [ { \"type\" : \"text\" , \"text\" : \"q\" } ] } ] } \n",
	},
	{
		"escapes that need none, and characters that are often escaped",
		"anthropic",
		`{"model":"claude-sonnet-4-5","messages":[{"role":"user","content":"\u0068i\/ <b>&\u2028 ` +
			"\u2028é😀" + ` \ud83d\ude00"}]}`,
	},
	{
		"escaped keys and types",
		"anthropic",
		`{"model":"claude-sonnet-4-5","messages":[{"r\u006fle":"us\u0065r",` +
			`"content":[{"typ\u0065":"te\u0078t","text":"q"}]}]}`,
	},
	{
		"everything a turn can hold",
		"anthropic",
		`{"model":"claude-sonnet-4-5","system":[{"type":"text","text":"s",` +
			`"cache_control":{"type":"ephemeral"}}],` +
			`"thinking":{"type":"enabled","budget_tokens":1024},
 "tools":[{"name":"f","input_schema":{"type":"object"}},` +
			`{"type":"web_search_20250305","name":"web_search"}],"messages":[
 {"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png",` +
			`"data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"}},` +
			`{"type":"document","source":{"type":"content","content":[{"type":"text",` +
			`"text":"d"}]},"title":"T","citations":{"enabled":true}},` +
			`{"type":"text","text":"q","cache_control":null}]},
 {"role":"assistant","content":[{"type":"thinking","thinking":"","signature":"QUJD"},` +
			`{"type":"redacted_thinking","data":"QUJD"},` +
			`{"type":"text","text":"a","citations":[{"type":"x","n":1.0}]},
  {"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"x"}},` +
			`{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1",` +
			`"content":[{"type":"web_search_result","url":"u","title":"t",` +
			`"encrypted_content":"QUJD","page_age":null}]},
  {"type":"mcp_tool_use","id":"mcptoolu_1","name":"m","server_name":"s","input":{}},` +
			`{"type":"mcp_tool_result","tool_use_id":"mcptoolu_1","is_error":false,` +
			`"content":[{"type":"text","text":"r"}]},
  {"type":"tool_use","id":"toolu_1","name":"f","input":{"n":1.0,"n2":12345678901234567890},` +
			`"caller":{"type":"direct"}},{"type":"tool_use","id":"toolu_2","name":"f","input":{}}]},
 {"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_2","content":"",` +
			`"is_error":false},{"type":"tool_result","tool_use_id":"toolu_1",` +
			`"content":[{"type":"text","text":"r"},` +
			`{"type":"image","source":{"type":"url","url":"https://e/x.png"}},` +
			`{"type":"search_result","x":1}]},{"type":"text","text":"so?"}]}]}`,
	},
	{
		"a paused turn",
		"anthropic",
		`{"model":"claude-opus-4-6","tools":[{"type":"web_search_20250305",` +
			`"name":"web_search"}],"messages":[{"role":"user","content":"q"},` +
			`{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1",` +
			`"name":"web_search","input":{}}]}]}`,
	},
	{
		"empty system, tools and choice",
		"anthropic",
		`{"model":"claude-sonnet-4-5","system":"","tools":[],` +
			`"tool_choice":null,"container":null,"messages":[{"role":"user","content":"q"}]}`,
	},
	{"a bare list", "anthropic", "[\n\t{\"role\":\"user\",\"content\":\"q\"}\n]"},
	{"a model nobody knows", "anthropic", `{"model":7,"messages":[{"role":"user","content":"q"}]}`},

	{
		"everything a turn can hold",
		"bedrock",
		`{"modelId":"us.amazon.nova-2-lite-v1:0","x":1.0,"system":[{"text":"s"},` +
			`{"cachePoint":{"type":"default"}},` +
			`{"guardContent":{"text":{"text":"g"}}}],"inferenceConfig":{"maxTokens":1024.0},
 "additionalModelRequestFields":{"reasoningConfig":{"type":"enabled",` +
			`"maxReasoningEffort":"low"}},` +
			`"toolConfig":{"tools":[{"toolSpec":{"name":"f",` +
			`"inputSchema":{"json":{"type":"object"}}}},` +
			`{"systemTool":{"name":"nova_grounding"}},` +
			`{"cachePoint":{"type":"default","ttl":"1h"}}],"toolChoice":{"auto":{}}},"messages":[
 {"role":"user","content":[{"image":{"format":"png",` +
			`"source":{"bytes":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"}}},` +
			`{"document":{"format":"pdf","name":"My file (2) [x]",` +
			`"source":{"s3Location":{"uri":"s3://b/k","bucketOwner":"1"}},` +
			`"citations":{"enabled":true}}},{"cachePoint":{"type":"default"}},` +
			`{"document":{"name":"t","source":{"text":"plain"}}},` +
			`{"video":{"format":"mp4","source":{"s3Location":{"uri":"s3://b/v"}}}},` +
			`{"text":"\u0068i\/ <b>&\u2028","y":[1e2]}]},
 {"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"t",` +
			`"signature":"QUJD","n":1.0}}},{"reasoningContent":{"redactedContent":"QUJD"}},` +
			`{"citationsContent":{"content":[{"text":"c"}],"citations":[]}},{"text":"a"},
  {"toolUse":{"toolUseId":"srv_1","name":"nova_grounding","input":{},"type":"server_tool_use"}},` +
			`{"toolResult":{"toolUseId":"srv_1","content":[{"json":{"n":1.0}}],` +
			`"type":"nova_grounding_result"}},
  {"toolUse":{"toolUseId":"tooluse_1","name":"f","input":{"n":1.0,"m":12345678901234567890}}},` +
			`{"toolUse":{"toolUseId":"tooluse_2","name":"f","input":{}}}]},
 {"role":"user","content":[{"toolResult":{"toolUseId":"tooluse_2","content":[],` +
			`"status":"success"}},{"toolResult":{"toolUseId":"tooluse_1",` +
			`"content":[{"json":{ "n" : 1.0 }},{"text":"r"},` +
			`{"image":{"format":"webp","source":{"bytes":"UklGRg=="}}},` +
			`{"document":{"format":"txt","name":"u","source":{"bytes":"eA=="}}},` +
			`{"searchResult":{"x":1}}],"status":"error"}},{"cachePoint":{"type":"default"}},` +
			`{"text":"so?"}]}]}`,
	},
	{
		"white space and escaped keys",
		"bedrock",
		" { \"messages\" : [ {\r\n \"r\\u006fle\" : \"user\" ," +
			" \"content\" : [ { \"te\\u0078t\" : \"q\" } ," +
			" { \"cachePoint\" : { \"type\":\"default\" } } ] } ] } \n",
	},
	{"a bare list", "bedrock", "[\n\t{\"role\":\"user\",\"content\":[{\"text\":\"q\"}]}\n]"},
	{
		"a system message midway, and a tool that comes and goes",
		"bedrock",
		`{"modelId":"anthropic.claude-opus-4-8-v1:0",` +
			`"toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":{}}}}]},` +
			`"messages":[{"role":"user","content":[{"text":"q"}]},` +
			`{"role":"system","content":[{"text":"s"},{"toolAddition":{"tool":{"name":"f"}}}]},` +
			`{"role":"assistant","content":[{"text":"a"}]},` +
			`{"role":"user","content":[{"text":"q"}]}]}`,
	},
	{
		"a family that is not Claude",
		"bedrock",
		`{"modelId":"arn:aws:bedrock:us-east-1:1:` +
			`inference-profile/us.meta.llama3-1-70b-instruct-v1:0",` +
			`"toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":{}}}}]},` +
			`"messages":[{"role":"user","content":[{"text":"q"}]},` +
			`{"role":"assistant","content":[{"toolUse":{"toolUseId":"t","name":"f",` +
			`"input":{}}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"t",` +
			`"content":[{"text":"r"}]}}]}]}`,
	},

	{
		"everything a turn can hold",
		"gemini",
		`{"model":"models/gemini-3-pro-preview","x":1.0,"systemInstruction":{"role":"system",` +
			`"parts":[{"text":"s"}]},"tools":[{"functionDeclarations":[{"name":"f.g:h-i",` +
			`"parameters":{}}]},{"googleSearch":{}}],
 "toolConfig":{"functionCallingConfig":{"allowedFunctionNames":["f"]},` +
			`"includeServerSideToolInvocations":true},` +
			`"contents":[ {"role":"user","parts":[{"text":"\u0071 \/"},` +
			`{"inlineData":{"mimeType":"image/png",` +
			`"data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ","displayName":"d"},` +
			`"mediaResolution":{"level":1.0}},` +
			`{"file_data":{"file_uri":"https://e/x.mp4","mime_type":"video/mp4"},` +
			`"videoMetadata":{"fps":1.0}}]},
 {"parts":[{"text":"hm","thought":true},{"text":"","thought":true,"thoughtSignature":"QUJD"},` +
			`{"text":"a","thoughtSignature":"QUJD"},{"thoughtSignature":"QU_-","text":""},` +
			`{"executableCode":{"code":"1.0","language":"PYTHON"}},` +
			`{"codeExecutionResult":{"outcome":"OUTCOME_OK"}},{"futureKind":{"n":1.50}},
  {"functionCall":{"name":"f","args":{"n":1.0,"n2":12345678901234567890},"x":1}},` +
			`{"function_call":{"id":"","name":"f"},"thought_signature":"QUJD"},` +
			`{"functionCall":{"id":"7","name":"g","args":null}}],"role":"model"},
 {"role":"user","parts":[{"functionResponse":{"id":"7","name":"g","response":{"output":"r",` +
			`"x":1.0},"parts":[{"inlineData":{"mimeType":"image/png",` +
			`"data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"}},{"x":1}]}},` +
			`{"function_response":{"name":"f","response":{"error":"\u006eo"},` +
			`"willContinue":false}},{"functionResponse":{"name":"f","response":{}}},` +
			`{"text":"so?"}]}]}`,
	},
	{
		"an open turn with signatures",
		"gemini",
		`{"system_instruction":{"parts":{"text":"s"}},` +
			`"contents":[{"role":"user","parts":{"text":"q"}},` +
			`{"role":"model","parts":[{"functionCall":{"name":"f"},` +
			`"thoughtSignature":"skip_thought_signature_validator"},` +
			`{"functionCall":{"name":"f"}}]},` +
			`{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":""}}},` +
			`{"functionResponse":{"name":"f","response":{"result":[1.0]}}}]},` +
			`{"role":"model","parts":[{"text":"t"},` +
			`{"functionCall":{"name":"f"},"thought_signature":"QUJD"}]},` +
			`{"role":"user","parts":[{"functionResponse":{"name":"f",` +
			`"response":{"output":"x"}}}]}]}`,
	},
	{
		"a model without signatures that goes on",
		"gemini",
		`{"model":"gemini-2.5-flash","contents":[{"role":"user","parts":[{"text":" "}]},` +
			`{"role":"model","parts":[{"functionCall":{"name":"f"}}]},` +
			`{"role":"user","parts":[{"functionResponse":{"name":"f","id":"1",` +
			`"response":{"a":1.0}}}]},{"role":"model","parts":[{"text":"a "}]}]}`,
	},
	{"a bare list", "gemini", "[\n\t{\"role\":\"user\",\"parts\":[ {\"text\" : \"q\"} ]}\n]"},

	{
		"everything a turn can hold",
		"openai-chat",
		`{"model":"gpt-4o","n":1.0,"messages":[{"role":"developer","content":[{"type":"text",` +
			`"text":"s"}]},{"role":"user","name":"jane","content":[{"type":"text","text":"q"},` +
			`{"type":"image_url","image_url":{"url":"data:image/png;base64,` +
			`iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ","detail":"low"}},` +
			`{"type":"input_audio","input_audio":{"data":"UklGRg==","format":"wav"}},` +
			`{"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,` +
			`JVBERi0="}},{"type":"file","file":{"file_id":"f1"}},` +
			`{"type":"video_url","video_url":{"url":"u"}}]},
 {"role":"assistant","content":null,"refusal":null,"tool_calls":[{"index":0,"id":"c1",` +
			`"type":"function","function":{"arguments":"{ \"a\" : 1.0,` +
			`\n\"b\":\"\\ud83d\\ude00\" }","name":"f"}},` +
			`{"id":"c2","type":"custom","custom":{"name":"g","input":"free text \u2028"}}],` +
			`"annotations":[]},
 {"role":"tool","content":[{"type":"text","text":"1"},` +
			`{"type":"text","text":""}],"tool_call_id":"c1","name":"f"},` +
			`{"tool_call_id":"c2","role":"tool","content":""},
 {"role":"assistant","content":"","reasoning_content":"r","audio":{"id":"a1"}},` +
			`{"role":"assistant","content":[{"type":"refusal","refusal":"no"}]},` +
			`{"role":"system","content":"note"},{"role":"user","content":"x"}]}`,
	},
	{
		"legacy functions",
		"openai-chat",
		`{"model":"gpt-4","messages":[{"role":"user","content":"q"},` +
			`{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}},` +
			`{"role":"function","name":"f","content":null},` +
			`{"role":"assistant","content":"a","tool_calls":null,"function_call":null}]}`,
	},
	{
		"tool calls of somebody who has none",
		"openai-chat",
		`{"model":"gpt-4o","messages":[{"role":"user","content":"q","tool_calls":[]}]}`,
	},
	{
		"neighbours, and an end on the assistant",
		"openai-chat",
		`{"model":"gpt-4o","messages":[{"role":"assistant","content":"a "},` +
			`{"role":"assistant","content":"b "}]}`,
	},
	{"a bare list", "openai-chat", `[ {"role":"user","content":""} ]`},
	{
		"everything a turn can hold",
		"mistral",
		`{"model":"mistral-large-latest","safe_prompt":false,"n":1.0,` +
			`"messages":[{"role":"system","content":"s"},` +
			`{"role":"user","content":[{"type":"text","text":"q"},` +
			`{"type":"image_url","image_url":"https://e/x.png"},` +
			`{"type":"image_url","image_url":{"url":"https://e/y.png"}},` +
			`{"type":"document_url","document_url":"https://e/x.pdf","document_name":"a b"},` +
			`{"type":"input_audio","input_audio":"UklGRg=="},` +
			`{"type":"reference","reference_ids":[1.0]}]},` +
			`{"role":"system","content":"after the user"},
 {"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"t",` +
			`"x":1.0}],"closed":true},{"type":"text","text":"a"}],` +
			`"tool_calls":[{"id":"aB3dE6gH9","function":{"name":"f","arguments":{"n":1.0}}},` +
			`{"id":"aB3dE6gH8","type":"function","index":1,"function":{"name":"f",` +
			`"arguments":"{ \"n\" : 1.0 }"}}],"prefix":false},
 {"role":"tool","tool_call_id":"aB3dE6gH8","name":"f","content":""},` +
			`{"role":"tool","tool_call_id":"aB3dE6gH9","content":[{"type":"text","text":"r"}]},` +
			`{"role":"assistant","content":"b"},{"role":"user","content":""}]}`,
	},
	{
		"a prefix",
		"mistral",
		`{"messages":[{"role":"user","content":"q"},` +
			`{"prefix":true,"role":"assistant","content":"Once "}]}`,
	},
	{
		"everything a turn can hold",
		"cohere",
		`{"model":"command-a-03-2025","messages":[{"role":"system","content":"s"},` +
			`{"role":"user","content":[{"type":"text","text":"q"},` +
			`{"type":"image_url","image_url":{"url":"data:image/png;base64,` +
			`iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ","detail":"auto"}}]},
 {"role":"assistant","tool_plan":"I \u0077ill","tool_calls":[{"id":"f_1","type":"function",` +
			`"function":{"name":"f","arguments":"{\"n\":1.0}"}}]},` +
			`{"role":"tool","tool_call_id":"f_1","content":[{"type":"document",` +
			`"document":{"data":{"n":1.0},"id":"d"}}]},
 {"role":"assistant","content":[{"type":"thinking","thinking":"t","x":1.0},` +
			`{"type":"text","text":"a"}],"citations":[{"start":0,"n":1.0}]},` +
			`{"role":"user","content":"n"}]}`,
	},
	{
		"everything a turn can hold",
		"ollama",
		`{"model":"qwen3","options":{"num_ctx":4096.0},` +
			`"keep_alive":"5m","messages":[{"role":"system","content":"s"},` +
			`{"role":"user","content":"q",` +
			`"images":["iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ","\u0041A=="]},` +
			`{"role":"assistant","content":"","thinking":"t",` +
			`"tool_calls":[{"function":{"index":0,"name":"f","arguments":{"n":1.0,` +
			`"m":12345678901234567890}}},{"id":"c9","type":"function","function":{"name":"g"}},` +
			`{"function":{"name":"f","arguments":{}}}]},
 {"role":"tool","tool_name":"f","content":"1"},` +
			`{"role":"tool","tool_name":"f","content":"2","images":["AA=="]},` +
			`{"role":"tool","tool_call_id":"c9","tool_name":"g","content":"3"},` +
			`{"role":"assistant","content":"","thinking":null,"images":null,"tool_calls":[]},` +
			`{"role":"user","content":"n"}]}`,
	},
	{
		"old Ollama, nothing named",
		"ollama",
		`[{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f",` +
			`"arguments":{}}},{"function":{"name":"g","arguments":null}}]},` +
			`{"role":"tool","content":"1"},{"role":"tool","content":"2"}]`,
	},
	{
		"what OpenAI takes",
		"azure",
		`{"model":"gpt-5.4","messages":[{"role":"developer","content":"s"},` +
			`{"role":"user","content":[{"type":"text","text":"q"}]},` +
			`{"role":"assistant","content":"a","refusal":null}]}`,
	},
	{
		"reasoning of any kind",
		"openrouter",
		`{"model":"google/gemini-3-pro","messages":[{"role":"user","content":"q"},` +
			`{"role":"assistant","content":null,"reasoning":"r",` +
			`"reasoning_details":[{"type":"reasoning.encrypted","data":"QUJD","n":1.0}],` +
			`"tool_calls":[{"id":"c1","type":"function","function":{"name":"f",` +
			`"arguments":"{}"}}]},{"role":"tool","tool_call_id":"c1","content":"ok"},` +
			`{"role":"assistant","content":"","reasoning_details":[{"n":1e2}]}]}`,
	},
	{
		"reasoning since the first call",
		"deepseek",
		`{"model":"deepseek-v4-flash","messages":[{"role":"user","content":"q"},` +
			`{"role":"assistant","content":"a"},` +
			`{"role":"assistant","content":null,"reasoning_content":"","tool_calls":[{"id":"c1",` +
			`"type":"function","function":{"name":"f","arguments":"{}"}}]},` +
			`{"role":"tool","tool_call_id":"c1","content":"ok"},` +
			`{"role":"assistant","reasoning_content":"\u0074","content":"b"}]}`,
	},
	{
		"no thinking, no reasoning",
		"deepseek",
		`{"model":"deepseek-v4-flash","thinking":{"type":"disabled"},` +
			`"messages":[{"role":"user","content":"q"},` +
			`{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function",` +
			`"function":{"name":"f","arguments":"{}"}}]},` +
			`{"role":"tool","tool_call_id":"c1","content":"ok"}]}`,
	},
	{
		"images for a model that reads them",
		"deepseek",
		`{"model":"deepseek-v4-pro","messages":[{"role":"user","content":[{"type":"image_url",` +
			`"image_url":{"url":"https://e/x.png"}}]}]}`,
	},
	{
		"reasoning of the calls",
		"moonshot",
		`{"model":"kimi-k2.6","messages":[{"role":"user","content":"q"},` +
			`{"role":"assistant","content":"","reasoning_content":"r",` +
			`"tool_calls":[{"id":"functions.f:0","type":"function","function":{"name":"f",` +
			`"arguments":"{}"}}]},{"role":"tool","tool_call_id":"functions.f:0","content":"ok"},` +
			`{"role":"assistant","content":"b"}]}`,
	},
	{
		"a tool called Search",
		"qwen",
		`{"model":"qwen-max","tools":[{"type":"function","function":{"name":"Search"}}],` +
			`"messages":[{"role":"user","content":"q"}],"enable_thinking":false}`,
	},
	{
		"a loop",
		"minimax",
		`{"model":"MiniMax-M2","messages":[{"role":"system","content":"s"},` +
			`{"role":"user","content":"q"},` +
			`{"role":"assistant","content":"<think>t</think>","reasoning_details":[{"n":1.0}],` +
			`"tool_calls":[{"id":"c1","type":"function","function":{"name":"f",` +
			`"arguments":"{}"}}]},{"role":"tool","tool_call_id":"c1","content":"ok"}]}`,
	},
	{
		"turns",
		"glm",
		`{"model":"glm-5.1","thinking":{"type":"enabled"},` +
			`"messages":[{"role":"user","content":"q"},` +
			`{"role":"assistant","content":"a","reasoning_content":"r"},` +
			`{"role":"user","content":"n"}]}`,
	},
	{
		"content everywhere",
		"xai",
		`{"model":"grok-4","messages":[{"role":"user","content":"q"},` +
			`{"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function",` +
			`"function":{"name":"f","arguments":"{}"}}]},` +
			`{"role":"tool","tool_call_id":"c1","content":"ok"}]}`,
	},
	{
		"known fields",
		"groq",
		`{"model":"llama-3.3-70b-versatile","reasoning_format":"parsed",` +
			`"messages":[{"role":"system","content":"s"},` +
			`{"role":"user","name":"jane","content":[{"type":"text","text":"q"}]},` +
			`{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function",` +
			`"x":1.0,"function":{"name":"f","arguments":"{}"}}]},` +
			`{"role":"tool","tool_call_id":"c1","content":""}]}`,
	},
	{
		"plain things",
		"openai-compatible",
		`{"model":"m","messages":[{"role":"user","content":"q","x":1.0},` +
			`{"role":"assistant","content":"a"},{"role":"user","content":"n"}]}`,
	},
	{
		"a loop",
		"chat-template",
		`{"model":"qwen3.5","messages":[{"role":"system","content":"s"},` +
			`{"role":"user","content":"q"},` +
			`{"role":"assistant","content":null,"reasoning_content":"r",` +
			`"tool_calls":[{"id":"c1","type":"function","function":{"name":"f",` +
			`"arguments":"{}"}},{"id":"c2","type":"function","function":{"name":"f",` +
			`"arguments":"{}"}}]},{"role":"tool","tool_call_id":"c1","content":"1"},` +
			`{"role":"tool","tool_call_id":"c2","content":"2"},` +
			`{"role":"assistant","content":"a"},` +
			`{"role":"user","content":[{"type":"text","text":"q"},` +
			`{"type":"image_url","image_url":{"url":"u"}}]}]}`,
	},
	{
		"an answer to be continued",
		"chat-template",
		`{"model":"m","continue_final_message":true,"messages":[{"role":"user","content":"q"},` +
			`{"role":"assistant","content":"a "}]}`,
	},
	{
		"an answer without thinking",
		"chat-template",
		`{"model":"m","chat_template_kwargs":{"enable_thinking":false},` +
			`"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a"}]}`,
	},
}

func TestIdentity(t *testing.T) {
	for _, c := range sound {
		t.Run(c.provider+" "+c.reason, func(t *testing.T) {
			in := []byte(c.body)
			options := &wire.Options{Provider: c.provider}
			result, err := wire.Sanitize(context.Background(), in, options)
			require.NoError(t, err)
			require.Empty(t, result.Warnings)
			require.True(t, sameSlice(in, result.Body), "%s", result.Body)
			require.False(t, result.Changed)
			report, err := wire.Check(in, options)
			require.NoError(t, err)
			require.Nil(t, report.Violations)
			r, err := wire.Decode(in, options)
			require.NoError(t, err)
			out, err := r.Encode(r.Messages)
			require.NoError(t, err)
			require.True(t, sameSlice(in, out), "%s", out)
		})
	}
}

// TestUntouchedNeighbours: whatever happens to the last message, the bytes before it stay.
func TestUntouchedNeighbours(t *testing.T) {
	for _, c := range sound {
		tail := c.body[strings.LastIndexByte(c.body, '}'):]
		head := strings.TrimSuffix(c.body, "]}")
		if head == c.body || strings.Contains(tail, "]") || strings.Contains(c.reason, "paused") ||
			strings.Contains(c.reason, "prefix") {
			// the list of messages does not stand last, or what follows decides about the turn
			// before
			continue
		}
		t.Run(c.provider+" "+c.reason, func(t *testing.T) {
			stray := `, {"role":"tool","tool_call_id":"nobody","content":"x"}`
			if c.provider == "bedrock" {
				stray = `, {"role":"assistant","content":[{"toolUse":{"toolUseId":"open",` +
					`"name":"f","input":{}}}]}`
			}
			if c.provider == "openai-responses" {
				stray = `, {"type":"function_call","call_id":"open","name":"f","arguments":"{}"}`
			}
			if c.provider == "gemini" {
				stray = `, {"role":"user","parts":[{"functionResponse":{"name":"nobody",` +
					`"response":{}}}]}`
			}
			if c.provider == "anthropic" {
				stray = `, {"role":"assistant","content":[{"type":"tool_use","id":"open",` +
					`"name":"f","input":{}}]}`
			}
			result, err := wire.Sanitize(
				context.Background(),
				[]byte(head+stray+"]}"),
				&wire.Options{Provider: c.provider},
			)
			require.NoError(t, err)
			require.Equal(t, c.body, string(result.Body))
			require.NotEmpty(t, result.Warnings)
		})
	}
}
