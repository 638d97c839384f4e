package wire_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/wire"
)

// TestVendorsKeepThinking: what other vendors made in Anthropic's format stays, and so do the
// caller's settings.
func TestVendorsKeepThinking(t *testing.T) {
	turn := func(thinking string) string {
		return `{"role":"user","content":"q"},{"role":"assistant","content":[` + thinking +
			`{"type":"tool_use","id":"functions.f:0","name":"f","input":{}}]},` +
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"functions.f:0",` +
			`"content":"x"}]}`
	}
	const on = `"tools":[{"name":"f","input_schema":{"type":"object"}}],` +
		`"thinking":{"type":"enabled","budget_tokens":1024}`
	for provider, model := range map[string]string{
		"deepseek-anthropic": "deepseek-v4-pro", "moonshot-anthropic": "kimi-k2.6",
		"glm-anthropic": "glm-5", "minimax-anthropic": "MiniMax-M3",
		"vllm-anthropic": "qwen3", "openrouter-anthropic": "deepseek/deepseek-v4",
		"anthropic": "deepseek-v4-pro",
		"deepseek":  "deepseek-v4-pro", "moonshot": "kimi-k2.6",
	} {
		for source, thinking := range map[string]string{
			"NousResearch/hermes-agent#16748: no signature": `{"type":"thinking",` +
				`"thinking":"t"},`,
			"anomalyco/opencode#44713: an empty one": `{"type":"thinking",` +
				`"thinking":"t","signature":""},`,
			"NousResearch/hermes-agent#21048: DeepSeek signs with an id": `{"type":"thinking",` +
				`"thinking":"t","signature":"91cfbb94-554b-4136-8e21-fa02280d56ed"},`,
			"MoonshotAI/Kimi-K2#141: the setting stays without thinking": ``,
		} {
			t.Run(provider+" "+source, func(t *testing.T) {
				body := `{"model":"` + model + `","messages":[` + turn(thinking) + `],` + on + `}`
				requireUnchanged(t, []byte(body), &wire.Options{Provider: provider})
			})
		}
	}
}

// TestDeepSeekThinkingAtAnthropic: what DeepSeek signed is refused by Anthropic, and shows by its
// form (deepseek-ai/awesome-deepseek-integration#606).
func TestDeepSeekThinkingAtAnthropic(t *testing.T) {
	const in = `{"model":"claude-sonnet-4-6","messages":[{"role":"user","content":"q"},` +
		`{"role":"assistant","content":[{"type":"thinking","thinking":"t",` +
		`"signature":"91cfbb94-554b-4136-8e21-fa02280d56ed"},{"type":"text","text":"a"}]},` +
		`{"role":"user","content":"r"}]}`
	for _, provider := range []string{"anthropic", "vertex-anthropic", "bedrock-anthropic"} {
		result, err := wire.Sanitize(context.Background(), []byte(in),
			&wire.Options{Provider: provider})
		require.NoError(t, err)
		require.NotContains(t, string(result.Body), "91cfbb94", provider)
		require.Contains(t, string(result.Body), `"text":"a"`, provider)
	}
}
