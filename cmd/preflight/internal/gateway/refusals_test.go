package gateway_test

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/cmd/preflight/internal/gateway"
	"github.com/go-preflight/preflight/preflighthttp"
)

// TestRefusals: the folder has a file for each refused request, as many as the bound allows,
// readable by the owner alone and without the request's key; none is there by default.
func TestRefusals(t *testing.T) {
	const key = "a-key-of-no-known-form"
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprintf(w, `{"error":{"message":"never heard of %s"}}`, r.Header.Get("Authorization"))
	}))
	defer upstream.Close()
	folder := filepath.Join(t.TempDir(), "refusals")
	config := gateway.Config{
		Routes: []gateway.Route{{Prefix: "/r/", Upstream: upstream.URL}}, Refusals: folder,
	}
	g, err := gateway.New(config)
	require.NoError(t, err)
	files := func() []string {
		all, err := filepath.Glob(filepath.Join(folder, "*"))
		require.NoError(t, err)
		return all
	}
	ask := func() {
		r := httptest.NewRequest(http.MethodPost, "/r/v1/chat/completions",
			strings.NewReader(strings.Replace(twiceUser, `"a"`, `"my key is `+key+`"`, 1)))
		r.Header.Set("Authorization", "Bearer "+key)
		w := httptest.NewRecorder()
		g.ServeHTTP(w, r)
		require.Equal(t, http.StatusBadRequest, w.Code)
		require.NoError(t, g.Drained(t.Context()))
	}
	ask()
	require.Len(t, files(), 1)
	data, err := os.ReadFile(files()[0])
	require.NoError(t, err)
	require.NotContains(t, string(data), key)
	var kept preflighthttp.Refused
	require.NoError(t, json.Unmarshal(data, &kept))
	require.Equal(t, 400, kept.Status)
	require.Contains(t, kept.Words, "never heard of Bearer REDACTED")
	require.Contains(t, string(kept.Body), `"my key is REDACTED"`)
	if runtime.GOOS != "windows" {
		info, err := os.Stat(files()[0])
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	}
	for k := range 120 { // older ones
		name := fmt.Sprintf("refused-20200101T%06d.000000000.json", k)
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), nil, 0o600))
	}
	ask()
	require.Len(t, files(), 100)
	require.Contains(t, strings.Join(files(), " "), filepath.Base(folder)+"/refused-20200101T000119")

	config.Refusals = ""
	require.NoError(t, g.Reload(config))
	ask()
	require.Len(t, files(), 100)
}

// TestTenants: two tenants behind one gateway never influence each other, whatever is refused: each
// upstream request is the one that is sent when the tenant is alone.
func TestTenants(t *testing.T) {
	n := 5000 // of each tenant
	if testing.Short() {
		n = 300
	}
	bodies := []string{
		twiceUser, strings.Replace(twiceUser, "acme", "other", 1),
		`{"model":"acme","messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b",` +
			`"mood":"x"},{"role":"user","content":"c"}]}`,
		`{"model":"acme","provider":{"only":["x"]},"messages":[{"role":"user","content":"a"},` +
			`{"role":"system","content":"be brief"},{"role":"user","content":"c"}]}`,
	}
	reasons := [][2]string{
		{`"role":"user","content":"a"},{"role":"user"`,
			`{"error":{"message":"Conversation roles must alternate user/assistant/..."}}`},
		{`"mood"`, `{"error":{"message":"messages[1]: unknown field ` + "`mood`" + `"}}`},
		{`"role":"system"`, `{"error":{"message":"System message must be at the beginning."}}`},
	}
	rng := rand.New(rand.NewPCG(3, 5))
	var plan, holds [2][]int
	for who := range plan {
		for range n {
			plan[who] = append(plan[who], rng.IntN(len(bodies)))
		}
		for range 4 { // what is refused changes with time
			holds[who] = append(holds[who], rng.IntN(1<<len(reasons)))
		}
	}
	run := func(tenants ...int) (got [2][]string) {
		var at [2]atomic.Int64
		var mu sync.Mutex
		upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			who := int(r.Header.Get("X-Api-Key")[len("key-of-tenant-")] - '0')
			data, _ := io.ReadAll(r.Body)
			mu.Lock()
			got[who] = append(got[who], string(data))
			mu.Unlock()
			for k, reason := range reasons {
				if holds[who][int(at[who].Load())*4/n]&(1<<k) != 0 && strings.Contains(string(data), reason[0]) {
					w.WriteHeader(http.StatusBadRequest)
					_, _ = io.WriteString(w, reason[1])
					return
				}
			}
		}))
		defer upstream.Close()
		yes := true
		g, err := gateway.New(gateway.Config{Routes: []gateway.Route{{
			Prefix: "/r/", Upstream: upstream.URL, Remedies: &yes,
		}}})
		if err != nil {
			t.Error(err)
			return got
		}
		var wait sync.WaitGroup
		for _, who := range tenants {
			wait.Add(1)
			go func() {
				defer wait.Done()
				for k := range n {
					at[who].Store(int64(k))
					r := httptest.NewRequest(http.MethodPost, "/r/v1/chat/completions",
						strings.NewReader(bodies[plan[who][k]]))
					r.Header.Set("X-Api-Key", fmt.Sprint("key-of-tenant-", who))
					g.ServeHTTP(httptest.NewRecorder(), r)
				}
			}()
		}
		wait.Wait()
		mu.Lock()
		defer mu.Unlock()
		return got
	}
	together := run(0, 1)
	for who := range 2 {
		require.Equal(t, run(who)[who], together[who], "tenant %d", who)
		require.Greater(t, len(together[who]), n)
	}
}
