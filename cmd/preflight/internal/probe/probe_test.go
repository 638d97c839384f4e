package probe

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/wire"
)

func noWait(ctx context.Context, _ time.Duration) error { return ctx.Err() }

// fakes are the servers, with the model that is asked.
var fakes = []struct{ provider, path, model string }{
	{"anthropic", "/v1/messages", "claude-sonnet-4-5"},
	{"anthropic", "/v1/messages", "claude-opus-5"},
	{"openai-chat", "/v1/chat/completions", "gpt-5.4"},
	{"openai-responses", "/v1/responses", "gpt-5.4"},
	{"gemini", "/v1beta/models/gemini-3-pro-preview:generateContent", "gemini-3-pro-preview"},
	{"gemini-interactions", "/v1beta/interactions", "gemini-3.7-flash"},
	{"bedrock", "/model/anthropic.claude-sonnet-4-5/converse", "anthropic.claude-sonnet-4-5"},
	{"mistral", "/v1/chat/completions", "mistral-large-latest"},
	{"cohere", "/v2/chat", "command-a-03-2025"},
	{"ollama", "/api/chat", "qwen3"},
	{"cerebras", "/v1/chat/completions", "gpt-oss-120b"},
	{"nvidia", "/v1/chat/completions", "mistral-small-4"},
	{"volcengine", "/v1/chat/completions", "doubao-seed-1-6"},
	{"xai", "/v1/chat/completions", "grok-4"},
}

// TestFakes: a probe finds the rules that a fake enforces and a request can show, and no other.
// What it finds is a profile whose repairs the fake accepts.
func TestFakes(t *testing.T) {
	all, formats := fakes, map[string]string{}
	for _, f := range fakes {
		formats[f.provider] = f.path
	}
	for _, name := range preflighttest.Providers() { // and of each, a model that nobody knows
		p, _ := provider.ByName(name, "")
		path := cmp.Or(formats[name], formats[formatOf(p)])
		path = strings.NewReplacer("gemini-3-pro-preview", "acme-1",
			"anthropic.claude-sonnet-4-5", "acme-1").Replace(path)
		f := fakes[0]
		f.provider, f.path, f.model = name, path, "acme-1"
		all = append(all, f)
	}
	for _, f := range all {
		t.Run(f.provider+" "+f.model, func(t *testing.T) {
			server := preflighttest.New(t, f.provider, nil)
			p, err := NewPlan(&Options{
				URL: server.URL + f.path, Model: f.model, Provider: f.provider, Sleep: noWait,
			})
			require.NoError(t, err)
			r, err := p.Run(context.Background())
			require.NoError(t, err)
			require.LessOrEqual(t, r.Sent, p.Most)
			require.Len(t, r.Findings, p.Rules)
			require.NoError(t, r.Profile.Check())

			options := &preflighttest.Options{Model: f.model}
			first := map[string]string{} // the rule that each body is refused for
			for _, one := range p.all {
				found, err := options.Violations(f.provider, one.body)
				require.NoError(t, err)
				if len(found) > 0 {
					first[one.rule.ID] = found[0].Rule
				}
			}
			for _, found := range r.Findings {
				truth, refused := first[found.Rule]
				switch {
				case found.Verdict == Accepted:
					require.False(t, refused, "%+v", found)
				case truth == found.Rule && f.model == "acme-1" && found.Verdict == Undecided:
					// of a model that it does not know, a fake refuses more than a repair mends
					require.NotEmpty(t, found.Why)
				case truth == found.Rule:
					require.Equal(t, Refused, found.Verdict, "%+v", found)
				case found.Verdict == Refused && found.As != "":
					require.True(t, found.As == truth || slices.Contains(candidates(found.Text), truth),
						"%+v, but %q", found, truth)
				case found.Verdict == Refused:
					// by the schema of the format, or a rule of the host's about the same
					require.True(t, refused, "%+v, but %q", found, truth)
				}
			}
			for _, one := range p.all {
				repaired, err := wire.Sanitize(context.Background(), one.body,
					&wire.Options{Measured: &r.Profile})
				if err != nil || !slices.Contains(r.Profile.Enforced, one.rule.ID) {
					continue
				}
				found, err := options.Violations(f.provider, repaired.Body)
				require.NoError(t, err)
				require.Empty(t, found, "%s: %s", one.rule.ID, repaired.Body)
			}
		})
	}
}

