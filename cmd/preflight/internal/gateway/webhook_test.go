package gateway_test

import (
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
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/cmd/preflight/internal/gateway"
	"github.com/go-preflight/preflight/preflighttest"
)

// call is a webhook's call for a body.
func call(requestType, event, body string) string {
	return fmt.Sprintf(`{"request":{"json":%s,"text":"t"},"response":{"json":{},"text":""},`+
		`"provider":"openai","requestType":%q,"eventType":%q}`, body, requestType, event)
}

func TestPortkey(t *testing.T) {
	g, err := gateway.New(gateway.Config{MaxBody: 10_000, ClientHeader: "X-Client"})
	require.NoError(t, err)
	var log bytes.Buffer
	g.Log = slog.New(slog.NewJSONHandler(&log, nil))
	server := httptest.NewServer(g)
	defer server.Close()
	url := server.URL + "/hooks/portkey"
	anthropic, chat := aborted[0].body, aborted[1].body
	for _, c := range []struct {
		name, body string
		status     int
		changed    bool
	}{
		{"chat", call("chatComplete", "beforeRequestHook", chat), 200, true},
		{"messages", call("messages", "beforeRequestHook", anthropic), 200, true},
		{"valid", call("chatComplete", "beforeRequestHook",
			`{"model":"gpt-5","messages":[{"role":"user","content":"a"}]}`), 200, false},
		{"empty", call("chatComplete", "beforeRequestHook", `{"messages":[]}`), 200, false},
		{"an answer", call("chatComplete", "afterRequestHook", chat), 200, false},
		{"no history", call("embed", "beforeRequestHook", `{"input":"a"}`), 200, false},
		{"no body", `{"requestType":"chatComplete","eventType":"beforeRequestHook"}`, 200, false},
		{"not a call", `[]`, 400, false},
		{"too large", call("chatComplete", "beforeRequestHook",
			`"`+strings.Repeat("x", 10_000)+`"`), 413, false},
	} {
		log.Reset()
		status, _, text := post(t, url, c.body)
		require.Equal(t, c.status, status, c.name)
		require.NoError(t, g.Drained(context.Background()))
		line := map[string]any{}
		require.NoError(t, json.Unmarshal(log.Bytes(), &line), "one line: %s", log.String())
		require.Equal(t, "/hooks/portkey", line["route"], c.name)
		require.EqualValues(t, c.status, line["status"], c.name)
		require.Equal(t, status == http.StatusOK, line["result"] == "ok", c.name)
		require.Equal(t, c.changed, line["outcome"] == "repaired", c.name)
		require.Equal(t, c.changed, line["repairs"] != nil, c.name)
		if status != http.StatusOK {
			continue
		}
		var answer struct {
			Verdict         bool
			TransformedData struct {
				Request struct{ JSON json.RawMessage }
			}
		}
		require.NoError(t, json.Unmarshal([]byte(text), &answer), c.name)
		require.True(t, answer.Verdict, c.name)
		require.Equal(t, c.changed, answer.TransformedData.Request.JSON != nil, c.name)
	}
	require.Contains(t, get(t, server.URL+"/metrics"), "preflight_repaired_total 2")
	require.Contains(t, get(t, server.URL+"/"), "/hooks/portkey")
}

// TestPortkeyPackage has Portkey's own gateway call the webhook. .ci/portkey installs it and runs
// this test.
func TestPortkeyPackage(t *testing.T) {
	program := os.Getenv("PREFLIGHT_PORTKEY")
	if program == "" {
		t.Skip("PREFLIGHT_PORTKEY does not name the start-server.js of @portkey-ai/gateway: " +
			".ci/portkey installs it")
	}
	g, err := gateway.New(gateway.Config{})
	require.NoError(t, err)
	server := httptest.NewServer(g)
	defer server.Close()
	port := freePort(t)
	var log bytes.Buffer
	portkey := exec.Command("node", program, "--headless", "--port="+port)
	portkey.Stdout, portkey.Stderr = &log, &log
	require.NoError(t, portkey.Start())
	t.Cleanup(func() {
		_ = portkey.Process.Kill()
		_ = portkey.Wait()
	})
	base := "http://127.0.0.1:" + port
	require.Eventually(t, func() bool {
		resp, err := http.Get(base)
		if err == nil {
			resp.Body.Close()
		}
		return err == nil
	}, 30*time.Second, 100*time.Millisecond, "the gateway starts")

	for _, test := range aborted[:2] {
		provider := "openai"
		if test.provider == "anthropic" {
			provider = "anthropic"
		}
		for _, hooked := range []bool{false, true} {
			upstream := preflighttest.New(t, test.provider, nil)
			config := map[string]any{
				"provider": provider, "api_key": "none", "custom_host": upstream.URL + "/v1",
			}
			if hooked {
				config["before_request_hooks"] = []any{map[string]any{
					"type": "guardrail", "id": "preflight", "async": false, "sequential": true,
					"checks": []any{map[string]any{
						"id":         "default.webhook",
						"parameters": map[string]any{"webhookURL": server.URL + "/hooks/portkey"},
					}},
				}}
			}
			header, err := json.Marshal(config)
			require.NoError(t, err)
			req, err := http.NewRequest(http.MethodPost, base+test.path, strings.NewReader(test.body))
			require.NoError(t, err)
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("X-Portkey-Config", string(header))
			resp, err := http.DefaultClient.Do(req)
			require.NoError(t, err)
			answer, err := io.ReadAll(resp.Body)
			require.NoError(t, err)
			resp.Body.Close()
			want := http.StatusBadRequest
			if hooked {
				want = http.StatusOK
			}
			require.Equal(t, want, resp.StatusCode, "%s, hook %v: %s\n%s", test.provider, hooked,
				answer, log.String())
			require.Len(t, upstream.Requests(), 1)
		}
	}
}

// freePort is a port that was free a moment ago.
func freePort(t *testing.T) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	_, port, err := net.SplitHostPort(listener.Addr().String())
	require.NoError(t, err)
	return port
}
