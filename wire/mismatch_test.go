package wire_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight/wire"
)

const (
	chatRound = `{"role":"assistant","content":"a","tool_calls":[{"id":"c1","type":"function",` +
		`"function":{"name":"f","arguments":"{}"}}]},` +
		`{"role":"tool","tool_call_id":"c1","content":"r"}`
	toolRound = `{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"f",` +
		`"input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1",` +
		`"content":"r"}]}`
	bareRound = `{"role":"assistant","content":[{"toolUse":{"toolUseId":"t1","name":"f",` +
		`"input":{}}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"t1",` +
		`"content":[{"text":"r"}]}}]}`
	itemRound = `{"type":"function_call","call_id":"c1","name":"f","arguments":"{}"},` +
		`{"type":"function_call_output","call_id":"c1","output":"r"}`
	partRound = `{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]},` +
		`{"role":"user","parts":[{"functionResponse":{"name":"f","response":{}}}]}`
	question = `{"role":"user","content":"q"}`
)

// TestMismatch: a body in another format than the one named is an error that says so, and is not
// touched. The first row is the case that users met (a completed call was deleted, and its output
// became the user's words).
func TestMismatch(t *testing.T) {
	for _, c := range []struct{ provider, body, format, path string }{
		{"anthropic", `{"model":"gpt-4o","messages":[` + question + `,` + chatRound + `]}`,
			"openai-chat", "messages[1]"},
		{"anthropic", `{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[` + question +
			`,` + chatRound + `]}`, "openai-chat", "messages[1]"},
		{"anthropic", `[` + question + `,` + chatRound + `]`, "openai-chat", "messages[1]"},
		{"anthropic", `[{"role":"tool","tool_call_id":"c1","content":"r"}]`, "openai-chat",
			"messages[0]"},
		{"anthropic",
			`{"tools":[{"type":"function","function":{"name":"f"}}],"messages":[` + question + `]}`,
			"openai-chat", "tools"},
		{"anthropic", `{"input":"q"}`, "openai-responses", "input"},
		{"anthropic", `{"contents":[]}`, "gemini", "contents"},
		{"anthropic", `{"messages":[` + bareRound + `]}`, "bedrock", "messages[0]"},
		{"anthropic", `[` + partRound + `]`, "gemini", "messages[0]"},
		{"anthropic", `[` + question + `,` + itemRound + `]`, "openai-responses", "messages[1]"},
		{"deepseek-anthropic", `[` + chatRound + `]`, "openai-chat", "messages[0]"},
		{"bedrock-anthropic", `{"messages":[` + bareRound + `]}`, "bedrock", "messages[0]"},
		{"openai-chat", `{"system":"s","messages":[` + question + `]}`, "anthropic", "system"},
		{"openai-chat", `{"tools":[{"name":"f","input_schema":{}}],"messages":[` + question + `]}`,
			"anthropic", "tools"},
		{"openai-chat", `{"messages":[` + toolRound + `]}`, "anthropic", "messages[0]"},
		{"openai-chat", `{"model":"claude-sonnet-4-5","messages":[` + toolRound + `]}`, "anthropic",
			"messages[0]"},
		{"openai-chat", `{"toolConfig":{},"messages":[` + question + `]}`, "bedrock", "system"},
		{"groq", `{"messages":[` + toolRound + `]}`, "anthropic", "messages[0]"},
		{"mistral", `{"system":"s","messages":[` + question + `]}`, "anthropic", "system"},
		{"ollama", `{"messages":[` + toolRound + `]}`, "anthropic", "messages[0]"},
		{"openai-chat", `{"input":[` + question + `]}`, "openai-responses", "input"},
		{"bedrock", `{"contents":[]}`, "gemini", "contents"},
		{"openai-responses", `{"messages":[` + question + `,` + chatRound + `]}`, "openai-chat",
			"messages"},
		{"openai-responses", `{"messages":[` + toolRound + `]}`, "anthropic", "messages"},
		{"openai-responses", `{"messages":[` + question + `]}`, "another provider", "messages"},
		{"openai-responses", `[` + chatRound + `]`, "openai-chat", "input[0]"},
		{"xai-responses", `[` + toolRound + `]`, "anthropic", "input[0]"},
		{"gemini", `{"messages":[` + bareRound + `]}`, "bedrock", "messages"},
		{"gemini", `[` + chatRound + `]`, "openai-chat", "contents[0]"},
		{"vertex-gemini", `[` + toolRound + `]`, "anthropic", "contents[0]"},
		{"deepseek", `{"contents":[]}`, "gemini", "contents"}, // which DeepSeek does not speak
		{"openai", `{"messages":[` + bareRound + `]}`, "bedrock", "messages[0]"},
	} {
		in := []byte(c.body)
		result, err := wire.Sanitize(context.Background(), in, &wire.Options{Provider: c.provider})
		var mismatch *wire.MismatchError
		require.True(t, errors.As(err, &mismatch), "%s %s: %v", c.provider, c.body, err)
		require.ErrorIs(t, err, wire.ErrNotARequest)
		require.Equal(
			t,
			[2]string{c.format, c.path},
			[2]string{mismatch.Format, mismatch.Path},
			"%s %s",
			c.provider,
			c.body,
		)
		require.True(t, sameSlice(in, result.Body))
		require.False(t, result.Changed)
		_, err = wire.Check(in, &wire.Options{Provider: c.provider})
		require.Equal(t, mismatch, err)
		_, err = wire.Convert(
			context.Background(),
			in,
			&wire.ConvertOptions{From: c.provider, To: "gemini"},
		)
		require.Equal(t, mismatch, err)
	}
	require.EqualError(
		t,
		&wire.MismatchError{Provider: "anthropic", Format: "openai-chat", Path: "messages[1]"},
		"not a request body for anthropic: messages[1] shows the format of openai-chat",
	)
}

