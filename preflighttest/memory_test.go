package preflighttest_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/preflighttest"
)

// TestRemember: a server that remembers judges what is new with all that came before, and answers
// as the provider does when it has forgotten that.
func TestRemember(t *testing.T) {
	send := func(s *preflighttest.Server, path, body string) (int, string, map[string]any) {
		resp, err := s.Client().Post(s.URL+path, "application/json", strings.NewReader(body))
		require.NoError(t, err)
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		var answer map[string]any
		require.NoError(t, json.Unmarshal(text, &answer))
		id, _ := answer["id"].(string)
		return resp.StatusCode, id, answer
	}
	calls := preflighttest.Reply{Calls: []preflighttest.Call{{ID: "toolu_1", Name: "run"}}}

	t.Run("anthropic", func(t *testing.T) {
		s := preflighttest.New(t, "anthropic", &preflighttest.Options{Remember: true})
		s.Script(calls)
		const form = `{"model":"claude-opus-5-5","max_tokens":9,"thread":%s,"messages":[%s]%s}`
		const result = `{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1",` +
			`"content":"r"}]}`
		code := func(answer map[string]any) any {
			return answer["error"].(map[string]any)["details"].(map[string]any)["error_code"]
		}
		_, first, _ := send(s, "/v1/messages", fmt.Sprintf(form, `{"type":"create"}`,
			`{"role":"user","content":"q"}`, `,"tools":[{"name":"run","input_schema":{"type":"object"}}]`))
		goOn := fmt.Sprintf(`{"type":"continue","previous_message_id":%q}`, first)
		status, last, answer := send(s, "/v1/messages", fmt.Sprintf(form, goOn, result, ""))
		require.Equal(t, http.StatusOK, status, answer)
		require.Contains(t, string(s.Conversation(last)), `"tool_use_id":"toolu_1"`)

		status, _, answer = send(s, "/v1/messages", fmt.Sprintf(form, goOn, result, ""))
		require.Equal(t, http.StatusBadRequest, status)
		require.Equal(t, "thread_already_continued", code(answer))
		// what is new is wrong only with what came before
		goOn = fmt.Sprintf(`{"type":"continue","previous_message_id":%q}`, last)
		status, _, _ = send(s, "/v1/messages", fmt.Sprintf(form, goOn, result, ""))
		require.Equal(t, http.StatusBadRequest, status)

		s.Forget()
		require.Nil(t, s.Conversation(last))
		status, _, answer = send(s, "/v1/messages", fmt.Sprintf(form, goOn, result, ""))
		require.Equal(t, http.StatusNotFound, status)
		require.Equal(t, "thread_not_found", code(answer))
	})

	t.Run("openai-responses", func(t *testing.T) {
		s := preflighttest.New(t, "openai-responses", &preflighttest.Options{Remember: true})
		calls.Calls[0].Async = true
		s.Script(calls)
		const form = `{"model":"gpt-6-astra","previous_response_id":%s,"input":[%s]}`
		const result = `{"type":"function_call_output","call_id":"toolu_1","output":"r"}`
		const text = `{"role":"user","content":"q"}`
		_, first, _ := send(s, "/v1/responses", fmt.Sprintf(form, "null", text))
		_, second, _ := send(s, "/v1/responses", fmt.Sprintf(form, `"`+first+`"`, text))
		for range 2 { // both branches go on
			status, last, answer := send(s, "/v1/responses", fmt.Sprintf(form, `"`+second+`"`, result))
			require.Equal(t, http.StatusOK, status, answer)
			require.Contains(t, string(s.Conversation(last)), `"async":true`)
		}
		status, _, answer := send(s, "/v1/responses", fmt.Sprintf(form, `"resp_x"`, text))
		require.Equal(t, http.StatusBadRequest, status)
		require.Equal(t, "previous_response_not_found", answer["error"].(map[string]any)["code"])
	})
}
