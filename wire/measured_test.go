package wire_test

import (
	"context"
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule"
	"github.com/go-preflight/preflight/wire"
)

// showsAnother lists the rules whose failing request shows another rule of the same server first,
// so that it does not tell whether they are switched.
var showsAnother = map[string]bool{"chat-template/alternation-mistral3": true}

// TestSwitchedRules: a rule that is switched on is reported and repaired, and one that is switched
// off is neither, for the failing request of each rule that can be switched.
func TestSwitchedRules(t *testing.T) {
	data, err := os.ReadFile("../testdata/rules/failing.json")
	require.NoError(t, err)
	var requests []failing
	require.NoError(t, json.Unmarshal(data, &requests))
	switched := 0
	for _, f := range requests {
		if provider.CheckSwitch(f.ID) != nil || showsAnother[f.ID] {
			continue
		}
		switched++
		t.Run(f.ID, func(t *testing.T) {
			r, _ := rule.ByID(f.ID)
			on := &wire.Options{Measured: &provider.Measured{
				Version: 1, Provider: f.Provider, Enforced: []string{f.ID},
			}}
			found, err := wire.Check(f.Request, on)
			require.NoError(t, err)
			require.True(t, reports(found, r))
			result, err := wire.Sanitize(context.Background(), f.Request, on)
			require.NoError(t, err)
			require.True(t, result.Changed)
			again, err := wire.Check(result.Body, on)
			require.NoError(t, err)
			require.Empty(t, again.Violations, "%s", result.Body)

			off := &wire.Options{Measured: &provider.Measured{
				Version: 1, Provider: f.Provider, Lifted: []string{f.ID},
			}}
			found, err = wire.Check(f.Request, off)
			require.NoError(t, err)
			require.False(t, reports(found, r), "%v", found.Violations)
			if len(found.Violations) == 0 {
				result, err = wire.Sanitize(context.Background(), f.Request, off)
				require.NoError(t, err)
				require.False(t, result.Changed, "%s", result.Body)
				decoded, err := wire.Decode(f.Request, off)
				require.NoError(t, err)
				body, err := decoded.Encode(decoded.Messages)
				require.NoError(t, err)
				require.Equal(t, string(f.Request), string(body))
			}
		})
	}
	require.Greater(t, switched, 95, "few rules can be switched")
}

// reports reports whether a check found a rule, or the one that is seen in its place.
func reports(found *wire.Report, r rule.Rule) bool {
	for _, v := range found.Violations {
		if v.Rule == r.ID || r.SeenAs != "" && v.Rule == r.SeenAs {
			return true
		}
	}
	return false
}

// TestMeasuredOptions: a measured profile names the provider, concerns the models that it covers
// and its format alone, and can be stored with the options.
func TestMeasuredOptions(t *testing.T) {
	var options wire.Options
	require.NoError(t, json.Unmarshal([]byte(`{"measured": {"version": 1, "model": "acme-*",
		"provider": "openai-compatible", "enforced": ["chat-template/alternation"], "lifted": []}}`),
		&options))
	twice := func(model string) []byte {
		return []byte(`{"model":"` + model + `","messages":[{"role":"user","content":"a"},` +
			`{"role":"user","content":"b"}]}`)
	}
	for model, changed := range map[string]bool{
		"acme-1": true, "vendor/acme-1": true, "other": false,
	} {
		var s wire.Sanitizer
		for range 2 { // the profile is kept from body to body
			result, err := s.Sanitize(context.Background(), twice(model), &options)
			require.NoError(t, err)
			require.Equal(t, "openai-compatible", result.Provider)
			require.Equal(t, changed, result.Changed, model)
		}
		plain, err := s.Sanitize(context.Background(), twice(model),
			&wire.Options{Provider: "openai-compatible"})
		require.NoError(t, err)
		require.False(t, plain.Changed)
	}
	options.Provider = "openai-chat" // of the same format
	result, err := wire.Sanitize(context.Background(), twice("acme-1"), &options)
	require.NoError(t, err)
	require.True(t, result.Changed)
	options.Provider = "mistral"
	result, err = wire.Sanitize(context.Background(), twice("acme-1"), &options)
	require.NoError(t, err)
	require.False(t, result.Changed)
}
