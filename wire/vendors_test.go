package wire_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/wire"
)

// TestVendors: a vendor's name means its dialect of the format that the body shows, and for
// its main one where nothing shows.
func TestVendors(t *testing.T) {
	const (
		plain = `{"messages":[{"role":"user","content":"q"}]}`
		chat  = `{"messages":[{"role":"user","content":"q"},` +
			`{"role":"tool","tool_call_id":"c","content":"r"}]}`
		system = `{"system":"s","messages":[{"role":"user","content":"q"}]}`
		blocks = `{"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"c",` +
			`"name":"f","input":{}}]}]}`
		converse  = `{"messages":[{"role":"user","content":[{"text":"q"}]}]}`
		responses = `{"input":"q"}`
		contents  = `{"contents":[{"role":"user","parts":[{"text":"q"}]}]}`
		both      = `{"input":"q","messages":[{"role":"user","content":"q"}]}`
	)
	for _, c := range []struct{ vendor, body, want string }{
		{"openai", plain, "openai-chat"},
		{"openai", chat, "openai-chat"},
		{"openai", responses, "openai-responses"},
		{"openai", both, "openai-chat"},
		{"openai", `[]`, "openai-chat"},
		{"azure", plain, "azure"},
		{"azure", responses, "azure-responses"},
		{"azure", system, "anthropic"},
		{"bedrock", plain, "bedrock"},
		{"bedrock", converse, "bedrock"},
		{"bedrock", system, "bedrock-anthropic"},
		{"bedrock", blocks, "bedrock-anthropic"},
		{"bedrock", chat, "openai-compatible"},
		{"vertex", contents, "vertex-gemini"},
		{"vertex", blocks, "vertex-anthropic"},
		{"copilot", responses, "copilot-responses"},
		{"openrouter", chat, "openrouter"},
		{"openrouter", blocks, "openrouter-anthropic"},
		{"openrouter", responses, "openrouter-responses"},
		{"deepseek", plain, "deepseek"},
		{"deepseek", system, "deepseek-anthropic"},
		{"deepseek", blocks, "deepseek-anthropic"},
		{"deepseek", responses, "deepseek-responses"},
		{"moonshot", blocks, "moonshot-anthropic"},
		{"minimax", blocks, "minimax-anthropic"},
		{"glm", blocks, "glm-anthropic"},
		{"xai", responses, "xai-responses"},
		{"groq", responses, "openai-responses"},
		{"vllm", plain, "chat-template"},
		{"vllm", blocks, "vllm-anthropic"},
	} {
		r, err := wire.Decode([]byte(c.body), &wire.Options{Provider: c.vendor})
		require.NoError(t, err, "%s %s", c.vendor, c.body)
		require.Equal(t, c.want, r.Provider, "%s %s", c.vendor, c.body)
		require.Equal(t, c.want, r.Profile.Provider)
		result, err := wire.Sanitize(context.Background(), []byte(c.body),
			&wire.Options{Provider: c.vendor})
		if err == nil {
			require.Equal(t, c.want, result.Provider)
		}
	}
	for _, vendor := range wire.Vendors() {
		for _, body := range []string{
			``, `7`, `"x"`, `{}`, `{"messages":7}`, `{"input":7}`,
			"{\"messages\":" + strings.Repeat("[", 5000),
		} {
			_, err := wire.Decode([]byte(body), &wire.Options{Provider: vendor})
			require.ErrorIs(t, err, wire.ErrNotARequest, "%s %s", vendor, body)
		}
	}
}

// TestDialect: the dialect of a vendor in a format is a provider that speaks this format.
func TestDialect(t *testing.T) {
	for _, c := range []struct {
		provider, format, want string
		ok                     bool
	}{
		{"deepseek", "anthropic", "deepseek-anthropic", true},
		{"deepseek", "openai-chat", "deepseek", true},
		{"deepseek", "gemini", "", false},
		{"azure", "anthropic", "anthropic", true},
		{"deepseek-anthropic", "anthropic", "deepseek-anthropic", true},
		{"anthropic", "anthropic", "anthropic", true},
		{"groq", "openai-chat", "groq", true},
		{"nobody", "openai-chat", "", false},
		{"", "", "", false},
	} {
		got, ok := wire.Dialect(c.provider, c.format)
		require.Equal(t, [2]string{c.want, fmt.Sprint(c.ok)}, [2]string{got, fmt.Sprint(ok)},
			"%s %s", c.provider, c.format)
	}
	for _, vendor := range wire.Vendors() {
		for _, format := range wire.Providers() {
			if name, ok := wire.Dialect(vendor, format); ok {
				require.Contains(t, wire.Providers(), name)
				require.Equal(t, format, spoken(name))
			}
		}
	}
}

// TestVendorReadsAgain: a body whose repair leaves nothing that shows its format is an error where
// the vendor's main format would read it otherwise, since it would be changed again when it comes
// back.
func TestVendorReadsAgain(t *testing.T) {
	for _, c := range []struct {
		vendor, body string
		want         string // "" is the error
	}{
		{"bedrock", `[{"role":"tool","content":[]}]`, ""},
		{"bedrock",
			`[{"role":"user","content":"q"},{"role":"tool","tool_call_id":"c1","content":"r"}]`,
			""},
		{"deepseek",
			`[{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"r"},` +
				`{"type":"text","text":"q"}]}]`,
			`[{"role":"user","content":[{"type":"text","text":"q"}]}]`},
	} {
		options := &wire.Options{Provider: c.vendor}
		result, err := wire.Sanitize(context.Background(), []byte(c.body), options)
		if c.want == "" {
			require.ErrorIs(t, err, preflight.ErrUnfixable, c.body)
			require.Equal(t, c.body, string(result.Body))
			require.False(t, result.Changed)
			continue
		}
		require.NoError(t, err, c.body)
		require.Equal(t, c.want, string(result.Body))
		again, err := wire.Sanitize(context.Background(), result.Body, options)
		require.NoError(t, err)
		require.False(t, again.Changed)
	}
}
