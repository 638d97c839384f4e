package wire_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/wire"
)

// TestShapes: one thing wrong with the form of a body at a time, what comes out, and what is said
// where.
func TestShapes(t *testing.T) {
	point := `{"cachePoint":{"type":"default"}}`
	tool := func(name string) string {
		return `{"toolSpec":{"name":"` + name + `","inputSchema":{"json":{"type":"object"}}}}`
	}
	bedrock := func(tools string) string {
		return `{"modelId":"anthropic.claude-sonnet-4-5-20250929-v1:0","toolConfig":{"tools":[` +
			tools + `]},"messages":[{"role":"user","content":[{"text":"q"}]}]}`
	}
	for _, c := range []struct {
		reason, provider, in, out string
		said                      []string
	}{
		{"a message without its role", "bedrock", `{"messages":[{"content":[{"text":"q"}]}]}`,
			`{"messages":[{"content":[{"text":"q"}],"role":"user"}]}`,
			[]string{"messages[0].role shape-repaired"}},
		{"cache points of tools over the limit, the earliest go", "bedrock", bedrock(tool("a") +
			`,` + point + `,` + tool("b") + `,` + point + `,` + point + `,` + point +
			`,` + point + `,` + point),
			bedrock(tool("a") + `,` + tool("b") + `,` + point + `,` + point + `,` +
				point + `,` + point),
			[]string{"toolConfig.tools[1] cache-removed", "toolConfig.tools[3] cache-removed"}},
		{"a tool that is declared twice", "bedrock", bedrock(tool("a") + `,` + tool("a")),
			bedrock(tool("a")), []string{"toolConfig.tools[1] tool-removed"}},
		{"an output that is an object", "openai-responses",
			`{"input":[{"role":"user","content":"q"},` +
				`{"type":"function_call","call_id":"c","name":"f","arguments":"{}"},` +
				`{"type":"function_call_output","call_id":"c","output":{"n":1.0}}]}`,
			`{"input":[{"role":"user","content":"q"},` +
				`{"type":"function_call","call_id":"c","name":"f","arguments":"{}"},` +
				`{"type":"function_call_output","call_id":"c","output":"{\"n\":1.0}"}]}`,
			[]string{"input[2].output shape-repaired"}},
		{"half a pair in a key", "anthropic",
			`{"messages":[{"role":"user","content":"q"}],"metadata":{"a":1,"\ud800":2}}`,
			`{"messages":[{"role":"user","content":"q"}],"metadata":{"a":1,"\ufffd":2}}`,
			[]string{"metadata[#1] text-repaired"}},
		{"and in a value, under any letters", "anthropic",
			`{"messages":[{"role":"user","content":"q"}],"metadata":{"Zz_9":{"A":"\ud800"},` +
				`"9z":["","\ud800"],"":"\ud800"}}`,
			`{"messages":[{"role":"user","content":"q"}],"metadata":{"Zz_9":{"A":"\ufffd"},` +
				`"9z":["","\ufffd"],"":"\ufffd"}}`,
			[]string{
				"metadata[#0] text-repaired", "metadata[#1] text-repaired",
				"metadata[#2] text-repaired",
			}},
		{"a string in the place of a part keeps its spelling", "gemini",
			`{"contents":[{"role":"user","parts":["\u0061/"]}]}`,
			`{"contents":[{"role":"user","parts":[{"text":"\u0061/"}]}]}`,
			[]string{"contents[0].parts[0] shape-repaired"}},
		{"a result without a name answers a call of an earlier turn", "ollama",
			`{"messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f",` +
				`"arguments":{}}}]},{"role":"user","content":"x"},` +
				`{"role":"assistant","content":"y"},` +
				`{"role":"tool","tool_name":"f","content":"1"}]}`,
			`{"messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f",` +
				`"arguments":{}}}]},{"role":"tool","tool_name":"f","content":"1"},` +
				`{"role":"user","content":"x"},{"role":"assistant","content":"y"}]}`,
			[]string{"messages[4] result-moved"}},
		{"a thought that is signed is not edited", "gemini",
			`{"contents":[{"role":"user","parts":[{"text":"q"}]},` +
				`{"role":"model","parts":[{"text":"h\ud800m","thought":true,` +
				`"thoughtSignature":"QUJD"},{"text":"a"}]},` +
				`{"role":"user","parts":[{"text":"r"}]}]}`,
			`{"contents":[{"role":"user","parts":[{"text":"q"}]},` +
				`{"role":"model","parts":[{"text":"a"}]},{"role":"user","parts":[{"text":"r"}]}]}`,
			[]string{"contents[1].parts[0] reasoning-removed"}},
		{"one that is not is", "gemini",
			`{"contents":[{"role":"user","parts":[{"text":"q"}]},` +
				`{"role":"model","parts":[{"text":"h\ud800m","thought":true,` +
				`"thoughtSignature":""},{"text":"a"}]},{"role":"user","parts":[{"text":"r"}]}]}`,
			`{"contents":[{"role":"user","parts":[{"text":"q"}]},` +
				`{"role":"model","parts":[{"text":"h\ufffdm","thought":true,` +
				`"thoughtSignature":""},{"text":"a"}]},{"role":"user","parts":[{"text":"r"}]}]}`,
			[]string{"contents[1].parts[0].text text-repaired"}},
		{"a moved result keeps what nobody modelled", "ollama",
			`{"messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f",` +
				`"arguments":{}}}]},{"role":"user","content":"x"},` +
				`{"role":"tool","tool_name":"f","content":"1","x":1.0}]}`,
			`{"messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f",` +
				`"arguments":{}}}]},{"role":"tool","tool_name":"f","content":"1","x":1.0},` +
				`{"role":"user","content":"x"}]}`,
			[]string{"messages[3] result-moved"}},
	} {
		t.Run(c.reason, func(t *testing.T) {
			result, err := wire.Sanitize(
				context.Background(),
				[]byte(c.in),
				&wire.Options{Provider: c.provider},
			)
			require.NoError(t, err)
			var said []string
			for _, w := range result.Warnings {
				said = append(said, fmt.Sprint(w.Path, " ", w.Code))
			}
			require.Equal(t, c.out, string(result.Body))
			require.Equal(t, c.said, said)
		})
	}
}

