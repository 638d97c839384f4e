// Package modelname knows how hosts spell the names of models. Nothing else does: profiles,
// detection and measured profiles ask it.
package modelname

import (
	"slices"
	"strings"
)

// vendors are the prefixes that name the vendor of a model, as clouds write them before a dot:
// us.anthropic.claude-… and openai.gpt-….
var vendors = []string{
	"ai21", "amazon", "anthropic", "cohere", "deepseek", "google", "meta", "minimax", "mistral",
	"moonshot", "moonshotai", "nvidia", "openai", "qwen", "stability", "writer", "xai", "zai",
}

// routed are the names of providers that routers write before a colon. Others, as mistral, are
// models of Ollama's, whose tag comes after the colon.
var routed = []string{
	"anthropic", "openai", "google", "google-gla", "google-vertex", "google_genai", "google_vertexai",
	"bedrock", "bedrock_converse", "azure", "azure_openai", "openrouter",
}

// Bare returns a model's own name: lower case, with "-" for ".", without what gateways and clouds
// put before it, and Claude's family before its version, as Anthropic writes it:
//
//	anthropic/claude-4.6-sonnet                       claude-sonnet-4-6
//	anthropic--claude-4.6-sonnet                      claude-sonnet-4-6
//	bedrock/us.anthropic.claude-sonnet-4-6-v1:0       claude-sonnet-4-6-v1:0
//	publishers/anthropic/models/claude-opus-5@default claude-opus-5@default
//	google-vertex:gemini-3.6-flash                    gemini-3-6-flash
func Bare(name string) string {
	name = strings.ToLower(strings.TrimSpace(name))
	if k := strings.LastIndexByte(name, '/'); k >= 0 {
		name = name[k+1:]
	}
	if head, rest, _ := strings.Cut(name, ":"); slices.Contains(routed, head) && rest != "" {
		name = rest
	}
	for _, before := range []string{"anthropic.", "anthropic--"} {
		if k := strings.LastIndex(name, before); k >= 0 {
			name = name[k+len(before):]
		}
	}
	name = strings.ReplaceAll(name, ".", "-")
	return familyFirst(strings.TrimPrefix(name, "databricks-"))
}

// families are the families of Claude that have versions of their own. Those of the third
// generation are named by their version first.
var families = []string{"opus", "sonnet", "haiku", "fable", "mythos"}

// familyFirst returns claude-4-6-sonnet… as claude-sonnet-4-6….
func familyFirst(name string) string {
	rest, ok := strings.CutPrefix(name, "claude-")
	if !ok || rest == "" || rest[0] < '4' || rest[0] > '9' {
		return name
	}
	parts := strings.Split(rest, "-")
	for k := 1; k < min(len(parts), 3); k++ {
		if slices.Contains(families, parts[k]) {
			family := parts[k]
			return "claude-" + family + "-" + strings.Join(slices.Delete(parts, k, k+1), "-")
		}
	}
	return name
}

// Vendorless returns a bare name without the vendor that a cloud writes before it, and without the
// region before that: openai-gpt-5 is gpt-5.
func Vendorless(name string) string {
	bare := Bare(name)
	head := strings.ToLower(strings.TrimSpace(name))
	if k := strings.LastIndexByte(head, '/'); k >= 0 {
		head = head[k+1:]
	}
	first, rest, found := strings.Cut(head, ".")
	if found && len(first) <= len("global") && !slices.Contains(vendors, first) {
		first, rest, found = strings.Cut(rest, ".")
	}
	if found && slices.Contains(vendors, first) {
		return Bare(rest)
	}
	return bare
}
