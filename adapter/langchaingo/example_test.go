package preflightlangchaingo_test

import (
	"context"
	"fmt"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/openai"

	preflightlangchaingo "github.com/go-preflight/preflight/adapter/langchaingo"
	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/wire"
)

// The user has stopped a tool: the call has no result. The model is Claude, which wants one.
func ExampleMessages() {
	messages := []llms.MessageContent{
		llms.TextParts(llms.ChatMessageTypeHuman, "Build it."),
		{
			Role: llms.ChatMessageTypeAI,
			Parts: []llms.ContentPart{
				llms.TextPart("Building."),
				llms.ToolCall{
					ID:           "call_1",
					Type:         "function",
					FunctionCall: &llms.FunctionCall{Name: "build", Arguments: "{}"},
				},
			},
		},
		llms.TextParts(llms.ChatMessageTypeHuman, "Stop. What is the time?"),
	}
	messages, warnings, err := preflightlangchaingo.Messages(context.Background(), messages,
		&wire.Options{Provider: "anthropic"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range messages {
		fmt.Println(m.Role, m.Parts)
	}
	for _, w := range warnings {
		fmt.Println(w.Path, w.Detail)
	}
	// Output:
	// human [Build it.]
	// ai [Building.]
	// human [Stop. What is the time?]
	// messages[1].parts[1] removed a tool call that has no result
}

// The model repairs the messages of each call, and what it repaired is kept in the history of the
// agent.
func ExampleModel() {
	server, err := preflighttest.Start("openai-chat", nil) // in place of the provider
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()
	own, err := openai.New(openai.WithBaseURL(server.URL+"/v1"), openai.WithToken("none"),
		openai.WithModel("gpt-5.4"))
	if err != nil {
		fmt.Println(err)
		return
	}
	llm := preflightlangchaingo.Model(own, &wire.Options{Provider: "openai-chat"}, nil)

	history := []llms.MessageContent{
		llms.TextParts(llms.ChatMessageTypeHuman, "Build it."),
		{Role: llms.ChatMessageTypeTool, Parts: []llms.ContentPart{
			// its call was trimmed away
			llms.ToolCallResponse{ToolCallID: "call_1", Name: "build", Content: "built"},
		}},
		llms.TextParts(llms.ChatMessageTypeHuman, "What is the time?"),
	}
	ctx := preflightlangchaingo.Keep(context.Background(), &history)
	response, err := llm.GenerateContent(ctx, history)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range history {
		fmt.Println(m.Role, m.Parts[0])
	}
	fmt.Println(response.Choices[0].Content)
	// Output:
	// human Build it.
	// human What is the time?
	// ok
}
