package spec

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule/problems"
)

// requireViolations holds Check, and Valid with it, to the problems and positions in want.
func requireViolations(
	t *testing.T,
	want []string,
	in []preflight.Message,
	p *preflight.Profile,
	o *preflight.Options,
) {
	t.Helper()
	var got []string
	for _, v := range preflight.Check(in, p, o) {
		got = append(got, fmt.Sprint(v.Problem, " ", v.At))
	}
	require.Equal(t, want, got)
	valid := isValid(in, p, o)
	require.Equal(t, want == nil && len(in) > 0, valid, "Valid and Check disagree")
}

// TestCheckRequest: what depends on the state of the request.
func TestCheckRequest(t *testing.T) {
	q, a := userMsg(says("q")), botMsg(says("a"))
	off := preflight.Request{Thinking: provider.ThinkingOff}
	budget := preflight.Request{Thinking: provider.ThinkingBudget}
	held := preflight.Request{ServerHoldsHistory: true}
	anywhere := preflight.Profile{Pairing: provider.PairingRules{Results: provider.ResultsAnywhere}}
	words := anywhere
	words.IDs.Call = provider.Pattern{Alphabet: provider.WordChars}
	for _, c := range []struct {
		name    string
		request preflight.Request
		profile preflight.Profile
		in      []preflight.Message
		want    []string
	}{
		{"reasoning of the open turn while thinking is off", off, signed,
			history(q, botMsg(thinks("hm", "s"), calls("a")), toolMsg(answers("a", "1"))),
			[]string{"reasoning-off messages[1].parts[0]"}},
		{"reasoning of a turn that is over", off, preflight.Profile{},
			history(q, botMsg(thinks("hm", "s"), calls("a")), toolMsg(answers("a", "1")), q), nil},
		{"reasoning of a turn before a system message", off, preflight.Profile{},
			history(q, botMsg(thinks("hm", "s"), says("x")),
				preflight.Message{Role: preflight.RoleSystem}), nil},
		{"a message without reasoning", budget, preflight.Profile{}, history(q, a), nil},
		{"reasoning after other content", budget, signed,
			history(q, botMsg(says("x"), thinks("hm", "s"))),
			[]string{"reasoning-last messages[1]", "reasoning-order messages[1].parts[0]"}},
		{"a tool loop that starts without reasoning", budget, signed,
			history(q, botMsg(calls("a")), toolMsg(answers("a", "1")),
				botMsg(thinks("hm", "s"), calls("b")), toolMsg(answers("b", "2"))),
			[]string{"reasoning-missing messages[1].parts[0]"}},
		{"the server holds the call", held, anywhere, history(toolMsg(answers("a", "1"))), nil},
		{"the server cannot have given the id", held, words, history(toolMsg(answers("a b", "1"))),
			[]string{"orphan messages[0].parts[0]", "id-pattern messages[0].parts[0]"}},
		{"the server holds the turn of an open call", held, preflight.Profile{},
			history(q, botMsg(searches("s")), toolMsg(answers("x", "1"))), nil},
		{"an empty history", held, preflight.Profile{}, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := preflight.Options{KeepWaiting: true, Request: c.request}
			requireViolations(t, c.want, c.in, &c.profile, &o)
		})
	}
}

// kept are the options of a history in which calls may wait.
var kept = preflight.Options{KeepWaiting: true}

// TestValidStopsAtTheFirstBreach: Valid looks no further than it has to, Check at everything.
func TestValidStopsAtTheFirstBreach(t *testing.T) {
	in := history(preflight.Message{Role: "narrator", Parts: []preflight.Part{says("x")}},
		userMsg(says("q")), botMsg(calls("a")))
	for _, trailing := range [][]preflight.Message{nil, {userMsg(says("q"))}} {
		asked := 0
		options := preflight.Options{
			OpenCall: func(c *preflight.ToolCall) preflight.Part { asked++; return c },
		}
		require.False(t, isValid(append(in, trailing...), &preflight.Profile{}, &options))
		require.Zero(t, asked,
			"the breach is in the first message, so OpenCall is not called")
	}
}

// TestCheckNeverQuotesRoles: an unknown role is the caller's data, which no violation
// quotes.
func TestCheckNeverQuotesRoles(t *testing.T) {
	for _, role := range []preflight.Role{"bard", "bard\x00", "b a r d"} {
		found := preflight.Check(history(preflight.Message{
			Role:  role,
			Parts: []preflight.Part{says("x")},
		}), &preflight.Profile{}, nil)

		require.Len(t, found, 1)
		require.Equal(t, problems.RoleUnknown, found[0].Problem)
		require.NotContains(t, found[0].Detail, string(role))
	}
}