// TestChatShapes: what is wrong with the form of messages of the Chat wire, what they become, and
// what is said where, under which rule.
func TestChatShapes(t *testing.T) {
	const call = `{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}`
	const asks = `{"role":"assistant","content":"a","tool_calls":[` + call + `]}`
	for _, c := range []struct {
		reason, provider, in, out string
		said                      []string
	}{
		{"a result of a function that says nothing", "openai-chat",
			`{"role":"function","name":"f","content":[]},{"role":"user","content":"q"}`,
			`{"role":"user","content":"q"}`,
			[]string{
				"messages[0].role shape-repaired openai-chat/content-null",
				"messages[0] message-removed openai-chat/content-null",
			}},
		{"nor does one without content", "openai-chat",
			`{"role":"function","name":"f"},{"role":"user","content":"q"}`,
			`{"role":"user","content":"q"}`,
			[]string{
				"messages[0].role shape-repaired openai-chat/content-null",
				"messages[0] message-removed openai-chat/content-null",
			}},
		{"one that is a number", "openai-chat",
			`{"role":"function","name":"f","content":7},{"role":"user","content":"q"}`,
			`{"role":"user","name":"f","content":"7"},{"role":"user","content":"q"}`,
			[]string{
				"messages[0].role shape-repaired openai-chat/content-type",
				"messages[0].content shape-repaired openai-chat/content-type",
			}},
		{"one that is a list of texts", "openai-chat",
			`{"role":"function","name":"f","content":[{"type":"text","text":"a"}]},` +
				`{"role":"user","content":"q"}`,
			`{"role":"function","name":"f","content":[{"type":"text","text":"a"}]},` +
				`{"role":"user","content":"q"}`,
			nil},
		{"one whose text is none", "openai-chat",
			`{"role":"function","name":"f","content":[{"type":"text","text":7}]},` +
				`{"role":"user","content":"q"}`,
			`{"role":"user","name":"f","content":[{"type":"text","text":"7"}]},` +
				`{"role":"user","content":"q"}`,
			[]string{
				"messages[0].role shape-repaired openai-chat/content-type",
				"messages[0].content[0].text shape-repaired preflight/shape",
			}},
		{"one that holds an image", "openai-chat",
			`{"role":"function","name":"f","content":[{"type":"text","text":"a"},` +
				`{"type":"image_url","image_url":{"url":"https://e/x.png"}}]},` +
				`{"role":"user","content":"q"}`,
			`{"role":"user","name":"f","content":[{"type":"text","text":"a"},` +
				`{"type":"image_url","image_url":{"url":"https://e/x.png"}}]},` +
				`{"role":"user","content":"q"}`,
			[]string{"messages[0].role shape-repaired openai-chat/tool-message-image"}},
		{"one that holds who knows what", "openai-chat",
			`{"role":"function","name":"f","content":[{"type":"thing"},` +
				`{"type":"text","text":"a"}]},{"role":"user","content":"q"}`,
			`{"role":"user","name":"f","content":[{"type":"thing"},{"type":"text","text":"a"}]},` +
				`{"role":"user","content":"q"}`,
			[]string{"messages[0].role shape-repaired openai-chat/content-type"}},
		{"one of a name that is refused", "openai-chat",
			`{"role":"function","name":"a b","content":"x"},{"role":"user","content":"q"}`,
			`{"role":"user","name":"a_b_c8687a08","content":"x"},{"role":"user","content":"q"}`,
			[]string{
				"messages[0].role shape-repaired openai-chat/message-name-pattern",
				"messages[0] name-repaired openai-chat/message-name-pattern",
			}},
		{"one where nobody knows them any more", "deepseek",
			`{"role":"function","name":"f","content":"x"},{"role":"user","content":"q"}`,
			`{"role":"user","name":"f","content":"x"},{"role":"user","content":"q"}`,
			[]string{"messages[0].role shape-repaired openai-chat/role-unknown"}},
		{"names that are refused", "openai-chat", asks +
			`,{"role":"tool","tool_call_id":"c1","name":"a b","content":"x"},` +
			`{"role":"user","name":"","content":"x"},{"role":"user","name":7,"content":"x"}`,
			asks +
				`,{"role":"tool","tool_call_id":"c1","content":"x"},` +
				`{"role":"user","content":"x"},{"role":"user","name":"7","content":"x"}`,
			[]string{
				"messages[1].name field-removed openai-chat/message-name-pattern",
				"messages[2].name field-removed openai-chat/message-name-pattern",
				"messages[3].name shape-repaired preflight/shape",
			}},
		{"names that another host takes", "cohere", `{"role":"user","name":"","content":"x"},` +
			asks + `,{"role":"tool","tool_call_id":"c1","name":"a b","content":"x"}`,
			`{"role":"user","name":"","content":"x"},` + asks +
				`,{"role":"tool","tool_call_id":"c1","name":"a b","content":"x"}`, nil},
		{"lists of calls that are none", "openai-chat",
			`{"role":"user","content":"q"},{"role":"assistant","content":"a","tool_calls":[]},` +
				`{"role":"assistant","content":"a","tool_calls":{}},` +
				`{"role":"assistant","content":"a","tool_calls":7},` +
				`{"role":"assistant","content":"a","tool_calls":[7]}`,
			`{"role":"user","content":"q"},{"role":"assistant","content":"a"},` +
				`{"role":"assistant","content":"a"},{"role":"assistant","content":"a"},` +
				`{"role":"assistant","content":"a"}`,
			[]string{
				"messages[1].tool_calls shape-repaired openai-chat/empty-tool-calls",
				"messages[2].tool_calls shape-repaired openai-chat/empty-tool-calls",
				"messages[3].tool_calls shape-repaired openai-chat/empty-tool-calls",
				"messages[4].tool_calls[0] shape-repaired preflight/shape",
			}},
		{"texts that are none", "openai-chat",
			`{"role":"user","content":[{"type":"text"}]},` +
				`{"role":"user","content":[{"type":"text","text":7},{"type":"text","text":null}]}`,
			`{"role":"user","content":[{"type":"text","text":""}]},` +
				`{"role":"user","content":[{"type":"text","text":"7"},{"type":"text","text":""}]}`,
			[]string{
				"messages[0].content[0].text shape-repaired preflight/shape",
				"messages[1].content[0].text shape-repaired preflight/shape",
				"messages[1].content[1].text shape-repaired preflight/shape",
			}},
		{"calls that are not the assistant's are none", "openai-chat",
			`{"role":"user","content":"q","tool_calls":[` + call + `]}`,
			`{"role":"user","content":"q","tool_calls":[` + call + `]}`, nil},
		{"roles that are none", "openai-chat",
			`{"role":"","content":"q"},{"role":7,"content":"q"},{"role":"agent","content":"x"},` +
				`{"role":" User ","content":"x"}`,
			`{"role":"user","content":"q"},{"role":"user","content":"q"},` +
				`{"role":"user","content":"x"},{"role":"user","content":"x"}`,
			[]string{
				"messages[0].role shape-repaired openai-chat/role-missing",
				"messages[1].role shape-repaired openai-chat/role-missing",
				"messages[2] role-mapped openai-chat/role-unknown",
				"messages[3] role-mapped openai-chat/role-unknown",
			}},
		{"reasoning alone", "openai-chat",
			`{"role":"user","content":"q"},{"role":"assistant","reasoning":"r"},` +
				`{"role":"assistant","reasoning":"r","refusal":"no"},` +
				`{"role":"assistant","content":"","reasoning":"r"}`,
			`{"role":"user","content":"q"},{"role":"assistant","reasoning":"r","content":""},` +
				`{"role":"assistant","reasoning":"r","refusal":"no"},` +
				`{"role":"assistant","content":"","reasoning":"r"}`,
			[]string{"messages[1].content shape-repaired openai-chat/content-null"}},
		{"members of calls that are no texts", "openai-chat",
			`{"role":"assistant","content":null,"tool_calls":[{"id":7,"type":"function",` +
				`"function":{"name":"f","arguments":null}},` +
				`{"id":"c2","type":7,"function":{"name":8}}]},` +
				`{"role":"tool","tool_call_id":7,"content":"x"},` +
				`{"role":"tool","tool_call_id":"c2","content":"x"}`,
			`{"role":"assistant","content":null,"tool_calls":[{"id":"7","type":"function",` +
				`"function":{"name":"f","arguments":"{}"}},` +
				`{"id":"c2","type":"function","function":{"name":"8","arguments":"{}"}}]},` +
				`{"role":"tool","tool_call_id":"7","content":"x"},` +
				`{"role":"tool","tool_call_id":"c2","content":"x"}`,
			[]string{"messages[0].tool_calls[0].id shape-repaired preflight/shape",
				"messages[0].tool_calls[0].function.arguments shape-repaired " +
					"openai-chat/arguments-not-json",
				"messages[0].tool_calls[1].type shape-repaired preflight/shape",
				"messages[0].tool_calls[1].function.name shape-repaired preflight/shape",
				"messages[0].tool_calls[1].function.arguments shape-repaired " +
					"openai-chat/arguments-not-json",
				"messages[1].tool_call_id shape-repaired preflight/shape"}},
		{"what a strict host does not know", "groq",
			`{"role":"developer","content":"s","name":"n","x":1},` +
				`{"role":"user","content":"q","tool_calls":[]},` +
				`{"role":"assistant","content":"a","tool_calls":[` +
				call + `],"refusal":null},{"role":"tool","tool_call_id":"c1","content":"x","x":1}`,
			`{"role":"developer","content":"s","name":"n"},{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"a","tool_calls":[` +
				call + `]},{"role":"tool","tool_call_id":"c1","content":"x"}`,
			[]string{
				"messages[0][#3] field-removed groq/unknown-property",
				"messages[1].tool_calls field-removed groq/unknown-property",
				"messages[2].refusal field-removed groq/unknown-property",
				"messages[3][#3] field-removed groq/unknown-property",
			}},
	} {
		t.Run(c.reason, func(t *testing.T) {
			requireSaid(
				t,
				c.provider,
				`{"messages":[`+c.in+`]}`,
				`{"messages":[`+c.out+`]}`,
				c.said,
			)
			requireFound(t, c.provider, `{"messages":[`+c.in+`]}`, c.said)
		})
	}
}

