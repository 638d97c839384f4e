package wire_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/wire"
)

// This file tests the check of calls against the schemas of their tools.

// hasRequired is a validator that knows "required" and the types of strings.
func hasRequired(schema, arguments json.RawMessage) error {
	var s struct {
		Required   []string
		Properties map[string]struct{ Type any }
	}
	var given map[string]any
	if err := errors.Join(json.Unmarshal(schema, &s), json.Unmarshal(arguments, &given)); err != nil {
		return err
	}
	for _, name := range s.Required {
		if _, ok := given[name]; !ok {
			return fmt.Errorf("%s is missing", name)
		}
	}
	for name, property := range s.Properties {
		if _, text := given[name].(string); property.Type == "string" && !text {
			return fmt.Errorf("%s is %v", name, given[name])
		}
	}
	return nil
}

// toolSchema is the schema of the tool weather in the bodies.
const toolSchema = `{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`

// calledBodies call the tool weather with the arguments ARGS, in each format.
var calledBodies = map[string]struct{ body, path string }{
	"anthropic": {`{"tools":[{"name":"weather","input_schema":SCHEMA}],"messages":[` +
		`{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"tool_use","id":"c1",` +
		`"name":"weather","input":ARGS}]}]}`, "messages[1].content[0]"},
	"openai-chat": {`{"tools":[{"type":"function",` +
		`"function":{"name":"weather","parameters":SCHEMA}}],` +
		`"messages":[{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[` +
		`{"id":"c1","type":"function","function":{"name":"weather","arguments":QUOTED}}]}]}`,
		"messages[1].tool_calls[0]"},
	"openai-responses": {`{"tools":[{"type":"function","name":"weather","parameters":SCHEMA}],` +
		`"instructions":"i","input":[{"role":"user","content":"q"},{"type":"function_call",` +
		`"call_id":"c1","name":"weather","arguments":QUOTED}]}`, "input[1]"},
	"gemini": {`{"tools":[{"functionDeclarations":[{"name":"weather","parameters":{"type":"OBJECT",` +
		`"properties":{"city":{"type":"STRING"}},"required":["city"]}}]}],"contents":[{"role":"user",` +
		`"parts":[{"text":"q"}]},{"role":"model","parts":[{"functionCall":{"name":"weather",` +
		`"args":ARGS}}]}]}`, "contents[1].parts[0]"},
	"vertex-gemini": {`{"tools":[{"functionDeclarations":[{"name":"weather",` +
		`"parametersJsonSchema":SCHEMA}]}],"contents":[{"role":"user","parts":[{"text":"q"}]},` +
		`{"role":"model","parts":[{"functionCall":{"name":"weather","args":ARGS}}]}]}`,
		"contents[1].parts[0]"},
	"bedrock": {`{"toolConfig":{"tools":[{"toolSpec":{"name":"weather",` +
		`"inputSchema":{"json":SCHEMA}}}]},` +
		`"messages":[{"role":"user","content":[{"text":"q"}]},{"role":"assistant","content":[` +
		`{"toolUse":{"toolUseId":"c1","name":"weather","input":ARGS}}]}]}`, "messages[1].content[0]"},
	"mistral": {`{"tools":[{"type":"function","function":{"name":"weather","parameters":SCHEMA}}],` +
		`"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"","tool_calls":[` +
		`{"id":"abcdefgh1","function":{"name":"weather","arguments":QUOTED}}]}]}`,
		"messages[1].tool_calls[0]"},
	"cohere": {`{"tools":[{"type":"function","function":{"name":"weather","parameters":SCHEMA}}],` +
		`"messages":[{"role":"user","content":"q"},{"role":"assistant","tool_calls":[{"id":"c1",` +
		`"type":"function","function":{"name":"weather","arguments":QUOTED}}]}]}`,
		"messages[1].tool_calls[0]"},
	"ollama": {`{"tools":[{"type":"function","function":{"name":"weather","parameters":SCHEMA}}],` +
		`"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"","tool_calls":[` +
		`{"function":{"name":"weather","arguments":ARGS}}]}]}`, "messages[1].tool_calls[0]"},
}

