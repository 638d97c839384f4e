package provider

import "github.com/go-preflight/preflight/rule/problems"

// MiniMax returns the profile of the MiniMax API, which wants arguments to be JSON. Sources say
// that instructions alone are refused. The first turn is the user's here, since a turn inserted
// before others later would rewrite what was sent.
func MiniMax(model string) *Profile { return miniMax.forModel(model) }

var miniMax = definition{
	name:   "minimax",
	format: &openAIChat,
	base:   chatHost,
	rules: map[problems.Problem]string{
		problems.NoMessages:     "minimax/content-empty",
		problems.FirstRole:      "minimax/content-empty",
		problems.SystemLate:     "minimax/system-role",
		problems.Alternation:    "minimax/system-role", // of leading system messages
		problems.EmptyMessage:   "minimax/content-empty",
		problems.SystemContent:  "minimax/content-empty",
		problems.ResultEmpty:    "minimax/content-empty",
		problems.Dangling:       "minimax/tool-result-order",
		problems.ResultNotFirst: "minimax/tool-result-order",
		problems.Orphan:         "minimax/tool-result-order",
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
	rules:  map[problems.Problem]string{problems.SystemLate: "minimax/system-role"},
	change: func(p *Profile) {
		otherVendor(p)
		p.System.Placement = SystemLeading
	},
	models:  otherVendorModels,
	aliases: true,
}
