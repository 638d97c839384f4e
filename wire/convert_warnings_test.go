package wire_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/wire"
)

// TestConvertWarnings: all of the output and of the warnings.
func TestConvertWarnings(t *testing.T) {
	const unchanged = ""
	for _, c := range []struct {
		from, to, model, in, out string
		said                     []string
	}{
		{"anthropic", "openai-chat", "gpt-5.4",
			`{"model":"claude-sonnet-4-5","max_tokens":100,"top_p":0.5,"system":"s",` +
				`"metadata":{"user_id":"u"},"stop_sequences":[],` +
				`"tools":[{"name":"f","description":"d","input_schema":{"type":"object"},` +
				`"strict":true,"x":null},{"name":"g","input_schema":7},{"name":"h"},` +
				`{"name":7,"input_schema":{}},` +
				`{"type":"web_search_20250305","name":"web_search"},` +
				`{"name":"k","description":7,"input_schema":{}}],` +
				`"messages":[{"role":"user","content":"q"}]}`,
			`{"model":"gpt-5.4","max_completion_tokens":100,"top_p":0.5,` +
				`"tools":[{"type":"function","function":{"name":"f","description":"d",` +
				`"parameters":{"type":"object"}}},` +
				`{"type":"function","function":{"name":"k","parameters":{"type":"object"}}}],` +
				`"messages":[{"role":"system","content":"s"},{"role":"user","content":"q"}]}`,
			[]string{
				"metadata not-carried", "stop_sequences not-carried", "tools[0].strict not-carried",
				"tools[1] not-carried", "tools[2] not-carried", "tools[3] not-carried",
				"tools[4] not-carried",
			}},
		{"anthropic", "gemini", "",
			`{"max_tokens":100,"temperature":1.0,"top_p":0.5,"messages":[{"role":"user",` +
				`"content":"q"}],"tools":[{"name":"f","input_schema":{"type":"object"}},` +
				`{"name":"g","input_schema":{"type":"object"}}]}`,
			`{"generationConfig":{"maxOutputTokens":100,"temperature":1.0,"topP":0.5},` +
				`"tools":[{"functionDeclarations":[{"name":"f","parametersJsonSchema":{"type":"object"}},` +
				`{"name":"g","parametersJsonSchema":{"type":"object"}}]}],` +
				`"contents":[{"role":"user","parts":[{"text":"q"}]}]}`,
			nil},
		{"gemini", "anthropic", "claude-sonnet-4-5",
			`{"generateContentRequest":{"safetySettings":[],"tools":[{"googleSearch":{}}],` +
				`"contents":[{"role":"user","id":"x","parts":[{"text":"q"},7]}]}}`,
			`{"model":"claude-sonnet-4-5","messages":[{"role":"user","content":[` +
				`{"type":"text","text":"q"},{"type":"text","text":"7"}]}]}`,
			[]string{
				"generateContentRequest.contents[0].id field-removed",
				"generateContentRequest.contents[0].parts[1] shape-repaired",
				"generateContentRequest.safetySettings not-carried",
				"generateContentRequest.tools[0] not-carried",
			}},
		{"gemini", "anthropic", "claude-sonnet-4-5",
			`{"model":"gemini-3-pro","systemInstruction":{"parts":[{"text":"s"}]},` +
				`"generationConfig":{"maxOutputTokens":9,"topK":3,"topP":0.5},` +
				`"safetySettings":[],"tools":[{"googleSearch":{}},` +
				`{"functionDeclarations":[{"name":"f","parameters":{}},{"name":"g"},` +
				`{"name":"h","parameters":7}],"x":1},` +
				`{"function_declarations":[{"name":"k","response":{"a":1}}]}],` +
				`"contents":[{"role":"user","parts":[{"text":"q"}]}]}`,
			`{"model":"claude-sonnet-4-5","max_tokens":9,"top_p":0.5,"tools":[{"name":"f",` +
				`"input_schema":{"type":"object"}},{"name":"g","input_schema":{"type":"object"}},` +
				`{"name":"k","input_schema":{"type":"object"}}],` +
				`"messages":[{"role":"user","content":[{"type":"text","text":"q"}]}],` +
				`"system":[{"type":"text","text":"s"}]}`,
			[]string{
				"model not-carried", "generationConfig.topK not-carried",
				"safetySettings not-carried", "tools[0] not-carried",
				"tools[1].functionDeclarations[2] not-carried", "tools[1][#1] not-carried",
				"tools[2].function_declarations[0].response not-carried",
			}},
		{"bedrock", "openai-chat", "",
			`{"modelId":"m","toolConfig":{"tools":[{"toolSpec":{"name":"f",` +
				`"inputSchema":{"json":{"type":"object"}},"strict":true}},` +
				`{"cachePoint":{"type":"default"}},{"toolSpec":{"name":"g"}},` +
				`{"toolSpec":7}],"toolChoice":{"auto":{}}},` +
				`"inferenceConfig":{"maxTokens":5,"stopSequences":["x"]},` +
				`"messages":[{"role":"user","content":[{"text":"q"}]}]}`,
			`{"max_completion_tokens":5,"tools":[{"type":"function","function":{"name":"f",` +
				`"parameters":{"type":"object"}}},` +
				`{"type":"function","function":{"name":"g","parameters":{"type":"object"}}}],` +
				`"messages":[{"role":"user","content":[{"type":"text","text":"q"}]}]}`,
			[]string{
				"modelId not-carried", "toolConfig.toolChoice not-carried",
				"inferenceConfig.stopSequences not-carried",
				"toolConfig.tools[0].toolSpec.strict not-carried",
				"toolConfig.tools[1] not-carried", "toolConfig.tools[3] not-carried",
			}},
		{"openai-chat", "bedrock", "",
			`{"model":"gpt-4o","max_completion_tokens":5,"n":1,"tools":[{"type":"function",` +
				`"function":{"name":"f","parameters":{"a":1.0},"strict":true},"x":1},` +
				`{"type":"function","function":{"name":"g"}},` +
				`{"type":"custom","custom":{"name":"c"}}],` +
				`"messages":[{"role":"user","content":"q"}]}`,
			`{"inferenceConfig":{"maxTokens":5},` +
				`"toolConfig":{"tools":[{"toolSpec":{"name":"f",` +
				`"inputSchema":{"json":{"a":1.0,"type":"object"}}}},` +
				`{"toolSpec":{"name":"g","inputSchema":{"json":{"type":"object"}}}}]},` +
				`"messages":[{"role":"user","content":[{"text":"q"}]}]}`,
			[]string{
				"n not-carried", "tools[0].function.strict not-carried", "tools[0][#2] not-carried",
				"tools[2] not-carried",
			}},
		{"openai-chat", "anthropic", "m", // the older list of tools
			`{"functions":[{"name":"f","parameters":{"type":"object"}},{"x":1}],` +
				`"function_call":"auto","messages":[{"role":"user","content":"q"}]}`,
			`{"model":"m","tools":[{"name":"f","input_schema":{"type":"object"}}],` +
				`"messages":[{"role":"user","content":"q"}]}`,
			[]string{"function_call not-carried", "functions[1] not-carried"}},
		{"openai-chat", "anthropic", "m", // which does not count beside the newer one
			`{"functions":[{"name":"f"}],"tools":[{"type":"function","function":{"name":"g"}}],` +
				`"messages":[{"role":"user","content":"q"}]}`,
			`{"model":"m","tools":[{"name":"g","input_schema":{"type":"object"}}],` +
				`"messages":[{"role":"user","content":"q"}]}`,
			[]string{"functions not-carried"}},
		{"gemini", "openai-responses", "", // in snake_case
			`{"generation_config":{"max_output_tokens":9,"topP":0.5,"top_k":3},` +
				`"tools":[{"function_declarations":[{"name":"f","parameters_json_schema":` +
				`{"type":"object"}}]}],"contents":[{"role":"user","parts":[{"text":"q"}]}]}`,
			`{"max_output_tokens":9,"top_p":0.5,"tools":[{"type":"function","name":"f",` +
				`"parameters":{"type":"object"}}],` +
				`"input":[{"role":"user","content":[{"type":"input_text","text":"q"}]}]}`,
			[]string{"generation_config.top_k not-carried"}},
		{"gemini", "openai-responses", "", // types of OpenAPI
			`{"tools":[{"functionDeclarations":[{"name":"f","parameters":{"type":"OBJECT",` +
				`"properties":{"a":{"type":"STRING","nullable":true},"b":{"type":"ARRAY",` +
				`"items":{"type":"INTEGER"}}}}},{"name":"g","parametersJsonSchema":` +
				`{"type":"object","default":{"type":"STRING"}}}]}],` +
				`"contents":[{"role":"user","parts":[{"text":"q"}]}]}`,
			`{"tools":[{"type":"function","name":"f","parameters":{"type":"object",` +
				`"properties":{"a":{"type":["string","null"],"nullable":true},` +
				`"b":{"type":"array","items":{"type":"integer"}}}}},` +
				`{"type":"function","name":"g","parameters":{"type":"object",` +
				`"default":{"type":"STRING"}}}],` +
				`"input":[{"role":"user","content":[{"type":"input_text","text":"q"}]}]}`,
			nil},
		{"openai-chat", "anthropic", "claude-sonnet-4-5", // the older name of the limit
			`{"model":"gpt-4o","max_tokens":5,"messages":[{"role":"user","content":"q"}]}`,
			`{"model":"claude-sonnet-4-5","max_tokens":5,` +
				`"messages":[{"role":"user","content":"q"}]}`,
			nil},
		{"openai-chat", "anthropic", "claude-sonnet-4-5", // both of its names
			`{"max_tokens":6,"max_completion_tokens":5,"messages":[{"role":"user","content":"q"}]}`,
			`{"model":"claude-sonnet-4-5","max_tokens":5,` +
				`"messages":[{"role":"user","content":"q"}]}`,
			[]string{"max_tokens not-carried"}},
		{"openai-chat", "anthropic", "claude-sonnet-4-5", // none: preflight has no default
			`{"messages":[{"role":"user","content":"q"}]}`,
			`{"model":"claude-sonnet-4-5","messages":[{"role":"user","content":"q"}]}`,
			nil},
		{"anthropic", "groq", "m", // which has the older name alone
			`{"max_tokens":5,"messages":[{"role":"user","content":"q"}]}`,
			`{"model":"m","max_tokens":5,"messages":[{"role":"user","content":"q"}]}`,
			nil},
		{"openai-chat", "openai-responses", "gpt-5.4",
			`{"tools":[{"type":"function","function":{"name":"f","description":"d",` +
				`"parameters":{"a":1.0}}}],"messages":[{"role":"system","content":"s"},` +
				`{"role":"user","content":"q"}]}`,
			`{"model":"gpt-5.4","tools":[{"type":"function","name":"f","description":"d",` +
				`"parameters":{"a":1.0,"type":"object"}}],"input":[{"role":"system",` +
				`"content":[{"type":"input_text","text":"s"}]},` +
				`{"role":"user","content":[{"type":"input_text","text":"q"}]}]}`,
			nil},
		{"openai-chat", "ollama", "qwen3",
			`{"max_completion_tokens":5,"temperature":0,"tools":[{"type":"function",` +
				`"function":{"name":"f"}}],"messages":[{"role":"user","content":"q"}]}`,
			`{"model":"qwen3","options":{"num_predict":5,"temperature":0},` +
				`"tools":[{"type":"function","function":{"name":"f",` +
				`"parameters":{"type":"object"}}}],"messages":[{"role":"user","content":"q"}]}`,
			nil},
		{"openai-chat", "cohere", "command-a",
			`{"top_p":0.5,"messages":[{"role":"user","content":"q"}]}`,
			`{"model":"command-a","p":0.5,"messages":[{"role":"user","content":"q"}]}`,
			nil},
		{"openai-chat", "anthropic", "",
			`[{"role":"system","content":"s"},{"role":"user","content":"q"}]`,
			`[{"role":"user","content":"s"},{"role":"user","content":"q"}]`,
			[]string{"messages[0] system-demoted"}},
		{"anthropic", "openai-chat", "",
			`[{"role":"user","content":[{"type":"text","text":"q"}]},` +
				`{"role":"assistant","content":"a"}]`,
			unchanged,
			nil},
		{"bedrock", "openai-chat", "", `[{"role":"user","content":"q"}]`, unchanged, nil},
		{"openai-chat", "mistral", "",
			`[{"role":"system","content":"s"},{"role":"user","content":"q"}]`,
			unchanged,
			nil},
		{"openai-chat", "deepseek", "deepseek-chat",
			`{"model":"gpt-4o","messages":[{"role":"user","content":"q"}]}`,
			`{"model":"deepseek-chat","messages":[{"role":"user","content":"q"}]}`,
			nil},
		{"openai-chat", "openrouter", "",
			`{"model":"gpt-4o","messages":[{"role":"user","content":"q"}]}`,
			unchanged,
			nil},
		{"openai-chat", "azure", "x", `[{"role":"user","content":"q"}]`,
			unchanged,
			nil},
		{"openai-chat", "azure", "gpt-4o",
			`{"model":"gpt-4o","messages":[{"role":"user","content":"q"}]}`,
			unchanged,
			nil},
		{"gemini", "gemini", "gemini-2.5-pro",
			`{"contents":[{"role":"user","parts":[{"text":"q"}]}]}`,
			unchanged,
			nil},
		{"openai-responses", "anthropic", "", `{"input":"q","instructions":"i","temperature":null}`,
			`{"temperature":null,"messages":[{"role":"user","content":"q"}],"system":"i"}`,
			nil},
		{"openai-responses", "openai-chat", "o1-mini",
			`{"instructions":"i\u0000","input":[{"role":"user","content":"q"},` +
				`{"type":"function_call","call_id":"c1","name":"f","arguments":"{}"}]}`,
			`{"model":"o1-mini","messages":[{"role":"user","content":"i"},` +
				`{"role":"user","content":"q"}]}`,
			[]string{
				"instructions text-repaired", "instructions system-demoted",
				"input[1] dangling-removed",
			}},
		{"openai-responses", "mistral", "", `{"input":"q","instructions":""}`,
			`{"messages":[{"role":"user","content":"q"}]}`,
			nil},
		{"openai-responses", "mistral", "", `{"input":"q","instructions":["i"]}`,
			`{"messages":[{"role":"user","content":"q"}]}`,
			[]string{"instructions not-carried"}},
		{"openai-responses", "mistral", "", `{"input":"q","instructions":null}`,
			`{"messages":[{"role":"user","content":"q"}]}`,
			nil},
		{"openai-chat", "anthropic", "claude-opus-4-6",
			`{"messages":[{"role":"user","content":"q","x":1},` +
				`{"role":"function","name":"f","content":[]},` +
				`{"role":"assistant","content":"a","tool_calls":[]},` +
				`{"role":"user","content":"q\ud800"}]}`,
			`{"model":"claude-opus-4-6","messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"a"},{"role":"user","content":"q\ufffd"}]}`,
			[]string{
				"messages[3].content text-repaired", "messages[1].role shape-repaired",
				"messages[2].tool_calls shape-repaired", "messages[0][#2] not-carried",
				"messages[1].name not-carried", "messages[1] orphan-removed",
			}},
		{"openai-chat", "anthropic", "",
			`{"messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"a","tool_calls":[{"id":"c1","type":"function",` +
				`"function":{"name":"f","arguments":"{}"},` +
				`"cache_control":{"type":"ephemeral"}}]},` +
				`{"role":"tool","tool_call_id":"c1","content":"r"}]}`,
			`{"messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":[{"type":"text","text":"a"},` +
				`{"type":"tool_use","id":"c1","name":"f","input":{}}]},` +
				`{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1",` +
				`"content":"r"}]}]}`,
			[]string{"messages[1].tool_calls[0] cache-removed"}},
		{"ollama", "anthropic", "",
			`{"messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"a","tool_calls":[{"function":{"name":"f",` +
				`"arguments":{}},"cache_control":{"type":"ephemeral"}}]},` +
				`{"role":"tool","tool_name":"f","content":"r"}]}`,
			`{"messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":[{"type":"text","text":"a"},` +
				`{"type":"tool_use","id":"noid_1_f_9d0af926","name":"f","input":{}}]},` +
				`{"role":"user","content":[{"type":"tool_result",` +
				`"tool_use_id":"noid_1_f_9d0af926","content":"r"}]}]}`,
			[]string{
				"messages[1].tool_calls[0].cache_control not-carried",
				"messages[1].tool_calls[0] id-rewritten", "messages[2] id-rewritten",
			}},
	} {
		t.Run(c.from+" to "+c.to, func(t *testing.T) {
			result, err := wire.Convert(context.Background(), []byte(c.in),
				c.from, &wire.Options{Provider: c.to, Model: c.model})
			require.NoError(t, err)
			r, err := wire.Decode([]byte(c.in), &wire.Options{Provider: c.from})
			require.NoError(t, err)
			var said []string
			for _, w := range result.Warnings {
				said = append(said, w.Path+" "+string(w.Code))
				requirePlace(t, r, w.At, w.Path, []byte(c.in))
			}
			want := c.out
			if want == unchanged {
				want = c.in
			}
			require.Equal(t, want, string(result.Body))
			require.Equal(t, c.said, said)
			require.Equal(t, c.to, result.Provider)
			require.Equal(t, c.out != unchanged, result.Changed)
			if c.model != "" {
				require.Equal(t, c.model, result.Model)
			}
		})
	}
}

