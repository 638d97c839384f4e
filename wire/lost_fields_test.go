package wire_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/rule/problems"
	"github.com/go-preflight/preflight/wire"
)

// What only the source's format knows is removed, each field with a warning of its own and the
// path it had.
func TestConvertNamesLostFields(t *testing.T) {
	for _, test := range []struct {
		from, to, body string
		left           []string
	}{
		{"mistral", "openai-chat",
			`{"model":"m","messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"a","prefix":true}]}`,
			[]string{"messages[1].prefix"}},
		{"openai-chat", "anthropic",
			`{"messages":[{"role":"user","name":"jane","x":{"y":1},` +
				`"content":[{"type":"text","text":"q"},` +
				`{"type":"image_url","image_url":{"url":"https://e/x.png","detail":"low"}}]},` +
				`{"role":"assistant","content":null,"refusal":null,"annotations":[],` +
				`"tool_calls":[{"id":"c1","type":"function","index":2,` +
				`"function":{"name":"f","arguments":"{\"x\":1}"}}]},` +
				`{"role":"tool","tool_call_id":"c1","name":"f","content":"ok"}]}`,
			[]string{
				"messages[0].name", "messages[0][#2]", "messages[0].content[1].image_url.detail",
				"messages[1].tool_calls[0].index",
			}},
		{"openai-chat", "cohere", `{"messages":[{"role":"user","name":"jane","content":"q"}]}`,
			nil},
		{"anthropic", "gemini",
			`{"system":[{"type":"text","text":"s","citations":[1]}],` +
				`"messages":[{"role":"user","content":[{"type":"text","text":"q"},` +
				`{"type":"document","source":{"type":"base64","media_type":"application/pdf",` +
				`"data":"JVBERi0="},"context":"c"}]}],` +
				`"tools":[{"name":"f","input_schema":{"type":"object"},"strict":true},` +
				`{"type":"web_search_20250305","name":"web_search"}]}`,
			[]string{
				"tools[0].strict", "tools[1]", "system[0].citations",
				"messages[0].content[1].context",
			}},
		{"anthropic", "openai-chat",
			`{"messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f",` +
				`"input":{"prefix":true}}]},` +
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1",` +
				`"content":[{"type":"text","text":"r",` +
				`"cache_control":{"type":"ephemeral"}}]}]}]}`,
			[]string{"messages[2].content[0].content[0].cache_control"}},
		{"gemini", "openai-chat",
			`{"contents":[{"role":"user","parts":[{"text":"q"}]},` +
				`{"role":"model","parts":[{"functionCall":{"name":"f","args":{}},` +
				`"thoughtSignature":"QUJD"}]},` +
				`{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"a":1},` +
				`"willContinue":true}}]}],"tools":[{"google_search":{}},` +
				`{"function_declarations":[{"name":"f"}]}]}`,
			[]string{
				"tools[0]", "contents[1].parts[0].thoughtSignature",
				"contents[2].parts[0].functionResponse.willContinue",
			}},
		{"bedrock", "anthropic",
			`{"messages":[{"role":"user","content":[{"text":"q"},` +
				`{"document":{"format":"pdf","name":"a","source":{"bytes":"JVBERi0="},` +
				`"context":"c"}}]}],` +
				`"toolConfig":{"tools":[{"toolSpec":{"name":"f",` +
				`"inputSchema":{"json":{"type":"object"}}}}],"toolChoice":{"auto":{}}}}`,
			[]string{"toolConfig.toolChoice", "messages[0].content[1].document.context"}},
		{"openai-chat", "anthropic",
			`{"messages":[{"role":"user","content":"q","a":null,"b":false,"c":"","d":"auto",` +
				`"e":[],"f":{},"g":0,"h":true,"i":"x","j":[0],"k":{"l":0}}]}`,
			[]string{
				"messages[0][#8]", "messages[0][#9]", "messages[0][#10]", "messages[0][#11]",
				"messages[0][#12]",
			}},
		{"anthropic", "openai-chat",
			`{"system":"s","messages":[{"role":"user","x":1,"content":[{"type":"text",` +
				`"text":"q","cache_control":{"type":"ephemeral"},"x":1},` +
				`{"type":"image","source":{"type":"url","url":"https://e/x.png","x":1},"x":1},` +
				`{"type":"thing","x":1}]},` +
				`{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f",` +
				`"input":{"x":1},"x":1}]},` +
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1",` +
				`"x":1,"content":[{"type":"text","text":"r","x":1}]}]}]}`,
			[]string{
				"messages[0][#1]", "messages[0].content[0][#3]",
				"messages[0].content[1].source[#2]", "messages[0].content[1][#2]",
				"messages[1].content[0][#4]", "messages[2].content[0][#2]",
				"messages[2].content[0].content[0][#2]",
			}},
		{"gemini", "openai-chat",
			`{"systemInstruction":{"parts":[{"text":"s","x":1}],"x":1},` +
				`"contents":[{"role":"user","parts":[{"text":"q"}]},` +
				`{"role":"model","parts":[{"text":"t","thought":true,"x":1},{"text":"a","x":1}]}]}`,
			[]string{
				"systemInstruction.parts[0][#1]", "systemInstruction[#1]",
				"contents[1].parts[1][#1]",
			}},
		{"openai-chat", "anthropic",
			`{"messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"a","name":"n","tool_calls":[{"id":"c1",` +
				`"type":"function","function":{"name":"f","arguments":"{}","x":1},"x":1},` +
				`{"id":"c2","type":"custom","custom":{"name":"g","input":"i","x":1}}]},` +
				`{"role":"tool","tool_call_id":"c1","content":"r","name":"f","x":1},` +
				`{"role":"tool","tool_call_id":"c2","content":[{"type":"text","text":"r",` +
				`"x":1,"cache_control":{"type":"ephemeral"}}]}]}`,
			[]string{
				"messages[1].name", "messages[1].tool_calls[0].function[#2]",
				"messages[1].tool_calls[0][#3]", "messages[1].tool_calls[1].custom[#2]",
				"messages[2][#4]", "messages[3].content[0][#2]",
				"messages[3].content[0].cache_control",
			}},
		{"openai-responses", "openai-chat",
			`{"input":[{"role":"user","content":[{"type":"input_text","text":"q","x":1}]},` +
				`{"type":"function_call","call_id":"c1","name":"f","arguments":"{}","x":1},` +
				`{"type":"function_call_output","call_id":"c1","output":[{"type":"input_text",` +
				`"text":"r","x":1}],"x":1}]}`,
			[]string{
				"input[0].content[0][#2]", "input[1][#4]", "input[2].output[0][#2]", "input[2][#3]",
			}},
		{"openai-responses", "anthropic",
			`{"input":[{"role":"user","content":"q"},` +
				`{"type":"message","id":"msg_1","status":"completed","role":"assistant",` +
				`"phase":"final_answer","content":[{"type":"output_text","text":"a",` +
				`"annotations":[]}]},{"role":"user","content":"n"}]}`,
			[]string{"input[1].phase"}},
	} {
		t.Run(test.from+" to "+test.to, func(t *testing.T) {
			result, err := wire.Convert(context.Background(), []byte(test.body),
				test.from, &wire.Options{Provider: test.to})
			require.NoError(t, err)
			var left []string
			for _, w := range result.Warnings {
				if w.Code == codes.NotCarried {
					left = append(left, w.Path)
				}
			}
			require.Equal(t, test.left, left)
		})
	}
}

