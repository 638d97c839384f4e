package compact_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
	"github.com/go-preflight/preflight/compact/unionfind"
)

// TestFilled: where messages repeat themselves, so that their summary is short, more of them stay
// word for word, and nine tenths of the target are used.
func TestFilled(t *testing.T) {
	ctx := context.Background()
	var h []preflight.Message
	for k := range 120 {
		id := fmt.Sprint("c", k)
		h = append(h, say(preflight.RoleUser, fmt.Sprintf("Build number %d, please.", k)),
			message(preflight.RoleAssistant, call(id, "build")),
			message(preflight.RoleTool, answer(id,
				strings.Repeat("compiling the same package as before\n", 12)+"everything is up to date")))
	}
	budget := 6000
	for _, s := range []compact.Strategy{compact.Flat{}, compact.Masking{}, unionfind.Strategy{}} {
		res, err := s.Compact(ctx, h, compact.Limits{Budget: budget})
		require.NoError(t, err)
		require.GreaterOrEqual(t, res.Tokens, budget*9/10, "%T", s)
		require.LessOrEqual(t, res.Tokens, budget)
	}

	s := newSession(t, compact.SessionConfig{
		Limits: compact.Limits{Budget: budget}, Target: budget * 3 / 4,
	})
	compactions, least := 0, budget
	for k, m := range h {
		require.NoError(t, s.Append(ctx, m))
		if m.Role != preflight.RoleTool {
			continue
		}
		res, err := s.Render(ctx)
		require.NoError(t, err, k)
		if n := s.Compactions(); n > compactions {
			compactions, least = n, min(least, res.Tokens)
		}
	}
	require.Greater(t, compactions, 2)
	require.GreaterOrEqual(t, least, budget*3/4*9/10, "nine tenths of the target")
}

// TestLongLastExchange: an exchange at the end that costs more than what stays should does not take
// the room of the summary for others.
func TestLongLastExchange(t *testing.T) {
	var h []preflight.Message
	for k := range 60 {
		h = append(h, say(preflight.RoleUser, fmt.Sprintf("Part %d is ticket OPS-%d.", k, 7000+k)),
			say(preflight.RoleAssistant, strings.Repeat("It went as well as all before it. ", 8)))
	}
	h = append(h, message(preflight.RoleAssistant, call("c", "build")), message(preflight.RoleTool,
		answer("c", strings.Repeat("compiling the same package\n", 110))))
	res, err := sessioned{}.Compact(context.Background(), h, compact.Limits{Budget: 2400})
	require.NoError(t, err)
	require.Equal(t, 60, strings.Count(inJSON(t, res.Messages), "is ticket OPS-"))
	require.Equal(t, h[len(h)-1], res.Messages[len(res.Messages)-1])
}
