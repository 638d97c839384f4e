package preflightanyllm_test

import (
	"context"
	"fmt"

	"github.com/mozilla-ai/any-llm-go/config"
	"github.com/mozilla-ai/any-llm-go/providers"
	"github.com/mozilla-ai/any-llm-go/providers/openai"

	preflightanyllm "github.com/go-preflight/preflight/adapter/anyllm"
	"github.com/go-preflight/preflight/preflighttest"
)

// The user has stopped a tool: the call has no result.
func ExampleParams() {
	params := providers.CompletionParams{
		Model: "gpt-4o",
		Messages: []providers.Message{
			{Role: providers.RoleUser, Content: "Build it."},
			{
				Role: providers.RoleAssistant, Content: "Building.",
				ToolCalls: []providers.ToolCall{{
					ID: "call_1", Type: "function",
					Function: providers.FunctionCall{Name: "build", Arguments: "{}"},
				}},
			},
			{Role: providers.RoleUser, Content: "Stop. What is the time?"},
		},
	}
	params, warnings, err := preflightanyllm.Params(context.Background(), params, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range params.Messages {
		fmt.Println(m.Role, m.Content, len(m.ToolCalls))
	}
	for _, w := range warnings {
		fmt.Println(w.Path, w.Detail)
	}
	// Output:
	// user Build it. 0
	// assistant Building. 0
	// user Stop. What is the time? 0
	// messages[1].tool_calls[0] removed a tool call that has no result
}

// The provider repairs each request, and what it repaired is kept in the history of the agent.
func ExampleProvider() {
	server, err := preflighttest.Start("openai-chat", nil) // in place of the provider
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()
	own, err := openai.New(config.WithAPIKey("none"), config.WithBaseURL(server.URL+"/v1"))
	if err != nil {
		fmt.Println(err)
		return
	}
	provider := preflightanyllm.Provider(own, nil, nil)

	history := []providers.Message{
		{Role: providers.RoleUser, Content: "Build it."},
		{Role: providers.RoleTool, ToolCallID: "call_1", Content: "built"}, // its call was trimmed
		{Role: providers.RoleUser, Content: "What is the time?"},
	}
	ctx := preflightanyllm.Keep(context.Background(), &history)
	completion, err := provider.Completion(ctx,
		providers.CompletionParams{Model: "gpt-4o", Messages: history})
	if err != nil {
		fmt.Println(err)
		return
	}
	history = append(history, completion.Choices[0].Message)
	for _, m := range history {
		fmt.Println(m.Role, m.Content)
	}
	// Output:
	// user Build it.
	// user What is the time?
	// assistant ok
}
