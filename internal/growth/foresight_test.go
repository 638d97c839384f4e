package main

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
)

// TestForesight: what TestBound leaves unreached cannot be reached. Of two sessions with the same
// beginning, whatever is sent of it costs reasoning in one of them: what a repairer who knows the
// end sends in the one is not what he sends in the other. Forms that lose a result, or have one
// that is not there yet, are not his to choose.
func TestForesight(t *testing.T) {
	say := func(role preflight.Role, parts ...preflight.Part) preflight.Message {
		return preflight.Message{Role: role, Parts: parts}
	}
	text := func(s string) preflight.Part { return &preflight.Text{Text: s} }
	think := func(n int) preflight.Part {
		return &preflight.Reasoning{Text: fmt.Sprint("thought ", n), Signature: "c2ln"}
	}
	asked := say("user", text("q"))
	goOn := []preflight.Message{say("assistant", think(1), text("a")), say("user", text("go on"))}

	searches := &preflight.ToolCall{
		ID: "srvtoolu_1", Name: "web_search", ProviderExecuted: true, Input: json.RawMessage(`{"query":"q"}`),
	}
	finds := &preflight.ToolResult{
		CallID: "srvtoolu_1", Name: "web_search", ProviderExecuted: true,
		Output: json.RawMessage(`[{"type":"web_search_result","title":"T","url":"https://example.com",` +
			`"encrypted_content":"eA=="}]`),
	}
	calls := say("assistant", think(0), &preflight.ToolCall{
		ID: "toolu_1", Name: "f", Input: json.RawMessage(`{}`),
	})
	answered := func(results ...string) []preflight.Message {
		r := &preflight.ToolResult{CallID: "toolu_1", Name: "f"}
		for _, s := range results {
			r.Content = append(r.Content, text(s))
		}
		return []preflight.Message{asked, calls, say("tool", r)}
	}

	// the call of the provider's waits for a result of the client's in its turn
	result := answered("r")[2]
	f := calls.Parts[1]
	open := []preflight.Message{asked, say("assistant", think(0), searches, f), result}
	cut := []preflight.Message{asked, calls, result}
	found := append(open[:3:3], say("assistant", think(1), finds, text("a")), goOn[1])
	left := append(cut[:3:3], goOn...)

	type form struct{ begins, ends []preflight.Message } // what is sent first, and in the end
	for name, futures := range map[string][2][]form{
		// a call of the provider's is open: its result comes, or the session goes on without it
		"open server call": {
			{{open, found}, {cut, found}},
			{{open, left}, {cut, left}},
		},
		// a second result of a call comes, of which there are two
		"repeat result": {
			{
				{answered("r"), append(answered("r", "s"), goOn...)},
				{answered("r", "s"), append(answered("r", "s"), goOn...)},
				{answered("r", "t"), append(answered("r", "s"), goOn...)},
			},
			{
				{answered("r"), append(answered("r", "t"), goOn...)},
				{answered("r", "s"), append(answered("r", "t"), goOn...)},
				{answered("r", "t"), append(answered("r", "t"), goOn...)},
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			require.Contains(t, unreached, name)
			b := binders[0]
			var lost [2][]int
			for k, forms := range futures {
				for _, f := range forms {
					r := b.start(false)
					_, ok := r.send([]preflight.Message{asked}, nil, "thought 0")
					require.True(t, ok)
					first, ok := r.send(f.begins, f.begins, "thought 1")
					require.True(t, ok)
					last, ok := r.send(f.ends, f.ends, "")
					require.True(t, ok)
					require.False(t, first.refused || last.refused, "%d: %v %v", k, first, last)
					lost[k] = append(lost[k], first.dropped+last.dropped)
					r.server.Close()
				}
			}
			require.Contains(t, lost[0], 0, "who knows the end loses nothing")
			require.Contains(t, lost[1], 0, "who knows the end loses nothing")
			for k := range lost[0] {
				require.Positive(t, lost[0][k]+lost[1][k], "form %d is right in both", k)
			}
		})
	}
}
