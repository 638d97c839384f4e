package wire_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/wire"
)

func TestResponsesRepairs(t *testing.T) {
	const ask = `{"role":"user","content":"q"}`
	body := func(items string) string { return `{"input":[` + ask + `,` + items + `]}` }
	runRepairs(t, "openai-responses", []repairs{
		{
			"items without their type",
			body(`{"call_id":"c","name":"f","arguments":"{}"},{"call_id":"c","output":"x"}`),
			`{"input":[{"role":"user","content":"q"},` +
				`{"call_id":"c","name":"f","arguments":"{}","type":"function_call"},` +
				`{"call_id":"c","output":"x","type":"function_call_output"}]}`,
			[]string{
				"input[1].type shape-repaired openai-responses/required-item-fields",
				"input[2].type shape-repaired openai-responses/required-item-fields",
			},
		},
		{
			"messages without their role",
			body(
				`{"content":[{"type":"output_text","text":"a"}]},` +
					`{"content":[{"type":"input_text","text":"b"}]}`,
			),
			`{"input":[{"role":"user","content":"q"},` +
				`{"content":[{"type":"output_text","text":"a"}],"role":"assistant"},` +
				`{"content":[{"type":"input_text","text":"b"}],"role":"user"}]}`,
			[]string{
				"input[1].role shape-repaired openai-responses/required-item-fields",
				"input[2].role shape-repaired openai-responses/required-item-fields",
			},
		},
		{
			"ids that are none",
			body(`{"id":"","role":"user","content":"a"},{"id":7,"role":"user","content":"b"}`),
			`{"input":[{"role":"user","content":"q"},{"role":"user","content":"a"},` +
				`{"role":"user","content":"b"}]}`,
			[]string{
				"input[1].id item-id-removed openai-responses/item-id-charset",
				"input[2].id item-id-removed openai-responses/item-id-charset",
			},
		},
		{
			"members of messages that the provider refuses",
			body(
				`{"role":"user","status":"completed","tool_calls":[],"cache_control":{},` +
					`"content":[{"type":"input_text","text":"a","cache_control":{}}]},` +
					`{"type":"message","role":"assistant","status":"completed",` +
					`"content":[{"type":"output_text","text":"a"}]},` +
					ask,
			),
			`{"input":[{"role":"user","content":"q"},` +
				`{"role":"user","content":[{"type":"input_text","text":"a"}]},` +
				`{"type":"message","role":"assistant","content":[{"type":"output_text",` +
				`"text":"a"}]},{"role":"user","content":"q"}]}`,
			[]string{
				"input[1].cache_control field-removed openai-responses/unknown-item-field",
				"input[1].tool_calls field-removed openai-responses/unknown-item-field",
				"input[1].status field-removed openai-responses/unknown-item-field",
				"input[1].content[0].cache_control field-removed " +
					"openai-responses/unknown-item-field",
				"input[2].status field-removed openai-responses/unknown-item-field",
			},
		},
		{
			"what nothing is wrong with",
			body(
				`{"type":"message","id":"msg_1","role":"assistant","status":"completed",` +
					`"content":[{"type":"output_text","text":"a"}]},` +
					`{"type":"message","role":"user","status":"completed",` +
					`"content":[{"type":"input_text","text":"a"}]},` +
					`{"type":"function_call","call_id":"c","name":"f","arguments":"[1]"},` +
					`{"type":"function_call_output","call_id":"c","output":"x"},` +
					`{"type":"function_call","call_id":"d","name":"f","arguments":"{\"x\":48"},` +
					`{"type":"function_call_output","call_id":"d","output":""}`,
			),
			body(
				`{"type":"message","id":"msg_1","role":"assistant","status":"completed",` +
					`"content":[{"type":"output_text","text":"a"}]},` +
					`{"type":"message","role":"user","status":"completed",` +
					`"content":[{"type":"input_text","text":"a"}]},` +
					`{"type":"function_call","call_id":"c","name":"f","arguments":"[1]"},` +
					`{"type":"function_call_output","call_id":"c","output":"x"},` +
					`{"type":"function_call","call_id":"d","name":"f","arguments":"{\"x\":48"},` +
					`{"type":"function_call_output","call_id":"d","output":""}`,
			),
			nil,
		},
		{
			"reasoning",
			body(
				`{"type":"reasoning","encrypted_content":"QUJD","status":"completed",` +
					`"content":[{"type":"reasoning_text","text":"t"}]},` +
					`{"role":"assistant","content":"a"},` +
					ask,
			),
			`{"input":[{"role":"user","content":"q"},` +
				`{"type":"reasoning","encrypted_content":"QUJD","summary":[]},` +
				`{"role":"assistant","content":"a"},{"role":"user","content":"q"}]}`,
			[]string{
				"input[1].summary shape-repaired openai-responses/reasoning-summary-required",
				"input[1].content field-removed openai-responses/reasoning-content-nonempty",
				"input[1].status field-removed openai-responses/unknown-item-field",
			},
		},
		{
			"arguments that are no string",
			body(
				`{"type":"function_call","call_id":"c","name":"f","arguments":{"a":1.0}},` +
					`{"type":"function_call_output","call_id":"c","output":"x"}`,
			),
			`{"input":[{"role":"user","content":"q"},` +
				`{"type":"function_call","call_id":"c","name":"f","arguments":"{\"a\":1.0}"},` +
				`{"type":"function_call_output","call_id":"c","output":"x"}]}`,
			[]string{"input[1].arguments shape-repaired openai-chat/arguments-not-json"},
		},
		{
			"an output that is neither text nor a list",
			body(
				`{"type":"function_call","call_id":"c","name":"f","arguments":"{}"},` +
					`{"type":"function_call_output","call_id":"c","output":7}`,
			),
			`{"input":[{"role":"user","content":"q"},` +
				`{"type":"function_call","call_id":"c","name":"f","arguments":"{}"},` +
				`{"type":"function_call_output","call_id":"c","output":"7"}]}`,
			[]string{"input[2].output shape-repaired preflight/shape"},
		},
		{
			"sources of a search",
			body(
				`{"type":"web_search_call","id":"ws_1","status":"completed",` +
					`"action":{"type":"search","query":"q","sources":[]}},` +
					`{"role":"assistant","content":"a"},` +
					ask,
			),
			`{"input":[{"role":"user","content":"q"},` +
				`{"type":"web_search_call","id":"ws_1","status":"completed",` +
				`"action":{"type":"search","query":"q"}},{"role":"assistant","content":"a"},` +
				`{"role":"user","content":"q"}]}`,
			[]string{"input[1].action.sources field-removed openai-responses/unknown-item-field"},
		},
		{
			"parts in the wrong direction",
			body(
				`{"role":"assistant","content":[{"type":"input_text","text":"a"}]},` +
					`{"role":"user","content":[{"type":"output_text","text":"b",` +
					`"annotations":[]},{"type":"refusal","refusal":"no"},` +
					`{"type":"image_url","image_url":{"url":"https://e/x.png"}},` +
					`{"type":"input_image","image_url":{"url":"https://e/y.png"}},` +
					`{"type":"input_text","text":7}]}`,
			),
			`{"input":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":[{"type":"output_text","text":"a"}]},` +
				`{"role":"user","content":[{"type":"input_text","text":"b"},` +
				`{"type":"input_text","text":"no"},` +
				`{"type":"input_image","image_url":"https://e/x.png"},` +
				`{"type":"input_image","image_url":"https://e/y.png"},` +
				`{"type":"input_text","text":"7"}]}]}`,
			[]string{
				"input[1].content[0].type shape-repaired openai-responses/assistant-input-text",
				"input[2].content[0].type shape-repaired openai-responses/assistant-input-text",
				"input[2].content[1].type shape-repaired openai-responses/assistant-input-text",
				"input[2].content[2].type shape-repaired openai-responses/assistant-input-text",
				"input[2].content[3].image_url shape-repaired preflight/shape",
				"input[2].content[4].text shape-repaired preflight/shape",
			},
		},
		{
			"names of declared tools",
			`{"tools":[{"type":"function","name":"ok"},{"type":"web_search"},` +
				`{"type":"function","name":"a b"},{"type":"custom","name":"c.d"},` +
				`{"type":"mcp","name":"e f"},` +
				`{"type":"function","name":7}],"tool_choice":{"type":"function","name":"a b"},` +
				`"input":[` +
				ask + `]}`,
			`{"tools":[{"type":"function","name":"ok"},{"type":"web_search"},` +
				`{"type":"function","name":"a_b_c8687a08"},` +
				`{"type":"custom","name":"c_d_713ff6c4"},{"type":"mcp","name":"e f"},` +
				`{"type":"function","name":7}],` +
				`"tool_choice":{"type":"function","name":"a_b_c8687a08"},` +
				`"input":[{"role":"user","content":"q"}]}`,
			[]string{
				"tools[2].name tool-renamed openai-responses/name-pattern",
				"tools[3].name tool-renamed openai-responses/name-pattern",
				"tool_choice.name tool-renamed openai-responses/name-pattern",
			},
		},
		{
			"a shell's output that names its call's item",
			body(
				`{"type":"local_shell_call","id":"lsh_1","call_id":"c","status":"completed",` +
					`"action":{"type":"exec","command":["ls"],"env":{}}},` +
					`{"type":"local_shell_call_output","id":"lsh_1","output":"x"}`,
			),
			`{"input":[{"role":"user","content":"q"},` +
				`{"type":"local_shell_call","id":"lsh_1","call_id":"c","status":"completed",` +
				`"action":{"type":"exec","command":["ls"],"env":{}}},` +
				`{"type":"local_shell_call_output","id":"lsh_1","output":"x"}]}`,
			nil,
		},
		{
			"one that names it by an id that cannot stay",
			body(
				`{"type":"local_shell_call","id":"lsh 1","call_id":"c","status":"completed",` +
					`"action":{"type":"exec","command":["ls"],"env":{}}},` +
					`{"type":"local_shell_call_output","id":"lsh 1","output":"x"}`,
			),
			`{"input":[{"role":"user","content":"q"},` +
				`{"type":"local_shell_call","call_id":"c","status":"completed",` +
				`"action":{"type":"exec","command":["ls"],"env":{}}},` +
				`{"type":"local_shell_call_output","output":"x","call_id":"c"}]}`,
			[]string{
				"input[2] shape-repaired openai-responses/required-item-fields",
				"input[1] item-id-removed openai-responses/item-id-charset",
			},
		},
		{
			"one that names two",
			body(
				`{"type":"local_shell_call","id":"lsh_1","call_id":"c","status":"completed",` +
					`"action":{"type":"exec","command":["ls"],"env":{}}},` +
					`{"type":"local_shell_call_output","id":"lsh_1","output":"x"},` +
					`{"type":"message","id":"lsh_1","role":"assistant",` +
					`"content":[{"type":"output_text","text":"a"}]},` +
					ask,
			),
			`{"input":[{"role":"user","content":"q"},` +
				`{"type":"local_shell_call","id":"lsh_1","call_id":"c","status":"completed",` +
				`"action":{"type":"exec","command":["ls"],"env":{}}},` +
				`{"type":"local_shell_call_output","output":"x","call_id":"c"},` +
				`{"type":"message","role":"assistant","content":[{"type":"output_text",` +
				`"text":"a"}]},{"role":"user","content":"q"}]}`,
			[]string{
				"input[2] shape-repaired openai-responses/required-item-fields",
				"input[3] item-id-removed openai-responses/item-id-prefix",
			},
		},
		{
			"one whose id ends in a line",
			body(
				`{"type":"local_shell_call","id":"lsh_","call_id":"c","status":"completed",` +
					`"action":{"type":"exec","command":["ls"],"env":{}}},` +
					`{"type":"local_shell_call_output","id":"lsh_","output":"x"}`,
			),
			`{"input":[{"role":"user","content":"q"},` +
				`{"type":"local_shell_call","call_id":"c","status":"completed",` +
				`"action":{"type":"exec","command":["ls"],"env":{}}},` +
				`{"type":"local_shell_call_output","output":"x","call_id":"c"}]}`,
			[]string{
				"input[2] shape-repaired openai-responses/required-item-fields",
				"input[1] item-id-removed openai-responses/item-id-charset",
			},
		},
	})
}

