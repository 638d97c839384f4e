package preflighthttp_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighthttp"
	"github.com/go-preflight/preflight/preflighthttp/remedy"
)

// TestRefused: a request that is refused for its history, or in words that nobody knows, is handed
// out with what was tried, and one that is refused for another reason is not. No credential is in
// it.
func TestRefused(t *testing.T) {
	const key, other = "sk-ant-api03-abcdefghijklmnop", "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
	body := strings.Replace(thought, "Build it.", "Build it with "+key+" and "+other+".", 1)
	for _, c := range []struct {
		name, words, rule, remedy string
		then                      int
		kept, dry                 bool
		remedies                  []remedy.Remedy
	}{
		{name: "without remedies", words: refusal(bound + " " + key), kept: true,
			rule: "anthropic/thinking-binding-prefix"},
		{name: "dry run", words: refusal(bound + " " + key), kept: true, dry: true,
			rule: "anthropic/thinking-binding-prefix"},
		{name: "healed", words: refusal(bound + " " + key), kept: true,
			rule: "anthropic/thinking-binding-prefix", remedies: remedy.All(),
			remedy: "drop-reasoning", then: 200},
		{name: "no remedy helps", words: refusal("never heard of " + key), kept: true,
			remedies: remedy.All()},
		{name: "quota", words: refusal("Your credit balance is too low to access the Anthropic API.")},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := started(t)
			server.respond = func(w http.ResponseWriter, _ *http.Request, body string) {
				if strings.Contains(body, "thinking") {
					w.WriteHeader(http.StatusBadRequest)
					_, _ = w.Write([]byte(c.words))
				}
			}
			transport, _ := to(t, server.URL)
			transport.Remedies, transport.DryRun = c.remedies, c.dry
			var all []*preflighthttp.Refused
			transport.Refused = func(_ context.Context, r *preflighthttp.Refused) { all = append(all, r) }
			req := post(t, server.URL+path+"?key="+key, strings.NewReader(body))
			req.Header.Set("X-Api-Key", key)
			_, got := do(t, transport, req)
			if c.then == 0 {
				require.Equal(t, c.words, got)
			}
			if !c.kept {
				require.Empty(t, all)
				return
			}
			require.Len(t, all, 1)
			r := all[0]
			require.Equal(t, []any{400, c.rule, c.remedy, c.then, "anthropic", path},
				[]any{r.Status, r.Rule, r.Remedy, r.Then, r.Provider, r.Path})
			data, err := json.Marshal(r)
			require.NoError(t, err)
			require.NotContains(t, string(data), key)
			require.NotContains(t, string(data), other)
			require.Contains(t, r.Words, "REDACTED")
			require.Equal(t, strings.NewReplacer(key, "REDACTED", other, "REDACTED").Replace(body),
				string(r.Body))
		})
	}
}

// TestRefusedPanics: a panic of the caller's function is the error of the request.
func TestRefusedPanics(t *testing.T) {
	transport, _, server := resending(t, 400, refusal("never heard of"), "")
	transport.Refused = func(context.Context, *preflighthttp.Refused) { panic("x") }
	for _, remedies := range [][]remedy.Remedy{nil, remedy.All()} {
		transport.Remedies = remedies
		_, err := transport.RoundTrip(post(t, server.URL+path, strings.NewReader(thought)))
		require.ErrorIs(t, err, preflight.ErrHook)
	}
}
