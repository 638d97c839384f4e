package wire_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/wire"
)

// This file puts values of one kind into places of another: blocks of every format, and objects
// without a type, in place of any value of a body.

// strange are values that repairs did not see, or wrote in a form that they then refused.
var strange = []struct{ name, provider, body string }{
	{"content is an object with an empty type", "openai-chat",
		`{"model":"m","messages":[{"role":"user","content":{"type":"","text":"x"}}]}`},
	{"the same in a tool message", "groq",
		`{"model":"m","messages":[{"role":"user","content":"q"},{"role":"assistant",` +
			`"tool_calls":[{"id":"c1","type":"function","function":{"name":"f",` +
			`"arguments":"{}"}}]},{"role":"tool","tool_call_id":"c1","content":{"type":""}}]}`},
	{"the same in an item", "openai-responses",
		`{"model":"m","input":[{"role":"user","content":{"type":""}}]}`},
	{"the same in a block", "anthropic",
		`{"model":"m","messages":[{"role":"user","content":{"type":""}}]}`},
	{"a member holds a block of another type", "openai-chat",
		`{"model":"m","messages":[{"role":"user","content":"q"},{"role":"assistant",` +
			`"content":"half \ud83d","audio":{"type":"tool_use","id":"t","name":"g","input":{}}}]}`},
	{"a member holds a block of its own type", "openai-chat",
		`{"model":"m","messages":[{"role":"user","content":"q"},{"role":"assistant",` +
			`"content":"half \ud83d","refusal":{"type":"refusal","refusal":"no"}}]}`},
	{"a block named like a member", "openai-chat",
		`{"model":"m","messages":[{"role":"user","content":[{"type":"function_call"}]}]}`},
	{"audio without data", "gemini",
		`{"contents":[{"role":"user","parts":[{"text":"q"},{"type":"input_audio",` +
			`"input_audio":{"data":{},"format":"wav"}}]}]}`},
	{"the content is a cache point", "bedrock",
		`{"modelId":"m","messages":[{"role":"user","content":[{"text":"q"}]},` +
			`{"role":"user","content":{"cachePoint":{"type":"default"}}}]}`},
	{"an output without a type for a tool search", "openai-responses",
		`{"model":"o3","input":[{"role":"user","content":"x"},{"type":"tool_search_call",` +
			`"call_id":"c","execution":"client","arguments":{}},{"call_id":"c","output":[]}]}`},
	{"the output of another tool for a shell", "openai-responses",
		`{"model":"o3","input":[{"role":"user","content":"x"},{"type":"shell_call",` +
			`"call_id":"c","action":{"commands":[]}},{"type":"apply_patch_call_output",` +
			`"call_id":"c","status":"failed"}]}`},
	{"the output of another tool for a tool search", "openai-responses",
		`{"model":"o3","input":[{"role":"user","content":"x"},{"type":"tool_search_call",` +
			`"call_id":"c","execution":"client","arguments":{}},{"type":"apply_patch_call_output",` +
			`"call_id":"c","output":[],"status":"completed"}]}`},
	{"a list of one system message", "openai-responses", `[{"role":"system","content":"x"}]`},
	{"one id for a call and a tool search", "openai-responses",
		`{"model":"o3","input":[{"role":"user","content":"x"},{"type":"function_call",` +
			`"call_id":"c1","name":"f","arguments":"{}"},{"role":"user","content":"x"},` +
			`{"type":"function_call","call_id":"c2","name":"f","arguments":"{}"},` +
			`{"type":"tool_search_call","call_id":"c2","execution":"client","arguments":{}}]}`},
	{"null between a call and its result, in a role that changes", "cohere",
		`{"model":"m","messages":[{"role":"user","content":"x"},{"role":"assistant",` +
			`"content":"x","tool_calls":[{"id":"c","type":"function","function":{"name":"f",` +
			`"arguments":"{}"}}]},{"role":"developer","content":null},` +
			`{"role":"tool","content":"x","tool_call_id":"c"}]}`},
	{"an empty list between a call and its result", "ollama",
		`{"model":"qwen3","messages":[{"role":"user","content":"x"},{"role":"assistant",` +
			`"content":"","tool_calls":[{"function":{"name":"f","arguments":{}}}]},` +
			`{"role":"system","content":[]},{"role":"tool","content":"r","tool_name":"f"}]}`},
}

func TestStrangeValues(t *testing.T) {
	for _, c := range strange {
		t.Run(c.name, func(t *testing.T) {
			requireGuarantees(t, []byte(c.body), &wire.Options{Provider: c.provider})
		})
	}
}

// TestRepairKeepsVendorFormat: a repair that makes a body look like another format of its vendor is
// an error, as it would be read in that format the next time.
func TestRepairKeepsVendorFormat(t *testing.T) {
	in := []byte(`{"model":"m","messages":[{"role":"user","content":"q"},{"role":"assistant",` +
		`"content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"f",` +
		`"arguments":"{}"}}]},{"role":"user","content":[{"type":"tool_result"}]}]}`)
	_, err := wire.Sanitize(context.Background(), in, &wire.Options{Provider: "moonshot"})
	if !errors.Is(err, preflight.ErrUnfixable) {
		t.Fatalf("got %v", err)
	}
}

