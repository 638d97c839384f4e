package wire_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/go-preflight/preflight/wire"
)

// This file holds Sanitize to its promises on messages that mix the blocks of all formats, whole
// and empty.

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

// TestAnyBlocks: for any mixture of blocks an error or a valid body comes back.
func TestAnyBlocks(t *testing.T) {
	for _, provider := range wire.Providers() {
		t.Run(provider, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { requireAnyBlocks(t, provider) })
		})
	}
}

// FuzzAnyBlocks is TestAnyBlocks with mixtures that the fuzzer chooses.
func FuzzAnyBlocks(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) {
		requireAnyBlocks(t, rapid.SampledFrom(wire.Providers()).Draw(t, "provider"))
	}))
}

// requireAnyBlocks draws a mixture of blocks for a provider.
func requireAnyBlocks(t *rapid.T, provider string) {
	list, content := membersOf(provider)
	var messages []string
	for range rapid.IntRange(1, 3).Draw(t, "messages") {
		role := rapid.SampledFrom([]string{"user", "assistant", "tool"}).Draw(t, "role")
		blocks := rapid.SliceOfN(rapid.SampledFrom(anyBlock), 0, 4).Draw(t, "blocks")
		messages = append(messages, `{"role":"`+role+`","`+content+`":[`+
			strings.Join(blocks, ",")+`]}`)
	}
	body := `{"model":"m","` + list + `":[` + strings.Join(messages, ",") + `]}`
	requireGuarantees(t, []byte(body), &wire.Options{
		Provider: provider, Portable: rapid.Bool().Draw(t, "portable"),
	})
}

// membersOf names the member of a body that holds the messages, and that of a message which holds its
// blocks.
func membersOf(provider string) (list, content string) {
	switch spoken(provider) {
	case "openai-responses":
		return "input", "content"
	case "gemini":
		return "contents", "parts"
	}
	return "messages", "content"
}
