package session_test

import (
	"bytes"
	"fmt"
	"regexp"
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

// TestReusedIDs: a model that counts its calls anew in each turn gives several of them one id,
// which Anthropic refuses. The later calls get others, together with their results.
func TestReusedIDs(t *testing.T) {
	for client, last := range map[string]string{
		"claude-code": `"parentUuid":"u7"`, "copilot-cli": `"parentId":"e7"`, "pi": `"parentId":"e6"`,
	} {
		data := string(file(stored[client]))
		if client == "pi" {
			data = strings.ReplaceAll(data, `"modelId":"m"`, `"modelId":"claude-4"`)
		}
		again := regexp.MustCompile(`"([uem]\d)"`).ReplaceAllString(data, `"${1}0"`)
		again = regexp.MustCompile(`"parent(Uuid|Id)":null`).ReplaceAllString(again, last)
		again = strings.NewReplacer(`"one"`, `"three"`, `"two"`, `"four"`).Replace(again)
		if client != "claude-code" { // the first record is that of the session
			again = again[strings.IndexByte(again, '\n')+1:]
		}
		data += again
		out, report, err := session.Repair([]byte(data), nil)
		require.NoError(t, err)
		require.Empty(t, report.Left, client)
		require.Equal(t, []string{"anthropic/tool-use-id-duplicate"}, report.Refused, client)
		requireSettled(t, out)
		require.Equal(t, strings.Count(data, "\n"), strings.Count(string(out), "\n"), client)
		s, err := session.Read(out)
		require.NoError(t, err)
		requireAccepted(t, s, client)
		said := regexp.MustCompile(`"(one|two|three|four)"`).FindAllStringSubmatch(string(s.Body), -1)
		ids := regexp.MustCompile(`"tool_use","id":"([^"]+)"`).FindAllStringSubmatch(string(s.Body), -1)
		require.Len(t, ids, 4)
		require.Len(t, said, 4, client+string(s.Body))
		for k, output := range []string{"one", "two", "three", "four"} {
			require.Equal(t, output, said[k][1], client)
			require.Regexp(t, `"tool_use_id":"`+ids[k][1]+`"[^}]*"`+output+`"`, string(s.Body))
		}
	}
}
