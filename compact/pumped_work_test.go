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
// twice as much for twice the length, alone and in a session.
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
	for name, strategy := range sessionStrategies() {
		jobs["session, "+name] = func(h []preflight.Message, limits compact.Limits) {
			grownSession(ctx, h, limits, strategy)
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

// grownSession appends messages to a session, and renders it eight times: what does not fit is as
// long as the session, so that more of it would be quadratic.
func grownSession(
	ctx context.Context, history []preflight.Message, limits compact.Limits, strategy compact.Strategy,
) {
	s, err := compact.NewSession(compact.SessionConfig{Limits: limits, Strategy: strategy})
	if err != nil {
		panic(err)
	}
	for k, m := range history {
		_ = s.Append(ctx, m) // an error has to be found in time, too
		if (k+1)%(len(history)/8+1) == 0 {
			_, _ = s.Render(ctx)
			_ = s.Resolve(ctx)
		}
	}
	_, _ = s.Render(ctx)
	_, _ = s.MarshalJSON()
}
