package remedy

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/wire"
)

// TestNamedIn: the forms in which providers name a member, escaped or not.
func TestNamedIn(t *testing.T) {
	for _, c := range []struct {
		source, text string
		want         []string // path and name
	}{
		{"openai/openai-python#2621", `Unknown parameter: 'input[16].action.query'.`,
			[]string{"input 16 action: query"}},
		{"microsoft/agent-framework#4701, escaped by a relay",
			`{"error":"{\"message\":\"Unknown parameter: 'input[2].status'.\"}"}`,
			[]string{"input 2: status"}},
		{"the same, in a page", `<pre>{&quot;message&quot;:&quot;Unknown parameter: ` +
			`&#39;input[2].status&#39;.&quot;}</pre>`, []string{"input 2: status"}},
		{"Wei-Shaw/sub2api#225", `messages.13.content.0.thinking.cache_control: Extra inputs are not ` +
			`permitted`, []string{"messages 13 content 0 thinking: cache_control"}},
		{"flyun/chatAir#108", "Invalid JSON payload received. Unknown name \"id\" at " +
			"'contents[1].parts[0]': Cannot find field.\\nInvalid JSON payload received. Unknown " +
			"name \"thought\" at 'contents[3].parts[0]': Cannot find field.",
			[]string{"contents 1 parts 0: id", "contents 3 parts 0: thought"}},
		{"rule groq/unknown-property", "'messages.2' : for 'role:assistant' the " +
			"following must be satisfied[('messages.2' : property 'reasoning' is unsupported, " +
			"did you mean 'role'?)]", []string{"messages 2: reasoning"}},
		{"QwenLM/qwen-code#11045 (Cerebras)", `{"message":"messages.2.assistant.reasoning_content: ` +
			`property 'messages.2.assistant.reasoning_content' is unsupported\n` +
			`messages.4.assistant.reasoning_content: property ` +
			`'messages.4.assistant.reasoning_content' is unsupported"}`,
			[]string{"messages 2 assistant: reasoning_content",
				"messages 4 assistant: reasoning_content"}},
		{"pydantic's form (Mistral, TRT-LLM)", `{"detail":[{"type":"missing","loc":["body","messages",` +
			`0,"user","content"],"msg":"Field required"},{"type":"extra_forbidden","loc":["body",` +
			`"messages",2,"assistant","reasoning_content"],"msg":"Extra inputs are not permitted"}]}`,
			[]string{"messages 2 assistant: reasoning_content"}},
		{"Fireworks' form", `Extra inputs are not permitted, field: 'messages[1].reasoning'`,
			[]string{"messages 1: reasoning"}},
		{"Converse, recorded by pydantic-ai", "Malformed input request: #/messages/2/content/0: " +
			"extraneous key [toolResult] is not permitted, please reformat your input",
			[]string{"messages 2 content 0: toolResult"}},
		{"serde's form", "messages[2]: unknown field `phase`, expected one of `role`, `content`",
			[]string{"messages 2: phase"}},
		{"OpenAI's older form", `Additional properties are not allowed ('name' was unexpected) - ` +
			`'messages.1'`, []string{"messages 1: name"}},
		{"zod's form", `{"code":"unrecognized_keys","keys":["a","b"],"path":["messages",1],` +
			`"message":"Unrecognized key(s) in object: 'a', 'b'"}`,
			[]string{"messages 1: a", "messages 1: b"}},
		{"a wrong type", `{"type":"string_type","loc":["body","messages",2,"content"],` +
			`"msg":"Input should be a valid string"}`, nil},
		{"a value", `Invalid value: 'input_text'. Supported values are: 'output_text'. ` +
			`param: input[1].content[0]`, nil},
		{"a setting", `Unknown parameter: 'prompt_cache_retention'.`, nil},
	} {
		var got []string
		for _, n := range namedIn(c.text) {
			got = append(got, strings.Join(n.steps, " ")+": "+n.name)
		}
		require.Empty(t, cmp.Diff(c.want, got), c.source)
	}
}

// TestDropNamed: the member that is named, and those like it, are taken out of what was sent; all
// other bytes stay.
func TestDropNamed(t *testing.T) {
	for _, c := range []struct{ name, text, sent, want, paths string }{
		{"all of a kind, other kinds stay", `Unknown parameter: 'input[1].status'.`,
			`{"input":[{"role":"user","content":"q"},{"type":"reasoning","status":"completed","summary":[]},` +
				`{"type":"message","role":"assistant","status":"completed","content":[]},` +
				`{"type":"reasoning","summary":[], "status":"completed"}],"n":1.0}`,
			`{"input":[{"role":"user","content":"q"},{"type":"reasoning","summary":[]},` +
				`{"type":"message","role":"assistant","status":"completed","content":[]},` +
				`{"type":"reasoning","summary":[]}],"n":1.0}`,
			"input[1].status input[3].status"},
		{"the kind in the path", "messages.1.content.0.text.cache_control: Extra inputs are not permitted",
			`{"messages":[{"role":"user","content":"q"},{"role":"user","content":[{"type":"text",` +
				`"text":"a","cache_control":{"type":"ephemeral"}},{"type":"image","source":{},` +
				`"cache_control":{"type":"ephemeral"}}]}]}`,
			`{"messages":[{"role":"user","content":"q"},{"role":"user","content":[{"type":"text",` +
				`"text":"a"},{"type":"image","source":{},"cache_control":{"type":"ephemeral"}}]}]}`,
			"messages[1].content[0].cache_control"},
		{"spelled otherwise", `Unknown name "id" at 'contents[0].parts[0]': Cannot find field. ` +
			`Unknown name "thought_x" at 'contents[0].parts[0]'`,
			`{"contents":[{"parts":[{"text":"a","id":"7","thoughtX":1}]}]}`,
			`{"contents":[{"parts":[{"text":"a"}]}]}`,
			"contents[0].parts[0].id contents[0].parts[0].thoughtX"},
		{"a member of a member", "system.0.cache_control.ephemeral.scope: Extra inputs are not permitted",
			`{"system":[{"type":"text","text":"s","cache_control":{"type":"ephemeral","scope":"g"}}]}`,
			`{"system":[{"type":"text","text":"s","cache_control":{"type":"ephemeral"}}]}`,
			"system[0].cache_control.scope"},
		{"a needed member that is null", `Unknown parameter: 'input[0].action.query'.`,
			`{"input":[{"type":"web_search_call","action":{"type":"find_in_page","query":null,"url":"u"}}]}`,
			`{"input":[{"type":"web_search_call","action":{"type":"find_in_page","url":"u"}}]}`,
			"input[0].action.query"},
	} {
		got, dropped, forms := dropNamed([]byte(c.sent), c.text)
		require.NotEmpty(t, forms, c.name)
		for _, form := range forms {
			require.True(t, breaksMember([]byte(c.sent), form.id()), form.id())
		}
		require.Empty(t, cmp.Diff(c.want, string(got)), c.name)
		require.Equal(t, c.paths, strings.Join(dropped, " "), c.name)
	}
}

