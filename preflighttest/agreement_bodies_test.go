package preflighttest_test

import (
	"regexp"
	"strings"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/preflighttest/histgen"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/wire"
	"pgregory.net/rapid"
)

// This file draws the bodies that checks and fakes are held against each other on.

// subject is what the bodies of one provider are made of.
type subject struct {
	models []string
	rest   []string // members beside the history, one of which is drawn

	// request is a legal request with MODEL and REST to fill in, where it is
	// not written as Anthropic's and OpenAI's are.
	request string

	// strays are elements of the list that no history in memory has.
	strays []string

	// forbids reports whether the model takes no body with this rest.
	forbids func(model, rest string) bool
}

var subjects = map[string]subject{
	"anthropic": {
		models: []string{
			"claude-sonnet-4-5", "claude-opus-4-6", "claude-opus-4-8", "claude-opus-5-5",
			"claude-fable-5-1", "kimi-k2",
		},
		rest: []string{
			`"max_tokens":64,"tools":[{"name":"f","input_schema":{"type":"object"}}]`,
			`"max_tokens":64,"tools":[{"name":"f","input_schema":{"type":"object"}}],` +
				`"thinking":{"type":"disabled"}`,
			`"max_tokens":64,"tools":[{"name":"f","input_schema":{"type":"object"}}],` +
				`"thinking":{"type":"adaptive"}`,
			`"max_tokens":64,"tools":[{"name":"f","input_schema":{"type":"object"}}],` +
				`"thinking":{"type":"enabled","budget_tokens":1024}`,
		},
		// https://docs.aws.amazon.com/bedrock/latest/userguide/claude-messages-adaptive-thinking.html
		forbids: func(model, rest string) bool {
			return strings.Contains(rest, "enabled") && model != "claude-sonnet-4-5" &&
				model != "claude-opus-4-6"
		},
	},
	"gemini": {
		models: []string{
			"gemini-3-pro-preview", "gemini-4-argon", "gemini-3.7-flash", "gemini-2.5-pro",
			"gemini-3.5-flash-lite",
			"gemini-pro", "gemini-flash-latest",
		},
		rest: []string{
			`"tools":[{"functionDeclarations":[{"name":"f","parameters":{"type":"OBJECT"}}]}]`,
			`"generationConfig":{}`,
		},
		request: `{"model":"MODEL","contents":[{"role":"user","parts":[{"text":"q"}]}],REST}`,
	},
	"vertex-gemini": {
		models: []string{
			"publishers/google/models/gemini-3.8-flash",
			"publishers/google/models/gemini-3.5-flash-lite",
			"publishers/google/models/gemini-3-flash-preview",
			"publishers/google/models/gemini-2.5-pro",
		},
		rest: []string{
			`"tools":[{"functionDeclarations":[{"name":"f","parameters":{"type":"OBJECT"}}]}]`,
			`"generationConfig":{}`,
		},
		request: `{"model":"MODEL","contents":[{"role":"user","parts":[{"text":"q"}]}],REST}`,
	},
	"bedrock": {
		models: []string{
			"anthropic.claude-sonnet-4-5-20250929-v1:0",
			"us.anthropic.claude-opus-4-6-v1",
			"amazon.nova-pro-v1:0",
			"meta.llama3-1-70b-instruct-v1:0",
			"",
		},
		rest: []string{
			`"toolConfig":{"tools":[{"toolSpec":{"name":"f",` +
				`"inputSchema":{"json":{"type":"object"}}}}]}`,
			`"inferenceConfig":{"maxTokens":64}`,
			`"toolConfig":{"tools":[{"toolSpec":{"name":"f",` +
				`"inputSchema":{"json":{"type":"object"}}}}]},` +
				`"additionalModelRequestFields":{"thinking":{"type":"enabled",` +
				`"budget_tokens":1024}}`,
		},
		forbids: func(model, rest string) bool { // the field is Claude's own
			return strings.Contains(rest, "thinking") &&
				(strings.HasPrefix(model, "amazon.") || strings.HasPrefix(model, "meta."))
		},
		request: `{"modelId":"MODEL","messages":[{"role":"user","content":[{"text":"q"}]}],REST}`,
	},
	"mistral": {
		models: []string{"mistral-large-latest", "magistral-medium-latest", "some-model"},
		rest:   []string{`"stream":false`},
	},
	"cohere": {
		models: []string{"command-a-03-2025", "some-model"},
		rest:   []string{`"stream":false`},
	},
	"gemini-interactions": {
		models: []string{"gemini-3.7-flash", "gemini-2.5-flash", "gemini-flash-latest"},
		rest:   []string{`"store":false`, `"previous_interaction_id":"int_1"`},
		request: `{"model":"MODEL","input":[{"type":"user_input",` +
			`"content":[{"type":"text","text":"q"}]}],REST}`,
		strays: []string{
			`{"role":"user","content":"q"}`,
			`{"role":"model","content":[{"type":"function_call","id":"call_1","name":"f",` +
				`"arguments":{}}]}`,
			`{"role":"user","content":[{"type":"function_result","call_id":"call_1","result":"x"}]}`,
			`{"type":"text","text":"q"}`,
			`{"type":"function_call","id":"call_1","name":"f","arguments":{}}`,
			`{"type":"function_result","call_id":"call_1","result":"x"}`,
			`{"type":"thought","signature":"QUJD"}`,
			`{"type":"google_search_call","id":"call_1","arguments":{}}`,
			`{"type":"new_step","id":"call_1"}`,
		},
	},
	"ollama": {models: []string{"qwen3", "some-model"}, rest: []string{`"stream":false`}},
	"openai-chat": {
		models: []string{"gpt-5.4", "gpt-4o", "o1-mini", "some-model"},
		rest:   []string{`"stream":false`},
	},
	"openai-responses": {
		models: []string{"gpt-5.4", "gpt-4o", "some-host/some-model"},
		rest:   []string{`"stream":false`, `"store":false`, `"store":true`},
		strays: responsesItems,
	},

	"cerebras": {models: []string{"gpt-oss-120b", "zai-glm-4.7"}, rest: []string{`"stream":false`}},
	"nvidia": {
		models: []string{"mistralai/mistral-small-4-119b-2603", "nvidia/nemotron-3-super"},
		rest:   []string{`"stream":false`},
	},
	"volcengine": {models: []string{"doubao-seed-2-0-lite"}, rest: []string{`"stream":false`}},
	"xai": {
		models: []string{"grok-4-1-fast-reasoning", "grok-4", "grok-2"},
		rest:   []string{`"stream":false`},
	},

	"deepseek": {
		models: []string{"deepseek-v4-pro", "deepseek-v4-flash", "deepseek-chat", "deepseek-r1"},
		rest:   []string{`"stream":false`},
	},
	"glm": {models: []string{"glm-5.2"}, rest: []string{`"stream":false`}},
	"groq": {
		models: []string{"openai/gpt-oss-120b", "moonshotai/kimi-k2-instruct-0905"},
		rest:   []string{`"stream":false`},
	},
	"minimax": {models: []string{"minimax-m2.7"}, rest: []string{`"stream":false`}},
	"moonshot": {
		models: []string{"kimi-k2.6", "kimi-k2-0905-preview", "moonshot-v1-32k"},
		rest:   []string{`"stream":false`},
	},
	"openrouter": {
		models: []string{"z-ai/glm-5.2", "anthropic/claude-opus-5"},
		rest:   []string{`"stream":false`},
	},
	"qwen": {models: []string{"qwen3.7-max", "glm-5.1"}, rest: []string{`"stream":false`}},

	"azure-responses": {
		models: []string{"gpt-5.4", "our-deployment", "grok-4"},
		rest:   []string{`"store":false`, `"store":true`},
		strays: responsesItems,
	},
	"deepseek-responses": {
		models: []string{"deepseek-v4-flash"},
		rest:   []string{`"store":false`, `"store":true`},
		strays: responsesItems,
	},
	"xai-responses": {
		models: []string{"grok-4.3"},
		rest:   []string{`"store":false`, `"store":true`},
		strays: responsesItems,
	},
}

