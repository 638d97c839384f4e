package preflighthttp

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/rule"
	"github.com/go-preflight/preflight/wire"
)

// TestMeanings: the same words can be about rules of several providers; those of the one that was
// asked come first, and other errors of the same answer last.
func TestMeanings(t *testing.T) {
	named := func(ids ...string) (rules []rule.Rule) {
		for _, id := range ids {
			r, ok := rule.ByID(id)
			require.True(t, ok, id)
			rules = append(rules, r)
		}
		return rules
	}
	chat := named("openai-chat/tool-call-id-duplicate", "openai-chat/content-null",
		"deepseek/tool-call-id-duplicate")
	e := &rule.Explanation{
		Rule: chat[0],
		Also: chat[1:],
		More: []rule.Explanation{{Rule: named("deepseek/empty-tool-calls")[0]}},
	}
	require.Equal(t,
		named("deepseek/tool-call-id-duplicate", "openai-chat/tool-call-id-duplicate",
			"openai-chat/content-null", "deepseek/empty-tool-calls"), meanings(e, "deepseek"))
	require.Equal(t, append(chat, named("deepseek/empty-tool-calls")...),
		meanings(e, "openai-chat"))
}

// TestStrictestKeepsFormat: the words of a host that speaks another format, or none that is spoken,
// do not change the format.
func TestStrictestKeepsFormat(t *testing.T) {
	tests := []struct{ provider, words, want string }{
		{"openai-chat", "mistral/order-after-tool", "mistral"},
		{"mistral", "groq/unknown-property", "groq"},
		{"anthropic", "openai-chat/content-null", "anthropic"},
		{"openai-chat", "anthropic/alternation", "openai-chat"},
		{"openai-chat", "vercel-ai-sdk/invalid-prompt", "openai-chat"},
		{"ollama", "openai-chat/content-null", "ollama"},
	}
	for _, tt := range tests {
		r, ok := rule.ByID(tt.words)
		require.True(t, ok, tt.words)
		options := &wire.Options{Provider: tt.provider, Model: "m"}
		strictest(options, []byte(`{"messages":[]}`), r)
		require.Equal(t, tt.want, options.Provider, tt.words)
	}
}
