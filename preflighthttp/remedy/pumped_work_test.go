//go:build workcount

package remedy_test

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/internal/work/pump"
	"github.com/go-preflight/preflight/preflighthttp/remedy"
	"github.com/go-preflight/preflight/rule"
	"github.com/go-preflight/preflight/wire"
)

// TestPumpedWork: whatever is repeated in a refused body, each remedy for its rule, and the repair
// that it asks for, do about twice as much for twice the length.
func TestPumpedWork(t *testing.T) {
	text, err := os.ReadFile("../../testdata/rules/failing.json")
	require.NoError(t, err)
	var failing []struct {
		ID, Provider string
		Request      json.RawMessage
	}
	require.NoError(t, json.Unmarshal(text, &failing))
	tried := map[string]bool{}
	for _, f := range failing {
		compact, err := json.Marshal(f.Request)
		require.NoError(t, err)
		body := string(compact)
		refusal, ok := rule.ByID(f.ID)
		require.True(t, ok, f.ID)
		for _, remedy := range remedy.All() {
			if remedy.Apply == nil || len(remedy.Rules) > 0 && !slices.Contains(remedy.Rules, f.ID) {
				continue
			}
			tried[remedy.Name] = true
			for _, at := range pump.Stretches(body) {
				if pump.Skipped(remedy.Name+f.ID, at) {
					continue
				}
				pump.Linear(t, f.ID+", "+remedy.Name+", repeated: "+at.Text, func(n int) func() {
					pumped := at.Times(body, n)
					return func() {
						options := wire.Options{Provider: f.Provider}
						if remedy.Apply(&options, pumped, refusal) {
							_, _ = wire.Sanitize(context.Background(), pumped, &options)
						}
					}
				})
			}
		}
	}
	require.Greater(t, len(tried), 5, "%v", tried)
}