var responsesItems = []string{
	`{"type":"local_shell_call","id":"lsh_1","call_id":"call_1","status":"completed",` +
		`"action":{"type":"exec","command":["ls"],"env":{}}}`,
	`{"type":"local_shell_call_output","call_id":"call_1","output":"x"}`,
	`{"type":"local_shell_call_output","id":"call_1","output":"x"}`,
	`{"type":"local_shell_call_output","id":"lsh_1","output":"x"}`,
	`{"type":"function_call_output","call_id":"call_1","output":"x"}`,
	`{"type":"computer_call","id":"cu_1","call_id":"call_1","status":"completed",` +
		`"action":{"type":"wait"},"pending_safety_checks":[]}`,
	`{"type":"computer_call_output","call_id":"call_1","output":{"type":"computer_screenshot"}}`,
	`{"type":"shell_call","call_id":"call_1","action":{"commands":["ls"]}}`,
	`{"type":"shell_call_output","call_id":"call_1","output":[]}`,
	`{"type":"tool_search_call","call_id":"call_1","execution":"client","arguments":{}}`,
	`{"type":"tool_search_output","call_id":"call_1","execution":"client","tools":[]}`,
	`{"type":"compaction","id":"cmp_1","encrypted_content":"QUJD"}`,
	`{"type":"mcp_list_tools","id":"mcpl_1","server_label":"s","tools":[]}`,
	`{"type":"mcp_call","id":"mcp_1","server_label":"s","name":"f","arguments":"{}"}`,
	`{"type":"mcp_approval_request","id":"mcpr_1","server_label":"s","name":"f","arguments":"{}"}`,
	`{"type":"mcp_approval_response","approval_request_id":"mcpr_1","approve":true}`,
	`{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"QUJD"}`,
	`{"type":"item_reference","id":"rs_2"}`,
	`{"type":"new_item","id":"new_1","x":1}`,
	`{"type":"message","id":"msg_1","role":"user","content":[{"type":"new_block","x":1}]}`,
}

