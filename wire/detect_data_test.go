package wire_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/wire"
)

// known is a body of the test data, and whose it is.
type known struct {
	name, provider string
	body           []byte
}

// knownBodies are all bodies of the test data whose provider is one that we speak: the rules'
// failing requests and golden cases, peers' among them.
func knownBodies(t *testing.T) []known {
	var out []known
	data, err := os.ReadFile("../testdata/rules/failing.json")
	require.NoError(t, err)
	var requests []failing
	require.NoError(t, json.Unmarshal(data, &requests))
	for _, f := range requests {
		if !otherAPI[f.ID] {
			out = append(out, known{"rule " + f.ID, f.Provider, f.Request})
		}
	}
	paths, err := filepath.Glob("testdata/golden/*.txtar")
	require.NoError(t, err)
	peers, err := filepath.Glob("../testdata/peers/*/*.txtar")
	require.NoError(t, err)
	for _, path := range append(paths, peers...) {
		c := readGolden(t, path)
		provider := c.options.Provider
		elsewhere, err := filepath.Glob(strings.TrimSuffix(path, ".txtar") + ".*.txtar")
		require.NoError(t, err)
		if provider == "" || len(elsewhere) > 0 { // the host that the body is meant for has its own
			continue
		}
		if isHost(provider) {
			provider = spoken(provider) // no body shows such a host
		}
		for _, name := range []string{"input.json", "output.json"} {
			body := c.archive.Get(name)
			out = append(out, known{"golden " + filepath.Base(path) + " " + name, provider, body})
		}
	}
	return slices.DeleteFunc(out,
		func(k known) bool { return !slices.Contains(wire.Providers(), k.provider) })
}

// isDialect reports whether a provider is a dialect of openai-chat.
func isDialect(provider string) bool {
	return provider != "openai-chat" && spoken(provider) == "openai-chat"
}

// speaksChat reports whether a provider's format is openai-chat, or close to it.
func speaksChat(provider string) bool {
	return isDialect(provider) || slices.Contains([]string{"mistral", "cohere", "ollama"}, provider)
}

// otherWire are bodies of the test data in the wire format of another provider, which nothing in
// them contradicts: requests to a host's endpoint that is compatible with that one's.
var otherWire = map[string]string{
	// A system message first is what gateways to Claude are sent.
	"rule anthropic/system-role-leading":                  "openai-chat",
	"golden system_hoisted_string.txtar input.json":       "openai-chat",
	"golden system_settings_beside_text.txtar input.json": "openai-chat",

	// The model is Mistral's, and nothing in the body says that a chat template is between.
	"golden bridge_assistant_after_tool.chat-template.txtar input.json":  "mistral",
	"golden bridge_assistant_after_tool.chat-template.txtar output.json": "mistral",
	"golden mistral_tool_then_user.chat-template.txtar input.json":       "mistral",
	"golden mistral_tool_then_user.chat-template.txtar output.json":      "mistral",

	"rule ollama/anthropic-compat":       "anthropic",
	"rule ollama/arguments-invalid-json": "openai-chat",
	"rule ollama/arguments-object":       "openai-chat",
	"rule ollama/cloud-pairing":          "openai-chat",
	"rule ollama/content-format":         "openai-chat",
	"rule ollama/pairing-not-validated":  "openai-chat",
	"rule qwen/content-missing":          "glm", // the model of its vendor, on DashScope
}

// TestDetectData: detection names the right provider for every body of the test data, or refuses it
// and names the right one among those it might be. A body that shows nothing of its host counts as
// the format that the host speaks.
func TestDetectData(t *testing.T) {
	bodies := knownBodies(t)
	right := 0
	for _, k := range bodies {
		t.Run(k.name, func(t *testing.T) {
			takes := []string{k.provider, spoken(k.provider)}
			if other, ok := otherWire[k.name]; ok {
				takes = []string{other}
			}
			got, err := wire.Detect(k.body)
			var ambiguous *wire.Error
			if errors.As(err, &ambiguous) && ambiguous.Reason == wire.ErrAmbiguousProvider {
				require.True(
					t,
					slices.ContainsFunc(
						takes,
						func(name string) bool {
							return slices.Contains(ambiguous.Providers, name)
						},
					),
					"candidates are %v",
					ambiguous.Providers,
				)
				return
			}
			require.NoError(t, err)
			if slices.Contains(takes, "openai-chat") { // of a model that OpenAI does not serve
				takes = append(takes, "openai-compatible")
			}
			require.Contains(t, takes, got)
			if got == k.provider {
				right++
			}
		})
	}
	require.Greater(t, right, len(bodies)*9/10, "few bodies are recognised for what they are")
}
