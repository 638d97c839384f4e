package preflighthttp_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighthttp"
)

// TestRefuse: a history beyond repair is answered with an error in the provider's own form, and
// nothing is sent.
func TestRefuse(t *testing.T) {
	for _, c := range []struct{ path, body, member, value string }{
		{"/v1/messages", `{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[]}`,
			"error.type", "invalid_request_error"},
		{"/v1/chat/completions", `{"model":"gpt-5","messages":[]}`, "error.type",
			"invalid_request_error"},
		{"/v1/responses", `{"model":"gpt-5","input":[]}`, "error.type", "invalid_request_error"},
		{"/v1beta/models/gemini-2.5-pro:generateContent", `{"contents":[]}`, "error.status",
			"INVALID_ARGUMENT"},
		{"/model/amazon.nova-pro-v1%3A0/converse", `{"messages":[]}`, "message", "preflight: "},
		{"/v2/chat", `{"model":"command-a","messages":[]}`, "message", "preflight: "},
	} {
		server := started(t)
		transport, told := to(t, server.URL)
		transport.Unfixable = preflighthttp.Refuse
		req := post(t, server.URL+c.path, strings.NewReader(c.body))
		resp, err := transport.RoundTrip(req)
		require.NoError(t, err)
		require.Same(t, req, resp.Request)
		require.Equal(t, http.StatusBadRequest, resp.StatusCode, c.path)
		require.Equal(t, "refused", resp.Header.Get("X-Preflight"))
		require.Equal(t, "application/json", resp.Header.Get("Content-Type"))
		var value any
		require.NoError(t, json.NewDecoder(resp.Body).Decode(&value))
		for name := range strings.SplitSeq(c.member, ".") {
			value = value.(map[string]any)[name]
		}
		require.Contains(t, value, c.value, c.path)
		require.Empty(t, server.received())
		require.ErrorIs(t, told.only(t).Err, preflight.ErrEmptyHistory, c.path)
		require.Zero(t, told.only(t).SentBytes)
	}
}

func TestResponseForms(t *testing.T) {
	for provider, want := range map[string]string{
		"mistral":          `"object":"error"`,
		"ollama":           `{"error":"preflight: `,
		"vertex-anthropic": `"type":"overloaded_error"`,
		"vertex-gemini":    `"status":"UNAVAILABLE"`,
		"groq":             `"type":"server_error"`,
		"":                 `"type":"server_error"`,
	} {
		refused := &preflighthttp.Error{Provider: provider, Err: preflighthttp.ErrBusy}
		resp := refused.Response(nil)
		text := make([]byte, resp.ContentLength)
		_, err := resp.Body.Read(text)
		require.NoError(t, err)
		require.Contains(t, string(text), want, provider)
	}
}

// TestHeldHistoryIsRefused: the continuation of a thread for a host that has none is answered in
// the words by which clients send the whole conversation, by any policy, and does not leave. The
// beginning of a thread is a whole conversation, and the count of tokens misleads nobody.
func TestHeldHistoryIsRefused(t *testing.T) {
	const form = `{"model":"m","max_tokens":9,"thread":{"type":"%s","previous_message_id":"msg_1"},` +
		`"messages":[{"role":"user","content":"q"}]}`
	for _, c := range []struct {
		provider, path, kind string
		sent                 bool
	}{
		{"deepseek-anthropic", "/v1/messages", "continue", false},
		{"glm-anthropic", "/v1/messages", "continue", false},
		{"deepseek-anthropic", "/v1/messages", "create", true},
		{"deepseek-anthropic", "/v1/messages/count_tokens", "continue", true},
		{"anthropic", "/v1/messages", "continue", true},
		{"openrouter-anthropic", "/v1/messages", "continue", true}, // it may have threads
	} {
		for _, policy := range []preflighthttp.Unfixable{
			preflighthttp.SendUnchanged, preflighthttp.Fail, preflighthttp.Refuse,
		} {
			server := started(t)
			transport, _ := to(t, server.URL)
			transport.Endpoints[0].Provider, transport.Unfixable = c.provider, policy
			body := fmt.Sprintf(form, c.kind)
			resp, err := transport.RoundTrip(post(t, server.URL+c.path, strings.NewReader(body)))
			if c.sent {
				require.NoError(t, err)
				require.Len(t, server.received(), 1)
				require.Equal(t, body, server.received()[0].body)
				continue
			}
			require.NoError(t, err)
			require.Empty(t, server.received())
			require.Equal(t, http.StatusBadRequest, resp.StatusCode)
			var answer struct {
				Type  string
				Error struct {
					Type, Message string
					Details       struct {
						Code string `json:"error_code"`
					}
				}
			}
			require.NoError(t, json.NewDecoder(resp.Body).Decode(&answer))
			require.Equal(t, "error", answer.Type)
			require.Equal(t, "invalid_request_error", answer.Error.Type)
			require.Equal(t, "thread_unsupported_request", answer.Error.Details.Code)
			require.Contains(t, answer.Error.Message,
				"capability_rejected: beta_header:message-threads-2026-08-12")
		}
	}
}
