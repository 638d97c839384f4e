package wire_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/wire"
)

// TestStoredForms: a history as a program stores it is named, whatever it is said to be. The shapes
// are from the documentation of each: ai-sdk.dev (UIMessage, ModelMessage), ai.pydantic.dev
// (ModelMessage), python.langchain.com (dumpd, messages_to_dict), and sessions that Claude Code
// 2.1, Codex 0.169, Gemini CLI 0.61 and qwen-code 0.15 wrote.
func TestStoredForms(t *testing.T) {
	const (
		neutral = "preflight's own messages"
		ui      = "UI messages of the Vercel AI SDK"
		model   = "model messages of the Vercel AI SDK"
	)
	for k, c := range []struct{ form, body string }{
		{neutral, `[{"role":"user","parts":[{"type":"text","text":"q"}]}]`},
		{
			neutral,
			`[{"role":"assistant","id":"m1","parts":[{"type":"tool_call","id":"c1","name":"f",` +
				`"input":{}}]}]`,
		},
		{
			neutral,
			`{"model":"m","messages":[{"role":"user","parts":[{"type":"media","kind":"image"}],` +
				`"native":{"format":"gemini","json":"{}"}}]}`,
		},
		{
			ui,
			`[{"id":"m1","role":"user","parts":[{"type":"file","mediaType":"image/png",` +
				`"url":"u"}]}]`,
		},
		{
			ui,
			`[{"role":"assistant","parts":[{"type":"step-start"},` +
				`{"type":"text","text":"a","state":"done"}]}]`,
		},
		{
			ui,
			`[{"role":"assistant","parts":[{"type":"tool-f","toolCallId":"c1",` +
				`"state":"output-available","input":{},"output":1}]}]`,
		},
		{
			ui,
			`{"messages":[{"id":"m1","role":"assistant","content":"",` +
				`"toolInvocations":[{"state":"result","toolCallId":"c1"}]}]}`,
		},
		{model, `[` + question +
			`,{"role":"assistant","content":[{"type":"tool-call","toolCallId":"c1",` +
			`"toolName":"f","input":{}}]}]`},
		{
			model,
			`{"messages":[{"role":"system","content":"s"},` +
				`{"role":"tool","content":[{"type":"tool-result","toolCallId":"c1",` +
				`"toolName":"f","output":{"type":"text","value":"r"}}]}]}`,
		},
		{
			model,
			`{"tools":[{"type":"function","function":{"name":"f"}}],"messages":[` + question +
				`,{"role":"tool","content":[{"type":"tool-result","toolCallId":"c1",` +
				`"toolName":"f","output":{"type":"text","value":"r"}}]}]}`,
		},
		{"pydantic-ai messages",
			`[{"parts":[{"content":"q","part_kind":"user-prompt"}],"kind":"request"}]`},
		{
			"pydantic-ai messages",
			`{"messages":[{"parts":[{"tool_name":"f","args":"{}","part_kind":"tool-call"}],` +
				`"kind":"response"}]}`,
		},
		{
			"LangChain messages",
			`[{"lc":1,"type":"constructor","id":["langchain","schema","messages",` +
				`"HumanMessage"],"kwargs":{"content":"q"}}]`,
		},
		{
			"LangChain messages",
			`[{"type":"human","data":{"content":"q","additional_kwargs":{}}},` +
				`{"type":"ai","data":{"content":"a"}}]`,
		},
		{
			"LangChain messages",
			`{"messages":[{"content":"q","additional_kwargs":{},"response_metadata":{},` +
				`"type":"human","name":null,"id":null}]}`,
		},
		{"LangChain messages",
			`{"lc":1,"type":"constructor","id":["langchain","prompts"],"kwargs":{}}`},
		{
			"a session of Claude Code or qwen-code",
			`{"parentUuid":null,"type":"user","message":{"role":"user","content":"q"},` +
				`"uuid":"u","sessionId":"s"}`,
		},
		{"a session of Claude Code or qwen-code",
			"{\"type\":\"queue-operation\",\"sessionId\":\"s\"}\n{\"parentUuid\":null}\n"},
		{
			"a session of Claude Code or qwen-code",
			"{\"uuid\":\"u\",\"parentUuid\":null,\"sessionId\":\"s\"," +
				"\"message\":{\"role\":\"user\",\"parts\":[]}}\r\n{}",
		},
		{"a session of Codex",
			`{"timestamp":"t","type":"response_item","payload":{"type":"message"}}`},
		{
			"a session of Codex",
			"{\"timestamp\":\"t\",\"type\":\"session_meta\"," +
				"\"payload\":{}}\n{\"type\":\"event_msg\"}",
		},
		{"a session of Gemini CLI",
			"{\"sessionId\":\"s\",\"projectHash\":\"h\",\"kind\":\"main\"}\n{\"$set\":{}}"},
		{
			"a session of Gemini CLI",
			`{"sessionId":"s","messages":[{"id":"i","timestamp":"t","type":"gemini",` +
				`"content":"a"}]}`,
		},
	} {
		in := []byte(c.body)
		providers := append([]string{""}, wire.Providers()...)
		if c.form == model {
			// its messages are those of a request until they hold a call
			providers = []string{"", "openai-chat", "anthropic"}
		}
		for _, provider := range providers {
			if spoken(provider) == "gemini" && k == 0 {
				continue // there the type is a leftover of a program
			}
			result, err := wire.Sanitize(context.Background(), in,
				&wire.Options{Provider: provider})
			var stored *wire.Error
			require.True(t, errors.As(err, &stored), "%s %s: %v", provider, c.body, err)
			require.Equal(t, c.form, stored.Detail, c.body)
			require.ErrorIs(t, err, wire.ErrNotARequest)
			require.ErrorIs(t, err, wire.ErrStoredForm)
			require.True(t, sameSlice(in, result.Body))
		}
	}
	require.EqualError(t, &wire.Error{Reason: wire.ErrStoredForm, Detail: "x"},
		"not a request body: it is x")
	require.EqualError(t,
		&wire.Error{Reason: wire.ErrStoredForm, Detail: "x", Path: "messages[0]"},
		"not a request body: messages[0] shows that it is x")
}