// TestConvertSchemas: Gemini gets a JSON schema where it takes one, unless it takes it as one of
// OpenAPI's subset, too.
func TestConvertSchemas(t *testing.T) {
	property := func(schema string) string {
		return `{"type":"object","properties":{"a":` + schema + `}}`
	}
	for _, c := range []struct {
		schema  string
		openAPI bool
	}{
		{`{"type":"object","required":["a"],"properties":{"a":{"type":"string","enum":["x"],` +
			`"description":"d"},"$schema":{"type":"array","items":{"type":"number"}}}}`, true},
		{property(`{"anyOf":[{"type":"string","format":"date-time"},{"type":"integer"}]}`), true},
		{property(`{"type":"integer","format":"int32","default":{"$ref":1}}`), true},
		{property(`{"type":"array","items":{"type":"string","minLength":1}}`), true},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object"}`, false},
		{`{"type":"object","additionalProperties":false}`, false},
		{property(`{"const":"x"}`), false},
		{property(`{"type":["string","null"]}`), false},
		{property(`{"type":"string","format":"uri"}`), false},
		{property(`{"type":"integer","enum":[1,2]}`), false},
		{property(`true`), false},
		{property(`{"type":"array","items":{"type":"object","additionalProperties":{}}}`), false},
		{property(`{"type":"array","items":[{"type":"string"}]}`), false},
		{property(`{"anyOf":[{"type":"string"},{"$ref":"#"}]}`), false},
		{property(`{"anyOf":{}}`), false},
		{`{"type":"object","properties":[]}`, false},
		{property(`{"type":"array"}`), false},
		{property(`{"enum":["x"]}`), false},
		{property(`{"type":"integer","enum":["x"]}`), false},
		{`{"type":"object","required":["b"],"properties":{"a":{"type":"string"}}}`, false},
		{`{"type":"object","properties":{}}`, false},
		{property(`{"type":"object"}`), false},
	} {
		body := `{"tools":[{"type":"function","function":{"name":"f","parameters":` + c.schema +
			`}}],"messages":[{"role":"user","content":"q"}]}`
		gemini, err := wire.Convert(context.Background(), []byte(body), "openai-chat",
			&wire.Options{Provider: "gemini"})
		require.NoError(t, err)
		member := "parametersJsonSchema"
		if c.openAPI {
			member = "parameters"
		}
		require.Equal(t, `{"tools":[{"functionDeclarations":[{"name":"f","`+member+`":`+c.schema+
			`}]}],"contents":[{"role":"user","parts":[{"text":"q"}]}]}`, string(gemini.Body))
		back, err := wire.Convert(context.Background(), gemini.Body, "gemini",
			&wire.Options{Provider: "openai-chat"})
		require.NoError(t, err)
		require.Contains(t, string(back.Body), `"parameters":`+c.schema)
	}
}

