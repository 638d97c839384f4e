package bedrock

import (
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
)

// What the ids of models tell; those of Claude are in claude_models.go.

// family returns the family of a model, or "" where the name tells none.
func family(model string) string {
	for _, family := range strings.Fields(
		"claude nova llama mistral mixtral pixtral command jamba deepseek titan qwen gpt-oss " +
			"palmyra kimi minimax glm gemma nemotron") {
		if strings.Contains(model, family) {
			return family
		}
	}
	return ""
}

// strictest reports whether a request names a model that the fake does not know, or an inference
// profile, which may be any: it is judged by what one family or another refuses. A request that
// names none is judged by what all have in common.
func strictest(r *fake.Request) bool {
	return !r.Lenient && r.Model != "" && resultFamily(r.Model) == ""
}

// old reports whether a model is of the generations of Claude for which
// the service has turns alternate
// (https://github.com/microsoft/semantic-kernel/issues/10277). Claude Sonnet 4.5
// and Nova were recorded to accept what these refuse.
func old(model string) bool {
	return strings.Contains(model, "claude-3") || strings.Contains(model, "claude-v2") ||
		strings.Contains(model, "claude-instant")
}
