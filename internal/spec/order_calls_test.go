package spec

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
)

func TestOrderCallsOfJoinedTurns(t *testing.T) {
	const u, a = preflight.RoleUser, preflight.RoleAssistant
	call := func(id string) *preflight.ToolCall {
		return &preflight.ToolCall{ID: id, Name: "f", Input: json.RawMessage(`{}`)}
	}
	search := &preflight.ToolCall{
		ID:               "srvtoolu_1",
		Name:             "web_search",
		Input:            json.RawMessage(`{}`),
		ProviderExecuted: true,
	}
	thought := &preflight.Reasoning{Text: "hm", Signature: "c2ln"}
	text, more := &preflight.Text{Text: "running it now"}, &preflight.Text{Text: "done soon"}
	say := func(role preflight.Role, parts ...preflight.Part) preflight.Message {
		return preflight.Message{Role: role, Parts: parts}
	}
	c1, c2 := call("toolu_1"), call("toolu_2")
	ordered := preflight.Profile{Turns: provider.TurnRules{TextBeforeCalls: true}}
	joining := preflight.Profile{
		Turns: provider.TurnRules{TextBeforeCalls: true, Neighbours: provider.NeighboursJoined},
	}
	items := preflight.Profile{
		Turns:   provider.TurnRules{TextBeforeCalls: true, Neighbours: provider.NeighboursJoined},
		Pairing: provider.PairingRules{Results: provider.ResultsAnywhere},
		Items:   provider.ItemRules{OnePartPerMessage: true},
	}
	answered := toolMsg(answers("toolu_1", "1"))
	fact := &preflight.Other{Kind: "fact"}
	pending := preflight.Options{OpenCall: waitsIf(func(*preflight.ToolCall) bool { return true })}
	cases := []fixerCase{
		{
			name: "text after a call", profile: ordered,
			in:    history(say(a, c1, text, c2)),
			want:  history(say(a, text, c1, c2)),
			codes: []codes.Code{codes.Reordered},
		},
		{
			name: "text after reasoning that follows a call", profile: ordered,
			in:    history(say(a, c1, thought, text)),
			want:  history(say(a, text, c1, thought)),
			codes: []codes.Code{codes.Reordered},
		},
		{
			name: "reasoning between calls stays", profile: ordered,
			in: history(say(a, thought, text, c1, thought, c2)),
		},
		{
			name: "a provider-executed call is no obstacle to cross", profile: ordered,
			in: history(say(a, c1, search, text)),
		},
		{name: "a profile that does not care", in: history(say(a, c1, text))},
		{
			name: "the next message, which the provider joins", profile: joining,
			in:    history(say(a, c1), say(a, text)),
			want:  history(say(a, text, c1)),
			codes: []codes.Code{codes.Merged, codes.Reordered},
		},
		{
			name:    "… whatever is empty before and between, which other fixers remove",
			profile: joining,
			in:      history(say(u), say(a, c1), say(a), say(a, text)),
			want:    history(say(u), say(a, text, c1), say(a)),
			codes:   []codes.Code{codes.Merged, codes.Reordered},
		},
		{
			name: "each run of calls by itself", profile: ordered,
			in:    history(say(a, c1, search, c2, text)),
			want:  history(say(a, c1, search, text, c2)),
			codes: []codes.Code{codes.Reordered},
		},
		{
			name: "… in a row", profile: joining,
			in:   history(say(a, c1), say(a, c2), say(a, text), say(a, more)),
			want: history(say(a, text, more, c1, c2)),
			codes: []codes.Code{
				codes.Merged, codes.Merged, codes.Merged, codes.Reordered, codes.Reordered,
			},
		},
		{
			name: "… with a call of its own in front of its text", profile: joining,
			in:    history(say(a, c1), say(a, c2, text)),
			want:  history(say(a, text, c1, c2)),
			codes: []codes.Code{codes.Merged, codes.Reordered},
		},
		{name: "… which it does not join", profile: ordered, in: history(say(a, c1), say(a, text))},
		{
			name: "… in front of a part that nothing crosses, which stays where the provider " +
				"looks for it",
			profile: joining,
			in:      history(say(a, c1), say(a, search, text, c2), say(a, more)),
			want:    history(say(a, c1), say(a, search, text, more, c2)),
			whole: []string{
				"messages-merged preflight/alternation messages[2]",
				"parts-reordered preflight/call-not-last messages[2].parts[0]",
			},
			origins: [][]int{{0}, {1, 2}},
		},
		{
			name: "… after such a part, too", profile: joining,
			in:   history(say(u, more), say(a, c1), say(a, text, search, c2), say(a, more)),
			want: history(say(u, more), say(a, text, c1, search, more, c2)),
			whole: []string{
				"messages-merged preflight/alternation messages[2]",
				"messages-merged preflight/alternation messages[3]",
				"parts-reordered preflight/call-not-last messages[2].parts[0]",
				"parts-reordered preflight/call-not-last messages[3].parts[0]",
			},
			origins: [][]int{{0}, {1, 2, 3}},
		},
		{
			name: "… after a turn of the user's", profile: joining,
			in:   history(say(u, more), say(a, c1), say(a, text)),
			want: history(say(u, more), say(a, text, c1)),
			whole: []string{
				"messages-merged preflight/alternation messages[2]",
				"parts-reordered preflight/call-not-last messages[2].parts[0]",
			},
			origins: [][]int{{0}, {1, 2}},
		},
		{
			name: "… but not what the text of it cannot leave", profile: joining,
			in: history(say(a, c1), say(a, search, text)),
		},
		{name: "… nor what holds no text", profile: joining, in: history(say(a, c1), say(a, c2))},
		// DeepSeek refused a call, text, another call, and then both outputs: "No tool output found
		// for tool call call-a" (a recording of its Responses API, deepseek-v4-flash, 2026).
		{
			name: "messages of text among calls that are messages", profile: items,
			in: history(say(u, more), say(a, text), say(a, c1), say(a, more), say(a, c2),
				answered, toolMsg(answers("toolu_2", "2"))),
			want: history(say(u, more), say(a, text), say(a, more), say(a, c1), say(a, c2),
				answered, toolMsg(answers("toolu_2", "2"))),
			whole:   []string{"parts-reordered preflight/call-not-last messages[3]"},
			origins: [][]int{{0}, {1}, {3}, {2}, {4}, {5}, {6}},
		},
		{
			name: "… after what was answered", profile: items,
			in: history(say(a, c1), answered, say(a, text)),
		},
		{
			name: "… after a part that nothing crosses", profile: items,
			in: history(say(a, c1), say(a, fact), say(a, text), answered),
		},
		{
			name: "… with such a part after its text", profile: items,
			in:    history(say(a, c1), say(a, text, fact), answered),
			want:  history(say(a, text, fact), say(a, c1), answered),
			codes: []codes.Code{codes.Reordered},
		},
		{name: "a user's message", alone: true, profile: ordered, in: history(say(u, c1, text))},
		{
			name: "… after another role's", profile: joining,
			in: history(say(a, c1), say(u, text), say(a, more)),
		},
	}
	for k := range cases {
		cases[k].options = pending
	}
	runFixer(t, preflight.Fixers.OrderCalls, cases)
}

