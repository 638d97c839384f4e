package preflighttest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/preflighttest"
)

// reasons reports whether the answers of a provider hold reasoning.
func reasons(provider string) bool { return provider != "openai-chat" }

// conversation is what the model says in TestSession.
func conversation(provider string) []preflighttest.Reply {
	calls := []preflighttest.Call{
		{Name: "f", Arguments: `{"city":"Tromsø","days":[1,2,3],"unit":"<C>"}`},
		{Name: "g"},
	}
	replies := []preflighttest.Reply{
		{
			Reasoning: "The user wants the weather, so I call two tools.",
			Text:      "I look it up.", Calls: calls,
		},
		{Calls: calls[:1]},
		{Reasoning: "Now I know.", Text: "It snows, 雪. It will go on for a while."},
		{Text: "You are welcome."},
	}
	if provider == "anthropic" {
		replies[2].Redacted = true
		replies[3].ServerCalls = []preflighttest.ServerCall{
			{
				Name: "web_search", Arguments: `{"query":"thanks"}`,
				Result: `[{"type":"web_search_result","url":"https://example.com","title":"t",` +
					`"encrypted_content":"Zm9v"}]`,
			},
		}
	}
	if provider == "openai-responses" {
		replies[3].ServerCalls = []preflighttest.ServerCall{
			{Name: "web_search", Arguments: `{"type":"search","query":"thanks"}`},
		}
	}
	return replies
}

// TestSession holds a legal conversation: everything is accepted, and the
// answers say what the script says, streamed or not.
func TestSession(t *testing.T) {
	eachDialect(t, func(t *testing.T, provider string, d dialect) {
		for _, stream := range []bool{false, true} {
			t.Run(fmt.Sprintf("stream=%v", stream), func(t *testing.T) {
				s := preflighttest.New(t, provider, nil)
				script := conversation(provider)
				s.Script(script...)
				body := d.start("How is the weather?")
				for i, want := range script {
					got := d.keep(body, d.ask(t, s, body, stream))
					exported := cmpopts.IgnoreUnexported(said{})
					if diff := cmp.Diff(wanted(provider, want), got, exported); diff != "" {
						t.Fatalf("answer %d (-want +got):\n%s", i, diff)
					}
					for _, id := range got.ids {
						d.result(body, id, "ok")
					}
					if len(got.ids) == 0 {
						d.say(body, "Thank you.")
					}
				}
				require.Equal(t, "ok", d.keep(body, d.ask(t, s, body, stream)).Text,
					"the answer when the script is used up")
				require.Empty(t, s.Refused())
				require.Len(t, s.Requests(), len(script)+1)
				require.Equal(t, stream, s.Requests()[0].Stream)
			})
		}
	})
}

func wanted(provider string, r preflighttest.Reply) said {
	s := said{Text: r.Text}
	if reasons(provider) {
		s.Reasoning = r.Reasoning
	}
	for _, c := range r.Calls {
		if c.Arguments == "" {
			c.Arguments = "{}"
		}
		s.Calls = append(s.Calls, c.Name+c.Arguments)
	}
	return s
}

// UnmarshalJSON of arguments escapes < and > again, so the calls of the
// conversation are compared as the client sees them.
func init() {
	for provider, d := range dialects {
		keep := d.keep
		d.keep = func(body, answer object) said {
			s := keep(body, answer)
			for i, c := range s.Calls {
				s.Calls[i] = strings.NewReplacer(`\u003c`, "<", `\u003e`, ">").Replace(c)
			}
			return s
		}
		dialects[provider] = d
	}
}

// TestServersAreDeterministic: two servers give the same answers to the same requests.
func TestServersAreDeterministic(t *testing.T) {
	eachDialect(t, func(t *testing.T, provider string, d dialect) {
		run := func() (all []string) {
			s := preflighttest.New(t, provider, nil)
			s.Script(conversation(provider)...)
			for _, stream := range []bool{false, true, true} {
				data, err := io.ReadAll(d.post(t, s, d.start("hi"), stream).Body)
				require.NoError(t, err)
				all = append(all, string(data))
			}
			return all
		}
		first := run()
		require.Equal(t, first, run())
		require.NotEqual(t, first[1], first[2])
	})
}

