package wire_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/wire"
)

// TestProvidersOrder: the formats come first, then the dialects, as the profiles do, and each has a
// profile of its name.
func TestProvidersOrder(t *testing.T) {
	names := wire.Providers()
	require.Equal(t, "anthropic", names[0])
	formats := slices.IndexFunc(provider.All(), func(p *provider.Profile) bool { return p.Format != "" })
	for k, p := range provider.All() {
		require.Equal(t, names[k], p.Provider)
		require.Equal(t, k >= formats, p.Format != "", p.Provider)
		require.True(t, p.Format == "" || slices.Contains(names[:formats], p.Format), p.Provider)
	}
	for _, name := range names {
		p, ok := provider.ByName(name, "")
		require.True(t, ok && p.Provider == name, name)
		r, err := wire.Decode([]byte(`{"messages":[],"input":[],"contents":[]}`),
			&wire.Options{Provider: name})
		require.NoError(t, err)
		require.Equal(t, name, r.Provider)
		require.Equal(t, name, r.Profile.Provider)
	}
}

// TestDetectNear: formats and hosts close to openai-chat show by what only they have.
func TestDetectNear(t *testing.T) {
	user := `"messages":[{"role":"user","content":"q"}]`
	for _, c := range []struct{ want, body string }{
		{"mistral", `{"model":"mistral-small-latest",` + user + `}`},
		{"mistral", `{"safe_prompt":true,` + user + `}`},
		{
			"mistral",
			`{"model":"m","messages":[{"role":"user","content":[{"type":"document_url",` +
				`"document_url":"u"}]},{"role":"tool","content":"x"}]}`,
		},
		{"cohere", `{"model":"command-a-03-2025",` + user + `}`},
		{"cohere", `[{"role":"assistant","tool_plan":"p","tool_calls":[]}]`},
		{"ollama", `{"model":"qwen3","options":{},` + user + `}`},
		{
			"ollama",
			`[{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f",` +
				`"arguments":{}}}]},{"role":"tool","tool_name":"f","content":"x"}]`,
		},
		{"mistral", `{"model":"MISTRAL-small-latest",` + user + `}`},
		{"cohere", `{"model":"mistral-small-latest","citation_options":{},` + user + `}`},
		{
			"ollama",
			`{"messages":[{"role":"user","content":"q"},` +
				`{"role":"user","content":"q","images":[]}]}`,
		},
		{"deepseek", `{"model":"deepseek-v4-flash",` + user + `}`},
		{"moonshot", `{"model":"kimi-k2.6",` + user + `}`},
		{"qwen", `{"model":"qwen-max",` + user + `}`},
		{"minimax", `{"model":"MiniMax-M2",` + user + `}`},
		{"glm", `{"model":"glm-5.1",` + user + `}`},
		{"openai-compatible", `{"model":"grok-4",` + user + `}`}, // Azure serves it under the same name
		{"openai-compatible", `{"model":"mistral-small-3-2-24b-instruct",` + user + `}`},
		{"openai-compatible", `{"model":"deepseek-v3.1:671b",` + user + `}`},
		{"openai-compatible", `{"model":"deepseek-ai/DeepSeek-R1",` + user + `}`},
		{"openai-compatible", `{"model":"anthropic/claude-opus-4.5",` + user + `}`},
		{
			"openai-compatible",
			`{"model":"claude-opus-4-5","messages":[{"role":"system","content":"s"},` +
				`{"role":"user","content":"q"}]}`,
		},
		{"openai-compatible", `{"model":"llama-3.3-70b",` + user + `}`},
		{
			"openai-compatible",
			`{"model":"m","messages":[{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"a","reasoning_details":[]}]}`,
		},
		{"openrouter", `{"model":"openai/gpt-4o","provider":{"order":["azure"]},` + user + `}`},
		{"openrouter", `{"models":["a/b","c/d"],` + user + `}`},
		{"openrouter", `{"model":"z-ai/glm-4.6","usage":{"include":true},` + user + `}`},
		{"openrouter", `{"model":"x/y","include_reasoning":true,` + user + `}`},
		{"openrouter", `{"model":"@preset/p","preset":"p",` + user + `}`},
		{
			"bedrock",
			`{"messages":[{"role":"user","content":[{"text":"q"}]}],"system":[],` +
				`"inferenceConfig":{}}`,
		},
		{"cohere", `{"model":"command-r-plus","stop_sequences":["x"],` + user + `}`},
		{
			"gemini",
			`{"generateContentRequest":{"model":"models/gemini-3-flash",` +
				`"contents":[{"role":"user","parts":[{"text":"q"}]}]}}`,
		},
		{"openai-responses", `{"prompt":{"id":"pmpt_1"}}`},
		{"openai-responses", `{"model":"gpt-5","previous_response_id":"resp_1","input":[]}`},
		{"azure", `{"data_sources":[],` + user + `}`},
		{
			"openrouter",
			`{"model":"anthropic/claude-opus-4.5","transforms":[],"stream_options":{},` + user +
				`}`,
		},
		{"openai-compatible", `{"model":"deepseek/deepseek-v4","n":1,` + user + `}`},
		{"openai-chat", `{"model":"gpt-5.4",` + user + `}`},
		{"openai-chat", `{"model":"gpt-4o","safe_prompt":true,"keep_alive":1,` + user + `}`},
		{"anthropic", `{"model":"claude-opus-5","system":"s",` + user + `}`},
	} {
		got, err := wire.Detect([]byte(c.body))
		require.NoError(t, err, c.body)
		require.Equal(t, c.want, got, c.body)
	}
	_, err := wire.Detect([]byte(`{"model":"command-r","message":"q","chat_history":[]}`))
	var unknown *wire.Error
	require.ErrorAs(t, err, &unknown)
	require.Equal(t, []string{"cohere v1"}, unknown.Providers)
}