func TestCheckCalls(t *testing.T) {
	for provider, c := range calledBodies {
		t.Run(provider, func(t *testing.T) {
			found := func(args string) []wire.CallViolation {
				body := strings.NewReplacer(
					"SCHEMA", toolSchema, "QUOTED", quote(args), "ARGS", args,
				).Replace(c.body)
				out, err := wire.CheckCalls([]byte(body), &wire.Options{Provider: provider},
					hasRequired)
				require.NoError(t, err)
				return out
			}
			require.Empty(t, found(`{"city":"Oslo"}`))
			for args, want := range map[string]string{
				`{"town":"secret"}`: "city is missing", `{"city":7}`: "city is 7",
			} {
				wrong := found(args)
				require.Len(t, wrong, 1)
				require.EqualError(t, wrong[0].Err, want)
				require.Equal(t, "weather", wrong[0].Tool)
				require.Equal(t, c.path, wrong[0].Path)
				require.Equal(t, c.path+": preflight/arguments-schema: "+
					"the arguments do not satisfy the schema of the tool", wrong[0].String())
			}
		})
	}
}

// TestCheckCallsLeaves: calls that have no schema are not checked, and a panic is an error.
func TestCheckCallsLeaves(t *testing.T) {
	refuses := func(_, _ json.RawMessage) error { return errors.New("refused") }
	for _, body := range []string{
		`[{"role":"user","content":"q"}]`,
		`{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[` +
			`{"type":"tool_use","id":"c1","name":"f","input":{}}]}]}`,
		`{"tools":[{"type":"web_search_20250305","name":"web_search"}],"messages":[` +
			`{"role":"user","content":"q"},{"role":"assistant","content":[` +
			`{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}}]}]}`,
		`{"tools":[{"name":"f","input_schema":{}}],"messages":[{"role":"assistant","content":[` +
			`{"type":"tool_use","id":"c1","name":"f","input":"cut"}]}]}`,
	} {
		out, err := wire.CheckCalls([]byte(body), &wire.Options{Provider: "anthropic"}, refuses)
		require.NoError(t, err)
		require.Empty(t, out, body)
	}
	called := []byte(strings.NewReplacer("SCHEMA", toolSchema, "ARGS", "{}").Replace(
		calledBodies["anthropic"].body))
	_, err := wire.CheckCalls(called, nil, func(_, _ json.RawMessage) error { panic("secret") })
	require.ErrorIs(t, err, preflight.ErrHook)
	require.NotContains(t, err.Error(), "secret")
	kept := string(called)
	_, err = wire.CheckCalls(called, nil, func(schema, arguments json.RawMessage) error {
		clear(schema)
		clear(arguments)
		_ = append(schema, "xxxxxxxx"...)
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, kept, string(called), "the body is not written to")
	_, err = wire.CheckCalls([]byte("{"), nil, refuses)
	require.Error(t, err)
	out, err := wire.CheckCalls(called, nil, nil)
	require.NoError(t, err)
	require.Empty(t, out)

	var schema string
	nullable := `{"tools":[{"functionDeclarations":[{"name":"f","parameters":{"type":"OBJECT",` +
		`"properties":{"type":{"type":"STRING","nullable":true,"enum":["A"]},` +
		`"default":{"type":"ARRAY","items":{"type":"STRING"}},` +
		`"properties":{"type":"OBJECT","default":{"type":"A"}}}}}]}],"contents":[` +
		`{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]}]}`
	_, err = wire.CheckCalls([]byte(nullable), nil, func(s, _ json.RawMessage) error {
		schema = string(s)
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, `{"type":"object","properties":{"type":{"type":["string","null"],`+
		`"nullable":true,"enum":["A",null]},"default":{"type":"array","items":{"type":"string"}},`+
		`"properties":{"type":"object","default":{"type":"A"}}}}`, schema)
}

// The arguments of earlier calls are examples for the model: this one lacks a member.
func ExampleCheckCalls() {
	body := []byte(`{"model":"gpt-5","tools":[{"type":"function","function":{"name":"weather",` +
		`"parameters":{"type":"object","required":["city"]}}}],"messages":[` +
		`{"role":"user","content":"Is it raining?"},{"role":"assistant","content":null,"tool_calls":[` +
		`{"id":"call_1","type":"function","function":{"name":"weather","arguments":"{}"}}]},` +
		`{"role":"tool","tool_call_id":"call_1","content":"no city"}]}`)
	// in a program, validate calls a library for JSON schemas
	wrong, err := wire.CheckCalls(body, nil, hasRequired)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, w := range wrong {
		fmt.Println(w.Path, w.Tool, w.Err)
	}
	// Output:
	// messages[1].tool_calls[0] weather city is missing
}

// quote is s as a JSON string.
func quote(s string) string {
	raw, _ := json.Marshal(s)
	return string(raw)
}