// TestRespond: Options.Respond sees the request and answers it, after the
// script.
func TestRespond(t *testing.T) {
	eachDialect(t, func(t *testing.T, provider string, d dialect) {
		s := preflighttest.New(t, provider, &preflighttest.Options{
			Respond: func(r preflighttest.Request) preflighttest.Reply {
				return preflighttest.Reply{
					Text: fmt.Sprint("heard: ", bytes.Contains(r.Body, []byte("marco")), " ",
						r.Path == d.path),
				}
			},
		})
		s.Script(preflighttest.Reply{Text: "scripted"})
		require.Equal(t, "scripted", d.keep(object{}, d.ask(t, s, d.start("marco"), false)).Text)
		require.Equal(t, "heard: true true",
			d.keep(object{}, d.ask(t, s, d.start("marco"), false)).Text)
		require.Equal(t, "heard: false true",
			d.keep(object{}, d.ask(t, s, d.start("polo"), false)).Text)
	})
}

// failure is what a client reads of an error.
func failure(t *testing.T, resp *http.Response) (message string) {
	t.Helper()
	var body object
	require.NoError(t, json.NewDecoder(resp.Body).Decode(&body))
	require.Equal(t, "application/json", resp.Header.Get("Content-Type"))
	switch e := body["error"].(type) {
	case object: // Anthropic, OpenAI, Gemini
		message = str(e["message"])
	case string: // Ollama
		message = e
	default: // Bedrock, Mistral, Cohere; and the schema of Mistral
		message = str(body["message"]) + str(obj(append(arr(body["detail"]), nil)[0])["msg"])
	}
	require.NotEmpty(t, message)
	return message
}

// unanswered says under which rule, and with which words, a call without a
// result is refused. Ollama, which takes it, is sent arguments as a string.
var unanswered = map[string][2]string{
	"anthropic":        {"anthropic/tool-result-missing", "abcDEF123"},
	"openai-chat":      {"openai-chat/tool-result-missing", "abcDEF123"},
	"openai-responses": {"openai-responses/tool-output-missing", "abcDEF123"},
	"gemini":           {"gemini/function-response-count", "number of function response parts"},
	"bedrock":          {"bedrock/tool-result-missing", "abcDEF123"},
	"mistral":          {"mistral/call-result-count", "Not the same number"},
	"cohere":           {"cohere/tool-result-missing", "abcDEF123"},
	"ollama":           {"ollama/arguments-object", "cannot unmarshal string"},

	"gemini-interactions": {"gemini-interactions/result-missing", "invalid argument"},
}

// TestRefusal: a refused request is answered with the status and the words of
// its first violation, is on record, and takes nothing off the script.
func TestRefusal(t *testing.T) {
	eachDialect(t, func(t *testing.T, provider string, d dialect) {
		s := preflighttest.New(t, provider, nil)
		s.Script(preflighttest.Reply{Calls: []preflighttest.Call{{ID: "abcDEF123", Name: "f"}}},
			preflighttest.Reply{Text: "next"})
		body := d.start("hi")
		d.keep(body, d.ask(t, s, body, false))
		d.say(body, "never mind")
		if provider == "ollama" {
			call := obj(arr(obj(arr(body["messages"])[1])["tool_calls"])[0])
			obj(call["function"])["arguments"] = "{}"
		}
		for _, stream := range []bool{false, true} {
			resp := d.post(t, s, body, stream)
			require.Equal(t, 400, resp.StatusCode)
			message := failure(t, resp)
			require.Contains(t, message, unanswered[provider][1])
			refused := s.Refused()
			last := refused[len(refused)-1]
			require.Equal(t, unanswered[provider][0], last.Refusal.Rule)
			require.Equal(t, message, last.Refusal.Message)
			require.Equal(t, *last.Refusal, last.Violations[0])
			require.JSONEq(t, d.request(body, stream), string(last.Body))
		}
		require.Equal(t, "next", d.keep(object{}, d.ask(t, s, d.start("again"), false)).Text)
	})
}

