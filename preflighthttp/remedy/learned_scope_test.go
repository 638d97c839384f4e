package remedy_test

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/internal/rapidseed"
	"github.com/go-preflight/preflight/preflighthttp"
	"github.com/go-preflight/preflight/preflighthttp/remedy"
)

// TestLessonsAreTheLearners: a lesson holds for requests that share all that may have caused the
// refusal, and for no others.
func TestLessonsAreTheLearners(t *testing.T) {
	const body = `{"model":"acme","messages":[{"role":"user","content":"a"},` +
		`{"role":"user","content":"b"}]}`
	with := func(member string) func(*http.Request) {
		return func(r *http.Request) {
			text := strings.Replace(body, "{", "{"+member+",", 1)
			r.Body, r.ContentLength = io.NopCloser(strings.NewReader(text)), int64(len(text))
		}
	}
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	for name, c := range map[string]struct {
		change func(*http.Request)
		shares bool
	}{
		"the same":     {func(*http.Request) {}, true},
		"credential":   {header("Authorization", "Bearer sk-other"), false},
		"key":          {header("X-Api-Key", "other"), false},
		"organization": {header("OpenAI-Organization", "other"), false},
		"tenant": {func(r *http.Request) {
			*r = *r.WithContext(preflighthttp.WithTenant(r.Context(), "b"))
		}, false},
		"beta":             {header("Anthropic-Beta", "x-2026"), false},
		"version":          {header("Anthropic-Version", "2027-01-01"), false},
		"path":             {func(r *http.Request) { r.URL.Path = "/base" + chatPath }, false},
		"query":            {func(r *http.Request) { r.URL.RawQuery = "api-version=2027" }, false},
		"key in the query": {func(r *http.Request) { r.URL.RawQuery = "key=abc" }, false},
		"provider":         {with(`"provider":{"only":["acme"]}`), false},
		"fallbacks":        {with(`"models":["a","b"]`), false},
		"route":            {with(`"route":"fallback"`), false},
		"tier":             {with(`"service_tier":"flex"`), false},
		"effort":           {with(`"reasoning":{"effort":"high"}`), false},
		"thinking":         {with(`"thinking":{"type":"enabled"}`), false},
		"template":         {with(`"chat_template_kwargs":{"x":1}`), false},
		"tools":            {with(`"tools":[{"type":"function","function":{"name":"a"}}]`), false},
		"not known":        {with(`"something_new":1`), false},
		"temperature":      {with(`"temperature":0.5,"max_tokens":7,"seed":1`), true},
		"who":              {with(`"user":"u1","metadata":{"a":"b"},"prompt_cache_key":"x"`), true},
		"trace":            {header("X-Request-Id", "7"), true},
		"retry":            {header("Idempotency-Key", "7"), true},
	} {
		t.Run(name, func(t *testing.T) {
			s := startAlternating(t)
			transport, _ := learning(s)
			ask := func(change func(*http.Request)) {
				r := post(t, address+chatPath, body)
				r.Header.Set("Authorization", "Bearer sk-one")
				change(r)
				r.GetBody = nil
				status, _ := do(t, transport, r)
				require.Equal(t, http.StatusOK, status)
			}
			ask(func(*http.Request) {})
			require.EqualValues(t, 1, s.refusals.Load())
			ask(c.change)
			want := int64(2)
			if c.shares {
				want = 1
			}
			require.Equal(t, want, s.refusals.Load())
			transport.Learned = &remedy.Learned{AcrossCredentials: true}
			s.refusals.Store(0)
			ask(func(*http.Request) {})
			ask(c.change)
			switch name {
			case "credential", "key", "organization", "tenant", "key in the query":
				want = 1
			}
			require.Equal(t, want, s.refusals.Load(), "across credentials")
		})
	}
}

const (
	systemLate = `{"model":"acme","messages":[{"role":"user","content":"a"},` +
		`{"role":"assistant","content":"b"},{"role":"system","content":"be brief"},` +
		`{"role":"user","content":"c"}]}`
	noSystem = `{"error":{"message":"System message must be at the beginning.",` +
		`"type":"BadRequestError","code":400}}`
)

