package preflighttest_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/wire"
)

// TestCachePointOfNothing: the check took a cache point without a value for
// one, which is between results and separates none from its call; wire removes
// it as what it is.
func TestCachePointOfNothing(t *testing.T) {
	for _, value := range []string{"null", "7", `"x"`} {
		body := []byte(`{"modelId":"amazon.nova-pro-v1:0","messages":[{"role":"user",` +
			`"content":[{"text":"q"},{"cachePoint":` + value + `}]}]}`)
		requireRefused(t, "bedrock", body)
	}
}

// TestMediaWithoutFormat: neither asked for the format of an image, a required member.
func TestMediaWithoutFormat(t *testing.T) {
	const gif = `"source":{"bytes":"R0lGODlhAQABAIAAAAUEBAAAACwAAAAAAQABAAACAkQBADs="}`
	for _, block := range []string{
		`"image":{` + gif + `}`, `"image":{"format":"",` + gif + `}`,
		`"image":{"source":{"bytes":"eA=="}}`, `"audio":{"source":{"bytes":"eA=="}}`,
	} {
		requireRefused(t, "bedrock", []byte(`{"modelId":"amazon.nova-pro-v1:0","messages":[`+
			`{"role":"user","content":[{"text":"q"},{`+block+`}]}]}`))
	}
	requireRefused(t, "bedrock", []byte(`{"modelId":"amazon.nova-pro-v1:0","toolConfig":{"tools":[`+
		`{"toolSpec":{"name":"f","inputSchema":{"json":{"type":"object"}}}}]},"messages":[`+
		`{"role":"user","content":[{"text":"q"}]},{"role":"assistant","content":[`+
		`{"toolUse":{"toolUseId":"t","name":"f","input":{}}}]},{"role":"user","content":[`+
		`{"toolResult":{"toolUseId":"t","content":[{"image":{`+gif+`}}]}}]}]}`))
}

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

// requireRefused: the check and the fake find something in the body, and
// nothing in what is made of it.
func requireRefused(t *testing.T, provider string, body []byte) {
	t.Helper()
	report, err := wire.Check(body, &wire.Options{Provider: provider})
	require.NoError(t, err)
	require.NotEmpty(t, report.Violations, "%s", body)
	require.NotEmpty(t, faults(t, provider, body), "%s", body)
	result, err := wire.Sanitize(context.Background(), body, &wire.Options{Provider: provider})
	require.NoError(t, err)
	require.Empty(t, faults(t, provider, result.Body), "%s", result.Body)
}
