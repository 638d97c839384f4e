package wire_test

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/wire"
)

// This file tests new requests for histories of the caller's own.

// newHistory is a history with two calls whose results are in one tool message.
func newHistory() []preflight.Message {
	call := func(id string) *preflight.ToolCall {
		return &preflight.ToolCall{ID: id, Name: "weather",
			Input: json.RawMessage(`{"city":"Oslo"}`)}
	}
	result := func(id string) *preflight.ToolResult {
		return &preflight.ToolResult{CallID: id, Content: []preflight.Part{
			&preflight.Text{Text: "rain"},
		}}
	}
	return []preflight.Message{
		{Role: preflight.RoleUser, Parts: []preflight.Part{&preflight.Text{Text: "Weather?"}}},
		{Role: preflight.RoleAssistant,
			Parts: []preflight.Part{call("aaaaaaaa1"), call("aaaaaaaa2")}},
		{Role: preflight.RoleTool, Parts: []preflight.Part{result("aaaaaaaa1"),
			result("aaaaaaaa2")}},
	}
}

// TestEncodeNewRequest shows a whole request in each format: what was asked for, and nothing else.
func TestEncodeNewRequest(t *testing.T) {
	for provider, want := range map[string]string{
		"anthropic": `{"model":"m","max_tokens":100,"tools":[{"name":"weather",` +
			`"description":"tells the weather","input_schema":{"type":"object"}}],"messages":[` +
			`{"role":"user","content":"Weather?"},{"role":"assistant","content":[` +
			`{"type":"tool_use","id":"aaaaaaaa1","name":"weather","input":{"city":"Oslo"}},` +
			`{"type":"tool_use","id":"aaaaaaaa2","name":"weather","input":{"city":"Oslo"}}]},` +
			`{"role":"user","content":[` +
			`{"type":"tool_result","tool_use_id":"aaaaaaaa1","content":"rain"},` +
			`{"type":"tool_result","tool_use_id":"aaaaaaaa2","content":"rain"}]}],` +
			`"system":"Be brief."}`,
		"deepseek": `{"model":"m","max_tokens":100,"tools":[{"type":"function","function":` +
			`{"name":"weather","description":"tells the weather",` +
			`"parameters":{"type":"object"}}}],"messages":[` +
			`{"role":"system","content":"Be brief."},{"role":"user","content":"Weather?"},` +
			`{"role":"assistant","content":null,"tool_calls":[` +
			`{"id":"aaaaaaaa1","type":"function","function":{"name":"weather",` +
			`"arguments":"{\"city\":\"Oslo\"}"}},` +
			`{"id":"aaaaaaaa2","type":"function","function":{"name":"weather",` +
			`"arguments":"{\"city\":\"Oslo\"}"}}]},` +
			`{"role":"tool","tool_call_id":"aaaaaaaa1","content":"rain"},` +
			`{"role":"tool","tool_call_id":"aaaaaaaa2","content":"rain"}]}`,
		"gemini": `{"generationConfig":{"maxOutputTokens":100},"tools":[` +
			`{"functionDeclarations":[{"name":"weather","description":"tells the weather",` +
			`"parametersJsonSchema":{"type":"object"}}]}],"contents":[` +
			`{"role":"user","parts":[{"text":"Weather?"}]},{"role":"model","parts":[` +
			`{"functionCall":{"name":"weather","args":{"city":"Oslo"},"id":"aaaaaaaa1"}},` +
			`{"functionCall":{"name":"weather","args":{"city":"Oslo"},"id":"aaaaaaaa2"}}]},` +
			`{"role":"user","parts":[{"functionResponse":{"name":"weather",` +
			`"response":{"output":"rain"},"id":"aaaaaaaa1"}},{"functionResponse":` +
			`{"name":"weather","response":{"output":"rain"},"id":"aaaaaaaa2"}}]}],` +
			`"systemInstruction":{"parts":[{"text":"Be brief."}]}}`,
	} {
		t.Run(provider, func(t *testing.T) {
			options := &wire.RequestOptions{
				System: "Be brief.", MaxTokens: 100,
				Tools: []wire.Tool{{Name: "weather", Description: "tells the weather"}},
			}
			body, err := wire.Encode(provider, "m", newHistory(), options)
			require.NoError(t, err)
			require.Equal(t, want, string(body))
		})
	}
}

// TestEncodeIsAccepted: the fakes and Check accept what Encode writes, and Prepare writes the same.
func TestEncodeIsAccepted(t *testing.T) {
	for _, provider := range preflighttest.Providers() {
		t.Run(provider, func(t *testing.T) {
			options := &wire.RequestOptions{
				System: "Be brief.", MaxTokens: 100, Tools: []wire.Tool{{Name: "weather"}},
			}
			model := "some-model"
			if provider == "gemini" { // of one that it does not know, the fake wants signatures
				model = "gemini-flash-latest"
			}
			body, err := wire.Encode(provider, model, newHistory(), options)
			require.NoError(t, err)
			found, err := (&preflighttest.Options{Model: model}).Violations(provider, body)
			require.NoError(t, err)
			require.Empty(t, found)
			report, err := wire.Check(body, &wire.Options{Provider: provider, Model: model})
			require.NoError(t, err)
			require.Empty(t, report.Violations)

			h := newHistory()
			prepared, err := wire.Prepare(context.Background(), provider, model, h, options)
			require.NoError(t, err)
			require.Empty(t, prepared.Warnings)
			require.Equal(t, string(body), string(prepared.Body))
			require.Same(t, &h[0], &prepared.Messages[0])
		})
	}
}

