package bedrock

import "strings"

// What the ids of models tell; those of Claude are in claude_models.go.

// family returns the family of a model, or "" where the name tells none,
// such as that of an inference profile. Those are judged by what all have in
// common.
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

// old reports whether a model is of the generations of Claude for which
// the service has turns alternate
// (https://github.com/microsoft/semantic-kernel/issues/10277). Claude Sonnet 4.5
// and Nova were recorded to accept what these refuse.
func old(model string) bool {
	return strings.Contains(model, "claude-3") || strings.Contains(model, "claude-v2") ||
		strings.Contains(model, "claude-instant")
}
