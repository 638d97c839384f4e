package wire_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/wire"
)

// said are bodies with words that only one format has a block for, and where they are after a
// conversion.
var said = []struct {
	name, provider, body string
	// what the message of the role says of it then, and the code of the change
	role, text string
	code       codes.Code
}{
	{"a refusal", "openai-responses",
		`{"model":"m","input":[{"role":"user","content":"q"},{"type":"message","role":"assistant",` +
			`"content":[{"type":"refusal","refusal":"WORDS"}]},{"role":"user","content":"r"}]}`,
		"assistant", "WORDS", codes.PartChanged},
	{"a refusal beside the content", "openai-chat",
		`{"model":"m","messages":[{"role":"user","content":"q"},{"role":"assistant","content":null,` +
			`"refusal":"WORDS"},{"role":"user","content":"r"}]}`,
		"assistant", "WORDS", codes.PartChanged},
	{"an answer with citations", "bedrock",
		`{"messages":[{"role":"user","content":[{"text":"q"}]},{"role":"assistant","content":[` +
			`{"citationsContent":{"content":[{"text":"WOR"},{"text":"DS"}],"citations":[]}}]},` +
			`{"role":"user","content":[{"text":"r"}]}]}`,
		"assistant", "WORDS", codes.PartChanged},
	{"a guarded text", "bedrock",
		`{"messages":[{"role":"user","content":[{"guardContent":{"text":{"text":"WORDS"}}}]}]}`,
		"user", "WORDS", codes.PartChanged},
	{"a page that the user gave", "anthropic",
		`{"model":"claude-opus-4-6","max_tokens":9,"messages":[{"role":"user","content":[` +
			`{"type":"search_result","source":"https://e","title":"t","content":[` +
			`{"type":"text","text":"WORDS"}]}]}]}`,
		"user", "[Content of type search_result]\n```\nhttps://e\nt\nWORDS\n```", codes.PartChanged},
	{"a document of text", "anthropic",
		`{"model":"claude-opus-4-6","max_tokens":9,"messages":[{"role":"user","content":[` +
			`{"type":"document","title":"t","source":{"type":"text","media_type":"text/plain",` +
			`"data":"WORDS"}}]}]}`,
		"user", "[document: t]\n```\nWORDS\n```", codes.PartChanged},
	{"a summary", "anthropic",
		`{"model":"claude-opus-4-6","max_tokens":9,"messages":[{"role":"assistant","content":[` +
			`{"type":"compaction","content":"WORDS"}]},{"role":"user","content":"r"}]}`,
		"assistant", "[Content of type compaction]\n```\nWORDS\n```", codes.PartChanged},
	{"code that the server ran", "openai-responses",
		`{"model":"m","input":[{"role":"user","content":"q"},{"type":"code_interpreter_call",` +
			`"id":"ci_1","status":"completed","container_id":"c","code":"x","outputs":[` +
			`{"type":"logs","logs":"WORDS"}]},{"role":"user","content":"r"}]}`,
		"assistant", "Result of code_interpreter:\n```\nWORDS\n```", codes.ResultToText},
	{"a tool that the server called", "openai-responses",
		`{"model":"m","input":[{"role":"user","content":"q"},{"type":"mcp_call","id":"mcp_1",` +
			`"server_label":"s","name":"look","arguments":"{}","output":"WORDS"},` +
			`{"role":"user","content":"r"}]}`,
		"assistant", "Result of look:\n```\nWORDS\n```", codes.ResultToText},
	{"code that Gemini ran", "gemini",
		`{"contents":[{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":[` +
			`{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"WORDS"}}]},` +
			`{"role":"user","parts":[{"text":"r"}]}]}`,
		"assistant", "Result of codeExecution:\n```\nWORDS\n```", codes.ResultToText},
	{"a search of Gemini's server", "gemini-interactions",
		`{"model":"m","input":[{"type":"user_input","content":[{"type":"text","text":"q"}]},` +
			`{"type":"google_search_result","call_id":"g","result":[{"url":"https://WORDS"}]},` +
			`{"type":"user_input","content":[{"type":"text","text":"r"}]}]}`,
		"assistant", "Result of google_search:\n```\nhttps://WORDS\n```", codes.ResultToText},
	{"a document that a tool gave", "cohere",
		`{"model":"m","messages":[{"role":"user","content":"q"},{"role":"assistant","tool_calls":[` +
			`{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool",` +
			`"tool_call_id":"c1","content":[{"type":"document","document":{"data":"WORDS"}}]}]}`,
		"tool", "WORDS", codes.PartChanged},
	{"a page that a tool gave", "anthropic",
		`{"model":"claude-opus-4-6","max_tokens":9,"messages":[{"role":"user","content":"q"},` +
			`{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},` +
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":[` +
			`{"type":"search_result","source":"https://e","title":"t","content":[` +
			`{"type":"text","text":"WORDS"}]}]}]}]}`,
		"tool", "[Content of type search_result]\n```\nhttps://e\nt\nWORDS\n```", codes.PartChanged},
	{"a new block in a result", "anthropic",
		`{"model":"claude-opus-4-6","max_tokens":9,"messages":[{"role":"user","content":"q"},` +
			`{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},` +
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":[` +
			`{"type":"table","rows":["WORDS"]}]}]}]}`,
		"tool", "[Content of type table]\n```\nWORDS\n```", codes.PartRemoved},
	{"the output of code beside an image of it", "openai-responses",
		`{"model":"m","input":[{"role":"user","content":"q"},{"type":"code_interpreter_call","id":"ci_1",` +
			`"code":"print(1)","outputs":[{"type":"image","url":"https://example.org/i"},` +
			`{"type":"logs","logs":"WORDS"}]},{"role":"user","content":"r"}]}`,
		"assistant", "Result of code_interpreter:\n```\nhttps://example.org/i\nWORDS\n```",
		codes.ResultToText},
	{"the error of a tool", "openai-responses",
		`{"model":"m","input":[{"role":"user","content":"q"},{"type":"mcp_call","id":"mcp_1","name":"n",` +
			`"arguments":"{}","server_label":"s","output":null,"error":"WORDS"},` +
			`{"role":"user","content":"r"}]}`,
		"assistant", "Result of n:\n```\nWORDS\n```", codes.ResultToText},
	{"a document in a user's message, which is quoted", "cohere",
		`{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"q"},` +
			`{"type":"document","document":{"data":"WORDS"}}]}]}`,
		"user", "```\nWORDS\n```", codes.PartChanged},
	{"a legacy result", "openai-chat",
		`{"model":"m","messages":[{"role":"user","content":"q"},{"role":"assistant","content":null,` +
			`"function_call":{"name":"f","arguments":"{}"}},{"role":"function","name":"f",` +
			`"content":"WORDS"}]}`,
		"tool", "WORDS", ""},
}

