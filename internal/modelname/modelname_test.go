package modelname_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/internal/modelname"
)

// TestBare: how hosts spell the names of models.
func TestBare(t *testing.T) {
	for name, want := range map[string]string{
		"":                      "",
		" Claude-Sonnet-4-6 ":   "claude-sonnet-4-6",
		"claude-4-sonnet":       "claude-sonnet-4",
		"claude-3-5-sonnet":     "claude-3-5-sonnet",
		"claude-4.6-opus-max":   "claude-opus-4-6-max",
		"claude-opus-4-6[1m]":   "claude-opus-4-6[1m]",
		"claude-sonnet-4-6@x":   "claude-sonnet-4-6@x",
		"gpt-6.2-astra":         "gpt-6-2-astra",
		"models/gemini-3.8-pro": "gemini-3-8-pro",

		"anthropic/claude-4.6-sonnet-20260217":                        "claude-sonnet-4-6-20260217",
		"anthropic:claude-opus-4-6":                                   "claude-opus-4-6",
		"google-vertex:gemini-3.6-flash":                              "gemini-3-6-flash",
		"mistral:7b-instruct":                                         "mistral:7b-instruct",
		"openai:":                                                     "openai:",
		"anthropic--claude-4.6-sonnet":                                "claude-sonnet-4-6",
		"databricks-claude-sonnet-4-6":                                "claude-sonnet-4-6",
		"vertex_ai/claude-opus-4-8@20260101":                          "claude-opus-4-8@20260101",
		"bedrock/converse/us.anthropic.claude-opus-4-8-v1:0":          "claude-opus-4-8-v1:0",
		"arn:aws:bedrock:x:1:profile/us.anthropic.claude-opus-4-6-v1": "claude-opus-4-6-v1",
		"publishers/anthropic/models/claude-opus-5@default":           "claude-opus-5@default",
	} {
		require.Equal(t, want, modelname.Bare(name), name)
	}
}

// TestVendorless: the vendors and regions that clouds write before a dot.
func TestVendorless(t *testing.T) {
	for name, want := range map[string]string{
		"us.openai.gpt-5.6-sol":       "gpt-5-6-sol",
		"openai.gpt-oss-120b-1:0":     "gpt-oss-120b-1:0",
		"global.amazon.nova-2-lite":   "nova-2-lite",
		"openrouter/openai/gpt-6.2":   "gpt-6-2",
		"gpt-5.6":                     "gpt-5-6",
		"some.model":                  "some-model",
		"anthropic.claude-sonnet-4-6": "claude-sonnet-4-6",
	} {
		require.Equal(t, want, modelname.Vendorless(name), name)
	}
}
