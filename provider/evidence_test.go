package provider

import (
	"slices"

	"github.com/go-preflight/preflight/rule/problems"
)

// This file lists what the tests of evidence are about.

// restrictions are what makes a profile refuse something: the settings that a switch of rules has,
// and what no switch is for.
var restrictions = append(slices.DeleteFunc(slices.Clone(settings()), func(r setting) bool {
	return unlisted[r.problem] != "" || placed[r.field] != ""
}), []setting{
	{field: "Cache.Limit", problem: problems.CacheLimit,
		holds: func(p *Profile) bool { return p.Cache.Limit > 0 }},
	{field: "Reasoning.Bound", problem: problems.ReasoningBound,
		holds: func(p *Profile) bool { return p.Reasoning.Bound }},
	{field: "Items.FollowReasoning", problem: problems.ReasoningAlone,
		holds: func(p *Profile) bool { return p.Items.FollowReasoning }},
	{field: "Tools.FreeResultNames", problem: problems.ResultName,
		holds: func(p *Profile) bool { return p.Pairing.ByName && !p.Tools.FreeResultNames }},
}...)

// placed are the fields that say what a format has a place for: they restrict, and need no evidence.
var placed = map[string]string{
	"Cache.Limit":     "a limit above 0",
	"Media.Kinds":     "as listed",
	"Media.URLKinds":  "as listed",
	"Media.FileKinds": "as listed",
	"Media.NoURLs":    "Ollama's own format has no place for one",
	"Media.NoFiles":   "as Media.NoURLs",
}

// unlisted are the problems whose settings need no evidence, and why.
var unlisted = map[problems.Problem]string{
	problems.NoMessages:    "an empty list has no repair that needs evidence",
	problems.RoleUnknown:   "a role is spelled as the provider spells it in any case",
	problems.SystemBefore:  "it goes with SystemAfter",
	problems.ServerRefused: "a format without such calls has no place for one",
	problems.OpaqueEmpty:   "results of the provider's own tools come from it",
	problems.Foreign:       "only the server that made a signature can tell",
	problems.ItemID:        "items have ids as the format has them",
	problems.ItemIDPrefix:  "items have ids as the format has them",
	problems.ItemIDLength:  "items have ids as the format has them",
}
