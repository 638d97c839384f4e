package session_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/session"
)

// TestNewKinds: a later version of a client may store what this one does not know. A call that it
// may answer, or keep open, gets no made-up result; one of which all is known does.
func TestNewKinds(t *testing.T) {
	record := chains["claude-code"]
	call, result := record("2", "1", "call", "toolu_1"), record("3", "2", "result", "toolu_1")
	prompt := record("3", "2", "prompt", "and")
	for _, c := range []struct {
		name, call, next string
		answered         bool
	}{
		{"a result of a new type", call,
			strings.Replace(result, `"type":"tool_result"`, `"type":"stream_tool_result"`, 1), false},
		{"no result", call, prompt, true},
		{"a new member of the call", strings.Replace(call, `"input"`, `"until":"x","input"`, 1),
			prompt, false},
		{"a known member", strings.Replace(call, `"input"`, `"caller":"x","input"`, 1), prompt, true},
	} {
		file := strings.Join([]string{
			record("1", "", "prompt", "q"), c.call, c.next, record("4", "3", "answer", "done"), "",
		}, "\n")
		repaired, report, err := session.Repair([]byte(file), nil)
		require.NoError(t, err)
		require.Equal(t, c.answered, string(repaired) != file, "%s: %v", c.name, report)
	}
}

// TestCodexID: items with one id that say different things both stay, without the second id: the
// provider refuses two.
func TestCodexID(t *testing.T) {
	item := func(text string) string {
		return `{"timestamp":"t","type":"response_item","payload":{"type":"message","id":"msg_1",` +
			`"role":"assistant","content":[{"type":"output_text","text":"` + text + `"}]}}`
	}
	const head = `{"timestamp":"t","type":"session_meta","payload":{"id":"thread"}}` + "\n" +
		`{"timestamp":"t","type":"response_item","payload":{"type":"message","role":"user",` +
		`"content":[{"type":"input_text","text":"q"}]}}` + "\n"
	for second, stays := range map[string]bool{"the whole answer": true, "part": false} {
		file := head + item("part") + "\n" + item(second) + "\n"
		repaired, report, err := session.Repair([]byte(file), nil)
		require.NoError(t, err)
		require.NotEqual(t, file, string(repaired))
		require.Contains(t, string(repaired), `"text":"part"`)
		require.Equal(t, stays, strings.Contains(string(repaired), "whole"), report)
		require.Equal(t, 1, strings.Count(string(repaired), "msg_1"))
		again, _, err := session.Repair(repaired, nil)
		require.NoError(t, err)
		require.Equal(t, string(repaired), string(again))
	}
}
