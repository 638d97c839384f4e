package preflighthttp_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/preflighthttp/remedy"
	"github.com/go-preflight/preflight/preflighttest"
)

// The tests of this file send what agents send to the strict fakes, which know nothing of
// preflight.

// broken are requests of sessions that broke, by provider: a call whose tool was aborted, a result
// whose call was trimmed away.
var broken = []struct{ provider, path, body string }{
	{"anthropic", "/v1/messages",
		`{"model":"claude-sonnet-4-5","max_tokens":64,"messages":[{"role":"user","content":"q"},` +
			`{"role":"assistant","content":[{"type":"text","text":"Wait."},` +
			`{"type":"tool_use","id":"toolu_1","name":"run","input":{}}]},` +
			`{"role":"user","content":"Stop."}]}`},
	{"anthropic", "/v1/messages",
		`{"model":"claude-sonnet-4-5","max_tokens":64,"messages":[{"role":"user",` +
			`"content":[{"type":"tool_result","tool_use_id":"toolu_0","content":"late"}]},` +
			`{"role":"assistant","content":"Done."},{"role":"user","content":"More."}]}`},
	{"openai-chat", "/v1/chat/completions",
		`{"model":"gpt-5","messages":[{"role":"user","content":"q"},` +
			`{"role":"assistant","content":"Wait.","tool_calls":[{"id":"call_1",` +
			`"type":"function","function":{"name":"run","arguments":"{}"}}]},` +
			`{"role":"user","content":"Stop."}]}`},
	{"openai-chat", "/v1/chat/completions",
		`{"model":"gpt-5","messages":[{"role":"tool","tool_call_id":"call_0","content":"late"},` +
			`{"role":"assistant","content":"Done."},{"role":"user","content":"More."}]}`},
	{"openai-responses", "/v1/responses",
		`{"model":"gpt-5","input":[{"role":"user","content":"q"},` +
			`{"type":"function_call","call_id":"call_1","name":"run","arguments":"{}"},` +
			`{"role":"user","content":"Stop."}]}`},
	{"openai-responses", "/v1/responses",
		`{"model":"gpt-5","input":[{"type":"function_call_output","call_id":"call_0",` +
			`"output":"late"},{"role":"user","content":"More."}]}`},
	{"gemini", "/v1beta/models/gemini-3-pro:generateContent",
		`{"contents":[{"role":"user","parts":[{"text":"q"}]},` +
			`{"role":"model","parts":[{"text":"Wait."},` +
			`{"functionCall":{"name":"run","args":{}},"thoughtSignature":"QUJD"}]},` +
			`{"role":"user","parts":[{"text":"Stop."}]}]}`},
	{"gemini", "/v1beta/models/gemini-3-pro:streamGenerateContent",
		`{"contents":[{"role":"user","parts":[{"functionResponse":{"name":"run",` +
			`"response":{"output":"late"}}}]},{"role":"model","parts":[{"text":"Done."}]},` +
			`{"role":"user","parts":[{"text":"More."}]}]}`},
	{"bedrock", "/model/anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse",
		`{"messages":[{"role":"user","content":[{"text":"q"}]},` +
			`{"role":"assistant","content":[{"toolUse":{"toolUseId":"t1","name":"run",` +
			`"input":{}}}]},{"role":"user","content":[{"text":"Stop."}]}],` +
			`"toolConfig":{"tools":[{"toolSpec":{"name":"run",` +
			`"inputSchema":{"json":{"type":"object"}}}}]}}`},
	{"bedrock", "/model/anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse-stream",
		`{"messages":[{"role":"user","content":[{"toolResult":{"toolUseId":"t0",` +
			`"content":[{"text":"late"}]}}]},{"role":"assistant","content":[{"text":"Done."}]},` +
			`{"role":"user","content":[{"text":"More."}]}]}`},
	{"mistral", "/v1/chat/completions",
		`{"model":"mistral-large-latest","messages":[{"role":"user","content":"q"},` +
			`{"role":"assistant","content":"","tool_calls":[{"id":"abcDEF123","type":"function",` +
			`"function":{"name":"run","arguments":"{}"}}]},{"role":"user","content":"Stop."}]}`},
	{"mistral", "/v1/chat/completions",
		`{"model":"mistral-large-latest","messages":[{"role":"user","content":"q"},` +
			`{"role":"tool","tool_call_id":"abcDEF123","name":"run","content":"late"},` +
			`{"role":"user","content":"More."}]}`},
	{"cohere", "/v2/chat",
		`{"model":"command-a-03-2025","messages":[{"role":"user","content":"q"},` +
			`{"role":"assistant","tool_calls":[{"id":"c1","type":"function",` +
			`"function":{"name":"run","arguments":"{}"}}]},{"role":"user","content":"Stop."}]}`},
	{"gemini-interactions", "/v1beta/interactions",
		`{"model":"gemini-3.7-flash","store":false,"input":[{"type":"user_input","content":` +
			`[{"type":"text","text":"q"}]},{"type":"thought","signature":"QUJD"},` +
			`{"type":"function_call","id":"c1","name":"run","arguments":{}},` +
			`{"type":"user_input","content":[{"type":"text","text":"Stop."}]}]}`},
	{"gemini-interactions", "/v1beta/interactions",
		`{"model":"gemini-3.7-flash","stream":true,"input":[{"type":"function_result",` +
			`"call_id":"c0","result":"late"},{"type":"user_input","content":[{"type":"text",` +
			`"text":"More."}]}]}`},
	{"ollama", "/api/chat",
		`{"model":"llama3.3","messages":[{"role":"user","content":"q"},` +
			`{"role":"assistant","content":"","tool_calls":[{"function":{"name":"run",` +
			`"arguments":"{}"}}]},{"role":"tool","tool_name":"run","content":"r"}]}`},
}

