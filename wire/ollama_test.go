package wire_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/wire"
)

// This file is what the format of Ollama's own chat reads, writes, keeps and mends, a row for each
// thing.

func TestOllamaReads(t *testing.T) {
	runReads(t, "ollama", []reads{
		{
			"text, images, thinking and calls, in this order",
			`{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"f",` +
				`"arguments":{"a":1.0}}}],"thinking":"t","content":"a",` +
				`"images":["iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"]}`,
			`{"parts":[{"text":"t","type":"reasoning"},{"text":"a","type":"text"},` +
				`{"data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ","kind":"image",` +
				`"media_type":"image/png","type":"media"},` +
				`{"id":"1","input":{"a":1.0},"name":"f","type":"tool_call"}],"role":"assistant"}`,
		},
		{
			"images by their first bytes",
			`{"role":"user","images":["iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ","/9j/4AAQ",` +
				`"R0lGODlh","UklGRjAA","QUJD"]}`,
			`{"parts":[{"data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ","kind":"image",` +
				`"media_type":"image/png","type":"media"},` +
				`{"data":"/9j/4AAQ","kind":"image","media_type":"image/jpeg","type":"media"},` +
				`{"data":"R0lGODlh","kind":"image","media_type":"image/gif","type":"media"},` +
				`{"data":"UklGRjAA","kind":"image","media_type":"image/webp","type":"media"},` +
				`{"data":"QUJD","kind":"image","type":"media"}],"role":"user"}`,
		},
		{
			"what only an assistant has",
			`{"role":"user","content":"a","thinking":"t","tool_calls":[{"function":{"name":"f"}}]}`,
			`{"parts":[{"text":"a","type":"text"}],"role":"user"}`,
		},
		{
			"thinking that is none",
			`{"role":"assistant","content":"a","thinking":""},` +
				`{"role":"assistant","content":"a","thinking":7}`,
			`{"parts":[{"text":"a","type":"text"}],"role":"assistant"}
{"parts":[{"text":"a","type":"text"}],"role":"assistant"}`,
		},
		{
			"the role of a message without one",
			`{"tool_name":"f","content":"a"},{"tool_calls":[{"function":{"name":"f"}}]},` +
				`{"tool_calls":[],"content":"a"},{"role":"","content":"a"},` +
				`{"role":7,"content":"a"},{"tool_name":7,"content":"a"}`,
			`{"parts":[{"call_id":"noid:1:f","content":[{"text":"a","type":"text"}],` +
				`"meta":{"ollama":"noid:1:f"},"name":"f","type":"tool_result"}],"role":"tool"}
{"parts":[{"id":"noid:1:f","input":{},"name":"f","type":"tool_call"}],"role":"assistant"}
{"parts":[{"text":"a","type":"text"}],"role":"user"}
{"parts":[{"text":"a","type":"text"}],"role":"user"}
{"parts":[{"text":"a","type":"text"}],"role":"user"}
{"parts":[{"text":"a","type":"text"}],"role":"user"}`,
		},
		{
			"other spellings of the role of a tool",
			`{"role":" Tool ","content":"a"},{"role":"function","content":"a"},` +
				`{"role":"FUNCTION","content":"a"}`,
			`{"parts":[{"content":[{"text":"a","type":"text"}],"meta":{"ollama":""},` +
				`"type":"tool_result"}],"role":"tool"}
{"parts":[{"content":[{"text":"a","type":"text"}],"meta":{"ollama":""},"type":"tool_result"}],` +
				`"role":"tool"}
{"parts":[{"content":[{"text":"a","type":"text"}],"meta":{"ollama":""},"type":"tool_result"}],` +
				`"role":"tool"}`,
		},
		{
			"images that are none",
			`{"role":"user","content":"a","images":null},` +
				`{"role":"user","content":"a","images":"x"},` +
				`{"role":"user","content":"a","images":[7,"QUJD"]}`,
			`{"parts":[{"text":"a","type":"text"}],"role":"user"}
{"parts":[{"text":"a","type":"text"}],"role":"user"}
{"parts":[{"text":"a","type":"text"},{"data":"QUJD","kind":"image","type":"media"}],"role":"user"}`,
		},
		{
			"content of other formats",
			`{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"},` +
				`{"type":"image_url","image_url":{"url":"data:image/png;base64,QUJD"}},` +
				`{"type":"image_url","image_url":{"url":"https://e/x"}}]},` +
				`{"role":"user","content":{"type":"text","text":"a"}},` +
				`{"role":"user","content":7},` +
				`{"role":"user","content":[{"type":"image_url",` +
				`"image_url":{"url":"data:image/png;base64,QUJD"}}]}`,
			`{"parts":[{"text":"a\nb\n{\"type\":\"image_url\",` +
				`\"image_url\":{\"url\":\"https://e/x\"}}","type":"text"},` +
				`{"data":"QUJD","kind":"image","type":"media"}],"role":"user"}
{"parts":[{"text":"a","type":"text"}],"role":"user"}
{"parts":[{"text":"7","type":"text"}],"role":"user"}
{"parts":[{"data":"QUJD","kind":"image","type":"media"}],"role":"user"}`,
		},
		{
			"calls that are none",
			`{"role":"assistant","content":"a","tool_calls":null},` +
				`{"role":"assistant","content":"a","tool_calls":{}},` +
				`{"role":"assistant","content":"a","tool_calls":[7,{"function":{"name":"f"}}]}`,
			`{"parts":[{"text":"a","type":"text"}],"role":"assistant"}
{"parts":[{"text":"a","type":"text"}],"role":"assistant"}
{"parts":[{"text":"a","type":"text"},` +
				`{"id":"noid:1:f","input":{},"name":"f","type":"tool_call"}],"role":"assistant"}`,
		},
		{
			"calls without ids",
			`{"role":"assistant","tool_calls":[{"function":{"name":"f"}},` +
				`{"function":{"name":"a b"}},{"id":"","function":{"name":"f"}}]}`,
			`{"parts":[{"id":"noid:1:f","input":{},"name":"f","type":"tool_call"},` +
				`{"id":"noid:2:a b","input":{},"name":"a b","type":"tool_call"},` +
				`{"id":"noid:3:f","input":{},"name":"f","type":"tool_call"}],"role":"assistant"}`,
		},
		{
			"arguments",
			`{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"f"}},` +
				`{"id":"2","function":{"name":"f","arguments":null}},` +
				`{"id":"3","function":{"name":"f","arguments":"{\"a\":1.0}"}},` +
				`{"id":"4","function":{"name":"f","arguments":7}},` +
				`{"id":"5","function":{"name":"f","arguments":""}}]}`,
			`{"parts":[{"id":"1","input":{},"name":"f","type":"tool_call"},` +
				`{"id":"2","input":{},"name":"f","type":"tool_call"},` +
				`{"id":"3","input":{"a":1.0},"name":"f","type":"tool_call"},` +
				`{"id":"4","input":7,"name":"f","type":"tool_call"},` +
				`{"id":"5","input":{},"name":"f","type":"tool_call"}],"role":"assistant"}`,
		},
		{
			"calls that name no function",
			`{"role":"assistant","tool_calls":[{"id":"1","name":"f","arguments":{"a":1.0}},` +
				`{"id":"2","name":"f","arguments":"{\"a\":1.0}"},` +
				`{"id":"3","name":"f","arguments":7},{"id":"4","name":"f","arguments":"{cut"},` +
				`{"id":"5","name":"f","arguments":"[1]"}]}`,
			`{"parts":[{"id":"1","input":{"a":1.0},"name":"f","type":"tool_call"},` +
				`{"id":"2","input":{"a":1.0},"name":"f","type":"tool_call"},` +
				`{"id":"3","input":{},"name":"f","type":"tool_call"},` +
				`{"id":"4","input":{},"name":"f","type":"tool_call"},` +
				`{"id":"5","input":{},"name":"f","type":"tool_call"}],"role":"assistant"}`,
		},
		{
			"results, by id and by name",
			`{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"f"}},` +
				`{"id":"2","function":{"name":"g"}},{"function":{"name":"h"}}]},` +
				`{"role":"tool","tool_name":"h","content":"a"},` +
				`{"role":"tool","tool_name":"f","content":"b"},` +
				`{"role":"tool","tool_call_id":"2","content":"c"},` +
				`{"role":"tool","content":"d","images":["QUJD"]}`,
			`{"parts":[{"id":"1","input":{},"name":"f","type":"tool_call"},` +
				`{"id":"2","input":{},"name":"g","type":"tool_call"},` +
				`{"id":"noid:1:h","input":{},"name":"h","type":"tool_call"}],"role":"assistant"}
{"parts":[{"call_id":"noid:1:h","content":[{"text":"a","type":"text"}],` +
				`"meta":{"ollama":"noid:1:h"},"name":"h","type":"tool_result"}],"role":"tool"}
{"parts":[{"call_id":"1","content":[{"text":"b","type":"text"}],"meta":{"ollama":"1"},` +
				`"name":"f","type":"tool_result"}],"role":"tool"}
{"parts":[{"call_id":"2","content":[{"text":"c","type":"text"}],"type":"tool_result"}],` +
				`"role":"tool"}
{"parts":[{"content":[{"text":"d","type":"text"},` +
				`{"data":"QUJD","kind":"image","type":"media"}],"meta":{"ollama":""},` +
				`"type":"tool_result"}],"role":"tool"}`,
		},
	})
}