const (
	twoCalls = `{"role":"assistant","content":"a","tool_calls":[{"id":"c1","type":"function",` +
		`"function":{"name":"f","arguments":"{}"}},` +
		`{"id":"c2","type":"function","function":{"name":"g","arguments":"{}"}}]}`
	twoResults = `{"role":"tool","tool_call_id":"c1","content":"1"},` +
		`{"role":"tool","tool_call_id":"c2","content":"2"}`
)

// TestDialects: what a body becomes, exactly.
func TestDialects(t *testing.T) {
	for _, c := range []struct{ reason, provider, model, in, want string }{
		{"empty reasoning since the first call", "deepseek", "deepseek-v4-pro",
			`{"role":"user","content":"q"},{"role":"assistant","content":"a"},` + twoCalls +
				`,` + twoResults + `,{"role":"assistant","content":"b"}`,
			`{"role":"user","content":"q"},{"role":"assistant","content":"a"},` +
				strings.Replace(twoCalls, `}}]}`, `}}],"reasoning_content":""}`, 1) + `,` +
				twoResults + `,{"role":"assistant","content":"b","reasoning_content":""}`},
		{"the old reasoner takes none", "deepseek", "deepseek-r1",
			`{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"a","reasoning_content":"r"},` +
				`{"role":"user","content":"n"}`,
			`{"role":"user","content":"q"},{"role":"assistant","content":"a"},` +
				`{"role":"user","content":"n"}`},
		{"another host's field", "moonshot", "",
			`{"role":"assistant","reasoning":"r","content":"a"}`,
			`{"role":"assistant","content":"a","reasoning_content":"r"}`},
		{"unknown members", "groq", "",
			`{"role":"assistant","reasoning":"r","content":"a","annotations":[],"refusal":null},` +
				`{"role":"user","content":"n"}`,
			`{"role":"assistant","reasoning":"r","content":"a"},{"role":"user","content":"n"}`},
		{"a model that does not think", "groq", "moonshotai/kimi-k2-instruct",
			`{"role":"assistant","reasoning":"r","content":"a"},{"role":"user","content":"n"}`,
			`{"role":"assistant","content":"a"},{"role":"user","content":"n"}`},
		{"a reserved name", "qwen", "qwen3-coder-plus",
			`{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[{"id":"c1",` +
				`"type":"function",` +
				`"function":{"name":"search","arguments":"{}"}}]},` +
				`{"role":"tool","tool_call_id":"c1","content":"x"}`,
			`{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[{"id":"c1",` +
				`"type":"function","function":{"name":"search_24193290","arguments":"{}"}}]},` +
				`{"role":"tool","tool_call_id":"c1","content":"x"}`},
		{"one call at a time", "chat-template", "llama-3.1-8b",
			`{"role":"user","content":"q"},` + twoCalls + `,` + twoResults,
			`{"role":"user","content":"q"},` +
				`{"role":"assistant","content":"a","tool_calls":[{"id":"c1","type":"function",` +
				`"function":{"name":"f","arguments":"{}"}}]},` +
				`{"role":"tool","tool_call_id":"c1","content":"1"},` +
				`{"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function",` +
				`"function":{"name":"g","arguments":"{}"}}]},` +
				`{"role":"tool","tool_call_id":"c2","content":"2"}`},
		{"no tools, no system", "chat-template", "zephyr-7b",
			`{"role":"system","content":"s"},{"role":"user","content":"q"},` + twoCalls + `,` +
				twoResults,
			`{"role":"user","content":"s\nq"},` +
				`{"role":"assistant","content":"a\nCalled the tool f with {}\nCalled the tool g ` +
				`with {}"},{"role":"user","content":"Result of an earlier tool call:\n` +
				"```\\n1\\n```" + `\nResult of an earlier tool call:\n` + "```\\n2\\n```" + `"}`},
		{"strict turns", "chat-template", "devstral-small-2",
			`{"role":"system","content":"s"},{"role":"system","content":"t"},` +
				`{"role":"user","content":[{"type":"text","text":"a"},` +
				`{"type":"text","text":"b"}]},` +
				twoCalls + `,` + twoResults +
				`,{"role":"user","content":"n"},{"role":"system","content":"late"},` +
				`{"role":"assistant","content":"z"}`,
			`{"role":"system","content":"s\nt"},{"role":"user","content":"a\nb"},` + twoCalls +
				`,` + twoResults +
				`,{"role":"assistant","content":"I have read the tool results."},` +
				`{"role":"user","content":"n\nlate"},{"role":"assistant","content":"z"}`},
		{"a prefix that is none", "mistral", "",
			`{"role":"user","content":"q"},{"role":"assistant","content":"a","prefix":true},` +
				`{"role":"user","content":"n"}`,
			`{"role":"user","content":"q"},{"role":"assistant","content":"a"},` +
				`{"role":"user","content":"n"}`},
		{"arguments of another format", "ollama", "",
			`{"role":"user","content":"q"},` + twoCalls + `,` + twoResults,
			`{"role":"user","content":"q"},` + strings.ReplaceAll(twoCalls, `"{}"`, `{}`) +
				`,` + twoResults},
	} {
		t.Run(c.provider+" "+c.reason, func(t *testing.T) {
			result, err := wire.Sanitize(context.Background(), []byte(`{"messages":[`+c.in+`]}`),
				&wire.Options{Provider: c.provider, Model: c.model})
			require.NoError(t, err)
			require.Equal(t, `{"messages":[`+c.want+`]}`, string(result.Body))
			require.NotEmpty(t, result.Warnings)
		})
	}
}

