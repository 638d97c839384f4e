package preflightgenai_test

import (
	"encoding/json"
	"testing"

	"google.golang.org/genai"

	"github.com/go-preflight/preflight/adapter"
	preflightgenai "github.com/go-preflight/preflight/adapter/genai"
	"github.com/go-preflight/preflight/internal/clienttest"
)

// TestLossless: what the provider accepted, as far as the SDK's types hold it.
func TestLossless(t *testing.T) {
	types := clienttest.Types[*genai.Content]{
		Providers: []string{"gemini"}, List: "contents", Repair: preflightgenai.Contents,
		Read: func(raw json.RawMessage) (c *genai.Content, err error) {
			return c, json.Unmarshal(raw, &c)
		},
		Same:  func(a, b *genai.Content) bool { return a == b },
		Equal: adapter.Equal, Inexact: adapter.ErrInexact, Least: 1000,
	}
	types.Run(t)
}
