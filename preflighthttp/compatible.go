package preflighthttp

// This file is the hosts that speak OpenAI's Chat format, with no more known of them, as data: what
// every such host refuses is repaired there, and nothing else. Requests to them in another format
// follow the rules of that format for their model.

// compatibleProvider is what these hosts speak.
const compatibleProvider = "openai-compatible"

// Where the addresses are from.
const (
	// the field "api" of provider.toml, a directory for each host
	srcModelsDev = "https://github.com/anomalyco/models.dev/tree/dev/providers"
	// "api_endpoint", a file for each host
	srcCatwalk = "https://github.com/charmbracelet/catwalk/tree/main/internal/providers/configs"
	// openai_compatible_endpoints
	srcLiteLLM = "https://github.com/BerriAI/litellm/blob/main/litellm/constants.py"
	// the default addresses of its providers
	srcLiteLLMBases = "https://github.com/BerriAI/litellm/blob/main/litellm/litellm_core_utils/" +
		"get_llm_provider_logic.py"
	srcCloudflare = "https://developers.cloudflare.com/ai-gateway/chat-completion/"
	srcPortkey    = "https://portkey.ai/docs/provider-endpoints/chat"
	srcDatabricks = "https://docs.databricks.com/en/machine-learning/foundation-model-apis/" +
		"api-reference.html"
	srcPydanticAI = "https://github.com/pydantic/pydantic-ai/tree/main/tests/models/cassettes"
	srcCrush      = "https://github.com/charmbracelet/crush/tree/main/internal/agent/testdata"
	srcTogether   = "https://github.com/Arize-ai/openinference/tree/main/python/instrumentation/" +
		"openinference-instrumentation-together/tests"
	srcPydantic = "https://github.com/pydantic/logfire/tree/main/tests/otel_integrations/cassettes"
	srcParasail = "https://www.lava.so/docs/gateway/providers/parasail"
	srcHunyuan  = "https://trtc.io/document/79679"
	srcBytePlus = "https://docs.getbifrost.ai/providers/supported-providers/byteplus"
	srcBases    = "https://dyrnq.com/openai-compatible-base-url-provided-by-cloud/"
	srcDocker   = "https://docs.docker.com/ai/model-runner/api-reference/"
)

// compatible lists the hosts by source.
var compatible = []struct {
	source string
	hosts  []string
}{
	{srcLiteLLM, []string{
		"ai-gateway.helicone.ai", "ai-gateway.vercel.sh", "api.clarifai.com", "api.deepinfra.com",
		"api.endpoints.anyscale.com", "api.featherless.ai", "api.friendli.ai", "api.galadriel.ai",
		"api.hyperbolic.xyz", "api.inference.wandb.ai", "api.lambda.ai", "api.llama.com",
		"api.morphllm.com", "api.perplexity.ai", "api.poe.com", "api.publicai.co",
		"api.sambanova.ai", "api.stima.tech", "api.studio.nebius.ai", "api.synthetic.new",
		"api.together.xyz", "api.v0.dev", "app.empower.dev", "inference.api.nscale.com",
		"llm.chutes.ai", "nano-gpt.com",
	}},
	{srcLiteLLMBases, []string{
		"api.ai21.com", "api.galadriel.com",
		"models.inference.ai.azure.com",
	}},
	{srcCatwalk, []string{
		"aihubmix.com", "api.atlascloud.ai", "api.avian.io", "api.cortecs.ai",
		"api.fireworks.ai", "api.intelligence.io.solutions", "api.neuralwatt.com",
		"api.pioneer.ai", "api.qnaigc.com", "api.scaleway.ai", "api.tokenfactory.nebius.com",
		"api.venice.ai", "inference.baseten.co", "opencode.ai", "router.huggingface.co",
	}},
	{srcModelsDev, []string{
		"ai.routing.sh", "api-inference.modelscope.cn", "api.302.ai", "api.ambient.xyz",
		"api.berget.ai", "api.gmi-serving.com", "api.inceptionlabs.ai", "api.jiekou.ai",
		"api.kilo.ai", "api.lkeap.cloud.tencent.com", "api.llmgateway.io", "api.nova.amazon.com",
		"api.novita.ai", "api.orcarouter.ai", "api.regolo.ai", "api.sarvam.ai",
		"api.siliconflow.cn", "api.siliconflow.com", "api.stepfun.ai", "api.stepfun.com",
		"api.upstage.ai", "api.vultrinference.com", "api.xiaomimimo.com", "apis.iflow.cn",
		"cloud-api.near.ai", "go.fastrouter.ai", "inference.do-ai.run", "inference.net",
		"api.inference.net", "inference.poolside.ai", "inference.tinfoil.sh", "llm.submodel.ai",
		"models.github.ai", "oai.endpoints.kepler.ai.cloud.ovh.net", "ollama.com",
		"pass.wafer.ai", "router.requesty.ai", "routellm.abacus.ai",
		"token-plan-*.xiaomimimo.com", "tokenhub.tencentmaas.com", "zenmux.ai",
		"*.snowflakecomputing.com", "api.cloudflare.com",
	}},
	{srcCloudflare, []string{"gateway.ai.cloudflare.com"}},
	{srcPortkey, []string{"api.portkey.ai"}},
	{srcDatabricks, []string{
		"*.cloud.databricks.com", "*.gcp.databricks.com", "*.azuredatabricks.net",
	}},
	{srcParasail, []string{"api.parasail.io"}},
	{srcHunyuan, []string{"hunyuan.cloud.tencent.com"}},
	{srcBytePlus, []string{"ark.*.bytepluses.com"}},
	{srcBases, []string{"api.hunyuan.cloud.tencent.com"}},
	// recorded requests
	{srcPydanticAI, []string{"api.inference.crusoecloud.com"}},
	{srcCrush, []string{"hyper.charm.land"}},
	{srcTogether, []string{"api.together.ai"}},
	{srcPydantic, []string{"gateway.pydantic.dev"}},
	{srcDocker, []string{
		"localhost:12434", "127.0.0.1:12434", "model-runner.docker.internal",
		"host.docker.internal",
	}},
}

// compatibleEndpoints returns the endpoints of compatible.
func compatibleEndpoints() []Endpoint {
	var out []Endpoint
	for _, group := range compatible {
		for _, host := range group.hosts {
			out = append(out, Endpoint{Host: host, Provider: compatibleProvider})
		}
	}
	return out
}
