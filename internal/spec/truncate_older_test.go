package spec

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/fixer"
	"github.com/go-preflight/preflight/internal/msgtest"
	"github.com/go-preflight/preflight/preflighttest/histgen"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/stored"
)

// This file tests the truncation of older messages, a fixer of package stored.

// TestOlderProperties: in Sanitize, too, shortening older messages leaves a valid history that
// stays as it is.
func TestOlderProperties(t *testing.T) {
	for name, profile := range map[string]preflight.Profile{
		"anthropic":   *provider.Anthropic(""),
		"openai-chat": *provider.OpenAIChat(""),
		"bound":       *provider.Anthropic("claude-opus-5-5"),
	} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				in := grown(t, histgen.Any(&profile, nil).Draw(t, "history"))
				drawn := msgtest.Shortening(t)
				options := preflight.Options{Fixers: append(drawn.Options.Fixers,
					fixer.ClearMeta("run_id"), fixer.Truncate{
						MaxString: drawn.MaxString, Inputs: drawn.TruncateInputs,
					}.Fixer())}
				if drawn.StripEphemeral {
					options.Fixers = append(options.Fixers, preflight.Fixers.StripEphemeral)
				}
				options.OpenCall = func(c *preflight.ToolCall) preflight.Part {
					if c.Name == "ls" {
						return &preflight.Text{Text: "(a listing was asked for)"}
					}
					return nil
				}
				g := given{profile: &profile, options: &options, in: in}
				proveValid(t, g)
				proveIdempotent(t, g)
				provePure(t, g)
			})
		})
	}
}

func TestOlderMovesInBlocks(t *testing.T) {
	history := func(n int) []preflight.Message {
		var out []preflight.Message
		for range n {
			out = append(out, userMsg(says(strings.Repeat("w", 100))))
		}
		return out
	}
	fixer := stored.Older{Keep: 3, Block: 4, MaxText: 50}.Fixer()
	for n, want := range map[int]int{3: 0, 6: 0, 7: 4, 10: 4, 11: 8} {
		_, warnings := fixer.Apply(history(n), nil, nil)
		require.Len(t, warnings, want, "of %d messages", n)
	}
	in := append([]preflight.Message{sysMsg(history(1)[0].Parts...)}, history(9)...)
	out, warnings := fixer.Apply(in, nil, nil)
	require.Same(t, in[0].Parts[0], out[0].Parts[0], "instructions stay")
	require.Len(t, warnings, 3, "what comes after them in the first block does not")
	for _, c := range []struct{ keep, block, n, want int }{
		{0, 0, 5, 0}, {0, 2, 5, 0}, {-1, 0, 5, 0}, {5, 0, 5, 0}, {6, 0, 5, 0}, {4, 0, 5, 1},
		{1, 0, 5, 4}, {1, 1, 5, 4}, {1, -1, 5, 4}, {2, 2, 5, 2}, {1, 2, 6, 4}, {1, 2, 5, 4},
	} {
		fixer := stored.Older{Keep: c.keep, Block: c.block, MaxText: 50}.Fixer()
		_, warnings := fixer.Apply(history(c.n), nil, nil)
		require.Len(t, warnings, c.want, "%+v", c)
	}
}

func TestOlderInSanitizeKeepsTheRequestValid(t *testing.T) {
	profile := *provider.Anthropic("")
	profile.Turns.Neighbours = provider.NeighboursMerged
	in := []preflight.Message{
		userMsg(says(strings.Repeat("long ", 100))),
		botMsg(callsWith("toolu_1", `{"command":"make"}`)),
		userMsg(answers("toolu_1", strings.Repeat("out ", 400))),
		userMsg(says("a")),
		userMsg(says("b")),
	}
	o := preflight.Options{Fixers: []preflight.Fixer{
		stored.Older{Keep: 1, MaxOutput: 60, MaxText: 60}.Fixer(),
	}}
	out := runSystem(t, in, sanitizing(profile, o))
	require.Empty(t, preflight.Check(out.Messages, &profile, nil))
	require.Equal(t, 1, countWarnings(out.Warnings, codes.TruncatedOlder),
		"the last message holds the result and both texts")
}

