package wire_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/wire"
)

func TestNotARequest(t *testing.T) {
	for _, c := range []struct {
		reason, provider, body, want string
	}{
		{"nothing", "anthropic", ``, "not JSON: line 1, column 1"},
		{"cut off", "anthropic", "{\"messages\":\n [", "not JSON: line 2, column 3"},
		{"two bodies", "", `{} {}`, "not JSON: line 1, column 4"},
		{"a scalar", "anthropic", `7`, "want an object with messages, or an array of messages"},
		{"a scalar, detected", "", `"x"`, "want a request body"},
		{"no messages", "openai-chat", `{"model":"gpt-4o"}`, "messages: want an array of messages"},
		{"no messages, detected", "", `{"model":"gpt-4o"}`, "messages: want an array of messages"},
		{"messages that are an object", "anthropic", `{"messages":{}}`,
			"messages: want an array of messages"},
		{"messages that are a string", "anthropic", `{"messages":"q"}`,
			"messages: want an array of messages"},
		{"input that is an object", "openai-responses", `{"input":{}}`,
			"input: want an array of messages"},
		{"no input", "openai-responses", `{"model":"gpt-5.4"}`, "input: want an array of messages"},
		{"a format nobody knows", "nobody", `{"messages":[]}`, `unknown provider "nobody"`},
	} {
		t.Run(c.reason, func(t *testing.T) {
			in := []byte(c.body)
			options := &wire.Options{Provider: c.provider}
			result, err := wire.Sanitize(context.Background(), in, options)
			require.ErrorIs(t, err, wire.ErrNotARequest)
			require.ErrorContains(t, err, c.want)
			require.True(t, sameSlice(in, result.Body))
			require.False(t, result.Changed)
			_, err = wire.Check(in, options)
			require.ErrorContains(t, err, c.want)
			_, err = wire.Decode(in, options)
			require.ErrorContains(t, err, c.want)
		})
	}
	_, err := wire.Decode([]byte("{\n  \"a\" 1}"), nil)
	var syntax *wire.Error
	require.True(t, errors.As(err, &syntax))
	require.ErrorIs(t, err, wire.ErrNotJSON)
	require.Equal(t, [3]int{8, 2, 7}, [3]int{syntax.Offset, syntax.Line, syntax.Column})
	_, err = wire.Decode([]byte(`{"messages":1}`), &wire.Options{Provider: "anthropic"})
	var shape *wire.Error
	require.True(t, errors.As(err, &shape))
	require.Equal(t, "messages", shape.Path)
}

