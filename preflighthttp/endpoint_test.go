package preflighthttp

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/wire"
)

func TestMatch(t *testing.T) {
	tests := []struct {
		url             string
		provider, model string // provider "" for a request that is none of ours
	}{
		{"https://api.anthropic.com/v1/messages", "anthropic", ""},
		{"https://api.anthropic.com/v1/messages?beta=true", "anthropic", ""},
		{"https://api.anthropic.com:443/v1/messages", "anthropic", ""},
		{"https://API.Anthropic.com/v1/messages", "anthropic", ""},
		{"https://api.anthropic.com./v1/messages", "anthropic", ""},
		{"https://api.anthropic.com.:443/v1/messages", "anthropic", ""},
		{"https://api.anthropic.com/v1//messages", "anthropic", ""},
		{"https://api.anthropic.com//v1/messages/", "anthropic", ""},
		{"https://api.anthropic.com/v1/messages/count_tokens", "anthropic", ""},
		{"https://api.anthropic.com/v1/messages/batches", "", ""},
		{"https://api.anthropic.com/v1/chat/completions", "openai-chat", ""},
		{"https://api.anthropic.com/v1/models", "", ""},
		{"https://api.anthropic.com.evil.example/v1/messages", "", ""},
		{"https://chat.example/v1/messages", "", ""},
		{"https://us-east5-aiplatform.googleapis.com/v1/projects/p/locations/us-east5/publishers/anthropic/models/claude-sonnet-4-5@20250929:streamRawPredict",
			"vertex-anthropic", "claude-sonnet-4-5@20250929"},
		{"https://aiplatform.googleapis.com/v1/projects/p/locations/global/publishers/anthropic/models/claude-opus-4-1:rawPredict",
			"vertex-anthropic", "claude-opus-4-1"},
		{"https://aiplatform.eu.rep.googleapis.com/v1/projects/p/locations/eu/publishers/anthropic/models/count-tokens:rawPredict",
			"vertex-anthropic", ""},
		{"https://europe-west4-aiplatform.googleapis.com/v1/projects/p/locations/l/publishers/mistralai/models/mistral-medium-3:rawPredict",
			"mistral", "mistral-medium-3"},
		{"https://europe-west4-aiplatform.googleapis.com/v1/projects/p/locations/l/publishers/google/models/gemini-3-pro:streamGenerateContent?alt=sse",
			"vertex-gemini", "gemini-3-pro"},
		{"https://europe-west4-aiplatform.googleapis.com/v1/projects/p/locations/l/endpoints/4711:generateContent",
			"vertex-gemini", "4711"},
		{"https://generativelanguage.googleapis.com/v1beta/interactions", "gemini-interactions", ""},
		{"https://generativelanguage.googleapis.com/v1beta/interactions/v1_1/cancel", "", ""},
		{"https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-pro:generateContent",
			"gemini", "gemini-2.5-pro"},
		{"https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-pro:embedContent", "",
			""},
		{"https://generativelanguage.googleapis.com/v1beta/openai/chat/completions", "gemini-chat",
			""},
		{"https://my-resource.services.ai.azure.com/anthropic/v1/messages", "anthropic", ""},
		{"https://claude.googleapis.com/v1/projects/p/locations/global/v1/messages",
			"vertex-anthropic", ""},
		{"https://aws-external-anthropic.us-east-1.api.aws/v1/messages", "anthropic", ""},
		{"https://api.openai.com/v1/chat/completions", "openai-chat", ""},
		{"https://eu.api.openai.com/v1/responses", "openai-responses", ""},
		{"https://api.openai.com/v1/responses/input_tokens", "openai-responses", ""},
		{"https://api.openai.com/v1/responses/resp_1/cancel", "", ""},
		{"https://api.openai.com/v1/embeddings", "", ""},
		{"https://my-resource.openai.azure.com/openai/deployments/gpt-4o/chat/completions?api-version=2024-10-21",
			"azure", ""},
		{"https://my-resource.openai.azure.com/openai/v1/chat/completions", "azure", ""},
		{"https://my-resource.openai.azure.com/openai/v1/responses", "azure-responses", ""},
		{"https://bedrock-runtime.us-east-1.amazonaws.com/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse-stream",
			"bedrock", "us.anthropic.claude-sonnet-4-5-20250929-v1:0"},
		{"https://bedrock-runtime.us-east-1.amazonaws.com/model/arn%3Aaws%3Abedrock%3Aus-east-1%3A1%3Ainference-profile%2Fp/converse",
			"bedrock", "arn:aws:bedrock:us-east-1:1:inference-profile/p"},
		// ahead of what addresses it
		{"https://bedrock-runtime.us-east-1.amazonaws.com/v1/messages", "bedrock-anthropic", ""},
		{"https://bedrock-runtime.us-east-1.amazonaws.com/model/anthropic.claude-3-haiku/invoke",
			"bedrock-anthropic", "anthropic.claude-3-haiku"},
		{"https://bedrock-runtime.us-east-1.amazonaws.com/model/meta.llama3/invoke", "", ""},
		{"https://bedrock-runtime.us-east-1.amazonaws.com/openai/v1/chat/completions",
			"openai-compatible", ""},
		{"https://bedrock-mantle.us-east-1.api.aws/v1/responses", "openai-responses", ""},
		{"https://api.mistral.ai/v1/chat/completions", "mistral", ""},
		{"https://api.cohere.com/v2/chat", "cohere", ""},
		{"https://api.cohere.com/v1/chat", "", ""},
		{"https://api.deepseek.com/chat/completions", "deepseek", ""},
		{"https://api.deepseek.com/anthropic/v1/messages", "deepseek-anthropic", ""},
		{"https://api.deepseek.com/anthropic/v1/messages/count_tokens", "deepseek-anthropic", ""},
		{"https://api.deepseek.com/responses", "deepseek-responses", ""},
		{"https://api.moonshot.cn/v1/chat/completions", "moonshot", ""},
		{"https://api.moonshot.ai/anthropic/v1/messages", "moonshot-anthropic", ""},
		{"https://api.kimi.com/coding/v1/messages", "moonshot-anthropic", ""},
		{"https://api.z.ai/api/anthropic/v1/messages", "glm-anthropic", ""},
		{"https://open.bigmodel.cn/api/anthropic/v1/messages", "glm-anthropic", ""},
		{"https://api.minimax.io/anthropic/v1/messages", "minimax-anthropic", ""},
		{"https://api.minimaxi.com/anthropic/v1/messages", "minimax-anthropic", ""},
		{"https://openrouter.ai/api/v1/messages", "openrouter-anthropic", ""},
		{"https://openrouter.ai/api/v1/responses", "openrouter-responses", ""},
		{"https://api.x.ai/v1/responses", "xai-responses", ""},
		{"https://api.githubcopilot.com/chat/completions", "openai-chat", ""},
		{"https://api.githubcopilot.com/responses", "copilot-responses", ""},
		{"https://api.individual.githubcopilot.com/responses", "copilot-responses", ""},
		{"https://api.githubcopilot.com/v1/messages", "anthropic", ""},
		{"https://my-resource.services.ai.azure.com/models/chat/completions?api-version=2024-05-01-preview",
			"azure", ""},
		{"https://my-resource.services.ai.azure.com/openai/v1/responses", "azure-responses", ""},
		// learn.microsoft.com/azure/foundry/how-to/develop/sdk-overview
		{"https://my-resource.services.ai.azure.com/api/projects/mine/openai/v1/responses",
			"azure-responses", ""},
		{"https://my-resource.services.ai.azure.com/api/projects/mine/openai/responses?api-version=v1",
			"azure-responses", ""},
		{"https://my-resource.services.ai.azure.com/api/projects/mine/openai/v1/chat/completions",
			"azure", ""},
		{"https://api.openai.com/v1/responses/compact", "openai-responses", ""},
		{"https://api.groq.com/openai/v1/responses", "openai-responses", ""},
		{"https://generativelanguage.googleapis.com/v1beta/models/gemini-3-pro:countTokens",
			"gemini", "gemini-3-pro"},
		{"https://dashscope-intl.aliyuncs.com/compatible-mode/v1/chat/completions", "qwen", ""},
		{"https://api.minimax.io/v1/chat/completions", "minimax", ""},
		{"https://api.z.ai/api/coding/paas/v4/chat/completions", "glm", ""},
		{"https://api.x.ai/v1/chat/completions", "xai", ""},
		{"https://api.groq.com/openai/v1/chat/completions", "groq", ""},
		{"https://openrouter.ai/api/v1/chat/completions", "openrouter", ""},
		{"http://localhost:11434/api/chat", "ollama", ""},
		{"http://localhost:11434/v1/chat/completions", "ollama-chat", ""},
		{"http://127.0.0.1:1234/v1/chat/completions", "chat-template", ""},
		{"http://localhost:8080/v1/chat/completions", "", ""},
		{"https://chatgpt.com/backend-api/codex/responses", "openai-responses", ""},
		{"https://chatgpt.com/backend-api/conversation", "", ""},
		{"https://chatgpt.com/v1/chat/completions", "", ""},
		{"https://router.huggingface.co/v1/chat/completions", "openai-compatible", ""},
		{"https://api.together.xyz/v1/chat/completions", "openai-compatible", ""},
		{"https://api.fireworks.ai/inference/v1/chat/completions", "openai-compatible", ""},
		{"https://api.deepinfra.com/v1/openai/chat/completions", "openai-compatible", ""},
		{"https://opencode.ai/zen/v1/messages", "anthropic", ""},
		{"https://opencode.ai/zen/v1/responses", "openai-responses", ""},
		{"https://adb-1.2.azuredatabricks.net/serving-endpoints/my-claude/invocations",
			"openai-compatible", "my-claude"},
		{"https://gateway.ai.cloudflare.com/v1/account/gateway/compat/chat/completions",
			"openai-compatible", ""},
		{"https://gateway.ai.cloudflare.com/v1/account/gateway/openai/chat/completions",
			"openai-chat", ""},
		{"https://gateway.ai.cloudflare.com/v1/account/gateway/anthropic/v1/messages",
			"anthropic", ""},
		{"https://api.cloudflare.com/client/v4/accounts/a/ai/v1/chat/completions",
			"openai-compatible", ""},
		{"https://models.github.ai/inference/chat/completions", "openai-compatible", ""},
		{"https://oai.helicone.ai/v1/responses", "openai-responses", ""},
		{"http://host.docker.internal:11434/api/chat", "ollama", ""},
		{"http://host.docker.internal:1234/v1/chat/completions", "chat-template", ""},
		{"http://[::1]:11434/v1/chat/completions", "ollama-chat", ""},
	}
	for _, tt := range tests {
		t.Run(tt.url, func(t *testing.T) {
			got, ok := new(Transport).match(httptest.NewRequest(http.MethodPost, tt.url, nil))
			require.Equal(t, tt.provider != "", ok)
			require.Equal(t, target{provider: tt.provider, model: tt.model}, got)
		})
	}
}

