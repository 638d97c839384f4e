package provider

import "github.com/go-preflight/preflight/rule/problems"

// GLM returns the profile of Zhipu's API, which answers every defect of structure with the same
// error: all of them are repaired.
func GLM(model string) *Profile { return glm.forModel(model) }

var glm = definition{
	name:   "glm",
	format: &openAIChat,
	base:   chatHost,
	rules: map[problems.Problem]string{
		problems.NoMessages:     glmInvalid,
		problems.FirstRole:      glmInvalid,
		problems.Alternation:    "glm/alternation",
		problems.EmptyMessage:   glmInvalid,
		problems.SystemContent:  glmInvalid,
		problems.ResultEmpty:    glmInvalid,
		problems.Dangling:       glmInvalid,
		problems.ResultNotFirst: glmInvalid,
		problems.Orphan:         glmInvalid,
	},
	change: func(p *Profile) {
		p.Tools.Name = openAINames
		p.IDs.Call = Pattern{Optional: true}
		p.Pairing.ResultIDOptional = true // social-growth-studio/req_llm zai_coder tool_round_trip_2
		p.Turns.UserFirst = true
		p.Content.NeedsText = everyRole()
	},
	models: []row{
		{
			"glm-5*", traits{wantsTurns},
			"https://github.com/Lingtai-AI/lingtai-kernel/issues/70", "2026-05",
		},
	},
}

const glmInvalid = "glm/messages-invalid"

var glmAnthropic = definition{
	name:    "glm-anthropic",
	format:  &anthropic,
	change:  otherVendor,
	models:  otherVendorModels,
	aliases: true,
}
