package provider

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// TestMatchingRow: which names of models a pattern matches.
func TestMatchingRow(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		matches       bool
	}{
		{"a-1", "a-1", true},
		{"a-1", "a-12", false},
		{"a-1", "b-a-1", false},

		{"a-*", "a-", true},
		{"a-*", "a-1", true},
		{"a-*", "a", false},
		{"a-*", "b-a-1", false},
		{"*-b", "a-b", true},
		{"*-b", "a-b-c", false},
		{"*b*", "abc", true},
		{"*b*", "acd", false},
		{"a*b*c", "a-b-c", true},
		{"a*b*c", "a-c-b", false},
		{"a*b*c", "abc", true},
		{"a*bb*b", "abb", false},

		{"a-1", " A-1 ", true},
		{"a-1", "house/a-1", true},
		{"a-1", "models/house/a-1", true},
		{"a-1", "a-1/house", false},
		{"a-1", "us.anthropic.a-1", true},
		{"a-1", "anthropic.a-1", true},
		{"a-1-2", "a-1.2", true},
		{"*/*", "house/a-1", true},
		{"*/*", "a-1", false},
	} {
		rows := []row{{pattern: c.pattern, source: "first"}, {pattern: "*", source: "second"}}
		want := "second"
		if c.matches {
			want = "first"
		}
		require.Equal(t, want, matchingRow(rows, c.name).source, "%s, %s", c.pattern, c.name)
	}
	require.Nil(t, matchingRow([]row{{pattern: "*"}}, " "))
	require.Nil(t, matchingRow([]row{{pattern: "a"}}, "b"))
}

// TestForModel: the traits of the first row that matches are applied in order, those of a dialect
// before those of its format.
func TestForModel(t *testing.T) {
	format := definition{
		name: "format",
		base: func() Profile { return Profile{Turns: TurnRules{UserFirst: true}} },
		models: []row{
			{pattern: "a", traits: traits{refusesPrefill, takesPrefill, refusesReasoning}},
			{pattern: "*", traits: traits{readsText}},
		},
	}
	dialect := definition{
		name:   "dialect",
		format: &format,
		change: func(p *Profile) { p.Prefill.Trim = true },
		models: []row{{pattern: "b"}},
	}
	for _, c := range []struct {
		from  *definition
		model string
		want  Profile
	}{
		{&format, "", Profile{Provider: "format"}},
		{&format, "a", Profile{Provider: "format", Reasoning: ReasoningRules{Refused: true}}},
		{&format, "c", Profile{Provider: "format", Media: MediaRules{TextOnly: true}}},
		{&dialect, "", Profile{Provider: "dialect"}},
		{&dialect, "a", Profile{Provider: "dialect", Reasoning: ReasoningRules{Refused: true}}},
		{&dialect, "b", Profile{Provider: "dialect"}},
		{&dialect, "c", Profile{Provider: "dialect", Media: MediaRules{TextOnly: true}}},
	} {
		c.want.Model, c.want.Turns.UserFirst = c.model, true
		if c.from == &dialect {
			c.want.Format, c.want.Prefill.Trim = "format", true
		}
		require.Empty(t, cmp.Diff(c.want, *c.from.forModel(c.model)), "%s %s", c.want.Provider,
			c.model)
	}
}

