package command

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/preflighthttp"
)

// TestURL: the command repairs a body as the transport does that sends it to the same address.
func TestURL(t *testing.T) {
	const body = `{"model":"grok-4","messages":[{"role":"user","content":"q"},{"role":"assistant",` +
		`"content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"search",` +
		`"arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":[{"type":"image_url",` +
		`"image_url":{"url":"https://a.example/p.png"}}]},{"role":"assistant","content":"a",` +
		`"reasoning_content":"h"},{"role":"user","content":"n"}]}`
	results := map[string]bool{}
	for _, to := range []string{
		"https://api.x.ai/v1/chat/completions",
		"https://api.openai.com/v1/chat/completions",
		"https://openrouter.ai/api/v1/chat/completions",
		"https://api.cerebras.ai/v1/chat/completions",
		"https://api.mistral.ai/v1/chat/completions",
		"https://acme.openai.azure.com/openai/deployments/d/chat/completions?api-version=1",
		"https://dashscope-intl.aliyuncs.com/compatible-mode/v1/chat/completions",
		"https://llm.example/v1/chat/completions",
	} {
		u, err := url.Parse(to)
		require.NoError(t, err)
		transport := preflighthttp.Transport{Unknown: preflighthttp.RepairUnknown}
		decision := transport.Judge(http.MethodPost, u, nil)
		want, report, err := decision.Body(t.Context(), []byte(body))
		require.NoError(t, err)
		code, out, errors := call(t, body, "fix", "--url", to, "--report", "-")
		require.Zero(t, code, errors)
		require.Equal(t, string(want), out, to)
		var told struct{ Provider string }
		require.NoError(t, json.Unmarshal([]byte(errors), &told), errors)
		require.Equal(t, report.Provider, told.Provider, to)
		results[out] = true
	}
	require.Greater(t, len(results), 3, "the hosts hardly differ")

	gemini := `{"contents":[{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":[` +
		`{"text":"so"}]}]}`
	for model, want := range map[string]int{"gemini-2.5-pro": 0, "gemini-3.8-pro": 1} {
		code, _, errors := call(t, gemini, "check", "--url",
			"https://generativelanguage.googleapis.com/v1beta/models/"+model+":generateContent")
		require.Equal(t, want, code, errors)
	}

	for args, want := range map[string]string{
		"--url https://api.openai.com/v1/models":                    "not the address of an API",
		"--url nowhere":                                             "an address such as",
		"--provider xai --url https://api.x.ai/v1/chat/completions": "without --provider",
	} {
		for _, command := range []string{"fix", "check"} {
			code, out, errors := call(t, body, append([]string{command}, strings.Fields(args)...)...)
			require.Equal(t, exitUsage, code)
			require.Empty(t, out)
			require.Contains(t, errors, want)
		}
	}
}