func TestMatchOwnEndpoints(t *testing.T) {
	transport := &Transport{
		Endpoints: []Endpoint{
			{Host: "localhost:8080", Provider: "chat-template"},
			{Host: "llm.svc.", Provider: "chat-template"},
			{Host: "[fd00::1]", Provider: "chat-template"},
			{Host: "fd00::2", Provider: "chat-template"},
			{Host: "[fd00::3]:8080", Provider: "chat-template"},
			{Host: "*.rooted.example.:8080", Provider: "chat-template"},
			{Host: "gateway.example", Path: "/llm/{model}/ask", Provider: "anthropic"},
			{Host: "*.guess.example", Path: "/ask"},
			{Host: "api.openai.com", Provider: Skip},
			{Path: "/anywhere", Provider: "gemini"},
		},
	}
	tests := []struct {
		url  string
		want target
		ok   bool
	}{
		{"http://localhost:8080/v1/chat/completions", target{provider: "chat-template", model: ""},
			true},
		// the path is another format's own
		{"http://localhost:8080/v1/messages", target{provider: "anthropic", model: ""}, true},
		{"http://localhost:8081/v1/chat/completions", target{}, false},
		// a name with its dot at the end is the same host
		{"http://llm.svc.:80/v1/chat/completions", target{provider: "chat-template"}, true},
		{"http://llm.svc/v1/chat/completions", target{provider: "chat-template"}, true},
		// a host without a port is meant at all ports, also where it is an address
		{"http://[fd00::1]:8000/v1/chat/completions", target{provider: "chat-template"}, true},
		{"http://[fd00::1]/v1/chat/completions", target{provider: "chat-template"}, true},
		{"http://[fd00::2]:8000/v1/chat/completions", target{provider: "chat-template"}, true},
		{"http://[fd00::3]:8080/v1/chat/completions", target{provider: "chat-template"}, true},
		{"http://[fd00::3]:8000/v1/chat/completions", target{}, false},
		{"http://a.rooted.example:8080/v1/chat/completions",
			target{provider: "chat-template"}, true},
		{"http://a.rooted.example.:8080/v1/chat/completions",
			target{provider: "chat-template"}, true},
		{"http://a.rooted.example:8081/v1/chat/completions", target{}, false},
		{"http://localhost:8080/metrics", target{}, false},
		{"https://gateway.example/a/llm/claude-x/ask",
			target{provider: "anthropic", model: "claude-x"}, true},
		{"https://gateway.example/llm//ask", target{}, false},
		{"https://gateway.example/v1/messages", target{}, false},
		{"https://a.b.guess.example/ask", target{provider: "", model: ""}, true},
		{"https://api.openai.com/v1/chat/completions", target{provider: Skip, model: ""}, false},
		{"https://api.openai.com/v1/responses", target{provider: Skip, model: ""}, false},
		{"https://else.example/anywhere", target{provider: "gemini", model: ""}, true},
		{"https://api.anthropic.com/v1/messages", target{provider: "anthropic", model: ""}, true},
	}
	for _, tt := range tests {
		got, ok := transport.match(httptest.NewRequest(http.MethodPost, tt.url, nil))
		require.Equal(t, tt.ok, ok, tt.url)
		require.Equal(t, tt.want, got, tt.url)
	}
}

