package spec

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/msgtest"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/wire"
)

// TestTouched: a message that a repair changes is written as all models take it, and its neighbours
// elsewhere stay as they are.
func TestTouched(t *testing.T) {
	elsewhere := history(userMsg(says("p")), userMsg(says("p2")), botMsg(says(" "), says("a")))
	for _, c := range []struct {
		name     string
		in, want []preflight.Message
	}{
		{
			"a removed part leaves a blank neighbour",
			history(botMsg(says(""), says(" "), says("b")), userMsg(says("q"))),
			history(botMsg(says("b")), userMsg(says("q"))),
		},
		{
			"a moved result leaves two messages of the user's side by side",
			history(botMsg(calls("a")), userMsg(says("hm")), userMsg(answers("a", "1")),
				botMsg(says("b")), userMsg(says("q"))),
			history(botMsg(calls("a")), userMsg(answers("a", "1"), says("hm")), botMsg(says("b")),
				userMsg(says("q"))),
		},
		{
			"a removed message leaves two messages of the user's side by side",
			history(botMsg(says("b")), userMsg(says("q")), botMsg(says("")), userMsg(says("r"))),
			history(botMsg(says("b")), userMsg(says("q"), says("r"))),
		},
		{
			"names are not lost",
			history(botMsg(says("b")), userMsg(says("q")), botMsg(says("")),
				preflight.Message{Role: "user", Name: "ann", Parts: []preflight.Part{says("r")}}),
			history(botMsg(says("b")), userMsg(says("q")),
				preflight.Message{Role: "user", Name: "ann", Parts: []preflight.Part{says("r")}}),
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			asked := history(userMsg(says("o")))
			in := slices.Concat(elsewhere, asked, c.in)
			want := slices.Concat(elsewhere, asked, c.want)
			p := provider.Anthropic("claude-sonnet-4-5")
			res, err := preflight.Sanitize(context.Background(), in, p, nil)
			require.NoError(t, err)
			require.Equal(t, msgtest.Dump(want), msgtest.Dump(res.Messages), msgtest.List(res.Warnings))
			again, err := preflight.Sanitize(context.Background(), res.Messages, p, nil)
			require.NoError(t, err)
			require.False(t, again.Changed, msgtest.List(again.Warnings))
			for k := range elsewhere {
				require.Same(t, &in[k].Parts[0], &res.Messages[k].Parts[0], "it was not touched")
			}
		})
	}
}

// TestTouchedInALongRun: a repair near the end of many messages of the user joins all of them, each
// of which makes the one before it a touched one.
func TestTouchedInALongRun(t *testing.T) {
	var in []preflight.Message
	var want []preflight.Part
	for range 40 {
		in = append(in, userMsg(says("q")))
		want = append(want, says("q"))
	}
	in[39].Parts = []preflight.Part{says(""), says("q")}
	res, err := preflight.Sanitize(context.Background(), in, provider.Anthropic(""), nil)
	require.NoError(t, err)
	require.Equal(t, msgtest.Dump(history(userMsg(want...))), msgtest.Dump(res.Messages))
}

// TestTouchedBytes: on the wire, messages that no repair touches keep their bytes, whatever is
// next to them, and a longer history begins with what the shorter one became.
func TestTouchedBytes(t *testing.T) {
	const apart = `{"role":"user","content":"a"},{ "role":"user","content":"b"},` +
		`{"role":"assistant","content":[{"type":"text","text":" "},{"type":"text","text":"c"}]}`
	const broken = `,{"role":"user","content":"d"},{"role":"assistant","content":[` +
		`{"type":"tool_use","id":"t","name":"f","input":{}}]},{"role":"user","content":"e"},` +
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"1"}]}`
	const more = `,{"role":"assistant","content":"f"},{"role":"user","content":"g"},` +
		`{ "role":"user","content":"h"}`
	options := &wire.Options{Provider: "anthropic"}
	sanitize := func(messages string) string {
		body := []byte(`{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[` + messages + `]}`)
		result, err := wire.Sanitize(t.Context(), body, options)
		require.NoError(t, err)
		again, err := wire.Sanitize(t.Context(), result.Body, options)
		require.NoError(t, err)
		require.False(t, again.Changed, "%s", result.Body)
		_, list, _ := strings.Cut(string(result.Body), `"messages":[`)
		return strings.TrimSuffix(list, "]}")
	}
	require.Equal(t, apart, sanitize(apart))
	const repaired = apart + `,{"role":"user","content":"d"},{"role":"assistant","content":[` +
		`{"type":"tool_use","id":"t","name":"f","input":{}}]},{"role":"user","content":[` +
		`{"type":"tool_result","tool_use_id":"t","content":"1"},{"type":"text","text":"e"}]}`
	require.Equal(t, repaired, sanitize(apart+broken))
	require.Equal(t, repaired+more, sanitize(apart+broken+more))
}

// parts takes lines of messages apart into those of their parts: where messages of one role end is
// nothing that the provider sees.
func parts(lines []string) (out []string) {
	for _, line := range lines {
		role, rest, _ := strings.Cut(line, ": ")
		for _, part := range strings.Split(rest, " | ") {
			out = append(out, role+": "+part)
		}
	}
	return out
}