// TestModelRows holds the dialects to the guarantees for the models that the table knows.
func TestModelRows(t *testing.T) {
	for _, m := range provider.Models() {
		if m.Provider != "chat-template" && m.Provider != "deepseek" && m.Provider != "moonshot" {
			continue
		}
		t.Run(m.Provider+" "+m.Pattern, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				requireGuarantees(t, body(m.Provider).Draw(t, "body"),
					&wire.Options{Provider: m.Provider, Model: m.Pattern})
			})
		})
	}
}

// TestOpenCallsStayTogether: calls that may stay without results are not split, for models with one
// call in a message: nothing would separate the messages.
func TestOpenCallsStayTogether(t *testing.T) {
	const calls = `[{"role":"user","content":"q"},{"role":"assistant","tool_calls":[` +
		`{"id":"a","type":"function",%s"function":{"name":"f","arguments":"{}"}},` +
		`{"id":"b","type":"function","function":{"name":"f","arguments":"{}"}}]}`
	const results = `,{"role":"tool","tool_call_id":"b","content":"x"}`
	for _, body := range []string{
		`{"held":"x","messages":` + fmt.Sprintf(calls, "") + `]}`,
		`{"messages":` + fmt.Sprintf(calls, `"later":"x",`) + results + `]}`,
	} {
		result, err := wire.Sanitize(context.Background(), []byte(body),
			&wire.Options{Provider: "chat-template", Model: "llama-3.1"})
		require.NoError(t, err)
		require.Equal(t, body, string(result.Body))
		report, err := wire.Check([]byte(body),
			&wire.Options{Provider: "chat-template", Model: "llama-3.1"})
		require.NoError(t, err)
		require.Empty(t, report.Violations)
	}
}

