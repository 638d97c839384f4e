package session_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/session"
)

// TestLateResult: damage, repair, the real result arrives, repair again: then the real result is
// sent, and not the one that the first repair added. For every client and every result.
func TestLateResult(t *testing.T) {
	results := map[string][]int{ // the lines of the samples with results
		"claude-code": {6, 7}, "codex": {6}, "gemini-cli": {}, "qwen-code": {4}, "pi": {5, 6},
		"copilot-cli": {6, 7},
	}
	for _, client := range clientsOfLines() {
		lines := stored[client]
		of, known := results[client]
		require.True(t, known, client)
		for _, n := range of {
			result := lines[n-1]
			for _, end := range []int{n - 1, len(lines)} { // killed in the tool, or the line lost
				damaged := slices.Delete(slices.Clone(lines[:end:end]), min(n-1, end),
					min(n, end))
				repaired, _, err := session.Repair(file(damaged), nil)
				require.NoError(t, err)
				late := append(repaired[:len(repaired):len(repaired)], result+"\n"...)
				again, report, err := session.Repair(late, nil)
				require.NoError(t, err)
				require.Empty(t, report.Left)
				s, err := session.Read(again)
				require.NoError(t, err)
				for _, text := range []string{"one", "two"} {
					if strings.Contains(result, `"`+text+`"`) {
						require.Contains(t, string(s.Body), `"`+text+`"`, "%s %d %d", client, n, end)
					}
				}
				own := strings.Count(string(s.Body), session.DefaultInterruptedText)
				open := 0
				if client == "claude-code" && end == 5 {
					open = 1 // the other of the two parallel calls
				}
				require.Equal(t, open, own, "%s %d %d: %s", client, n, end, s.Body)
				requireSettled(t, again)
			}
		}
	}
}

// TestLateGemini is TestLateResult for the Gemini CLI, whose calls are parts of the content once a
// session was resumed: before, it keeps no call without its result.
func TestLateGemini(t *testing.T) {
	call := func(id string) string {
		return `{"functionCall":{"id":"` + id + `","name":"ls","args":{}}}`
	}
	result := func(record, id, output string) string {
		return `{"id":"` + record + `","type":"user","content":[{"functionResponse":{"id":"` + id +
			`","name":"ls","response":{"output":"` + output + `"}}}]}`
	}
	user := `{"id":"a","type":"user","content":[{"text":"List the files."}]}`
	calls := `{"id":"b","type":"gemini","content":[` + call("ls_1") + "," + call("ls_2") + "]}"
	end := `{"id":"c","type":"gemini","content":"Done."}`
	for name, lines := range map[string][]string{
		"lines": {stored["gemini-cli"][0], user, calls, result("r1", "ls_1", "one"), end},
		"none":  {stored["gemini-cli"][0], user, calls, end},
		"set at once": {
			stored["gemini-cli"][0], `{"$set":{"messages":[` + user + "," + calls + "," + end + "]}}",
		},
	} {
		repaired, _, err := session.Repair(file(lines), nil)
		require.NoError(t, err, name)
		require.Contains(t, string(repaired), session.DefaultInterruptedText, name)
		late := string(repaired) + result("r2", "ls_2", "two") + "\n"
		if name != "lines" {
			late += result("r3", "ls__ls_1", "one") + "\n"
		}
		again, report, err := session.Repair([]byte(late), nil)
		require.NoError(t, err, name)
		require.Empty(t, report.Left, name)
		s, err := session.Read(again)
		require.NoError(t, err, name)
		requireAccepted(t, s, name)
		require.NotContains(t, string(s.Body), session.DefaultInterruptedText, name)
		require.Contains(t, string(s.Body), `"one"`, name)
		require.Contains(t, string(s.Body), `"two"`, name)
		requireSettled(t, again)
	}
}

// TestLateListResult is TestLateResult for lists of messages: the second of two results is lost or
// not there yet, and comes at the end after the repair. It takes the place of the placeholder, or
// the call is repeated for it, since the assistant has spoken.
func TestLateListResult(t *testing.T) {
	for form, whole := range lists {
		if form == "anthropic" {
			continue // it has one call
		}
		late := whole[4]
		damaged := append(append([]string{}, whole[:4]...), whole[5:]...)
		repaired, _, err := session.Repair(list(damaged...), nil)
		require.NoError(t, err, form)
		require.Contains(t, string(repaired), session.DefaultInterruptedText, form)
		end := strings.LastIndex(string(repaired), "]")
		data := []byte(string(repaired[:end]) + "," + late + "]\n")
		again, report, err := session.Repair(data, nil)
		require.NoError(t, err, form)
		require.Empty(t, report.Left, form)
		require.Equal(t, strings.Contains(string(again), session.DefaultInterruptedText),
			strings.Contains(string(again), "c2_2"), form)
		require.Contains(t, string(again), `"two"`, form)
		next, second, err := session.Repair(again, nil)
		require.NoError(t, err, form)
		require.Equal(t, string(again), string(next), form)
		require.False(t, second.Changed, form)
	}
}
