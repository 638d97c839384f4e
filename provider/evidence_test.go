package provider_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule"
	"github.com/go-preflight/preflight/rule/problems"
)

// This file holds the profiles to their evidence: what a profile restricts, a rule of the catalogue
// shows, and not by inference alone.

// restrictions are what makes a profile refuse something: the settings that a switch of rules has,
// and what no switch is for.
var restrictions = append(slices.DeleteFunc(provider.Settings(), func(r provider.Setting) bool {
	return unlisted[r.Problem] != "" || places[r.Field] != ""
}), []provider.Setting{
	{"Cache.Limit", problems.CacheLimit, func(p *provider.Profile) bool { return p.Cache.Limit > 0 }},
	{"Reasoning.Bound", problems.ReasoningBound,
		func(p *provider.Profile) bool { return p.Reasoning.Bound }},
	{"Items.FollowReasoning", problems.ReasoningAlone,
		func(p *provider.Profile) bool { return p.Items.FollowReasoning }},
	{"Tools.FreeResultNames", problems.ResultName,
		func(p *provider.Profile) bool { return p.Pairing.ByName && !p.Tools.FreeResultNames }},
}...)

// places are the fields that say what a format has a place for, and what in their stead needs
// evidence.
var places = map[string]string{
	"Cache.Limit":     "a limit above 0",
	"Media.Kinds":     "Media.TextOnly",
	"Media.URLKinds":  "Media.TextOnly",
	"Media.FileKinds": "Media.TextOnly",
	"Media.NoURLs":    "Media.TextOnly",
	"Media.NoFiles":   "Media.TextOnly",
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

// TestRestrictionsHaveEvidence: each restriction of each profile, and of each row of the model
// table, comes from a rule that is recorded, reported or stated by the provider.
func TestRestrictionsHaveEvidence(t *testing.T) {
	profiles := append(provider.All(), provider.Portable())
	for _, m := range provider.Models() {
		p, ok := provider.ByName(m.Provider, strings.ReplaceAll(m.Pattern, "*", ""))
		require.True(t, ok, m.Provider)
		profiles = append(profiles, p)
	}
	found := map[string]string{}
	for _, p := range profiles {
		for _, r := range restrictions {
			if !r.Holds(p) {
				continue
			}
			if why := lackOfEvidence(p.Rules[r.Problem]); why != "" {
				found[p.Provider+" "+r.Field] = why
			}
		}
	}
	var lines []string
	for name, why := range found {
		lines = append(lines, fmt.Sprintf("%s: %s", name, why))
	}
	slices.Sort(lines)
	require.Empty(t, lines, "these restrictions lack evidence; lift them:\n%s",
		strings.Join(lines, "\n"))
}

// lackOfEvidence says why a rule does not show what a profile restricts, "" when it does.
func lackOfEvidence(id string) string {
	r, ok := rule.ByID(id)
	switch {
	case id == "":
		return "no rule"
	case !ok:
		return "no such rule: " + id
	case len(r.For) == 0:
		return id + " has no public source"
	case r.For[0].Kind == rule.Guessed:
		return id + " is inferred"
	}
	return ""
}
