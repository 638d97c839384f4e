package preflight_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/rule"
)

// This file holds the profiles to their evidence: what a profile restricts, a rule of the catalogue shows, and not by inference
// alone.

// restrictions are the fields of a profile that make it refuse something, with the problem that a refusal is reported as.
var restrictions = []struct {
	field   string
	problem preflight.Problem
	set     func(p preflight.Profile) bool
}{
	{"FirstUser", preflight.ProblemFirstRole, func(p preflight.Profile) bool { return p.FirstUser }},
	{"Merge", preflight.ProblemAlternation, func(p preflight.Profile) bool { return p.Merge }},
	{"RefusePrefill", preflight.ProblemTrailingTurn, func(p preflight.Profile) bool { return p.RefusePrefill }},
	{"TrimPrefill", preflight.ProblemTrailingSpace, func(p preflight.Profile) bool { return p.TrimPrefill }},
	{"TextBeforeCalls", preflight.ProblemCallNotLast, func(p preflight.Profile) bool { return p.TextBeforeCalls }},
	{"BridgeResults", preflight.ProblemBridge, func(p preflight.Profile) bool { return p.BridgeResults }},
	{"OneCallPerMessage", preflight.ProblemParallelCalls, func(p preflight.Profile) bool { return p.OneCallPerMessage }},
	{"NamePattern", preflight.ProblemNamePattern, func(p preflight.Profile) bool { return p.NamePattern != preflight.Pattern{} }},
	{"System leading", preflight.ProblemSystemLate, func(p preflight.Profile) bool { return p.System == preflight.SystemLeading }},
	{"System after user", preflight.ProblemSystemAfter, func(p preflight.Profile) bool {
		return p.System == preflight.SystemMidway || p.System == preflight.SystemBehind
	}},
	{"System refused", preflight.ProblemSystemRefused, func(p preflight.Profile) bool { return p.System == preflight.SystemRefused }},
	{"RefuseEmptyMessage", preflight.ProblemEmptyMessage, func(p preflight.Profile) bool { return p.RefuseEmptyMessage }},
	{"RefuseHollow", preflight.ProblemEmptyMessage, func(p preflight.Profile) bool { return len(p.RefuseHollow) > 0 }},
	{"RefuseEmptyText", preflight.ProblemEmptyText, func(p preflight.Profile) bool { return p.RefuseEmptyText }},
	{"RefuseBlankText", preflight.ProblemBlankText, func(p preflight.Profile) bool { return p.RefuseBlankText }},
	{"RefusedKinds", preflight.ProblemKindRefused, func(p preflight.Profile) bool { return len(p.RefusedKinds) > 0 }},
	{"RefuseControls", preflight.ProblemControl, func(p preflight.Profile) bool { return p.RefuseControls }},
	{"CallID alphabet", preflight.ProblemIDPattern, func(p preflight.Profile) bool { return p.CallID.Alphabet != "" }},
	{"CallID length", preflight.ProblemIDLength, func(p preflight.Profile) bool { return p.CallID.Max > 0 }},
	{"ServerCallID", preflight.ProblemServerID, func(p preflight.Profile) bool { return p.ServerCallID.Prefix != "" && !p.NoServerTools }},
	{"UniqueIDs", preflight.ProblemIDDuplicate, func(p preflight.Profile) bool { return p.UniqueIDs != "" }},
	{"ToolName alphabet", preflight.ProblemToolName, func(p preflight.Profile) bool { return p.ToolName.Alphabet != "" }},
	{"ToolName length", preflight.ProblemNameLength, func(p preflight.Profile) bool { return p.ToolName.Max > 0 }},
	{"ReservedTools", preflight.ProblemToolReserved, func(p preflight.Profile) bool { return len(p.ReservedTools) > 0 }},
	{"ObjectArguments", preflight.ProblemArguments, func(p preflight.Profile) bool { return p.ObjectArguments }},
	{"ErrorNeedsText", preflight.ProblemErrorEmpty, func(p preflight.Profile) bool { return p.ErrorNeedsText }},
	{"ResultNeedsText", preflight.ProblemResultEmpty, func(p preflight.Profile) bool { return p.ResultNeedsText }},
	{"NoErrorFlag", preflight.ProblemErrorFlag, func(p preflight.Profile) bool { return p.NoErrorFlag }},
	{"NoTools", preflight.ProblemToolsRefused, func(p preflight.Profile) bool { return p.NoTools }},
	{"CallSignature", preflight.ProblemCallUnsigned, func(p preflight.Profile) bool { return p.CallSignature != "" }},
	{"RefuseReasoning", preflight.ProblemReasoningRefused, func(p preflight.Profile) bool { return p.RefuseReasoning }},
	{"SignedReasoning", preflight.ProblemUnsigned, func(p preflight.Profile) bool { return p.SignedReasoning }},
	{"BoundReasoning", preflight.ProblemReasoningBound, func(p preflight.Profile) bool { return p.BoundReasoning }},
	{"Replay", preflight.ProblemReasoningAbsent, func(p preflight.Profile) bool {
		return p.Replay == preflight.ReplayOnCalls || p.Replay == preflight.ReplayFromCalls
	}},
	{"Replay in text", preflight.ProblemReasoningBeside, func(p preflight.Profile) bool { return p.Replay == preflight.ReplayInText }},
	{"MediaRoles", preflight.ProblemMediaRole, func(p preflight.Profile) bool { return len(p.MediaRoles) > 0 }},
	{"ReadableMedia", preflight.ProblemMediaUnreadable, func(p preflight.Profile) bool { return p.ReadableMedia }},
	{"MatchMedia", preflight.ProblemMediaType, func(p preflight.Profile) bool { return p.MatchMedia }},
	{"MediaName", preflight.ProblemMediaName, func(p preflight.Profile) bool { return p.MediaName.Alphabet != "" }},
	{"MediaLimits", preflight.ProblemMediaLimit, func(p preflight.Profile) bool { return len(p.MediaLimits) > 0 }},
	{"UniqueMediaNames", preflight.ProblemMediaNameTwice, func(p preflight.Profile) bool { return p.UniqueMediaNames }},
	{"FileNeedsName", preflight.ProblemFileName, func(p preflight.Profile) bool { return p.FileNeedsName || p.DocumentNeedsName }},
	{"DocumentNeedsText", preflight.ProblemDocumentAlone, func(p preflight.Profile) bool { return p.DocumentNeedsText }},
	{"TextOnly", preflight.ProblemMediaRefused, func(p preflight.Profile) bool { return p.TextOnly }},
	{"FollowReasoning", preflight.ProblemReasoningAlone, func(p preflight.Profile) bool { return p.FollowReasoning && p.HoldsItems }},
	{"NeedReasoning", preflight.ProblemItemAlone, func(p preflight.Profile) bool { return len(p.NeedReasoning) > 0 }},
	{"CacheLimit", preflight.ProblemCacheLimit, func(p preflight.Profile) bool { return p.CacheLimit > 0 }},
	{"NoCacheReasoning", preflight.ProblemCacheReasoning, func(p preflight.Profile) bool { return p.NoCacheReasoning }},
	{"CacheLongFirst", preflight.ProblemCacheOrder, func(p preflight.Profile) bool { return p.CacheLongFirst }},
}

