package preflightopenai_test

import (
	"context"
	"fmt"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	preflightopenai "github.com/go-preflight/preflight/adapter/openai"
	"github.com/go-preflight/preflight/preflighttest"
)

// The window was trimmed between a call and its result.
func ExampleChatParams() {
	params := openai.ChatCompletionNewParams{
		Model: "gpt-5.4",
		Messages: []openai.ChatCompletionMessageParamUnion{
			openai.ToolMessage("ok", "call_1"), openai.AssistantMessage("Built."),
			openai.UserMessage("Thanks."),
		},
	}
	params, warnings, err := preflightopenai.ChatParams(context.Background(), params, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(params.Messages), "messages")
	for _, w := range warnings {
		fmt.Println(w.Path, w.Detail)
	}
	// Output:
	// 2 messages
	// messages[0] removed a result whose call is not in the history
}

// The client repairs each request, and what it repaired is kept in the history of the agent.
func ExampleMiddleware() {
	server, err := preflighttest.Start("openai-chat", nil) // in place of the provider
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()
	client := openai.NewClient(option.WithBaseURL(server.URL+"/v1"), option.WithAPIKey("none"),
		option.WithMiddleware(preflightopenai.Middleware(nil)))

	history := []openai.ChatCompletionMessageParamUnion{
		openai.UserMessage("Build it."),
		openai.ToolMessage("built", "call_1"), // its call was trimmed away
		openai.UserMessage("What is the time?"),
	}
	ctx := preflightopenai.KeepChat(context.Background(), &history)
	completion, err := client.Chat.Completions.New(ctx, openai.ChatCompletionNewParams{
		Model: "gpt-5.4", Messages: history,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	history = append(history, completion.Choices[0].Message.ToParam())
	for _, m := range history {
		fmt.Println(*m.GetContent().AsAny().(*string))
	}
	// Output:
	// Build it.
	// What is the time?
	// ok
}
