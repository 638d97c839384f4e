//go:build workcount

package spec

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
	t.Run("broken pairs", worksLinearlyOnPairs)
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

// worksLinearlyOnPairs: results of one call, results without ids in every round, and results before
// their calls take about eight times as many steps if there are eight times as many.
func worksLinearlyOnPairs(t *testing.T) {
	said := func(id string, k int) preflight.Part { return answers(id, fmt.Sprint("r", k)) }
	for name, build := range map[string]func(n int) messages{
		"results of one call": func(n int) messages {
			h := history(botMsg(calls("a")))
			for k := range n {
				h = append(h, toolMsg(said("a", k)))
			}
			return h
		},
		"results of one call in one message": func(n int) messages {
			m := toolMsg()
			for k := range n {
				m.Parts = append(m.Parts, said("a", k))
			}
			return history(botMsg(calls("a")), m)
		},
		"results of one call between words": func(n int) messages {
			h := history(botMsg(calls("a")))
			for k := range n {
				h = append(h, toolMsg(said("a", k)), botMsg(says("x")))
			}
			return h
		},
		"copies": func(n int) messages {
			h := history(botMsg(calls("a")))
			for range n {
				h = append(h, toolMsg(answers("a", "1")))
			}
			return h
		},
		"no ids, in rounds": func(n int) messages {
			var h messages
			for k := range n {
				h = append(h, botMsg(calls(""), calls("")), toolMsg(said("", k)))
			}
			return h
		},
		"no ids, of one turn": func(n int) messages {
			asked, answered := botMsg(), toolMsg()
			for k := range n {
				c := calls("")
				c.Name = fmt.Sprint("f", k)
				r := answers("", fmt.Sprint(k))
				r.Name = fmt.Sprint("f", n-k)
				asked.Parts, answered.Parts = append(asked.Parts, c), append(answered.Parts, r)
			}
			return history(asked, answered)
		},
		"results before calls": func(n int) messages {
			var h messages
			for k := range n {
				h = append(h, toolMsg(said(fmt.Sprint("a", k), k)))
			}
			for k := range n {
				h = append(h, botMsg(calls(fmt.Sprint("a", k))))
			}
			return h
		},
		"results of one call before it": func(n int) messages {
			var h messages
			for k := range n {
				h = append(h, toolMsg(said("a", k)))
			}
			return append(h, botMsg(calls("a")))
		},
		"one wrong id on all results": func(n int) messages {
			var h messages
			for k := range n {
				h = append(h, botMsg(calls(fmt.Sprint("a", k)), calls(fmt.Sprint("b", k))),
					toolMsg(said("x", k)), toolMsg(said("x", k+1)))
			}
			return h
		},
	} {
		for _, profile := range []*preflight.Profile{
			provider.Anthropic(""), provider.OpenAIChat(""), provider.OpenAIResponses(""),
			provider.Gemini(""),
		} {
			t.Run(name+" "+profile.Provider, func(t *testing.T) {
				steps := func(n int) int64 {
					in := append(history(userMsg(says("q"))), build(n)...)
					return work.Count(func() {
						_, err := preflight.Sanitize(context.Background(), in, profile, nil)
						require.NoError(t, err)
					})
				}
				few, many := steps(100), steps(800)
				require.LessOrEqual(t, many, 12*few)
			})
		}
	}
}
