package compact

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact/internal/parts"
	"github.com/go-preflight/preflight/internal/recorded"
	"github.com/go-preflight/preflight/wire"
)

// This file holds how much of the target is used, over generated histories and recorded ones.

// TestFilledWhatever: a history that has as much fills nine tenths of the target, whatever it is
// made of.
func TestFilledWhatever(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := grownHistory(t)
		filled(t, h, min(rapid.IntRange(1500, 8000).Draw(t, "budget"), Limits{}.total(h)*2/3))
	})
}

// TestFilledRecorded is the same for recorded requests of one provider, one after the other,
// without media and reasoning.
func TestFilledRecorded(t *testing.T) {
	histories := make(map[string][]preflight.Message)
	for _, r := range recorded.Load(t, "..", recorded.Accepted) {
		read, err := wire.Decode(r.Body, &wire.Options{Provider: r.Provider, Model: r.Model})
		if err != nil || len(histories[r.Provider]) >= 250 {
			continue
		}
		for _, m := range read.Messages {
			// a picture or reasoning may be most of a message, and no text replaces it
			if in := InputOf(m); !parts.IsSystem(m.Role) && !strings.Contains(in.Text, "omitted]") {
				histories[r.Provider] = append(histories[r.Provider], m)
			}
		}
	}
	ran := 0
	for _, name := range slices.Sorted(maps.Keys(histories)) {
		h := histories[name]
		if total := (Limits{}.total(h)); total > 4000 {
			filled(t, h, total/3)
			ran++
		}
	}
	require.Greater(t, ran, 3)
}

// filled lets every strategy that extracts compact a history.
func filled(t require.TestingT, h []preflight.Message, budget int) {
	ctx := context.Background()
	limits := Limits{Budget: budget}
	for name, s := range map[string]Strategy{"flat": Flat{}, "masking": Masking{}} {
		res, err := s.Compact(ctx, h, limits)
		require.NoError(t, err)
		enough(t, name, h, res, budget)
		x, err := NewSession(SessionConfig{Limits: limits, Strategy: s})
		require.NoError(t, err)
		compactions := 0
		for k, m := range h {
			require.NoError(t, x.Append(ctx, m))
			res, err := x.Render(ctx)
			require.NoError(t, err)
			if x.compactions > compactions {
				compactions = x.compactions
				enough(t, fmt.Sprint("session, ", name), h[:k+1], res, x.aim)
			}
		}
		require.Positive(t, compactions)
	}
}

// enough requires nine tenths of a target, unless shortened tool results were enough and the rest
// of none of them is small enough for what is left.
func enough(t require.TestingT, name string, h []preflight.Message, res Result, target int) {
	if 10*res.Tokens >= 9*target {
		return
	}
	require.True(t, len(res.Clusters) == 0, "%s: %d of %d tokens", name, res.Tokens, target)
	for k, m := range res.Messages {
		was := Limits{}.total(pick(h, res.Sources[k]))
		if rest := was - (Limits{}).count(m); rest > 0 {
			require.Greater(t, rest, target-res.Tokens, "%s: %d of %d tokens", name, res.Tokens, target)
		}
	}
}

func pick(h []preflight.Message, indices []int) (out []preflight.Message) {
	for _, i := range indices {
		out = append(out, h[i])
	}
	return out
}

// grownHistory is a history of people who repeat themselves or do not, and of tools with short,
// long and repeated outputs.
func grownHistory(t *rapid.T) []preflight.Message {
	words := strings.Fields("harbour crane invoice server planet garden copper signal winter letter " +
		"bridge engine market tunnel window yellow silver ticket number record")
	seed := rapid.IntRange(1, 1<<20).Draw(t, "seed")
	next := func(n int) int {
		seed = (seed*1103515245 + 12345) & (1<<31 - 1)
		return (seed >> 8) % n
	}
	long := rapid.IntRange(0, 4).Draw(t, "long texts")
	same := rapid.IntRange(0, 9).Draw(t, "repetition")
	tools := rapid.IntRange(0, 3).Draw(t, "tools")
	text := func(lines int) string {
		var b strings.Builder
		for range lines {
			if next(10) < same {
				b.WriteString("It is as it was before.\n")
				continue
			}
			b.WriteString("The ")
			for range 4 + next(12) {
				b.WriteString(words[next(len(words))] + " ")
			}
			fmt.Fprintf(&b, "is %d.\n", next(10000))
		}
		return b.String()
	}
	var h []preflight.Message
	for range rapid.IntRange(60, 200).Draw(t, "turns") {
		h = append(h, textMessage(text(1+next(1+3*long))))
		for range next(1 + tools) {
			id := fmt.Sprint("call_", len(h))
			h = append(h, preflight.Message{Role: preflight.RoleAssistant, Parts: []preflight.Part{
				&preflight.ToolCall{
					ID: id, Name: "look", Input: fmt.Appendf(nil, `{"at":%d}`, next(50)),
				},
			}}, preflight.Message{Role: preflight.RoleTool, Parts: []preflight.Part{
				&preflight.ToolResult{CallID: id, Name: "look", Content: []preflight.Part{
					&preflight.Text{Text: text(1 + next(1+12*long))},
				}},
			}})
		}
		h = append(h, preflight.Message{Role: preflight.RoleAssistant,
			Parts: []preflight.Part{&preflight.Text{Text: text(1 + next(2))}}})
	}
	return h
}