// TestEncodeMembers: further members are merged with those that the options write, and may not
// replace them.
func TestEncodeMembers(t *testing.T) {
	options := &wire.RequestOptions{
		MaxTokens: 5, Members: json.RawMessage(`{"generationConfig":{"topK":1},"labels":{"a.b":1}}`),
	}
	body, err := wire.Encode("gemini", "", nil, options)
	require.NoError(t, err)
	require.Equal(t, `{"generationConfig":{"maxOutputTokens":5,"topK":1},"contents":[],`+
		`"labels":{"a.b":1}}`, string(body))

	for _, members := range []string{
		`{"contents":[]}`, `{"generationConfig":{"maxOutputTokens":6}}`, `[]`, `{`,
	} {
		options.Members = json.RawMessage(members)
		_, err := wire.Encode("gemini", "", nil, options)
		require.ErrorIs(t, err, wire.ErrNotARequest, members)
	}
	_, err = wire.Encode("nobody", "", nil, nil)
	require.ErrorIs(t, err, wire.ErrNotARequest)
	_, err = wire.Encode("anthropic", "", nil,
		&wire.RequestOptions{Tools: []wire.Tool{{Name: "f", Schema: json.RawMessage(`1`)}}})
	require.ErrorIs(t, err, wire.ErrNotARequest)
}

// TestLimitRequired: without a limit on the output, Prepare writes what the fake accepts, or says
// that the provider requires one. One in the members is enough.
func TestLimitRequired(t *testing.T) {
	ctx := context.Background()
	requiring := []string{"anthropic", "bedrock-anthropic"}
	for _, provider := range wire.Providers() {
		prepare := func(options *wire.RequestOptions) ([]byte, error) {
			options.Tools = []wire.Tool{{Name: "weather"}}
			prepared, err := wire.Prepare(ctx, provider, "claude-sonnet-4-5", newHistory(), options)
			if err != nil {
				return nil, err
			}
			return prepared.Body, nil
		}
		body, err := prepare(&wire.RequestOptions{})
		if slices.Contains(requiring, provider) {
			require.ErrorIs(t, err, wire.ErrNotARequest, provider)
			require.ErrorContains(t, err, "MaxTokens", provider)
			_, err = prepare(&wire.RequestOptions{Members: json.RawMessage(`{"max_tokens":9}`)})
		} else if slices.Contains(preflighttest.Providers(), provider) {
			found, err := preflighttest.Violations(provider, body)
			require.NoError(t, err, provider)
			require.Empty(t, found, provider)
		}
		require.NoError(t, err, provider)
		_, err = prepare(&wire.RequestOptions{MaxTokens: -1})
		require.ErrorIs(t, err, wire.ErrNotARequest, provider)
	}
}

// TestMessageIntoMissingList: a body that needs no messages gets the list with the first one.
func TestMessageIntoMissingList(t *testing.T) {
	for body, want := range map[string]string{
		`{"previous_response_id":"q"}`:       `{"previous_response_id":"q","input":"and now?"}`,
		`{"conversation":"c","input":null}`:  `{"conversation":"c","input":"and now?"}`,
		`{"conversation":"c","input":"now"}`: `{"conversation":"c","input":"and now?"}`,
		`{"input":[ ],"conversation":"c"}`: `{"input":[{"role":"user",` +
			`"content":"and now?"}],"conversation":"c"}`,
	} {
		r, err := wire.Decode([]byte(body), &wire.Options{Provider: "openai-responses"})
		require.NoError(t, err)
		out, err := r.Encode([]preflight.Message{{
			Role: preflight.RoleUser, Parts: []preflight.Part{&preflight.Text{Text: "and now?"}},
		}})
		require.NoError(t, err, body)
		require.True(t, json.Valid(out), "%s", out)
		require.Equal(t, want, string(out), body)
	}
}

// TestPrepareForeignResult: a result of another format takes the type that answers its call, and
// keeps it.
func TestPrepareForeignResult(t *testing.T) {
	in := []byte(`{"input":[{"role":"user","content":"q"},{"type":"custom_tool_call","call_id":"c",` +
		`"name":"f","input":"x"},{"role":"user","content":[{"type":"tool_result",` +
		`"tool_use_id":"c","content":"r"}]}]}`)
	decoded, err := wire.Decode(in, &wire.Options{Provider: "openai-responses"})
	require.NoError(t, err)
	prepared, err := wire.Prepare(context.Background(), "openai-responses", "", decoded.Messages, nil)
	require.NoError(t, err)
	require.Equal(t, `{"input":[{"role":"user","content":"q"},{"type":"custom_tool_call",`+
		`"call_id":"c","name":"f","input":"x"},{"type":"custom_tool_call_output","call_id":"c",`+
		`"output":"r"}]}`, string(prepared.Body))
}