// TestConvertSaid: what somebody said stays his when a history goes to another provider, though
// only the first one has a block of that type.
//
// Sources: https://docs.cohere.com/v2/docs/tool-use-overview (results are documents), and the types
// of rule/blocks.go.
func TestConvertSaid(t *testing.T) {
	for _, c := range said {
		t.Run(c.name, func(t *testing.T) {
			for _, to := range []string{"openai-chat", "anthropic", "gemini", "bedrock", "mistral"} {
				if to == c.provider {
					continue
				}
				result, err := wire.Convert(t.Context(), []byte(c.body), c.provider,
					&wire.Options{Provider: to, Model: map[string]string{"anthropic": "claude-opus-4-6"}[to]})
				require.NoError(t, err)
				r, err := wire.Decode(result.Body, &wire.Options{Provider: to})
				require.NoError(t, err)
				require.Contains(t, textsOf(r.Messages)[c.role], c.text, "%s: %s", to, result.Body)
				if c.code != "" {
					require.Contains(t, codesIn(result.Warnings), c.code)
				}
			}
		})
	}
}

// TestConvertUnsaid: what nobody can read is left out, and what a tool of the provider's said never
// becomes the user's words.
func TestConvertUnsaid(t *testing.T) {
	for _, part := range []string{
		`{"type":"web_fetch_tool_result","tool_use_id":"srvtoolu_1","content":{"text":"WORDS"}}`,
		`{"type":"sketch","text":"WORDS"}`,
		`{"type":"container_upload","file_id":"WORDS"}`,
	} {
		body := `{"model":"claude-opus-4-6","max_tokens":9,"messages":[{"role":"user","content":[` +
			part + `,{"type":"text","text":"q"}]}]}`
		result, err := wire.Convert(t.Context(), []byte(body), "anthropic",
			&wire.Options{Provider: "openai-chat"})
		require.NoError(t, err)
		require.NotContains(t, string(result.Body), "WORDS", part)
		require.NotEmpty(t, result.Warnings)
	}
}

// textsOf returns the texts of messages by who speaks: those in results are the tool's.
func textsOf(messages []preflight.Message) map[string][]string {
	texts := map[string][]string{}
	add := func(who string, p preflight.Part) {
		if p, ok := p.(*preflight.Text); ok {
			texts[who] = append(texts[who], p.Text)
		}
	}
	for _, m := range messages {
		role, _ := m.Role.Neutral()
		for _, p := range m.Parts {
			add(string(role), p)
			if r, ok := p.(*preflight.ToolResult); ok {
				for _, c := range r.Content {
					add("tool", c)
				}
			}
		}
	}
	return texts
}

func codesIn(warnings []wire.Warning) (all []codes.Code) {
	for _, w := range warnings {
		all = append(all, w.Code)
	}
	return all
}
