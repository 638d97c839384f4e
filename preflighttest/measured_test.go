package preflighttest_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/wire"
)

// This file holds the least body of each thing that was measured about Gemini,
// Cohere and Ollama, with its source: what was accepted is left alone and the
// fake accepts it; what was refused the fake refuses, and the repair is
// accepted.

// The parts of the bodies.
const (
	measuredAsk  = `{"role":"user","parts":[{"text":"q"}]}`
	measuredCall = `{"role":"model","parts":[{"functionCall":{"name":"f"},` +
		`"thoughtSignature":"QUJD"}]}`
	measuredUnsigned = `{"role":"model","parts":[{"functionCall":{"name":"f"}}]}`
	measuredResponse = `{"functionResponse":{"name":"f","response":{"output":"x"}}}`
	measuredResult   = `{"role":"user","parts":[` + measuredResponse + `]}`
	measuredImage    = `{"inlineData":{"mimeType":"image/png",` +
		`"data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"}}`
)

// measured is a body and what a provider made of it: where want is empty, the
// body was accepted. rule is what it breaks, or "".
type measured struct{ what, source, provider, model, body, want, rule string }

func contents(list string) string { return `{"contents":[` + list + `]}` }

var measuredBodies = []measured{
	{"neighbours of one role",
		"pydantic/pydantic-ai test_google_deferred_capability_announcement_live", "gemini",
		"gemini-3.6-flash",
		contents(measuredAsk + `,` + measuredCall + `,` + measuredResult + `,` + measuredAsk), "",
		""},
	{"an image after its response",
		"Arize-ai/openinference test_google_adk_instrumentor_image_artifacts", "gemini",
		"gemini-2.0-flash",
		contents(measuredAsk + `,` + measuredUnsigned + `,` + measuredResult +
			`,{"role":"user","parts":[` + measuredImage + `]}`), "", ""},
	{"neighbours of one role, before 1.5", "rule gemini/alternation-old and its sources", "gemini",
		"gemini-1.0-pro", contents(measuredAsk + `,` + measuredAsk),
		contents(`{"role":"user","parts":[{"text":"q"},{"text":"q"}]}`), "gemini/alternation-old"},
	{"text after a response, on the Gemini API", "router-for-me/CLIProxyAPI#5607", "gemini",
		"gemini-3.8-flash",
		contents(measuredAsk + `,` + measuredCall + `,{"role":"user","parts":[` +
			measuredResponse + `,{"text":"t"}]}`), "", ""},
	{"text after a response, on Vertex AI",
		"router-for-me/CLIProxyAPI#5607, deepnoodle-ai/dive#287", "vertex-gemini",
		"gemini-3.8-flash",
		contents(measuredAsk + `,` + measuredCall + `,{"role":"user","parts":[` +
			measuredResponse + `,{"text":"t"}]}`),
		contents(measuredAsk + `,` + measuredCall + `,` + measuredResult +
			`,{"role":"user","parts":[{"text":"t"}]}`), "gemini/ends-with-model-turn"},
	{"the same in 3.7", "Prism-Shadow/agenthub#189", "vertex-gemini", "gemini-3.7-flash",
		contents(measuredAsk + `,` + measuredCall + `,{"role":"user","parts":[` +
			measuredResponse + `,{"text":"t"}]}`),
		contents(measuredAsk + `,` + measuredCall + `,` + measuredResult +
			`,{"role":"user","parts":[{"text":"t"}]}`), "gemini/ends-with-model-turn"},
	{"the same in 3.6", "vellum-ai/vellum-assistant#39495", "vertex-gemini", "gemini-3.6-flash",
		contents(measuredAsk + `,` + measuredCall + `,{"role":"user","parts":[` +
			measuredResponse + `,{"text":"t"}]}`),
		contents(measuredAsk + `,` + measuredCall + `,` + measuredResult +
			`,{"role":"user","parts":[{"text":"t"}]}`), "gemini/ends-with-model-turn"},
	{"text in a content of its own, on Vertex AI", "deepnoodle-ai/dive#287", "vertex-gemini",
		"gemini-3.8-flash",
		contents(measuredAsk + `,` + measuredCall + `,` + measuredResult + `,` + measuredAsk), "",
		""},
	{"text before a response, on Vertex AI", "deepnoodle-ai/dive#287", "vertex-gemini",
		"gemini-3.8-flash",
		contents(measuredAsk + `,` + measuredCall + `,{"role":"user","parts":[{"text":"t"},` +
			measuredResponse + `]}`), "", ""},
	{"an image after a response in one content, on Vertex AI",
		"crmne/ruby_llm chat_multimodal_tool_attachments_vertexai_gemini-2_5-flash",
		"vertex-gemini", "gemini-2.5-flash",
		contents(measuredAsk + `,` + measuredCall + `,{"role":"user","parts":[` +
			measuredResponse + `,` + measuredImage + `]}`), "", ""},
	{"an id as the name of a response", "docker/cagent TestExec_Gemini_ToolCall", "gemini",
		"gemini-2.5-flash",
		contents(measuredAsk + `,` + measuredUnsigned +
			`,{"role":"user","parts":[{"functionResponse":{"name":"call_1338",` +
			`"response":{"output":"x"}}}]}`), "", ""},
	{"ids on Vertex AI", "pydantic/pydantic-ai test_multimodal_tool_returns, google_vertex",
		"vertex-gemini", "gemini-3-flash-preview",
		contents(measuredAsk + `,{"role":"model","parts":[{"functionCall":{"id":"1","name":"f"},` +
			`"thoughtSignature":"QUJD"}]},{"role":"user",` +
			`"parts":[{"functionResponse":{"id":"1","name":"f","response":{}}}]}`), "", ""},
	{"empty text of the user's",
		"pydantic/pydantic-ai test_google_instructions_only_with_tool_calls", "gemini",
		"gemini-3-flash-preview", contents(`{"role":"user","parts":[{"text":""}]}`), "", ""},
	{"empty text of the model's", "pydantic/pydantic-ai test_google_model_empty_assistant_response",
		"gemini", "gemini-2.5-flash",
		contents(measuredAsk + `,{"role":"model","parts":[{"text":""}]},` + measuredAsk), "", ""},
	{"empty text beside a call", "simonw/llm-gemini test_tools_with_gemini_3_thought_signatures",
		"gemini", "gemini-3-flash-preview",
		contents(measuredAsk +
			`,{"role":"model","parts":[{"text":""},{"functionCall":{"name":"f"},` +
			`"thoughtSignature":"QUJD"}]},` + measuredResult), "", ""},
	{"an empty system instruction", "tidyverse/ellmer google-upload", "gemini", "gemini-3.5-flash",
		`{"systemInstruction":{"parts":[{"text":""}]},"contents":[` + measuredAsk + `]}`, "", ""},
	{"empty text on Vertex AI", "pydantic/pydantic-ai#2032", "vertex-gemini", "gemini-2.5-flash",
		contents(`{"role":"user","parts":[{"text":"q"},{"text":""}]}`), contents(measuredAsk),
		"gemini/empty-part-data"},
	{"a thought with a signature and no text",
		"crmne/ruby_llm chat_with_schema_with_vertexai_gemini-3-flash-preview", "vertex-gemini",
		"gemini-3-flash-preview",
		contents(measuredAsk +
			`,{"role":"model","parts":[{"thought":true,"thoughtSignature":"QUJD"},` +
			`{"text":"a"}]},` + measuredAsk), "", ""},
	{"a signature alone", "measured: accepted 5 times, gemini-3 and 3.5", "gemini",
		"gemini-3.5-flash",
		contents(measuredAsk +
			`,{"role":"model","parts":[{"text":"a"},{"thoughtSignature":"QUJD"}]},` +
			measuredAsk), "", ""},
	{"a part without data", "rule gemini/empty-part-data and its sources", "gemini",
		"gemini-3-flash-preview", contents(`{"role":"user","parts":[{"text":"q"},{}]}`),
		contents(measuredAsk), "gemini/empty-part-data"},
	{"the role function", "patvice/ruby_llm-mcp with_gemini_gemini-2_0-flash_mixed_parameter_types",
		"gemini", "gemini-2.0-flash",
		contents(measuredAsk + `,` + measuredUnsigned + `,{"role":"function","parts":[` +
			measuredResponse + `]}`), "", ""},
	{"the role function in 3.5", "measured: 3.5 refuses it", "gemini", "gemini-3.5-flash",
		contents(measuredAsk + `,` + measuredCall + `,{"role":"function","parts":[` +
			measuredResponse + `]}`),
		contents(measuredAsk + `,` + measuredCall + `,` + measuredResult), "gemini/role-invalid"},
	{"the role function on Vertex AI",
		"open-telemetry/opentelemetry-python-contrib test_generate_content_invalid_role",
		"vertex-gemini", "gemini-2.5-pro",
		contents(measuredAsk + `,` + measuredUnsigned + `,{"role":"function","parts":[` +
			measuredResponse + `]}`),
		contents(measuredAsk + `,` + measuredUnsigned + `,` + measuredResult),
		"gemini/role-invalid"},
	{"a role that is none, on Vertex AI",
		"open-telemetry/opentelemetry-python-contrib test_generate_content_invalid_role",
		"vertex-gemini", "gemini-2.5-pro",
		contents(`{"role":"invalid_role","parts":[{"text":"q"}]}`), contents(measuredAsk),
		"gemini/role-invalid"},
	{"no role on the Gemini API", "rule gemini/role-invalid and its sources", "gemini",
		"gemini-2.5-flash", contents(`{"parts":[{"text":"q"}]}`), "", ""},
	{"no role on Vertex AI", "rule gemini/role-invalid and its sources", "vertex-gemini",
		"gemini-2.5-flash", contents(`{"parts":[{"text":"q"}]}`),
		contents(`{"parts":[{"text":"q"}],"role":"user"}`), "gemini/role-invalid"},
	{"a call without its signature", "vercel/ai#15560", "gemini", "gemini-3-flash-preview",
		contents(measuredAsk + `,` + measuredUnsigned + `,` + measuredResult),
		contents(measuredAsk + `,{"role":"model","parts":[{"functionCall":{"name":"f"},` +
			`"thoughtSignature":"skip_thought_signature_validator"}]},` + measuredResult),
		"gemini/thought-signature-missing"},
	{"on Vertex AI", "GewoonJaap/gemini-cli-openai#156", "vertex-gemini", "gemini-3-flash-preview",
		contents(measuredAsk + `,` + measuredUnsigned + `,` + measuredResult),
		contents(measuredAsk + `,{"role":"model","parts":[{"functionCall":{"name":"f"},` +
			`"thoughtSignature":"skip_thought_signature_validator"}]},` + measuredResult),
		"gemini/thought-signature-missing-vertex"},
	{"the second of two calls has none", "measured: accepted", "gemini", "gemini-3-flash-preview",
		contents(measuredAsk + `,{"role":"model","parts":[{"functionCall":{"name":"f"},` +
			`"thoughtSignature":"QUJD"},{"functionCall":{"name":"f"}}]},{"role":"user",` +
			`"parts":[` + measuredResponse + `,` + measuredResponse + `]}`), "", ""},
	{"calls need no signature before 3", "measured: accepted", "gemini", "gemini-2.5-flash",
		contents(measuredAsk + `,` + measuredUnsigned + `,` + measuredResult), "", ""},
	{"calls of one turn in two contents",
		"pydantic/pydantic-ai test_cross_provider_capability_replay", "gemini",
		"gemini-3-flash-preview",
		contents(measuredAsk + `,` + measuredCall + `,` + measuredCall +
			`,{"role":"user","parts":[` + measuredResponse + `,` + measuredResponse + `]}`), "",
		""},
	{"a call that opens the history",
		"google-gemini/gemini-cli#11814, diegosouzapw/OmniRoute#13573", "gemini",
		"gemini-2.5-flash", contents(measuredUnsigned + `,` + measuredResult),
		contents(`{"role":"user","parts":[{"text":"(conversation resumed)"}]},` +
			measuredUnsigned + `,` + measuredResult), "gemini/function-call-turn-placement"},
	{"a call after a text of the model's in a content before",
		"rule gemini/function-call-turn-placement and its sources", "gemini", "gemini-2.5-flash",
		contents(measuredAsk + `,{"role":"model","parts":[{"text":"a"}]},` + measuredUnsigned +
			`,` + measuredResult),
		contents(measuredAsk +
			`,{"role":"model","parts":[{"text":"a"},{"functionCall":{"name":"f"}}]},` +
			measuredResult), "gemini/function-call-turn-placement"},
	{"a text of the model's that opens the history", "no refusal is on record", "gemini",
		"gemini-2.5-flash", contents(`{"role":"model","parts":[{"text":"a"}]},` + measuredAsk), "",
		""},
	{"results of one turn in two contents", "rule gemini/function-response-count and its sources",
		"gemini", "gemini-2.5-flash",
		contents(measuredAsk + `,{"role":"model","parts":[{"functionCall":{"name":"f"}},` +
			`{"functionCall":{"name":"f"}}]},` + measuredResult + `,` + measuredResult),
		contents(measuredAsk + `,{"role":"model","parts":[{"functionCall":{"name":"f"}},` +
			`{"functionCall":{"name":"f"}}]},{"role":"user","parts":[` + measuredResponse +
			`,` + measuredResponse + `]}`), "gemini/function-response-count"},
	{"a final model turn", "LibreChat-AI/agents#323", "gemini", "gemini-3.5-flash",
		contents(measuredAsk + `,{"role":"model","parts":[{"text":"a"}]}`), "", ""},
	{"a final model turn in 3.6", "LibreChat-AI/agents#323", "gemini", "gemini-3.6-flash",
		contents(measuredAsk + `,{"role":"model","parts":[{"text":"a"}]}`),
		contents(measuredAsk + `,{"role":"model","parts":[{"text":"a"}]},{"role":"user",` +
			`"parts":[{"text":"Continue."}]}`), "gemini/ends-with-model-turn"},
	{"the result of every call twice", "gemini-cli 0.61.0, after resuming a session", "gemini",
		"gemini-2.5-pro",
		contents(measuredAsk +
			`,{"role":"model","parts":[{"functionCall":{"id":"1","name":"f"}}]},` +
			`{"role":"user","parts":[{"functionResponse":{"id":"1","name":"f",` +
			`"response":{"output":"x"}}},{"functionResponse":{"id":"1","name":"f",` +
			`"response":{"output":"x"}}}]}`),
		contents(measuredAsk +
			`,{"role":"model","parts":[{"functionCall":{"id":"1","name":"f"}}]},` +
			`{"role":"user","parts":[{"functionResponse":{"id":"1","name":"f",` +
			`"response":{"output":"x"}}}]}`), "gemini/function-response-count"},
	{"half a media type", "charmbracelet/crush#995", "gemini", "gemini-2.5-pro",
		contents(`{"role":"user","parts":[{"inlineData":{"mimeType":"png",` +
			`"data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"}}]}`),
		contents(`{"role":"user","parts":[` + measuredImage + `]}`), "gemini/mime-type"},
	{"what the API ran itself, and what is newer than most clients",
		"google.golang.org/genai v1.77.0 Part, FunctionResponse", "gemini",
		"gemini-3-flash-preview",
		contents(measuredAsk +
			`,{"role":"model","parts":[{"toolCall":{"id":"1","toolType":"GOOGLE_SEARCH_WEB",` +
			`"args":{}},"thoughtSignature":"QUJD"},{"toolResponse":{"id":"1",` +
			`"toolType":"GOOGLE_SEARCH_WEB","response":{}},"thoughtSignature":"QUJD"},` +
			`{"text":"a","partMetadata":{"k":1.0}},{"functionCall":{"name":"f"},` +
			`"thoughtSignature":"QUJD"}]},` +
			`{"role":"user","parts":[{"functionResponse":{"name":"f","response":{},` +
			`"willContinue":false,"scheduling":"SILENT","parts":[` + measuredImage + `]}}]},` +
			`{"role":"user","parts":[{"inlineData":{"mimeType":"image/png",` +
			`"data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"},` +
			`"mediaResolution":{"level":"MEDIA_RESOLUTION_LOW"}},` +
			`{"fileData":{"fileUri":"gs://b/v.mp4","mimeType":"video/mp4"},` +
			`"videoMetadata":{"fps":1}}]}`), "", ""},
	{"code execution beside functions, without a flag", "0xPlaygrounds/rig gemini cassettes",
		"gemini", "gemini-2.5-flash",
		`{"tools":[{"codeExecution":{}},{"functionDeclarations":[{"name":"f"}]}],"contents":[` +
			measuredAsk + `]}`, "", ""},
	{"built-in tools beside functions, with the flag", "googleapis/js-genai#1425", "gemini",
		"gemini-3-flash-preview",
		`{"tools":[{"googleSearch":{}},{"functionDeclarations":[{"name":"f"}]}],` +
			`"toolConfig":{"includeServerSideToolInvocations":true},"contents":[` + measuredAsk +
			`]}`, "", ""},
	{"built-in tools beside functions, without the flag",
		"googleapis/js-genai#1425, cloudwego/eino-ext#761, ag2ai/ag2#3145", "gemini",
		"gemini-3-flash-preview",
		`{"tools":[{"googleSearch":{}},{"functionDeclarations":[{"name":"f"}]}],"contents":[` +
			measuredAsk + `]}`,
		`{"tools":[{"googleSearch":{}},{"functionDeclarations":[{"name":"f"}]}],"contents":[` +
			measuredAsk + `],"toolConfig":{"includeServerSideToolInvocations":true}}`,
		"gemini/server-side-tool-flag"},
	{"the flag beside other settings", "langchain-ai/langchainjs#10675", "gemini",
		"gemini-3.6-flash",
		`{"tools":[{"urlContext":{}},{"functionDeclarations":[{"name":"f"}]}],` +
			`"toolConfig":{"functionCallingConfig":{"mode":"AUTO"}},"contents":[` + measuredAsk +
			`]}`,
		`{"tools":[{"urlContext":{}},{"functionDeclarations":[{"name":"f"}]}],` +
			`"toolConfig":{"functionCallingConfig":{"mode":"AUTO"},` +
			`"includeServerSideToolInvocations":true},"contents":[` + measuredAsk + `]}`,
		"gemini/server-side-tool-flag"},
	{"built-in tools beside functions, on Vertex AI",
		"ag2ai/ag2#3145, strands-agents/harness-sdk#3646: the flag is not known there",
		"vertex-gemini", "gemini-3-flash-preview",
		`{"tools":[{"googleSearch":{}},{"functionDeclarations":[{"name":"f"}]}],"contents":[` +
			measuredAsk + `]}`, "", ""},
	{"a request in the request that counts tokens",
		"recorded: 6 requests with generateContentRequest", "gemini", "gemini-2.5-flash",
		`{"generateContentRequest":{"model":"models/gemini-2.5-flash","contents":[` + measuredAsk +
			`]}}`, "", ""},
	{"an empty list of calls", "0xPlaygrounds/rig cohere/agent/multiturn_history_is_accepted",
		"cohere", "command-a-03-2025",
		`{"model":"command-a-03-2025","messages":[{"role":"user","content":"q"},` +
			`{"role":"assistant","content":[{"type":"text","text":"a"}],"tool_calls":[],` +
			`"tool_plan":null},{"role":"user","content":"n"}]}`, "", ""},
	{"a call without its result", "oracle/langchain-oracle#10", "cohere", "command-a-03-2025",
		`{"model":"command-a-03-2025","messages":[{"role":"user","content":"q"},` +
			`{"role":"assistant","tool_calls":[{"id":"c1","type":"function",` +
			`"function":{"name":"f","arguments":"{}"}}]},{"role":"user","content":"n"}]}`,
		`{"model":"command-a-03-2025","messages":[{"role":"user","content":"q"},{"role":"user",` +
			`"content":"n"}]}`, "cohere/tool-result-missing"},
	{"arguments as an object", "ollama v0.17.4 api.ToolCallFunctionArguments", "ollama", "qwen3",
		`{"model":"qwen3","messages":[{"role":"user","content":"q"},{"role":"assistant",` +
			`"content":"","tool_calls":[{"function":{"name":"f","arguments":{"a":1.0}}}]},` +
			`{"role":"tool","content":"ok","tool_name":"f"}]}`, "", ""},
	{"arguments as a string", "rule ollama/arguments-object and its sources", "ollama", "qwen3",
		`{"model":"qwen3","messages":[{"role":"user","content":"q"},{"role":"assistant",` +
			`"content":"","tool_calls":[{"function":{"name":"f","arguments":"{\"a\":1.0}"}}]},` +
			`{"role":"tool","content":"ok"}]}`,
		`{"model":"qwen3","messages":[{"role":"user","content":"q"},{"role":"assistant",` +
			`"content":"","tool_calls":[{"function":{"name":"f","arguments":{"a":1.0}}}]},` +
			`{"role":"tool","content":"ok"}]}`, "ollama/arguments-object"},
}

