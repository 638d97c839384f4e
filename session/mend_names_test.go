package session_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/session"
)

// calledBy are the ids of calls and the names of tools in the samples.
var calledBy = map[string]struct{ ids, name string }{
	"claude-code": {"toolu_1", "ls"},
	"codex":       {"call_1", "ls"},
	"gemini-cli":  {"ls__ls_1_0", "ls"},
	"qwen-code":   {"call_1", "ls"},
	"pi":          {"toolu_1", "ls"},
	"copilot-cli": {"toolu_1", "ls"},
}

// TestNamesOfCalls: an id of a call, or a name of a tool, that the provider refuses is written anew
// in every record that has it; one that it takes stays, and so does all else.
func TestNamesOfCalls(t *testing.T) {
	mended := map[string]bool{}
	for client, lines := range stored {
		of := calledBy[client]
		require.Contains(t, string(file(lines)), `"`+of.ids+`"`, client)
		require.Contains(t, string(file(lines)), `"`+of.name+`"`, client)
		for _, id := range []string{"call_9", "call:1|fc 1", strings.Repeat("i", 100), "\u00e9"} {
			for _, name := range []string{of.name, "a tool", strings.Repeat("n", 300), "a.b/c"} {
				data := file(lines)
				data = bytes.ReplaceAll(data, []byte(`"`+of.ids+`"`), []byte(`"`+id+`"`))
				data = bytes.ReplaceAll(data, []byte(`"name":"`+of.name+`"`), []byte(`"name":"`+name+`"`))
				if client == "pi" {
					data = bytes.ReplaceAll(data, []byte(`"modelId":"m"`), []byte(`"modelId":"claude-4"`))
				}
				what := fmt.Sprintf("%s %.20s %.20s", client, id, name)
				before, err := session.Read(data)
				require.NoError(t, err)
				refused := refusals(t, before, what)
				out, report, err := session.Repair(data, nil)
				require.NoError(t, err, what)
				require.Empty(t, report.Left, what)
				requireSettled(t, out)
				after, err := session.Read(out)
				require.NoError(t, err)
				requireAccepted(t, after, what)
				if len(refused) == 0 {
					require.True(t, bytes.Equal(data, out), "%s: %+v", what, report)
					continue
				}
				require.NotEmpty(t, report.Refused, what)
				mended[client] = true
				require.Equal(t, strings.Count(string(data), "\n"), strings.Count(string(out), "\n"), what)
				require.Equal(t, len(before.Lines), len(after.Lines), what)
			}
		}
	}
	require.Len(t, mended, len(stored), "%v", mended)
}
