package gateway_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/cmd/preflight/internal/gateway"
)

// This file is about a gateway that runs around the clock.

// running starts a gateway that logs.
func running(t *testing.T, config gateway.Config, change func(*gateway.Gateway)) (
	g *gateway.Gateway, url string, log *bytes.Buffer,
) {
	g, err := gateway.New(config)
	require.NoError(t, err)
	log = new(bytes.Buffer)
	g.Log = slog.New(slog.NewJSONHandler(log, nil))
	if change != nil {
		change(g)
	}
	server := httptest.NewServer(g)
	t.Cleanup(server.Close)
	return g, server.URL, log
}

func answering(t *testing.T, status int, text string) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, text)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// One line tells all about a request, the class of each repair included, and the metrics have the
// same labels.
func TestLine(t *testing.T) {
	g, url, log := running(t, gateway.Config{
		ClientHeader: "X-Team",
		Routes: []gateway.Route{
			{Prefix: "/a", Upstream: answering(t, 200, "yes"), Provider: "anthropic"},
		},
	}, nil)
	req, err := http.NewRequest(http.MethodPost, url+"/a/v1/messages",
		strings.NewReader(aborted[0].body))
	require.NoError(t, err)
	req.Header.Set("X-Team", "search")
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	resp.Body.Close()
	require.NoError(t, g.Drained(context.Background()))
	var line map[string]any
	require.NoError(t, json.Unmarshal(log.Bytes(), &line), log.String())
	for name, want := range map[string]any{
		"route": "/a", "client": "search", "provider": "anthropic", "model": "claude-sonnet-4-5",
		"outcome": "repaired", "result": "ok", "status": 200.0, "level": "INFO",
	} {
		require.Equal(t, want, line[name], name)
	}
	require.Greater(t, line["duration_ms"], 0.0)
	first := line["repairs"].([]any)[0].(map[string]any)
	require.Equal(t, "dangling-removed", first["code"])
	require.Equal(t, "lossy", first["class"])
	require.NotContains(t, log.String(), "secret")
	metrics := get(t, url+"/metrics")
	who := `route="/a",client="search",provider="anthropic",model="claude-sonnet-4-5"`
	require.Contains(t, metrics,
		"preflight_requests_total{"+who+`,outcome="repaired",result="ok",status="200"} 1`)
	require.Contains(t, metrics,
		"preflight_changes_total{"+who+`,code="dangling-removed",class="lossy"} 1`)
}

// The names that requests make up are bounded.
func TestLabelsAreBounded(t *testing.T) {
	_, url, _ := running(t, gateway.Config{
		ClientHeader: "X-Team",
		Routes: []gateway.Route{
			{Prefix: "/a", Upstream: answering(t, 200, "yes"), Provider: "anthropic"},
		},
	}, nil)
	for k := range 300 {
		req, err := http.NewRequest(http.MethodPost, url+"/a/v1/messages", strings.NewReader(
			fmt.Sprintf(`{"model":"m\"%d","max_tokens":1,"messages":[{"role":"user",`+
				`"content":"a"}]}`, k)))
		require.NoError(t, err)
		req.Header.Set("X-Team", fmt.Sprint("team", k%150))
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		resp.Body.Close()
	}
	metrics := get(t, url+"/metrics")
	require.Contains(t, metrics, `client="other"`)
	require.Contains(t, metrics, `model="other"`)
	require.Contains(t, metrics, `model="m\"7"`)
	require.NotContains(t, metrics, `model="m\"150"`)
	require.NotContains(t, metrics, `client="team120"`)
}

// An upstream that does not answer is an error in the provider's form, and in the log.
func TestErrorsInTheProvidersForm(t *testing.T) {
	hang := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	}))
	defer hang.Close()
	for _, c := range []struct {
		upstream, provider string
		status             int
		words, result      string
	}{
		{"http://127.0.0.1:1", "anthropic", 502, `"type":"api_error"`, "failed"},
		{"http://127.0.0.1:1", "openai-chat", 502, `"type":"server_error"`, "failed"},
		{"http://127.0.0.1:1", "gemini", 502, `"status":"INTERNAL"`, "failed"},
		{hang.URL, "anthropic", 504, `"type":"timeout_error"`, "timeout"},
	} {
		g, url, log := running(t, gateway.Config{
			Timeouts: gateway.Timeouts{Answer: gateway.Duration(50 * time.Millisecond)},
			Routes: []gateway.Route{
				{Prefix: "/a", Upstream: c.upstream, Provider: c.provider},
			},
		}, nil)
		for _, one := range aborted {
			if one.provider != c.provider {
				continue
			}
			status, _, body := post(t, url+"/a"+one.path, one.body)
			require.Equal(t, c.status, status)
			require.True(t, json.Valid([]byte(body)), body)
			require.Contains(t, body, c.words)
		}
		require.NoError(t, g.Drained(context.Background()))
		require.Contains(t, log.String(), `"level":"ERROR"`)
		require.Contains(t, log.String(), `"result":"`+c.result+`"`)
	}
}

