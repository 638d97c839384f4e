package preflighttest_test

import (
	"testing"
)

// TestServerResultWithoutCall: the fake asked only some of the results of server
// tools for the id of their call.
func TestServerResultWithoutCall(t *testing.T) {
	for _, kind := range []string{
		"web_search_tool_result",
		"code_execution_tool_result",
		"bash_code_execution_tool_result",
		"text_editor_code_execution_tool_result",
		"tool_search_tool_result",
		"advisor_tool_result",
		"mcp_tool_result",
	} {
		body := []byte(`{"model":"claude-sonnet-4-5","max_tokens":64,"messages":[{"role":"user",` +
			`"content":"q"},{"role":"assistant","content":[{"type":"text","text":"a"},` +
			`{"type":"` + kind + `","content":[]}]},{"role":"user","content":"n"}]}`)
		requireRefused(t, "anthropic", body)
	}
}

// TestTypeOfNothing: wire took a part whose type is the empty string for one
// of a type that is still unknown.
func TestTypeOfNothing(t *testing.T) {
	for _, part := range []string{`{"type":"","text":"x"}`, `{"type":""}`} {
		requireRefused(t, "anthropic",
			[]byte(`{"model":"claude-sonnet-4-5","max_tokens":64,"messages":[{"role":"user",`+
				`"content":[{"type":"text","text":"q"},`+part+`]}]}`))
	}
}
