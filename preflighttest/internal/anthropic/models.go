package anthropic

import (
	"regexp"
	"strings"
)

// What the names of models tell beside what package claude knows.

// vendors are how the names of models begin that others serve in the format. A name with a slash is
// a gateway's.
var vendors = regexp.MustCompile(`(?i)/|^(deepseek|kimi|moonshot|glm|minimax|abab|qwen|qwq|mimo|` +
	`step-|doubao|ernie|hunyuan|longcat|gpt-|o[134]|gemini|gemma|grok|mistral|llama|nemotron|granite)`)

// ofVendor reports whether a model is taken for another vendor's. One that the fake does not know
// is taken for one of Claude's, unless lenient.
func ofVendor(name string, lenient bool) bool {
	return vendors.MatchString(name) || lenient && name != "" && !strings.Contains(name, "claude")
}

// takesSystem reports whether system messages may be in the conversation: from Opus 4.8 and version
// 5 of the others, and in a request that names no model, or one of another vendor.
func (a *request) takesSystem() bool {
	m := a.model
	return m.Family == "" && (a.unnamed || a.vendor) || m.AtLeast(5, 0) ||
		m.Family == "opus" && m.AtLeast(4, 8)
}
