package gateway_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/cmd/preflight/internal/gateway"
)

// startAlternating is an upstream that refuses consecutive messages of one role.
func startAlternating(t *testing.T) (url string, refusals *atomic.Int64) {
	refusals = new(atomic.Int64)
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct{ Messages []struct{ Role string } }
		_ = json.NewDecoder(r.Body).Decode(&body)
		for k, m := range body.Messages {
			if k > 0 && m.Role == body.Messages[k-1].Role {
				refusals.Add(1)
				w.WriteHeader(http.StatusBadRequest)
				io.WriteString(w, `{"error":{"message":"Conversation roles must alternate `+
					`user/assistant/user/assistant/..."}}`)
				return
			}
		}
		io.WriteString(w, `{"choices":[]}`)
	}))
	t.Cleanup(upstream.Close)
	return upstream.URL, refusals
}

const twiceUser = `{"model":"acme","messages":[{"role":"user","content":"a"},` +
	`{"role":"user","content":"b"}]}`

func send(g http.Handler) *httptest.ResponseRecorder {
	req := httptest.NewRequest(http.MethodPost, "/r/v1/chat/completions",
		strings.NewReader(twiceUser))
	w := httptest.NewRecorder()
	g.ServeHTTP(w, req)
	return w
}

func ask(t *testing.T, g http.Handler) {
	w := send(g)
	require.Equal(t, http.StatusOK, w.Code, w.Body.String())
}

func page(g http.Handler, path string) string {
	w := httptest.NewRecorder()
	g.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w.Body.String()
}

// TestLearned: a refusal is learned from, shown, and kept; "off" turns it off.
func TestLearned(t *testing.T) {
	url, refusals := startAlternating(t)
	config := gateway.Config{
		Learned: filepath.Join(t.TempDir(), "learned.json"),
		Routes:  []gateway.Route{{Prefix: "/r", Upstream: url}},
	}
	for range 2 {
		g, err := gateway.New(config)
		require.NoError(t, err)
		for range 3 {
			ask(t, g)
		}
		require.EqualValues(t, 1, refusals.Load())
		require.Contains(t, page(g, "/metrics"),
			`preflight_learned_total{rule="chat-template/alternation"}`)
		require.Contains(t, page(g, "/"),
			"learned from "+strings.TrimPrefix(url, "http://")+": chat-template/alternation")
	}
	off := false
	for _, config := range []gateway.Config{
		{Routes: config.Routes, Learned: "off"},
		{Routes: []gateway.Route{{Prefix: "/r", Upstream: url, Remedies: &off}}},
	} {
		g, err := gateway.New(config)
		require.NoError(t, err)
		refusals.Store(0)
		for range 3 {
			require.Equal(t, http.StatusBadRequest, send(g).Code)
		}
		require.EqualValues(t, 3, refusals.Load())
	}
	// a file that cannot be read is no reason not to serve
	config.Learned = t.TempDir()
	g, err := gateway.New(config)
	require.NoError(t, err)
	require.Error(t, g.LearnedErr())
	require.Contains(t, page(g, "/metrics"), "preflight_lessons_file_failed 1")
	refusals.Store(0)
	for range 3 {
		ask(t, g)
	}
	require.EqualValues(t, 1, refusals.Load())
	require.Contains(t, page(g, "/metrics"), "preflight_lessons 1")

	// nor is one that cannot be written, which is told once
	config.Learned = filepath.Join(t.TempDir(), "no", "learned.json")
	g, err = gateway.New(config)
	require.NoError(t, err)
	var told []string
	g.Warn = func(text string) { told = append(told, text) }
	require.Contains(t, page(g, "/metrics"), "preflight_lessons_file_failed 0")
	for range 3 {
		ask(t, g)
	}
	require.Len(t, told, 1)
	require.Contains(t, told[0], "what was learned is not kept")
	require.Contains(t, page(g, "/metrics"), "preflight_lessons_file_failed 1")
}

// TestReplicas: the metrics of two replicas show whether they learned the same.
func TestReplicas(t *testing.T) {
	url, _ := startAlternating(t)
	learned := func(known ...string) string {
		g, err := gateway.New(gateway.Config{Routes: []gateway.Route{{Prefix: "/r", Upstream: url}}})
		require.NoError(t, err)
		for _, model := range known {
			req := httptest.NewRequest(http.MethodPost, "/r/v1/chat/completions",
				strings.NewReader(strings.Replace(twiceUser, "acme", model, 1)))
			g.ServeHTTP(httptest.NewRecorder(), req)
		}
		_, digest, found := strings.Cut(page(g, "/metrics"), `preflight_lessons_info{digest="`)
		require.True(t, found)
		return digest[:12]
	}
	require.Equal(t, learned("a", "b"), learned("b", "a"))
	require.NotEqual(t, learned("a"), learned("b"))
	require.NotEqual(t, learned("a"), learned())
}

