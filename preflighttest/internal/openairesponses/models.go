package openairesponses

import (
	"regexp"
	"strings"

	"github.com/go-preflight/preflight/preflighttest/internal/fake"
)

// What the names of models tell.

// only returns a check of what OpenAI's own service was seen to refuse. Other
// hosts that speak the format serve other models, and take it: ids of every
// form, reasoning in plain words, members that only answers have.
func only(check func(r *fake.Request, found fake.Found)) func(r *fake.Request, found fake.Found) {
	return func(r *fake.Request, found fake.Found) {
		if opened(r).own {
			check(r, found)
		}
	}
}

// others are the names of models that OpenAI's own service does not have: its open ones and those
// of other families, which others serve. A name with a slash, or with its maker before a dot, is a
// gateway's.
var others = regexp.MustCompile(`/|^[a-z]+\.|^(gpt-oss|grok|deepseek|qwen|llama|mistral|kimi|glm|` +
	`minimax|claude|gemini|gemma)`)

// ownModel reports whether a model is judged by the rules of OpenAI's own service: one that the
// fake does not know is.
func ownModel(model string) bool { return !others.MatchString(strings.ToLower(model)) }