// TestAnthropicShapes: the same for Messages requests, and what is next to their messages.
func TestAnthropicShapes(t *testing.T) {
	for _, c := range []struct {
		reason, in, out string
		said            []string
	}{
		{"messages without a role",
			`{"messages":[{"content":"q"},` +
				`{"content":[{"type":"tool_use","id":"t1","name":"f","input":{}}]},` +
				`{"content":[{"type":"tool_result","tool_use_id":"t1","content":"x"}]}],` +
				`"tools":[{"name":"f","input_schema":{}}]}`,
			`{"messages":[{"content":"q","role":"user"},` +
				`{"content":[{"type":"tool_use","id":"t1","name":"f","input":{}}],` +
				`"role":"assistant"},{"content":[{"type":"tool_result","tool_use_id":"t1",` +
				`"content":"x"}],"role":"user"}],"tools":[{"name":"f","input_schema":{}}]}`,
			[]string{
				"messages[0].role shape-repaired preflight/shape",
				"messages[1].role shape-repaired preflight/shape",
				"messages[2].role shape-repaired preflight/shape",
			}},
		{"a choice of a tool where none is declared stays",
			`{"messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"a b",` +
				`"input":{}}]},{"role":"user","content":[{"type":"tool_result",` +
				`"tool_use_id":"t1","content":"x"}]}],"tools":[],` +
				`"tool_choice":{"type":"tool","name":"a b"}}`,
			`{"messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"a b",` +
				`"input":{}}]},{"role":"user","content":[{"type":"tool_result",` +
				`"tool_use_id":"t1","content":"x"}]}],"tools":[],` +
				`"tool_choice":{"type":"tool","name":"a b"}}`,
			nil},
		{"the provider's own result is the assistant's",
			`{"messages":[{"role":"user","content":"q"},` +
				`{"content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search",` +
				`"input":{}},{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1",` +
				`"content":[]}]},{"role":"user","content":"n"}],` +
				`"tools":[{"type":"web_search_20250305","name":"web_search"}]}`,
			`{"messages":[{"role":"user","content":"q"},` +
				`{"content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search",` +
				`"input":{}},{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1",` +
				`"content":[]}],"role":"assistant"},` +
				`{"role":"user","content":"n"}],` +
				`"tools":[{"type":"web_search_20250305","name":"web_search"}]}`,
			[]string{"messages[1].role shape-repaired preflight/shape"}},
		{"even where nothing asks for it",
			`{"messages":[{"role":"user","content":"q"},` +
				`{"content":[{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1",` +
				`"content":[]}]},{"role":"user","content":"n"}]}`,
			`{"messages":[{"role":"user","content":"q"},{"role":"user","content":"n"}]}`,
			[]string{
				"messages[1].role shape-repaired preflight/shape",
				"messages[1].content[0] orphan-removed anthropic/server-tool-result-orphan",
			}},
		{"sources of images",
			`[{"role":"user","content":[{"type":"image","source":{"type":"file","file_id":"f"}},` +
				`{"type":"image","source":{"type":"new","x":1},"index":0},` +
				`{"type":"image","source":7,"index":0},` +
				`{"type":"document","source":{"type":"base64","media_type":"application/pdf",` +
				`"data":"JVBERi0="},"title":"t","index":0}]}]`,
			`[{"role":"user","content":[{"type":"image","source":{"type":"file","file_id":"f"}},` +
				`{"type":"image","source":{"type":"new","x":1},"index":0},` +
				`{"type":"document","source":{"type":"base64","media_type":"application/pdf",` +
				`"data":"JVBERi0="},"title":"t"}]}]`,
			[]string{
				"messages[0].content[2].index field-removed anthropic/extra-inputs",
				"messages[0].content[3].index field-removed anthropic/extra-inputs",
				"messages[0].content[2] media-removed preflight/media-empty",
			}},
		{"contents that are no list",
			`[{"role":"user","content":7},{"role":"assistant","content":"a"},` +
				`{"role":"user","content":{"type":"text","text":"x"}}]`,
			`[{"role":"user","content":"7"},{"role":"assistant","content":"a"},` +
				`{"role":"user","content":[{"type":"text","text":"x"}]}]`,
			[]string{
				"messages[0].content shape-repaired preflight/shape",
				"messages[2].content shape-repaired preflight/shape",
			}},
		{"settings beside messages",
			`[{"role":"user","content":"q","output_config":{"effort":"low"}},` +
				`{"role":"assistant","content":"a"},` +
				`{"role":"developer","content":[],"output_config":{"effort":"low"}},` +
				`{"role":"user","content":"q"}]`,
			`[{"role":"user","content":"q","output_config":{"effort":"low"}},` +
				`{"role":"assistant","content":"a"},` +
				`{"role":"system","content":[],"output_config":{"effort":"low"}},` +
				`{"role":"user","content":"q"}]`,
			[]string{"messages[2] role-mapped preflight/role-unknown"}},
		{"settings at the start",
			`[{"role":"system","content":[],"output_config":{"effort":"low"}},` +
				`{"role":"user","content":"q"}]`,
			`[{"role":"system","content":[],"output_config":{"effort":"low"}},` +
				`{"role":"user","content":"q"}]`,
			nil},
		{"a system message at the start of a list alone",
			`[{"role":"system","content":"s"},{"role":"user","content":"q"}]`,
			`[{"role":"user","content":"s"},{"role":"user","content":"q"}]`,
			[]string{"messages[0] system-demoted anthropic/system-role-unsupported-model"}},
		{"texts that are none",
			`[{"role":"user","content":[{"type":"text","text":7},{"type":"text"},` +
				`{"type":"text","text":null}]}]`,
			`[{"role":"user","content":[{"type":"text","text":"7"}]}]`,
			[]string{
				"messages[0].content[0].text shape-repaired preflight/shape",
				"messages[0].content[1] empty-part-removed anthropic/empty-text-block",
				"messages[0].content[2] empty-part-removed anthropic/empty-text-block",
			}},
		{"a web search that runs code",
			`{"messages":[{"role":"user","content":"q"}],` +
				`"container":"c","tools":[{"type":"web_search_20260209","name":"web_search"}]}`,
			`{"messages":[{"role":"user","content":"q"}],` +
				`"container":"c","tools":[{"type":"web_search_20260209","name":"web_search"}]}`,
			nil},
		{"one that does not yet",
			`{"messages":[{"role":"user","content":"q"}],` +
				`"container":"c","tools":[{"type":"web_search_20260208","name":"web_search"}]}`,
			`{"messages":[{"role":"user","content":"q"}],` +
				`"tools":[{"type":"web_search_20260208","name":"web_search"}]}`,
			[]string{"container container-removed anthropic/container-without-tool"}},
		{"a web fetch that does",
			`{"messages":[{"role":"user","content":"q"}],` +
				`"container":"c","tools":[{"type":"web_fetch_20260309","name":"web_fetch"},` +
				`{"name":"f","input_schema":{}}]}`,
			`{"messages":[{"role":"user","content":"q"}],` +
				`"container":"c","tools":[{"type":"web_fetch_20260309","name":"web_fetch"},` +
				`{"name":"f","input_schema":{}}]}`,
			nil},
		{"no container",
			`{"messages":[{"role":"user","content":"q"}],` +
				`"container":null,"tools":[{"name":"f","input_schema":{}}]}`,
			`{"messages":[{"role":"user","content":"q"}],` +
				`"container":null,"tools":[{"name":"f","input_schema":{}}]}`,
			nil},
		{"a tool of another version",
			`{"messages":[{"role":"user","content":"q"}],` +
				`"container":"c","tools":[{"type":"web_search_x","name":"f"}]}`,
			`{"messages":[{"role":"user","content":"q"}],` +
				`"tools":[{"type":"web_search_x","name":"f"}]}`,
			[]string{"container container-removed anthropic/container-without-tool"}},
		{"a tool of the caller's runs in no container",
			`{"messages":[{"role":"user","content":"q"}],` +
				`"container":"c","tools":[{"name":"f","input_schema":{}}]}`,
			`{"messages":[{"role":"user","content":"q"}],"tools":[{"name":"f","input_schema":{}}]}`,
			[]string{"container container-removed anthropic/container-without-tool"}},
		{"code execution",
			`{"messages":[{"role":"user","content":"q"}],` +
				`"container":"c","tools":[{"type":"code_execution_20250522","name":"f"}]}`,
			`{"messages":[{"role":"user","content":"q"}],` +
				`"container":"c","tools":[{"type":"code_execution_20250522","name":"f"}]}`,
			nil},
		{"breakpoints of tools and messages",
			`{"tools":[{"name":"a","input_schema":{},"cache_control":{"type":"ephemeral"}},` +
				`{"name":"a","input_schema":{},"cache_control":{"type":"ephemeral"}},` +
				`{"name":"b","input_schema":{},"cache_control":{"type":"ephemeral","ttl":"1h"}},` +
				`{"name":"a b","input_schema":{},"cache_control":null}],` +
				`"cache_control":{"type":"ephemeral"},` +
				`"messages":[{"role":"user","content":[{"type":"text","text":"1",` +
				`"cache_control":{"type":"ephemeral"}},` +
				`{"type":"text","text":"2","cache_control":{"type":"ephemeral","ttl":"1h"}}]},` +
				`{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"b",` +
				`"input":{}}]},{"role":"user","content":[{"type":"tool_result",` +
				`"tool_use_id":"t1","content":[{"type":"text","text":"2",` +
				`"cache_control":{"type":"ephemeral","ttl":"1h"}}]}]}]}`,
			`{"tools":[{"name":"a","input_schema":{},"cache_control":{"type":"ephemeral"}},` +
				`{"name":"b","input_schema":{},"cache_control":{"type":"ephemeral"}},` +
				`{"name":"a_b_c8687a08","input_schema":{},"cache_control":null}],` +
				`"cache_control":{"type":"ephemeral"},` +
				`"messages":[{"role":"user","content":[{"type":"text","text":"1"},` +
				`{"type":"text","text":"2"}]},` +
				`{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"b",` +
				`"input":{}}]},{"role":"user","content":[{"type":"tool_result",` +
				`"tool_use_id":"t1","content":[{"type":"text","text":"2",` +
				`"cache_control":{"type":"ephemeral"}}]}]}]}`,
			[]string{
				"tools[1] tool-removed anthropic/tool-names-unique",
				"tools[2].cache_control cache-changed anthropic/cache-control-ttl-order",
				"tools[3].name tool-renamed anthropic/tool-name-pattern",
				"messages[0].content[1].cache_control cache-changed " +
					"anthropic/cache-control-ttl-order",
				"messages[2].content[0].content[0].cache_control cache-changed " +
					"anthropic/cache-control-ttl-order",
				"messages[0].content[0] cache-removed anthropic/cache-control-max4",
				"messages[0].content[1] cache-removed anthropic/cache-control-max4",
			}},
		{"breakpoints that live long, in front of others that do",
			`{"tools":[{"name":"a","input_schema":{},` +
				`"cache_control":{"type":"ephemeral","ttl":"1h"}},` +
				`{"name":"b","input_schema":{},` +
				`"cache_control":{"type":"ephemeral","ttl":"1h"}}],` +
				`"cache_control":null,"messages":[{"role":"user","content":[{"type":"text",` +
				`"text":"1","cache_control":{"type":"ephemeral","ttl":"1h"}},` +
				`{"type":"text","text":"2","cache_control":{"type":"ephemeral","ttl":"1h"}}]}]}`,
			`{"tools":[{"name":"a","input_schema":{},` +
				`"cache_control":{"type":"ephemeral","ttl":"1h"}},` +
				`{"name":"b","input_schema":{},` +
				`"cache_control":{"type":"ephemeral","ttl":"1h"}}],` +
				`"cache_control":null,"messages":[{"role":"user","content":[{"type":"text",` +
				`"text":"1","cache_control":{"type":"ephemeral","ttl":"1h"}},` +
				`{"type":"text","text":"2","cache_control":{"type":"ephemeral","ttl":"1h"}}]}]}`,
			nil},
		{"names of tools",
			`{"tools":[{"name":"a","input_schema":{}},` +
				`{"type":"custom","name":"a b","input_schema":{}},` +
				`{"type":"thing_1","name":"a b","input_schema":{}},` +
				`{"name":7}],"tool_choice":{"type":"tool","name":"a b"},` +
				`"messages":[{"role":"user","content":"q"}]}`,
			`{"tools":[{"name":"a","input_schema":{}},` +
				`{"type":"custom","name":"a_b_c8687a08","input_schema":{}},` +
				`{"type":"thing_1","name":"a b","input_schema":{}},` +
				`{"name":7}],"tool_choice":{"type":"tool","name":"a_b_c8687a08"},` +
				`"messages":[{"role":"user","content":"q"}]}`,
			[]string{
				"tools[1].name tool-renamed anthropic/tool-name-pattern",
				"tool_choice.name tool-renamed anthropic/tool-name-pattern",
			}},
		{"thinking with a budget needs a turn of the user",
			`{"thinking":{"type":"enabled","budget_tokens":1024},` +
				`"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a"}]}`,
			`{"thinking":{"type":"enabled","budget_tokens":1024},` +
				`"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a"},` +
				`{"role":"user","content":"Continue."}]}`,
			[]string{"messages[1] trailing-continued anthropic/prefill-unsupported"}},
		{"NUL in the history alone",
			`{"metadata":{"messages":"a\u0000","b\u0000":1},` +
				`"system":"s\u0000","messages":[{"role":"user","content":"q\u0000",` +
				`"x\u0000":["\u0000y"]}]}`,
			`{"metadata":{"messages":"a\u0000","b\u0000":1},` +
				`"system":"s","messages":[{"role":"user","content":"q","x":["y"]}]}`,
			[]string{
				"system text-repaired chat-template/nul-truncation",
				"messages[0].content text-repaired chat-template/nul-truncation",
				"messages[0][#2] text-repaired chat-template/nul-truncation",
				"messages[0][#2] text-repaired chat-template/nul-truncation",
			}},
		{"NUL in a list alone, and both",
			`[{"role":"user","content":"q\u0000"},` +
				`{"role":"assistant","content":"\u0000\ud800a"},{"role":"user","content":"r"}]`,
			`[{"role":"user","content":"q"},{"role":"assistant","content":"\ufffda"},` +
				`{"role":"user","content":"r"}]`,
			[]string{
				"messages[0].content text-repaired chat-template/nul-truncation",
				"messages[1].content text-repaired anthropic/lone-surrogate",
			}},
		{"what no signature covers",
			`[{"role":"user","content":[{"type":"text","text":"a","thinking":"\ud800"}]},` +
				`{"role":"assistant","content":[{"type":"thinking","thinking":"t",` +
				`"signature":"QUJD","x":"\ud800"},{"type":"text","text":"a"}]},` +
				`{"role":"user","content":"r"}]`,
			`[{"role":"user","content":[{"type":"text","text":"a","thinking":"\ufffd"}]},` +
				`{"role":"assistant","content":[{"type":"thinking","thinking":"t",` +
				`"signature":"QUJD","x":"\ufffd"},{"type":"text","text":"a"}]},` +
				`{"role":"user","content":"r"}]`,
			[]string{
				"messages[0].content[0].thinking text-repaired anthropic/lone-surrogate",
				"messages[1].content[0][#3] text-repaired anthropic/lone-surrogate",
			}},
		{"thinking that adapts",
			`{"thinking":{"type":"adaptive"},` +
				`"model":"claude-opus-4-6","messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":[{"type":"thinking","thinking":"t",` +
				`"signature":"QUJD"},{"type":"text","text":"a"}]},{"role":"user","content":"q"}]}`,
			`{"thinking":{"type":"adaptive"},` +
				`"model":"claude-opus-4-6","messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":[{"type":"thinking","thinking":"t",` +
				`"signature":"QUJD"},{"type":"text","text":"a"}]},{"role":"user","content":"q"}]}`,
			nil},
	} {
		t.Run(c.reason, func(t *testing.T) { requireSaid(t, "anthropic", c.in, c.out, c.said) })
	}
}

