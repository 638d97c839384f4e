package session_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/session"
)

// TestCopilotAgents: the events of a subagent are between a call and its result, and are no part of
// the conversation. So are commands of the user's, which have no call.
func TestCopilotAgents(t *testing.T) {
	event := func(kind, id, more, data string) string {
		return `{"type":"` + kind + `","data":{` + data + `},"id":"` + id + `"` + more +
			`,"timestamp":"t","parentId":null}`
	}
	const (
		agent  = `,"agentId":"a1"`
		parent = `,"parentToolCallId":"toolu_1"`
	)
	request := func(id, name string) string {
		return `"toolRequests":[{"toolCallId":"` + id + `","name":"` + name +
			`","arguments":{},"type":"function"}]`
	}
	result := func(id, text string) string {
		return `"toolCallId":"` + id + `","success":true,"result":{"content":"` + text + `"}`
	}
	data := file([]string{
		event("session.start", "e0", "", `"sessionId":"s","copilotVersion":"1.0.102"`),
		event("user.message", "e1", "", `"content":"Look."`),
		event("tool.user_requested", "e2", "", `"toolCallId":"typed","toolName":"bash"`),
		event("tool.execution_complete", "e3", "", result("typed", "own")),
		event("assistant.message", "e4", "", `"content":"",`+request("toolu_1", "task")),
		event("tool.execution_start", "e5", "", `"toolCallId":"toolu_1","toolName":"task"`),
		event("user.message", "e6", agent, `"content":"Look below."`),
		event("assistant.message", "e7", agent, `"content":"below",`+request("toolu_2", "ls")+parent),
		event("tool.execution_complete", "e8", agent, result("toolu_2", "inner")+parent),
		event("assistant.message", "e9", agent, `"content":"Seen below.","toolRequests":[]`+parent),
		event("tool.execution_complete", "e10", "", result("toolu_1", "outer")),
		event("assistant.message", "e11", "", `"content":"Done.","toolRequests":[]`),
	})
	out, report, err := session.Repair(data, nil)
	require.NoError(t, err)
	require.True(t, report.Sound(), "%+v", report)
	require.Equal(t, string(data), string(out))
	s, err := session.Read(data)
	require.NoError(t, err)
	requireAccepted(t, s, "a session with a subagent")
	require.Contains(t, string(s.Body), "outer")
	for _, other := range []string{"below", "inner", "own"} {
		require.NotContains(t, string(s.Body), other)
	}
}

// TestCopilotCallAgain: the calls of a lost message are in the events of their runs, too. Only
// calls with a result are written again.
func TestCopilotCallAgain(t *testing.T) {
	lines := append([]string{}, stored["copilot-cli"]...)
	start := lines[4]
	lines[4] += "\n" + strings.NewReplacer("toolu_1", "toolu_2", `"e4"`, `"e4b"`).Replace(start)
	healthy, _, err := session.Repair(file(lines), nil)
	require.NoError(t, err)
	require.Equal(t, string(file(lines)), string(healthy))

	out, report, err := session.Repair(file(lines, 4), nil)
	require.NoError(t, err)
	require.Equal(t, session.CodeOrphanResult, report.Findings[0].Code)
	require.Contains(t, report.Findings[0].Fix, "write the call again")
	s, err := session.Read(out)
	require.NoError(t, err)
	requireAccepted(t, s, "the calls again")
	for _, want := range []string{`"input":{"n": 1.0}`, `"one"`, `"two"`} {
		require.Contains(t, string(s.Body), want)
	}
	requireSettled(t, out)
}

// TestCopilotEarlyResults: the client drops results that come before their call, so they are moved.
func TestCopilotEarlyResults(t *testing.T) {
	healthy := stored["copilot-cli"]
	early := slices.Concat(healthy[:3], healthy[4:7], healthy[3:4], healthy[7:])
	out, report, err := session.Repair(file(early), nil)
	require.NoError(t, err)
	require.Equal(t, session.CodeOutOfOrder, report.Findings[0].Code)
	require.Equal(t, []int{5, 6}, report.Lost)
	require.Equal(t, []int{5, 6}, report.Findings[0].Lines)
	requireSettled(t, out)
	s, err := session.Read(out)
	require.NoError(t, err)
	requireAccepted(t, s, "results before their call")
	require.Contains(t, string(s.Body), `"content":"one"`)
	require.Contains(t, string(s.Body), `"content":"two"`)
}