// An upstream that stalls in its answer is cut off.
func TestIdleTimeout(t *testing.T) {
	stalls := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "data: 1\n\n")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}))
	defer stalls.Close()
	g, url, log := running(t, gateway.Config{Routes: []gateway.Route{{
		Prefix: "/a", Upstream: stalls.URL,
		Timeouts: gateway.Timeouts{Idle: gateway.Duration(50 * time.Millisecond)},
	}}}, nil)
	resp, err := http.Get(url + "/a/x")
	require.NoError(t, err)
	_, err = io.ReadAll(resp.Body)
	require.Error(t, err)
	require.NoError(t, g.Drained(context.Background()))
	require.Contains(t, log.String(), `"result":"timeout"`)
}

// An upstream that sends all the time is not cut off when its client stops to read for a while.
func TestSlowReader(t *testing.T) {
	const size = 32 << 20 // more than all that is between them holds
	sends := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(make([]byte, size))
	}))
	defer sends.Close()
	_, url, _ := running(t, gateway.Config{Routes: []gateway.Route{{
		Prefix: "/a", Upstream: sends.URL,
		Timeouts: gateway.Timeouts{Idle: gateway.Duration(400 * time.Millisecond)},
	}}}, nil)
	resp, err := http.Get(url + "/a/x")
	require.NoError(t, err)
	time.Sleep(900 * time.Millisecond)
	n, err := io.Copy(io.Discard, resp.Body)
	require.NoError(t, err)
	require.EqualValues(t, size, n)
}

// A client that leaves is counted.
func TestClientLeft(t *testing.T) {
	begun := make(chan bool)
	slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		begun <- true
		<-r.Context().Done()
	}))
	defer slow.Close()
	g, url, log := running(t, gateway.Config{
		Routes: []gateway.Route{{Prefix: "/a", Upstream: slow.URL}},
	}, nil)
	ctx, cancel := context.WithCancel(context.Background())
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/a/x", nil)
	require.NoError(t, err)
	go func() { <-begun; cancel() }()
	_, err = http.DefaultClient.Do(req)
	require.Error(t, err)
	require.NoError(t, g.Drained(context.Background()))
	require.Contains(t, log.String(), `"result":"left"`)
	require.Contains(t, get(t, url+"/metrics"), "preflight_client_left_total 1")
}

// One that leaves before its history was judged says nothing about the history.
func TestClientLeftEarly(t *testing.T) {
	g, url, _ := running(t, gateway.Config{
		Routes: []gateway.Route{{Prefix: "/a", Upstream: answering(t, 200, ""), Provider: "anthropic"}},
	}, nil)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	g.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, http.MethodPost,
		"/a/v1/messages", strings.NewReader(aborted[0].body)))
	metrics := get(t, url+"/metrics")
	require.Contains(t, metrics, "preflight_unfixable_total 0")
	require.Contains(t, metrics, "preflight_unread_total 1")
	require.Contains(t, metrics, `outcome="unread",result="left"`)
}

// A reload takes effect for later requests, and a wrong configuration none.
func TestReload(t *testing.T) {
	one := gateway.Route{Prefix: "/a", Upstream: answering(t, 200, "one")}
	g, url, _ := running(t, gateway.Config{Routes: []gateway.Route{one}}, nil)
	require.Equal(t, "one", get(t, url+"/a/x"))
	two := gateway.Route{Prefix: "/a", Upstream: answering(t, 200, "two")}
	require.NoError(t, g.Reload(gateway.Config{Routes: []gateway.Route{two}}))
	require.Equal(t, "two", get(t, url+"/a/x"))
	require.Error(t, g.Reload(gateway.Config{Routes: []gateway.Route{}}))
	require.Equal(t, "two", get(t, url+"/a/x"))
	require.Contains(t, get(t, url+"/metrics"), `{route="/a",status="200"} 3`, "counters stay")
}

