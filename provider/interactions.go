package provider

import "github.com/go-preflight/preflight/rule/problems"

// GeminiInteractions returns the profile of Google's Interactions API for Gemini models, for a
// request whose input is a text, contents or steps. Package wire adjusts it to one with turns, and
// to one that continues an interaction, of which the provider holds an earlier part.
//
// Each step is one message. Hardly any refusal of this API is on record, so that the profile
// restricts what the API documents as required and little else.
func GeminiInteractions(model string) *Profile { return geminiInteractions.forModel(model) }

var geminiInteractions = definition{
	name: "gemini-interactions",
	base: interactionsBase,
	models: []row{
		{"gemini-2*", traits{noResultMedia}, srcResultSteps, "2026-11"},
	},
}

const srcResultSteps = "rule gemini-interactions/result-media and its sources"

func interactionsBase() Profile {
	return Profile{
		Roles: []Role{"system", "user", "assistant", "tool"},
		System: SystemRules{
			Placement: SystemLeading,
		},
		IDs: IDRules{
			Call: Pattern{Min: 1},
		},
		Content: ContentRules{
			NeedsText: []Role{"system"}, // an instruction without text is read as none
		},
		Turns: TurnRules{
			Neighbours: NeighboursJoined,
		},
		Pairing: PairingRules{
			ResultRole:          "tool",
			OneResultPerMessage: true,
			Results:             ResultsAnywhere,
		},
		Tools: ToolRules{
			ObjectArguments: true,
			NoServerTools:   true,
		},
		Media: MediaRules{
			Roles:    []Role{"user", "assistant", "tool"},
			InResult: true,
		},
		Items: ItemRules{
			OnePartPerMessage: true,
		},
		Cache: CacheRules{
			Limit: NoCache,
		},
		Rules: map[problems.Problem]string{
			problems.Dangling:        "gemini-interactions/result-missing",
			problems.Orphan:          "gemini-interactions/result-orphan",
			problems.DuplicateResult: "gemini-interactions/result-orphan",
			problems.IDPattern:       "gemini-interactions/required-members",
			problems.NameLength:      "gemini-interactions/required-members",
			problems.Arguments:       "gemini-interactions/required-members",
			problems.RoleUnknown:     "gemini-interactions/roles",
			problems.SystemLate:      "gemini-interactions/roles",
			problems.SystemContent:   "gemini-interactions/roles",
			problems.EmptyMessage:    "gemini-interactions/roles", // of NeedsText: system's alone
			problems.MediaRole:       "gemini-interactions/roles",
			problems.MediaInResult:   "gemini-interactions/result-media",
		},
	}
}