// requireSaid holds what Sanitize makes of a body, and says about it, to what it should be.
func requireSaid(t *testing.T, provider, in, out string, said []string) {
	t.Helper()
	options := &wire.Options{Provider: provider}
	require.Equal(t, out, string(requireGuarantees(t, []byte(in), options)))
	result, err := wire.Sanitize(context.Background(), []byte(in), options)
	require.NoError(t, err)
	var got []string
	for _, w := range result.Warnings {
		got = append(got, fmt.Sprint(w.Path, " ", w.Code, " ", w.Rule))
	}
	require.Equal(t, said, got)
}

// requireFound holds Check to the places and rules of what Sanitize said.
func requireFound(t *testing.T, provider, in string, said []string) {
	t.Helper()
	report, err := wire.Check([]byte(in), &wire.Options{Provider: provider})
	require.NoError(t, err)
	var want, got []string
	for _, s := range said {
		words := strings.Fields(s)
		want = append(want, words[0]+" "+words[2])
	}
	for _, v := range report.Violations {
		got = append(got, v.Path+" "+v.Rule)
	}
	require.ElementsMatch(t, want, got)
}

// TestSignaturesOfMedia: a thought signature that cannot be one is found on every kind of part.
func TestSignaturesOfMedia(t *testing.T) {
	for _, data := range []string{
		`"text":"a"`,
		`"inlineData":{"mimeType":"image/png",` +
			`"data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"}`,
		`"fileData":{"fileUri":"https://e/x.png"}`, `"functionCall":{"name":"f","args":{}}`,
	} {
		report, err := wire.Check(
			[]byte(
				`{"contents":[{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":[{`+
					data+`,"thoughtSignature":7}]},{"role":"user","parts":[{"text":"q"}]}]}`,
			),
			&wire.Options{Provider: "gemini"},
		)
		require.NoError(t, err)
		var found []string
		for _, v := range report.Violations {
			found = append(found, v.Path)
		}
		require.Contains(t, found, "contents[1].parts[0].thoughtSignature", data)
	}
}