func TestOllamaWrites(t *testing.T) {
	const user, model, tool = preflight.RoleUser, preflight.RoleAssistant, preflight.RoleTool
	runWrites(t, "ollama", []writes{
		{
			"texts are one string",
			user,
			`{"type":"text","text":"a"},{"type":"text","text":"b"}`,
			`{"role":"user","content":"a\nb"}`,
		},
		{"a message without parts", user, ``, `{"role":"user","content":""}`},
		{
			"images",
			user,
			`{"type":"media","kind":"image","media_type":"image/png","data":"QUJD"},` +
				`{"type":"media","kind":"image","url":"data:image/png;base64,QUJE"}`,
			`{"role":"user","content":"","images":["QUJD","QUJE"]}`,
		},
		{
			"an image by address",
			user,
			`{"type":"media","kind":"image","url":"https://e/x.png"}`,
			`error: the part has no form in this format: image`,
		},
		{
			"a document",
			user,
			`{"type":"media","kind":"document","data":"QUJD"}`,
			`error: the part has no form in this format: document`,
		},
		{
			"thinking",
			model,
			`{"type":"reasoning","text":"t"},{"type":"reasoning","text":"u"},` +
				`{"type":"text","text":"a"}`,
			`{"role":"assistant","content":"a","thinking":"t\nu"}`,
		},
		{
			"thinking that nobody can read",
			model,
			`{"type":"reasoning","opaque":"x"}`,
			`error: the part has no form in this format: opaque reasoning`,
		},
		{
			"calls",
			model,
			`{"type":"tool_call","id":"1","name":"f","input":{"a":1.0}},` +
				`{"type":"tool_call","id":"noid:1:f","name":"f"}`,
			`{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f",` +
				`"arguments":{"a":1.0}},"id":"1"},{"function":{"name":"f","arguments":{}}}]}`,
		},
		{
			"a result",
			tool,
			`{"type":"tool_result","call_id":"1","name":"f","content":[{"type":"text",` +
				`"text":"a"},{"type":"text","text":"b"},` +
				`{"type":"media","kind":"image","data":"QUJD"}]}`,
			`{"role":"tool","content":"a\nb","tool_call_id":"1","tool_name":"f","images":["QUJD"]}`,
		},
		{
			"a result whose call has no id",
			tool,
			`{"type":"tool_result","call_id":"noid:1:f","name":"f","content":[{"type":"text",` +
				`"text":"a"}]}`,
			`{"role":"tool","content":"a","tool_name":"f"}`,
		},
		{
			"a result that says nothing",
			tool,
			`{"type":"tool_result","call_id":"1"}`,
			`{"role":"tool","content":"","tool_call_id":"1"}`,
		},
		{
			"an output",
			tool,
			`{"type":"tool_result","call_id":"1","output":{"a":1.0}}`,
			`{"role":"tool","content":"{\"a\":1.0}","tool_call_id":"1"}`,
		},
		{
			"an output beside text",
			tool,
			`{"type":"tool_result","call_id":"1","output":{"a":1.0},` +
				`"content":[{"type":"text","text":"a"}]}`,
			`{"role":"tool","content":"a\n{\"a\":1.0}","tool_call_id":"1"}`,
		},
		{
			"two results in one message",
			tool,
			`{"type":"tool_result","call_id":"1"},{"type":"tool_result","call_id":"2"}`,
			`{"role":"tool","content":"","tool_call_id":"1"},` +
				`{"role":"tool","content":"","tool_call_id":"2"}`,
		},
	})
}

