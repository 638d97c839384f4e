package provider

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/rule"
	"github.com/go-preflight/preflight/rule/problems"
)

// hostOf is the host that a profile is for, where its rules have evidence of several hosts.
var hostOf = map[string]string{
	"anthropic":        "api.anthropic.com",
	"openai-chat":      "api.openai.com",
	"openai-responses": "api.openai.com",
	"azure-chat":       "acme.openai.azure.com",
	"azure-responses":  "acme.openai.azure.com",
	"gemini":           "generativelanguage.googleapis.com",
	"vertex-gemini":    "us-central1-aiplatform.googleapis.com",
	"bedrock":          "bedrock-runtime.us-east-1.amazonaws.com",
	"mistral":          "api.mistral.ai",
	"groq":             "api.groq.com",
	"cohere":           "api.cohere.com",
	"deepseek":         "api.deepseek.com",
	"minimax":          "api.minimax.io",
	"cerebras":         "api.cerebras.ai",
	"qwen":             "dashscope-intl.aliyuncs.com",
}

// disputed are the rules whose profiles differ from what the evidence says, and why. A rule that
// agrees again has to go.
var disputed = map[string]string{
	"gemini/empty-part-data": "the report names no model, and one model of Vertex AI was recorded " +
		"to accept: it is taken out, and the others keep the rule",
}

// TestWhen holds the profiles to [rule.Rule.When]: what a profile restricts is what the evidence of
// both sides says is applied by default; and where both sides speak, what is applied by default is
// restricted. So no profile applies a rule without a public source. Rules that the history does not
// show are for the remedies alone.
func TestWhen(t *testing.T) {
	wrong := map[string]string{}
	for _, p := range profiles(t) {
		restricts := map[problems.Problem]bool{}
		for _, r := range restrictions {
			restricts[r.problem] = restricts[r.problem] || r.holds(p)
		}
		for problem, set := range restricts {
			r, ok := rule.ByID(p.Rules[problem])
			if !ok || r.Coverage == rule.Unseen {
				continue
			}
			when := r.When(hostOf[p.Provider], p.Model)
			if set && when != rule.ByDefault {
				wrong[r.ID] = fmt.Sprintf("%s %s applies it, and the evidence says %s", p.Provider,
					p.Model, when)
			}
			if !set && when == rule.ByDefault && len(r.Against) > 0 {
				wrong[r.ID] = fmt.Sprintf("%s %s does not apply it, and the evidence says %s",
					p.Provider, p.Model, when)
			}
		}
	}
	for id, why := range wrong {
		if disputed[id] == "" {
			t.Errorf("%s: %s", id, why)
		}
	}
	for id := range disputed {
		require.Contains(t, wrong, id, "profiles and evidence agree; remove it from disputed")
	}
}

// profiles returns the profile of each provider and of each row of its models.
func profiles(t *testing.T) []*Profile {
	all := All()
	for _, m := range Models() {
		p, ok := ByName(m.Provider, strings.ReplaceAll(m.Pattern, "*", ""))
		require.True(t, ok, m.Provider)
		all = append(all, p)
	}
	return all
}
