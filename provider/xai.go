package provider

import "github.com/go-preflight/preflight/rule"

// XAI is the profile of the xAI API, where every message has content. Empty text is some.
func XAI(model string) *Profile { return narrowed(xai(), model) }

func xai() Profile {
	return chatHost("xai", map[rule.Problem]string{
		rule.EmptyMessage:  "xai/content-element",
		rule.SystemContent: "xai/content-element",
		rule.ResultEmpty:   "xai/content-element",
	}, func(*Profile) {})
}