func TestDetect(t *testing.T) {
	for _, c := range []struct{ reason, body, want string }{
		{"a system field", `{"system":"s","messages":[]}`, "anthropic"},
		{"tools with a schema", `{"tools":[{"name":"f","input_schema":{}}],"messages":[]}`,
			"anthropic"},
		{"tool blocks", `[{"role":"assistant","content":[{"type":"tool_use"}]}]`, "anthropic"},
		{"an image with a source", `[{"role":"user","content":[{"type":"image","source":{}}]}]`,
			"anthropic"},
		{"a Claude model", `{"model":"claude-sonnet-4-5","messages":[]}`, "anthropic"},
		{"a Claude model on Bedrock",
			`{"model":"us.anthropic.claude-sonnet-4-5-v1:0","messages":[]}`, "anthropic"},
		{"a tool message", `[{"role":"tool"}]`, "openai-chat"},
		{"a developer message", `[{"role":"developer"}]`, "openai-chat"},
		{"tool calls", `[{"role":"assistant","tool_calls":[]}]`, "openai-chat"},
		{"declared functions", `{"tools":[{"type":"function","function":{}}],"messages":[]}`,
			"openai-chat"},
		{"an image by address", `[{"role":"user","content":[{"type":"image_url","image_url":{}}]}]`,
			"openai-chat"},
		{"a GPT model", `{"model":"gpt-4o","messages":[]}`, "openai-chat"},
		{"a GPT model behind a gateway", `{"model":"openai/gpt-4o","messages":[]}`,
			"openai-compatible"},
		{"a vendor before the model's name", `{"model":"claude/x","messages":[]}`,
			"openai-compatible"},
		{"a reasoning model", `{"model":"o3-mini","messages":[]}`, "openai-chat"},
		{"a tool configuration", `{"toolConfig":{},"messages":[]}`, "bedrock"},
		{"an inference configuration",
			`{"inferenceConfig":{},"system":[{"text":"s"}],` +
				`"messages":[{"role":"user","content":"q"}]}`,
			"bedrock"},
		{"a model id", `{"modelId":"anthropic.claude-sonnet-4-5","messages":[]}`, "bedrock"},
		{"blocks without a type", `{"messages":[{"role":"assistant","content":[{"toolUse":{}}]}]}`,
			"bedrock"},
		{"text without a type", `[{"role":"user","content":[{"text":"q"}]}]`, "bedrock"},
		{"a system prompt without a type",
			`{"system":[{"text":"s"}],"messages":[{"role":"user","content":[{"text":"q"}]}]}`,
			"bedrock"},
		{"text that lost its type, for a Claude model",
			`{"model":"claude-opus-4-8","messages":[{"role":"user","content":[{"text":"q"}]}]}`,
			"anthropic"},
		{"a system prompt that lost its types",
			`{"system":[{"text":"s"}],"messages":[{"role":"user","content":[{"type":"text",` +
				`"text":"q"}]}]}`,
			"anthropic"},
		{"contents", `{"contents":[]}`, "gemini"},
		{"contents and a model of somebody else", `{"model":"gpt-4o","contents":[{"role":"user"}]}`,
			"gemini"},
		{"messages with parts", `[{"role":"user","parts":[]}]`, "gemini"},
		{"a model of Claude's without a region",
			`{"model":"anthropic.claude-sonnet-4-5-v1:0","messages":[]}`, "anthropic"},
		{"a second tool with a schema",
			`{"tools":[{"type":"web_search_20250305","name":"w"},` +
				`{"name":"f","input_schema":{}}],"messages":[]}`,
			"anthropic"},
		{"a second message's second block",
			`[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":[{"type":"text","text":"a"},` +
				`{"type":"redacted_thinking","data":"x"}]}]`,
			"anthropic"},
		{"thinking with a signature",
			`[{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"s"}]}]`,
			"anthropic"},
		{"a system prompt of strings",
			`{"system":["s"],"messages":[{"role":"user","content":"q"}]}`, "anthropic"},
		{"a member of Ollama's beside a system prompt",
			`{"system":"s","keep_alive":1,"messages":[{"role":"user","content":"q"}]}`,
			"anthropic"},
		{"types where no list of blocks is",
			`[{"role":"user","content":{"x":{"type":"t"}}},` +
				`{"role":"user","content":[{"toolUse":{}}]}]`,
			"bedrock"},
		{"a second message without types",
			`[{"role":"user","content":"q"},{"role":"assistant","content":[{"x":1},` +
				`{"toolUse":{}}]}]`,
			"bedrock"},
		{"the history of Cohere's old format beside messages",
			`{"chat_history":[],"messages":[{"role":"tool"}]}`, "openai-chat"},
		{"contents beside messages", `{"contents":[],"messages":[{"role":"tool"}]}`, "openai-chat"},
		{"structure decides against the model's name",
			`{"model":"anthropic/claude-sonnet-4.5","messages":[{"role":"tool"}]}`,
			"openai-compatible"},
	} {
		t.Run(c.reason, func(t *testing.T) {
			got, err := wire.Detect([]byte(c.body))
			require.NoError(t, err)
			require.Equal(t, c.want, got)
			r, err := wire.Decode([]byte(c.body), nil)
			require.NoError(t, err)
			require.Equal(t, c.want, r.Provider)
		})
	}
	for _, body := range []string{
		`[]`, `{"messages":[{"role":"user","content":"q"}]}`, `{"model":"llama","messages":[]}`,
		`{"system":"s","messages":[{"role":"tool"}]}`,
		`{"model":"","messages":[]}`, `{"model":"xclaude","messages":[]}`,
		`[{"role":"assistant","content":[{"type":"thinking","thinking":"t"}]}]`,
		`[{"role":"user","content":[{"type":"image"},{"type":"file"}]}]`,
		`{"model":"x","messages":[{"role":"user","content":[{"text":"q"}]}]}`,
		`[{"role":"user","content":{"x":{"toolUse":{}}}}]`,
		`[{"role":"user","content":{"x":{"type":"tool_use"}}}]`,
		`{"model":"mistral-small-latest","citation_options":{},"keep_alive":1,"messages":[]}`,
	} {
		_, err := wire.Detect([]byte(body))
		require.ErrorIs(t, err, wire.ErrAmbiguousProvider, body)
		var ambiguous *wire.Error
		require.True(t, errors.As(err, &ambiguous))
		require.Subset(t, wire.Providers(), ambiguous.Providers)
		require.Subset(t, ambiguous.Providers, []string{"anthropic", "openai-chat"})
		require.ErrorContains(t, err, "anthropic")
		require.ErrorContains(t, err, "openai-chat")
		_, err = wire.Sanitize(context.Background(), []byte(body), nil)
		require.ErrorIs(t, err, wire.ErrAmbiguousProvider)
	}
	_, err := wire.Detect([]byte(`{"system":"s","messages":[{"role":"tool"}]}`))
	var two *wire.Error
	require.True(t, errors.As(err, &two))
	require.Equal(t, []string{"anthropic", "openai-chat"}, two.Providers)
	require.EqualError(
		t,
		err,
		"the provider is ambiguous: the body could be meant for anthropic or openai-chat; name "+
			"the provider",
	)
	_, err = wire.Detect([]byte(`[`))
	require.ErrorIs(t, err, wire.ErrNotJSON)
	for body, want := range map[string]string{
		`{"chat_history":[]}`: "cohere v1",
	} {
		_, err := wire.Detect([]byte(body))
		var unknown *wire.Error
		require.True(t, errors.As(err, &unknown), body)
		require.Equal(t, []string{want}, unknown.Providers)
		require.ErrorIs(t, err, wire.ErrUnknownProvider)
		require.ErrorIs(t, err, wire.ErrNotARequest)
	}
}

