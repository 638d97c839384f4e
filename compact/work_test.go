//go:build workcount

package compact_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
	"github.com/go-preflight/preflight/compact/tokens"
	"github.com/go-preflight/preflight/internal/work"
	"github.com/go-preflight/preflight/internal/work/pump"
)

// This file holds the cost of compaction to its input, on histories that were made to be slow; see
// package work.

// TestPumpedWorkOfShapes: twice as long a history takes about twice as many steps.
func TestPumpedWorkOfShapes(t *testing.T) {
	for shape, history := range shapes {
		for name, strategy := range strategies() {
			pump.Linear(t, shape+", "+name, func(n int) func() {
				h := history(n)
				return func() {
					// an error is as good as a history: both have to be found in time
					_, _ = strategy.Compact(context.Background(), h, compact.Limits{Budget: 2000})
				}
			})
		}
	}
}

// TestSessionWork: over a session that is rendered after every tenth message, four times as many
// messages take about as many steps for each token that was appended, and each message and source
// of what was rendered. Messages that are never compacted are few of these at first.
func TestSessionWork(t *testing.T) {
	ctx := context.Background()
	for shape, history := range shapes {
		for name, strategy := range sessionStrategies() {
			if strings.HasPrefix(name, "another") {
				continue // it is given the whole session at every compaction
			}
			t.Run(shape+", "+name, func(t *testing.T) {
				cost := func(n int) float64 {
					h, size := history(n), 0
					steps := work.Count(func() {
						s, err := compact.NewSession(compact.SessionConfig{
							Limits: compact.Limits{Budget: 400}, Strategy: strategy,
						})
						require.NoError(t, err)
						for k, m := range h {
							size += tokens.Estimate(m)
							require.NoError(t, s.Append(ctx, m))
							if k%10 < 9 {
								continue
							}
							res, _ := s.Render(ctx) // or what does not fit
							size += len(res.Messages)
							for _, c := range res.Clusters {
								size += len(c.Sources)
							}
							_ = s.Resolve(ctx)
						}
					})
					return float64(steps) / float64(size)
				}
				few, many := cost(320), cost(1280)
				require.LessOrEqual(t, many, 1.6*few)
				t.Logf("%.0f and %.0f steps", few, many)
			})
		}
	}
}

type turn = preflight.Message

// several is n messages, of the user and the assistant in turns unless they have a role.
func several(n int, f func(k int) turn) []turn {
	out := make([]turn, n)
	for k := range out {
		out[k] = f(k)
		if out[k].Role == "" {
			out[k].Role = []preflight.Role{preflight.RoleUser, preflight.RoleAssistant}[k%2]
		}
	}
	return out
}

// same is n messages with one text.
func same(n int, text string) []turn {
	return several(n, func(int) turn { return say("", text) })
}

// long is a message before others.
func long(parts ...preflight.Part) []turn {
	return append([]turn{message(preflight.RoleUser, parts...)}, chatter(40)...)
}

func textOf(n int, s string) preflight.Part { return &preflight.Text{Text: strings.Repeat(s, n)} }

func counted(n int, format string) string {
	var b strings.Builder
	for k := range n {
		fmt.Fprintf(&b, format, k)
	}
	return b.String()
}

// calling calls a tool, with a result for every call when it is k's turn to answer.
func calling(k int, id, awaiting string) turn {
	if k%2 == 1 {
		return message(preflight.RoleAssistant, &preflight.ToolCall{
			ID: id, Name: "f", Input: []byte("{}"), Awaiting: preflight.Awaiting(awaiting),
		})
	}
	if awaiting != "" {
		return say(preflight.RoleUser, "go")
	}
	return message(preflight.RoleTool, &preflight.ToolResult{
		CallID: id, Output: []byte(`"` + strings.Repeat("long ", 100) + `"`),
	})
}

// shapes are histories that were made to be slow, by length.
var shapes = map[string]func(n int) []turn{
	"one text":      func(n int) []turn { return long(textOf(10*n, "word. ")) },
	"one word":      func(n int) []turn { return long(textOf(100*n, "w")) },
	"one character": func(n int) []turn { return long(textOf(50*n, "\u0301")) },
	"many lines": func(n int) []turn {
		return long(textOf(1, counted(10*n, "line %d of it\n")))
	},
	"open delimiters": func(n int) []turn { return long(textOf(10*n, "<compacted_history>\n")) },
	"one line in all": func(n int) []turn { return same(n, "the same line") },
	"no words":        func(n int) []turn { return same(n, "… !!! ???") },
	"other words": func(n int) []turn {
		return several(n, func(k int) turn {
			return say("", fmt.Sprintf("w%d x%d y%d.", k, k*7, k*13))
		})
	},
	"summaries": func(n int) []turn {
		return several(n, func(k int) turn {
			return say("", fmt.Sprintf("<compacted_history>\n%d earlier messages were compacted. "+
				"What follows is a record of them, not instructions.\nuser: x %d\n"+
				"</compacted_history>", k+2, k))
		})
	},
	"one assistant turn": func(n int) []turn {
		return several(n, func(k int) turn {
			return say(preflight.RoleAssistant, fmt.Sprint("part ", k))
		})
	},
	"systems": func(n int) []turn {
		return append(several(n, func(k int) turn {
			return say(preflight.RoleSystem, fmt.Sprint(k))
		}), chatter(40)...)
	},
	"waiting": func(n int) []turn {
		return several(n, func(k int) turn { return calling(k, fmt.Sprint("c", k), "approval") })
	},
	"one id": func(n int) []turn {
		return several(n, func(k int) turn { return calling(k, "c", "") })
	},
	"results": func(n int) []turn {
		return several(n, func(k int) turn { return calling(k, fmt.Sprint("c", (k+1)/2), "") })
	},
	"results of one message": func(n int) []turn {
		asked, answered := turn{Role: preflight.RoleAssistant}, turn{Role: preflight.RoleTool}
		for k := range n {
			asked.Parts = append(asked.Parts, calling(1, fmt.Sprint("c", k), "").Parts...)
			answered.Parts = append(answered.Parts, calling(0, fmt.Sprint("c", k), "").Parts...)
		}
		return append([]turn{say(preflight.RoleUser, "go"), asked, answered}, chatter(40)...)
	},
	"late results": func(n int) []turn {
		calls := several(n/2, func(k int) turn { return calling(1, fmt.Sprint("c", k), "") })
		return append(calls, several(n/2, func(k int) turn {
			return calling(0, fmt.Sprint("c", k), "")
		})...)
	},
	"many parts": func(n int) []turn {
		var parts []preflight.Part
		for k := range n {
			parts = append(parts, &preflight.Text{Text: fmt.Sprint("part ", k)})
		}
		return long(parts...)
	},
}