// Where others reach the gateway, its pages need a token, or a listener of their own.
func TestAdmin(t *testing.T) {
	route := []gateway.Route{{Prefix: "/a", Upstream: answering(t, 200, "")}}
	for _, c := range []struct {
		admin  gateway.Admin
		public bool
		none   int // without a token
		token  int
	}{
		{gateway.Admin{}, false, 200, 200},
		{gateway.Admin{}, true, 403, 403},
		{gateway.Admin{Token: "t"}, true, 401, 200},
		{gateway.Admin{Token: "t"}, false, 401, 200},
		{gateway.Admin{Listen: "127.0.0.1:0"}, true, 404, 404},
	} {
		g, url, _ := running(t, gateway.Config{Routes: route, Admin: c.admin, Samples: 1},
			func(g *gateway.Gateway) { g.Public = c.public })
		admin := httptest.NewServer(g.Admin())
		defer admin.Close()
		for _, path := range []string{"/", "/metrics", "/samples"} {
			ask := func(base, token string) int {
				req, err := http.NewRequest(http.MethodGet, base+path, nil)
				require.NoError(t, err)
				if token != "" {
					req.SetBasicAuth("anyone", token)
				}
				resp, err := http.DefaultClient.Do(req)
				require.NoError(t, err)
				resp.Body.Close()
				return resp.StatusCode
			}
			require.Equal(t, c.none, ask(url, ""), "%+v", c)
			require.Equal(t, c.token, ask(url, "t"), "%+v", c)
			if c.admin.Token != "" {
				require.Equal(t, 401, ask(url, "wrong"))
			}
			require.Equal(t, 200, ask(admin.URL, "t"))
		}
		require.Equal(t, "ok\n", get(t, url+"/healthz"))
		require.Equal(t, "ready\n", get(t, admin.URL+"/readyz"))
	}
}

// Samples have the bodies before and after, and none of their texts.
func TestSamples(t *testing.T) {
	route := gateway.Route{Prefix: "/a", Upstream: answering(t, 200, ""), Provider: "anthropic"}
	_, url, _ := running(t, gateway.Config{Routes: []gateway.Route{route}}, nil)
	require.Contains(t, get(t, url+"/samples"), "none are by default")
	_, url, _ = running(t, gateway.Config{Routes: []gateway.Route{route}, Samples: 2}, nil)
	for range 5 {
		post(t, url+"/a/v1/messages", aborted[0].body)
		get(t, url+"/samples") // waits for it
	}
	text := get(t, url+"/samples")
	require.Equal(t, 2, strings.Count(text, "\n"))
	require.Contains(t, text, "dangling-removed")
	require.NotContains(t, text, "secret")
	require.NotContains(t, text, "Go on")
}

// Samples have nothing that a user, a tool or a provider made, wherever it is.
func TestSamplesAreBare(t *testing.T) {
	route := gateway.Route{Prefix: "/a", Upstream: answering(t, 200, ""), Provider: "anthropic"}
	_, url, _ := running(t, gateway.Config{Routes: []gateway.Route{route}, Samples: 9}, nil)
	post(t, url+"/a/v1/messages", `{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[`+
		`{"role":"user","content":[{"type":"image","source":{"type":"base64",`+
		`"media_type":"image/png","data":"aVZCT1J3secret"}},{"type":"image","source":{"type":"url",`+
		`"url":"https://x.example/y?token=secret"}}]},{"role":"assistant","content":[`+
		`{"type":"thinking","thinking":"a secret","signature":"secretsecret"},`+
		`{"type":"tool_use","id":"toolu_1","name":"run","input":{"secretkey":8675309}}]},`+
		`{"role":"user","content":"Go on."}]}`)
	text := get(t, url+"/samples")
	require.Contains(t, text, `"before"`)
	require.Contains(t, text, "toolu_")
	require.NotContains(t, text, "secret")
	require.NotContains(t, text, "8675309")
}