// TestNothingIsLostAhead: what changes an author or loses content is done after a refusal alone, be
// the lesson in memory or in a file that somebody else wrote.
func TestNothingIsLostAhead(t *testing.T) {
	said := `{"model":"acme","messages":[{"role":"user","content":"q"},{"role":"assistant",` +
		`"content":"a","reasoning_details":[{"type":"reasoning.text","text":"long thought"}]},` +
		`{"role":"user","content":"n"}]}`
	unknown := `{"error":{"message":"messages[1]: unknown field ` + "`reasoning_details`" + `"}}`
	for _, c := range []struct{ name, body, part, refusal string }{
		{"author", systemLate, `"role":"system"`, noSystem},
		{"content", said, `"reasoning_details"`, unknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, refusals := refusingFor(t, [2]string{c.part, c.refusal})
			file := filepath.Join(t.TempDir(), "learned.json")
			for range 2 {
				transport, _ := learning(s)
				learned, err := remedy.Open(file)
				require.NoError(t, err)
				transport.Learned = learned
				for range 3 {
					refusals.Store(0)
					s.got = nil
					do(t, transport, post(t, address+chatPath, c.body))
					require.Equal(t, c.body, s.got[0].body)
				}
			}
		})
	}
	// a file of whatever rules there are
	s, _ := refusingFor(t)
	file := filepath.Join(t.TempDir(), "learned.json")
	transport, _ := learning(s)
	for _, needs := range []bool{false, true} {
		for _, r := range remedy.Learnable(needs) {
			data, err := json.Marshal(map[string]any{"version": 2, "key": "k", "lessons": []any{
				map[string]any{
					"rule": r, "remedy": needs, "host": host, "path": chatPath, "model": "acme",
					"provider": "openai-compatible", "learned": time.Now().Format(time.RFC3339),
				},
			}})
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(file, data, 0o600))
			learned, err := remedy.Open(file)
			require.NoError(t, err, r)
			transport.Learned = learned
			for _, body := range []string{systemLate, said} {
				s.got = nil
				status, _ := do(t, transport, post(t, address+chatPath, body))
				require.Equal(t, http.StatusOK, status)
				require.Len(t, s.got, 1)
				for _, text := range []string{
					`{"role":"system","content":"be brief"}`, "long thought",
				} {
					if strings.Contains(body, text) {
						require.Contains(t, s.got[0].body, text, r)
					}
				}
			}
		}
	}
}

// TestTried: a lesson that no longer holds is gone after 100 uses, or a day.
func TestTried(t *testing.T) {
	s := startAlternating(t)
	transport, all := learning(s)
	ask := func() *preflighthttp.Report {
		do(t, transport, post(t, address+chatPath, twiceUser("acme")))
		return all.all[len(all.all)-1]
	}
	ask()
	s.lenient.Store(true)
	uses := 0
	for ; len(transport.Learned.Profiles()) > 0; uses++ {
		require.LessOrEqual(t, uses, 100)
		ask()
	}
	require.Equal(t, 100, uses)
	require.False(t, ask().Changed)

	s.lenient.Store(false)
	ask()
	now := time.Now()
	remedy.SetClock(transport.Learned, func() time.Time { return now.Add(25 * time.Hour) })
	require.Equal(t, 200, ask().Status, "it is tried, and holds still")
	require.True(t, ask().Changed)
	now = now.Add(25 * time.Hour)
	s.lenient.Store(true)
	require.False(t, ask().Changed)
	require.Empty(t, transport.Learned.Profiles())
}

