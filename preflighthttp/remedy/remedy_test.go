package remedy

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/rule"
	"github.com/go-preflight/preflight/rule/explain"
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
	e := &explain.Explanation{
		Rule: chat[0],
		Also: chat[1:],
		More: []explain.Explanation{{Rule: named("deepseek/empty-tool-calls")[0]}},
	}
	require.Equal(t,
		named("deepseek/tool-call-id-duplicate", "openai-chat/tool-call-id-duplicate",
			"openai-chat/content-null", "deepseek/empty-tool-calls"), meanings(e, "deepseek"))
	require.Equal(t, append(chat, named("deepseek/empty-tool-calls")...),
		meanings(e, "openai-chat"))
}

// TestEnforceRule: the remedy switches one rule on, of the host or the format that was asked where
// there is one, and leaves format, model and everything else as they were.
func TestEnforceRule(t *testing.T) {
	twice := `{"messages":[{"role":"user","content":"a"},{"role":"user","content":"b"}]}`
	for _, tt := range []struct{ provider, words, body, want string }{
		{"openai-compatible", "chat-template/alternation", twice, "chat-template/alternation"},
		{"anthropic", "bedrock/alternation", twice, "anthropic/alternation"},
		{"openai-compatible", "anthropic/thinking-modified", twice, ""},
		{"openai-chat", "openai-chat/content-null", twice, ""},
	} {
		r, ok := rule.ByID(tt.words)
		require.True(t, ok, tt.words)
		options := &wire.Options{Provider: tt.provider, Model: "m"}
		did := enforceRule(options, []byte(tt.body), r)
		require.Equal(t, tt.want != "", did, tt.words)
		if did {
			require.Equal(t, []string{tt.want}, options.Measured.Enforced)
			options.Measured = nil
		}
		require.Equal(t, &wire.Options{Provider: tt.provider, Model: "m"}, options)
	}
}
