package preflightollama_test

import (
	"encoding/json"
	"testing"

	"github.com/ollama/ollama/api"

	"github.com/go-preflight/preflight/adapter"
	preflightollama "github.com/go-preflight/preflight/adapter/ollama"
	"github.com/go-preflight/preflight/internal/clienttest"
)

// TestLossless: what the server accepted, as far as the SDK's types hold it.
func TestLossless(t *testing.T) {
	types := clienttest.Types[api.Message]{
		Providers: []string{"ollama"}, List: "messages", Repair: preflightollama.Messages,
		Read: func(raw json.RawMessage) (m api.Message, err error) {
			return m, json.Unmarshal(raw, &m)
		},
		Same: func(a, b api.Message) bool {
			one, _ := json.Marshal(a)
			other, _ := json.Marshal(b)
			return string(one) == string(other)
		},
		Equal: adapter.Equal, Inexact: adapter.ErrInexact, Least: 100,
	}
	types.Run(t)
}