// TestLenient: what only some versions of a provider refuse passes.
func TestLenient(t *testing.T) {
	body := []byte(`{"model":"claude-sonnet-4-5","max_tokens":64,"thinking":{"type":"enabled",` +
		`"budget_tokens":1024},"messages":[{"role":"user","content":"a"},{"role":"assistant",` +
		`"content":[{"type":"text","text":"b"},{"type":"thinking","thinking":"t",` +
		`"signature":"c2ln"},{"type":"text","text":"c"}]},{"role":"user","content":"d"},` +
		`{"role":"user","content":""}]}`)
	rules := func(o *preflighttest.Options) (ids []string) {
		violations, err := o.Violations("anthropic", body)
		require.NoError(t, err)
		for _, v := range violations {
			ids = append(ids, v.Rule)
		}
		return ids
	}
	require.Equal(t,
		[]string{"anthropic/empty-message-content", "anthropic/thinking-order-in-message"},
		rules(&preflighttest.Options{}))
	require.Equal(t, []string{"anthropic/empty-message-content"},
		rules(&preflighttest.Options{Lenient: true}))

	lenient := preflighttest.New(t, "anthropic", &preflighttest.Options{Lenient: true})
	body = bytes.Replace(body, []byte(`,{"role":"user","content":""}`), nil, 1)
	resp, err := lenient.Client().Post(lenient.URL+"/v1/messages", "application/json",
		bytes.NewReader(body))
	require.NoError(t, err)
	defer resp.Body.Close()
	require.Equal(t, 200, resp.StatusCode)
}

// TestUnknownModel: an invented model is judged by what any model of the provider refuses, and
// passes where the fake is lenient. A request that names none is judged by what all models refuse.
func TestUnknownModel(t *testing.T) {
	bedrockTurn := `"toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":{}}}}]},` +
		`"messages":[{"role":"user","content":[{"text":"q"}]},{"role":"assistant","content":[` +
		`{"toolUse":{"toolUseId":"t","name":"f","input":{}}}]},{"role":"user","content":[` +
		`{"toolResult":{"toolUseId":"t","content":[{"text":"x"}]}}`
	for _, c := range []struct{ provider, model, rule, body string }{
		{"anthropic", "claude-sonnet-4-5", "anthropic/system-role-unsupported-model",
			`{"model":"","max_tokens":9,"messages":[{"role":"user","content":"a"},{"role":"system",` +
				`"content":"s"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}]}`},
		{"gemini", "gemini-3-pro", "gemini/thought-signature-missing",
			`{"contents":[{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":[` +
				`{"functionCall":{"name":"f","args":{}}}]},{"role":"user","parts":[` +
				`{"functionResponse":{"name":"f","response":{"x":1}}}]}]}`},
		{"gemini", "gemini-3.7-flash", "gemini/ends-with-model-turn",
			`{"contents":[{"role":"user","parts":[{"text":"q"}]},{"role":"model",` +
				`"parts":[{"text":"a"}]}]}`},
		{"gemini", "gemini-3.7-flash", "gemini/role-invalid",
			`{"contents":[{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":[` +
				`{"functionCall":{"name":"f","args":{}},"thoughtSignature":"c2ln"}]},` +
				`{"role":"function","parts":[{"functionResponse":{"name":"f","response":{"x":1}}}]}]}`},
		{"bedrock", "meta.llama3-1-70b-instruct-v1:0", "bedrock/result-alone",
			`{` + bedrockTurn + `,{"text":"and"}]}]}`},
		{"bedrock", "amazon.nova-pro-v1:0", "bedrock/blank-text",
			`{"messages":[{"role":"user","content":[{"text":"q"},{"text":" "}]}]}`},
		{"bedrock", "anthropic.claude-3-haiku-20240307-v1:0", "bedrock/alternation",
			`{"messages":[{"role":"user","content":[{"text":"q"}]},{"role":"user",` +
				`"content":[{"text":"r"}]}]}`},
		{"openai-responses", "gpt-5.4", "openai-responses/item-id-prefix",
			`{"input":[{"role":"user","content":"q"},{"type":"function_call","id":"call_1",` +
				`"call_id":"c","name":"f","arguments":"{}"},{"type":"function_call_output",` +
				`"call_id":"c","output":"x"}]}`},
	} {
		t.Run(c.rule, func(t *testing.T) {
			rules := func(o *preflighttest.Options) (ids []string) {
				violations, err := o.Violations(c.provider, []byte(c.body))
				require.NoError(t, err)
				for _, v := range violations {
					ids = append(ids, v.Rule)
				}
				return ids
			}
			require.Contains(t, rules(&preflighttest.Options{Model: c.model}), c.rule)
			for _, model := range []string{"banana-9-turbo", "someones-profile"} {
				require.Contains(t, rules(&preflighttest.Options{Model: model}), c.rule, model)
			}
			if c.provider == "openai-responses" {
				return // whose name is that of its own models, and lenience another matter
			}
			require.Empty(t, rules(&preflighttest.Options{Model: "banana-9-turbo", Lenient: true}))
			require.Empty(t, rules(&preflighttest.Options{}))
		})
	}
	violations, err := (&preflighttest.Options{Model: "gemini-9-ultra"}).Violations("gemini", []byte(
		`{"contents":[{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":[{"text":"a"}]}]}`))
	require.NoError(t, err)
	require.Len(t, violations, 1, "a later generation is not known either")
}

