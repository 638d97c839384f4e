package provider

import "github.com/go-preflight/preflight/rule"

// Cohere is the profile of Cohere's v2 chat API. What it checks beyond pairing and the types of
// content is not on record, so no more is asked for.
func Cohere(model string) *Profile { return narrowed(cohere(), model) }

func cohere() Profile {
	return nearChatHost("cohere", map[rule.Problem]string{
		rule.Dangling:       "cohere/tool-result-missing",
		rule.ResultNotFirst: "cohere/tool-result-missing",
		rule.ResultEmpty:    "cohere/tool-content-required",
		rule.MediaRole:      "cohere/image-user-only",
		rule.MediaInResult:  "cohere/image-user-only",
	}, func(p *Profile) {
		p.Content.ResultNeedsText = true
		p.Media.Roles = []Role{"user"}
		p.Media.Kinds = []string{"image"}
	})
}
