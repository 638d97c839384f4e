package preflightotel

import (
	"cmp"
	"strings"
)

// This file has the names of providers in OpenTelemetry's conventions for generative AI.

// conventionsVersion is the version of the conventions that the names are from. They have a
// repository of their own, open-telemetry/semantic-conventions-genai, which has made no release;
// this is the schema that its main branch declares. It can be fetched from nowhere, so that no
// scope of this package names it.
const conventionsVersion = "gen-ai-dev/1.42.0-dev"

// conventional are the conventions' names by preflight's, where they differ.
var conventional = map[string]string{
	"openai-chat": "openai", "openai-responses": "openai",
	"azure": "azure.ai.openai", "azure-responses": "azure.ai.openai",
	"bedrock": "aws.bedrock", "bedrock-anthropic": "aws.bedrock",
	"gemini": "gcp.gemini", "gemini-chat": "gcp.gemini", "gemini-interactions": "gcp.gemini",
	"vertex": "gcp.vertex_ai", "vertex-gemini": "gcp.vertex_ai", "vertex-anthropic": "gcp.vertex_ai",
	"mistral": "mistral_ai",
	// open-telemetry/semantic-conventions-genai#99
	"moonshot": "moonshot_ai",
	"xai":      "x_ai", "xai-responses": "x_ai",
}

// hosts are the providers of hosts that speak the format of another, by how their names end.
var hosts = []struct{ end, name string }{
	{".openai.azure.com", "azure.ai.openai"},
	{".services.ai.azure.com", "azure.ai.inference"},
	{".models.ai.azure.com", "azure.ai.inference"},
	{"aiplatform.googleapis.com", "gcp.vertex_ai"},
	{"generativelanguage.googleapis.com", "gcp.gemini"},
	{".amazonaws.com", "aws.bedrock"},
	{"api.perplexity.ai", "perplexity"},
	{".ml.cloud.ibm.com", "ibm.watsonx.ai"},
	{"api.groq.com", "groq"},
	{"api.deepseek.com", "deepseek"},
	{"api.mistral.ai", "mistral_ai"},
	{"api.x.ai", "x_ai"},
	{"api.cohere.com", "cohere"},
	{"api.moonshot.ai", "moonshot_ai"},
	{"api.moonshot.cn", "moonshot_ai"},
}

// providerOf returns the name of a provider in the conventions: by the host where that is known,
// else by preflight's name of the format or dialect. Where the conventions have none, it is the
// vendor's.
func providerOf(provider, host string) string {
	host = strings.ToLower(host)
	if k := strings.LastIndexByte(host, ':'); k > strings.LastIndexByte(host, ']') {
		host = host[:k]
	}
	for _, h := range hosts {
		if strings.HasSuffix(host, h.end) {
			return h.name
		}
	}
	if name, ok := conventional[provider]; ok {
		return name
	}
	for _, format := range []string{"-anthropic", "-responses", "-gemini", "-chat"} {
		if vendor, ok := strings.CutSuffix(provider, format); ok {
			return cmp.Or(conventional[vendor], vendor)
		}
	}
	return provider
}
