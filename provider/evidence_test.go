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

type restriction struct {
	field   string
	problem problems.Problem
	set     func(p provider.Profile) bool
}

// restrictions are the fields of a profile that make it refuse something, with the problem that a
// refusal is reported as.
var restrictions = []restriction{
	{"Turns.UserFirst", problems.FirstRole, func(p provider.Profile) bool { return p.Turns.UserFirst }},
	{"Turns.Neighbours", problems.Alternation,
		func(p provider.Profile) bool { return p.Turns.Neighbours == provider.NeighboursMerged }},
	{"Prefill.Refused", problems.TrailingTurn,
		func(p provider.Profile) bool { return p.Prefill.Refused }},
	{"Prefill.Trim", problems.TrailingSpace, func(p provider.Profile) bool { return p.Prefill.Trim }},
	{"Turns.TextBeforeCalls", problems.CallNotLast,
		func(p provider.Profile) bool { return p.Turns.TextBeforeCalls }},
	{"Turns.ServedBeforeCalls", problems.CallBeforeServed,
		func(p provider.Profile) bool { return p.Turns.ServedBeforeCalls }},
	{"Turns.BridgeResults", problems.Bridge,
		func(p provider.Profile) bool { return p.Turns.BridgeResults }},
	{"Turns.BridgeDocuments", problems.BridgeDocument,
		func(p provider.Profile) bool { return p.Turns.BridgeDocuments }},
	{"Pairing.OneCallPerMessage", problems.ParallelCalls,
		func(p provider.Profile) bool { return p.Pairing.OneCallPerMessage }},
	{"IDs.Participant", problems.NamePattern,
		func(p provider.Profile) bool { return p.IDs.Participant != provider.Pattern{} }},
	{"System.Placement leading", problems.SystemLate,
		func(p provider.Profile) bool { return p.System.Placement == provider.SystemLeading }},
	{"System.Placement midway", problems.SystemAfter, func(p provider.Profile) bool {
		return p.System.Placement == provider.SystemMidway ||
			p.System.Placement == provider.SystemAfterUser
	}},
	{"System.Placement refused", problems.SystemRefused,
		func(p provider.Profile) bool { return p.System.Placement == provider.SystemRefused }},
	{"Content.RefuseEmptyMessage", problems.EmptyMessage,
		func(p provider.Profile) bool { return p.Content.RefuseEmptyMessage }},
	{"Content.NeedsText", problems.EmptyMessage,
		func(p provider.Profile) bool { return len(p.Content.NeedsText) > 0 }},
	{"Content.RefuseEmptyText", problems.EmptyText,
		func(p provider.Profile) bool { return p.Content.RefuseEmptyText }},
	{"Content.RefuseBlankText", problems.BlankText,
		func(p provider.Profile) bool { return p.Content.RefuseBlankText }},
	{"Content.RefusedKinds", problems.KindRefused,
		func(p provider.Profile) bool { return len(p.Content.RefusedKinds) > 0 }},
	{"Content.RefuseChannelTags", problems.ChannelTags,
		func(p provider.Profile) bool { return p.Content.RefuseChannelTags }},
	{"Content.RefuseControls", problems.Control,
		func(p provider.Profile) bool { return p.Content.RefuseControls }},
	{"IDs.Call alphabet", problems.IDPattern,
		func(p provider.Profile) bool { return p.IDs.Call.Alphabet != "" }},
	{"IDs.Call length", problems.IDLength, func(p provider.Profile) bool { return p.IDs.Call.Max > 0 }},
	{
		"IDs.ServerCall",
		problems.ServerID,
		func(p provider.Profile) bool {
			return p.IDs.ServerCall.Prefix != "" && !p.Tools.NoServerTools
		},
	},
	{"IDs.Unique", problems.IDDuplicate, func(p provider.Profile) bool { return p.IDs.Unique != "" }},
	{"Tools.Name alphabet", problems.ToolName,
		func(p provider.Profile) bool { return p.Tools.Name.Alphabet != "" }},
	{"Tools.Name length", problems.NameLength,
		func(p provider.Profile) bool { return p.Tools.Name.Max > 0 }},
	{"Tools.Reserved", problems.ToolReserved,
		func(p provider.Profile) bool { return len(p.Tools.Reserved) > 0 }},
	{"Tools.ObjectArguments", problems.Arguments,
		func(p provider.Profile) bool { return p.Tools.ObjectArguments }},
	{"Content.ErrorNeedsText", problems.ErrorEmpty,
		func(p provider.Profile) bool { return p.Content.ErrorNeedsText }},
	{"Content.ErrorTextOnly", problems.ErrorContent,
		func(p provider.Profile) bool { return p.Content.ErrorTextOnly }},
	{"Content.ResultNeedsText", problems.ResultEmpty,
		func(p provider.Profile) bool { return p.Content.ResultNeedsText }},
	{"Content.BareCalls", problems.EmptyMessage,
		func(p provider.Profile) bool { return len(p.Content.BareCalls) > 0 }},
	{"Tools.NoErrorFlag", problems.ErrorFlag,
		func(p provider.Profile) bool { return p.Tools.NoErrorFlag }},
	{"Tools.NoTools", problems.ToolsRefused, func(p provider.Profile) bool { return p.Tools.NoTools }},
	{"Tools.CallSignature", problems.CallUnsigned,
		func(p provider.Profile) bool { return p.Tools.CallSignature != "" }},
	{"Reasoning.Refused", problems.ReasoningRefused,
		func(p provider.Profile) bool { return p.Reasoning.Refused }},
	{"Reasoning.Signed", problems.Unsigned,
		func(p provider.Profile) bool { return p.Reasoning.Signed }},
	{"Reasoning.NoSignature", problems.SignatureRefused,
		func(p provider.Profile) bool { return p.Reasoning.NoSignature }},
	{"Reasoning.Bound", problems.ReasoningBound,
		func(p provider.Profile) bool { return p.Reasoning.Bound }},
	{"Reasoning.Replay", problems.ReasoningAbsent, func(p provider.Profile) bool {
		return p.Reasoning.Replay == provider.ReplayOnCalls ||
			p.Reasoning.Replay == provider.ReplayFromCalls
	}},
	{"Reasoning.Replay in text", problems.ReasoningBeside,
		func(p provider.Profile) bool { return p.Reasoning.Replay == provider.ReplayInText }},
	{"Media.Roles", problems.MediaRole,
		func(p provider.Profile) bool { return len(p.Media.Roles) > 0 }},
	{"Media.Readable", problems.MediaUnreadable,
		func(p provider.Profile) bool { return p.Media.Readable }},
	{"Media.Decodable", problems.MediaUnreadable,
		func(p provider.Profile) bool { return p.Media.Decodable }},
	{"Media.MatchType", problems.MediaType, func(p provider.Profile) bool { return p.Media.MatchType }},
	{"Media.Title", problems.MediaName,
		func(p provider.Profile) bool { return p.Media.Title.Alphabet != "" }},
	{"Media.Limits", problems.MediaLimit,
		func(p provider.Profile) bool { return len(p.Media.Limits) > 0 }},
	{"Media.UniqueTitles", problems.MediaNameTwice,
		func(p provider.Profile) bool { return p.Media.UniqueTitles }},
	{
		"Media.FileNeedsName",
		problems.FileName,
		func(p provider.Profile) bool {
			return p.Media.FileNeedsName || p.Media.DocumentNeedsTitle
		},
	},
	{"Media.DocumentNeedsText", problems.DocumentAlone,
		func(p provider.Profile) bool { return p.Media.DocumentNeedsText }},
	{"Media.TextOnly", problems.MediaRefused,
		func(p provider.Profile) bool { return p.Media.TextOnly }},
	{"Items.FollowReasoning", problems.ReasoningAlone,
		func(p provider.Profile) bool { return p.Items.FollowReasoning }},
	{"Items.NeedReasoning", problems.ItemAlone,
		func(p provider.Profile) bool { return len(p.Items.NeedReasoning) > 0 }},
	{"Turns.CallsAfterUser", problems.CallTurn,
		func(p provider.Profile) bool { return p.Turns.CallsAfterUser }},
	{"Turns.NoTextAfterResults", problems.TextAfterResult,
		func(p provider.Profile) bool { return p.Turns.NoTextAfterResults }},
	{"Tools.FreeResultNames", problems.ResultName,
		func(p provider.Profile) bool { return p.Pairing.ByName && !p.Tools.FreeResultNames }},
	{"Media.InResult", problems.MediaInResult,
		func(p provider.Profile) bool { return !p.Media.InResult || len(p.Media.ResultKinds) > 0 }},
	{"Cache.NoDocument", problems.CacheDocument,
		func(p provider.Profile) bool { return p.Cache.NoDocument }},
	{"Cache.Limit", problems.CacheLimit, func(p provider.Profile) bool { return p.Cache.Limit > 0 }},
	{"Cache.NoReasoning", problems.CacheReasoning,
		func(p provider.Profile) bool { return p.Cache.NoReasoning }},
	{"Cache.LongFirst", problems.CacheOrder,
		func(p provider.Profile) bool { return p.Cache.LongFirst }},
}

// unlisted are the problems that a setting is about and no restriction of this table, and why.
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

// TestRestrictionsListed: each problem that a setting is about is in the table of restrictions, or
// has a reason not to be: what could be switched needs evidence, too.
func TestRestrictionsListed(t *testing.T) {
	for _, problem := range provider.Switched() {
		listed := slices.ContainsFunc(restrictions, func(e restriction) bool {
			return e.problem == problem
		})
		require.NotEqual(t, listed, unlisted[problem] != "", problem)
	}
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
