package preflighttest_test

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/rule"
	"github.com/go-preflight/preflight/rule/explain"
)

// notFromTheBody lists the rules whose failing request a fake accepts, or
// refuses under another rule, with the reason.
var notFromTheBody = map[string]string{
	"mistral/order-after-tool": "the hosted API takes it; only older and self-hosted servers " +
		"refuse",
	"anthropic/pause-turn": "the same body breaks server-tool-result-missing, which has the " +
		"error text",
	"anthropic/redacted-thinking-data": "data that no fake has issued is taken as it is; see " +
		"TestThinking",
	"anthropic/thinking-binding-prefix": "a signature that no fake has issued is taken as it is; " +
		"see TestThinking",
	"openai-responses/reasoning-binding-prefix": "content that no fake has encrypted is taken as " +
		"it is; see TestReasoningItems",
	"anthropic/fallback-refused-part": "the same body breaks tool-result-missing, which has the " +
		"error text",
	"anthropic/tool-reference-alone": "the words of the refusal are not on record",
	"anthropic/thinking-modified": "a signature that no fake has issued is taken as it is; see " +
		"TestThinking",
	"anthropic/thinking-signature-invalid": "a signature that no fake has issued is taken as it " +
		"is; see TestThinking",
	"openai-responses/encrypted-content-invalid": "content that no fake has encrypted is taken " +
		"as it is; see TestReasoningItems",
	"openai-responses/item-needs-reasoning": "an id that no fake has issued is taken for one of " +
		"an answer without reasoning; see TestReasoningItems",
	"openai-responses/reasoning-ids-azure": "the same body breaks reasoning-needs-following, " +
		"which has the error text",
	"cohere/empty-history-message":    "about version 1 of the API; the fake speaks version 2",
	"cohere/message-and-tool-results": "about version 1 of the API; the fake speaks version 2",
	"cohere/message-empty":            "about version 1 of the API; the fake speaks version 2",
	"cohere/tool-results-need-tools":  "about version 1 of the API; the fake speaks version 2",
	"ollama/anthropic-compat": "about the endpoint in Anthropic's format; the fake speaks " +
		"Ollama's own",
	"ollama/arguments-invalid-json": "about the endpoint in OpenAI's format; the fake speaks " +
		"Ollama's own, where a string is refused whatever it holds",
	"ollama/content-format": "about the endpoint in OpenAI's format; the fake speaks Ollama's " +
		"own, where content is a string",
	"ollama/pairing-not-validated": "no server refuses it",
	"deepseek/reasoning-content-forbidden": "the reverse of reasoning-content-missing, of an " +
		"older reasoner under the same name",
	"deepseek/reasoning-content-missing-v32": "the same body breaks reasoning-content-missing",
	"openrouter/image-unsupported": "about what the model behind it reads, which is not known " +
		"here",
	"openrouter/reasoning-details": "about the signatures of the model behind it",
	"openrouter/wrapped-errors":    "about how the error of the provider behind it is wrapped",
}

// elsewhere lists the rules of hosts that have to be asked for.
var elsewhere = map[string]preflighttest.Options{
	"gemini/empty-parts-vertex": {Model: "publishers/google/models/gemini-3-pro-preview"},
	"gemini/thought-signature-missing-vertex": {
		Model: "publishers/google/models/gemini-3-pro-preview",
	},
}

// otherWords lists the rules whose failing request is answered with another
// wording than that of the catalogue, with the reason.
var otherWords = map[string]string{
	"anthropic/empty-message-content": "the API has a newer wording for user messages",
	"bedrock/reasoning-content":       "the catalogue leaves the end of Claude's text out",
	"cohere/tool-result-missing":      "the catalogue leaves the ids at the end out",
	"gemini/extra-field":              "the catalogue leaves the place at the end out",
	"groq/unknown-property":           "the catalogue has the words for another member",
	"mistral/content-chunk-types":     "the catalogue has the words for an image",
	"moonshot/tool-duplicate":         "the catalogue leaves the name out",
	"openai-responses/file-type":      "the catalogue has the words for files by their address",
}