// TestRestrictionsHaveEvidence: each restriction of each profile, and of each row of the model table, comes from a rule that is
// recorded, reported or stated by the provider.
func TestRestrictionsHaveEvidence(t *testing.T) {
	profiles := append(preflight.Profiles(), preflight.Portable())
	for _, m := range preflight.Models() {
		p, ok := preflight.ProfileFor(m.Provider)
		require.True(t, ok, m.Provider)
		profiles = append(profiles, p.ForModel(strings.ReplaceAll(m.Pattern, "*", "")))
	}
	found := map[string]string{}
	for _, p := range profiles {
		for _, r := range restrictions {
			if !r.set(p) {
				continue
			}
			if why := lackOfEvidence(p.Rules[r.problem]); why != "" {
				found[p.Provider+" "+r.field] = why
			}
		}
	}
	var lines []string
	for name, why := range found {
		lines = append(lines, fmt.Sprintf("%s: %s", name, why))
	}
	slices.Sort(lines)
	require.Empty(t, lines, "these restrictions lack evidence; lift them:\n%s", strings.Join(lines, "\n"))
}

// lackOfEvidence says why a rule does not show what a profile restricts, "" when it does.
func lackOfEvidence(id string) string {
	r, ok := rule.ByID(id)
	switch {
	case id == "":
		return "no rule"
	case !ok:
		return "no such rule: " + id
	case r.Evidence.Kind == rule.Guessed:
		return id + " is inferred"
	}
	return ""
}
