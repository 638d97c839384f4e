package remedy_test

import (
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/preflighthttp/remedy"
)

// refusingFor is a server that refuses bodies for the first of several reasons: a part of the body,
// and the text of its refusal.
func refusingFor(t *testing.T, reasons ...[2]string) (s *recorder, refusals *atomic.Int64) {
	s, refusals = new(recorder), new(atomic.Int64)
	s.respond = func(w http.ResponseWriter, _ *http.Request, body string) {
		for _, reason := range reasons {
			if strings.Contains(body, reason[0]) {
				refusals.Add(1)
				w.WriteHeader(http.StatusBadRequest)
				io.WriteString(w, reason[1])
				return
			}
		}
		io.WriteString(w, `{"choices":[]}`)
	}
	return s, refusals
}

const (
	withMembers = `{"model":"acme","messages":[{"role":"user","content":"a","colour":1},` +
		`{"role":"assistant","content":"b","mood":2},{"role":"user","content":"c"}]}`
	unknownMood   = `{"error":{"message":"messages[1]: unknown field ` + "`mood`" + `"}}`
	unknownColour = `{"error":{"message":"Unknown parameter: 'messages[0].colour'."}}`
)

// TestLearnedMembers: members that a host named as unknown are left out of later requests, also
// after a restart, until a request with them is accepted.
func TestLearnedMembers(t *testing.T) {
	s, refusals := refusingFor(t, [2]string{`"mood"`, unknownMood})
	file := filepath.Join(t.TempDir(), "learned.json")
	const mood = "drop-named messages[].mood role=assistant"
	for range 2 {
		transport, all := learning(s)
		learned, err := remedy.Open(file)
		require.NoError(t, err)
		transport.Learned = learned
		for range 50 {
			status, _ := do(t, transport, post(t, address+chatPath, withMembers))
			require.Equal(t, http.StatusOK, status)
		}
		require.EqualValues(t, 1, refusals.Load())
		last := all.all[len(all.all)-1]
		require.Equal(t, []string{mood}, last.Learned)
		require.Len(t, last.Warnings, 1)
		require.Equal(t, "messages[1].mood", last.Warnings[0].Path)
		require.Contains(t, s.got[len(s.got)-1].body, `"colour":1`)
		require.Equal(t, []string{mood}, learned.Profiles()[0].Refused)
	}
	transport, _ := learning(s)
	learned, err := remedy.Open(file)
	require.NoError(t, err)
	transport.Learned, transport.DryRun = learned, true
	s.respond = func(w http.ResponseWriter, _ *http.Request, _ string) {
		io.WriteString(w, `{"choices":[]}`)
	}
	do(t, transport, post(t, address+chatPath, withMembers))
	require.Empty(t, learned.Profiles())
}

// TestLearnedItems: after its first refusal, items are written as a host knows them before they are
// sent, also after a restart. What has no such form is removed only when the rest is refused.
func TestLearnedItems(t *testing.T) {
	const grok = `{"error":"data did not match any variant of untagged enum ModelInput"}`
	s, _ := refusingFor(t, [2]string{`"phase"`, grok}, [2]string{`"agent_message"`, grok})
	file := filepath.Join(t.TempDir(), "learned.json")
	const agent = `,{"type":"agent_message","author":"a","content":[]}`
	for k, more := range []string{agent, agent, ""} {
		transport, _ := learning(s)
		transport.Endpoints[0].Provider = "xai-responses"
		learned, err := remedy.Open(file)
		require.NoError(t, err)
		transport.Learned = learned
		status, _ := do(t, transport, post(t, address+"/v1/responses", `{"model":"m","input":`+
			`[{"role":"user","content":"q"},{"role":"assistant","phase":"a","content":"b"}`+more+`]}`))
		require.Equal(t, k > 0, status == http.StatusOK)
		require.Equal(t, []string{"plain-items"}, learned.Profiles()[0].Refused)
	}
	var held []string
	for _, got := range s.received() {
		held = append(held, strings.Join(regexp.MustCompile(`phase|agent`).
			FindAllString(got.body, -1), " "))
	}
	require.Equal(t, []string{"phase agent", "agent", "agent", "", ""}, held)
}

// TestLearnedSeveral: a server with several restrictions, of which it names one at a time, is
// learned one by one, although no resending is accepted at first.
func TestLearnedSeveral(t *testing.T) {
	const alternate = `{"error":{"message":"Conversation roles must alternate user/assistant/..."}}`
	s, refusals := refusingFor(t,
		[2]string{`"mood"`, unknownMood}, [2]string{`"colour"`, unknownColour},
		[2]string{`"content":"d"},{"role":"user"`, alternate},
	)
	transport, _ := learning(s)
	transport.Remedies = remedy.Restrictions()
	body := strings.Replace(withMembers, `"content":"c"}`,
		`"content":"d"},{"role":"user","content":"e"}`, 1)
	var statuses []int
	for range 100 {
		status, _ := do(t, transport, post(t, address+chatPath, body))
		statuses = append(statuses, status)
	}
	require.Equal(t, 400, statuses[0])
	for _, status := range statuses[2:] {
		require.Equal(t, 200, status)
	}
	require.EqualValues(t, 5, refusals.Load(), "two for each of two requests, and one")
	known := transport.Learned.Profiles()[0]
	require.Equal(t, []string{"chat-template/alternation"}, known.Enforced)
	require.Equal(t, []string{
		"drop-named messages[].mood role=assistant", "drop-named messages[].colour role=user",
	}, known.Refused)
}

// TestLearnedFlags: a flag that says something is left out only after the next refusal, since a
// failed result would look like any other; one that is false is left out before it.
func TestLearnedFlags(t *testing.T) {
	s, _ := refusingFor(t, [2]string{`"is_error"`,
		refusal("messages.2.content.0.tool_result.is_error: Extra inputs are not permitted")})
	transport, _ := learning(s)
	for _, flag := range []string{"true", "true", "false"} {
		status, _ := do(t, transport, post(t, address+path, strings.Replace(opened+ended,
			`"content":"ok"`, `"content":"ok","is_error":`+flag, 1)))
		require.Equal(t, http.StatusOK, status)
	}
	var flags []bool
	for _, got := range s.received() {
		flags = append(flags, strings.Contains(got.body, `"is_error"`))
	}
	require.Equal(t, []bool{true, false, true, false, false}, flags)
}

// TestRestrictionRemedies: none of them is for what only the provider can tell.
func TestRestrictionRemedies(t *testing.T) {
	var names []string
	for _, r := range remedy.Restrictions() {
		names = append(names, r.Name)
		require.NotContains(t, r.Rules, "anthropic/thinking-signature-invalid")
	}
	require.Equal(t, "drop-named drop-nulls type-items fill-content fill-reasoning drop-blank "+
		"join-texts bridge-results drop-reasoning enforce-rule", strings.Join(names, " "))
}
