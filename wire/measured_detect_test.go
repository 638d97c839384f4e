package wire_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/wire"
)

// TestMeasuredDetection: bodies that were once taken for another provider's. What is named first is
// what they are, or one of the candidates where more than one host takes them; never is what they
// must not be taken for.
func TestMeasuredDetection(t *testing.T) {
	const ask = `{"role":"user","content":"q"}`
	for _, c := range []struct{ what, body, want, never string }{
		{"a vendor before the model in a Chat body: a gateway's (36 recorded bodies)",
			`{"model":"anthropic/claude-sonnet-4.5","messages":[` + ask + `]}`, "openai-chat",
			"anthropic"},
		{"a system message first, with a model of Claude's",
			`{"model":"claude-sonnet-4-5","messages":[{"role":"system","content":"s"},` + ask +
				`]}`, "openai-chat", "anthropic"},
		{"provider is OpenRouter's",
			`{"model":"x","provider":{"order":["a"]},"messages":[` + ask + `]}`, "openrouter", ""},
		{"models is OpenRouter's", `{"models":["a/b","c/d"],"messages":[` + ask + `]}`,
			"openrouter", ""},
		{"usage.include is OpenRouter's",
			`{"model":"x","usage":{"include":true},"messages":[` + ask + `]}`, "openrouter", ""},
		{"include_reasoning is OpenRouter's",
			`{"model":"x","include_reasoning":true,"messages":[` + ask + `]}`, "openrouter", ""},
		{"preset is OpenRouter's", `{"model":"x","preset":"p","messages":[` + ask + `]}`,
			"openrouter", ""},
		{"Grok on Azure (40 recorded bodies)",
			`{"model":"grok-4-fast-reasoning","stream_options":{"include_usage":true},` +
				`"messages":[{"role":"system","content":"s"},` +
				ask + `]}`,
			"openai-chat", "xai"},
		{"Mistral on Venice (29 recorded bodies)",
			`{"model":"mistral-small-3-2-24b-instruct","stream_options":{"include_usage":true},` +
				`"messages":[{"role":"system","content":"s"},` +
				ask + `]}`,
			"openai-chat", "mistral"},
		{"parts with types are no contents of Gemini's",
			`{"messages":[{"role":"assistant","parts":[{"type":"text","text":"a"}]}]}`, "",
			"gemini"},
		{"a prompt without input", `{"model":"gpt-5.4","prompt":{"id":"pmpt_1"}}`,
			"openai-responses", ""},
		{"an empty input that goes on from a response",
			`{"model":"gpt-5.4","input":[],"previous_response_id":"resp_1"}`, "openai-responses",
			""},
		{"a request in the request that counts tokens",
			`{"generateContentRequest":{"model":"models/gemini-2.5-flash",` +
				`"contents":[{"role":"user","parts":[{"text":"q"}]}]}}`,
			"gemini", ""},
	} {
		t.Run(c.what, func(t *testing.T) {
			got, err := wire.Detect([]byte(c.body))
			candidates := []string{got}
			var ambiguous *wire.Error
			if errors.As(err, &ambiguous) && ambiguous.Reason == wire.ErrAmbiguousProvider {
				candidates = ambiguous.Providers
			} else if c.want != "" {
				require.NoError(t, err)
			}
			if c.want == "openai-chat" && got == "openai-compatible" { // of another vendor's model
				got, candidates = c.want, []string{c.want}
			}
			if c.want != "" {
				require.Contains(t, candidates, c.want)
			}
			if c.never != "" {
				require.NotContains(t, candidates, c.never)
			}
		})
	}
}
