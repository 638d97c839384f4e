package wire_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/rule"
	"github.com/go-preflight/preflight/wire"
)

// failing is a minimal request that breaks one rule.
type failing struct {
	ID       string          `json:"id"`
	Provider string          `json:"provider"`
	Request  json.RawMessage `json:"request"`
}

// TestCatalogue holds every rule with a failing request to what its Coverage says: repaired rules
// are reported under their id and repaired; refused ones are reported and give a typed error; for
// the others a reason is on record.
func TestCatalogue(t *testing.T) {
	data, err := os.ReadFile("../testdata/rules/failing.json")
	require.NoError(t, err)
	var requests []failing
	require.NoError(t, json.Unmarshal(data, &requests))
	implemented := map[string]bool{}
	for _, p := range wire.Providers() {
		implemented[p] = true
	}
	for _, f := range requests {
		if !implemented[f.Provider] {
			continue
		}
		t.Run(f.ID, func(t *testing.T) {
			r, ok := rule.ByID(f.ID)
			require.True(t, ok)
			testRule(t, r, f)
		})
	}
}

// otherAPI are the rules about another API of their provider, whose bodies are no request of the
// format we speak.
var otherAPI = map[string]bool{
	"cohere/empty-history-message":    true,
	"cohere/message-and-tool-results": true,
	"cohere/message-empty":            true,
	"cohere/tool-results-need-tools":  true,
}

func testRule(t *testing.T, r rule.Rule, f failing) {
	options := &wire.Options{Provider: f.Provider}
	found, err := wire.Check(f.Request, options)
	if otherAPI[r.ID] {
		require.Equal(t, rule.Unseen, r.Coverage)
		require.ErrorIs(t, err, wire.ErrNotARequest)
		return
	}
	require.NoError(t, err)
	result, err := wire.Sanitize(context.Background(), f.Request, options)
	switch r.Coverage {
	case rule.Repaired:
		id := r.ID
		if r.SeenAs != "" {
			id = r.SeenAs
		}
		requireReported(t, id, found)
		require.NoError(t, err)
		require.True(t, result.Changed)
		again, err := wire.Check(result.Body, options)
		require.NoError(t, err)
		require.Empty(t, again.Violations, "%s", result.Body)
	case rule.Accepted:
		require.NotEmpty(t, r.Reason)
		require.NoError(t, err)
		require.False(t, result.Changed, "%s", result.Body)
		require.Empty(t, found.Violations)
	case rule.Refused:
		requireReported(t, r.ID, found)
		require.Error(t, err)
		require.True(t, isTyped(err), "%T", err)
	default:
		require.NotEmpty(t, r.Reason)
		require.NoError(t, err)
	}
}

func requireReported(t *testing.T, id string, found *wire.Report) {
	t.Helper()
	var ids []string
	for _, v := range found.Violations {
		ids = append(ids, v.Rule)
	}
	require.Contains(t, ids, id)
}

func isTyped(err error) bool {
	return errorsIsAny(err, preflight.ErrEmptyHistory, preflight.ErrUnfixable,
		preflight.ErrAmbiguous)
}

func errorsIsAny(err error, targets ...error) bool {
	for _, target := range targets {
		if errors.Is(err, target) {
			return true
		}
	}
	return false
}
