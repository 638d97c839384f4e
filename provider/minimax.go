package provider

import "github.com/go-preflight/preflight/rule"

// MiniMax returns the profile of the MiniMax API, which wants arguments to be JSON. Sources say
// that instructions alone are refused. The first turn is the user's here, since a turn inserted
// before others later would rewrite what was sent.
func MiniMax(model string) *Profile { return miniMax.forModel(model) }

var miniMax = definition{
	name:   "minimax",
	format: &openAIChat,
	base:   chatHost,
	rules: map[rule.Problem]string{
		rule.NoMessages:     "minimax/content-empty",
		rule.FirstRole:      "minimax/content-empty",
		rule.SystemLate:     "minimax/system-role",
		rule.Alternation:    "minimax/system-role", // of leading system messages
		rule.EmptyMessage:   "minimax/content-empty",
		rule.SystemContent:  "minimax/content-empty",
		rule.ResultEmpty:    "minimax/content-empty",
		rule.Dangling:       "minimax/tool-result-order",
		rule.ResultNotFirst: "minimax/tool-result-order",
		rule.Orphan:         "minimax/tool-result-order",
	},
	change: func(p *Profile) {
		p.System.Placement, p.System.Single = SystemLeading, true
		p.Turns.UserFirst = true
		p.Content.NeedsText = everyRole()
		p.Tools.ObjectArguments = true
	},
}

var miniMaxAnthropic = definition{
	name:   "minimax-anthropic",
	format: &anthropic,
	rules:  map[rule.Problem]string{rule.SystemLate: "minimax/system-role"},
	change: func(p *Profile) {
		otherVendor(p)
		p.System.Placement = SystemLeading
	},
	models: otherVendorModels,
}