func TestFakes(t *testing.T) {
	have := map[string]bool{}
	for _, tt := range broken {
		have[tt.provider] = true
	}
	for _, provider := range preflighttest.Providers() {
		require.True(t, have[provider], provider)
	}
	for k, tt := range broken {
		t.Run(fmt.Sprint(tt.provider, k), func(t *testing.T) {
			server := preflighttest.New(t, tt.provider, nil)
			status, _ := do(t, http.DefaultTransport,
				post(t, server.URL+tt.path, strings.NewReader(tt.body)))
			require.Equal(t, http.StatusBadRequest, status, "without")
			require.Len(t, server.Refused(), 1)

			transport, all := to(t, server.URL)
			if tt.provider == "mistral" { // which shares its path with OpenAI's Chat format
				transport.Endpoints[0].Provider = tt.provider
			}
			status, answer := do(t, transport,
				post(t, server.URL+tt.path, strings.NewReader(tt.body)))
			require.Equal(t, http.StatusOK, status, answer)
			require.Len(t, server.Refused(), 1)
			require.NotEmpty(t, all.only(t).Warnings)
		})
	}
}

// TestFakesOllamaCloud: what the cloud accepts is sent as it is, and what it refuses is repaired
// after the refusal.
func TestFakesOllamaCloud(t *testing.T) {
	const call = `,{"role":"assistant","content":"","tool_calls":[{"function":{"name":"run",` +
		`"arguments":{}}}]}`
	const result = `,{"role":"tool","tool_name":"run","content":"r"}`
	for _, tt := range []struct {
		messages string
		refused  int
	}{
		{call + result, 0},
		{call + `,{"role":"tool","tool_call_id":"z","content":"r"}`, 0},
		{call + `,{"role":"user","content":"w"}` + result, 1},
		{call + `,{"role":"assistant","content":"hm"}` + result, 1},
		{call + `,{"role":"user","content":"w"}`, 1},
		{result, 1},
	} {
		server := preflighttest.New(t, "ollama", nil)
		transport, _ := to(t, server.URL)
		transport.Remedies = remedy.All()
		body := `{"model":"gpt-oss:120b-cloud","messages":[{"role":"user","content":"q"}` +
			tt.messages + `]}`
		status, answer := do(t, transport, post(t, server.URL+"/api/chat", strings.NewReader(body)))
		require.Equal(t, http.StatusOK, status, "%s\n%s", body, answer)
		require.Len(t, server.Refused(), tt.refused, body)
	}
}

