package preflight_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/provider"
)

// TestModelPatterns: what a pattern of the table stands for, and which part of a name counts.
func TestModelPatterns(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		matches       bool
	}{
		{"a-1", "a-1", true}, {"a-1", "a-12", false}, {"a-1", "b-a-1", false},
		{"a-*", "a-", true}, {"a-*", "a-1", true}, {"a-*", "a", false}, {"a-*", "b-a-1", false},
		{"*-b", "a-b", true}, {"*-b", "a-b-c", false}, {"*b*", "abc", true}, {"*b*", "acd", false},
		{"a*b*c", "a-b-c", true}, {"a*b*c", "a-c-b", false}, {"a*b*c", "abc", true}, {"a*bb*b", "abb", false},
		{"a-1", " A-1 ", true}, {"a-1", "house/a-1", true}, {"a-1", "models/house/a-1", true}, {"a-1", "a-1/house", false},
		{"a-1", "us.anthropic.a-1", true}, {"a-1", "anthropic.a-1", true}, {"a-1-2", "a-1.2", true},
	} {
		table := []provider.Model{
			{Provider: "other", Pattern: "*", Traits: []provider.Trait{provider.NoCaching}},
			{
				Provider: "mine",
				Pattern:  c.pattern,
				Traits:   []provider.Trait{provider.RefusesReasoning, provider.NoErrorFlags},
			},
			{Provider: "mine", Pattern: "*", Traits: []provider.Trait{provider.JoinsTurns}},
		}
		got := preflight.Profile{
			Provider: "mine",
			Turns:    provider.TurnRules{Merge: true},
		}.ForModelIn(
			table,
			c.name,
		)
		want := preflight.Profile{
			Provider:  "mine",
			Model:     c.name,
			Turns:     provider.TurnRules{Merge: c.matches},
			Tools:     provider.ToolRules{NoErrorFlag: c.matches},
			Reasoning: provider.ReasoningRules{Refused: c.matches},
		}
		require.Empty(t, cmp.Diff(want, got), "%s, %s", c.pattern, c.name)
	}
}

// TestTraits: each trait changes what it is about, and nothing else.
func TestTraits(t *testing.T) {
	test := func(from preflight.Profile, trait provider.Trait, change func(*preflight.Profile)) {
		table := []provider.Model{{Provider: "p", Pattern: "m", Traits: []provider.Trait{trait}}}
		want := from
		want.Model = "m"
		change(&want)
		require.Empty(t, cmp.Diff(want, from.ForModelIn(table, "m")), string(trait))
	}
	strict := preflight.Profile{
		Provider: "p",
		Roles:    []preflight.Role{preflight.RoleUser, "function"},
		System: provider.SystemRules{
			Placement:  provider.SystemLeading,
			Directives: []string{"d"},
		},
		Turns: provider.TurnRules{
			TextBeforeCalls: true,
			Merge:           true,
		},
		Prefill: provider.PrefillRules{
			Refused: true,
		},
		Tools: provider.ToolRules{
			CallSignature: "s",
		},
		Reasoning: provider.ReasoningRules{
			Replay: provider.ReplayOnCalls,
		},
		Media: provider.MediaRules{
			InResult: true,
			Kinds:    []string{"image", "audio"},
		},
		Items: provider.ItemRules{
			NeedReasoning: []string{"call"},
		},
	}
	for trait, change := range map[provider.Trait]func(*preflight.Profile){
		provider.TakesPrefill:     func(p *preflight.Profile) { p.Prefill.Refused, p.Turns.TextBeforeCalls = false, false },
		provider.TakesSystem:      func(p *preflight.Profile) { p.System.Placement = provider.SystemMidway },
		provider.RefusesSystem:    func(p *preflight.Profile) { p.System.Placement, p.System.Directives = provider.SystemRefused, nil },
		provider.ThinksWhenAsked:  func(p *preflight.Profile) { p.Reasoning.Default = provider.ThinkingOff },
		provider.ThinksUnasked:    func(p *preflight.Profile) { p.Reasoning.Default = provider.ThinkingAdaptive },
		provider.BindsReasoning:   func(p *preflight.Profile) { p.Reasoning.Bound = true },
		provider.RefusesReasoning: func(p *preflight.Profile) { p.Reasoning.Refused = true },
		provider.NoErrorFlags:     func(p *preflight.Profile) { p.Tools.NoErrorFlag = true },
		provider.NoCaching:        func(p *preflight.Profile) { p.Cache.Limit = provider.NoCache },
		provider.NeverReasons:     func(p *preflight.Profile) { p.Items.NeedReasoning = nil },
		provider.JoinsTurns:       func(p *preflight.Profile) { p.Turns.Merge = false },
		provider.SignedCalls:      func(p *preflight.Profile) { p.Tools.CallSignature = "skip_thought_signature_validator" },
		provider.UserResults:      func(p *preflight.Profile) { p.Roles = []preflight.Role{preflight.RoleUser} },
		provider.SplitResults:     func(p *preflight.Profile) { p.Turns.NoTextAfterResults = true },
		provider.PlainResults:     func(p *preflight.Profile) { p.Media.InResult = false },
		provider.ReadsText:        func(p *preflight.Profile) { p.Media.TextOnly = true },
		provider.FreeIDs:          func(p *preflight.Profile) { p.IDs.Call = provider.Pattern{Min: 1} },
		provider.ReplaysCalls:     func(p *preflight.Profile) { p.Reasoning.Replay = provider.ReplayFromCalls },
		provider.NoResultVideo:    func(p *preflight.Profile) { p.Media.ResultKinds = []string{"image", "document"} },
		provider.RefusesBlank:     func(p *preflight.Profile) { p.Content.BlankBeside = nil },
		provider.UserFirst:        func(p *preflight.Profile) { p.Turns.UserFirst = true },
		provider.ThinksAsClaude: func(p *preflight.Profile) {
			p.Turns.Joined = true
			p.Prefill.Refused, p.Prefill.Trim, p.Turns.TextBeforeCalls = true, true, true
			p.IDs.Call = provider.Pattern{Alphabet: provider.WordChars, Min: 1, Max: 64}
			p.IDs.ServerCall, p.IDs.Unique = p.IDs.Call, provider.ScopeHistory
			p.Reasoning.Signed, p.Reasoning.SignatureAlphabet = true, provider.Base64
			p.Media.Kinds, p.Media.NoFiles = []string{"image", "document"}, true
			p.Media.Readable, p.Media.MatchType = true, true
		},
		provider.ReadsImages:    func(p *preflight.Profile) { p.Media.Kinds = []string{"image", "document"} },
		provider.WantsTurns:     func(p *preflight.Profile) { p.Turns.Merge, p.Turns.Joined = true, true },
		provider.KnowsNoTools:   func(p *preflight.Profile) { p.Tools.NoTools = true },
		provider.CallsOneByOne:  func(p *preflight.Profile) { p.Pairing.OneCallPerMessage = true },
		provider.DemandsNothing: func(p *preflight.Profile) { p.Reasoning.Replay = provider.ReplayFree },
	} {
		test(strict, trait, change)
	}
	lenient := preflight.Profile{Provider: "p"}
	for trait, change := range map[provider.Trait]func(*preflight.Profile){
		provider.RefusesPrefill: func(p *preflight.Profile) { p.Prefill.Refused = true },
		provider.Alternates:     func(p *preflight.Profile) { p.Turns.Merge, p.Turns.UserFirst, p.Prefill.Refused = true, true, true },
		"nobody-knows":          func(*preflight.Profile) {},
	} {
		test(lenient, trait, change)
	}
}
