package provider_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule"
	"github.com/go-preflight/preflight/rule/problems"
)

func TestReadMeasured(t *testing.T) {
	m, err := provider.ReadMeasured([]byte(`{"version": 1, "provider": "mistral",
		"model": "acme-7b*", "against": "http://localhost:8000", "date": "2026-11-25T21:00:00Z",
		"enforced": ["chat-template/alternation", "chat-template/alternation-mistral3"],
		"lifted": ["mistral/tool-call-id"], "refused": ["openai-chat/tool-result-missing"]}`))
	require.NoError(t, err)
	p := m.Profile("acme-7b-instruct")
	require.Equal(t, provider.NeighboursMerged, p.Turns.Neighbours)
	require.True(t, p.Turns.BridgeResults)
	require.True(t, p.IDs.Call.Matches("call_with_any_form"))
	require.Equal(t, "chat-template/alternation", p.RuleID(problems.Alternation))
	require.Equal(t, "mistral/last-role", p.RuleID(problems.TrailingTurn), "what the base says stays")
	require.Equal(t, provider.Mistral("other"), m.Profile("other"), "the model is not covered")

	written, err := json.Marshal(m)
	require.NoError(t, err)
	again, err := provider.ReadMeasured(written)
	require.NoError(t, err)
	require.Equal(t, m, again)
}

func TestReadMeasuredErrors(t *testing.T) {
	for name, c := range map[string]struct{ in, member string }{
		"no JSON":          {`{`, ""},
		"no object":        {`[]`, ""},
		"more":             {`{"version": 1, "provider": "mistral"} {}`, ""},
		"version":          {`{"version": 2, "provider": "mistral"}`, "version"},
		"no version":       {`{"provider": "mistral"}`, "version"},
		"unknown member":   {`{"version": 1, "provider": "mistral", "rules": []}`, "rules"},
		"another case":     {`{"Version": 1, "provider": "mistral"}`, "Version"},
		"twice":            {`{"version": 1, "version": 1, "provider": "mistral"}`, "version"},
		"wrong type":       {`{"version": "1", "provider": "mistral"}`, ""},
		"unknown provider": {`{"version": 1, "provider": "nobody"}`, "provider"},
		"unknown rule":     {`{"version": 1, "provider": "mistral", "enforced": ["a/b"]}`, "enforced[0]"},
		"pairing is lifted": {
			`{"version": 1, "provider": "mistral", "lifted": ["mistral/call-result-count"]}`,
			"lifted[0]",
		},
		"on and off": {`{"version": 1, "provider": "mistral", "enforced": ["mistral/tool-call-id"],
			"lifted": ["mistral/tool-call-id"]}`, "lifted[0]"},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := provider.ReadMeasured([]byte(c.in))
			require.Nil(t, m)
			var wrong *provider.MeasuredError
			require.True(t, errors.As(err, &wrong), "%v", err)
			require.Equal(t, c.member, wrong.Member, "%v", err)
		})
	}
}

// TestSwitchErrors: what cannot be switched leaves the profile as it is.
func TestSwitchErrors(t *testing.T) {
	for _, id := range []string{"", "a/b", "openai-chat/tool-result-missing", "mistral/system-null"} {
		p := provider.OpenAIChat("")
		var wrong *provider.SwitchError
		require.ErrorAs(t, p.Enforce(id), &wrong)
		require.ErrorAs(t, p.Lift(id), &wrong)
		require.Equal(t, id, wrong.Rule)
		require.NotEmpty(t, wrong.Reason)
		require.Equal(t, provider.OpenAIChat(""), p)
	}
}

// TestSwitches: every rule that can be switched is one of the catalogue, and restricts what its
// lifting frees, on every profile.
func TestSwitches(t *testing.T) {
	for _, r := range rule.All() {
		if provider.CheckSwitch(r.ID) != nil {
			continue
		}
		for _, base := range provider.All() {
			p, _ := provider.ByName(base.Provider, "")
			require.NoError(t, p.Enforce(r.ID))
			enforced := *p
			require.NoError(t, p.Enforce(r.ID))
			require.Equal(t, enforced, *p, "%s: enforcing twice is enforcing once", r.ID)
			require.NoError(t, p.Lift(r.ID))
			lifted := *p
			require.NoError(t, p.Lift(r.ID))
			require.Equal(t, lifted, *p, "%s: lifting twice is lifting once", r.ID)
			require.NotEqual(t, enforced, lifted, "%s on %s", r.ID, base.Provider)
		}
	}
}
