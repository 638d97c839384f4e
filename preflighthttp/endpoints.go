package preflighthttp

import "slices"

// This file is the endpoints that are known, as data. A host and a path have to be known both: many
// services have a /messages.

// chatFormat is the format that the dialects share.
const chatFormat = "openai-chat"

// paths tell the format of a body. They are the ends of paths, since hosts and proxies put things
// before them. The first that fits counts.
//
// Requests that count tokens hold the same history under the same rules, and the count is of what
// will be sent, so they are repaired like the requests themselves.
//
// Sources: the paths that anthropic-sdk-go@v1.84.0 (with its packages vertex, bedrock, foundry,
// googlecloud and aws), openai-go/v3@v3.95.0 (with azure), genai@v1.77.0 and ollama@v0.17.4 (api)
// write; docs.cohere.com/v2/reference/chat; docs.aws.amazon.com/bedrock/latest/userguide/apis.html;
// docs.cloud.google.com/vertex-ai/generative-ai/docs/start/express-mode/vertex-ai-express-mode-api-reference.
var paths = []struct {
	path     string
	provider string
	model    string // what the model's name holds where the path alone does not tell the format
	shared   bool   // the provider's own path is OpenAI Chat's
}{
	{path: "/v1/messages", provider: "anthropic"},
	{path: "/v1/messages/count_tokens", provider: "anthropic"},
	{path: "/publishers/anthropic/models/count-tokens:rawPredict", provider: "anthropic"},
	{path: "/publishers/anthropic/models/{model}:rawPredict", provider: "anthropic"},
	{path: "/publishers/anthropic/models/{model}:streamRawPredict", provider: "anthropic"},
	{path: "/model/{model}/invoke", provider: "anthropic", model: "anthropic."},
	{
		path: "/model/{model}/invoke-with-response-stream", provider: "anthropic",
		model: "anthropic.",
	},
	{path: "/chat/completions", provider: chatFormat},
	{path: "/serving-endpoints/{model}/invocations", provider: chatFormat}, // Databricks
	{path: "/responses", provider: "openai-responses"},
	{path: "/responses/compact", provider: "openai-responses"},
	{path: "/responses/input_tokens", provider: "openai-responses"},
	{path: "/models/{model}:generateContent", provider: "gemini"},
	{path: "/models/{model}:streamGenerateContent", provider: "gemini"},
	{path: "/models/{model}:countTokens", provider: "gemini"},
	{path: "/tunedModels/{model}:generateContent", provider: "gemini"},
	{path: "/tunedModels/{model}:streamGenerateContent", provider: "gemini"},
	{path: "/endpoints/{model}:generateContent", provider: "gemini"},
	{path: "/endpoints/{model}:streamGenerateContent", provider: "gemini"},
	{path: "/v1beta/interactions", provider: "gemini-interactions"},
	{path: "/v1/interactions", provider: "gemini-interactions"},
	{path: "/model/{model}/converse", provider: "bedrock"},
	{path: "/model/{model}/converse-stream", provider: "bedrock"},
	{path: "/publishers/mistralai/models/{model}:rawPredict", provider: "mistral", shared: true},
	{
		path: "/publishers/mistralai/models/{model}:streamRawPredict", provider: "mistral",
		shared: true,
	},
	{path: "/v2/chat", provider: "cohere"},
	{path: "/api/chat", provider: "ollama"},
}

