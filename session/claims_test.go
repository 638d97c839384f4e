package session_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/session"
)

// TestClaims: what becomes of a session is said for sure of the versions that were measured, and of
// others that it may be so.
func TestClaims(t *testing.T) {
	versioned := func(client, version string, without int) []byte {
		return []byte(strings.ReplaceAll(string(file(stored[client], without)), `"sessionId":"s"`,
			`"sessionId":"s","version":"`+version+`"`))
	}
	twice := func(client string, n int) []byte {
		return file(append(append([]string{}, stored[client]...), stored[client][n-1]))
	}
	for _, test := range []struct {
		data    []byte
		unsure  bool
		problem string
	}{
		{versioned("qwen-code", "0.24.4", 4), false, "so the client drops the call"},
		{versioned("qwen-code", "0.30.0", 4), true, "so the client may drop the call"},
		{file(stored["qwen-code"], 4), true, "so the client may drop the call"},
		{versioned("qwen-code", "0.24.4", 2), false, "so the client forgets what is before it"},
		{versioned("claude-code", "2.1.330", 6), false, "so the client drops the call"},
		{versioned("claude-code", "2.1.330", 3), true, "so the client may forget a part"},
		{versioned("claude-code", "9.0.0", 6), true, "so the client may drop the call"},
		// a session of pi names the version of its format alone
		{file(stored["pi"], 4), true, "so the client may forget a part"},
		{file(stored["copilot-cli"], 4), false, "so the client drops the result"},
		{file(stored["codex"], 5), true, "so the client may drop the result"},
		{twice("copilot-cli", 4), false, "the message is in the file twice, and the client sends"},
	} {
		_, report, err := session.Repair(test.data, nil)
		require.NoError(t, err)
		require.Equal(t, test.unsure, report.Unsure, "%+v", report)
		var problems []string
		for _, f := range report.Findings {
			problems = append(problems, f.Problem)
		}
		require.Contains(t, strings.Join(problems, "; "), test.problem)
	}
}

// TestTwiceIsSentOnce: Copilot CLI sends a result once that is in the file twice.
func TestTwiceIsSentOnce(t *testing.T) {
	lines := append(append([]string{}, stored["copilot-cli"]...), stored["copilot-cli"][5])
	_, report, err := session.Repair(file(lines), nil)
	require.NoError(t, err)
	require.Equal(t, "the event is in the file twice", report.Findings[0].Problem)
}

// TestForgottenTwice: Codex forgets the first copy of a file that is there twice, and so sends
// nothing twice.
func TestForgottenTwice(t *testing.T) {
	lines := append(append([]string{}, stored["codex"]...), stored["codex"]...)
	_, report, err := session.Repair(file(lines), nil)
	require.NoError(t, err)
	require.NotEmpty(t, report.Findings)
	for _, f := range report.Findings {
		require.NotContains(t, f.Problem, "twice, and", "%+v", report)
	}
}

// TestPiOrder: pi starts at the last line, so that all after a record that comes late is forgotten.
func TestPiOrder(t *testing.T) {
	healthy := stored["pi"]
	for n := 4; n < len(healthy)-1; n++ {
		late := append(append(append([]string{}, healthy[:n]...), healthy[n+1:]...), healthy[n])
		out, report, err := session.Repair(file(late), nil)
		require.NoError(t, err)
		require.Equal(t, session.CodeOutOfOrder, report.Findings[0].Code)
		require.Equal(t, string(file(healthy)), string(out), "line %d", n+1)
	}
}

// TestRefusedIsChecked: that a provider refuses a session is said only where a rule finds it in the
// request that the client would send.
func TestRefusedIsChecked(t *testing.T) {
	for client, lines := range stored {
		for k := range lines {
			data := file(lines, k+1)
			_, report, err := session.Repair(data, nil)
			if err != nil || report.Sound() {
				continue
			}
			s, err := session.Read(data)
			require.NoError(t, err)
			if len(report.Refused) == 0 {
				requireAccepted(t, s, client)
			}
		}
	}
}

// TestTextBesideAnOpenCallIsSent: Qwen Code drops a call without a result and sends the text beside
// it, so that the record is forgotten only where it has nothing else.
func TestTextBesideAnOpenCallIsSent(t *testing.T) {
	for text, lost := range map[string][]int{`{"text":"Let me look."},`: nil, "": {2}} {
		_, report, err := session.Repair(file([]string{
			`{"uuid":"a","parentUuid":null,"sessionId":"s","version":"0.24.4","type":"user",` +
				`"message":{"role":"user","parts":[{"text":"Look."}]}}`,
			`{"uuid":"b","parentUuid":"a","sessionId":"s","version":"0.24.4","type":"assistant",` +
				`"message":{"role":"model","parts":[` + text +
				`{"functionCall":{"id":"c","name":"f","args":{}}}]}}`,
		}), nil)
		require.NoError(t, err)
		require.Equal(t, lost, report.Lost, "%+v", report)
	}
}

// TestTwiceForgetsNothing: of a record that is in the file twice, each copy says the same.
func TestTwiceForgetsNothing(t *testing.T) {
	for client, lines := range stored {
		for k := range lines {
			for at := k; at <= len(lines); at++ {
				data := file(slices.Insert(slices.Clone(lines), at, lines[k]))
				before, err := session.Read(data)
				require.NoError(t, err)
				out, report, err := session.Repair(data, nil)
				require.NoError(t, err)
				after, err := session.Read(out)
				require.NoError(t, err)
				if bytes.Equal(before.Body, after.Body) {
					require.Empty(t, report.Lost, "%s: record %d again at %d", client, k, at)
				}
			}
		}
	}
}

// TestReasoningWithoutStore: OpenAI takes reasoning that nothing follows where nothing is stored,
// as Codex asks of it and not of Azure.
func TestReasoningWithoutStore(t *testing.T) {
	for provider, taken := range map[string]bool{"openai": true, "azure": false, "mine": false} {
		lines := slices.Clone(stored["codex"][:4])
		lines[0] = strings.Replace(lines[0], `"id":"thread"`,
			`"id":"thread","model_provider":"`+provider+`"`, 1)
		data := file(lines)
		out, report, err := session.Repair(data, nil)
		require.NoError(t, err)
		require.Equal(t, taken, report.Sound(), provider)
		require.Equal(t, taken, len(report.Refused) == 0, provider)
		require.Equal(t, taken, bytes.Equal(data, out), provider)
		requireSettled(t, out)
	}
}
