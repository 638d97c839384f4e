package provider

import "github.com/go-preflight/preflight/rule"

// GLM is the profile of Zhipu's API, which has one error for every defect of structure: all of them
// are repaired.
func GLM(model string) *Profile { return narrowed(glm(), model) }

func glm() Profile {
	const invalid = "glm/messages-invalid"
	return chatHost("glm", map[rule.Problem]string{
		rule.NoMessages:     invalid,
		rule.FirstRole:      invalid,
		rule.Alternation:    invalid,
		rule.EmptyMessage:   invalid,
		rule.SystemContent:  invalid,
		rule.ResultEmpty:    invalid,
		rule.Dangling:       invalid,
		rule.ResultNotFirst: invalid,
		rule.Orphan:         invalid,
	}, func(p *Profile) {
		p.Tools.Name = openAINames
		p.Turns.UserFirst = true
		p.Turns.Merge, p.Turns.Joined = true, true
		p.Content.NeedsText = everyRole()
	})
}