// TestNoMismatch: what a body lacks says nothing, nor does what an agent brought along from another
// provider.
func TestNoMismatch(t *testing.T) {
	const schema = `"tools":[{"name":"f","input_schema":{"type":"object"}}],`
	for _, c := range []struct{ provider, body string }{
		{"anthropic", `{"messages":[` + question + `]}`},
		{"anthropic", `{"model":"gpt-4o","messages":[` + question + `]}`},
		{"anthropic", `{"model":"gpt-4o","n":1,"stream_options":{},"messages":[` + question + `]}`},
		{"anthropic", `{"messages":[{"role":"system","content":"s"},` + question + `]}`},
		{"anthropic", `{` + schema + `"messages":[` + question +
			`,{"role":"tool","content":[{"type":"tool_result","tool_use_id":"t1",` +
			`"content":"r"}],"tool_call_id":"t1"}]}`},
		{"anthropic",
			`{"messages":[` + question + `,{"role":"assistant","content":"a","tool_calls":[]}]}`},
		{"anthropic",
			`{"messages":[` + question + `,{"role":"assistant","content":"a","tool_calls":null}]}`},
		{"openai-chat", `{"messages":[` + question + `]}`},
		{"openai-chat", `{"model":"gpt-4o","messages":[` + question + `,` + toolRound + `]}`},
		{"openai-chat", `{"messages":[` + chatRound + `,` + toolRound + `]}`},
		{"openai-chat", `{"messages":[` + question +
			`,{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"f",` +
			`"input":{}}]}]}`},
		{"openai-chat", `{"system":"","messages":[` + question + `]}`},
		{"openai-chat", `{"system":"s","messages":[` + question + `,` + chatRound + `]}`},
		{"bedrock", `{"messages":[` + question + `]}`},
		{"bedrock", `{"messages":[` + bareRound + `,` + toolRound + `]}`},
		{"gemini", `{"contents":[],"messages":[` + chatRound + `]}`},
		{"openai-responses", `{"input":[` + question + `,` + chatRound + `]}`},
		{"cohere", `{"messages":[` + chatRound + `]}`},
		{"ollama", `{"messages":[` + chatRound + `]}`},
	} {
		_, err := wire.Decode([]byte(c.body), &wire.Options{Provider: c.provider})
		require.NoError(t, err, "%s %s", c.provider, c.body)
	}
}

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
				continue // there the type is what a program left behind
			}
			result, err := wire.Sanitize(
				context.Background(),
				in,
				&wire.Options{Provider: provider},
			)
			var stored *wire.StoredFormError
			require.True(t, errors.As(err, &stored), "%s %s: %v", provider, c.body, err)
			require.Equal(t, c.form, stored.Form, c.body)
			require.ErrorIs(t, err, wire.ErrNotARequest)
			require.True(t, sameSlice(in, result.Body))
		}
	}
	require.EqualError(t, &wire.StoredFormError{Form: "x"}, "not a request body: it is x")
	require.EqualError(
		t,
		&wire.StoredFormError{Form: "x", Path: "messages[0]"},
		"not a request body: messages[0] shows that it is x",
	)
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