// A message that is joined to another gives up the fields that only it had, and each is named.
func TestJoinedMessagesNameLostFields(t *testing.T) {
	const in = `{"model":"glm-5.1","messages":[{"role":"user","content":"q","x":1},` +
		`{"role":"user","content":"p","y":null,"z":{"a":1},"id":"m2"}]}`
	result, err := wire.Sanitize(context.Background(), []byte(in), &wire.Options{Provider: "glm"})
	require.NoError(t, err)
	var said []string
	for _, w := range result.Warnings {
		said = append(said, string(w.Code)+" "+w.Path)
	}
	require.ElementsMatch(
		t,
		[]string{
			"messages-merged messages[1]",
			"field-removed messages[1][#3]",
			"field-removed messages[1].id",
		},
		said,
	)
}

// What is not an object has no fields to give up, and a participant's name is none of those that
// go in silence.
func TestJoinedWithoutFields(t *testing.T) {
	for _, test := range []struct {
		provider, in, out string
		said              []string
	}{
		{"glm", `[{"role":"user","content":"q"},["x",{"y":1}],"z"]`,
			`[{"role":"user","content":[{"type":"text","text":"q"},` +
				`{"type":"text","text":"[\"x\",{\"y\":1}]"},{"type":"text","text":"z"}]}]`,
			[]string{
				"shape-repaired messages[1]", "shape-repaired messages[2]",
				"messages-merged messages[1]", "messages-merged messages[2]",
			}},
		{"glm",
			`[{"role":"user","name":"a","content":"q"},` +
				`{"role":"user","name":"a","content":"p","x":1}]`,
			`[{"role":"user","name":"a","content":[{"type":"text","text":"q"},` +
				`{"type":"text","text":"p"}]}]`,
			[]string{"messages-merged messages[1]", "field-removed messages[1][#3]"}},
	} {
		result, err := wire.Sanitize(context.Background(), []byte(test.in),
			&wire.Options{Provider: test.provider, Model: "glm-5.1"})
		require.NoError(t, err)
		var said []string
		for _, w := range result.Warnings {
			said = append(said, string(w.Code)+" "+w.Path)
		}
		require.Equal(t, test.out, string(result.Body))
		require.Equal(t, test.said, said)
	}
}

