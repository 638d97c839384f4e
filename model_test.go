package preflight_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
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
		table := []preflight.Model{
			{Provider: "other", Pattern: "*", Traits: []preflight.Trait{preflight.NoCaching}},
			{Provider: "mine", Pattern: c.pattern, Traits: []preflight.Trait{preflight.RefusesReasoning, preflight.NoErrorFlags}},
			{Provider: "mine", Pattern: "*", Traits: []preflight.Trait{preflight.JoinsTurns}},
		}
		got := preflight.Profile{Provider: "mine", Merge: true}.ForModelIn(table, c.name)
		want := preflight.Profile{Provider: "mine", Model: c.name, Merge: c.matches, RefuseReasoning: c.matches, NoErrorFlag: c.matches}
		require.Empty(t, cmp.Diff(want, got), "%s, %s", c.pattern, c.name)
	}
}

// TestTraits: each trait changes what it is about, and nothing else.
func TestTraits(t *testing.T) {
	test := func(from preflight.Profile, trait preflight.Trait, change func(*preflight.Profile)) {
		table := []preflight.Model{{Provider: "p", Pattern: "m", Traits: []preflight.Trait{trait}}}
		want := from
		want.Model = "m"
		change(&want)
		require.Empty(t, cmp.Diff(want, from.ForModelIn(table, "m")), string(trait))
	}
	strict := preflight.Profile{Provider: "p", RefusePrefill: true, TextBeforeCalls: true, System: preflight.SystemLeading, Directives: []string{"d"}, NeedReasoning: []string{"call"},
		Merge: true, CallSignature: "s", Roles: []preflight.Role{preflight.RoleUser, "function"}, MediaInResult: true, MediaKinds: []string{"image", "audio"}, Replay: preflight.ReplayOnCalls}
	for trait, change := range map[preflight.Trait]func(*preflight.Profile){
		preflight.TakesPrefill:     func(p *preflight.Profile) { p.RefusePrefill, p.TextBeforeCalls = false, false },
		preflight.TakesSystem:      func(p *preflight.Profile) { p.System = preflight.SystemMidway },
		preflight.RefusesSystem:    func(p *preflight.Profile) { p.System, p.Directives = preflight.SystemRefused, nil },
		preflight.ThinksWhenAsked:  func(p *preflight.Profile) { p.DefaultThinking = preflight.ThinkingOff },
		preflight.ThinksUnasked:    func(p *preflight.Profile) { p.DefaultThinking = preflight.ThinkingAdaptive },
		preflight.BindsReasoning:   func(p *preflight.Profile) { p.BoundReasoning = true },
		preflight.RefusesReasoning: func(p *preflight.Profile) { p.RefuseReasoning = true },
		preflight.NoErrorFlags:     func(p *preflight.Profile) { p.NoErrorFlag = true },
		preflight.NoCaching:        func(p *preflight.Profile) { p.CacheLimit = preflight.NoCache },
		preflight.NeverReasons:     func(p *preflight.Profile) { p.NeedReasoning = nil },
		preflight.JoinsTurns:       func(p *preflight.Profile) { p.Merge = false },
		preflight.SignedCalls:      func(p *preflight.Profile) { p.CallSignature = "skip_thought_signature_validator" },
		preflight.UserResults:      func(p *preflight.Profile) { p.Roles = []preflight.Role{preflight.RoleUser} },
		preflight.SplitResults:     func(p *preflight.Profile) { p.NoTextAfterResults = true },
		preflight.PlainResults:     func(p *preflight.Profile) { p.MediaInResult = false },
		preflight.ReadsText:        func(p *preflight.Profile) { p.TextOnly = true },
		preflight.FreeIDs:          func(p *preflight.Profile) { p.CallID = preflight.Pattern{Min: 1} },
		preflight.ReplaysCalls:     func(p *preflight.Profile) { p.Replay = preflight.ReplayFromCalls },
		preflight.NoResultVideo:    func(p *preflight.Profile) { p.ResultKinds = []string{"image", "document"} },
		preflight.RefusesBlank:     func(p *preflight.Profile) { p.BlankBeside = nil },
		preflight.UserFirst:        func(p *preflight.Profile) { p.FirstUser = true },
		preflight.ThinksAsClaude: func(p *preflight.Profile) {
			p.JoinTurns = true
			p.RefusePrefill, p.TrimPrefill, p.TextBeforeCalls = true, true, true
			p.CallID = preflight.Pattern{Alphabet: preflight.WordChars, Min: 1, Max: 64}
			p.ServerCallID, p.UniqueIDs = p.CallID, preflight.ScopeHistory
			p.SignedReasoning, p.SignatureAlphabet = true, preflight.Base64
			p.MediaKinds, p.NoMediaFiles = []string{"image", "document"}, true
			p.ReadableMedia, p.MatchMedia = true, true
		},
		preflight.ReadsImages:    func(p *preflight.Profile) { p.MediaKinds = []string{"image", "document"} },
		preflight.WantsTurns:     func(p *preflight.Profile) { p.Merge, p.JoinTurns = true, true },
		preflight.KnowsNoTools:   func(p *preflight.Profile) { p.NoTools = true },
		preflight.CallsOneByOne:  func(p *preflight.Profile) { p.OneCallPerMessage = true },
		preflight.DemandsNothing: func(p *preflight.Profile) { p.Replay = preflight.ReplayFree },
	} {
		test(strict, trait, change)
	}
	lenient := preflight.Profile{Provider: "p"}
	for trait, change := range map[preflight.Trait]func(*preflight.Profile){
		preflight.RefusesPrefill: func(p *preflight.Profile) { p.RefusePrefill = true },
		preflight.Alternates:     func(p *preflight.Profile) { p.Merge, p.FirstUser, p.RefusePrefill = true, true, true },
		"nobody-knows":           func(*preflight.Profile) {},
	} {
		test(lenient, trait, change)
	}
}
