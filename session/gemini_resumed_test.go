package session_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/session"
)

// A session that Gemini CLI 0.61.0 resumed: calls are parts of the content, toolCalls has the
// results of the whole turn with every call, and two records of the user's have them again.
func TestGeminiResumed(t *testing.T) {
	response := func(id string) string {
		return `{"functionResponse":{"id":"` + id + `","name":"ls","response":{"output":"` + id + `"}}}`
	}
	both := "[" + response("ls__ls_1_0") + "," + response("ls__ls_1_1") + "]"
	call := func(id string) string {
		return `{"functionCall":{"id":"` + id + `","name":"ls","args":{}}}`
	}
	toolCall := func(id string) string {
		return `{"id":"` + id + `","name":"ls","args":{},"result":` + both + `}`
	}
	for _, toolCalls := range []string{"",
		`,"toolCalls":[` + toolCall("ls__ls_1_0") + "," + toolCall("ls__ls_1_1") + "]"} {
		data := file([]string{
			stored["gemini-cli"][0],
			`{"$set":{"messages":[{"id":"a","type":"user","content":[{"text":"List the files."}]},` +
				`{"id":"b","type":"gemini","content":[{"text":"A plan.","thought":true},` +
				call("ls__ls_1_0") + "," + call("ls__ls_1_1") + "]" + toolCalls + "}," +
				`{"id":"b_response","type":"user","content":` + both + `},` +
				`{"id":"c","type":"user","content":[` + response("ls_1_0") + "," +
				response("ls_1_1") + `]},` +
				`{"id":"d","type":"gemini","content":[{"text":"Two files."}]}]}}`,
		})
		out, report, err := session.Repair(data, nil)
		require.NoError(t, err)
		require.Empty(t, report.Left)
		require.Equal(t, []string{"gemini/function-response-count"}, report.Refused)
		requireSettled(t, out)
		s, err := session.Read(out)
		require.NoError(t, err)
		requireAccepted(t, s, toolCalls)
		require.Contains(t, string(s.Body), `"output":"ls__ls_1_0"`)
		require.Contains(t, string(s.Body), `"output":"ls__ls_1_1"`)
	}
}

// TestGeminiOlderVersion: a record is written anew when it has got its calls. Where the version
// before that comes again, it does not take them away.
func TestGeminiOlderVersion(t *testing.T) {
	lines := stored["gemini-cli"]
	older, answer, set := lines[3], lines[5], `{"$set":{"messages":[`+lines[1]+`,`+lines[4]+`]}}`
	result := `{"id":"r3","type":"user","content":[{"functionResponse":{"id":"ls_1_0","name":"ls",` +
		`"response":{"output":"one"}}}]}`
	for name, data := range map[string][]string{
		"at once":         {lines[0], lines[1], older, lines[4], older, result, answer},
		"later":           {lines[0], lines[1], older, lines[4], result, answer, older},
		"after a list":    {lines[0], set, older, result, answer},
		"in reverse":      {lines[0], lines[1], lines[4], older, answer},
		"with what is ok": {lines[0], lines[1], older, lines[4], lines[2], older, answer},
	} {
		out, report, err := session.Repair(file(data), nil)
		require.NoError(t, err)
		require.True(t, slices.ContainsFunc(report.Findings, func(f session.Finding) bool {
			return f.Code == session.CodeDoubledLine
		}), name)
		requireSettled(t, out)
		s, err := session.Read(out)
		require.NoError(t, err)
		requireAccepted(t, s, name)
		require.Contains(t, string(s.Body), `"functionCall"`, name)
		require.Equal(t, 1, strings.Count(string(s.Body), `"output":"one"`), name)
	}
	for name, other := range map[string]string{
		"another text":    strings.Replace(older, "I will look.", "No.", 1),
		"another id":      strings.Replace(older, `"r2"`, `"r9"`, 1),
		"one more member": strings.Replace(older, `"thoughts"`, `"model":"m","thoughts"`, 1),
	} {
		data := file([]string{lines[0], lines[1], older, lines[4], other, answer})
		out, _, err := session.Repair(data, nil)
		require.NoError(t, err)
		require.Equal(t, string(data), string(out), name)
	}
}