// TestTables: the data names providers that are spoken, and no row comes after one that takes all
// of its requests.
func TestTables(t *testing.T) {
	providers := wire.Providers()
	for _, p := range paths {
		require.Contains(t, providers, p.provider, p.path)
	}
	for _, e := range Endpoints() {
		if e.Path != "" { // the path determines the format
			require.Contains(t, providers, e.Provider, e.Host)
			continue
		}
		if e.Provider != "" {
			require.Contains(t, slices.Concat(providers, wire.Vendors()), e.Provider, e.Host)
			require.True(t, speaksChat(e.Provider), e.Host)
		}
	}
	for _, p := range providers { // every format and dialect has a path or a host
		found := false
		for _, row := range paths {
			found = found || row.provider == p
		}
		for _, e := range endpoints {
			found = found || e.Provider == p
			for _, row := range paths {
				dialect, ok := wire.Dialect(e.Provider, row.provider)
				found = found || ok && dialect == p
			}
		}
		// vLLM runs on hosts of the caller's
		require.True(t, found || p == "vllm-anthropic", "%s has no endpoint", p)
	}
}

// TestCompatible: no host is listed twice, and each list has a source.
func TestCompatible(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range Endpoints() {
		require.False(t, seen[e.Host+e.Path], e.Host)
		seen[e.Host+e.Path] = true
	}
	for _, group := range compatible {
		require.Regexp(t, `^https://[^ ]+$`, group.source)
		require.NotEmpty(t, group.hosts)
	}
}

func TestEndpointsAreACopy(t *testing.T) {
	before := Endpoints()
	Endpoints()[0].Host = "elsewhere"
	require.Empty(t, cmp.Diff(before, Endpoints()))
}