// TestConvertOpenAPI: a schema of Gemini's becomes a JSON schema, of an object at the root.
func TestConvertOpenAPI(t *testing.T) {
	property := func(schema string) string {
		return `{"type":"object","properties":{"nullable":` + schema + `}}`
	}
	for _, c := range [][2]string{
		{`{"type":"OBJECT","nullable":true}`, `{"type":"object","nullable":true}`},
		{`{"type":null}`, `{"type":"object"}`},
		{property(`{"nullable":true,"anyOf":[{"type":"STRING"},{"type":"NUMBER"}]}`),
			property(`{"nullable":true,"anyOf":[{"type":"string"},{"type":"number"},{"type":"null"}]}`)},
		{property(`{"type":"STRING","nullable":true,"enum":["x"]}`),
			property(`{"type":["string","null"],"nullable":true,"enum":["x",null]}`)},
		{property(`{"type":"ARRAY","minItems":"1","maxItems":"x","items":{"type":"STRING"}}`),
			property(`{"type":"array","minItems":1,"maxItems":"x","items":{"type":"string"}}`)},
	} {
		body := `{"tools":[{"functionDeclarations":[{"name":"f","parameters":` + c[0] +
			`}]}],"contents":[{"role":"user","parts":[{"text":"q"}]}]}`
		out, err := wire.Convert(context.Background(), []byte(body), "gemini",
			&wire.Options{Provider: "anthropic"})
		require.NoError(t, err)
		require.Contains(t, string(out.Body), `"input_schema":`+c[1]+`}`)
	}
}

