package provider

import "github.com/go-preflight/preflight/rule"

// Groq is the profile of the Groq API, which takes few fields. ForModel knows the models that take
// no reasoning.
func Groq(model string) *Profile { return narrowed(groq(), model) }

func groq() Profile {
	return chatHost("groq", map[rule.Problem]string{
		rule.ReasoningRefused: "groq/unknown-property",
		rule.IDPattern:        "groq/tool-fields",
		rule.ResultEmpty:      "groq/tool-fields",
		rule.MediaInResult:    "groq/tool-fields",
	}, func(p *Profile) {
		p.Media.InResult = false
	})
}
