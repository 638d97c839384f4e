package provider

import "github.com/go-preflight/preflight/rule"

// MiniMax is the profile of the MiniMax API, which wants arguments to be JSON. Sources say that
// instructions alone are refused; the first turn is the user's here, since a turn put in front of
// others later would rewrite what was sent.
func MiniMax(model string) *Profile { return narrowed(miniMax(), model) }

func miniMax() Profile {
	return chatHost("minimax", map[rule.Problem]string{
		rule.NoMessages:     "minimax/content-empty",
		rule.FirstRole:      "minimax/content-empty",
		rule.SystemLate:     "minimax/system-role",
		rule.EmptyMessage:   "minimax/content-empty",
		rule.SystemContent:  "minimax/content-empty",
		rule.ResultEmpty:    "minimax/content-empty",
		rule.Dangling:       "minimax/tool-result-order",
		rule.ResultNotFirst: "minimax/tool-result-order",
		rule.Orphan:         "minimax/tool-result-order",
	}, func(p *Profile) {
		p.System.Placement = SystemLeading
		p.Turns.UserFirst = true
		p.Content.NeedsText = everyRole()
		p.Tools.ObjectArguments = true
	})
}