// TestElsewhere: a request whose history the provider holds needs no messages, and a request inside
// of one is repaired there.
func TestElsewhere(t *testing.T) {
	for _, body := range []string{
		`{"prompt":{"id":"pmpt_1","variables":{"a":"b"}}}`,
		`{"model":"gpt-5","previous_response_id":"resp_1"}`,
		`{"model":"gpt-5","previous_response_id":"resp_1","input":[]}`,
		`{"model":"gpt-5","conversation":"conv_1","input":[]}`,
		`{"model":"gpt-5","conversation":{"id":"conv_1"},"input":[]}`,
	} {
		for _, provider := range []string{"", "openai-responses", "azure-responses", "openai"} {
			in := []byte(body)
			result, err := wire.Sanitize(
				context.Background(),
				in,
				&wire.Options{Provider: provider},
			)
			require.NoError(t, err, body)
			require.True(t, sameSlice(in, result.Body))
			require.Empty(t, result.Warnings)
			found, err := wire.Check(in, &wire.Options{Provider: provider})
			require.NoError(t, err)
			require.Empty(t, found.Violations)
		}
	}
	for _, body := range []string{
		`{"prompt":null}`, `{"model":"gpt-5","prompt":null,"input":[]}`,
		`{"model":"gpt-5","input":[]}`,
	} {
		_, err := wire.Sanitize(
			context.Background(),
			[]byte(body),
			&wire.Options{Provider: "openai-responses"},
		)
		require.Error(t, err, body)
	}
	const wrapped = `{"generateContentRequest":{"model":"models/gemini-2.5-flash",` +
		`"contents":[{"role":"user","parts":[{"text":"q"}]},` +
		`{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]},` +
		`{"role":"user","parts":[{"text":"n"}]}]},"x":1.0}`
	for _, provider := range []string{"", "gemini"} {
		result, err := wire.Sanitize(
			context.Background(),
			[]byte(wrapped),
			&wire.Options{Provider: provider},
		)
		require.NoError(t, err)
		require.NotContains(t, string(result.Body), "functionCall")
		require.True(
			t,
			strings.HasPrefix(
				string(result.Body),
				`{"generateContentRequest":{"model":"models/gemini-2.5-flash","contents":[`,
			),
		)
		require.True(t, strings.HasSuffix(string(result.Body), `},"x":1.0}`))
		require.Equal(t, "models/gemini-2.5-flash", result.Model)
		require.NotEmpty(t, result.Warnings)
		for _, w := range result.Warnings {
			require.True(t, strings.HasPrefix(w.Path, "generateContentRequest.contents["), w.Path)
		}
		requireGuarantees(t, []byte(wrapped), &wire.Options{Provider: provider})
	}
}

// TestDoorsAreTotal: whatever is at the door, in any format and any form of storage, an error or a
// sound body comes back.
func TestDoorsAreTotal(t *testing.T) {
	pieces := []string{
		chatRound,
		toolRound,
		bareRound,
		itemRound,
		partRound,
		question,
		`null`,
		`7`,
		`[]`,
		`{}`,
		`{"role":{}}`,
		`{"parts":7}`,
		`{"parts":[[]]}`,
		`{"role":"user","parts":[{"type":{}}]}`,
		`{"content":[{"type":"tool-call","toolCallId":{}}]}`,
		`{"lc":{},"id":[]}`,
		`{"kind":"request","parts":[]}`,
		`{"type":"human","data":7}`,
		`{"tool_calls":{"a":{}}}`,
		`{"role":"tool","tool_call_id":[]}`,
		strings.Repeat(`{"parts":[`, 100) + strings.Repeat(`]}`, 100),
	}
	wrappers := []string{
		`[%]`,
		`{"messages":[%]}`,
		`{"contents":[%]}`,
		`{"input":[%]}`,
		`{"generateContentRequest":{"contents":[%]}}`,
		`{"generateContentRequest":[%]}`,
		`{"messages":{"0":[%]}}`,
		`{"system":[%],"messages":[]}`,
		`{"tools":[%],"messages":[%]}`,
		`{"prompt":[%]}`,
		`[[%]]`,
		`{"model":"a/b","messages":[%]}`,
	}
	providers := append(append([]string{""}, wire.Providers()...), wire.Vendors()...)
	rapid.Check(t, func(t *rapid.T) {
		list := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 4).Draw(t, "pieces"), ",")
		body := strings.ReplaceAll(rapid.SampledFrom(wrappers).Draw(t, "wrapper"), "%", list)
		requireGuarantees(
			t,
			[]byte(body),
			&wire.Options{Provider: rapid.SampledFrom(providers).Draw(t, "provider")},
		)
	})
}