// TestErrors: each error says what is wrong and where, and is of one sort.
func TestErrors(t *testing.T) {
	sorts := []error{wire.ErrNotARequest, wire.ErrAmbiguousProvider, wire.ErrEncode}
	for _, c := range []struct {
		err  error
		sort error
		want string
	}{
		{
			&wire.Error{Reason: wire.ErrNotJSON, Offset: 8, Line: 2, Column: 7, Detail: "m"},
			wire.ErrNotARequest, "not JSON: line 2, column 7: m",
		},
		{&wire.Error{Reason: wire.ErrNotARequest, Detail: "want a list"}, wire.ErrNotARequest,
			"not a request body: want a list"},
		{
			&wire.Error{Reason: wire.ErrNotARequest, Path: "messages", Detail: "want a list"},
			wire.ErrNotARequest, "not a request body: messages: want a list",
		},
		{new(wire.Error), nil, "not a request body"},
		{&wire.Error{Reason: wire.ErrOtherFormat}, wire.ErrNotARequest,
			"not a request body: another format"},
		{
			&wire.Error{Reason: wire.ErrAmbiguousProvider, Providers: []string{"a", "b"}},
			wire.ErrAmbiguousProvider,
			"the provider is ambiguous: the body could be meant for a or b; name the provider",
		},
		{
			&wire.Error{Reason: wire.ErrUnknownProvider, Providers: []string{"x"}},
			wire.ErrNotARequest,
			`unknown provider "x"; this version supports ` +
				strings.Join(wire.Providers(), ", ") + ", and the vendors " +
				strings.Join(wire.Vendors(), ", "),
		},
		{&wire.Error{Reason: wire.ErrEncode, Detail: "thing"}, wire.ErrEncode,
			"the part has no form in this format: thing"},
	} {
		require.EqualError(t, c.err, c.want)
		for _, sort := range sorts {
			require.Equal(t, sort == c.sort, errors.Is(c.err, sort), "%v is %v", c.err, sort)
		}
	}
}