// TestHosts: what single hosts do differently, with every warning.
func TestHosts(t *testing.T) {
	const ask = `{"role":"user","content":"q"}`
	body := func(messages string) string { return `{"messages":[` + ask + `,` + messages + `]}` }
	const call = `"tool_calls":[{"id":"c","type":"function","function":{"name":"f",` +
		`"arguments":"{}"}}]`
	const result = `{"role":"tool","tool_call_id":"c","content":"x"}`
	for _, provider := range []string{"deepseek", "moonshot"} {
		thought := body(
			`{"role":"assistant","content":"a","reasoning_content":"",` + call + `},` + result,
		)
		runRepairs(t, provider,
			[]repairs{{provider + " takes empty reasoning for some", thought, thought, nil}})
	}
	const length = " openai-chat/tool-call-id-length"
	for provider, of := range map[string]string{
		"openai-chat": "", "azure": "", "openrouter": "", "qwen": "", "xai": "",
		"openai-compatible": "", "deepseek": "call_db3426e8" + length,
		"minimax": "call_db3426e8" + length, "cohere": "call_db3426e8 preflight/id-pattern",
		"groq": "call_db3426e8 groq/tool-fields", "mistral": "db3426e87 mistral/tool-call-id",
	} {
		id, rule, _ := strings.Cut(of, " ")
		in := body(`{"role":"assistant","function_call":{"name":"f","arguments":"{}"}},` +
			`{"role":"function","name":"f","content":"x"}`)
		row := repairs{provider + " and legacy functions", in, in, nil}
		if id != "" {
			row.want = body(`{"role":"assistant","tool_calls":[{"id":"` + id +
				`","type":"function","function":{"name":"f","arguments":"{}"}}]},` +
				`{"role":"tool","name":"f","content":"x","tool_call_id":"` + id + `"}`)
			row.said = []string{
				"messages[1].function_call shape-repaired openai-chat/role-unknown",
				"messages[2].role shape-repaired openai-chat/role-unknown",
				"messages[1] id-rewritten " + rule, "messages[2] id-rewritten " + rule,
			}
		}
		runRepairs(t, provider, []repairs{row})
	}
	twice := `{"tools":[{"type":"function","function":{"name":"f"}},` +
		`{"type":"function","function":{"name":"f"}},` +
		`{"type":"function","function":{"name":"g"}}],"messages":[` +
		ask + `]}`
	runRepairs(t, "moonshot", []repairs{{"a tool that is declared twice", twice,
		`{"tools":[{"type":"function","function":{"name":"f"}},` +
			`{"type":"function","function":{"name":"g"}}],"messages":[` +
			ask + `]}`, []string{"tools[1] tool-removed moonshot/tool-duplicate"}}})
	runRepairs(t, "deepseek", []repairs{{"elsewhere", twice, twice, nil}})
	runRepairs(
		t,
		"groq",
		[]repairs{
			{
				"a list in a result",
				body(
					`{"role":"assistant","content":"",` + call +
						`},{"role":"tool","tool_call_id":"c","content":[{"type":"text",` +
						`"text":"x"},{"type":"text","text":"y"}]}`,
				),
				body(
					`{"role":"assistant","content":"",` + call +
						`},{"role":"tool","tool_call_id":"c","content":"x\ny"}`,
				),
				[]string{"messages[2].content shape-repaired groq/tool-fields"},
			},
		},
	)
	for settings, goesOn := range map[string]bool{
		``: false, `"chat_template_kwargs":{},`: false,
		`"chat_template_kwargs":{"enable_thinking":true},`:                               false,
		`"continue_final_message":false,`:                                                false,
		`"chat_template_kwargs":{"enable_thinking":false},`:                              true,
		`"continue_final_message":true,`:                                                 true,
		`"chat_template_kwargs":{"enable_thinking":true},"continue_final_message":true,`: true,
	} {
		in := `{"model":"qwen3-8b",` + settings + `"messages":[` + ask + `,{"role":"assistant","content":"a"}]}`
		row := repairs{"an open answer with " + settings, in, in, nil}
		if !goesOn {
			row.want, row.said = strings.Replace(in, `"a"}`,
				`"a"},{"role":"user","content":"Continue."}`, 1), []string{
				"messages[1] trailing-continued chat-template/llamacpp-prefill-thinking",
			}
		}
		runRepairs(t, "chat-template", []repairs{row})
	}
}