func (m measured) violations(t *testing.T, body []byte) []preflighttest.Violation {
	model := m.model
	if m.provider == "vertex-gemini" {
		model = "publishers/google/models/" + model
	}
	violations, err := (&preflighttest.Options{Model: model}).Violations(fakeOf(m.provider), body)
	require.NoError(t, err)
	return violations
}

func TestMeasured(t *testing.T) {
	for _, m := range measuredBodies {
		t.Run(m.provider+" "+m.what, func(t *testing.T) {
			result, err := wire.Sanitize(context.Background(), []byte(m.body),
				&wire.Options{Provider: m.provider, Model: m.model})
			require.NoError(t, err, m.source)
			refused := m.violations(t, []byte(m.body))
			if m.want == "" {
				require.Equal(t, m.body, string(result.Body), m.source)
				require.Empty(t, result.Warnings, m.source)
				require.Empty(t, refused, m.source)
				return
			}
			require.Equal(t, m.want, string(result.Body), m.source)
			require.Contains(t, rulesOf(result.Warnings), m.rule)
			require.True(t,
				slices.ContainsFunc(refused,
					func(v preflighttest.Violation) bool { return v.Rule == m.rule }), "%s: %v",
				m.source, refused)
			require.Empty(t, m.violations(t, result.Body), m.source)
		})
	}
}

func rulesOf(warnings []wire.Warning) (rules []string) {
	for _, w := range warnings {
		rules = append(rules, w.Rule)
	}
	return rules
}
