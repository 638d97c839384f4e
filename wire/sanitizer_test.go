package wire_test

import (
	"context"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/benchdata"
	"github.com/go-preflight/preflight/wire"
)

// TestSanitizer: a Sanitizer keeps nothing of one body that shows in what it says about the next,
// whatever came before; and a valid body costs no allocation for each message.
func TestSanitizer(t *testing.T) {
	var s wire.Sanitizer
	for range 2 {
		for _, provider := range []string{"anthropic", "openai-chat"} {
			options := &wire.Options{Provider: provider}
			for _, shape := range []benchdata.Shape{benchdata.Clean, benchdata.Dirty20} {
				body := benchBody(t, provider, benchdata.Clean, 200)
				if provider == "anthropic" {
					body = benchBody(t, provider, shape, 200)
				}
				got, err := s.Sanitize(context.Background(), body, options)
				require.NoError(t, err)
				requireLongWay(t, body, options, got)
			}
			_, err := s.Sanitize(context.Background(), []byte(`{"messages":`), options)
			require.ErrorIs(t, err, wire.ErrNotARequest)
		}
	}
	body, options := benchBody(t, "anthropic", benchdata.Clean, 2000), &wire.Options{
		Provider: "anthropic",
	}
	allocations := testing.AllocsPerRun(20, func() {
		if result, err := s.Sanitize(context.Background(), body, options); err != nil ||
			result.Changed {
			t.Error("not clean: ", err)
		}
	})
	require.Less(t, allocations, 1000.0) // see TestValidAllocates in the root
}

// TestJoinedTextsAreWhole: a list of texts that the decoder joins to a string is read in full,
// though of other texts only the end is read at first.
func TestJoinedTextsAreWhole(t *testing.T) {
	body := []byte(`{"messages":[{"role":"user","content":"q"},{"role":"tool","tool_call_id":"t1",` +
		`"content":[{"type":"text","text":"two words"},{"type":"text","text":"and three more"}]}]}`)
	options := &wire.Options{
		Provider: "groq", Options: preflight.Options{Orphans: preflight.OrphanText},
	}
	result, err := wire.Sanitize(context.Background(), body, options)
	require.NoError(t, err)
	require.Contains(t, string(result.Body), `two words\nand three more`)
}

// TestSanitizerReuse: one Sanitizer says of every body, in any format and for any model, what one
// that saw no other does.
func TestSanitizerReuse(t *testing.T) {
	var s wire.Sanitizer
	try := func(provider, model, body string) {
		options := &wire.Options{Provider: provider, Model: model}
		got, err := s.Sanitize(context.Background(), []byte(body), options)
		want, wantErr := new(wire.Sanitizer).Sanitize(context.Background(), []byte(body), options)
		require.Equal(t, wantErr, err)
		require.Equal(t, want, got, "%s %s", provider, body)
	}
	for _, c := range sound(t) {
		try(c.provider, "", c.body)
		try(c.provider, "", samples[c.provider])
		try("", "", c.body)
	}
	for _, model := range []string{
		"claude-opus-4-6", "claude-sonnet-4-5", "", "claude-opus-4-6", "gpt-4o",
	} {
		for _, provider := range []string{"anthropic", "openai-chat", "openrouter"} {
			try(provider, model,
				`{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a"}]}`)
		}
	}
}

// TestSanitizerAllocates: a plain body that is valid costs no allocation. It is the least of many
// runs, since the race detector empties pools at random.
func TestSanitizerAllocates(t *testing.T) {
	for provider, body := range map[string]string{
		"anthropic": `{"system":"s","model":"claude-sonnet-4-5",` +
			`"thinking":{"type":"enabled","budget_tokens":1024},` +
			`"tools":[{"name":"f","input_schema":{}}],` +
			`"messages":[{"role":"user","content":"\u0071"},` +
			`{"role":"assistant","content":[{"type":"thinking","thinking":"t",` +
			`"signature":"QUJD"},{"type":"text","text":"a"},` +
			`{"type":"tool_use","id":"t1","name":"f","input":{}}]},` +
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1",` +
			`"content":[{"type":"text","text":"ok"}]}]}]}`,
		"openai-responses": `{"input":"\u0071"}`,
		"deepseek": `{"messages":[{"role":"user","content":"q"},` +
			`{"role":"assistant","content":null,"reasoning_content":"r",` +
			`"tool_calls":[{"id":"c1","type":"function","function":{"name":"f",` +
			`"arguments":"{}"}}]},{"role":"tool","tool_call_id":"c1","content":"ok"}]}`,
		"bedrock": `{"messages":[{"role":"user","content":[{"text":"q"}]},` +
			`{"role":"assistant","content":[{"text":"a"}]},` +
			`{"role":"user","content":[{"text":"q"}]}]}`,
	} {
		var s wire.Sanitizer
		in, options := []byte(body), &wire.Options{Provider: provider}
		least := math.Inf(1)
		for range 50 {
			least = min(least, testing.AllocsPerRun(1, func() {
				if result, err := s.Sanitize(context.Background(), in, options); err != nil ||
					result.Changed {
					t.Error("not clean: ", result.Warnings, err)
				}
			}))
		}
		require.Zero(t, least, provider)
	}
}