// TestTraits: each trait changes what its comment names, and nothing else.
func TestTraits(t *testing.T) {
	from := Profile{
		Roles:     []Role{"user", "function"},
		System:    SystemRules{Placement: SystemRefused, Directives: []string{"d"}},
		Turns:     TurnRules{TextBeforeCalls: true},
		Prefill:   PrefillRules{Refused: true},
		Reasoning: ReasoningRules{Replay: ReplayOnCalls},
		Media:     MediaRules{InResult: true, Kinds: []string{"image", "audio"}},
		Items:     ItemRules{NeedReasoning: []string{"call"}},
		Content:   ContentRules{BlankBeside: []Role{"user"}},
	}
	for name, c := range map[string]struct {
		trait  trait
		change func(p *Profile)
	}{
		"leadingSystem": {leadingSystem,
			func(p *Profile) { p.System.Placement = SystemLeading }},
		"midwaySystem": {midwaySystem,
			func(p *Profile) { p.System.Placement = SystemMidway }},
		"refusesSystem":    {refusesSystem, func(p *Profile) { p.System.Directives = nil }},
		"wantsUserFirst":   {wantsUserFirst, func(p *Profile) { p.Turns.UserFirst = true }},
		"refusesReasoning": {refusesReasoning, func(p *Profile) { p.Reasoning.Refused = true }},
		"bindsReasoning":   {bindsReasoning, func(p *Profile) { p.Reasoning.Bound = true }},
		"thinksWhenAsked": {thinksWhenAsked,
			func(p *Profile) { p.Reasoning.Default = ThinkingOff }},
		"thinksUnasked": {thinksUnasked,
			func(p *Profile) { p.Reasoning.Default = ThinkingAdaptive }},
		"replaysCalls": {replaysCalls,
			func(p *Profile) { p.Reasoning.Replay = ReplayFromCalls }},
		"replaysInText": {replaysInText,
			func(p *Profile) { p.Reasoning.Replay = ReplayInText }},
		"needsNoReplay": {needsNoReplay, func(p *Profile) { p.Reasoning.Replay = ReplayFree }},
		"readsText":     {readsText, func(p *Profile) { p.Media.TextOnly = true }},
		"readsImages": {readsImages,
			func(p *Profile) { p.Media.Kinds = []string{"image", "document"} }},
		"noResultMedia": {noResultMedia, func(p *Profile) { p.Media.InResult = false }},
		"onlyResultDocuments": {onlyResultDocuments,
			func(p *Profile) { p.Media.ResultKinds = []string{"document"} }},
		"noResultVideo": {noResultVideo,
			func(p *Profile) { p.Media.ResultKinds = []string{"image", "document"} }},
		"signsCalls": {signsCalls,
			func(p *Profile) { p.Tools.CallSignature = "skip_thought_signature_validator" }},
		"noErrorFlags": {noErrorFlags, func(p *Profile) { p.Tools.NoErrorFlag = true }},
		"refusesTools": {refusesTools, func(p *Profile) { p.Tools.NoTools = true }},
		"callsOneByOne": {callsOneByOne,
			func(p *Profile) { p.Pairing.OneCallPerMessage = true }},
		"noCaching":    {noCaching, func(p *Profile) { p.Cache.Limit = NoCache }},
		"neverReasons": {neverReasons, func(p *Profile) { p.Items.NeedReasoning = nil }},
		"freeItems":    {freeItems, func(p *Profile) { p.Items.NeedReasoning = nil }},
		"freeIDs":      {freeIDs, func(p *Profile) { p.IDs.Call = Pattern{Min: 1} }},
		"userResults":  {userResults, func(p *Profile) { p.Roles = []Role{"user"} }},
		"noTextAfterResults": {noTextAfterResults,
			func(p *Profile) { p.Turns.NoTextAfterResults = true }},
		"refusesBlank": {refusesBlank, func(p *Profile) { p.Content.BlankBeside = nil }},
		"takesPrefill": {takesPrefill, func(p *Profile) { p.Prefill.Refused = false }},
		"wantsTurns":   {wantsTurns, func(p *Profile) { p.Turns.Neighbours = NeighboursMerged }},
		"alternates": {alternates,
			func(p *Profile) { p.Turns.Neighbours, p.Turns.UserFirst = NeighboursMerged, true }},
		"claude": {claude, func(p *Profile) {
			p.Turns.Neighbours, p.Prefill.Trim = NeighboursJoined, true
			p.Turns.BridgeDocuments = true
			p.IDs.Call = Pattern{Alphabet: WordChars, Min: 1, Max: 64}
			p.IDs.ServerCall, p.IDs.Unique = p.IDs.Call, ScopeHistory
			p.Reasoning.Signed, p.Reasoning.SignatureAlphabet = true, Base64
			p.Media.Kinds, p.Media.NoFiles = []string{"image", "document"}, true
			p.Media.Readable, p.Media.MatchType = true, true
			p.Content.ErrorTextOnly = true
		}},
		"noSignatures": {noSignatures, func(p *Profile) { p.Reasoning.NoSignature = true }},
		"noResultImages": {noResultImages,
			func(p *Profile) { p.Media.ResultKinds = []string{"document", "video"} }},
		"fourBreakpoints": {fourBreakpoints, func(p *Profile) { p.Cache.Limit = 4 }},
		"reservesSearch":  {reservesSearch, func(p *Profile) { p.Tools.Reserved = []string{"search"} }},
	} {
		got, want := from, from
		c.trait(&got)
		c.change(&want)
		require.Empty(t, cmp.Diff(want, got), name)
		require.NotEmpty(t, cmp.Diff(from, got), name)
	}
	lenient := Profile{Media: MediaRules{MatchType: true}}
	refusesPrefill(&lenient)
	takesMislabelled(&lenient)
	require.Empty(t, cmp.Diff(Profile{Prefill: PrefillRules{Refused: true}}, lenient))
}