// TestResponsesMergedResults: where different results of one call are merged, a shell's say all
// that both put out. A screenshot takes nothing beside it, so that the first stays and the second
// goes with a warning.
func TestResponsesMergedResults(t *testing.T) {
	for _, c := range []struct{ kind, action, first, second, want, code string }{
		{"shell_call", `{"commands":["ls"]}`, `[{"stdout":"1"}]`, `[{"stdout":"2"}]`,
			`[{"stdout":"1"},{"stdout":"2"}]`, "duplicates-merged"},
		{"shell_call", `{"commands":["ls"]}`, `["1"]`, `[{"stdout":"2"}]`,
			`[{"stdout":"2"},{"stdout":"","stderr":"[\"1\"]","outcome":{"type":"exit",` +
				`"exit_code":1}}]`,
			"duplicates-merged"},
		{"computer_call", `{"type":"click"}`, `{"type":"computer_screenshot","image_url":"1"}`,
			`{"type":"computer_screenshot","image_url":"2"}`,
			`{"type":"computer_screenshot","image_url":"1"}`, "result-removed"},
	} {
		before := `{"input":[{"role":"user","content":"q"},{"type":"` + c.kind +
			`","call_id":"c","action":` + c.action + `}`
		output := func(held string) string {
			return `,{"type":"` + c.kind + `_output","call_id":"c","output":` + held + `}`
		}
		options := &wire.Options{Provider: "openai-responses"}
		options.Sanitize.Duplicates = preflight.DuplicateMerge
		result, err := wire.Sanitize(
			context.Background(),
			[]byte(before+output(c.first)+output(c.second)+`]}`),
			options,
		)
		require.NoError(t, err)
		require.Equal(t, before+output(c.want)+`]}`, string(result.Body))
		require.Len(t, result.Warnings, 1)
		require.Equal(t, codes.Code(c.code), result.Warnings[0].Code)
		require.Equal(t, "input[3]", result.Warnings[0].Path)
	}
}
