package command

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/cmd/preflight/internal/gateway"
)

// foreignPage tries all ways by which a page sends something to another site, each to a path of its
// own, and says in the end what it could read.
const foreignPage = `<!doctype html><title>x</title><body><script>
const at = %q, read = [], all = []
const body = '{"model":"claude-sonnet-4-5","max_tokens":1,' +
  '"messages":[{"role":"user","content":"hi"}]}'
const tried = (name, options) => all.push(fetch(at + "/a/v1/" + name, options)
  .then(r => r.text()).then(text => { if (text) read.push(name) }).catch(() => {}))
tried("post", {method: "POST", body, headers: {"Content-Type": "application/json"}})
tried("plain", {method: "POST", body})
tried("opaque", {method: "POST", body, mode: "no-cors"})
tried("get", {})
tried("opaque-get", {mode: "no-cors"})
tried("delete", {method: "DELETE"})
all.push(new Promise(done => {
  const socket = new WebSocket(at.replace("http", "ws") + "/a/v1/socket")
  socket.onopen = () => { read.push("socket"); done() }
  socket.onerror = done
}))
all.push(new Promise(done => {
  const events = new EventSource(at + "/a/v1/events")
  events.onmessage = () => { read.push("events"); events.close(); done() }
  events.onerror = () => { events.close(); done() }
}))
all.push(new Promise(done => {
  const picture = new Image()
  picture.onload = picture.onerror = done
  picture.src = at + "/a/v1/picture"
}))
all.push(new Promise(done => {
  const frame = document.createElement("iframe")
  frame.name = "frame"
  document.body.append(frame)
  const form = document.createElement("form")
  Object.assign(form, {
    method: "POST", action: at + "/a/v1/form", target: "frame", enctype: "text/plain",
  })
  const field = document.createElement("input")
  Object.assign(field, {name: body, value: ""})
  form.append(field)
  document.body.append(form)
  frame.onload = () => { if (sent) done() }
  let sent = true
  form.submit()
}))
all.push(Promise.resolve(navigator.sendBeacon(at + "/a/v1/beacon", body)))
Promise.all(all).then(() => fetch("/done?" + read.join("+"))).then(() => document.title = "done")
</script>`

// TestForeignPageInBrowser: whatever a page of another site tries in a real browser, nothing
// reaches the upstream with the gateway's key. Another site is one of another name, or one whose
// name was pointed at the gateway, which does not know here that it is on a loopback address: there
// no such name is served at all. What a page of the same machine sends arrives.
func TestForeignPageInBrowser(t *testing.T) {
	chromium := browser(t)
	var mu sync.Mutex
	var arrived []string
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		arrived = append(arrived, strings.TrimPrefix(r.URL.Path, "/v1/"))
		_, _ = io.WriteString(w, "data: secret\n\n")
	}))
	t.Cleanup(upstream.Close)
	base := served(t, gateway.Route{
		Prefix: "/a", Upstream: upstream.URL, Provider: "anthropic",
		Headers: map[string]string{"X-Api-Key": "the gateway's"},
	})
	_, port, err := net.SplitHostPort(strings.TrimPrefix(base, "http://"))
	require.NoError(t, err)
	var got string
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/done" {
			mu.Lock()
			got = r.URL.RawQuery
			mu.Unlock()
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, foreignPage, "http://"+r.URL.Query().Get("at"))
	}))
	t.Cleanup(site.Close)
	_, sitePort, err := net.SplitHostPort(strings.TrimPrefix(site.URL, "http://"))
	require.NoError(t, err)
	rules := "--host-resolver-rules=MAP *.example 127.0.0.1"
	for _, c := range []struct {
		name, page, at string
		foreign        bool
	}{
		{"another site", "evil.example:" + sitePort, "127.0.0.1:" + port, true},
		{"a name pointed at the gateway", "evil.example:" + sitePort, "evil.example:" + port, true},
		{"a page of this machine", "localhost:" + sitePort, "127.0.0.1:" + port, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			mu.Lock()
			arrived, got = nil, "nothing was tried"
			mu.Unlock()
			dom := browse(t, chromium, "--dump-dom", "--virtual-time-budget=4000", rules,
				"http://"+c.page+"/?at="+c.at)
			require.Contains(t, dom, "<title>done</title>")
			mu.Lock()
			defer mu.Unlock()
			if c.foreign {
				require.Empty(t, arrived)
				require.Empty(t, got)
				return
			}
			require.Subset(t, arrived, []string{"post", "get", "events", "form", "beacon"})
			require.Contains(t, got, "post")
		})
	}
}
