package wire_test

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/golden"
	"github.com/go-preflight/preflight/redact"
	"github.com/go-preflight/preflight/stored"
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
		options.Options.Hooks = []preflight.Hook{hook}
		result, err := wire.Sanitize(context.Background(), []byte(body), options)
		require.NoError(t, err)
		require.Equal(t, hidden(body), string(result.Body))
	})
}

// TestRedactJSONTexts: a text that holds JSON is redacted as a text, by a pattern about a member,
// and inside, by one about the text that JSON escapes; in a store no copy of it is left.
func TestRedactJSONTexts(t *testing.T) {
	member := regexp.MustCompile(`"pw": ?"[^"]*"`)
	line := regexp.MustCompile(`(?m)^pw=.*$`)
	hook := preflight.Hook{
		Name: "redact",
		Message: func(_ context.Context, m preflight.Message) (preflight.Message, error) {
			return redact.Message(m, func(s string) string {
				return line.ReplaceAllString(member.ReplaceAllString(s, `"pw":"*"`), "pw=*")
			}), nil
		},
	}
	for provider, body := range map[string]string{
		"anthropic": `{"messages":[{"role":"user","content":TEXT},{"role":"assistant","content":[` +
			`{"type":"mcp_tool_use","id":"m","name":"f","server_name":"s","input":{}},` +
			`{"type":"mcp_tool_result","tool_use_id":"m","content":[{"type":"text","text":TEXT}]},` +
			`{"type":"tool_use","id":"t","name":"f","input":{}}]},{"role":"user","content":[` +
			`{"type":"tool_result","tool_use_id":"t","content":TEXT},{"type":"document",` +
			`"source":{"type":"text","media_type":"text/plain","data":TEXT}}]}]}`,
		"openai-responses": `{"input":[{"role":"user","content":TEXT},` +
			`{"type":"function_call","call_id":"c","name":"f","arguments":"{}"},` +
			`{"type":"function_call_output","call_id":"c","output":TEXT}]}`,
		"gemini": `{"contents":[{"role":"user","parts":[{"text":TEXT}]},{"role":"model","parts":[` +
			`{"executableCode":{"language":"PYTHON","code":TEXT}},` +
			`{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":TEXT}}]}]}`,
	} {
		for _, text := range []string{`{"pw": "hunter2"}`, `["a\npw=hunter2"]`} {
			quoted, err := json.Marshal(text)
			require.NoError(t, err)
			body := []byte(strings.ReplaceAll(body, "TEXT", string(quoted)))
			options := &wire.Options{Provider: provider}
			options.Options.Hooks = []preflight.Hook{hook}
			result, err := wire.Sanitize(context.Background(), body, options)
			require.NoError(t, err)
			require.NotContains(t, string(result.Body), "hunter2")

			decoded, err := wire.Decode(body, options)
			require.NoError(t, err)
			persisted, err := stored.Persist(context.Background(), decoded.Messages,
				stored.Options{Options: options.Options})
			require.NoError(t, err)
			out, err := json.Marshal(persisted.Messages)
			require.NoError(t, err)
			require.NotContains(t, string(out), "hunter2")
		}
	}
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
				options.Options.Hooks = []preflight.Hook{{Name: "redact", Message: func(
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