func TestOrderCalls(t *testing.T) {
	ordered := preflight.Profile{Turns: provider.TurnRules{TextBeforeCalls: true}}
	q, results := userMsg(says("q")), toolMsg(answers("a", "1"), answers("b", "2"))
	runFixer(t, preflight.Fixers.OrderCalls, []fixerCase{
		{
			name: "text comes before the calls, both in order", profile: ordered,
			in: history(q, botMsg(says("x"), calls("a"), says("y"), calls("b"), says("z")),
				results),
			want: history(q, botMsg(says("x"), says("y"), says("z"), calls("a"), calls("b")),
				results),
			codes: warned(codes.Reordered, codes.Reordered),
		},
		{
			name: "reasoning and calls keep their order", profile: ordered,
			in:    history(q, botMsg(calls("a"), redacted(), says("y"), calls("b")), results),
			want:  history(q, botMsg(says("y"), calls("a"), redacted(), calls("b")), results),
			codes: warned(codes.Reordered),
		},
		{
			name: "not asked for",
			in:   history(q, botMsg(calls("a"), says("y"), calls("b")), results),
		},
	})
}

// TestTextAfterCallsOfEarlierMessages: where every call is an item of its own, text at the
// beginning of a message with calls moves before the calls of earlier messages.
func TestTextAfterCallsOfEarlierMessages(t *testing.T) {
	profile, ok := provider.ByName("deepseek-responses", "deepseek-chat")
	require.True(t, ok)
	h := history(userMsg(says("q")), botMsg(calls("a")), botMsg(says("text"), calls("b")),
		toolMsg(answers("a", "1"), answers("b", "2")))
	res, err := preflight.Sanitize(context.Background(), h, profile, nil)
	require.NoError(t, err)
	require.Equal(t, []preflight.Part{says("text")}, res.Messages[1].Parts)
	require.Len(t, res.Warnings, 1)
	require.Equal(t, codes.Reordered, res.Warnings[0].Code)
	require.Equal(t, preflight.TallyOf(h...), preflight.TallyOf(res.Messages...))
	require.Empty(t, preflight.Check(res.Messages, profile, nil))
}
