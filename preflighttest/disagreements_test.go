package preflighttest_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// disagreed is a body on which the check and the fake once differed, and which
// of the two was wrong. It is refused for the rules, or accepted where there is
// none; " " is the fake's schema.
type disagreed struct {
	reason   string
	provider string
	rule     string
	body     string
}

var disagreements = []disagreed{
	{"the fake took a lifetime that nobody knows for the short one", "anthropic", "",
		`{"model":"claude-sonnet-4-5","max_tokens":64,"messages":[{"role":"user","content":[
			{"type":"text","text":"q","cache_control":{"type":"ephemeral","ttl":7}},
			{"type":"text","text":"q","cache_control":{"type":"ephemeral","ttl":"1h"}}]}]}`},
	{"the fake had other vendors take a system message without content, and no other",
		"anthropic", "anthropic/system-role-content",
		`{"model":"kimi-k2","max_tokens":64,"messages":[{"role":"user","content":"q"},
			{"role":"assistant","content":"a"},{"role":"system","content":[]},
			{"role":"user","content":"n"}]}`},
	{"the fake of Azure named a rule of OpenAI's", "azure-responses",
		"openai-responses/reasoning-ids-azure",
		`{"model":"our-deployment","input":[{"role":"user","content":"q"},
			{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"QUJD"},
			{"role":"user","content":"n"}]}`},
	{"a block that nobody knows may be the reasoning that the fake missed", "bedrock", " ",
		`{"modelId":"us.anthropic.claude-opus-4-6-v1","additionalModelRequestFields":{
			"thinking":{"type":"enabled","budget_tokens":1024}},"messages":[
			{"role":"user","content":[{"text":"q"}]},
			{"role":"assistant","content":[{"x":{}},
				{"reasoningContent":{"reasoningText":{"text":"b","signature":"Eq"}}},
				{"text":"a"}]},
			{"role":"user","content":[{"text":"n"}]}]}`},
	{"the check took a member that is null for text", "bedrock", "",
		`{"modelId":"us.anthropic.claude-opus-4-6-v1","messages":[{"role":"user","content":[
			{"text":"q"},{"cachePoint":{"type":"default"},"text":null}]}]}`},
	{"the fake took a format that nobody knows for one that is no PDF", "bedrock", "",
		`{"modelId":"us.anthropic.claude-opus-4-6-v1","messages":[{"role":"user","content":[
			{"text":"q"},{"document":{"format":"new","name":"d","source":{"bytes":"QUJD"}}},
			{"cachePoint":{"type":"default"}}]}]}`},
	{"the fake took an empty type of a call for none", "openrouter", "",
		`{"model":"z-ai/glm-5.2","messages":[{"role":"user","content":"q"},
			{"role":"assistant","tool_calls":[
				{"id":"c_1","type":"","function":{"name":"f","arguments":[]}}]},
			{"role":"tool","tool_call_id":"c_1","content":"ok"}]}`},
	{"the fake judged a cache point with a member that nobody knows", "bedrock", "",
		`{"modelId":"amazon.nova-pro-v1:0","messages":[{"role":"user","content":[
			{"cachePoint":{"type":"default"},"x":""},{"text":"q"}]}]}`},
	{"a call of an unknown type hid from the fake that the arguments of another are no string",
		"openrouter", "openai-chat/arguments-not-json",
		`{"model":"z-ai/glm-5.2","messages":[{"role":"user","content":"q"},
			{"role":"assistant","tool_calls":[
				{"id":"c_1","type":"function","function":{"name":"f","arguments":[]}},
				{"id":"c_2","type":"x"}]},
			{"role":"tool","tool_call_id":"c_1","content":"ok"},
			{"role":"tool","tool_call_id":"c_2","content":"ok"}]}`},
	{"likewise, that there is no reasoning", "deepseek", "deepseek/reasoning-content-missing",
		`{"model":"deepseek-v4-pro","messages":[{"role":"user","content":"q"},
			{"role":"assistant","tool_calls":[{"id":"c_1","type":"x"}]},
			{"role":"tool","tool_call_id":"c_1","content":"ok"}]}`},
	{"the fake took reasoning for the words of a user", "moonshot", "moonshot/empty-message",
		`{"model":"kimi-k2-0905-preview","messages":[{"role":"user","reasoning_content":"hm"}]}`},
	{"the fake of Qwen took an empty list of calls: " +
		"https://github.com/smallmain/vscode-unify-chat-provider/pull/65", "qwen",
		"openai-chat/empty-tool-calls",
		`{"model":"qwen3.7-max","messages":[{"role":"user","content":"q"},
			{"role":"assistant","content":"a","tool_calls":[]},{"role":"user","content":"n"}]}`},
	{"the check saw an encrypted payload that was emptied, and none that was missing", "anthropic",
		"anthropic/web-search-encrypted-content",
		`{"model":"claude-sonnet-4-5","max_tokens":64,"messages":[{"role":"user","content":"q"},
			{"role":"assistant","content":[
				{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}},
				{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[
					{"type":"web_search_result","url":"https://e.x","title":"t"}]},
					{"type":"text","text":"a"}]},
			{"role":"user","content":"n"}]}`},
	{"the check named the rule about images in assistant messages; what a system message holds " +
		"has a rule of its own", "anthropic", "anthropic/system-role-content",
		`{"model":"claude-opus-4-8","max_tokens":64,"messages":[{"role":"user","content":"q"},
			{"role":"system","content":[
				{"type":"document","source":{"type":"base64","media_type":"application/pdf",
					"data":"JVBERi0xLjQKJSVFT0YK"}}]}]}`},
	{"the check named the rule about tool_result blocks; the result of a provider-executed call " +
		"has no call in a user message", "anthropic", "anthropic/mcp-tool-pairing",
		`{"model":"claude-opus-4-8","max_tokens":64,"messages":[{"role":"user","content":"q"},
			{"role":"assistant","content":[
				{"type":"mcp_tool_use","id":"mcptoolu_1","name":"f","server_name":"s","input":{}},
				{"type":"mcp_tool_result","tool_use_id":"mcptoolu_1","content":"ok"},
				{"type":"text","text":"a"}]},
			{"role":"user","content":[{"type":"mcp_tool_result","tool_use_id":"mcptoolu_1",
				"content":"ok"}]}]}`},
	{"the fake excused an open MCP call beside answered calls of the client's whatever stood " +
		"after the answers", "anthropic", "anthropic/mcp-tool-pairing",
		`{"model":"claude-opus-4-8","max_tokens":64,"tools":[
			{"name":"f","input_schema":{"type":"object"}}],"messages":[{"role":"user",
			"content":"q"},
			{"role":"assistant","content":[
				{"type":"mcp_tool_use","id":"mcptoolu_1","name":"g","server_name":"s","input":{}},
				{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"ok"},
				{"type":"text","text":"n"}]}]}`},
	{"a system message after the answers hid from the fake that the turn mixes calls of both " +
		"sides", "anthropic", "anthropic/server-tool-mixed-turn",
		`{"model":"claude-opus-4-8","max_tokens":64,"tools":[
			{"name":"f","input_schema":{"type":"object"}}],"messages":[{"role":"user",
			"content":"q"},
			{"role":"assistant","content":[
				{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}},
				{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1",
				"content":"ok"}]},{"role":"system","content":"be brief"}]}`},
	{"the check asked no call of a server tool for arguments that are an object: laravel/ai#389",
		"anthropic", "anthropic/tool-use-input-object",
		`{"model":"claude-sonnet-4-5","max_tokens":64,"messages":[{"role":"user","content":"q"},
			{"role":"assistant","content":[
				{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":null},
				{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]},
				{"type":"text","text":"a"}]},
			{"role":"user","content":"n"}]}`},
	{"wire left a member that Groq's Kimi refuses, where it was empty: vercel/ai#8057", "groq",
		"groq/unknown-property",
		`{"model":"moonshotai/kimi-k2-instruct-0905","messages":[{"role":"user","content":"q"},
			{"role":"assistant","reasoning":"","content":"a"},{"role":"user","content":"n"}]}`},
	{"the fake took an open call anywhere in the last turn for a pause; what the provider paused " +
		"is its last message", "anthropic", "anthropic/prefill-unsupported",
		`{"model":"claude-fable-5-1","max_tokens":64,"messages":[{"role":"user","content":"q"},
			{"role":"assistant","content":[
				{"type":"mcp_tool_use","id":"mcptoolu_1","name":"f","server_name":"s","input":{}}]},
				{"role":"assistant","content":"a"}]}`},
	{"the check did not take an image for one whose source is of an unknown type",
		"anthropic", "anthropic/image-in-assistant",
		`{"model":"claude-opus-5-5","max_tokens":64,"messages":[{"role":"user","content":"q"},
			{"role":"assistant","content":[{"type":"text","text":"a"},
				{"type":"image","source":{"type":"x","x":"y"}}]},{"role":"user","content":"n"}]}`},
	{"the fake did not look into the parts of a function response", "gemini",
		"gemini/empty-part-data",
		`{"model":"gemini-3-pro-preview","contents":[{"role":"user","parts":[{"text":"q"}]},
			{"role":"model","parts":[{"functionCall":{"name":"f","args":{}},
				"thoughtSignature":"skip_thought_signature_validator"}]},
			{"role":"user","parts":[
				{"functionResponse":{"name":"f","response":{"output":"ok"},"parts":[
				{"fileData":{"fileUri":"","mimeType":"image/jpeg"}}]}}]}]}`},
	{"the check took a file without an address for a document", "gemini", "gemini/empty-part-data",
		`{"model":"gemini-2.5-pro","contents":[{"role":"user",` +
			`"parts":[{"fileData":{"fileUri":""}}]}]}`},
	{"in the fake a response without an id left room for one more of an unknown id", "gemini",
		"gemini/function-response-placement",
		`{"model":"gemini-2.5-pro","contents":[{"role":"user","parts":[{"text":"q"}]},
			{"role":"model","parts":[{"functionCall":{"name":"f","args":{},"id":"a_1"}},
				{"functionCall":{"name":"g","args":{},"id":"a_2"}}]},
			{"role":"user","parts":[{"functionResponse":{"name":"g","response":{"output":"ok"}}},
				{"functionResponse":{"name":"f","response":{"output":"ok"},"id":"A_1"}}]}]}`},
	{"by its name a response without an id belongs to the call that has one, and leaves the other " +
		"to the response with an id of its own", "gemini", "",
		`{"model":"gemini-2.5-pro","contents":[{"role":"user","parts":[{"text":"q"}]},
			{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}},
				{"functionCall":{"name":"g","args":{},"id":"a_2"}}]},
			{"role":"user","parts":[{"functionResponse":{"name":"g","response":{"output":"ok"}}},
				{"functionResponse":{"name":"f","response":{"output":"ok"},"id":"a_1"}}]}]}`},
	{"wire left a system message with media where it was", "gemini", "gemini/system-in-contents",
		`{"model":"gemini-2.5-pro","contents":[{"role":"system","parts":[{"text":"s"},` +
			`{"inlineData":{"mimeType":"image/png",` +
			`"data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"}}]},{"role":"user",` +
			`"parts":[{"text":"q"}]}]}`},
	{"the fake refused a single object in place of a list of one, which the parser takes", "gemini",
		"", `{"model":"gemini-2.5-pro","contents":[{"role":"user","parts":{"text":"q"}}]}`},
	{"Claude wants results first on any host; the fake of Bedrock did not ask it", "bedrock",
		"bedrock/tool-result-missing",
		`{"modelId":"anthropic.claude-sonnet-4-5-20250929-v1:0","toolConfig":{"tools":[
			{"toolSpec":{"name":"f","inputSchema":{"json":{"type":"object"}}}}]},"messages":[
			{"role":"user","content":[{"text":"q"}]},{"role":"assistant","content":[
				{"toolUse":{"toolUseId":"t_1","name":"f","input":{}}}]},
			{"role":"user","content":[{"text":"by the way"},{"toolResult":{"toolUseId":"t_1",
				"content":[{"text":"ok"}]}}]}]}`},
	{"other families refuse unsigned reasoning too, in words of their own: " +
		"https://github.com/can1357/oh-my-pi/pull/9086", "bedrock", "bedrock/reasoning-content",
		`{"modelId":"amazon.nova-pro-v1:0","messages":[{"role":"user","content":[{"text":"q"}]},
			{"role":"assistant","content":[
				{"reasoningContent":{"reasoningText":{"text":"because"}}},{"text":"a"}]},
				{"role":"user","content":[{"text":"n"}]}]}`},
	{"the check took the result of a call that Bedrock runs for one of the caller's", "bedrock", "",
		`{"modelId":"amazon.nova-pro-v1:0","toolConfig":{"tools":[
			{"systemTool":{"name":"nova_grounding"}}]},"messages":[{"role":"user","content":[
			{"text":"q"}]},
			{"role":"assistant","content":[
				{"toolUse":{"toolUseId":"t_1","name":"nova_grounding","input":{},
					"type":"server_tool_use"}},
				{"toolResult":{"toolUseId":"t_1","content":[{"text":"found"}]}},{"text":"a"}]},
			{"role":"user","content":[{"text":"n"}]}]}`},
	{"the fake let JSON that is not an object pass in the result of a tool that Bedrock ran; it is " +
		"of no form that Bedrock writes", "bedrock", "bedrock/tool-result-json-object",
		`{"modelId":"amazon.nova-pro-v1:0","toolConfig":{"tools":[
			{"systemTool":{"name":"nova_grounding"}}]},"messages":[{"role":"user","content":[
			{"text":"q"}]},
			{"role":"assistant","content":[
				{"toolUse":{"toolUseId":"t_1","name":"nova_grounding","input":{},
					"type":"server_tool_use"}},
				{"toolResult":{"toolUseId":"t_1","content":[{"json":"x"}]}},{"text":"a"}]},
			{"role":"user","content":[{"text":"n"}]}]}`},
	{"the check asked for a tool configuration only where the caller's tools were used; wire " +
		"declares the system tool", "bedrock", "bedrock/tool-config-required",
		`{"modelId":"amazon.nova-pro-v1:0","messages":[{"role":"user","content":[{"text":"q"}]},
			{"role":"assistant","content":[
				{"toolUse":{"toolUseId":"t_1","name":"nova_grounding","input":{},
					"type":"server_tool_use"}},
				{"toolResult":{"toolUseId":"t_1","content":[{"text":"found"}]}},{"text":"a"}]},
			{"role":"user","content":[{"text":"n"}]}]}`},
	{"the check let a system message follow the result of an MCP call, which is no server tool's",
		"anthropic", "anthropic/system-role-after",
		`{"model":"claude-opus-5-5","max_tokens":64,"messages":[{"role":"user","content":"q"},
			{"role":"assistant","content":[
				{"type":"mcp_tool_use","id":"mcptoolu_1","name":"f","server_name":"s","input":{}},
				{"type":"mcp_tool_result","tool_use_id":"mcptoolu_1","content":"ok"}]},
			{"role":"system","content":"be brief"}]}`},
	{"the fake did not take the content of a tool result for text when it is a string", "anthropic",
		"anthropic/whitespace-text-block",
		`{"model":"claude-sonnet-4-5","max_tokens":64,"tools":[
			{"name":"f","input_schema":{"type":"object"}}],"messages":[{"role":"user",
			"content":"q"},
			{"role":"assistant","content":[
				{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},{"role":"user",
				"content":[{"type":"tool_result","tool_use_id":"toolu_1","content":" "}]}]}`},
	{"the fake did not read the names of documents inside tool results", "bedrock",
		"bedrock/document-name",
		`{"modelId":"anthropic.claude-sonnet-4-5-20250929-v1:0","toolConfig":{"tools":[
			{"toolSpec":{"name":"f","inputSchema":{"json":{"type":"object"}}}}]},"messages":[
			{"role":"user","content":[{"text":"q"}]},{"role":"assistant","content":[
				{"toolUse":{"toolUseId":"t_1","name":"f","input":{}}}]},
			{"role":"user","content":[{"toolResult":{"toolUseId":"t_1","content":[
				{"document":{"format":"pdf","name":"a.pdf","source":{"bytes":"JVBERi0xLjQKJSVFT0YK"}}}]}}]}]}`},
	{"the check did not look into a legacy function message", "openai-chat",
		"openai-chat/tool-message-image",
		`{"model":"gpt-4o","messages":[{"role":"user","content":"q"},{"role":"function",` +
			`"name":"f","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,` +
			`iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"}}]},{"role":"user","content":"n"}]}`},
	{"the check did not look at the name of a legacy function message", "openai-chat",
		"openai-chat/message-name-pattern",
		`{"model":"gpt-4o","messages":[{"role":"user","content":"q"},{"role":"function",` +
			`"name":" ","content":"ok"},{"role":"user","content":"n"}]}`},
	{"the fake refused a function message whose content is null, which its schema allows",
		"openai-chat", "",
		`{"model":"gpt-4o","messages":[{"role":"user","content":"q"},{"role":"function",` +
			`"name":"f","content":null},{"role":"user","content":"n"}]}`},
	{"the fake took nothing in the list of thinking for a thought", "mistral",
		"mistral/assistant-empty",
		`{"model":"mistral-large-latest","messages":[{"role":"user","content":"q"},` +
			`{"role":"assistant","content":[{"type":"thinking","thinking":[null]}]},` +
			`{"role":"user","content":"n"}]}`},
	{"the fake took a text that is a number for words", "mistral", "mistral/assistant-empty",
		`{"model":"mistral-large-latest","messages":[{"role":"user","content":"q"},` +
			`{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text",` +
			`"text":7}]}]},{"role":"user","content":"n"}]}`},
	{"the check took any result of its id for the answer to a call of an MCP server", "anthropic",
		"anthropic/mcp-tool-pairing anthropic/server-tool-id-pattern " +
			"anthropic/server-tool-result-orphan",
		`{"model":"claude-sonnet-4-5","max_tokens":64,"messages":[{"role":"user","content":"q"},` +
			`{"role":"assistant","content":[{"type":"mcp_tool_use","id":"mcptoolu_1",` +
			`"name":"echo","server_name":"s","input":{}},` +
			`{"type":"bash_code_execution_tool_result","tool_use_id":"mcptoolu_1",` +
			`"content":{"stdout":"o","return_code":0}},{"type":"text","text":"a"}]},` +
			`{"role":"user","content":"n"}]}`},
	{"the fake took a call in a user's message for what the assistant may answer", "bedrock",
		"bedrock/tool-result-exceeds",
		`{"modelId":"anthropic.claude-sonnet-4-5-20250929-v1:0",` +
			`"toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":{}}}}]},` +
			`"messages":[{"role":"user","content":[{"toolUse":{"toolUseId":"t1","name":"f",` +
			`"input":{}}},{"text":"q"}]},{"role":"assistant","content":[{"text":"a"},` +
			`{"toolResult":{"toolUseId":"t1","content":[{"text":"r"}]}}]},{"role":"user",` +
			`"content":[{"text":"n"}]}]}`},
	{"the fake took a chunk of text without a text for one with words", "mistral",
		"mistral/assistant-empty",
		`{"model":"mistral-large-latest","messages":[{"role":"user","content":"q"},` +
			`{"role":"assistant","content":[{"type":"thinking","thinking":[]},{"type":"text"}]},` +
			`{"role":"user","content":"n"}]}`},
	{"the fake took a list that holds nothing but empty thinking for content", "mistral",
		"mistral/assistant-empty",
		`{"model":"mistral-large-latest","messages":[{"role":"user","content":"q"},` +
			`{"role":"assistant","content":[{"type":"thinking","thinking":[]}]},{"role":"user",` +
			`"content":"n"}]}`},
	{"the check took a stray field beside the id of a call that names no function for its " +
		"arguments; Ollama decodes the call without looking at it", "ollama", "",
		`{"model":"m","messages":[{"role":"user","content":"q"},{"role":"assistant","content":"",` +
			`"tool_calls":[{"id":"c","arguments":7}]},{"role":"tool","tool_call_id":"c",` +
			`"content":"x"}]}`},
	{"the same, where the stray field is a string as other hosts write arguments", "ollama", "",
		`{"model":"m","messages":[{"role":"user","content":"q"},{"role":"assistant","content":"",` +
			`"tool_calls":[{"id":"c","name":"f","arguments":"{\"a\":1.0}"}]},{"role":"tool",` +
			`"tool_call_id":"c","content":"x"}]}`},
	{"the check judged each message by itself; messages of the assistant in a row are one turn, " +
		"which thinking leads", "anthropic", "anthropic/thinking-order-in-message",
		`{"model":"claude-sonnet-4-5","max_tokens":2048,"thinking":{"type":"enabled",
			"budget_tokens":1024},"messages":[{"role":"user","content":"q"},
			{"role":"assistant","content":"a"},{"role":"assistant","content":[
				{"type":"thinking","thinking":"t","signature":"QUJD"},
				{"type":"text","text":"b"}]},{"role":"user","content":"n"}]}`},
	{"likewise, where the turn begins with thinking", "anthropic", "",
		`{"model":"claude-sonnet-4-5","max_tokens":2048,"thinking":{"type":"enabled",
			"budget_tokens":1024},"messages":[{"role":"user","content":"q"},
			{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"QUJD"},
				{"type":"text","text":"a"}]},{"role":"assistant","content":[
				{"type":"text","text":"b"},
				{"type":"thinking","thinking":"t","signature":"QUJD"},
				{"type":"text","text":"c"}]},{"role":"user","content":"n"}]}`},
	{"the fake did not ask Claude about an id of two calls", "bedrock",
		"anthropic/tool-use-id-duplicate",
		`{"modelId":"anthropic.claude-sonnet-4-5-20250929-v1:0","toolConfig":{"tools":[
			{"toolSpec":{"name":"f","inputSchema":{"json":{"type":"object"}}}}]},"messages":[
			{"role":"user","content":[{"text":"q"}]},{"role":"assistant","content":[
				{"toolUse":{"toolUseId":"t_1","name":"f","input":{}}}]},
			{"role":"assistant","content":[
				{"toolUse":{"toolUseId":"t_1","name":"f","input":{}}}]},
			{"role":"user","content":[{"toolResult":{"toolUseId":"t_1",
				"content":[{"text":"ok"}]}}]}]}`},
	{"the check took a cache point after a cache point for one with nothing to cache, which " +
		"Bedrock was not seen to refuse", "bedrock", "",
		`{"modelId":"anthropic.claude-sonnet-4-5-20250929-v1:0","messages":[{"role":"user",
			"content":[{"text":"q"},{"cachePoint":{"type":"default"}},
				{"cachePoint":{"type":"default"}}]}]}`},
	{"the check took a tool search without its id for the item that stored reasoning led to",
		"openai-responses", "openai-responses/reasoning-needs-following",
		`{"model":"gpt-5.4","input":[{"role":"user","content":"q"},
			{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"QUJD"},
			{"type":"tool_search_call","call_id":null,"execution":"server","status":"completed",
				"arguments":{}},
			{"type":"tool_search_output","id":"tso_1","call_id":null,"execution":"server",
				"status":"completed","tools":[]},{"role":"user","content":"n"}]}`},
	{"an assistant message without content is a message between a call and its result", "cohere",
		"cohere/tool-result-missing",
		`{"model":"command-a-03-2025","messages":[{"role":"user","content":"q"},
			{"role":"assistant","tool_calls":[{"id":"a","type":"function",
				"function":{"name":"f","arguments":"{}"}}]},
			{"role":"assistant","content":[]},
			{"role":"tool","tool_call_id":"a","content":"ok"}]}`},
	{"after the results of all calls it is none", "cohere", "",
		`{"model":"command-a-03-2025","messages":[{"role":"user","content":"q"},
			{"role":"assistant","tool_calls":[{"id":"a","type":"function",
				"function":{"name":"f","arguments":"{}"}}]},
			{"role":"tool","tool_call_id":"a","content":"ok"},
			{"role":"assistant","content":[]},{"role":"user","content":"n"}]}`},
	{"the fake let Claude have white space alone", "bedrock", "bedrock/blank-text",
		`{"modelId":"us.anthropic.claude-opus-4-8","messages":[{"role":"user",
			"content":[{"text":" "}]}]}`},
	{"the fake let a tool result hold white space", "bedrock", "bedrock/blank-text",
		`{"modelId":"us.anthropic.claude-opus-4-6-v1","toolConfig":{"tools":[{"toolSpec":{"name":"f",
			"inputSchema":{"json":{"type":"object"}}}}]},"messages":[
			{"role":"user","content":[{"text":"q"}]},
			{"role":"assistant","content":[{"toolUse":{"toolUseId":"t","name":"f","input":{}}}]},
			{"role":"user","content":[{"toolResult":{"toolUseId":"t",
				"content":[{"text":" "},{"text":"x"}]}}]}]}`},
	{"Claude's setting for thinking says nothing about a model of another family", "bedrock", "",
		`{"toolConfig":{"tools":[{"toolSpec":{"name":"f",
			"inputSchema":{"json":{"type":"object"}}}}]},"additionalModelRequestFields":{
			"thinking":{"type":"enabled","budget_tokens":1024}},"messages":[
			{"role":"user","content":[{"text":"q"}]},
			{"role":"assistant","content":[{"toolUse":{"toolUseId":"t","name":"f","input":{}}}]},
			{"role":"user","content":[{"toolResult":{"toolUseId":"t",
				"content":[{"text":"x"}]}}]}]}`},
	{"the fake read the names of declared functions alone", "gemini",
		"gemini/function-name-pattern",
		`{"model":"gemini-2.5-pro","contents":[{"role":"user","parts":[{"text":"q"}]},
			{"role":"model","parts":[{"functionCall":{"name":"a b","args":{}}}]},
			{"role":"user","parts":[{"functionResponse":{"name":"a b","response":{}}}]}]}`},
	{"the fake took an id of white space for that of a call without one", "vertex-gemini",
		"gemini/function-response-placement",
		`{"model":"publishers/google/models/gemini-2.5-pro","contents":[
			{"role":"user","parts":[{"text":"q"}]},
			{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]},
			{"role":"user","parts":[{"functionResponse":{"name":"f","id":" ","response":{}}}]}]}`},
	{"the Gemini API takes a model's content without a role for the user's", "gemini", "",
		`{"model":"gemini-3-pro-preview","contents":[{"role":"user","parts":[{"text":"q"}]},
			{"parts":[{"text":"hm","thought":true},{"text":"a"}]},
			{"role":"user","parts":[{"text":"n"}]}]}`},
	{"a type of media that is no half of one that preflight knows", "gemini", "",
		`{"model":"gemini-2.5-pro","contents":[{"role":"user","parts":[
			{"inlineData":{"mimeType":"x","data":"QUJD"}}]}]}`},
	{"no host but OpenAI's own was seen to refuse an item of another format",
		"deepseek-responses", "",
		`{"model":"deepseek-v4-flash","input":[{"role":"user","content":"q"},
			{"type":"summary_text","summary":[]}]}`},
	{"an empty list is content: what is required is the member", "cohere", "",
		`{"model":"command-a-03-2025","messages":[{"role":"user","content":"q"},
			{"role":"assistant","tool_calls":[{"id":"t","type":"function","function":{"name":"f",
				"arguments":"{}"}}]},
			{"role":"tool","tool_call_id":"t","content":[]}]}`},
	{"the fake let the models of other vendors have a call without a name", "anthropic",
		"anthropic/tool-use-name-length",
		`{"model":"kimi-k2","max_tokens":64,"messages":[{"role":"user","content":"q"},
			{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"","input":{}}]},
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"t",
				"content":"r"}]}]}`},
	{"the fake held the models of other vendors to Anthropic's limit for names", "anthropic", "",
		`{"model":"kimi-k2","max_tokens":64,"messages":[{"role":"user","content":"q"},
			{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"` +
			strings.Repeat("n", 201) + `","input":{}}]},
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"t",
				"content":"r"}]}]}`},
	{"the fake took a system message alone for a conversation", "anthropic",
		"anthropic/messages-empty",
		`{"model":"kimi-k2","max_tokens":64,"messages":[{"role":"system","content":[
			{"type":"image","source":{"type":"url","url":"https://e.x/a.png"}}]}]}`},
	{"the fake let the models of other vendors have a system message first", "anthropic",
		"anthropic/system-role-leading",
		`{"model":"kimi-k2","max_tokens":64,"messages":[{"role":"system","content":"s"},
			{"role":"user","content":"q"}]}`},
	{"the fake gave a second response with the id of a call to a call without one",
		"gemini", "gemini/function-response-placement",
		`{"model":"gemini-2.5-pro","contents":[{"role":"user","parts":[{"text":"q"}]},
			{"role":"model","parts":[{"functionCall":{"name":"f","id":"1","args":{}}},
				{"functionCall":{"name":"f","args":{}}}]},
			{"role":"user","parts":[{"functionResponse":{"name":"f","id":"1","response":{}}},
				{"functionResponse":{"name":"f","id":"1","response":{"a":1}}}]}]}`},
	{"media beside the responses opened a turn for the fake", "vertex-gemini",
		"gemini/thought-signature-missing-vertex",
		`{"model":"publishers/google/models/gemini-3.8-flash","contents":[
			{"role":"user","parts":[{"text":"q"}]},
			{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]},
			{"role":"user","parts":[{"functionResponse":{"name":"f","response":{}}},
				{"inlineData":{"mimeType":"image/png","data":"R0lGODlhAQABAAAAADs="}}]}]}`},
}

func TestDisagreements(t *testing.T) {
	for _, s := range slices.Concat(disagreements, blockDisagreements, pairDisagreements) {
		t.Run(s.reason, func(t *testing.T) {
			require.Empty(t, disagreement(t, s.provider, []byte(s.body)))
			refused := faults(t, s.provider, []byte(s.body))
			if s.rule == "" {
				require.Empty(t, refused)
				return
			}
			if s.rule == " " {
				require.Equal(t, []string{""}, refused)
			} else {
				require.Equal(t, strings.Fields(s.rule), refused)
			}
			require.Empty(t, refusedAfter(t, s.provider, []byte(s.body)))
		})
	}
}