// TestNoRequest: other paths, other methods, and bodies that are no request.
func TestNoRequest(t *testing.T) {
	eachDialect(t, func(t *testing.T, provider string, d dialect) {
		s := preflighttest.New(t, provider, nil)
		send := func(method, path, body string) (int, string) {
			req, err := http.NewRequest(method, s.URL+path, strings.NewReader(body))
			require.NoError(t, err)
			resp, err := s.Client().Do(req)
			require.NoError(t, err)
			defer resp.Body.Close()
			return resp.StatusCode, failure(t, resp)
		}
		legal := compact(d.start("hi"))
		for path, want := range map[string]int{"/": 404, "/v1/nothing": 404, d.path + "/": 404} {
			got, _ := send("POST", path, legal)
			require.Equal(t, want, got, path)
		}
		got, _ := send("GET", d.path, "")
		require.Equal(t, 405, got)
		for _, body := range []string{
			"", " ", "{", `{"a":1}}`, `[]`, `null`, `"x"`, "{\"a\":\"\xff\"}", `{"a":"\ud83d"}`,
			`{"a":"\ude00\ud83d"}`,
			`{"a":1,"a":1}`, `{"b":{"a":1,"\u0061":1}}`, `{"b":[{"args":{"a":1}},{"a":1,"a":1}]}`,
			strings.Repeat(`{"a":`, 20_000), strings.Repeat("[", 1<<20),
			strings.Repeat(`{"a":`, 20_000) + "1" + strings.Repeat("}", 20_000), "\ufeff{}",
		} {
			want := 400
			if provider == "mistral" {
				want = 422
			}
			got, message := send("POST", d.path, body)
			require.Equal(t, want, got, body)
			if provider != "ollama" { // which passes on what its decoder says
				require.Regexp(t, `JSON`, message)
			}
		}
		require.Len(t, s.Refused(), len(s.Requests()))
	})
}

// TestTooLarge: 32 MB are the limit of Anthropic.
func TestTooLarge(t *testing.T) {
	s := preflighttest.New(t, "anthropic", nil)
	for size, want := range map[int]int{32 << 20: 200, 32<<20 + 1: 413} {
		body := compact(anthropicStart("•"))
		body = strings.Replace(body, "•", strings.Repeat("x", size-len(body)+len("•")), 1)
		require.Len(t, body, size)
		resp, err := s.Client().Post(s.URL+"/v1/messages", "application/json",
			strings.NewReader(body))
		require.NoError(t, err)
		require.Equal(t, want, resp.StatusCode)
		if want == 413 {
			require.Equal(t, "Request exceeds the maximum allowed number of bytes.",
				failure(t, resp))
			require.Equal(t, "anthropic/request-too-large", s.Refused()[0].Refusal.Rule)
		}
		resp.Body.Close()
	}
}

func TestUnknownProvider(t *testing.T) {
	_, err := preflighttest.Start("nobody", nil)
	require.ErrorContains(t, err, `"nobody"`)
	require.ErrorContains(t, err, "anthropic, openai-chat")
	_, err = preflighttest.Violations("nobody", nil)
	require.Error(t, err)
	for _, provider := range preflighttest.Providers() {
		preflighttest.New(t, provider, nil)
	}
}