// TestUnnamedCalls: which call a result answers that names none by its id: one of its name in the
// turn before it, the first without a result, and rather one that has no id; else one of an earlier
// turn; else it is a further result of one.
func TestUnnamedCalls(t *testing.T) {
	call := func(id, name string) string {
		return `{"id":"` + id + `","function":{"name":"` + name + `","arguments":{}}}`
	}
	turn := func(calls ...string) string {
		return `{"role":"assistant","content":"","tool_calls":[` + strings.Join(calls, ",") + `]}`
	}
	said := 0
	content := func() string { said++; return strconv.Itoa(said) } // a copy would be taken for one
	result := func(name string) string {
		return `{"role":"tool","tool_name":"` + name + `","content":"` + content() + `"}`
	}
	byID := func(id string) string {
		return `{"role":"tool","tool_call_id":"` + id + `","content":"` + content() + `"}`
	}
	const (
		nobody = -1
		user   = `{"role":"user","content":"q"}`
	)
	for _, c := range []struct {
		reason  string
		in      []string
		answers []int // for each result the call, counted through the history
	}{
		{"by name, in order", []string{
			turn(call("", "f"), call("", "g"), call("", "f")), result("g"), result("f"),
			result("f"), result("f"),
		}, []int{1, 0, 2, 2}},
		{"by order",
			[]string{turn(call("", "f"), call("", "g")), result(""), result(""), result("")},
			[]int{0, 1, nobody}},
		{"by name and by order", []string{
			turn(call("", "f"), call("", "g"), call("", "h")), result("g"), result(""), result(""),
		}, []int{1, 0, 2}},
		{"rather a call without id",
			[]string{turn(call("a", "f"), call("", "f")), result("f"), result("f"), result("f")},
			[]int{1, 0, 1}},
		{"what was asked for by its id",
			[]string{turn(call("a", "f"), call("b", "f")), byID("a"), result("f"), byID("b")},
			[]int{0, 1, 1}},
		{"an id that nobody has", []string{turn(call("a", "f")), byID("z"), result("f")},
			[]int{nobody, 0}},
		{"a name that nobody has", []string{turn(call("", "f")), result("z"), result("f")},
			[]int{nobody, 0}},
		{"an earlier turn's", []string{
			turn(call("", "f"), call("", "f")), result("f"), turn(call("", "g")), result("f"),
			result("g"), result("f"),
		}, []int{0, 1, 2, 1}},
		{"this turn's before an earlier one's",
			[]string{turn(call("", "f")), user, turn(call("", "f")), result("f"), result("f")},
			[]int{1, 0}},
		{"an earlier turn's by id",
			[]string{turn(call("a", "f")), turn(call("", "g")), byID("a"), result("f")},
			[]int{0, nobody}},
	} {
		t.Run(c.reason, func(t *testing.T) {
			r, err := wire.Decode(
				[]byte(`[`+strings.Join(c.in, ",")+`]`),
				&wire.Options{Provider: "ollama"},
			)
			require.NoError(t, err)
			var calls []string
			for _, m := range r.Messages {
				for _, p := range m.Parts {
					if call, ok := p.(*preflight.ToolCall); ok {
						calls = append(calls, call.ID)
					}
				}
			}
			var got []int
			for _, m := range r.Messages {
				for _, p := range m.Parts {
					if result, ok := p.(*preflight.ToolResult); ok {
						got = append(got, slices.Index(calls, result.CallID))
					}
				}
			}
			require.Equal(t, c.answers, got)
			out, err := r.Encode(slices.Clone(r.Messages))
			require.NoError(t, err)
			require.Equal(t, `[`+strings.Join(c.in, ",")+`]`, string(out))
		})
	}
}

