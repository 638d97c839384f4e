package preflightlangchaingo_test

import (
	"context"
	"fmt"

	"github.com/tmc/langchaingo/llms"

	preflightlangchaingo "github.com/go-preflight/preflight/adapter/langchaingo"
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
