package gateway

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGuard: no request leaves the path of its upstream, and no page of another site sends one.
func TestGuard(t *testing.T) {
	var got []string
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = append(got, r.URL.EscapedPath())
	}))
	defer upstream.Close()
	g, err := New(Config{
		Routes: []Route{{
			Prefix: "/r", Upstream: upstream.URL + "/base", Headers: map[string]string{"Key": "k"},
		}},
		Origins: []string{"https://app.example"},
	})
	require.NoError(t, err)
	for _, c := range []struct {
		method, path, origin, site, host, agent string
		passes                                  bool
	}{
		{path: "/r/v1/messages", passes: true},
		{path: "/r/v1/..hidden/a..b/...", passes: true},
		{path: "/r/models/a%2Fb", passes: true},
		{path: "/r/../../admin"},
		{path: "/r/a/../b"},
		{path: "/r/%2e%2e/admin"},
		{path: "/r/%2E./admin"},
		{path: "/r/%252e%252e/admin"},
		{path: "/r/a%2f..%2fadmin"},
		{path: "/r/a%5c..%5cadmin"},
		{path: "/r/..;x=1/admin"},
		{path: "/r/%25252525252e%25252525252e/admin"},
		{path: "/r/x", origin: "https://evil.example"},
		{path: "/r/x", origin: "null"},
		{path: "/r/x", origin: "https://localhost.evil.example"},
		{path: "/r/x", origin: "http://localhost@evil.example"},
		{path: "/r/x", origin: "chrome-extension://abc"},
		{path: "/r/x", origin: "https://app.example:8443"},
		{path: "/r/x", origin: "https://app.example", passes: true},
		{path: "/r/x", origin: "HTTPS://APP.example", passes: true},
		{path: "/r/x", origin: "http://localhost:3000", passes: true},
		{path: "/r/x", origin: "http://[::1]:3000", passes: true},
		{path: "/r/x", site: "cross-site"},
		{path: "/r/x", site: "same-origin", passes: true},
		{path: "/hooks/portkey", origin: "https://evil.example"},
		{method: http.MethodGet, path: "/r/x", origin: "https://evil.example"},
		{method: http.MethodGet, path: "/r/x", site: "cross-site"},
		{method: http.MethodGet, path: "/r/x", passes: true},
		{method: http.MethodGet, path: "/r/x", site: "none", passes: true},
		{method: http.MethodGet, path: "/r/x", host: "gate.example", passes: true},
		{method: http.MethodGet, path: "/r/x", host: "gate.example", site: "same-site"},
		{method: http.MethodGet, path: "/r/x", host: "gate.example", site: "same-origin"},
		{method: http.MethodGet, path: "/r/x", host: "gate.example", agent: "Mozilla/5.0"},
		{method: http.MethodGet, path: "/r/x", host: "10.0.0.1", agent: "Mozilla/5.0"},
		{method: http.MethodGet, path: "/r/x", host: "10.0.0.1", agent: "curl/8", passes: true},
		{method: http.MethodGet, path: "/r/x", host: "localhost:1", site: "same-site", passes: true},
		{method: http.MethodGet, path: "/r/x", host: "10.0.0.1", site: "same-origin", passes: true},
		{method: http.MethodOptions, path: "/r/x", origin: "https://evil.example"},
		{method: http.MethodDelete, path: "/r/x", origin: "https://evil.example"},
	} {
		if c.method == "" {
			c.method = http.MethodPost
		}
		r := httptest.NewRequest(c.method, "http://127.0.0.1:8080"+c.path, strings.NewReader("{}"))
		if g.Local = c.host == ""; !g.Local {
			r.Host = c.host
		}
		if c.origin != "" {
			r.Header.Set("Origin", c.origin)
		}
		r.Header.Set("User-Agent", c.agent)
		if c.site != "" {
			r.Header.Set("Sec-Fetch-Site", c.site)
		}
		got = nil
		w := httptest.NewRecorder()
		g.ServeHTTP(w, r)
		if !c.passes {
			require.Equal(t, http.StatusForbidden, w.Code, "%+v", c)
			require.Empty(t, got, "%+v", c)
			continue
		}
		require.Equal(t, http.StatusOK, w.Code, "%+v", c)
		require.Equal(t, []string{"/base" + strings.TrimPrefix(c.path, "/r")}, got, "%+v", c)
	}
}

// TestOrigins: a configuration names origins, not addresses.
func TestOrigins(t *testing.T) {
	for origin, valid := range map[string]bool{
		"https://app.example": true, "http://10.0.0.1:8080": true, "*": true, "app://obsidian.md": true,
		"https://app.example/": false, "app.example": false, "": false, "https://": false,
	} {
		_, err := New(Config{Origins: []string{origin}})
		require.Equal(t, valid, err == nil, "%q: %v", origin, err)
	}
}
