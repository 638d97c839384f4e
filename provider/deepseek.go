package provider

import (
	"slices"

	"github.com/go-preflight/preflight/rule"
)

// DeepSeek is the profile of the DeepSeek API. ForModel knows the models that think: they want the
// reasoning of tool turns back, and its presence is all that is checked. Sources differ on whether
// later turns have to carry some as well, and filling all of them is safe. It also knows which
// models read text only, and the first reasoner generation, which took no reasoning.
func DeepSeek(model string) *Profile { return narrowed(deepSeek(), model) }

func deepSeek() Profile {
	return chatHost("deepseek", map[rule.Problem]string{
		rule.RoleUnknown:      "deepseek/role-developer",
		rule.MediaRefused:     "deepseek/image-unsupported",
		rule.ReasoningAbsent:  "deepseek/reasoning-content-missing",
		rule.ReasoningRefused: "deepseek/reasoning-content-forbidden",
		rule.Dangling:         "deepseek/tool-result-missing",
		rule.ResultNotFirst:   "deepseek/tool-result-missing",
		rule.Orphan:           "deepseek/tool-result-orphan",
		rule.DuplicateResult:  "deepseek/tool-call-id-duplicate",
		rule.IDDuplicate:      "deepseek/tool-call-id-duplicate",
		rule.EmptyMessage:     "deepseek/assistant-empty",
		rule.Alternation:      "deepseek/successive-roles",
	}, func(p *Profile) {
		p.Roles = slices.DeleteFunc(p.Roles, func(r Role) bool { return r == "developer" })
		p.Tools.Name = openAINames
	})
}