// TestNotStored: what resembles a stored form is a request all the same.
func TestNotStored(t *testing.T) {
	for _, c := range []struct{ provider, body string }{
		{"gemini", `[{"role":"user","parts":[{"text":"q"}]}]`},
		{"gemini", `{"contents":[{"role":"user","parts":[{"type":"text","text":"q"}]}]}`},
		{"openai-chat", `[{"role":"user","content":"q","id":"m1","type":"message"}]`},
		{"openai-chat", `[{"role":"user","content":[{"type":"text","text":"q"}],"id":"m1"}]`},
		{
			"openai-responses",
			`[{"id":"msg_1","type":"message","role":"assistant",` +
				`"content":[{"type":"output_text","text":"a"}]}]`,
		},
		{"openai-responses", `[{"type":"reasoning","id":"rs_1","summary":[]}]`},
		{"anthropic", `{"system":"s","sessionId":"x","messages":[` + question + `]}`},
		{"anthropic", `{"metadata":{"parts":[{"part_kind":1}]},"messages":[` + question + `]}`},
	} {
		_, err := wire.Decode([]byte(c.body), &wire.Options{Provider: c.provider})
		require.NoError(t, err, c.body)
	}
}

// TestStoredOnceMerged: a repaired body has to be read as a request again, and a message with a
// list of blocks is looked at more closely than one with a string.
func TestStoredOnceMerged(t *testing.T) {
	options := &wire.Options{Provider: "anthropic", Portable: true}
	for members, ok := range map[string]bool{
		``: true, `,"id":"m1"`: true,
		`,"sessionId":"s","parentUuid":"u"`:   false,
		`,"type":"ai","additional_kwargs":{}`: false,
	} {
		next := `,{"role":"user","content":"some words"}`
		body := `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"some words"` +
			members + `}` + next + next + next + `]}`
		result, err := wire.Sanitize(context.Background(), []byte(body), options)
		if !ok {
			require.ErrorIs(t, err, preflight.ErrUnfixable, members)
			continue
		}
		require.NoError(t, err, members)
		require.True(t, result.Changed)
		again, err := wire.Sanitize(context.Background(), result.Body, options)
		require.NoError(t, err, members)
		require.False(t, again.Changed)
	}
}