// TestLearnedPublic: where others reach the gateway, it learns only if it is told so; refusals are
// answered all the same.
func TestLearnedPublic(t *testing.T) {
	url, refusals := startAlternating(t)
	config := gateway.Config{Routes: []gateway.Route{{Prefix: "/r", Upstream: url}}}
	for file, want := range map[string]int64{
		"": 3, filepath.Join(t.TempDir(), "learned.json"): 1,
	} {
		config.Learned = file
		g, err := gateway.New(config)
		require.NoError(t, err)
		g.Public = true
		require.NoError(t, g.CheckPublic())
		refusals.Store(0)
		for range 3 {
			ask(t, g)
		}
		require.Equal(t, want, refusals.Load())
	}
}

// TestLearnedByClient: the clients of a route with one key learn for themselves, by their own keys
// or the header that names them.
func TestLearnedByClient(t *testing.T) {
	url, refusals := startAlternating(t)
	for _, shared := range []bool{false, true} {
		for _, header := range []string{"Authorization", "X-Team"} {
			g, err := gateway.New(gateway.Config{
				ClientHeader: "X-Team", LearnedShared: shared,
				Routes: []gateway.Route{{
					Prefix: "/r", Upstream: url, Headers: map[string]string{"Authorization": "Bearer k"},
				}},
			})
			require.NoError(t, err)
			refusals.Store(0)
			for _, who := range []string{"a", "b", "a", "b"} {
				r := httptest.NewRequest(http.MethodPost, "/r/v1/chat/completions",
					strings.NewReader(twiceUser))
				r.Header.Set(header, who)
				w := httptest.NewRecorder()
				g.ServeHTTP(w, r)
				require.Equal(t, http.StatusOK, w.Code)
			}
			want := int64(2)
			if shared {
				want = 1
			}
			require.Equal(t, want, refusals.Load())
		}
	}
}

// TestLearnedByDefault: a gateway that is told nothing but an upstream gets 1,000 requests to one
// with an unknown restriction answered, for one refusal in a hundred; what only the provider can
// tell of one history is not sent again.
func TestLearnedByDefault(t *testing.T) {
	url, refusals := startAlternating(t)
	g, err := gateway.New(gateway.Config{Routes: []gateway.Route{{Prefix: "/r", Upstream: url}}})
	require.NoError(t, err)
	for range 1000 {
		ask(t, g)
	}
	require.EqualValues(t, 10, refusals.Load())

	requests := 0
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests++
		w.WriteHeader(http.StatusBadRequest)
		io.WriteString(w, `{"type":"error","error":{"type":"invalid_request_error","message":`+
			`"messages.1.content.0: Invalid `+"`signature`"+` in `+"`thinking`"+` block"}}`)
	}))
	defer upstream.Close()
	g, err = gateway.New(gateway.Config{Routes: []gateway.Route{
		{Prefix: "/r", Upstream: upstream.URL, Provider: "anthropic"},
	}})
	require.NoError(t, err)
	w := httptest.NewRecorder()
	g.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/r/v1/messages", strings.NewReader(
		`{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[{"role":"user","content":"q"},`+
			`{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"c2ln"},`+
			`{"type":"text","text":"a"}]},{"role":"user","content":"n"}]}`)))
	require.Equal(t, http.StatusBadRequest, w.Code)
	require.Equal(t, 1, requests)
}

// TestProfile: a route takes a measured profile, and a wrong one is an error of the configuration.
func TestProfile(t *testing.T) {
	url, refusals := startAlternating(t)
	file := filepath.Join(t.TempDir(), "acme.json")
	require.NoError(t, os.WriteFile(file, []byte(`{"version": 1, "provider": "openai-compatible",
		"enforced": ["chat-template/alternation"], "lifted": []}`), 0o600))
	routes := []gateway.Route{{Prefix: "/r", Upstream: url, Profile: file}}
	g, err := gateway.New(gateway.Config{Routes: routes})
	require.NoError(t, err)
	ask(t, g)
	require.Zero(t, refusals.Load())
	require.NoError(t, os.WriteFile(file, []byte(`{"version": 2}`), 0o600))
	_, err = gateway.New(gateway.Config{Routes: routes})
	require.ErrorContains(t, err, "version")
	routes[0].Profile = file + "x"
	_, err = gateway.New(gateway.Config{Routes: routes})
	require.Error(t, err)
}

// TestQuietPage: a figure has a colour where there is something to look at, and none where it is 0.
func TestQuietPage(t *testing.T) {
	url, _ := startAlternating(t)
	g, err := gateway.New(gateway.Config{
		Routes: []gateway.Route{{Prefix: "/r", Upstream: url}},
	})
	require.NoError(t, err)
	require.NotContains(t, page(g, "/"), `<b class=`)
	ask(t, g)
	require.Contains(t, page(g, "/"), `<b class="repaired">1</b>sent again after a refusal`)
}
