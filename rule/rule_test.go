package rule_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule"
)

func TestOrder(t *testing.T) {
	var want []rule.Rule
	for _, provider := range rule.Providers() {
		rules := rule.ForProvider(provider)
		// ByID searches these tables by bisection: an unsorted one loses rules.
		require.True(t,
			slices.IsSortedFunc(rules, func(a, b rule.Rule) int {
				return strings.Compare(a.ID, b.ID)
			}), "rules of %s are not sorted", provider)
		want = append(want, rules...)
	}
	if diff := cmp.Diff(want, rule.All()); diff != "" {
		t.Errorf("All is not the providers in order (-want +got):\n%s", diff)
	}
}

func TestIDs(t *testing.T) {
	wellFormed := regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*/[a-z][a-z0-9]*(-[a-z0-9]+)*$`)
	seen := map[string]bool{}
	for _, r := range rule.All() {
		if !wellFormed.MatchString(r.ID) {
			t.Errorf("%q is not provider/name in lower case", r.ID)
		}
		if seen[r.ID] {
			t.Errorf("%s occurs twice", r.ID)
		}
		seen[r.ID] = true
		if prefix, _, _ := strings.Cut(r.ID, "/"); prefix != r.Provider {
			t.Errorf("%s belongs to provider %q", r.ID, r.Provider)
		}
	}
}

func TestProse(t *testing.T) {
	for _, r := range rule.All() {
		for _, s := range []struct {
			field, text string
			optional    bool
		}{
			{"Statement", r.Statement, false},
			{"Fix", r.Fix, false},
			{"Reason", r.Reason, true},
		} {
			if s.text == "" && s.optional {
				continue
			}
			if !strings.HasSuffix(s.text, ".") {
				t.Errorf("%s: %s does not end with a period: %q", r.ID, s.field, s.text)
			}
			if strings.ContainsAny(s.text, "\r\n\t") || strings.Contains(s.text, "  ") ||
				strings.TrimSpace(s.text) != s.text {
				t.Errorf("%s: %s is not one clean line: %q", r.ID, s.field, s.text)
			}
		}
		if r.Statement == r.Fix {
			t.Errorf("%s: the fix repeats the statement", r.ID)
		}
	}
}

func TestErrorKind(t *testing.T) {
	for _, r := range rule.All() {
		switch r.ErrorKind {
		case rule.Verbatim, rule.Quoted, rule.Reconstructed:
			if r.Error == "" {
				t.Errorf("%s is %s and has no error text", r.ID, r.ErrorKind)
			}
		case rule.Documented, rule.Inferred:
			if r.Error != "" {
				t.Errorf("%s is %s and has an error text: %q", r.ID, r.ErrorKind, r.Error)
			}
		default:
			t.Errorf("%s: unknown error kind %q", r.ID, r.ErrorKind)
		}
	}
}

func TestSeverity(t *testing.T) {
	for _, r := range rule.All() {
		switch r.Severity {
		case rule.Rejects, rule.Varies:
			raised := r.Provider == "chat-template" && r.Status == 500
			if (r.Status < 400 || r.Status > 499) && !raised {
				t.Errorf("%s %s with status %d", r.ID, r.Severity, r.Status)
			}
		case rule.Throws, rule.Degrades, rule.Advises:
			if r.Status != 0 {
				t.Errorf("%s %s, yet has status %d", r.ID, r.Severity, r.Status)
			}
		default:
			t.Errorf("%s: unknown severity %q", r.ID, r.Severity)
		}
	}
}

func TestCoverage(t *testing.T) {
	got := map[string][]string{}
	var implemented []string
	for _, p := range provider.All() {
		implemented = append(implemented, p.Provider)
	}
	for _, r := range rule.All() {
		switch r.Coverage {
		case rule.Repaired:
			if r.Reason != "" {
				t.Errorf("%s is repaired and gives a reason: %q", r.ID, r.Reason)
			}
		case rule.Refused, rule.Accepted, rule.Unseen, rule.NotYet:
			if r.Reason == "" {
				t.Errorf("%s is %s without a reason", r.ID, r.Coverage)
			}
		default:
			t.Errorf("%s: unknown coverage %q", r.ID, r.Coverage)
		}

		if r.Coverage == rule.NotYet {
			t.Errorf("%s: every rule is decided", r.ID)
		}
		if !slices.Contains(implemented, r.Provider) && r.Coverage != rule.Unseen {
			t.Errorf("%s is %s, and %s has no profile", r.ID, r.Coverage, r.Provider)
		}
		if r.Coverage != rule.Repaired {
			got[string(r.Coverage)] = append(got[string(r.Coverage)], r.ID)
		}
	}

	// What the library promises about these is written out, so that a promise
	// is neither broken nor widened by an edit to the tables alone.
	want := map[string][]string{
		"accepted": {"anthropic/alternation", "anthropic/assistant-must-end-on-tool-use",
			"anthropic/document-title-chars", "anthropic/first-role-user",
			"anthropic/tools-required", "gemini/vertex-call-id"},
		"refused": {"anthropic/messages-empty", "openai-chat/messages-empty",
			"openai-responses/input-empty", "mistral/messages-empty"},
		"unseen": {"anthropic/container-id-required", "anthropic/image-size",
			"anthropic/many-image-dimension", "anthropic/messages-max",
			"anthropic/redacted-thinking-data", "anthropic/request-too-large",
			"anthropic/thinking-binding-prefix", "anthropic/thinking-modified",
			"anthropic/thinking-signature-invalid", "openai-chat/string-max",
			"openai-chat/tools-max", "openai-chat/tools-reasoning-effort",
			"openai-chat/unknown-parameter", "openai-responses/conflicting-identities",
			"openai-responses/encrypted-content-invalid", "openai-responses/item-needs-reasoning",
			"openai-responses/item-null-field", "openai-responses/item-type-unsupported",
			"openai-responses/reasoning-binding-prefix",
			"openai-responses/string-max", "gemini/thought-signature-corrupt",
			"bedrock/text-beside-call",
			"mistral/conversations-pending", "mistral/order-after-tool",
			"deepseek/reasoning-content-forbidden", "chat-template/arguments-mapping",
			"chat-template/vllm-anthropic-blocks", "cohere/empty-history-message",
			"cohere/message-and-tool-results", "cohere/message-empty",
			"cohere/tool-results-need-tools", "ollama/anthropic-compat",
			"gemini-interactions/thought-signature-missing", "moonshot/size",
			"xai/compaction-blob-invalid", "xai/encrypted-content-invalid", "xai/single-text",
			"openai-compatible/extra-content", "openai-compatible/reasoning-fields",
			"openai-compatible/union-of-limits", "openrouter/image-unsupported",
			"openrouter/reasoning-details", "vercel-ai-sdk/invalid-prompt",
			"vercel-ai-sdk/missing-tool-results", "langgraph/missing-tool-messages",
			"pydantic-ai/unprocessed-tool-calls"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("coverage (-want +got):\n%s", diff)
	}
}

func TestSeenAs(t *testing.T) {
	for _, r := range rule.All() {
		if r.SeenAs == "" {
			continue
		}
		other, ok := rule.ByID(r.SeenAs)
		if !ok || other.ID == r.ID {
			t.Errorf("%s is seen as %q", r.ID, r.SeenAs)
		}
		if other.SeenAs != "" {
			t.Errorf("%s is seen as %s, which is itself seen as %s", r.ID, other.ID, other.SeenAs)
		}
	}
	r, ok := rule.ByID("anthropic/pause-turn")
	require.True(t, ok)
	require.Equal(t, "anthropic/server-tool-result-missing", r.SeenAs)
}

func TestByID(t *testing.T) {
	for _, want := range rule.All() {
		got, ok := rule.ByID(want.ID)
		require.True(t, ok, want.ID)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("ByID(%q) (-want +got):\n%s", want.ID, diff)
		}
	}
	for _, id := range []string{
		"", "/", "anthropic", "anthropic/", "anthropic/no-such-rule", "nobody/empty-text-block",
		"empty-text-block",
	} {
		if got, ok := rule.ByID(id); ok || !cmp.Equal(got, rule.Rule{}) {
			t.Errorf("ByID(%q) = %v, %v", id, got, ok)
		}
	}
}

func TestUnknownProvider(t *testing.T) {
	require.Nil(t, rule.ForProvider("nobody"))
	require.Nil(t, rule.ForProvider(""))
}

// Whatever a caller does to a result, the next caller gets the tables.
func TestResultsAreIndependent(t *testing.T) {
	want := rule.All()

	spoil := func(rules []rule.Rule) {
		for i := range rules {
			for j := range rules[i].Sources {
				rules[i].Sources[j] = "spoiled"
			}
			rules[i].Sources = append(rules[i].Sources, "spoiled")
			rules[i].ID = "spoiled"
		}
		_ = append(rules, rule.Rule{ID: "spoiled"})
	}
	spoil(rule.All())
	for _, provider := range rule.Providers() {
		spoil(rule.ForProvider(provider))
	}
	for _, r := range want {
		found, _ := rule.ByID(r.ID)
		spoil([]rule.Rule{found})
	}
	names := rule.Providers()
	names[0] = "spoiled"

	if diff := cmp.Diff(want, rule.All()); diff != "" {
		t.Errorf("the tables changed (-want +got):\n%s", diff)
	}
	require.Equal(t, "anthropic", rule.Providers()[0])
}

func TestJSON(t *testing.T) {
	want := rule.All()
	data, err := json.Marshal(want)
	require.NoError(t, err)
	var got []rule.Rule
	require.NoError(t, json.Unmarshal(data, &got))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("after a round trip (-want +got):\n%s", diff)
	}
}