// TestRepairKeepsNamedFormat: a repair that leaves nothing of the named format in a body with the
// tools of another one is an error, as the body would be refused the next time.
func TestRepairKeepsNamedFormat(t *testing.T) {
	in := []byte(`{"model":"m","tools":[{"name":"f","input_schema":{"type":"object"}}],"messages":[` +
		`{"role":"user","content":"q"},{"role":"tool","tool_call_id":"call_1","content":"r"}]}`)
	options := &wire.Options{Provider: "groq"}
	_, err := wire.Sanitize(context.Background(), in, options)
	if !errors.Is(err, preflight.ErrUnfixable) {
		t.Fatalf("got %v", err)
	}
	requireGuarantees(t, in, options)
}

// TestRepairKeepsProvider: the provider of the result reads the repaired body as its own, also
// where what showed the provider was repaired; if it cannot, that is an error.
func TestRepairKeepsProvider(t *testing.T) {
	for _, c := range []struct {
		provider, model, body string
		strip, lost, several  bool
	}{
		{body: `{"model":"claude-3","messages":[{"tool_calls":[]},{"content":"  "}]}`},
		{body: `{"model":"q","messages":[{"prefix":"q"},{"type":"reasoning_text","text":"q"}]}`},
		{body: `{"messages":[{"parts":[{}]}],"keep_alive":"q"}`, several: true},
		{body: `{"messages":[{"parts":[{}]}],"n":2}`, several: true},
		{body: `{"messages":[{"parts":[{}]}],"model":"command-a-03-2025"}`, several: true},
		{body: `{"messages":[{"content":"q","parts":[{}]}],"model":"q"}`, several: true},
		{
			lost: true,
			body: `{"messages":[{},{"content":[{"type":"tool-call","toolCallId":{}}]}],"system":"q"}`,
		},
		{
			provider: "anthropic", lost: true,
			body: `{"messages":[{"content":[{"type":"tool_result"}]},` +
				`{"content":[{"type":"tool-call","toolCallId":{}}]}]}`,
		},
		{
			provider: "ollama", lost: true,
			body: `{"messages":[{"parts":[{"type":"tool_result"}]}]}`,
		},
		{
			provider: "openai-responses", lost: true,
			body: `[{"type":"function_call_output"},[],` +
				`{"content":[{"type":"tool-call","toolCallId":{}}]}]`,
		},
		{
			provider: "vllm", strip: true, lost: true,
			body: `{"messages":[{"role":"developer"}],"system":[{"type":"q"}]}`,
		},
		{
			provider: "minimax", model: "claude-opus-5-5", strip: true, lost: true,
			body: `{"messages":[{"role":"function"}],"system":[{"type":"q"}]}`,
		},
	} {
		options := &wire.Options{Provider: c.provider, Model: c.model}
		if c.strip {
			options.Options.Fixers = []preflight.Fixer{preflight.Fixers.StripSystem}
		}
		_, err := wire.Sanitize(context.Background(), []byte(c.body), options)
		if errors.Is(err, preflight.ErrUnfixable) != c.lost ||
			errors.Is(err, wire.ErrAmbiguousProvider) != c.several {
			t.Fatalf("got %v\n in %s", err, c.body)
		}
		requireGuarantees(t, []byte(c.body), options)
	}
}

// TestMisplacedAnywhere puts blocks of every format in place of any values of any bodies.
func TestMisplacedAnywhere(t *testing.T) { rapid.Check(t, misplacedAnywhere) }

func FuzzMisplaced(f *testing.F) { f.Fuzz(rapid.MakeFuzz(misplacedAnywhere)) }

func misplacedAnywhere(t *rapid.T) {
	provider := rapid.SampledFrom(wire.Providers()).Draw(t, "provider")
	in := string(body(provider).Draw(t, "body"))
	if places := blockPlaces[spoken(provider)]; rapid.Bool().Draw(t, "short") && places != nil {
		blocks := rapid.SliceOfN(rapid.SampledFrom(foreignBlocks), 1, 3).Draw(t, "blocks")
		place := rapid.SampledFrom(places).Draw(t, "place")
		in = strings.Replace(place, "BLOCK", strings.Join(blocks, ","), 1)
	}
	for range rapid.IntRange(0, 2).Draw(t, "n") {
		all := spots(in)
		if len(all) == 0 {
			return
		}
		foreign := rapid.SampledFrom(foreignBlocks).Draw(t, "foreign")
		if rapid.Bool().Draw(t, "in a list") {
			foreign = "[" + foreign + "]"
		}
		in = rapid.SampledFrom(all).Draw(t, "spot").fill(in, foreign)
	}
	options := &wire.Options{Provider: provider}
	requireGuarantees(t, []byte(in), options)
}