// TestFakesBoundThinking: thinking is bound to all that was before it, and the caller changed that
// (another system prompt, a trimmed window). Nothing in the request shows it; the provider refuses
// it, streamed or not, and drops it where the request names its thinking, else gets it without.
func TestFakesBoundThinking(t *testing.T) {
	const head = `{"model":"claude-opus-5-5","max_tokens":2048,"tools":[{"name":"run",` +
		`"input_schema":{"type":"object"}}],`
	const question = `{"role":"user","content":"q"}`
	edits := []struct{ name, system, first string }{
		{"another system prompt", `"system":"Be short.",`, question},
		{"another question", `"system":"Be kind.",`,
			`{"role":"user","content":"[summary of earlier turns]"}`},
	}
	replies := []struct {
		name  string
		reply preflighttest.Reply
		next  string
	}{
		{"after a finished turn", preflighttest.Reply{Reasoning: "Hm.", Text: "a"},
			`{"role":"user","content":"r"}`},
		{"in an open tool loop",
			preflighttest.Reply{
				Reasoning: "Hm.",
				Calls:     []preflighttest.Call{{ID: "toolu_1", Name: "run"}},
			},
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1",` +
				`"content":"ok"}]}`},
	}
	thinking := []string{
		``,
		`"thinking":{"type":"adaptive"},`,
		`"thinking":{"type":"enabled","budget_tokens":1024},`,
	}
	for _, edit := range edits {
		for _, r := range replies {
			for _, mode := range thinking {
				for _, stream := range []string{"", `"stream":true,`} {
					t.Run(edit.name+" "+r.name+" "+mode+stream, func(t *testing.T) {
						server := preflighttest.New(t, "anthropic", nil)
						server.Script(r.reply)
						transport, all := to(t, server.URL)
						transport.Remedies = remedy.All()
						send := func(rt http.RoundTripper, body string) (int, string) {
							return do(t, rt, post(t, server.URL+path, strings.NewReader(body)))
						}
						status, answer := send(transport,
							head+mode+`"system":"Be kind.","messages":[`+question+`]}`)
						require.Equal(t, http.StatusOK, status, answer)
						var said struct{ Content json.RawMessage }
						require.NoError(t, json.Unmarshal([]byte(answer), &said))
						require.Contains(t, string(said.Content), `"signature"`)

						second := func(system, first string) string {
							return head + mode + stream + system + `"messages":[` + first +
								`,{"role":"assistant","content":` + string(said.Content) + `},` +
								r.next + `]}`
						}
						status, answer = send(transport, second(`"system":"Be kind.",`, question))
						require.Equal(t, http.StatusOK, status, answer)
						require.Empty(t, server.Refused(), answer)

						edited := second(edit.system, edit.first)
						status, answer = send(http.DefaultTransport, edited)
						require.Equal(t, http.StatusBadRequest, status)
						require.Contains(t, answer, "bound to a different conversation")

						all.all = nil
						status, answer = send(transport, edited)
						require.Equal(t, http.StatusOK, status, answer)
						require.Equal(t, stream != "",
							strings.Contains(answer, "event: message_start"))
						require.Len(t, all.all, 2)
						require.False(t, all.all[0].Changed)
						require.Equal(t, "anthropic/thinking-binding-prefix",
							all.all[1].Refusal.Rule.ID)
						requests := server.Requests()
						require.Equal(t, edited, string(requests[len(requests)-2].Body))
						last := requests[len(requests)-1]
						if mode == "" {
							require.Equal(t, "drop-reasoning", all.all[1].Remedy)
							require.NotContains(t, string(last.Body), `"signature"`)
							return
						}
						require.Equal(t, "drop-unbound", all.all[1].Remedy)
						require.Contains(t, string(last.Body), `"signature"`)
						require.Equal(t, "thinking-binding-controls-2026-08-01",
							last.Header.Get("Anthropic-Beta"))
						require.Contains(t, answer, `"thinking_dropped"`)
						added := all.all[1].Warnings[0]
						require.Equal(t, codes.SettingAdded, added.Code)
						require.Equal(t, 1, added.Unbinds)
					})
				}
			}
		}
	}
}

// TestFakesForeignReasoning: encrypted reasoning that is not as the provider issued it.
func TestFakesForeignReasoning(t *testing.T) {
	server := preflighttest.New(t, "openai-responses", nil)
	server.Script(preflighttest.Reply{
		Reasoning: "Hm.",
		Calls:     []preflighttest.Call{{ID: "call_1", Name: "run"}},
	})
	transport, all := to(t, server.URL)
	transport.Remedies = remedy.All()
	const head = `{"model":"gpt-5","store":false,"include":["reasoning.encrypted_content"],` +
		`"tools":[{"type":"function","name":"run","parameters":{"type":"object"}}],` +
		`"input":[{"role":"user","content":"q"}`
	status, answer := do(t, transport,
		post(t, server.URL+"/v1/responses", strings.NewReader(head+`]}`)))
	require.Equal(t, http.StatusOK, status, answer)
	var said struct {
		Output []struct {
			Type      string `json:"type"`
			ID        string `json:"id"`
			Encrypted string `json:"encrypted_content"`
		}
	}
	require.NoError(t, json.Unmarshal([]byte(answer), &said))
	require.NotEmpty(t, said.Output[0].Encrypted)

	body := func(id string) string { // the payload under the id of another item
		return head + `,{"type":"reasoning","id":"` + id + `","summary":[],"encrypted_content":"` +
			said.Output[0].Encrypted + `"},` +
			`{"type":"function_call","call_id":"call_1","name":"run","arguments":"{}"},` +
			`{"type":"function_call_output","call_id":"call_1","output":"ok"}]}`
	}
	status, answer = do(t, http.DefaultTransport,
		post(t, server.URL+"/v1/responses", strings.NewReader(body("rs_other"))))
	require.Equal(t, http.StatusBadRequest, status, answer)
	all.all = nil
	status, answer = do(t, transport,
		post(t, server.URL+"/v1/responses", strings.NewReader(body("rs_other"))))
	require.Equal(t, http.StatusOK, status, answer)
	require.Len(t, all.all, 2)
	require.Equal(t, "drop-reasoning", all.all[1].Remedy)
}

