package preflightotel

import (
	"os"
	"strings"
	"testing"

	"github.com/go-preflight/preflight/wire"
)

// conventions are the values of gen_ai.provider.name that the conventions of conventionsVersion
// list, in model/gen-ai/registry.yaml.
var conventions = map[string]bool{
	"anthropic": true, "aws.bedrock": true, "azure.ai.inference": true, "azure.ai.openai": true,
	"cohere": true, "deepseek": true, "gcp.gen_ai": true, "gcp.gemini": true,
	"gcp.vertex_ai": true, "groq": true, "ibm.watsonx.ai": true, "mistral_ai": true,
	"moonshot_ai": true, "openai": true, "perplexity": true, "x_ai": true,
}

// others are providers that the conventions do not list: they keep the vendor's name.
var others = map[string]bool{
	"ollama": true, "openrouter": true, "qwen": true, "minimax": true,
	"glm": true, "cerebras": true, "volcengine": true, "nvidia": true, "vllm": true,
	"copilot": true, "openai-compatible": true, "chat-template": true,
}

// Every provider has the name of the conventions, if they have one.
func TestNames(t *testing.T) {
	for _, p := range append(wire.Providers(), wire.Vendors()...) {
		if name := providerOf(p, ""); !conventions[name] && !others[name] {
			t.Errorf("%s has the name %s, which is in neither conventions nor others", p, name)
		}
	}
	for _, c := range []struct{ provider, host, want string }{
		{"openai-chat", "x.openai.azure.com:443", "azure.ai.openai"},
		{"gemini", "europe-west1-aiplatform.googleapis.com", "gcp.vertex_ai"},
		{"anthropic", "bedrock-runtime.us-east-1.amazonaws.com", "aws.bedrock"},
		{"anthropic", "127.0.0.1:4000", "anthropic"},
		{"openai-compatible", "[::1]:80", "openai-compatible"},
		{"openai-chat", "api.moonshot.cn", "moonshot_ai"},
	} {
		if got := providerOf(c.provider, c.host); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// The documentation names the version of the conventions.
func TestConventionsVersion(t *testing.T) {
	page, err := os.ReadFile("../../docs/otel.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), "`"+conventionsVersion+"`") {
		t.Errorf("docs/otel.md does not name %s", conventionsVersion)
	}
}