// Requests that the provider refuses, or the gateway in its stead, are sampled the same way.
func TestRefusedSamples(t *testing.T) {
	for name, c := range map[string]struct {
		answers int
		body    string
		want    string
	}{
		"by the provider": {400, strings.Replace(emptyText, `,{"type":"text","text":""}`, "", 1),
			`"outcome":"valid","status":400`},
		"by the gateway": {200, `{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[]}`,
			`"outcome":"unfixable","status":400`},
	} {
		route := gateway.Route{
			Prefix: "/a", Upstream: answering(t, c.answers, "a secret"), Provider: "anthropic",
			Unfixable: "refuse",
		}
		g, url, _ := running(t, gateway.Config{Routes: []gateway.Route{route}, Samples: 2}, nil)
		status, _, _ := post(t, url+"/a/v1/messages", strings.Replace(c.body, "hi", "a secret", 1))
		require.Equal(t, 400, status, name)
		require.NoError(t, g.Drained(t.Context()))
		text := get(t, url+"/samples")
		require.Contains(t, text, c.want, name)
		require.Contains(t, text, `"before":{"model":"claude-sonnet-4-5"`)
		require.NotContains(t, text, "secret")
	}
}

// Headers with secrets of the environment are set, and are not lent to others by accident.
func TestHeaders(t *testing.T) {
	t.Setenv("PREFLIGHT_TEST_KEY", "sk-1")
	t.Setenv("PREFLIGHT_TEST_EMPTY", "")
	got := make(chan http.Header, 1)
	upstream := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		got <- r.Header
	}))
	defer upstream.Close()
	text := `{"admin":{"token":"${PREFLIGHT_TEST_KEY}"},"routes":[{"prefix":"/a","upstream":"` +
		upstream.URL + `","timeouts":{"answer":"1m"},
		"headers":{"X-Api-Key":"${PREFLIGHT_TEST_KEY}","Authorization":""}}]}`
	config, err := gateway.ParseConfig([]byte(text))
	require.NoError(t, err)
	require.Equal(t, "sk-1", config.Admin.Token)
	g, url, _ := running(t, *config, nil)
	req, err := http.NewRequest(http.MethodGet, url+"/a/x", nil)
	require.NoError(t, err)
	req.Header.Set("Authorization", "mine")
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	resp.Body.Close()
	header := <-got
	require.Equal(t, "sk-1", header.Get("X-Api-Key"))
	require.NotContains(t, header, "Authorization")
	g.Public = true
	require.ErrorContains(t, g.CheckPublic(), "share_keys")
	for text, want := range map[string]string{
		`{"routes":[]}`: "line 1: routes is empty",
		"{\"routes\":[{\"prefix\":\"/a\",\"upstream\":\"http://x\",\n" +
			`"headers":{"K":"${PREFLIGHT_NO_SUCH}"}}]}`: "line 2: the environment has no",
		`{"admin":{"token":"${PREFLIGHT_TEST_EMPTY}"}}`: "${PREFLIGHT_TEST_EMPTY} is empty",
		`{"routes":[{"prefix":"/a","upstream":"http://x","headers":{"K":"Bearer ` +
			`${PREFLIGHT_TEST_EMPTY}"}}]}`: "${PREFLIGHT_TEST_EMPTY} is empty",
		`{"timeouts":{"idle":"soon"}}`: `not "soon"`,
		`{"samples":1000}`:             "from 0 to 100",
	} {
		_, err := gateway.ParseConfig([]byte(text))
		require.ErrorContains(t, err, want)
	}
}