func TestOllamaRepairs(t *testing.T) {
	body := func(messages string) string {
		return `{"messages":[{"role":"user","content":"q"},` + messages + `]}`
	}
	calls := func(list string) string {
		return body(
			`{"role":"assistant","content":"a","tool_calls":` + list +
				`},{"role":"tool","tool_name":"f","content":"x"}`,
		)
	}
	runRepairs(t, "ollama", []repairs{
		{
			"a tool's role in another spelling",
			body(
				`{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f",` +
					`"arguments":{}}}]},{"role":"Function","tool_name":"f","content":"x"}`,
			),
			`{"messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f",` +
				`"arguments":{}}}]},{"role":"tool","tool_name":"f","content":"x"}]}`,
			[]string{"messages[2].role shape-repaired preflight/shape"},
		},
		{
			"a role that is missing",
			`{"messages":[{"content":"q"}]}`,
			`{"messages":[{"content":"q","role":"user"}]}`,
			[]string{"messages[0].role shape-repaired preflight/shape"},
		},
		{
			"images that are none",
			`{"messages":[{"role":"user","content":"q","images":"x"},` +
				`{"role":"user","content":"r","images":[7,` +
				`"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"]}]}`,
			`{"messages":[{"role":"user","content":"q"},` +
				`{"role":"user","content":"r",` +
				`"images":["iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"]}]}`,
			[]string{
				"messages[0].images shape-repaired preflight/shape",
				"messages[1].images[0] shape-repaired preflight/shape",
			},
		},
		{
			"calls that are no list",
			body(
				`{"role":"assistant","content":"a","tool_calls":{}},{"role":"user","content":"r"}`,
			),
			`{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a"},` +
				`{"role":"user","content":"r"}]}`,
			[]string{"messages[1].tool_calls shape-repaired preflight/shape"},
		},
		{
			"a call that is no object",
			calls(`["f",{"function":{"name":"f","arguments":{}}}]`),
			`{"messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"a","tool_calls":[{"function":{"name":"f",` +
				`"arguments":{}}}]},{"role":"tool","tool_name":"f","content":"x"}]}`,
			[]string{"messages[1].tool_calls[0] shape-repaired preflight/shape"},
		},
		{
			"a call that names no function",
			calls(`[{"name":"f","arguments":"{\"a\":1.0}"}]`),
			`{"messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"a","tool_calls":[{"function":{"name":"f",` +
				`"arguments":{"a":1.0}}}]},{"role":"tool","tool_name":"f","content":"x"}]}`,
			[]string{"messages[1].tool_calls[0].function shape-repaired preflight/shape"},
		},
		{
			"a stray field beside the id of a call",
			body(
				`{"role":"assistant","content":"a","tool_calls":[{"id":"c","arguments":7}]},` +
					`{"role":"tool","tool_call_id":"c","content":"x"}`,
			),
			`{"messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"a","tool_calls":[{"id":"c","arguments":7,` +
				`"function":{"name":"unknown_tool","arguments":{}}}]},` +
				`{"role":"tool","tool_call_id":"c","content":"x"}]}`,
			[]string{
				"messages[1].tool_calls[0].function shape-repaired preflight/shape",
				"messages[1].tool_calls[0] name-repaired preflight/tool-name-length",
			},
		},
		{
			"arguments as a string",
			calls(`[{"function":{"name":"f","arguments":"{\"a\":1.0}"}}]`),
			`{"messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"a","tool_calls":[{"function":{"name":"f",` +
				`"arguments":{"a":1.0}}}]},{"role":"tool","tool_name":"f","content":"x"}]}`,
			[]string{
				"messages[1].tool_calls[0].function.arguments shape-repaired " +
					"ollama/arguments-object",
			},
		},
		{
			"content as a list",
			`{"messages":[{"role":"user","content":[{"type":"text","text":"a"},` +
				`{"type":"text","text":"b"}]}]}`,
			`{"messages":[{"role":"user","content":"a\nb"}]}`,
			[]string{"messages[0].content shape-repaired ollama/content-format"},
		},
		{
			"content as a part",
			`{"messages":[{"role":"user","content":{"type":"text","text":"a"}}]}`,
			`{"messages":[{"role":"user","content":"a"}]}`,
			[]string{"messages[0].content shape-repaired ollama/content-format"},
		},
	})
}

// TestOllamaLeavesMessages: what results are made to say is written, and the caller's messages stay
// as they are.
func TestOllamaLeavesMessages(t *testing.T) {
	const in = `[{"role":"assistant","tool_calls":[{"function":{"name":"f"}}]},` +
		`{"role":"tool","tool_name":"f","content":"a"}]`
	r, err := wire.Decode([]byte(in), &wire.Options{Provider: "ollama"})
	require.NoError(t, err)
	messages := part(0, 0, func(c *preflight.ToolCall) { c.Name = "g" })(slices.Clone(r.Messages))
	result := messages[1].Parts[0]
	out, err := r.Encode(messages)
	require.NoError(t, err)
	require.Equal(t, strings.ReplaceAll(in, `"f"`, `"g"`), string(out))
	require.Same(t, result, messages[1].Parts[0])
	require.Equal(t, "f", result.(*preflight.ToolResult).Name)
}
