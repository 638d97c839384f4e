package provider

import (
	"cmp"
	"iter"
	"maps"
	"slices"

	"github.com/go-preflight/preflight/rule/problems"
)

// This file is the settings of fields that are more than a tag can say, and the rules that cannot
// be switched.

// special are the settings without a tag.
var special = []setting{
	knownRoles, neighbours,

	place(problems.SystemRefused, SystemRefused, SystemRefused, SystemLeading),
	place(problems.SystemLate, SystemLeading, SystemLeading, SystemAnywhere),
	place(problems.SystemAfter, SystemAfterUser, SystemMidway, SystemAnywhere),
	place(problems.SystemBefore, SystemMidway, SystemMidway, SystemAfterUser),

	itemIDs(problems.ItemID, func(to *Pattern, from Pattern) {
		to.Alphabet, to.Min = from.Alphabet, from.Min
	}),
	itemIDs(problems.ItemIDPrefix, func(to *Pattern, from Pattern) { to.Prefix = from.Prefix }),
	itemIDs(problems.ItemIDLength, func(to *Pattern, from Pattern) { to.Max = from.Max }),
}

// places orders the placements of system messages by how much they accept.
var places = []SystemPlacement{
	SystemAnywhere, SystemAfterUser, SystemMidway, SystemLeading, SystemRefused,
}

// place returns the setting of where system messages may be: the placements from one to another
// make the problem, and what accepts no more than they is freed to one that accepts more.
func place(problem problems.Problem, from, to, free SystemPlacement) setting {
	rank := func(s SystemPlacement) int { return slices.Index(places, s) }
	return setting{
		problem: problem,
		take: func(p, donor *Profile) {
			if rank(donor.System.Placement) > rank(p.System.Placement) {
				p.System.Placement = donor.System.Placement
			}
			p.System.Single = p.System.Single || donor.System.Single
		},
		free: func(p *Profile) {
			if rank(p.System.Placement) >= rank(from) {
				p.System.Placement, p.System.Single = free, false
			}
		},
		holds: func(p *Profile) bool {
			r := rank(p.System.Placement)
			return rank(from) <= r && r <= rank(to)
		},
	}
}

// knownRoles is the setting of the spellings of roles.
var knownRoles = setting{
	problem: problems.RoleUnknown,
	take: func(p, donor *Profile) {
		both := slices.Clone(donor.Roles)
		if len(p.Roles) > 0 {
			both = slices.DeleteFunc(both, func(r Role) bool { return !slices.Contains(p.Roles, r) })
		}
		p.Roles, p.AnyRole = both, p.AnyRole && donor.AnyRole
	},
	free: func(p *Profile) {
		p.AnyRole = true
		for _, r := range []Role{"developer", "function"} {
			if !slices.Contains(p.Roles, r) {
				p.Roles = append(slices.Clone(p.Roles), r)
			}
		}
	},
	holds: func(p *Profile) bool { return !p.AnyRole },
}

// neighbours is the setting of consecutive messages of one role. Where a format reads them as one
// turn, it does so still when they are accepted.
var neighbours = setting{
	problem: problems.Alternation,
	on:      func(p *Profile) { p.Turns.Neighbours = NeighboursMerged },
	take:    func(p, _ *Profile) { p.Turns.Neighbours = NeighboursMerged },
	free: func(p *Profile) {
		if p.Turns.Neighbours != NeighboursMerged {
			return
		}
		p.Turns.Neighbours = NeighboursApart
		name := cmp.Or(p.Format, p.Provider)
		if format, ok := ByName(name, ""); ok && format.Turns.Neighbours != NeighboursMerged {
			p.Turns.Neighbours = format.Turns.Neighbours
		}
	},
	holds: func(p *Profile) bool { return p.Turns.Neighbours == NeighboursMerged },
}

// itemIDs returns the setting of a part of the ids of items, which copied puts into a pattern.
func itemIDs(problem problems.Problem, copied func(to *Pattern, from Pattern)) setting {
	change := func(p *Profile, from map[string]Pattern, kinds iter.Seq[string]) {
		ids := maps.Clone(p.Items.IDs)
		for kind := range kinds {
			pattern := ids[kind]
			copied(&pattern, from[kind])
			if ids == nil {
				ids = map[string]Pattern{}
			}
			ids[kind] = pattern
		}
		p.Items.IDs = ids
	}
	return setting{
		problem: problem,
		take: func(p, donor *Profile) {
			change(p, donor.Items.IDs, maps.Keys(donor.Items.IDs))
		},
		free:  func(p *Profile) { change(p, nil, maps.Keys(p.Items.IDs)) },
		holds: func(p *Profile) bool { return len(p.Items.IDs) > 0 },
	}
}

// unswitched are the rules whose problem a profile has a field for, and that cannot be switched all
// the same.
var unswitched = map[string]string{
	"anthropic/messages-empty":     emptyList,
	"mistral/messages-empty":       emptyList,
	"openai-chat/messages-empty":   emptyList,
	"openai-responses/input-empty": emptyList,

	"mistral/system-null":             "empty messages are refused for all roles or for none",
	"openai-chat/role-unknown":        knownRole,
	"gemini/role-invalid":             knownRole,
	"moonshot/tool-call-id-not-found": paired,
	"groq/tool-fields":                paired,
	"anthropic/tool-result-missing":   paired,
	"mistral/duplicate-result-id":     paired,
	"deepseek/tool-result-missing":    paired,
	"cohere/tool-result-missing":      paired,

	"anthropic/cache-control-max4":          byRequest,
	"deepseek/reasoning-content-missing":    byRequest,
	"anthropic/thinking-signature-invalid":  byServer,
	"gemini/thought-signature-corrupt":      byServer,
	"openai-responses/item-needs-reasoning": byServer,

	"anthropic/server-tool-id-pattern":      byFormat,
	"openai-chat/arguments-not-json":        byFormat,
	"openai-chat/part-type":                 byFormat,
	"openai-responses/assistant-input-text": byFormat,
	"openai-responses/required-item-fields": byFormat,
	"openai-responses/unknown-item-field":   byFormat,
	"gemini/empty-part-data":                byFormat,
	"gemini/extra-field":                    byFormat,
	"gemini/function-response-object":       byFormat,
	"gemini/system-in-contents":             byFormat,
	"groq/unknown-property":                 byFormat,
}

// Why rules cannot be switched.
const (
	emptyList = "a history without messages is refused in any case"
	knownRole = "a role whose meaning is known is spelled as the provider spells it in any case"
	paired    = "calls and results are paired in any case"
	byRequest = "it depends on other members of the request"
	byServer  = "only the server that made the history can tell"
	byFormat  = "it is part of how the format is read and written"
)