// chat is a server of OpenAI's Chat format that refuses what judge has a text for.
func chat(t *testing.T, judge func(body string) string) (url string, requests *atomic.Int64) {
	requests = new(atomic.Int64)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/json")
		if text := judge(string(body)); text != "" {
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprintf(w, `{"error":{"message":%q}}`, text)
			return
		}
		io.WriteString(w, `{"choices":[{"message":{"role":"assistant","content":"ok"}}]}`)
	}))
	t.Cleanup(s.Close)
	return s.URL, requests
}

func compatible(url string) *Options {
	return &Options{URL: url, Model: "acme-7b", Provider: "openai-compatible", Sleep: noWait}
}

// TestLenient: a server that takes all is asked less than once a rule, and what the base refuses is
// lifted.
func TestLenient(t *testing.T) {
	for _, base := range []string{"openai-chat", "mistral", "anthropic", "openai-responses"} {
		url, requests := chat(t, func(string) string { return "" })
		o := compatible(url)
		o.Provider = base
		p, err := NewPlan(o)
		require.NoError(t, err)
		r, err := p.Run(context.Background())
		require.NoError(t, err)
		require.Equal(t, p.Rules, r.Count(Accepted))
		require.LessOrEqual(t, requests.Load(), int64(p.Least))
		require.Less(t, p.Least, p.Rules, base)
		require.Empty(t, r.Profile.Enforced)
		require.NotEmpty(t, r.Profile.Lifted)
	}
}

var callID = regexp.MustCompile(`"(?:tool_call_)?id":"([^"]*)"`)

// TestUnknownRules: a refusal that no rule explains is reported with its body and text.
func TestUnknownRules(t *testing.T) {
	url, _ := chat(t, func(body string) string {
		for _, m := range callID.FindAllStringSubmatch(strings.ReplaceAll(body, `": "`, `":"`), -1) {
			if len(m[1]) != 7 || strings.Trim(m[1], "0123456789") != "" {
				return "ids have seven digits, not " + m[1]
			}
		}
		if strings.Contains(body, `"name": "Jane Doe"`) {
			return "the name of a person is at most 7 letters long"
		}
		return ""
	})
	p, err := NewPlan(compatible(url))
	require.NoError(t, err)
	r, err := p.Run(context.Background())
	require.NoError(t, err)
	require.NotEmpty(t, r.Unexplained)
	require.Contains(t, r.Unexplained[0].Text, "ids have seven digits")
	require.True(t, json.Valid([]byte(r.Unexplained[0].Body)))
	for _, f := range r.Findings {
		if f.Rule == "openai-chat/message-name-pattern" {
			require.Equal(t, Refused, f.Verdict)
			require.False(t, f.Known)
			require.Contains(t, f.Text, "at most 7 letters")
		}
		if f.Verdict == Refused {
			require.NotContains(t, f.Text, "seven digits", f.Rule)
		}
	}
	var report strings.Builder
	r.Write(&report)
	require.Contains(t, report.String(), "ids have seven digits")
}

// faulty answers every third request with a fault, and passes the others on.
func faulty(t *testing.T, to string) string {
	var n atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch k := n.Add(1); {
		case k == 9: // slow
			_, _ = io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
			return
		case k%3 != 0:
		case k%4 == 0:
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		case k%4 == 1:
			w.WriteHeader(http.StatusInternalServerError)
			io.WriteString(w, "Internal server error")
			return
		case k%4 == 2:
			w.Header().Set("Content-Length", "500")
			io.WriteString(w, `{"choices":[`)
			return // net/http breaks the connection
		default:
			io.WriteString(w, `{"choices":[`) // as if it were whole
			return
		}
		req, _ := http.NewRequest(r.Method, to+r.URL.Path, r.Body)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		defer resp.Body.Close()
		w.WriteHeader(resp.StatusCode)
		_, _ = io.Copy(w, resp.Body)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// TestFaults: a server that fails now and then, or is slow, is measured as one that does not.
func TestFaults(t *testing.T) {
	for _, f := range fakes {
		t.Run(f.provider+" "+f.model, func(t *testing.T) {
			t.Parallel() // it mostly waits
			server := preflighttest.New(t, f.provider, nil)
			var profiles []provider.Measured
			for _, url := range []string{server.URL, faulty(t, server.URL)} {
				p, err := NewPlan(&Options{
					URL: url + f.path, Model: f.model, Provider: f.provider, Sleep: noWait,
					Timeout: 500 * time.Millisecond,
				})
				require.NoError(t, err)
				r, err := p.Run(context.Background())
				require.NoError(t, err)
				r.Profile.Against, r.Profile.Date = "", ""
				profiles = append(profiles, r.Profile)
			}
			require.Equal(t, profiles[0], profiles[1], f.provider)
		})
	}
}

// TestDown: what gets no answer is not decided.
func TestDown(t *testing.T) {
	var n atomic.Int64
	url, _ := chat(t, func(string) string {
		if n.Add(1) > 20 {
			panic(http.ErrAbortHandler)
		}
		return ""
	})
	p, err := NewPlan(compatible(url))
	require.NoError(t, err)
	r, err := p.Run(context.Background())
	require.NoError(t, err)
	require.NotZero(t, r.Count(Undecided))
	require.NotZero(t, r.Count(Accepted))
	require.Zero(t, r.Count(Refused))
}

// TestStops: a key that is refused ends the probe at once, and is never shown.
func TestStops(t *testing.T) {
	var requests atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprintf(w, "no such key: %s", r.Header.Get("Authorization"))
	}))
	defer s.Close()
	o := compatible(s.URL + "?key=alsosecret")
	o.Header = http.Header{"Authorization": {"Bearer sk-verysecret"}}
	p, err := NewPlan(o)
	require.NoError(t, err)
	r, err := p.Run(context.Background())
	var stop *StopError
	require.ErrorAs(t, err, &stop)
	require.EqualValues(t, 1, requests.Load())
	all, _ := json.Marshal(r)
	for _, secret := range []string{"sk-verysecret", "alsosecret"} {
		require.NotContains(t, err.Error(), secret)
		require.NotContains(t, string(all), secret)
	}
}