// TestFakesEditedSignatures: signatures that went with something else than what is sent now.
// Gemini's belong to the call that they are attached to; those that Bedrock relays are bound to all
// that was before them.
func TestFakesEditedSignatures(t *testing.T) {
	reply := preflighttest.Reply{
		Reasoning: "Hm.",
		Calls:     []preflighttest.Call{{ID: "tooluse_1", Name: "run", Arguments: `{"file":"a"}`}},
	}
	tests := []struct {
		provider, path, first string
		said                  func(t *testing.T, answer string) json.RawMessage
		second                func(said string) string
		rule                  string
	}{
		{"gemini", "/v1beta/models/gemini-3-pro:generateContent",
			`{"contents":[{"role":"user","parts":[{"text":"q"}]}],` +
				`"tools":[{"functionDeclarations":[{"name":"run"}]}]}`,
			func(t *testing.T, answer string) json.RawMessage {
				var a struct {
					Candidates []struct{ Content json.RawMessage }
				}
				require.NoError(t, json.Unmarshal([]byte(answer), &a))
				return a.Candidates[0].Content
			},
			func(said string) string {
				edited := strings.Replace(said, `"file":"a"`, `"file":"b"`, 1)
				return `{"contents":[{"role":"user","parts":[{"text":"q"}]},` + edited +
					`,{"role":"user","parts":[{"functionResponse":{"name":"run",` +
					`"response":{"output":"ok"}}}]}],` +
					`"tools":[{"functionDeclarations":[{"name":"run"}]}]}`
			}, "gemini/thought-signature-corrupt"},
		{"bedrock", "/model/anthropic.claude-opus-5-5-v1%3A0/converse",
			`{"system":[{"text":"Be kind."}],` +
				`"messages":[{"role":"user","content":[{"text":"q"}]}],` +
				`"toolConfig":{"tools":[{"toolSpec":{"name":"run",` +
				`"inputSchema":{"json":{"type":"object"}}}}]},` +
				`"additionalModelRequestFields":{"thinking":{"type":"adaptive"}}}`,
			func(t *testing.T, answer string) json.RawMessage {
				var a struct {
					Output struct{ Message json.RawMessage }
				}
				require.NoError(t, json.Unmarshal([]byte(answer), &a))
				return a.Output.Message
			},
			func(said string) string {
				return `{"system":[{"text":"Be short."}],` +
					`"messages":[{"role":"user","content":[{"text":"q"}]},` +
					said +
					`,{"role":"user","content":[{"toolResult":{"toolUseId":"tooluse_1",` +
					`"content":[{"text":"ok"}]}}]}],` +
					`"toolConfig":{"tools":[{"toolSpec":{"name":"run",` +
					`"inputSchema":{"json":{"type":"object"}}}}]},` +
					`"additionalModelRequestFields":{"thinking":{"type":"adaptive"}}}`
			}, "anthropic/thinking-binding-prefix"},
	}
	for _, tt := range tests {
		t.Run(tt.provider, func(t *testing.T) {
			server := preflighttest.New(t, tt.provider, nil)
			server.Script(reply)
			transport, all := to(t, server.URL)
			transport.Remedies = remedy.All()
			status, answer := do(t, transport,
				post(t, server.URL+tt.path, strings.NewReader(tt.first)))
			require.Equal(t, http.StatusOK, status, answer)
			second := tt.second(string(tt.said(t, answer)))

			status, answer = do(t, http.DefaultTransport,
				post(t, server.URL+tt.path, strings.NewReader(second)))
			require.Equal(t, http.StatusBadRequest, status, answer)

			all.all = nil
			status, answer = do(t, transport,
				post(t, server.URL+tt.path, strings.NewReader(second)))
			require.Equal(t, http.StatusOK, status, answer)
			require.Len(t, all.all, 2)
			require.Equal(t, "drop-reasoning", all.all[1].Remedy)
			require.Equal(t, tt.rule, all.all[1].Refusal.Rule.ID)
		})
	}
}
