package wire_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/wire"
)

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