// endpoints are the hosts, each with the vendor, or the dialect of OpenAI's Chat format that it
// speaks. Hosts that are only known to speak that format are in compatible.go.
//
// Sources beside those of the paths: www.alibabacloud.com/help/en/model-studio/base-url; the base
// addresses that the hosts' own documentation gives for their APIs compatible with OpenAI's, which
// github.com/siyuan-note/siyuan (app/src/config/tabs/ai/aiProviderPresets.ts) lists too;
// docs.aws.amazon.com/bedrock/latest/userguide/inference-responses-api.html;
// github.com/openai/codex (codex-rs/model-provider-info);
// developers.cloudflare.com/ai-gateway/usage/ providers;
// docs.helicone.ai/integrations/openai/python.
var endpoints = append([]Endpoint{
	{Host: "api.anthropic.com"},
	{Host: "claude.googleapis.com", Provider: "vertex"},
	{Host: "aws-external-anthropic.*.api.aws"},

	{Host: "api.openai.com", Provider: "openai"},
	{Host: "*.api.openai.com", Provider: "openai"},
	{Host: "chatgpt.com", Path: "/backend-api/codex/responses", Provider: "openai-responses"},
	{Host: "chatgpt.com", Path: "/backend-api/codex/responses/compact",
		Provider: "openai-responses"},
	{Host: "api.githubcopilot.com", Provider: "copilot"},
	{Host: "*.githubcopilot.com", Provider: "copilot"},

	{Host: "*.openai.azure.com", Provider: "azure"},
	{Host: "*.services.ai.azure.com", Provider: "azure"},
	{Host: "*.cognitiveservices.azure.com", Provider: "azure"},

	{Host: "generativelanguage.googleapis.com", Provider: "gemini-chat"},
	{Host: "aiplatform.googleapis.com", Provider: "vertex"},
	{Host: "*-aiplatform.googleapis.com", Provider: "vertex"},
	{Host: "aiplatform.*.rep.googleapis.com", Provider: "vertex"},

	{Host: "bedrock-runtime.*.amazonaws.com", Provider: "bedrock"},
	{Host: "bedrock-runtime-fips.*.amazonaws.com", Provider: "bedrock"},
	{Host: "bedrock-mantle.*.api.aws", Provider: "bedrock"},

	{Host: "api.mistral.ai", Provider: "mistral"},
	{Host: "codestral.mistral.ai", Provider: "mistral"},
	{Host: "api.cohere.com"},
	{Host: "api.cohere.ai"},
	{Host: "api.deepseek.com", Provider: "deepseek"},
	{Host: "api.moonshot.ai", Provider: "moonshot"},
	{Host: "api.moonshot.cn", Provider: "moonshot"},
	{Host: "api.kimi.com", Provider: "moonshot"},
	{Host: "dashscope.aliyuncs.com", Provider: "qwen"},
	{Host: "dashscope-intl.aliyuncs.com", Provider: "qwen"},
	{Host: "dashscope-us.aliyuncs.com", Provider: "qwen"},
	{Host: "cn-hongkong.dashscope.aliyuncs.com", Provider: "qwen"},
	{Host: "coding.dashscope.aliyuncs.com", Provider: "qwen"},
	{Host: "coding-intl.dashscope.aliyuncs.com", Provider: "qwen"},
	{Host: "*.maas.aliyuncs.com", Provider: "qwen"},
	{Host: "api.minimax.io", Provider: "minimax"},
	{Host: "api.minimax.cn", Provider: "minimax"},
	{Host: "api.minimaxi.com", Provider: "minimax"},
	{Host: "open.bigmodel.cn", Provider: "glm"},
	{Host: "api.z.ai", Provider: "glm"},
	{Host: "api.x.ai", Provider: "xai"},
	{Host: "api.groq.com", Provider: "groq"},
	{Host: "api.cerebras.ai", Provider: "cerebras"},
	{Host: "ark.*.volces.com", Provider: "volcengine"},
	{Host: "integrate.api.nvidia.com", Provider: "nvidia"},
	{Host: "openrouter.ai", Provider: "openrouter"},

	// gateways that pass a request on to the provider that the path or the host names
	{Host: "gateway.ai.cloudflare.com", Path: "/openai/chat/completions", Provider: "openai-chat"},
	{Host: "gateway.ai.cloudflare.com", Path: "/groq/chat/completions", Provider: "groq"},
	{Host: "gateway.ai.cloudflare.com", Path: "/deepseek/chat/completions", Provider: "deepseek"},
	{Host: "gateway.ai.cloudflare.com", Path: "/mistral/v1/chat/completions", Provider: "mistral"},
	{Host: "gateway.ai.cloudflare.com", Path: "/openrouter/v1/chat/completions",
		Provider: "openrouter"},
	{Host: "oai.helicone.ai", Provider: "openai"},

	{Host: "localhost:11434", Provider: "ollama-chat"}, // Ollama
	{Host: "127.0.0.1:11434", Provider: "ollama-chat"},
	{Host: "0.0.0.0:11434", Provider: "ollama-chat"},
	{Host: "[::1]:11434", Provider: "ollama-chat"},
	{Host: "host.docker.internal:11434", Provider: "ollama-chat"},
	{Host: "localhost:1234", Provider: "chat-template"}, // LM Studio
	{Host: "127.0.0.1:1234", Provider: "chat-template"},
	{Host: "0.0.0.0:1234", Provider: "chat-template"},
	{Host: "[::1]:1234", Provider: "chat-template"},
	{Host: "host.docker.internal:1234", Provider: "chat-template"},
}, compatibleEndpoints()...)

// Endpoints returns the known endpoints in a fresh slice. Transport.Endpoints come before them.
func Endpoints() []Endpoint { return slices.Clone(endpoints) }
