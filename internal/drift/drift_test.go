package drift

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/wire"
)

// How to repair a failure: "has no body" names a member that the SDK has gained. Add a minimal body
// for it to the cases of its provider, and its type to rule/blocks.go. If the body does not come
// back unchanged, the reader in package wire has to learn it.

// cases are bodies by the member of an SDK's types that they hold.
type cases map[string]string

// changed are members that preflight still changes, each with the reason. One that comes back
// unchanged has to leave the list.
var changed = map[string]string{}

// hold fails for a member without a body, a body without a member, and a body that Sanitize
// changes.
func (c cases) hold(t *testing.T, provider string, members []string, body func(string) string) {
	t.Helper()
	for name := range c {
		require.Contains(t, members, name, "the SDK has no such member any more")
	}
	for _, name := range members {
		t.Run(name, func(t *testing.T) {
			part, ok := c[name]
			require.True(t, ok, "%s has no body", name)
			in := body(part)
			_, kind, _ := strings.Cut(name, ".")
			require.Contains(t, strings.ToLower(strings.ReplaceAll(in, "_", "")),
				strings.ToLower(strings.ReplaceAll(kind, "_", "")))
			result, err := wire.Sanitize(context.Background(), []byte(in),
				&wire.Options{Provider: provider})
			require.NoError(t, err)
			if reason := changed[name]; reason != "" {
				require.True(t, result.Changed, "no longer changed: %s", reason)
				return
			}
			require.Equal(t, in, string(result.Body), "%v", result.Warnings)
		})
	}
}

const question = `{"role":"user","content":"q"}`