func TestHistoryErrorsPassThrough(t *testing.T) {
	in := []byte(`{"model":"claude-sonnet-4-5","messages":[]}`)
	result, err := wire.Sanitize(context.Background(), in, nil)
	require.ErrorIs(t, err, preflight.ErrEmptyHistory)
	require.NotErrorIs(t, err, wire.ErrNotARequest)
	require.True(t, sameSlice(in, result.Body))
	require.Equal(t, "anthropic", result.Provider)
	require.Equal(t, "claude-sonnet-4-5", result.Model)

	failing := errors.New("no")
	options := &wire.Options{}
	options.Options.Hooks = []preflight.Hook{
		{Name: "h", Message: func(context.Context, preflight.Message) (preflight.Message, error) {
			return preflight.Message{}, failing
		}},
	}
	_, err = wire.Sanitize(context.Background(),
		[]byte(`{"model":"gpt-4o","messages":[{"role":"user","content":"q"}]}`), options)
	require.ErrorIs(t, err, preflight.ErrHook)
	require.ErrorIs(t, err, failing)
}

func TestModel(t *testing.T) {
	in := []byte(
		`{"model":"claude-opus-4-6","messages":[{"role":"user","content":"q"},` +
			`{"role":"assistant","content":"The answer is"}]}`,
	)
	named, err := wire.Sanitize(context.Background(), in, nil)
	require.NoError(t, err)
	require.True(t, named.Changed)
	asked, err := wire.Sanitize(context.Background(), in, &wire.Options{Model: "claude-sonnet-4-5"})
	require.NoError(t, err)
	require.False(t, asked.Changed, "an older model takes a prefill")
	require.Equal(t, "claude-sonnet-4-5", asked.Model)
}

func TestPolicies(t *testing.T) {
	in := []byte(
		`{"model":"claude-opus-4-6","tools":[{"name":"f","input_schema":{}}],` +
			`"messages":[{"role":"user","content":"q"},` +
			`{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"f",` +
			`"input":{}}]}]}`,
	)
	pending := &wire.Options{}
	pending.Options.KeepWaiting = true
	pending.Options.OpenCall = func(c *preflight.ToolCall) preflight.Part {
		if c.ID == "t1" {
			return c
		}
		return nil
	}
	result, err := wire.Sanitize(context.Background(), in, pending)
	require.NoError(t, err)
	require.False(t, result.Changed)
	report, err := wire.Check(in, pending)
	require.NoError(t, err)
	require.Empty(t, report.Violations)

	prefill := []byte(
		`{"model":"claude-opus-4-6","messages":[{"role":"user","content":"q"},` +
			`{"role":"assistant","content":"a"}]}`,
	)
	keep := &wire.Options{Options: preflight.Options{Trailing: preflight.TrailingKeep}}
	result, err = wire.Sanitize(context.Background(), prefill, keep)
	require.NoError(t, err)
	require.False(t, result.Changed)
	report, err = wire.Check(prefill, keep)
	require.NoError(t, err)
	require.Empty(t, report.Violations)
}

// TestThinkingThenFallback: giving up thinking is tried before giving up the history.
func TestThinkingThenFallback(t *testing.T) {
	in := []byte(
		`{"model":"claude-sonnet-4-5","thinking":{"type":"enabled","budget_tokens":1024},` +
			`"tools":[{"name":"f","input_schema":{}}],"messages":[{"role":"user","content":"q"},` +
			`{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"f",` +
			`"input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1",` +
			`"content":"ok"}]}]}`,
	)
	options := &wire.Options{Options: preflight.Options{FallbackToLastUser: true}}
	result, err := wire.Sanitize(context.Background(), in, options)
	require.NoError(t, err)
	require.Equal(
		t,
		strings.Replace(string(in), `{"type":"enabled","budget_tokens":1024}`,
			`{"type":"disabled"}`, 1),
		string(result.Body),
	)
}

// TestSystemLeftInFront: repairs can leave a system message at the front of a bare list, where it
// has no field to go to.
func TestSystemLeftInFront(t *testing.T) {
	in := []byte(
		`[{"role":"user","content":""},{"role":"system","content":"note"},` +
			`{"role":"assistant","content":"a"},{"role":"user","content":"q"}]`,
	)
	out := requireGuarantees(t, in, &wire.Options{Provider: "anthropic", Model: "claude-opus-4-8"})
	require.Equal(
		t,
		`[{"role":"user","content":"note"},{"role":"assistant","content":"a"},`+
			`{"role":"user","content":"q"}]`,
		string(out),
	)
}