// TestConvertFailed: that a tool failed is carried, or there is one warning.
func TestConvertFailed(t *testing.T) {
	gem := func(response string) string {
		return `{"contents":[{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":[` +
			`{"functionCall":{"name":"f","args":{}}}]},{"role":"user","parts":[` +
			`{"functionResponse":{"name":"f","response":` + response + `}}]}]}`
	}
	for _, c := range []struct{ from, body, word string }{
		{"anthropic", `{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[` +
			`{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},{"role":"user","content":[` +
			`{"type":"tool_result","tool_use_id":"toolu_1","content":"no","is_error":true}]}]}`, ""},
		{"bedrock", `{"messages":[{"role":"user","content":[{"text":"q"}]},{"role":"assistant",` +
			`"content":[{"toolUse":{"toolUseId":"t1","name":"f","input":{}}}]},{"role":"user",` +
			`"content":[{"toolResult":{"toolUseId":"t1","content":[{"text":"no"}],` +
			`"status":"error"}}]}]}`, ""},
		{"gemini", gem(`{"error":"no"}`), ""},
		{"gemini", gem(`{"error":{"code":5}}`), `\"code\"`}, // an error in the words of the result
	} {
		from := c.from
		for _, to := range []string{
			"anthropic", "bedrock", "gemini", "gemini-interactions", "openai-chat",
			"openai-responses", "mistral", "cohere", "ollama",
		} {
			out, err := wire.Convert(context.Background(), []byte(c.body), from,
				&wire.Options{Provider: to})
			require.NoError(t, err)
			var said []string
			for _, w := range out.Warnings {
				if w.Code == codes.NotCarried {
					said = append(said, w.Path)
				}
			}
			r, err := wire.Decode(out.Body, &wire.Options{Provider: to})
			require.NoError(t, err)
			result, ok := r.Messages[2].Parts[0].(*preflight.ToolResult)
			require.True(t, ok)
			if result.IsError || c.word != "" && strings.Contains(string(out.Body), c.word) {
				require.Empty(t, said, "%s to %s", from, to)
			} else {
				require.Len(t, said, 1, "%s to %s", from, to)
			}
		}
	}
}

