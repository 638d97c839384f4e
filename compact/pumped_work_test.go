//go:build workcount

package compact_test

import (
	"context"
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
	"github.com/go-preflight/preflight/internal/work/pump"
	"github.com/go-preflight/preflight/wire"
)

// TestPumpedWork: whatever is repeated in the bodies of testdata/rules, every strategy does about
// twice as much for twice the length. TestSessionWork holds sessions to what they are given.
func TestPumpedWork(t *testing.T) {
	ctx := context.Background()
	text, err := os.ReadFile("../testdata/rules/failing.json")
	require.NoError(t, err)
	var failing []struct {
		ID, Provider string
		Request      json.RawMessage
	}
	require.NoError(t, json.Unmarshal(text, &failing))
	jobs := map[string]func([]preflight.Message, compact.Limits){}
	for name, strategy := range strategies() {
		jobs[name] = func(h []preflight.Message, limits compact.Limits) {
			_, _ = strategy.Compact(ctx, h, limits)
		}
	}
	for _, f := range failing {
		small, err := json.Marshal(f.Request)
		require.NoError(t, err)
		for _, at := range pump.Stretches(string(small)) {
			for name, job := range jobs {
				if pump.Skipped(f.ID+name, at) {
					continue
				}
				pump.Linear(t, f.ID+", "+name+", repeated: "+at.Text, func(n int) func() {
					r, err := wire.Decode(at.Times(string(small), n),
						&wire.Options{Provider: f.Provider})
					if err != nil {
						return func() {}
					}
					limits := compact.Limits{Budget: 2000, Profile: &r.Profile}
					return func() { job(r.Messages, limits) }
				})
			}
		}
	}
}
