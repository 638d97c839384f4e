package session_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/session"
)

// TestSettings: a session is judged with what its client sends beside the messages: the tools that
// it declares, the betas that it asks for, and the model.
func TestSettings(t *testing.T) {
	claude := func(result, answer string) []byte {
		record := func(id, parent, role, more, content string) string {
			return `{"parentUuid":` + parent + `,"isSidechain":false,"sessionId":"s",` +
				`"version":"2.1.332","type":"` + role + `","message":{"role":"` + role + `",` + more +
				`"content":[` + content + `]},"uuid":"` + id + `"}`
		}
		const from = `"model":"claude-sonnet-4-5",`
		return file([]string{
			record("a", "null", "user", "", `{"type":"text","text":"Find."}`),
			record("b", `"a"`, "assistant", `"id":"m1",`+from,
				`{"type":"tool_use","id":"toolu_1","name":"ToolSearch","input":{}}`),
			record("c", `"b"`, "user", "", `{"type":"tool_result","tool_use_id":"toolu_1","content":[`+
				result+`]}`),
			record("d", `"c"`, "assistant", `"id":"m2",`+from, answer),
		})
	}
	const found, said = `{"type":"tool_reference","tool_name":"mcp__a__b"}`,
		`{"type":"text","text":"Done."}`
	for name, test := range map[string]struct {
		data  []byte
		sound bool
	}{
		"tools that a search has found": {claude(found, said), true},
		"a block of a beta": {claude(found, `{"type":"fallback","from":{"model":"a"},"to":`+
			`{"model":"b"}},`+said), true},
		"what is refused with them, too": {claude(found, strings.Replace(said, "Done.",
			`\ud83d`, 1)+`,{"type":"server_tool_use","id":"a b","name":"web_search","input":{}}`), false},
	} {
		out, report, err := session.Repair(test.data, nil)
		require.NoError(t, err)
		require.Equal(t, test.sound, report.Sound(), "%s: %+v", name, report)
		require.Equal(t, test.sound, bytes.Equal(test.data, out), name)
		require.Contains(t, string(out), found, name)
	}

	// an id that Anthropic alone refuses
	copilot := strings.ReplaceAll(string(file(stored["copilot-cli"])), `"toolu_1"`, `"call:1"`)
	for model, changed := range map[string]bool{"claude-sonnet-4.5": true, "gpt-5.1": false} {
		data := strings.Replace(copilot, `"data":{"messageId"`, `"data":{"model":"`+model+
			`","messageId"`, 1)
		require.NotEqual(t, copilot, data)
		out, report, err := session.Repair([]byte(data), nil)
		require.NoError(t, err)
		require.Equal(t, changed, string(out) != data, "%s: %+v", model, report)
		require.Empty(t, report.Left)
		s, err := session.Read(out)
		require.NoError(t, err)
		requireAccepted(t, s, model)
	}
}