// TestRedirect: a server that sends requests elsewhere is not followed, and the key stays with it.
func TestRedirect(t *testing.T) {
	var keys atomic.Int64
	other, _ := chat(t, func(string) string { return "" })
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Api-Key") != "" {
			keys.Add(1)
		}
		http.Redirect(w, r, other, http.StatusTemporaryRedirect)
	}))
	defer elsewhere.Close()
	s := httptest.NewServer(http.RedirectHandler(elsewhere.URL, http.StatusTemporaryRedirect))
	defer s.Close()
	o := compatible(s.URL)
	o.Header = http.Header{"X-Api-Key": {"sk-verysecret"}}
	p, err := NewPlan(o)
	require.NoError(t, err)
	_, err = p.Run(context.Background())
	require.ErrorContains(t, err, "307")
	require.Zero(t, keys.Load())
}

// TestResume: an interrupted probe goes on where it was.
func TestResume(t *testing.T) {
	server := preflighttest.New(t, "mistral", nil)
	o := &Options{
		URL: server.URL + "/v1/chat/completions", Model: "mistral-large-latest",
		Provider: "mistral", Sleep: noWait, State: filepath.Join(t.TempDir(), "state"),
	}
	ctx, cancel := context.WithCancel(context.Background())
	o.Progress = func(sent, most int) {
		require.LessOrEqual(t, sent, most)
		if sent == 10 {
			cancel()
		}
	}
	p, err := NewPlan(o)
	require.NoError(t, err)
	_, err = p.Run(ctx)
	require.ErrorIs(t, err, context.Canceled)
	o.Progress = nil
	rest, err := p.Run(context.Background())
	require.NoError(t, err)
	asked := len(server.Requests())
	o.State = ""
	whole, err := p.Run(context.Background())
	require.NoError(t, err)
	require.Equal(t, whole.Findings, rest.Findings)
	require.Equal(t, whole.Sent-9, rest.Sent)
	require.LessOrEqual(t, asked, whole.Sent+1, "the one that was cancelled is asked again")
}

// TestRate: requests keep their distance.
func TestRate(t *testing.T) {
	url, requests := chat(t, func(string) string { return "" })
	o := compatible(url)
	var waited time.Duration
	o.Rate, o.Sleep = 10, func(_ context.Context, d time.Duration) error {
		waited += d
		return nil
	}
	p, err := NewPlan(o)
	require.NoError(t, err)
	_, err = p.Run(context.Background())
	require.NoError(t, err)
	require.Greater(t, waited, time.Duration(requests.Load()-1)*50*time.Millisecond)
}

// TestDiff: two measurements are compared rule by rule.
func TestDiff(t *testing.T) {
	before := &provider.Measured{Enforced: []string{"a/1", "a/2"}, Accepted: []string{"a/3"}}
	after := &provider.Measured{Enforced: []string{"a/1"}, Lifted: []string{"a/2", "a/4"}}
	require.Equal(t, []Difference{
		{"a/2", "enforced", "not enforced"}, {"a/3", "not enforced", "not known"},
		{"a/4", "not known", "not enforced"},
	}, Diff(before, after))
	require.Empty(t, Diff(after, after))
}
