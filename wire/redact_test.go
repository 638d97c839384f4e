package wire_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/golden"
	"github.com/go-preflight/preflight/redact"
	"github.com/go-preflight/preflight/wire"
)

// This file redacts a secret in every place of a request where a person, a model or a tool may have
// written it.

// TestRedactEverywhere: of a body with a secret in every text, the hook changes the secret and
// nothing else.
func TestRedactEverywhere(t *testing.T) {
	hidden := func(text string) string { return strings.ReplaceAll(text, "hunter2", "****") }
	hook := preflight.Hook{
		Name: "redact",
		Message: func(_ context.Context, m preflight.Message) (preflight.Message, error) {
			return redact.Message(m, hidden), nil
		},
	}
	eachRow(t, "secrets", func(t *testing.T, row *golden.Row) {
		body := row.Get("in")
		options := &wire.Options{Provider: row.Get("provider")}
		report, err := wire.Check([]byte(body), options)
		require.NoError(t, err)
		require.Empty(t, report.Violations)
		options.Policies.Hooks = []preflight.Hook{hook}
		result, err := wire.Sanitize(context.Background(), []byte(body), options)
		require.NoError(t, err)
		require.Equal(t, hidden(body), string(result.Body))
	})
}

// TestVerified: text that the provider verifies is not edited, and redact.Verified returns it, so
// that a hook can remove it. Without it, the secret is nowhere in the request.
func TestVerified(t *testing.T) {
	hidden := func(text string) string { return strings.ReplaceAll(text, "hunter2", "****") }
	const search = `{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search",` +
		`"input":{"query":"q"}},{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1",` +
		`"content":[{"type":"web_search_result","title":"about hunter2","url":"https://a.b",` +
		`"encrypted_content":"ZW5j"}]},`
	for provider, body := range map[string]string{
		"anthropic": `{"model":"claude-sonnet-4-5","max_tokens":9,` +
			`"thinking":{"type":"enabled","budget_tokens":1024},` +
			`"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[` +
			`{"type":"thinking","thinking":"say hunter2","signature":"c2lnbmVk"},` + search +
			`{"type":"text","text":"hunter2"}]},{"role":"user","content":"r"}]}`,
		"bedrock": `{"messages":[{"role":"user","content":[{"text":"q"}]},` +
			`{"role":"assistant","content":[{"reasoningContent":{"reasoningText":` +
			`{"text":"hunter2","signature":"c2lnbmVk"}}},{"text":"hunter2"}]},` +
			`{"role":"user","content":[{"text":"r"}]}]}`,
		"openai-responses": `{"input":[{"role":"user","content":"q"},` +
			`{"type":"reasoning","id":"rs_1","encrypted_content":"ZW5j",` +
			`"summary":[{"type":"summary_text","text":"hunter2"}]},` +
			`{"id":"msg_1","type":"message","role":"assistant","status":"completed","content":[` +
			`{"type":"output_text","text":"hunter2"}]},{"role":"user","content":"r"}]}`,
	} {
		t.Run(provider, func(t *testing.T) {
			kept := 0
			options := &wire.Options{Provider: provider}
			run := func(drop bool) string {
				options.Policies.Hooks = []preflight.Hook{{Name: "redact", Message: func(
					_ context.Context, m preflight.Message,
				) (preflight.Message, error) {
					m = redact.Message(m, hidden)
					verified := redact.Verified(m, hidden)
					kept += len(verified)
					if drop {
						m.Parts = slices.DeleteFunc(m.Parts, func(p preflight.Part) bool {
							return slices.Contains(verified, p)
						})
					}
					return m, nil
				}}}
				result, err := wire.Sanitize(context.Background(), []byte(body), options)
				require.NoError(t, err)
				return string(result.Body)
			}
			before := run(false)
			require.Positive(t, kept)
			require.Equal(t, strings.Count(body, "hunter2")-1, strings.Count(before, "hunter2"),
				"only the text is edited: %s", before)
			require.NotContains(t, run(true), "hunter2")
		})
	}
}