type failing struct {
	ID, Provider string
	Request      json.RawMessage
}

// failingRequests returns the least request that breaks each rule, of the
// providers that can be faked.
func failingRequests(t testing.TB) []failing {
	data, err := os.ReadFile("../testdata/rules/failing.json")
	require.NoError(t, err)
	var all []failing
	require.NoError(t, json.Unmarshal(data, &all))
	return slices.DeleteFunc(all, func(f failing) bool {
		_, err := preflighttest.Violations(f.Provider, nil)
		return err != nil
	})
}

// TestRules sends the failing request of each rule.
func TestRules(t *testing.T) {
	for _, f := range failingRequests(t) {
		t.Run(f.ID, func(t *testing.T) {
			known, ok := rule.ByID(f.ID)
			require.True(t, ok)
			options := elsewhere[f.ID]
			violations, err := options.Violations(f.Provider, f.Request)
			require.NoError(t, err)
			i := slices.IndexFunc(violations,
				func(v preflighttest.Violation) bool { return v.Rule == f.ID })
			if known.Coverage == rule.Accepted {
				require.Equal(t, -1, i, "the provider was seen to accept it")
				return
			}
			if reason := notFromTheBody[f.ID]; reason != "" {
				require.Equal(t, -1, i, "the fake sees it, so it need not be excused: %s", reason)
				return
			}
			require.NotEqual(t, -1, i, "accepted, or refused for something else: %v", violations)
			require.Zero(t, i, "refused for something else first: %v", violations)
			require.Equal(t, known.Status, violations[0].Status)
			require.NotEmpty(t, violations[0].Message)
			if known.Error == "" {
				return
			}
			if want, got := stable(known.Error), stable(violations[0].Message); otherWords[f.ID] !=
				"" {
				require.NotEqual(t, want, got, "these are the words of the catalogue")
			} else {
				require.Equal(t, want, got)
			}
			require.NotRegexp(t, `XXXX|\.N\b|\.M\b|\[N\]`, violations[0].Message,
				"a placeholder is left")
		})
	}
}

var specimen = regexp.MustCompile(strings.Join([]string{
	`messages\.<n>\.content\.0`,
	// paths
	`(?:messages|tools|input|contents|\*\*\*)(?:[.\[][A-Z0-9]+\]?|\.[a-z_]+\b)*`,
	// ids
	`'(?:messages|tools|input)[^']*'`, `\b(?:toolu|srvtoolu|mcptoolu|tooluse|call|fc|rs|msg)_\w+`,
	"`(?:default_api:)?(?:NAME|f)`",
	`'(?:bogus|model|msg-2026…|msg:1)'`, `(?:advisor|web_search)\b`,
	`(?:advisor|web_search)_tool_result`, `\b(?:\d+|N)\b`,
}, "|"))

// stable replaces what belongs to one occurrence of an error.
func stable(text string) string { return specimen.ReplaceAllString(text, "•") }

// TestExplained: explain.Text takes the words of the fakes, with the ids and
// places of the case in them, for those of the rule.
func TestExplained(t *testing.T) {
	for _, f := range failingRequests(t) {
		known, _ := rule.ByID(f.ID)
		if known.Error == "" || notFromTheBody[f.ID] != "" || known.Coverage == rule.Accepted {
			continue
		}
		t.Run(f.ID, func(t *testing.T) {
			options := elsewhere[f.ID]
			violations, err := options.Violations(f.Provider, f.Request)
			require.NoError(t, err)
			require.NotEmpty(t, violations)
			explained, ok := explain.Text(violations[0].Message)
			require.True(t, ok, violations[0].Message)
			if otherWords[f.ID] != "" {
				return // they may be those of another rule
			}
			rules := []string{explained.Rule.ID}
			for _, r := range explained.Also {
				rules = append(rules, r.ID)
			}
			require.Contains(t, rules, f.ID)
		})
	}
}