// TestFailedElsewhere: that a tool failed is not warned of where no tool's result is, nor twice,
// and a result that becomes text says it.
func TestFailedElsewhere(t *testing.T) {
	for _, c := range []struct{ from, body, has string }{
		{"openai-responses", `{"input":[{"role":"user","content":"q"},{"type":"message",` +
			`"role":"assistant","status":"error","content":[{"type":"output_text","text":"a"}]},` +
			`{"role":"user","content":"n"}]}`, `"a"`},
		{"anthropic", `{"messages":[{"role":"user","content":[{"type":"text","text":"q"},` +
			`{"type":"tool_result","tool_use_id":"toolu_1","content":"no","is_error":true}]}]}`, `"q"`},
		{"anthropic", `{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[` +
			`{"type":"mcp_tool_use","id":"mcptoolu_1","name":"f","server_name":"s","input":{}},` +
			`{"type":"mcp_tool_result","tool_use_id":"mcptoolu_1","is_error":true,` +
			`"content":[{"type":"text","text":"no"}]}]},{"role":"user","content":"n"}]}`,
			"which failed:"},
	} {
		out, err := wire.Convert(context.Background(), []byte(c.body), c.from,
			&wire.Options{Provider: "openai-chat"})
		require.NoError(t, err)
		require.Contains(t, string(out.Body), c.has)
		for _, w := range out.Warnings {
			require.NotEqual(t, codes.NotCarried, w.Code, "%v", w)
		}
	}
}

// TestFailedPrepared: the mark of a failed tool is left out with a warning, too, for an agent loop.
func TestFailedPrepared(t *testing.T) {
	ctx := context.Background()
	history := func() []preflight.Message {
		r, err := wire.Decode([]byte(`{"messages":[{"role":"user","content":"q"},`+
			`{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f",`+
			`"input":{}}]},{"role":"user","content":[{"type":"tool_result",`+
			`"tool_use_id":"toolu_1","content":"no","is_error":true}]}]}`),
			&wire.Options{Provider: "anthropic"})
		require.NoError(t, err)
		return r.Messages
	}
	out, err := wire.Prepare(ctx, "openai-chat", "gpt-5.4", history(), nil)
	require.NoError(t, err)
	require.Len(t, out.Warnings, 1)
	require.Equal(t, codes.NotCarried, out.Warnings[0].Code)
	again, err := wire.Prepare(ctx, "openai-chat", "gpt-5.4", out.Messages, nil)
	require.NoError(t, err)
	require.Empty(t, again.Warnings)
}
