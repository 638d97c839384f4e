package wire_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/wire"
)

// This file holds Sanitize and Convert to their promises on bodies that mix the blocks, messages
// and members of all formats, whole and empty.

var anyBlock = []string{
	`{"type":"text","text":"a"}`, `{"type":"text","text":""}`, `{"text":"a"}`, `{"text":" "}`,
	`{"type":"text","text":"a","cache_control":{"type":"ephemeral"}}`,
	`{"type":"thinking","thinking":"t","signature":"s"}`, `{"type":"thinking","thinking":""}`,
	`{"type":"redacted_thinking","data":"d"}`, `{"type":"redacted_thinking"}`,
	`{"type":"reasoning","encrypted_content":"e"}`, `{"type":"reasoning","summary":[]}`,
	`{"reasoningContent":{"reasoningText":{"text":"t","signature":"s"}}}`, `{"reasoningContent":{}}`,
	`{"cachePoint":{"type":"default"}}`, `{"cachePoint":{}}`, `{"cachePoint":null}`,
	`{"type":"tool_use","id":"c1","name":"f","input":{}}`,
	`{"type":"tool_use","id":"c2","name":"` + strings.Repeat("n", 69) + `","input":{}}`,
	`{"type":"tool_result","tool_use_id":"c1","content":"r"}`,
	`{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}}`,
	`{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]}`,
	`{"toolUse":{"toolUseId":"c1","name":"f","input":{}}}`,
	`{"toolResult":{"toolUseId":"c1","content":[{"text":"r"}]}}`, `{"toolResult":{}}`,
	`{"functionCall":{"name":"f","args":{}}}`, `{"functionResponse":{"name":"f","response":{}}}`,
	`{"type":"function_call","call_id":"c1","name":"f","arguments":"{}"}`,
	`{"type":"function_call_output","call_id":"c1","output":"r"}`, `{"type":"message"}`,
	`{"type":"image_url","image_url":{"url":"https://example.com/a.png"}}`, `{"type":"image"}`,
	`{"type":"input_text","text":"a"}`, `{"type":"output_text","text":""}`,
	`{"type":"refusal","refusal":""}`, `{"type":"new"}`, `{}`, `null`, `"a"`, `""`, `7`, `[]`,
}

// anyElement are elements of the lists of all formats, and of none.
var anyElement = []string{
	`{"role":"system","content":"s"}`, `{"role":"developer"}`, `{"role":"user","content":"q"}`,
	`{"role":"function","name":"f","content":"r"}`, `{"role":"critic","content":["q"]}`,
	`{"role":"tool","tool_call_id":"c1","content":"r"}`, `{"role":"tool","content":null}`,
	`{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":` +
		`{"name":"f","arguments":"{}"}}]}`,
	`{"role":"tool","content":[{"toolResult":{}}],"tool_calls":[{"id":"c1","custom":{"name":"f"}}]}`,
	`{"role":"assistant","refusal":"no"}`, `{"role":"assistant","audio":{"id":"a"}}`,
	`{"content":"q","parts":[{}]}`, `{"parts":[{"type":"text","text":"q"}]}`,
	`{"role":"model","parts":[{"type":"new","image":{}},{"functionCall":{"name":"f"}}]}`,
	`{"content":[{"type":"tool-call","toolCallId":"c1"}]}`, `{"type":"item_reference","id":"i1"}`,
	`{"type":"function_call","call_id":"c1","name":"f","arguments":"{}"}`,
	`{"type":"custom_tool_call","call_id":"c1","name":"f","input":"x"}`,
	`{"type":"function_call_output","call_id":"c1","output":"r"}`,
	`{"type":"reasoning","summary":[],"encrypted_content":"e"}`, `{}`, `null`, `"q"`, `7`, `[]`,
}

// anyMember are members of the bodies of all formats, beside the messages.
var anyMember = []string{
	`"system":"s"`, `"system":[{"text":"s"}]`, `"system":[{"type":"new"}]`, `"system":null`,
	`"systemInstruction":{"parts":[{"text":"s"}]}`, `"instructions":"s"`, `"instructions":null`,
	`"tools":[{"name":"f","input_schema":{}}]`, `"tools":[{"type":"function","name":"f"}]`,
	`"tools":[{"type":"function","function":{"name":"f"}}]`, `"tools":[null]`, `"toolConfig":{}`,
	`"tool_choice":{"type":"tool","name":"f"}`, `"previous_response_id":"r1"`, `"store":false`,
	`"thinking":{"type":"enabled","budget_tokens":1024}`, `"max_tokens":5`, `"keep_alive":"5m"`,
	`"messages":[]`, `"input":"q"`, `"contents":[{}]`, `"model":"gpt-5.4"`, `"model":7`,
	`"model":"claude-opus-4-8"`, `"inferenceConfig":{}`, `"\u0073ystem":"\ud83d"`,
}

