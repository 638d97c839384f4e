package preflightgoopenai_test

import (
	"encoding/json"
	"testing"

	"github.com/go-preflight/preflight/adapter"
	preflightgoopenai "github.com/go-preflight/preflight/adapter/goopenai"
	"github.com/go-preflight/preflight/internal/clienttest"
)

// TestLossless: what the providers accepted, as far as the SDK's types hold it.
func TestLossless(t *testing.T) {
	types := clienttest.Types[message]{
		Providers: []string{
			"openai-chat", "openai-compatible", "openrouter", "mistral", "deepseek", "groq", "azure",
		},
		List: "messages", Repair: preflightgoopenai.Messages,
		Read: func(raw json.RawMessage) (m message, err error) {
			return m, json.Unmarshal(raw, &m)
		},
		Same: client.Same, Equal: adapter.Equal, Inexact: adapter.ErrInexact, Least: 1000,
	}
	types.Run(t)
}
