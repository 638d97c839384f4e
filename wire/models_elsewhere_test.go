package wire_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/wire"
)

// TestModelsElsewhere: what a model refuses is repaired on each host that serves it, however its
// name is spelled there, and its neighbours are left as they are.
func TestModelsElsewhere(t *testing.T) {
	const (
		prefill = `{"model":"%","max_tokens":9,"messages":[{"role":"user","content":"q"},` +
			`{"role":"assistant","content":"so"}]}`
		lead = `{"modelId":"%","messages":[{"role":"assistant","content":[{"text":"a"}]},` +
			`{"role":"user","content":[{"text":"q"}]}]}`
		search = `{"model":"%","messages":[{"role":"user","content":"q"},{"role":"assistant",` +
			`"content":"","tool_calls":[{"id":"c","type":"function","function":{"name":"search",` +
			`"arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"r"}]}`
		alone = `{"modelId":"%","messages":[{"role":"user","content":[{"text":"q"}]},` +
			`{"role":"assistant","content":[{"toolUse":{"toolUseId":"t","name":"f","input":{}}}]},` +
			`{"role":"user","content":[{"toolResult":{"toolUseId":"t","content":[{"text":"r"}]}},` +
			`{"text":"go"}]}],"toolConfig":{"tools":[{"toolSpec":{"name":"f",` +
			`"inputSchema":{"json":{"type":"object"}}}}]}}`
		signed = `{"modelId":"%","messages":[{"role":"user","content":[{"text":"q"}]},` +
			`{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"h",` +
			`"signature":"QUJD"}}},{"text":"a"}]},{"role":"user","content":[{"text":"n"}]}]}`
		oneID = `{"model":"%","contents":[{"role":"user","parts":[{"text":"q"}]},` +
			`{"role":"model","parts":[{"functionCall":{"name":"f","args":{},"id":"a"},` +
			`"thoughtSignature":"c2ln"},{"functionCall":{"name":"g","args":{},"id":"a"}}]},` +
			`{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"o":1},` +
			`"id":"a"}},{"functionResponse":{"name":"g","response":{"o":1},"id":"a"}}]}]}`
	)
	for _, c := range []struct {
		name, body, provider string
		refuse, accept       string // names of models
	}{
		{
			"prefill", prefill, "openrouter",
			"anthropic/claude-opus-4.6 anthropic/claude-4.6-sonnet-20260217 anthropic/claude-opus-5.5:beta",
			"anthropic/claude-sonnet-4.5 anthropic/claude-3.7-sonnet:thinking anthropic/claude-opus-4 " +
				"openai/gpt-5.2",
		},
		{
			"prefill", prefill, "openai-compatible",
			"eu.anthropic.claude-sonnet-4-6 jp.anthropic.claude-sonnet-4-6-v1 claude-4.6-opus-max " +
				"anthropic--claude-4.6-sonnet claude-opus-4-6[1m] databricks-claude-opus-4-6 " +
				"vertex_ai/claude-opus-4-8@20260101 copilot/claude-sonnet-4.6 " +
				"arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-opus-4-6-v1",
			"claude-4-sonnet claude-haiku-4-5@20251001 anthropic--claude-4.5-sonnet llama-3.3-70b my-model",
		},
		{
			"prefill", prefill, "bedrock-anthropic",
			"global.anthropic.claude-opus-5-v1:0", "us.anthropic.claude-haiku-4-5-20251001-v1:0",
		},
		{
			"leading assistant", lead, "bedrock",
			"us.amazon.nova-2-lite-v1:0 us.meta.llama4-scout-17b-instruct-v1:0 writer.palmyra-x5-v1:0 " +
				"mistral.mistral-large-2407-v1:0 cohere.command-r-v1:0 ai21.jamba-1-5-large-v1:0",
			"qwen.qwen3-32b-v1:0 zai.glm-4.7 moonshotai.kimi-k2.5 openai.gpt-oss-120b-1:0 some.model " +
				"global.anthropic.claude-sonnet-4-5-20250929-v1:0",
		},
		{
			"text beside a result", alone, "bedrock",
			"us.meta.llama4-maverick-17b-instruct-v1:0 mistral.pixtral-large-2502-v1:0 " +
				"us.writer.palmyra-x4-v1:0",
			"us.anthropic.claude-opus-4-8-v1:0 amazon.nova-pro-v1:0 openai.gpt-5.6-sol xai.grok-4",
		},
		{
			"signature", signed, "bedrock",
			"qwen.qwen3-32b-v1:0 us.openai.gpt-5.6-sol moonshot.kimi-k2-thinking minimax.minimax-m2",
			"us.anthropic.claude-opus-4-8-v1:0 zai.glm-4.7 some.model",
		},
		{
			"search", search, "qwen",
			"qwen3-coder-plus qwen3-coder-plus-2025-09-23",
			"qwen-plus qwen3-max qwen3-coder-flash qwen3-coder-480b-a35b-instruct",
		},
		{"search", search, "openrouter", "", "qwen/qwen3-coder-plus"},
		{"search", search, "openai-compatible", "", "qwen3-coder-plus"},
		{
			"one id", oneID, "gemini",
			"gemini-3.1-flash-lite-preview models/gemini-3.8-flash", "gemini-2.5-flash gemini-4-argon",
		},
		{"one id", oneID, "vertex-gemini", "", "gemini-3-flash-preview"},
	} {
		for names, want := range map[string]bool{c.refuse: true, c.accept: false} {
			for _, model := range strings.Fields(names) {
				body := strings.ReplaceAll(c.body, "%", model)
				result, err := wire.Sanitize(context.Background(), []byte(body),
					&wire.Options{Provider: c.provider})
				require.NoError(t, err, model)
				require.Equal(t, want, result.Changed, "%s: %s, %s", c.name, c.provider, model)
			}
		}
	}
}