// TestAnyBlocks: for any mixture of blocks, messages, members and options an error or a valid body
// comes back, also in the format of any other provider.
func TestAnyBlocks(t *testing.T) {
	for _, provider := range append(wire.Providers(), "") {
		t.Run(provider, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { requireAnyBlocks(t, provider) })
		})
	}
}

// FuzzAnyBlocks is TestAnyBlocks with mixtures that the fuzzer chooses.
func FuzzAnyBlocks(f *testing.F) {
	names := slices.Concat(wire.Providers(), wire.Vendors(), []string{""})
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) {
		requireAnyBlocks(t, rapid.SampledFrom(names).Draw(t, "provider"))
	}))
}

// requireAnyBlocks draws a mixture for a provider, "" for one that is detected.
func requireAnyBlocks(t *rapid.T, provider string) {
	layout := provider
	if layout == "" {
		layout = rapid.SampledFrom(wire.Providers()).Draw(t, "layout")
	}
	list, content := membersOf(layout)
	var messages []string
	for range rapid.IntRange(1, 3).Draw(t, "messages") {
		if rapid.Bool().Draw(t, "element") {
			messages = append(messages, rapid.SampledFrom(anyElement).Draw(t, "whole"))
			continue
		}
		role := rapid.SampledFrom([]string{"user", "assistant", "tool"}).Draw(t, "role")
		blocks := rapid.SliceOfN(rapid.SampledFrom(anyBlock), 0, 4).Draw(t, "blocks")
		messages = append(messages, `{"role":"`+role+`","`+content+`":[`+
			strings.Join(blocks, ",")+`]}`)
	}
	members := append([]string{`"model":"m"`, `"` + list + `":[` + strings.Join(messages, ",") + `]`},
		rapid.SliceOfN(rapid.SampledFrom(anyMember), 0, 2).Draw(t, "members")...)
	body := []byte("{" + strings.Join(members, ",") + "}")
	options := anyOptions(t, provider)
	requireGuarantees(t, body, options)
	to := rapid.SampledFrom(slices.Concat(wire.Providers(), wire.Vendors())).Draw(t, "to")
	requireConversion(t, body, provider, &wire.Options{
		Provider: to, Options: options.Options,
	})
}

// anyOptions draws options.
func anyOptions(t *rapid.T, provider string) *wire.Options {
	some := func(name string) bool { return rapid.IntRange(0, 3).Draw(t, name) == 0 }
	o := &wire.Options{Provider: provider, Portable: some("portable")}
	if some("answer") {
		o.Options.Dangling = preflight.DanglingAnswer
	}
	if some("orphan text") {
		o.Options.Orphans = preflight.OrphanText
	}
	o.Options.Duplicates = rapid.SampledFrom([]preflight.Duplicates{
		preflight.DuplicateMerge, preflight.DuplicateFirst, preflight.DuplicateLast,
	}).Draw(t, "duplicates")
	o.Options.Trailing = rapid.SampledFrom([]preflight.Trailing{
		preflight.TrailingContinue, preflight.TrailingStrip, preflight.TrailingKeep,
	}).Draw(t, "trailing")
	if some("strip system") {
		o.Options.Fixers = []preflight.Fixer{preflight.Fixers.StripSystem}
	}
	o.Options.KeepWaiting = some("keep waiting")
	return o
}

// requireConversion holds Convert to its promises: a typed error with the input, or a body that is
// valid for the target and passes Sanitize unchanged.
func requireConversion(t fataler, in []byte, from string, options *wire.Options) {
	t.Helper()
	kept := bytes.Clone(in)
	result, err := wire.Convert(context.Background(), in, from, options)
	if !bytes.Equal(in, kept) {
		t.Fatalf("the input was written to\n was %s\n is  %s", kept, in)
	}
	if err != nil {
		if !sameSlice(result.Body, in) || result.Changed || !isNoRequest(err) &&
			!errors.Is(err, preflight.ErrEmptyHistory) && !errors.Is(err, preflight.ErrUnfixable) &&
			!errors.Is(err, wire.ErrHeldHistory) {
			t.Fatalf("%v\n in  %s\n out %s", err, in, result.Body)
		}
		return
	}
	if !json.Valid(result.Body) {
		t.Fatalf("the output is not JSON\n in  %s\n out %s", in, result.Body)
	}
	requireFixedPoint(t, in, result.Body, &wire.Options{
		Provider: options.Provider, Model: options.Model, Options: options.Options,
	})
}

// membersOf names the member of a body that holds the messages, and that of a message which holds
// its blocks.
func membersOf(provider string) (list, content string) {
	switch spoken(provider) {
	case "openai-responses":
		return "input", "content"
	case "gemini":
		return "contents", "parts"
	}
	return "messages", "content"
}
