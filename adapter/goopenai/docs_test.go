package preflightgoopenai_test

import (
	"strings"
	"testing"

	"github.com/go-preflight/preflight/internal/snippets"
	"github.com/go-preflight/preflight/preflighttest"
)

// TestDocs type-checks the code in the documentation that uses this module.
func TestDocs(t *testing.T) {
	checker := snippets.Checker{
		Imports: map[string]string{
			"context":           "context",
			"openai":            "github.com/sashabaranov/go-openai",
			"preflightgoopenai": "github.com/go-preflight/preflight/adapter/goopenai",
		},
		Variables: `
			var ctx context.Context
			var key string
			var client *openai.Client
			var history []openai.ChatCompletionMessage
			var request openai.ChatCompletionRequest
		`,
	}
	if err := checker.CheckModule("preflightgoopenai"); err != nil {
		t.Error(err)
	}
}

// TestPrograms runs the programs in the documentation against a strict fake.
func TestPrograms(t *testing.T) {
	server, err := preflighttest.Start("openai-chat", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	printed, err := snippets.RunPrograms("preflightgoopenai",
		"OPENAI_BASE_URL="+server.URL+"/v1", "OPENAI_API_KEY=none")
	if err != nil {
		t.Fatal(err)
	}
	for _, out := range printed {
		if !strings.Contains(out, "ok") { // the fake's answer
			t.Errorf("printed %q", out)
		}
	}
	if n := len(server.Requests()); n != len(printed) {
		t.Errorf("%d requests of %d programs", n, len(printed))
	}
}
