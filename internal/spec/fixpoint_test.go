package spec

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
)

// TestFixpointWhereTheServerHoldsTheHistory: a call without an id, and a result with an id and a
// name of its own, whose call the server may hold, are repaired in a few rounds.
func TestFixpointWhereTheServerHoldsTheHistory(t *testing.T) {
	open := calls("")
	late := answers("call_2", "1")
	late.Name = "g"
	for name, profile := range frozenProfiles() {
		for _, dangling := range []preflight.Dangling{
			preflight.DanglingRemove, preflight.DanglingAnswer,
		} {
			o := &preflight.Options{Dangling: dangling}
			o.Request.ServerHoldsHistory = true
			for _, in := range [][]preflight.Message{
				history(userMsg(says("q")), botMsg(open), toolMsg(late)),
				history(botMsg(open), toolMsg(late), userMsg(says("q"))),
				history(botMsg(open), toolMsg(late)),
			} {
				res, err := preflight.Sanitize(context.Background(), in, profile, o)
				require.NotErrorIs(t, err, preflight.ErrNoFixpoint, "%s: %v", name, lines(in))
				if err == nil {
					again, err := preflight.Sanitize(context.Background(), res.Messages, profile, o)
					require.NoError(t, err)
					require.False(t, again.Changed, "%s: %v", name, lines(res.Messages))
				}
			}
		}
	}
}
