package remedy_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighthttp/remedy"
	"github.com/go-preflight/preflight/rule"
	"github.com/go-preflight/preflight/wire"
)

// TestOwnRemedy: a caller's remedy gets a copy of the options, what was sent, and the rule.
func TestOwnRemedy(t *testing.T) {
	transport, all, server := resending(400, refusal(bound), "")
	transport.Options.Hooks = make([]preflight.Hook, 0, 4)
	transport.Remedies = []remedy.Remedy{
		{
			Name:  "other",
			Rules: []string{"gemini/empty-parts"},
			Apply: func(*wire.Options, []byte, rule.Rule) bool { panic("is for another rule") },
		},
		{Name: "none", Apply: func(*wire.Options, []byte, rule.Rule) bool { return false }},
		{
			Name: "fails",
			Apply: func(o *wire.Options, _ []byte, _ rule.Rule) bool {
				o.Options.Hooks = append(o.Options.Hooks, preflight.Hook{
					Name: "fails",
					Message: func(context.Context, preflight.Message) (preflight.Message, error) {
						return preflight.Message{}, errors.New("no")
					},
				})
				return true
			},
		},
		{
			Name: "own",
			Apply: func(o *wire.Options, sent []byte, r rule.Rule) bool {
				require.Equal(t, thought, string(sent))
				require.Equal(t, "anthropic/thinking-binding-prefix", r.ID)
				require.Empty(t, o.Options.Hooks)
				o.Options.LostRoles = true
				o.Options.Hooks = append(o.Options.Hooks, preflight.Hook{
					Name: "shorten",
					History: func(
						_ context.Context, h []preflight.Message,
					) ([]preflight.Message, error) {
						return h[:1], nil
					},
				})
				return true
			},
		},
	}
	do(t, transport, post(t, address+path, thought))
	require.Len(t, server.received(), 2)
	require.Equal(t, "own", all.all[1].Remedy)
	require.False(t, transport.Options.LostRoles)
	require.Empty(t, transport.Options.Hooks[:1][0].Name, "the caller's array is not written to")
}