// TestReads: what a message is read as, all of it.
func TestReads(t *testing.T) {
	type message = preflight.Message
	text := func(s string) preflight.Part { return &preflight.Text{Text: s} }
	thought := func(s string) preflight.Part { return &preflight.Reasoning{Text: s} }
	marker := json.RawMessage(`{"type":"ephemeral"}`)
	user, assistant, tool := preflight.RoleUser, preflight.RoleAssistant, preflight.RoleTool
	for _, c := range []struct {
		reason, provider, in string
		want                 message
	}{
		{"blocks", "anthropic",
			`{"role":"user","content":[{"type":"text","text":"\u0061",` +
				`"cache_control":{"type":"ephemeral"}},{"type":"thing"},` +
				`{"type":"image","source":{"type":"base64","media_type":"image/png",` +
				`"data":"QUJD"}},{"type":"image","source":{"type":"url","url":"u"},"title":"t"},` +
				`{"type":"document","source":{"type":"file","file_id":"f"},"title":"t"},` +
				`{"type":"image","source":{"type":"new"}},` +
				`{"type":"document","source":{"type":"text","data":"x"}}]}`,
			message{Role: user, Parts: []preflight.Part{
				&preflight.Text{Text: "a", Carried: preflight.Carried{Cache: marker}},
				&preflight.Other{Kind: "thing"},
				&preflight.Media{Kind: "image", MediaType: "image/png", Data: "QUJD"},
				&preflight.Media{Kind: "image", URL: "u"},
				&preflight.Media{Kind: "document", FileID: "f", Name: "t"},
				&preflight.Other{Kind: "image"}, &preflight.Media{Kind: "document"},
			}}},
		{"calls and thoughts", "anthropic",
			`{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"s"},` +
				`{"type":"redacted_thinking","data":"d"},` +
				`{"type":"tool_use","id":"1","name":"f","input":{"n":1.0}},` +
				`{"type":"server_tool_use","id":"2","name":"w","input":{}},` +
				`{"type":"mcp_tool_use","id":"3","name":"m","input":{}},` +
				`{"type":"w_tool_result","tool_use_id":"2","content":[1.0],"is_error":true},` +
				`{"type":"mcp_tool_result","tool_use_id":"3","content":"r"}]}`,
			message{Role: assistant, Parts: []preflight.Part{
				&preflight.Reasoning{Text: "t", Signature: "s"}, &preflight.Reasoning{Opaque: "d"},
				&preflight.ToolCall{ID: "1", Name: "f", Input: json.RawMessage(`{"n":1.0}`)},
				&preflight.ToolCall{
					ID: "2", Name: "w", Input: json.RawMessage(`{}`), ProviderExecuted: true,
					Variant: "server",
				},
				&preflight.ToolCall{
					ID: "3", Name: "m", Input: json.RawMessage(`{}`), ProviderExecuted: true,
					Variant: "mcp",
				},
				&preflight.ToolResult{
					CallID: "2", Output: json.RawMessage(`[1.0]`), IsError: true,
					ProviderExecuted: true, Variant: "w_tool_result",
				},
				&preflight.ToolResult{
					CallID: "3", Output: json.RawMessage(`"r"`), ProviderExecuted: true,
					Variant: "mcp",
				},
			}}},
		{"results", "anthropic",
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"r",` +
				`"is_error":true},{"type":"tool_result","tool_use_id":"2","content":""},` +
				`{"type":"tool_result","tool_use_id":"3","content":[]},` +
				`{"type":"tool_result","tool_use_id":"4","content":[{"type":"text","text":"a"},` +
				`{"type":"tool_use","id":"5","name":"f","input":{}},` +
				`{"type":"thinking","thinking":"t"},{"type":"tool_result","tool_use_id":"6"},` +
				`{"type":"thing"}]}]}`,
			message{Role: user, Parts: []preflight.Part{
				&preflight.ToolResult{
					CallID: "1", Content: []preflight.Part{text("r")}, IsError: true,
				}, &preflight.ToolResult{CallID: "2"}, &preflight.ToolResult{CallID: "3"},
				&preflight.ToolResult{CallID: "4", Content: []preflight.Part{
					text("a"),
					&preflight.ToolCall{ID: "5", Name: "f", Input: json.RawMessage("{}")},
					thought("t"), &preflight.ToolResult{CallID: "6"},
					&preflight.Other{Kind: "thing"},
				}},
			}}},
		{"settings", "anthropic",
			`{"role":" System ","content":"s","output_config":{"effort":"low"}}`, message{
				Role:  " System ",
				Parts: []preflight.Part{text("s"), &preflight.Other{Kind: "output_config"}},
			}},
		{"a developer's settings", "anthropic",
			`{"role":"developer","content":"s","output_config":{}}`, message{
				Role:  "developer",
				Parts: []preflight.Part{text("s"), &preflight.Other{Kind: "output_config"}},
			}},
		{"settings that are none", "anthropic", `{"role":"system","content":"s","output_config":7}`,
			message{Role: "system", Parts: []preflight.Part{text("s")}}},
		{"nobody's settings", "anthropic", `{"role":"user","content":"","output_config":{}}`,
			message{Role: user}},

		{"parts", "openai-chat",
			`{"role":"user","name":"n","content":[{"type":"text","text":"a",` +
				`"cache_control":{"type":"ephemeral"}},` +
				`{"type":"image_url","image_url":{"url":"u"}},` +
				`{"type":"image_url","image_url":"v"},` +
				`{"type":"input_audio","input_audio":{"data":"d","format":"wav"}},` +
				`{"type":"input_audio","input_audio":{"data":"d"}},` +
				`{"type":"file","file":{"filename":"n","file_data":"data:application/pdf;base64,` +
				`QUJD"}},{"type":"file","file":{"file_id":"f","file_data":"data:x"}},` +
				`{"type":"file","file":{"file_data":"data:a/b,x"}},{"type":"thing"}]}`,
			message{Role: user, Name: "n", Parts: []preflight.Part{
				&preflight.Text{Text: "a", Carried: preflight.Carried{Cache: marker}},
				&preflight.Media{Kind: "image", URL: "u"},
				&preflight.Media{Kind: "image", URL: "v"},
				&preflight.Media{Kind: "audio", MediaType: "audio/wav", Data: "d"},
				&preflight.Media{Kind: "audio", Data: "d"},
				&preflight.Media{
					Kind: "document", Name: "n", MediaType: "application/pdf",
					Data: "data:application/pdf;base64,QUJD",
				}, &preflight.Media{Kind: "document", FileID: "f", Data: "data:x"},
				&preflight.Media{Kind: "document", MediaType: "a/b", Data: "data:a/b,x"},
				&preflight.Other{Kind: "thing"},
			}}},
		{"all that an answer holds", "openai-chat",
			`{"role":"assistant","content":"a","audio":{"id":"x"},` +
				`"refusal":"no","reasoning":"r","function_call":{},` +
				`"tool_calls":[{"id":"1","type":"function","function":{"name":"f",` +
				`"arguments":"{}"},"cache_control":{"type":"ephemeral"}},` +
				`{"id":"2","type":"custom","custom":{"name":"g","input":"i"}}]}`,
			message{Role: assistant, Parts: []preflight.Part{
				thought("r"), text("a"), &preflight.Other{Kind: "refusal"},
				&preflight.Other{Kind: "audio"}, &preflight.Other{Kind: "function_call"},
				&preflight.ToolCall{
					ID: "1", Name: "f", Input: json.RawMessage("{}"),
					Carried: preflight.Carried{Cache: marker},
				}, &preflight.ToolCall{
					ID: "2", Name: "g", Input: json.RawMessage("i"), Variant: "custom",
				},
			}}},
		{"an answer without most of it", "openai-chat",
			`{"role":"assistant","content":"a","audio":null,"refusal":"","reasoning":"",` +
				`"reasoning_content":7,"tool_calls":null}`,
			message{Role: assistant, Parts: []preflight.Part{text("a")}}},
		{"reasoning under two names", "openai-chat",
			`{"role":"assistant","content":"a","reasoning_content":"","reasoning":"r"}`,
			message{Role: assistant, Parts: []preflight.Part{thought("r"), text("a")}}},
		{"the usual name first", "openai-chat",
			`{"role":"assistant","content":"a","reasoning":"r","reasoning_content":"s"}`,
			message{Role: assistant, Parts: []preflight.Part{thought("s"), text("a")}}},
		{"empty reasoning, where it counts", "deepseek",
			`{"role":"assistant","content":"a","reasoning_content":"","reasoning":"r"}`,
			message{Role: assistant, Parts: []preflight.Part{thought(""), text("a")}}},
		{"but only under the usual name", "deepseek",
			`{"role":"assistant","content":"a","reasoning":""}`,
			message{Role: assistant, Parts: []preflight.Part{text("a")}}},
		{
			"reasoning that nobody can read", "openrouter",
			`{"role":"assistant","content":"a","reasoning":"r","reasoning_details":[{"n":1.0}]}`,
			message{Role: assistant, Parts: []preflight.Part{
				thought("r"), &preflight.Reasoning{Opaque: `[{"n":1.0}]`}, text("a"),
			}},
		},
		{"of which there is none", "openrouter",
			`{"role":"assistant","content":"a","reasoning_details":[]}`,
			message{Role: assistant, Parts: []preflight.Part{text("a")}}},
		{"or which is no list", "openrouter",
			`{"role":"assistant","content":"a","reasoning_details":{"a":1}}`,
			message{Role: assistant, Parts: []preflight.Part{text("a")}}},
		{"which only one host has", "openai-chat",
			`{"role":"assistant","content":"a","reasoning_details":[{"n":1.0}]}`,
			message{Role: assistant, Parts: []preflight.Part{text("a")}}},
		{
			"a result", "openai-chat",
			`{"role":"tool","tool_call_id":"c","name":"n","content":[{"type":"text","text":"a"}]}`,
			message{Role: tool, Parts: []preflight.Part{
				&preflight.ToolResult{CallID: "c", Content: []preflight.Part{text("a")}},
			}},
		},
		{"an empty result", "openai-chat", `{"role":"tool","tool_call_id":"c","content":[]}`,
			message{Role: tool, Parts: []preflight.Part{&preflight.ToolResult{CallID: "c"}}}},
		{
			"a result that has to be a string", "groq",
			`{"role":"tool","tool_call_id":"c","content":[{"type":"text","text":"a"},` +
				`{"type":"text","text":"b"}]}`,
			message{Role: tool, Parts: []preflight.Part{
				&preflight.ToolResult{CallID: "c", Content: []preflight.Part{text("a\nb")}},
			}},
		},
		{"a question that has not", "groq",
			`{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}`,
			message{Role: user, Parts: []preflight.Part{text("a"), text("b")}}},
		{"an image that has to be a string", "chat-template",
			`{"role":"user","content":[{"type":"text","text":"a"},` +
				`{"type":"image_url","image_url":{"url":"u"}}]}`,
			message{
				Role:  user,
				Parts: []preflight.Part{text("a"), &preflight.Media{Kind: "image", URL: "u"}},
			}},
		{"a function's result", "openai-chat", `{"role":"function","name":"f","content":"x"}`,
			message{Role: user, Parts: []preflight.Part{&preflight.Other{Kind: "function"}}}},
		{"a role from what there is", "openai-chat", `{"tool_call_id":"c","content":"x"}`, message{
			Role: tool,
			Parts: []preflight.Part{
				&preflight.ToolResult{CallID: "c", Content: []preflight.Part{text("x")}},
			},
		}},
		{
			"a caller's role", "openai-chat",
			`{"role":"agent","content":"x","tool_calls":[{"id":"1","type":"function",` +
				`"function":{"name":"f","arguments":"{}"}}]}`,
			message{Role: assistant, Parts: []preflight.Part{
				text("x"), &preflight.ToolCall{ID: "1", Name: "f", Input: json.RawMessage("{}")},
			}},
		},
		{"calls that are not quite custom", "openai-chat",
			`{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function",` +
				`"custom":{"name":"x","input":"y"},"function":{"name":"f","arguments":"{}"}},` +
				`{"id":"2","type":"custom","custom":7,"name":"g","arguments":"{}"}]}`,
			message{Role: assistant, Parts: []preflight.Part{
				&preflight.ToolCall{ID: "1", Name: "f", Input: json.RawMessage("{}")},
				&preflight.ToolCall{ID: "2", Name: "g", Input: json.RawMessage("{}")},
			}}},
		{
			"another's role", "openai-chat",
			`{"role":" AI ","content":"x","tool_calls":[{"id":"1","type":"function",` +
				`"function":{"name":"f","arguments":"{}"}}]}`,
			message{Role: " AI ", Parts: []preflight.Part{
				text("x"), &preflight.ToolCall{ID: "1", Name: "f", Input: json.RawMessage("{}")},
			}},
		},
	} {
		t.Run(c.provider+" "+c.reason, func(t *testing.T) {
			r, err := wire.Decode([]byte(`[`+c.in+`]`), &wire.Options{Provider: c.provider})
			require.NoError(t, err)
			got := slices.Clone(r.Messages)
			require.Len(t, got, 1)
			require.Equal(t, c.in, string(got[0].Native.JSON))
			got[0].Native = preflight.Native{}
			withoutJSON(got[0].Parts)
			if diff := cmp.Diff([]message{c.want}, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// withoutJSON takes off parts what they were decoded from.
func withoutJSON(parts []preflight.Part) {
	for _, p := range parts {
		if other, ok := p.(*preflight.Other); ok {
			other.Native = preflight.Native{}
		} else if r, ok := p.(*preflight.ToolResult); ok {
			withoutJSON(r.Content)
		}
	}
	forget(parts)
}

// TestReadsPastUnknownMembers: members that nobody knows hide nothing that comes after them.
func TestReadsPastUnknownMembers(t *testing.T) {
	for _, c := range []struct{ provider, in string }{
		{"gemini", `{"contents":[{"role":"user","parts":[{"x":1,"text":"a"}]}]}`},
		{"bedrock", `{"messages":[{"role":"user","content":[{"x":1,"text":"a"}]}]}`},
		{
			"anthropic",
			`{"system":[],"messages":[{"x":1,"role":"user","content":[{"x":1,"type":"text",` +
				`"text":"a"}]}]}`,
		},
		{"anthropic", `{"system":"","messages":[{"role":"user","content":"a"}]}`},
	} {
		r, err := wire.Decode([]byte(c.in), &wire.Options{Provider: c.provider})
		require.NoError(t, err)
		require.Len(t, r.Messages, 1)
		require.Len(t, r.Messages[0].Parts, 1)
		text, ok := r.Messages[0].Parts[0].(*preflight.Text)
		require.True(t, ok, "%s: %T", c.provider, r.Messages[0].Parts[0])
		require.Equal(t, "a", text.Text)
	}
}

// TestReadsSignatures: every letter that base64 is written in, in both alphabets, may be in a
// thought signature.
func TestReadsSignatures(t *testing.T) {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_="
	check := func(signature string) []wire.Violation {
		report, err := wire.Check(
			[]byte(
				`{"contents":[{"role":"user","parts":[{"text":"q"}]},`+
					`{"role":"model","parts":[{"text":"a","thoughtSignature":"`+
					signature+`"}]},{"role":"user","parts":[{"text":"q"}]}]}`,
			),
			&wire.Options{Provider: "gemini"},
		)
		require.NoError(t, err)
		return report.Violations
	}
	require.Empty(t, check(letters))
	for _, c := range "!.:@[{~\u00e9" {
		require.NotEmpty(t, check("AAA"+string(c)), "%q", c)
	}
}

// TestReadsGeminiErrors: a response with a member error, and none named output, tells of a failure,
// unless the error is none.
func TestReadsGeminiErrors(t *testing.T) {
	for response, failed := range map[string]bool{
		`{"error":"no such file"}`: true, `{"error":{"code":5}}`: true, `{"error":true}`: true,
		`{"error":""}`: false, `{"error":false}`: false, `{"error":null}`: false,
		`{"output":"x"}`: false, `{"error":"x","output":"y"}`: false, `{}`: false,
	} {
		r, err := wire.Decode(
			[]byte(
				`{"contents":[{"role":"user","parts":[{"functionResponse":{"name":"f","response":`+
					response+`}}]}]}`,
			),
			&wire.Options{Provider: "gemini"},
		)
		require.NoError(t, err)
		require.Equal(t, failed, r.Messages[0].Parts[0].(*preflight.ToolResult).IsError, response)
	}
}

// TestReadsOneCallAsAList: a call that should be a list of one is read as that, whatever it lacks.
func TestReadsOneCallAsAList(t *testing.T) {
	for _, call := range []string{
		`{"function":{"name":"f","arguments":"{}"}}`,
		`{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}`,
	} {
		r, err := wire.Decode(
			[]byte(`{"messages":[{"role":"assistant","content":"a","tool_calls":`+call+`}]}`),
			&wire.Options{Provider: "openai-chat"},
		)
		require.NoError(t, err)
		require.Len(t, r.Messages[0].Parts, 2)
		require.Equal(t, "f", r.Messages[0].Parts[1].(*preflight.ToolCall).Name)
	}
}

// TestEncodeMadeMessages: what a hook made, or made of parts that came from elsewhere in the body.
func TestEncodeMadeMessages(t *testing.T) {
	ask := `{"role":"user","content":"q"}`
	add := func(
		role preflight.Role, parts ...preflight.Part,
	) func([]preflight.Message) []preflight.Message {
		return func(m []preflight.Message) []preflight.Message {
			return append(m, preflight.Message{Role: role, Parts: parts})
		}
	}
	call := &preflight.ToolCall{ID: "c", Name: "f", Input: []byte(`{}`)}
	renameResult := func(m []preflight.Message) []preflight.Message {
		r := *m[0].Parts[0].(*preflight.ToolResult)
		r.Name = "g"
		m[0].Parts = []preflight.Part{&r}
		return m
	}
	for _, c := range []struct {
		reason, provider, in string
		change               func([]preflight.Message) []preflight.Message
		want                 string
	}{
		{"a text and a call are two items, in order", "openai-responses", `[` + ask + `]`,
			add("assistant", &preflight.Text{Text: "x"}, call),
			`[` + ask +
				`,{"role":"assistant","content":"x"},` +
				`{"type":"function_call","call_id":"c","name":"f","arguments":"{}"}]`},
		{"a refusal is in a message's content", "openai-responses", `[` + ask +
			`,{"type":"message","role":"assistant","content":[{"type":"output_text","text":"x"},` +
			`{"type":"refusal","refusal":"no"}]}]`,
			func(m []preflight.Message) []preflight.Message {
				return append(m[:1],
					preflight.Message{Role: "assistant", Parts: slices.Clone(m[1].Parts)})
			}, `[` + ask +
				`,{"role":"assistant","content":[{"type":"output_text","text":"x"},` +
				`{"type":"refusal","refusal":"no"}]}]`},
		{"bytes of a file are a data: URL", "openai-responses", `[` + ask + `]`, add(
			"user",
			&preflight.Media{
				Kind: "document", Name: "a.pdf", MediaType: "application/pdf", Data: "JVBERi0=",
			},
		),
			`[` + ask +
				`,{"role":"user","content":[{"type":"input_file","filename":"a.pdf",` +
				`"file_data":"data:application/pdf;base64,JVBERi0="}]}]`},
		{"one that is stays one", "openai-responses", `[` + ask + `]`, add("user", &preflight.Media{
			Kind: "document", Name: "a.pdf", Data: "data:application/pdf;base64,JVBERi0=",
		}),
			`[` + ask +
				`,{"role":"user","content":[{"type":"input_file","filename":"a.pdf",` +
				`"file_data":"data:application/pdf;base64,JVBERi0="}]}]`},
		{"an empty result stays empty under another id", "anthropic",
			`[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"",` +
				`"x":1.0}]}]`,
			func(m []preflight.Message) []preflight.Message {
				r := *m[0].Parts[0].(*preflight.ToolResult)
				r.CallID = "b"
				m[0].Parts = []preflight.Part{&r}
				return m
			},
			`[{"role":"user","content":[{"type":"tool_result","tool_use_id":"b","content":"",` +
				`"x":1.0}]}]`},
		{"one that loses its content has none", "anthropic",
			`[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"1",` +
				`"x":1.0}]}]`,
			func(m []preflight.Message) []preflight.Message {
				r := *m[0].Parts[0].(*preflight.ToolResult)
				r.Content = nil
				m[0].Parts = []preflight.Part{&r}
				return m
			}, `[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","x":1.0}]}]`},
		{"details of several makers are one list", "openrouter", `[` + ask + `]`,
			add("assistant", &preflight.Reasoning{Opaque: ` [{"a":1.0}] `},
				&preflight.Reasoning{Opaque: `[{"b":2}]`}, &preflight.Text{Text: "x"}),
			`[` + ask +
				`,{"role":"assistant","reasoning_details":[{"a":1.0},{"b":2}],"content":"x"}]`},
		{"details go with their reasoning", "openrouter", `[` + ask +
			`,{"role":"assistant","reasoning_details":[{"a":1.0}],"content":"x","y":1.0}]`,
			func(m []preflight.Message) []preflight.Message {
				m[1].Parts = m[1].Parts[1:]
				return m
			}, `[` + ask + `,{"role":"assistant","content":"x","y":1.0}]`},
		{"a name of the wrong kind is spelled as text", "ollama",
			`[{"role":"tool","tool_name":7,"content":"a"}]`,
			func(m []preflight.Message) []preflight.Message {
				r := *m[0].Parts[0].(*preflight.ToolResult)
				r.Content = []preflight.Part{&preflight.Text{Text: "b"}}
				m[0].Parts = []preflight.Part{&r}
				return m
			}, `[{"role":"tool","tool_name":"7","content":"b"}]`},
		{"a block of the name of a setting stays a block", "anthropic",
			`[{"role":"user","content":[{"type":"text","text":"a"},` +
				`{"type":"output_config","effort":"low"}]}]`,
			func(m []preflight.Message) []preflight.Message {
				m[0].Parts = []preflight.Part{&preflight.Text{Text: "b"}, m[0].Parts[1]}
				return m
			},
			`[{"role":"user","content":[{"type":"text","text":"b"},` +
				`{"type":"output_config","effort":"low"}]}]`},
		{"an item that nobody can read is written as it is, wherever it goes", "openai-responses",
			`[` + ask + `,{"type":"computer_call","call_id":"c","x":1.0}]`,
			func(m []preflight.Message) []preflight.Message {
				return append(m[:1], preflight.Message{Role: m[1].Role, Native: m[1].Native},
					say("r"))
			}, `[` + ask +
				`,{"type":"computer_call","call_id":"c","x":1.0},{"role":"user","content":"r"}]`},
		{"an empty response stays as it is spelled", "gemini",
			`[{"role":"user","parts":[{"functionResponse":{"name":"f","response":{ },"x":1.0}}]}]`,
			renameResult,
			`[{"role":"user","parts":[{"functionResponse":{"name":"g","response":{ },"x":1.0}}]}]`},
		{"no response becomes an empty one", "gemini",
			`[{"role":"user","parts":[{"functionResponse":{"name":"f","x":1.0}}]}]`, renameResult,
			`[{"role":"user","parts":[{"functionResponse":{"name":"g","x":1.0,"response":{}}}]}]`},
		{"no content beside calls stays none", "openai-chat",
			`[{"role":"assistant","content":[],` +
				`"tool_calls":[{"id":"c","type":"function","function":{"name":"f",` +
				`"arguments":"{}"}}]}]`,
			func(m []preflight.Message) []preflight.Message {
				c := *m[0].Parts[0].(*preflight.ToolCall)
				c.ID = "d"
				m[0].Parts = []preflight.Part{&c}
				return m
			},
			`[{"role":"assistant","content":[],` +
				`"tool_calls":[{"id":"d","type":"function","function":{"name":"f",` +
				`"arguments":"{}"}}]}]`},
		{"a breakpoint that the format does not know goes from what is edited", "openai-responses",
			`[{"role":"user","content":[{"type":"input_file","filename":"a.pdf","file_id":"f",` +
				`"cache_control":{"type":"ephemeral"}}]}]`,
			func(m []preflight.Message) []preflight.Message {
				f := *m[0].Parts[0].(*preflight.Media)
				f.Name = "b.pdf"
				m[0].Parts = []preflight.Part{&f}
				return m
			},
			`[{"role":"user","content":[{"type":"input_file","filename":"b.pdf","file_id":"f"}]}]`},
		{"a shell's output keeps its form under another id", "openai-responses", `[` + ask +
			`,{"type":"shell_call_output","call_id":"c","output":[{"stdout":"x","stderr":"",` +
			`"outcome":{"type":"exit","exit_code":0}}]}]`,
			func(m []preflight.Message) []preflight.Message {
				r := *m[1].Parts[0].(*preflight.ToolResult)
				r.CallID = "d"
				m[1].Parts = []preflight.Part{&r}
				return m
			}, `[` + ask +
				`,{"type":"shell_call_output","call_id":"d","output":[{"stdout":"x","stderr":"",` +
				`"outcome":{"type":"exit","exit_code":0}}]}]`},
	} {
		t.Run(
			c.reason,
			func(t *testing.T) { require.Equal(t, c.want, encode(t, c.provider, c.in, c.change)) },
		)
	}
}
