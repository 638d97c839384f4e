package preflight_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule"
)

// This file holds the profiles to their evidence: what a profile restricts, a rule of the catalogue
// shows, and not by inference alone.

// restrictions are the fields of a profile that make it refuse something, with the problem that a
// refusal is reported as.
var restrictions = []struct {
	field   string
	problem preflight.Problem
	set     func(p preflight.Profile) bool
}{
	{"FirstUser", rule.FirstRole, func(p preflight.Profile) bool { return p.Turns.UserFirst }},
	{"Merge", rule.Alternation, func(p preflight.Profile) bool { return p.Turns.Neighbours == provider.NeighboursMerged }},
	{
		"RefusePrefill",
		rule.TrailingTurn,
		func(p preflight.Profile) bool { return p.Prefill.Refused },
	},
	{"TrimPrefill", rule.TrailingSpace, func(p preflight.Profile) bool { return p.Prefill.Trim }},
	{
		"TextBeforeCalls",
		rule.CallNotLast,
		func(p preflight.Profile) bool { return p.Turns.TextBeforeCalls },
	},
	{"BridgeResults", rule.Bridge, func(p preflight.Profile) bool { return p.Turns.BridgeResults }},
	{
		"OneCallPerMessage",
		rule.ParallelCalls,
		func(p preflight.Profile) bool { return p.Pairing.OneCallPerMessage },
	},
	{
		"NamePattern",
		rule.NamePattern,
		func(p preflight.Profile) bool { return p.IDs.Participant != provider.Pattern{} },
	},
	{
		"System leading",
		rule.SystemLate,
		func(p preflight.Profile) bool { return p.System.Placement == provider.SystemLeading },
	},
	{"System after user", rule.SystemAfter, func(p preflight.Profile) bool {
		return p.System.Placement == provider.SystemMidway ||
			p.System.Placement == provider.SystemAfterUser
	}},
	{
		"System refused",
		rule.SystemRefused,
		func(p preflight.Profile) bool { return p.System.Placement == provider.SystemRefused },
	},
	{
		"RefuseEmptyMessage",
		rule.EmptyMessage,
		func(p preflight.Profile) bool { return p.Content.RefuseEmptyMessage },
	},
	{
		"RefuseHollow",
		rule.EmptyMessage,
		func(p preflight.Profile) bool { return len(p.Content.NeedsText) > 0 },
	},
	{
		"RefuseEmptyText",
		rule.EmptyText,
		func(p preflight.Profile) bool { return p.Content.RefuseEmptyText },
	},
	{
		"RefuseBlankText",
		rule.BlankText,
		func(p preflight.Profile) bool { return p.Content.RefuseBlankText },
	},
	{
		"RefusedKinds",
		rule.KindRefused,
		func(p preflight.Profile) bool { return len(p.Content.RefusedKinds) > 0 },
	},
	{
		"RefuseControls",
		rule.Control,
		func(p preflight.Profile) bool { return p.Content.RefuseControls },
	},
	{
		"CallID alphabet",
		rule.IDPattern,
		func(p preflight.Profile) bool { return p.IDs.Call.Alphabet != "" },
	},
	{"CallID length", rule.IDLength, func(p preflight.Profile) bool { return p.IDs.Call.Max > 0 }},
	{
		"ServerCallID",
		rule.ServerID,
		func(p preflight.Profile) bool { return p.IDs.ServerCall.Prefix != "" && !p.Tools.NoServerTools },
	},
	{"UniqueIDs", rule.IDDuplicate, func(p preflight.Profile) bool { return p.IDs.Unique != "" }},
	{
		"ToolName alphabet",
		rule.ToolName,
		func(p preflight.Profile) bool { return p.Tools.Name.Alphabet != "" },
	},
	{
		"ToolName length",
		rule.NameLength,
		func(p preflight.Profile) bool { return p.Tools.Name.Max > 0 },
	},
	{
		"ReservedTools",
		rule.ToolReserved,
		func(p preflight.Profile) bool { return len(p.Tools.Reserved) > 0 },
	},
	{
		"ObjectArguments",
		rule.Arguments,
		func(p preflight.Profile) bool { return p.Tools.ObjectArguments },
	},
	{
		"ErrorNeedsText",
		rule.ErrorEmpty,
		func(p preflight.Profile) bool { return p.Content.ErrorNeedsText },
	},
	{
		"ResultNeedsText",
		rule.ResultEmpty,
		func(p preflight.Profile) bool { return p.Content.ResultNeedsText },
	},
	{"NoErrorFlag", rule.ErrorFlag, func(p preflight.Profile) bool { return p.Tools.NoErrorFlag }},
	{"NoTools", rule.ToolsRefused, func(p preflight.Profile) bool { return p.Tools.NoTools }},
	{
		"CallSignature",
		rule.CallUnsigned,
		func(p preflight.Profile) bool { return p.Tools.CallSignature != "" },
	},
	{
		"RefuseReasoning",
		rule.ReasoningRefused,
		func(p preflight.Profile) bool { return p.Reasoning.Refused },
	},
	{
		"SignedReasoning",
		rule.Unsigned,
		func(p preflight.Profile) bool { return p.Reasoning.Signed },
	},
	{
		"BoundReasoning",
		rule.ReasoningBound,
		func(p preflight.Profile) bool { return p.Reasoning.Bound },
	},
	{"Replay", rule.ReasoningAbsent, func(p preflight.Profile) bool {
		return p.Reasoning.Replay == provider.ReplayOnCalls ||
			p.Reasoning.Replay == provider.ReplayFromCalls
	}},
	{
		"Replay in text",
		rule.ProblemReasoningBeside,
		func(p preflight.Profile) bool { return p.Reasoning.Replay == provider.ReplayInText },
	},
	{
		"MediaRoles",
		rule.MediaRole,
		func(p preflight.Profile) bool { return len(p.Media.Roles) > 0 },
	},
	{
		"ReadableMedia",
		rule.MediaUnreadable,
		func(p preflight.Profile) bool { return p.Media.Readable },
	},
	{"MatchMedia", rule.MediaType, func(p preflight.Profile) bool { return p.Media.MatchType }},
	{
		"MediaName",
		rule.MediaName,
		func(p preflight.Profile) bool { return p.Media.Title.Alphabet != "" },
	},
	{
		"MediaLimits",
		rule.MediaLimit,
		func(p preflight.Profile) bool { return len(p.Media.Limits) > 0 },
	},
	{
		"UniqueMediaNames",
		rule.MediaNameTwice,
		func(p preflight.Profile) bool { return p.Media.UniqueTitles },
	},
	{
		"FileNeedsName",
		rule.FileName,
		func(p preflight.Profile) bool { return p.Media.FileNeedsName || p.Media.DocumentNeedsTitle },
	},
	{
		"DocumentNeedsText",
		rule.DocumentAlone,
		func(p preflight.Profile) bool { return p.Media.DocumentNeedsText },
	},
	{"TextOnly", rule.MediaRefused, func(p preflight.Profile) bool { return p.Media.TextOnly }},
	{
		"FollowReasoning",
		rule.ReasoningAlone,
		func(p preflight.Profile) bool { return p.Items.FollowReasoning && p.Items.Held },
	},
	{
		"NeedReasoning",
		rule.ItemAlone,
		func(p preflight.Profile) bool { return len(p.Items.NeedReasoning) > 0 },
	},
	{"CacheLimit", rule.CacheLimit, func(p preflight.Profile) bool { return p.Cache.Limit > 0 }},
	{
		"NoCacheReasoning",
		rule.CacheReasoning,
		func(p preflight.Profile) bool { return p.Cache.NoReasoning },
	},
	{
		"CacheLongFirst",
		rule.CacheOrder,
		func(p preflight.Profile) bool { return p.Cache.LongFirst },
	},
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
			if !r.set(*p) {
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
	require.Empty(
		t,
		lines,
		"these restrictions lack evidence; lift them:\n%s",
		strings.Join(lines, "\n"),
	)
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