// TestTwoTenants: two tenants behind one Learned never influence each other, whatever is refused:
// each gets the bytes that it gets alone.
func TestTwoTenants(t *testing.T) {
	n := rapidseed.Size(10_000, 1_000)
	reasons := [][2]string{
		{`"role":"user","content":"a"},{"role":"user"`,
			`{"error":{"message":"Conversation roles must alternate user/assistant/..."}}`},
		{`"mood"`, `{"error":{"message":"messages[1]: unknown field ` + "`mood`" + `"}}`},
		{`"role":"system"`, noSystem},
		{`"colour"`, unknownColour},
		{`"content":"x"`, `{"error":{"message":"You exceeded your current quota."}}`},
	}
	bodies := []string{
		twiceUser("acme"), twiceUser("other"), withMembers, systemLate,
		`{"model":"acme","messages":[{"role":"user","content":"x"}]}`,
		strings.Replace(withMembers, "{", `{"provider":{"only":["a"]},`, 1),
	}
	for seed := range uint64(4) {
		rng := rand.New(rand.NewPCG(seed, 7))
		plan := [2][]int{}
		for who := range plan {
			for range n / 8 {
				plan[who] = append(plan[who], rng.IntN(len(bodies)))
			}
		}
		// which reasons hold for a tenant changes twice; each tenant has its own
		var holds [2][3]int
		for who := range holds {
			for k := range holds[who] {
				holds[who][k] = rng.IntN(1 << len(reasons))
			}
		}
		run := func(shared bool, both bool) [2][]string {
			var out [2][]string
			learned := new(remedy.Learned)
			var wait sync.WaitGroup
			for who := range 2 {
				if !shared {
					learned = new(remedy.Learned)
				}
				var at int
				transport := &preflighthttp.Transport{
					Remedies: remedy.All(), Learned: learned,
					Unknown: preflighthttp.RepairUnknown,
					Base: roundTripper(func(r *http.Request) (*http.Response, error) {
						body, err := io.ReadAll(r.Body)
						if err != nil {
							return nil, err
						}
						out[who] = append(out[who], string(body))
						mask := holds[who][at*3/len(plan[who])]
						status, text := 200, `{"choices":[]}`
						for k, reason := range reasons {
							if mask&(1<<k) != 0 && strings.Contains(string(body), reason[0]) {
								status, text = 400, reason[1]
								break
							}
						}
						return &http.Response{
							StatusCode: status, Request: r, Header: http.Header{},
							Body: io.NopCloser(strings.NewReader(text)),
						}, nil
					}),
				}
				work := func() {
					defer wait.Done()
					for at = range plan[who] {
						r, err := http.NewRequest(http.MethodPost, "https://llm.example"+chatPath,
							strings.NewReader(bodies[plan[who][at]]))
						if err != nil {
							t.Error(err)
							return
						}
						r.Header.Set("Authorization", fmt.Sprint("Bearer sk-", who))
						resp, err := transport.RoundTrip(r)
						if err != nil {
							t.Error(err)
							return
						}
						resp.Body.Close()
					}
				}
				wait.Add(1)
				if both {
					go work()
				} else {
					work()
				}
			}
			wait.Wait()
			return out
		}
		alone := run(false, false)
		require.Equal(t, alone, run(true, true), "seed %d", seed)
	}
}

// TestNoSecretInTheFile: wherever a request has what may be a credential, the file has a hash.
func TestNoSecretInTheFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "learned.json")
	s := startAlternating(t)
	transport, _ := learning(s)
	learned, err := remedy.Open(file)
	require.NoError(t, err)
	transport.Learned = learned
	for k, query := range []string{
		"code=hunter/Two", "sig=hunter", "hunter", "pwd=hunter", "user=hunter", "hunter=1",
		"api-version=sk-hunter", "key=hunter",
	} {
		r := post(t, address+"/hunter"+chatPath+"?"+query, twiceUser(fmt.Sprint("acme", k)))
		r.Header.Set("Authorization", "Bearer hunter")
		r.Header.Set("Cookie", "hunter")
		do(t, transport, r)
	}
	do(t, transport, post(t, address+chatPath+"?api-version=2027-01-01", twiceUser("acme")))
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NotContains(t, string(data), "hunter")
	require.Contains(t, string(data), `"api_version": "api-version=2027-01-01"`)
	require.Len(t, learned.Profiles(), 9)
}
