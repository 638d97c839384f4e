package spec

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
)

// TestRolesInOtherSpellings: what others call a role is known, in any case and with white space
// around it, and nothing else is: an unknown role is ambiguous.
func TestRolesInOtherSpellings(t *testing.T) {
	roles := map[preflight.Role]preflight.Role{
		"system": "system", "developer": "system", "user": "user", "human": "user",
		"assistant": "assistant", "ai": "assistant", "model": "assistant", "bot": "assistant",
		"tool": "tool", "function": "tool",
	}
	content := map[preflight.Role]preflight.Part{"tool": answers("a", "1")}
	for spelling, want := range roles {
		for _, s := range []preflight.Role{spelling,
			preflight.Role(" " + strings.ToUpper(string(spelling)) + "\n")} {
			part := content[want]
			if part == nil {
				part = says("x")
			}
			in := history(
				botMsg(calls("a")),
				preflight.Message{Role: s, Parts: []preflight.Part{part}},
			)
			if want != preflight.RoleTool {
				in = in[1:]
			}
			res, err := preflight.Sanitize(
				t.Context(),
				in,
				&preflight.Profile{},
				&preflight.Options{Strict: true},
			)
			require.NoError(t, err, "%q", s)
			require.Equal(t, want, res.Messages[len(res.Messages)-1].Role, "%q", s)
			require.Equal(t, s != want, res.Changed, "%q", s)
		}
	}
	for _, s := range []preflight.Role{"narrator", "", "users"} {
		in := history(preflight.Message{Role: s, Parts: []preflight.Part{says("x")}})
		_, err := preflight.Sanitize(
			t.Context(),
			in,
			&preflight.Profile{},
			&preflight.Options{Strict: true},
		)
		require.ErrorIs(t, err, preflight.ErrAmbiguous, "%q", s)
		res, err := preflight.Sanitize(t.Context(), in, &preflight.Profile{}, nil)
		require.NoError(t, err)
		require.Equal(t, preflight.RoleUser, res.Messages[0].Role, "%q", s)
	}
}
