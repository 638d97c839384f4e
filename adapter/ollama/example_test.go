package preflightollama_test

import (
	"context"
	"fmt"
	"net/url"

	"github.com/ollama/ollama/api"

	preflightollama "github.com/go-preflight/preflight/adapter/ollama"
	"github.com/go-preflight/preflight/preflighttest"
)

// A retry has recorded a result twice.
func ExampleRequest() {
	request := &api.ChatRequest{
		Model: "qwen3",
		Messages: []api.Message{
			{Role: "user", Content: "Deploy it."},
			{
				Role:      "assistant",
				ToolCalls: []api.ToolCall{{Function: api.ToolCallFunction{Name: "deploy"}}},
			},
			{Role: "tool", ToolName: "deploy", Content: "done"},
			{Role: "tool", ToolName: "deploy", Content: "done"},
		},
	}
	request, _, err := preflightollama.Request(context.Background(), request, nil)
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
	// tool "done"
}

// The client repairs each request, and what it repaired is kept in the history of the agent.
func ExampleHTTPClient() {
	server, err := preflighttest.Start("ollama", nil) // in place of Ollama
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()
	base, err := url.Parse(server.URL)
	if err != nil {
		fmt.Println(err)
		return
	}
	client := api.NewClient(base, preflightollama.HTTPClient(nil, nil))

	history := []api.Message{
		{Role: "user", Content: "Build it."},
		{
			Role:      "assistant",
			ToolCalls: []api.ToolCall{{Function: api.ToolCallFunction{Name: "build"}}},
		},
		{Role: "tool", ToolName: "build", Content: "built"},
		{Role: "tool", ToolName: "build", Content: "built"}, // recorded twice
	}
	ctx := preflightollama.Keep(context.Background(), &history)
	request := &api.ChatRequest{Model: "qwen3", Messages: history}
	err = client.Chat(ctx, request, func(r api.ChatResponse) error {
		fmt.Print(r.Message.Content)
		return nil
	})
	fmt.Println()
	if err != nil {
		fmt.Println(err)
	}
	for _, m := range history {
		fmt.Printf("%s %q\n", m.Role, m.Content)
	}
	// Output:
	// ok
	// user "Build it."
	// assistant ""
	// tool "built"
}