// A key in the path of an upstream, or in that of a client's request, is in no log, page or file,
// whatever it is made of, and also where the upstream quotes it.
func TestKeysInPaths(t *testing.T) {
	const (
		short, longer, odd = "k-sh0rt", "k-sh0rtXYZ", "k|sh{rt"
		uuid, long         = "3fa85f64-5717-4562-b3fc-2c963f66afa6", "0123456789abcdefghijklmnop"
	)
	t.Setenv("PREFLIGHT_TEST_K1", short)
	t.Setenv("PREFLIGHT_TEST_K2", longer)
	t.Setenv("PREFLIGHT_TEST_K3", odd)
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		switch {
		case err != nil || strings.Contains(string(body), "unheard"):
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, "never heard of POST "+r.URL.Path+" or "+r.URL.EscapedPath())
		case strings.Contains(string(body), `"mood"`):
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"error":{"message":"messages[0]: unknown field `+"`mood`"+`"}}`)
		}
	}))
	t.Cleanup(upstream.Close)
	t.Setenv("PREFLIGHT_TEST_URL", upstream.URL+"/"+short)
	folder := t.TempDir()
	data, err := json.Marshal(map[string]any{
		"refusals": filepath.Join(folder, "refusals"),
		"learned":  filepath.Join(folder, "learned.json"),
		"routes": []any{
			map[string]any{
				"prefix": "/a", "provider": "openai-compatible", "upstream": upstream.URL +
					"/${PREFLIGHT_TEST_K1}/${PREFLIGHT_TEST_K2}/${PREFLIGHT_TEST_K3}/" + uuid,
			},
			map[string]any{
				"prefix": "/b", "provider": "openai-compatible", "upstream": "${PREFLIGHT_TEST_URL}/x",
			},
		},
	})
	require.NoError(t, err)
	config, err := gateway.ParseConfig(data)
	require.NoError(t, err)
	g, url, log := running(t, *config, nil)
	for _, body := range []string{
		`{"model":"m","messages":[{"role":"user","content":"unheard"}]}`,
		`{"model":"m","messages":[{"role":"user","content":"q","mood":"x"}]}`,
	} {
		for _, path := range []string{"/a/" + long, "/b"} {
			post(t, url+path+"/v1/chat/completions", body)
			require.NoError(t, g.Drained(t.Context())) // of many at once, some are not kept
		}
	}
	files, err := filepath.Glob(filepath.Join(folder, "refusals", "*"))
	require.NoError(t, err)
	require.Len(t, files, 4)
	texts := []string{log.String(), get(t, url+"/")}
	for _, file := range append(files, filepath.Join(folder, "learned.json")) {
		kept, err := os.ReadFile(file)
		require.NoError(t, err)
		texts = append(texts, string(kept))
	}
	const shown = "/${PREFLIGHT_TEST_K1}/${PREFLIGHT_TEST_K2}/${PREFLIGHT_TEST_K3}/…"
	require.Contains(t, texts[0], `"path":"`+shown+`/…/v1/chat/completions"`)
	require.Contains(t, texts[1], shown)
	require.Contains(t, texts[1], "${PREFLIGHT_TEST_URL}/x")
	require.Contains(t, texts[len(texts)-1], `"rule"`)
	for _, text := range texts {
		for _, key := range []string{short, "XYZ", "sh{rt", "sh%7Brt", uuid, long} {
			require.NotContains(t, text, key)
		}
	}
}

// Eight connections that announce the largest body and send a byte keep nobody out.
func TestEightConnections(t *testing.T) {
	_, url, _ := running(t, gateway.Config{
		MaxHeld: 64 << 20,
		Routes: []gateway.Route{
			{Prefix: "/a", Upstream: answering(t, 200, ""), Provider: "anthropic"},
		},
	}, nil)
	for range 8 {
		conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
		require.NoError(t, err)
		defer conn.Close()
		fmt.Fprintf(conn, "POST /a/v1/messages HTTP/1.1\r\nHost: localhost\r\n"+
			"Content-Length: %d\r\n\r\n{", 64<<20)
	}
	time.Sleep(50 * time.Millisecond)
	for range 20 {
		status, _, _ := post(t, url+"/a/v1/messages", aborted[0].body)
		require.Equal(t, http.StatusOK, status)
	}
}

// An upgraded connection is counted as skipped, is waited for, and is cut in the end.
func TestUpgraded(t *testing.T) {
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, rw, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer conn.Close()
		fmt.Fprint(rw, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n"+
			"Upgrade: websocket\r\n\r\n")
		rw.Flush()
		_, _ = io.Copy(conn, rw) // an echo
	}))
	defer upstream.Close()
	g, url, log := running(t, gateway.Config{
		Routes: []gateway.Route{{Prefix: "/a", Upstream: upstream.URL}},
	}, nil)
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	require.NoError(t, err)
	defer conn.Close()
	fmt.Fprint(conn, "GET /a/v1/realtime HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n"+
		"Upgrade: websocket\r\n\r\n")
	r := bufio.NewReader(conn)
	resp, err := http.ReadResponse(r, nil)
	require.NoError(t, err)
	require.Equal(t, http.StatusSwitchingProtocols, resp.StatusCode)
	limit, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	require.Error(t, g.Drained(limit), "it is open")
	fmt.Fprint(conn, "still\n")
	line, err := r.ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "still\n", line)
	g.Cut()
	require.NoError(t, g.Drained(context.Background()))
	require.Contains(t, get(t, url+"/metrics"), `preflight_skipped_total{reason="websocket"} 1`)
	require.Contains(t, log.String(), `"skipped":"websocket"`)
}
