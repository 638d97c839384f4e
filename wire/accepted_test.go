package wire

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/provider"
)

// TestAcceptedAnyway: a history that cannot be repaired stays as it came where the server accepts
// it, and where the caller wants it unchanged: a hook may be there to keep something from being
// sent.
func TestAcceptedAnyway(t *testing.T) {
	f, err := formatOf("anthropic")
	require.NoError(t, err)
	r := &Request{format: f, measured: &provider.Measured{
		Version: provider.MeasuredVersion, Provider: "anthropic", Accepted: []string{"a/b"},
	}}
	failed := &preflight.Error{
		Reason: preflight.ErrUnfixable, Violations: []preflight.Violation{{Rule: "a/b"}},
	}
	require.True(t, r.acceptedAnyway(failed, &preflight.Options{}))
	for _, o := range []preflight.Options{
		{Untrusted: true}, {Hooks: make([]preflight.Hook, 1)}, {Fixers: make([]preflight.Fixer, 1)},
	} {
		require.False(t, r.acceptedAnyway(failed, &o))
	}
}
