package main

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
)

// TestBlind: where the order of two results is gone, the reasoning after them is lost in one of the
// two sessions that there may have been. A result before its call was between two answers in the
// only session that it may come from, and none is lost.
func TestBlind(t *testing.T) {
	b := binders[0]
	say := func(role preflight.Role, parts ...preflight.Part) preflight.Message {
		return preflight.Message{Role: role, Parts: parts}
	}
	text := func(s string) preflight.Part { return &preflight.Text{Text: s} }
	call := func(id string) preflight.Part {
		return &preflight.ToolCall{ID: id, Name: "f", Input: json.RawMessage(`{}`)}
	}
	result := func(id string) preflight.Part {
		return &preflight.ToolResult{CallID: id, Content: []preflight.Part{text("result of " + id)}}
	}
	q := say("user", text("q"))
	end := []preflight.Message{say("assistant", b.thinks("2"), text("x")), say("user", text("r"))}
	both := say("assistant", b.thinks("1"), call("a"), call("b"))
	one := say("assistant", b.thinks("1"), call("a"))
	for _, c := range []struct {
		sound, damaged []preflight.Message
		want           blind
	}{
		{
			append([]preflight.Message{q, both, say("tool", result("b"), result("a"))}, end...),
			append([]preflight.Message{q, say("tool", result("b")), both, say("tool", result("a"))},
				end...),
			blind{damaged: 1, sessions: 2, ours: laterTurns, best: laterTurns, perfect: laterTurns},
		},
		{
			append([]preflight.Message{q, one, say("tool", result("a"))}, end...),
			append([]preflight.Message{q, say("tool", result("a")), one}, end...),
			blind{damaged: 1, sessions: 1},
		},
	} {
		got := b.blind(b, pair{c.sound, c.damaged})
		require.Equal(t, c.want, got, fmt.Sprint(c.damaged))
	}
	// a form without a result keeps the thoughts before the call of its id alone
	whole := append([]preflight.Message{q, one, say("tool", result("a"))}, end...)
	twice := append([]preflight.Message{q, say("tool", &preflight.ToolResult{
		CallID: "a", Content: []preflight.Part{text("other")},
	})}, whole[1:]...)
	require.False(t, leavesOut(whole, twice, "thought 1"))
	require.True(t, leavesOut(whole, twice, "thought 2"))
	require.Zero(t, b.blind(b, pair{whole, whole}), "what is accepted is sent")
}
