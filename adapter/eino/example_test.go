package preflighteino_test

import (
	"context"
	"fmt"

	"github.com/cloudwego/eino/schema"

	preflighteino "github.com/go-preflight/preflight/adapter/eino"
	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/wire"
)

// The user has stopped a tool: the call has no result. The chat model is Claude, which wants
// one.
func ExampleMessages() {
	history := []*schema.Message{
		schema.UserMessage("Build it."),
		schema.AssistantMessage("Building.", []schema.ToolCall{
			{ID: "call_1", Function: schema.FunctionCall{Name: "build", Arguments: "{}"}},
		}),
		schema.UserMessage("Stop. What is the time?"),
	}
	history, warnings, err := preflighteino.Messages(context.Background(), history,
		&wire.Options{Provider: "anthropic"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range history {
		fmt.Println(m.Role, m.Content, len(m.ToolCalls))
	}
	for _, w := range warnings {
		fmt.Println(w.Path, w.Detail)
	}
	// Output:
	// user Build it. 0
	// assistant Building. 0
	// user Stop. What is the time? 0
	// messages[1].parts[1] removed a tool call that has no result
}

// The model repairs the messages of each call, and what it repaired is kept in the history of the
// agent.
func ExampleChatModel() {
	server, err := preflighttest.Start("openai-chat", nil) // in place of the provider
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()
	own := &chatModel{url: server.URL} // such as one of eino-ext
	m := preflighteino.ChatModel(own, &wire.Options{Provider: "openai-chat"}, nil)

	history := []*schema.Message{
		schema.UserMessage("Build it."),
		schema.ToolMessage("built", "call_1"), // its call was trimmed away
		schema.UserMessage("What is the time?"),
	}
	ctx := preflighteino.Keep(context.Background(), &history)
	answer, err := m.Generate(ctx, history)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, message := range append(history, answer) {
		fmt.Println(message.Role, message.Content)
	}
	// Output:
	// user Build it.
	// user What is the time?
	// assistant ok
}
