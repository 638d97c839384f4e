package wire_test

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule/problems"
	"github.com/go-preflight/preflight/wire"
)

// TestMeasuredToAccept: what a server was seen to accept is left alone, by rules that can be
// switched and by those that cannot: the body stays as it came, and a check finds nothing. Where it
// was seen to refuse, or another model was asked, the repair is made.
func TestMeasuredToAccept(t *testing.T) {
	data, err := os.ReadFile("../testdata/rules/failing.json")
	require.NoError(t, err)
	var requests []failing
	require.NoError(t, json.Unmarshal(data, &requests))
	left, said, fixed := 0, 0, 0
	for _, f := range requests {
		if !slices.Contains(wire.Providers(), f.Provider) {
			continue
		}
		plain, err := wire.Sanitize(context.Background(), f.Request, &wire.Options{Provider: f.Provider})
		if err != nil || !plain.Changed {
			continue
		}
		rules := []string{}
		for _, w := range plain.Warnings {
			if w.Rule != "" && !slices.Contains(rules, w.Rule) {
				rules = append(rules, w.Rule)
			}
		}
		if len(rules) == 0 {
			continue
		}
		sanitize := func(m provider.Measured) *wire.Result {
			m.Version, m.Provider = provider.MeasuredVersion, f.Provider
			result, err := wire.Sanitize(context.Background(), f.Request,
				&wire.Options{Provider: f.Provider, Measured: &m})
			require.NoError(t, err, f.ID)
			return result
		}
		got := sanitize(provider.Measured{Accepted: rules})
		for _, w := range got.Warnings {
			require.NotContains(t, rules, w.Rule, f.ID)
		}
		if got.Changed { // what stays breaks another rule
			require.Equal(t, "deepseek/tool-result-missing", f.ID)
			continue
		}
		require.Equal(t, string(f.Request), string(got.Body), "%s: %v", f.ID, rules)
		if left++; len(got.Left) > 0 {
			said++
		}
		found, err := wire.Check(f.Request, &wire.Options{Provider: f.Provider,
			Measured: &provider.Measured{
				Version: provider.MeasuredVersion, Provider: f.Provider, Accepted: rules,
			}})
		require.NoError(t, err)
		for _, v := range found.Violations {
			require.NotContains(t, rules, v.Rule)
		}
		require.Equal(t, string(plain.Body),
			string(sanitize(provider.Measured{Accepted: rules, Model: "another-model"}).Body))
		if provider.CheckSwitch(rules[0]) != nil {
			fixed++
			require.Equal(t, string(plain.Body),
				string(sanitize(provider.Measured{Refused: rules}).Body))
		}
	}
	require.Greater(t, left, 100)
	require.Greater(t, said*10, left*9, "but where the profile accepts it")
	require.Greater(t, fixed, 30)
}

// TestMeasuredToAcceptMore: beside a fault that the server refuses, a call without a result stays
// where the server was seen to accept that, for each format that pairs them.
func TestMeasuredToAcceptMore(t *testing.T) {
	for name, c := range map[string]struct{ body, call, gone string }{
		"anthropic": {`{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[{"role":"user",` +
			`"content":[{"type":"text","text":"q"},{"type":"text","text":""}]},{"role":"assistant",` +
			`"content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},` +
			`{"role":"user","content":"n"}]}`,
			`"toolu_1"`, `"text":""`},
		"openai-chat": {`{"model":"gpt-5.4","messages":[{"role":"user","content":"q"},{"role":` +
			`"assistant","tool_calls":[{"id":"call_1","type":"function","function":{"name":"f",` +
			`"arguments":"{}"}}]},` +
			`{"role":"boss","content":"n"}]}`,
			`"call_1"`, `"boss"`},
	} {
		base, _ := provider.ByName(name, "")
		for _, accepted := range []bool{false, true} {
			m := &provider.Measured{Version: provider.MeasuredVersion, Provider: name}
			if accepted {
				m.Accepted = []string{base.RuleID(problems.Dangling)}
			}
			options := &wire.Options{Provider: name, Measured: m}
			got, err := wire.Sanitize(context.Background(), []byte(c.body), options)
			require.NoError(t, err)
			require.True(t, got.Changed, name)
			require.NotContains(t, string(got.Body), c.gone)
			require.Equal(t, accepted, strings.Contains(string(got.Body), c.call), string(got.Body))
			found, err := wire.Check(got.Body, options)
			require.NoError(t, err)
			require.Empty(t, found.Violations)
		}
	}
}