// TestOlderLimits: how much of texts and results stays, and what is never shortened.
func TestOlderLimits(t *testing.T) {
	x := func(n int) string { return strings.Repeat("x", n) }
	cut := func(room, n int) string {
		head, tail := room-room/2, room/2
		return fmt.Sprintf("%s… [truncated, original length: %d] …%s", x(head), n, x(tail))
	}
	output := func(id, name, raw string) *preflight.ToolResult {
		return &preflight.ToolResult{CallID: id, Name: name, Output: json.RawMessage(raw)}
	}
	server := func(name, variant, raw string) []preflight.Part {
		c, r := searches("s"), finds("s", raw)
		c.Name, r.Variant = name, variant
		return []preflight.Part{c, r}
	}
	given := func(results ...preflight.Part) messages {
		// with their calls, and a message after them
		var asked []preflight.Part
		for _, r := range results {
			asked = append(asked, calls(r.(*preflight.ToolResult).CallID))
		}
		return history(botMsg(asked...), toolMsg(results...), userMsg(says("q")))
	}
	longCall := waits("a")
	longCall.Input = json.RawMessage(`{"k":"` + x(100) + `"}`)
	q := userMsg(says("q"))
	older := warned(codes.TruncatedOlder)
	runFixer(t, stored.Older{Keep: 1}.Fixer(), []fixerCase{
		{
			name: "as much as stays by default",
			in: append(history(userMsg(says(x(10000)))),
				given(answers("a", x(500)), output("b", "", `"`+x(500)+`"`))...),
		},
		{
			name: "and no more",
			in: append(history(userMsg(says(x(10001)))),
				given(answers("a", x(501)), output("b", "", `"`+x(501)+`"`))...),
			want: append(history(userMsg(says(cut(9961, 10001)))),
				given(answers("a", cut(463, 501)), output("b", "", `"`+cut(463, 501)+`"`))...),
			codes: warned(codes.TruncatedOlder, codes.TruncatedOlder, codes.TruncatedOlder),
		},
	})
	runFixer(t, stored.Older{Keep: 1, MaxOutput: -1, MaxText: -1}.Fixer(), []fixerCase{
		{
			name: "no limit",
			in:   append(history(userMsg(says(x(10001)))), given(answers("a", x(501)))...),
		},
	})
	runFixer(t, stored.Older{Keep: 1, MaxOutput: 40, MaxText: 40}.Fixer(), []fixerCase{
		{
			name: "the content and the output of one result",
			in: given(&preflight.ToolResult{
				CallID:  "a",
				Content: []preflight.Part{says("s"), &preflight.Other{Kind: "x"}, says(x(100))},
				Output:  json.RawMessage(`"` + x(100) + `"`),
			}),
			want: given(&preflight.ToolResult{
				CallID: "a",
				Content: []preflight.Part{
					says("s"),
					&preflight.Other{Kind: "x"},
					says(cut(3, 100)),
				},
				Output: json.RawMessage(`"` + cut(3, 100) + `"`),
			}),
			codes: older,
		},
		{
			name: "the content alone",
			in: given(&preflight.ToolResult{
				CallID:  "a",
				Content: []preflight.Part{says(x(100))},
				Output:  json.RawMessage(`"s"`),
			}),
			want: given(&preflight.ToolResult{
				CallID:  "a",
				Content: []preflight.Part{says(cut(3, 100))},
				Output:  json.RawMessage(`"s"`),
			}),
			codes: older,
		},
		{
			name: "the output alone",
			in: given(&preflight.ToolResult{
				CallID:  "a",
				Content: []preflight.Part{says("s")},
				Output:  json.RawMessage(`"` + x(100) + `"`),
			}),
			want: given(&preflight.ToolResult{
				CallID:  "a",
				Content: []preflight.Part{says("s")},
				Output:  json.RawMessage(`"` + cut(3, 100) + `"`),
			}),
			codes: older,
		},
		{
			name: "base64 is worth nothing in half",
			in: append(history(userMsg(says("/9j/"+x(100)))),
				given(answers("a", "/9j/"+x(100)))...),
		},
		{
			name: "arguments, reasoning, media and what is unknown stay",
			in: history(botMsg(thinks(x(100), ""), longCall,
				&preflight.Media{Kind: "image", Data: x(100)}, &preflight.Other{Kind: x(100)}),
				q),
		},
		{
			name: "a provider's result keeps its structure",
			in: history(botMsg(server("run", "",
				`{"a":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,`+
					`27,28,29],"s":"`+x(100)+`"}`)...), q),
			want: history(botMsg(server("run", "",
				`{"a":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,`+
					`27,28,29],"s":"`+cut(3, 100)+`"}`)...), q),
			codes: older,
		},
		{
			name: "and all of it where the provider verifies it: by the tool's name",
			in:   history(botMsg(server("web_search", "", `["`+x(100)+`"]`)...), q),
		},
		{
			name: "by the kind of result",
			in:   history(botMsg(server("", "web_fetch_tool_result", `["`+x(100)+`"]`)...), q),
		},
		{
			name:  "a tool of the caller's with such a name is not the provider's",
			in:    given(output("a", "web_search", `"`+x(100)+`"`)),
			want:  given(output("a", "web_search", `"`+cut(3, 100)+`"`)),
			codes: older,
		},
	})
}