// TestSanitizerReleasesMemory: a Sanitizer keeps memory of its own, and neither a body nor what was
// written for it, whatever it had to do with the body.
func TestSanitizerReleasesMemory(t *testing.T) {
	const left = `{"role":"user","content":"\u0071"},` +
		`{"role":"user","content":[{"type":"text","text":"r \u0072","x":1.0}]}`
	bodies := map[string][]string{
		"anthropic": {
			`{"system":"s","messages":[{"role":"system","content":"t"},` + left +
				`,{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"f",` +
				`"input":{}}]},{"role":"user","content":[{"type":"tool_result",` +
				`"tool_use_id":"t1","content":"ok"}]}]}`,
			`{"messages":[` + left +
				`,{"role":"assistant","content":[{"type":"thing","x":"\ud800"}]}]}`,
			`{"messages":[   `,
			`{"messages":[]  }`,
		},
		"gemini": {
			`{"systemInstruction":{"parts":[{"text":"s"}]},` +
				`"contents":[{"role":"user","parts":[{"text":"\u0071"}]}]}`,
		},
		"bedrock": {
			`{"system":[{"text":"s"}],"messages":[{"role":"user","content":[{"text":"\u0071"}]},` +
				`{"role":"assistant","content":[]}]}`,
		},
		"ollama": {
			`{"messages":[` + left +
				`,{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f",` +
				`"arguments":{}}},{"id":"c1","function":{"name":"f","arguments":{}}}]},` +
				`{"role":"tool","tool_name":"f","content":"x"},` +
				`{"role":"tool","tool_call_id":"c1","content":"x"}]}`,
		},
		"moonshot": {
			`{"tools":[{"function":{"name":"f"}},{"function":{"name":"f"}}],"messages":[` +
				left + `]}`,
		},
		"openai-chat": {
			`{"messages":[` + left +
				`,{"role":"assistant","content":"","reasoning":"r","refusal":"n"}]}`,
			`{"messages":[{"role":"user","content":"q"}]}`,
		},
		"openai-responses": {`{"input":"q q q q"}`},
	}
	var held []*wire.Sanitizer
	freed := make(chan string, 100)
	watch := func(memory []byte, what string) string {
		runtime.AddCleanup(&memory[0], func(what string) { freed <- what }, what)
		return what
	}
	var want, got []string
	for provider, list := range bodies {
		for _, body := range list {
			in, s := []byte(body), new(wire.Sanitizer)
			result, err := s.Sanitize(context.Background(), in, &wire.Options{Provider: provider})
			want, held = append(want, watch(in, body)), append(held, s)
			if err == nil && result.Changed {
				want = append(want, watch(result.Body, "what became of "+body))
			}
		}
	}
	for deadline := time.Now().Add(2 * time.Second); len(got) < len(want) &&
		time.Now().Before(deadline); {
		runtime.GC()
		for wait := time.After(10 * time.Millisecond); wait != nil; {
			select {
			case what := <-freed:
				got = append(got, what)
			case <-wait:
				wait = nil
			}
		}
	}
	require.ElementsMatch(t, want, got)
	runtime.KeepAlive(held)
}

// TestControlsAndChannels: bodies for models that refuse control characters or channel tags are
// repaired in every spelling, though texts are read in full only where one may be.
func TestControlsAndChannels(t *testing.T) {
	pad := strings.Repeat("plain text ", 20)
	for _, text := range []string{
		`\u001b[0m`, `\u0007`, `\b`, `\f`, "\x7f", `\u007f`, `\u007F`,
		`<|channel|>final<|message|>a`, `\u003c|channel|\u003efinal<|message|>a`,
		`<\u007cchannel|>final<|message|>a`, `<|\u0063hannel|>final<|message|>a`,
	} {
		body := []byte(`{"model":"gpt-oss-120b","messages":[{"role":"user","content":"q"},` +
			`{"role":"assistant","content":"` + text + pad + `"},{"role":"user","content":"q"}]}`)
		options := &wire.Options{Provider: "chat-template"}
		result, err := wire.Sanitize(context.Background(), body, options)
		require.NoError(t, err, text)
		require.True(t, result.Changed, text)
		requireLongWay(t, body, options, result)
	}
	body := []byte(`{"model":"gpt-oss-120b","messages":[{"role":"user","content":"\u003ca\u003e\n` +
		pad + `"}]}`)
	result, err := wire.Sanitize(context.Background(), body, &wire.Options{Provider: "chat-template"})
	require.NoError(t, err)
	require.False(t, result.Changed)
}