// list is the name of the history in a body.
func list(provider string) string {
	switch provider {
	case "gemini-interactions", "openai-responses", "azure-responses", "deepseek-responses", "xai-responses":
		return "input"
	case "gemini", "vertex-gemini":
		return "contents"
	}
	return "messages"
}

// drawBody draws a request with a history that may be broken. It is nil for a
// history that has no form in the provider's format.
func drawBody(
	t *rapid.T,
	profile preflight.Profile,
	history func(*preflight.Profile, *preflight.Options) *rapid.Generator[[]preflight.Message],
) []byte {
	s := subjects[profile.Provider]
	model := rapid.SampledFrom(s.models).Draw(t, "model")
	rest := rapid.SampledFrom(s.rest).Draw(t, "rest")
	if s.forbids != nil && s.forbids(model, rest) {
		rest = s.rest[0]
	}
	if named, ok := provider.ByName(profile.Provider, model); ok {
		profile = *named
	}
	empty := s.request
	if empty != "" {
		empty = strings.NewReplacer("MODEL", model, "REST", rest).Replace(empty)
	} else {
		empty = `{"model":"` + model + `","` + list(profile.Provider) +
			`":[{"role":"user","content":"q"}],` + rest + `}`
	}
	request, err := wire.Decode([]byte(empty), &wire.Options{Provider: profile.Provider})
	if err != nil {
		t.Fatal(err)
	}
	body, err := request.Encode(history(&profile, nil).Draw(t, "history"))
	if err != nil {
		return nil
	}
	return plausible(body)
}

var serverResult = regexp.MustCompile(
	`"type":"[^"]*_tool_result","tool_use_id":"[^"]*"(,"content":\[\{"type":"web_search_result")?`)

var serverResultKind = regexp.MustCompile(`^"type":"[^"]*_tool_result"`)

// plausible fills in what a history that was never on the wire does not say
// about a call that the provider executes: which server, and which tool.
func plausible(body []byte) []byte {
	s := strings.ReplaceAll(string(body), `"type":"mcp_tool_use",`,
		`"type":"mcp_tool_use","server_name":"s",`)
	s = serverResult.ReplaceAllStringFunc(s, func(kind string) string {
		switch {
		case strings.Contains(kind, "mcp_tool_result"):
			return kind
		case strings.Contains(kind, "web_search_result"):
			return serverResultKind.ReplaceAllString(kind, `"type":"web_search_tool_result"`)
		}
		return serverResultKind.ReplaceAllString(kind, `"type":"bash_code_execution_tool_result"`)
	})
	return []byte(strings.ReplaceAll(s,
		`"type":"bash_code_execution_tool_result","tool_use_id":"mcptoolu`,
		`"type":"mcp_tool_result","tool_use_id":"mcptoolu`))
}

// bodies are the kinds of bodies that the two are held against each other on.
var bodies = map[string]func(t *rapid.T, profile preflight.Profile) []byte{
	"valid": func(t *rapid.T, profile preflight.Profile) []byte {
		return drawBody(t, profile, histgen.Valid)
	},
	"corrupt": func(t *rapid.T, profile preflight.Profile) []byte {
		return drawBody(t, profile, histgen.Corrupt)
	},
	"mutant": func(t *rapid.T, profile preflight.Profile) []byte {
		history := histgen.Valid
		if rapid.Bool().Draw(t, "corrupt") {
			history = histgen.Corrupt
		}
		if body := drawBody(t, profile, history); body != nil {
			return mutant(t, profile, body)
		}
		return nil
	},
}
