package preflightollama_test

import (
	"context"
	"fmt"

	"github.com/ollama/ollama/api"

	"github.com/go-preflight/preflight"
	preflightollama "github.com/go-preflight/preflight/adapter/ollama"
	"github.com/go-preflight/preflight/wire"
)

// The user has stopped a tool that may have done something: its call is answered, so that the model
// knows.
func ExampleRequest() {
	request := &api.ChatRequest{
		Model: "qwen3",
		Messages: []api.Message{
			{Role: "user", Content: "Deploy it."},
			{
				Role:      "assistant",
				ToolCalls: []api.ToolCall{{Function: api.ToolCallFunction{Name: "deploy"}}},
			},
			{Role: "user", Content: "Stop."},
		},
	}
	options := &wire.Options{Sanitize: preflight.Options{Dangling: preflight.DanglingAnswer}}
	request, _, err := preflightollama.Request(context.Background(), request, options)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range request.Messages {
		fmt.Printf("%s %q\n", m.Role, m.Content)
	}
	// Output:
	// user "Deploy it."
	// assistant ""
	// tool "Tool call was interrupted before a result was recorded."
	// user "Stop."
}