// TestDropNamedKeeps: what a message says, what pairs it and what is signed is never dropped, and
// neither are settings, tools, or what is not there.
func TestDropNamedKeeps(t *testing.T) {
	body := `{"messages":[{"role":"user","content":[{"type":"text","text":"q"}]},` +
		`{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"s"},` +
		`{"type":"tool_use","id":"i","name":"f","input":{"text":"t","x":1}}],"tool_calls":[{"id":"i","type":"function",` +
		`"function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"i","content":"r"}],` +
		`"input":[{"type":"item_reference","id":"r"},{"type":"function_call","id":"f","call_id":"c"}],` +
		`"contents":[{"parts":[{"functionCall":{"id":"i","name":"f"},"thoughtSignature":"s"},{"x":1}]}],` +
		`"tools":[{"name":"f"}],"metadata":{"a":1}}`
	for _, path := range []string{
		"messages[0].role", "messages[0].content", "messages[0].content[0].text",
		"messages[0].content[0].type", "messages[1].content[0].signature",
		"messages[1].content[0].thinking", "messages[1].content[1].id", "messages[1].content[1].name",
		"messages[1].content[1].input", "messages[1].content[1].input.x",
		"messages[1].tool_calls", "messages[1].tool_calls[0].id",
		"messages[1].tool_calls[0].function.arguments", "messages[2].tool_call_id", "input[0].id",
		"input[1].call_id", "contents[0].parts[0].functionCall.id", "contents[0].parts[0].function_call",
		"contents[0].parts[0].thought_signature", "contents[0].parts[1].x", "messages[9].x",
		"messages[0].x", "tools[0].name", "metadata.a", "input.x",
	} {
		got, dropped, _ := dropNamed([]byte(body), "Unknown parameter: '"+path+"'.")
		require.Empty(t, dropped, path)
		require.Equal(t, body, string(got), path)
	}
}

// TestWithoutNamed: paths in the warnings and the elements are of the caller's body, although the
// refusal is about the repaired one.
func TestWithoutNamed(t *testing.T) {
	given := []byte(`{"model":"gpt-5","messages":[{"role":"user","content":"q"},{"role":"tool",` +
		`"tool_call_id":"no","content":"orphan"},{"role":"assistant","content":"a","phase":"x"}]}`)
	first, err := wire.Sanitize(context.Background(), given,
		&wire.Options{Provider: "openai-compatible"})
	require.NoError(t, err)
	require.Len(t, first.Warnings, 1)
	result, _ := withoutNamed(first, given, first.Body, "messages[1]: unknown field `phase`")
	require.NotNil(t, result)
	require.Len(t, first.Warnings, 1)
	require.Len(t, result.Warnings, 2)
	require.Equal(t, codes.FieldRemoved, result.Warnings[1].Code)
	require.Equal(t, "messages[2].phase", result.Warnings[1].Path)
	require.Equal(t, codes.Lossy, result.Warnings[1].Class())
	require.Len(t, result.Elements, 2)
	require.Equal(t, wire.Element{From: 0}, result.Elements[0])
	require.Equal(t, wire.Element{From: 2, JSON: []byte(`{"role":"assistant","content":"a"}`)},
		result.Elements[1])
	result, _ = withoutNamed(first, given, first.Body, "messages[1]: unknown field `absent`")
	require.Nil(t, result)
}

// TestNamedBounds: a hostile text or body costs no more than its length.
func TestNamedBounds(t *testing.T) {
	text := strings.Repeat("Unknown parameter: 'input[0].a'. ", maxNamedText/33+100)
	require.Len(t, namedIn(text), 1)
	var b strings.Builder
	for k := range maxNamedText/35 + 100 {
		fmt.Fprintf(&b, "Unknown parameter: 'input[%d].a'. ", k)
	}
	require.LessOrEqual(t, len(namedIn(b.String())), maxNamed)
	require.Empty(t, namedIn("Unknown parameter: 'input"+strings.Repeat("[0]", 1000)+".a'"))
	_, dropped, _ := dropNamed([]byte(strings.Repeat("[", 100)), "Unknown parameter: 'input[0].a'.")
	require.Empty(t, dropped)
}