// OpenAI refuses a name without characters, and an assistant message that says nothing but what it
// thought, whatever spelling its content has (found by holding Check against the strict fakes).
func TestChatEmptyNameAndContent(t *testing.T) {
	for _, test := range []struct{ in, rule, want string }{
		{`{"model":"gpt-5.4","messages":[{"role":"user","name":"","content":"q"}]}`,
			"openai-chat/message-name-pattern",
			`{"model":"gpt-5.4","messages":[{"role":"user","content":"q"}]}`},
		{
			`{"model":"gpt-5.4","messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":[],"reasoning_content":"hm"},` +
				`{"role":"user","content":"n"}]}`,
			"openai-chat/content-null",
			`{"model":"gpt-5.4","messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"","reasoning_content":"hm"},` +
				`{"role":"user","content":"n"}]}`,
		},
	} {
		report, err := wire.Check([]byte(test.in), &wire.Options{Provider: "openai-chat"})
		require.NoError(t, err)
		require.Len(t, report.Violations, 1)
		require.Equal(t, test.rule, report.Violations[0].Rule)
		result, err := wire.Sanitize(context.Background(), []byte(test.in),
			&wire.Options{Provider: "openai-chat"})
		require.NoError(t, err)
		require.Len(t, result.Warnings, 1)
		require.Equal(t, test.want, string(result.Body))
	}
}

// A tool block has no place inside of a tool result (rule anthropic/output-only-blocks), and what
// it says stays as text.
func TestAnthropicBlockInResult(t *testing.T) {
	const in = `{"model":"claude-sonnet-4-5","max_tokens":9,"tools":[{"name":"f",` +
		`"input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"q"},` +
		`{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f",` +
		`"input":{}}]},{"role":"user","content":[{"type":"tool_result",` +
		`"tool_use_id":"toolu_1",` +
		`"content":[{"type":"text","text":"a"},` +
		`{"type":"tool_result","tool_use_id":"toolu_2","content":"inner"}]}]}]}`
	report, err := wire.Check([]byte(in), nil)
	require.NoError(t, err)
	require.Len(t, report.Violations, 1)
	require.Equal(t, problems.Nested, report.Violations[0].Problem)
	result, err := wire.Sanitize(context.Background(), []byte(in), nil)
	require.NoError(t, err)
	require.Contains(t, string(result.Body),
		`"content":[{"type":"text","text":"a"},{"type":"text","text":"inner"}]`)
	require.Len(t, result.Warnings, 1)
}

// Converse wants one declared tool at least where tools are configured.
func TestBedrockEmptyToolConfig(t *testing.T) {
	const in = `{"messages":[{"role":"user","content":[{"text":"q"}]}],"toolConfig":{"tools":[]}}`
	report, err := wire.Check([]byte(in), &wire.Options{Provider: "bedrock"})
	require.NoError(t, err)
	require.Len(t, report.Violations, 1)
	require.Equal(t, "bedrock/tool-config-required", report.Violations[0].Rule)
	result, err := wire.Sanitize(context.Background(), []byte(in),
		&wire.Options{Provider: "bedrock"})
	require.NoError(t, err)
	require.Equal(t, `{"messages":[{"role":"user","content":[{"text":"q"}]}]}`, string(result.Body))
	require.Len(t, result.Warnings, 1)
}
