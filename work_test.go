//go:build workcount

package preflight_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/work"
	"github.com/go-preflight/preflight/provider"
)

// This file holds the cost of a repair to its input and to what a hook returns; see package work.

// TestWorkIsLinear: eight times as much from a hook takes about eight times as many steps.
func TestWorkIsLinear(t *testing.T) {
	broken := func(n int) []preflight.Part {
		parts := make([]preflight.Part, n)
		for k := range parts {
			parts[k] = says("a\xff")
		}
		return parts
	}
	t.Run("results of one message", func(t *testing.T) {
		steps := func(n int) int64 {
			var asked, answered []preflight.Part
			for k := range n {
				id := fmt.Sprint("call_", k)
				asked, answered = append(asked, calls(id)), append(answered, answers(id, "a"))
			}
			in := history(userMsg(says("q")), botMsg(asked...), toolMsg(answered...))
			return work.Count(func() {
				_, err := preflight.Sanitize(context.Background(), in,
					provider.OpenAIResponses(""), nil)
				require.NoError(t, err)
			})
		}
		few, many := steps(40), steps(320)
		require.LessOrEqual(t, many, 12*few)
	})
	for name, edit := range map[string]func(h messages, n int) messages{
		"a long message": func(h messages, n int) messages { return append(h, botMsg(broken(n)...)) },
		"many messages": func(h messages, n int) messages {
			for _, p := range broken(n) {
				h = append(h, botMsg(p))
			}
			return h
		},
		"parts in every message": func(h messages, n int) messages {
			for _, p := range h[0].Parts {
				h = append(h, botMsg(append(broken(2), p)...))
			}
			return h[1:]
		},
	} {
		t.Run(name, func(t *testing.T) {
			steps := func(n int) int64 {
				hook := historyHook("h", func(h messages) messages { return edit(h, n) })
				in := history(userMsg(broken(n)...))
				return work.Count(func() {
					_, err := preflight.Sanitize(context.Background(), in, nil,
						&preflight.Options{Hooks: []preflight.Hook{hook}})
					require.NoError(t, err)
				})
			}
			few, many := steps(40), steps(320)
			require.LessOrEqual(t, many, 12*few)
		})
	}
}
