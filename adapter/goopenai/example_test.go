package preflightgoopenai_test

import (
	"context"
	"fmt"

	openai "github.com/sashabaranov/go-openai"

	"github.com/go-preflight/preflight"
	preflightgoopenai "github.com/go-preflight/preflight/adapter/goopenai"
	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/wire"
)

// The user has stopped a tool that may have done something: its call is answered, so that the model
// knows.
func ExampleRequest() {
	request := openai.ChatCompletionRequest{
		Model: "gpt-5.4",
		Messages: []openai.ChatCompletionMessage{
			{Role: "user", Content: "Deploy it."},
			{
				Role: "assistant",
				ToolCalls: []openai.ToolCall{
					{
						ID:       "call_1",
						Type:     "function",
						Function: openai.FunctionCall{Name: "deploy", Arguments: "{}"},
					},
				},
			},
			{Role: "user", Content: "Stop."},
		},
	}
	options := &wire.Options{Options: preflight.Options{Dangling: preflight.DanglingAnswer}}
	request, _, err := preflightgoopenai.Request(context.Background(), request, options)
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

// The client repairs each request, and what it repaired is kept in the history of the agent.
func ExampleHTTPClient() {
	server, err := preflighttest.Start("openai-chat", nil) // in place of the provider
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()
	config := openai.DefaultConfig("none")
	config.BaseURL = server.URL + "/v1"
	config.HTTPClient = preflightgoopenai.HTTPClient(config.HTTPClient, nil)
	client := openai.NewClientWithConfig(config)

	history := []openai.ChatCompletionMessage{
		{Role: "user", Content: "Build it."},
		{Role: "tool", ToolCallID: "call_1", Content: "built"}, // its call was trimmed away
		{Role: "user", Content: "What is the time?"},
	}
	ctx := preflightgoopenai.Keep(context.Background(), &history)
	response, err := client.CreateChatCompletion(ctx, openai.ChatCompletionRequest{
		Model: "gpt-5.4", Messages: history,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	history = append(history, response.Choices[0].Message)
	for _, m := range history {
		fmt.Println(m.Role, m.Content)
	}
	// Output:
	// user Build it.
	// user What is the time?
	// assistant ok
}
