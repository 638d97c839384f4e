package wire_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/wire"
)

// sound are bodies with nothing wrong with them, in spellings that a decoder and encoder would change.
var sound = []struct{ reason, provider, body string }{
	{"order of keys, unknown fields, numbers", "anthropic", `{"zeta":1.0,"messages":[{"content":"q","role":"user","x_new":{"n":1e2,"m":12345678901234567890}}],"max_tokens":1024.0,"model":"claude-sonnet-4-5"}`},
	{"white space in every place", "anthropic", " \r\n{ \"model\" :\t\"claude-sonnet-4-5\" ,\r\n\"messages\" : [ {\r\n \"role\" : \"user\" , \"content\" : [ { \"type\" : \"text\" , \"text\" : \"q\" } ] } ] } \n"},
	{"escapes that need none, and characters that are often escaped", "anthropic", `{"model":"claude-sonnet-4-5","messages":[{"role":"user","content":"\u0068i\/ <b>&\u2028 ` + "\u2028é😀" + ` \ud83d\ude00"}]}`},
	{"escaped keys and types", "anthropic", `{"model":"claude-sonnet-4-5","messages":[{"r\u006fle":"us\u0065r","content":[{"typ\u0065":"te\u0078t","text":"q"}]}]}`},
	{"keys twice, where nobody looks", "anthropic", `{"model":"claude-sonnet-4-5","x":1,"x":2,"messages":[{"role":"user","content":"q","y":1,"y":2}]}`},
	{"roles twice: the last counts", "anthropic", `{"model":"claude-sonnet-4-5","messages":[{"role":"assistant","content":"q","role":"user"}]}`},
	{"everything a turn can hold", "anthropic", `{"model":"claude-sonnet-4-5","system":[{"type":"text","text":"s","cache_control":{"type":"ephemeral"}}],"thinking":{"type":"enabled","budget_tokens":1024},
 "tools":[{"name":"f","input_schema":{"type":"object"}},{"type":"web_search_20250305","name":"web_search"}],"messages":[
 {"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}},{"type":"document","source":{"type":"content","content":[{"type":"text","text":"d"}]},"title":"T","citations":{"enabled":true}},{"type":"text","text":"q","cache_control":null}]},
 {"role":"assistant","content":[{"type":"thinking","thinking":"","signature":"QUJD"},{"type":"redacted_thinking","data":"QUJD"},{"type":"text","text":"a","citations":[{"type":"x","n":1.0}]},
  {"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"x"}},{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"type":"web_search_result","url":"u","title":"t","encrypted_content":"QUJD","page_age":null}]},
  {"type":"mcp_tool_use","id":"mcptoolu_1","name":"m","server_name":"s","input":{}},{"type":"mcp_tool_result","tool_use_id":"mcptoolu_1","is_error":false,"content":[{"type":"text","text":"r"}]},
  {"type":"tool_use","id":"toolu_1","name":"f","input":{"n":1.0,"n2":12345678901234567890},"caller":{"type":"direct"}},{"type":"tool_use","id":"toolu_2","name":"f","input":{}}]},
 {"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_2","content":"","is_error":false},{"type":"tool_result","tool_use_id":"toolu_1","content":[{"type":"text","text":"r"},{"type":"image","source":{"type":"url","url":"https://e/x.png"}},{"type":"search_result","x":1}]},{"type":"text","text":"so?"}]}]}`},
	{"a paused turn", "anthropic", `{"model":"claude-opus-4-6","tools":[{"type":"web_search_20250305","name":"web_search"}],"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}}]}]}`},
	{"empty system, tools and choice", "anthropic", `{"model":"claude-sonnet-4-5","system":"","tools":[],"tool_choice":null,"container":null,"messages":[{"role":"user","content":"q"}]}`},
	{"a bare list", "anthropic", "[\n\t{\"role\":\"user\",\"content\":\"q\"}\n]"},
	{"a model nobody knows", "anthropic", `{"model":7,"messages":[{"role":"user","content":"q"}]}`},

	{"everything a turn can hold", "openai-chat", `{"model":"gpt-4o","n":1.0,"messages":[{"role":"developer","content":[{"type":"text","text":"s"}]},{"role":"user","name":"jane","content":[{"type":"text","text":"q"},{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo=","detail":"low"}},{"type":"input_audio","input_audio":{"data":"UklGRg==","format":"wav"}},{"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,JVBERi0="}},{"type":"file","file":{"file_id":"f1"}},{"type":"video_url","video_url":{"url":"u"}}]},
 {"role":"assistant","content":null,"refusal":null,"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"arguments":"{ \"a\" : 1.0,\n\"b\":\"\\ud83d\\ude00\" }","name":"f"}},{"id":"c2","type":"custom","custom":{"name":"g","input":"free text \u2028"}}],"annotations":[]},
 {"role":"tool","content":[{"type":"text","text":"1"},{"type":"text","text":""}],"tool_call_id":"c1","name":"f"},{"tool_call_id":"c2","role":"tool","content":""},
 {"role":"assistant","content":"","reasoning_content":"r","audio":{"id":"a1"}},{"role":"assistant","content":[{"type":"refusal","refusal":"no"}]},{"role":"system","content":"note"},{"role":"user","content":"x"}]}`},
	{"legacy functions", "openai-chat", `{"model":"gpt-4","messages":[{"role":"user","content":"q"},{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}},{"role":"function","name":"f","content":null},{"role":"assistant","content":"a","tool_calls":null,"function_call":null}]}`},
	{"tool calls of somebody who has none", "openai-chat", `{"model":"gpt-4o","messages":[{"role":"user","content":"q","tool_calls":[]}]}`},
	{"neighbours, and an end on the assistant", "openai-chat", `{"model":"gpt-4o","messages":[{"role":"assistant","content":"a "},{"role":"assistant","content":"b "}]}`},
	{"a bare list", "openai-chat", `[ {"role":"user","content":""} ]`},
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
		if head == c.body || strings.Contains(tail, "]") || strings.Contains(c.reason, "paused") {
			continue // the list of messages does not stand last, or what follows decides about the turn before
		}
		t.Run(c.provider+" "+c.reason, func(t *testing.T) {
			stray := `, {"role":"tool","tool_call_id":"nobody","content":"x"}`
			if c.provider == "anthropic" {
				stray = `, {"role":"assistant","content":[{"type":"tool_use","id":"open","name":"f","input":{}}]}`
			}
			result, err := wire.Sanitize(context.Background(), []byte(head+stray+"]}"), &wire.Options{Provider: c.provider})
			require.NoError(t, err)
			require.Equal(t, c.body, string(result.Body))
			require.NotEmpty(t, result.Warnings)
		})
	}
}
