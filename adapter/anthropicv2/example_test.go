package preflightanthropicv2_test

import (
	"context"
	"fmt"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"

	preflightanthropicv2 "github.com/go-preflight/preflight/adapter/anthropicv2"
	"github.com/go-preflight/preflight/preflighttest"
)

// The user has stopped a tool and asks something else: the call has no result.
func ExampleMessages() {
	history := []anthropic.MessageParam{
		anthropic.NewUserMessage(anthropic.NewTextBlock("Build it.")),
		anthropic.NewAssistantMessage(anthropic.NewTextBlock("Building."),
			anthropic.NewToolUseBlock("toolu_1", map[string]any{}, "build")),
		anthropic.NewUserMessage(anthropic.NewTextBlock("Stop. What is the time?")),
	}
	history, warnings, err := preflightanthropicv2.Messages(context.Background(), history, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range history {
		for _, b := range blocksOf(m) {
			fmt.Println(roleOf(m), *b.GetType(), *b.GetText())
		}
	}
	for _, w := range warnings {
		fmt.Println(w.Path, w.Detail)
	}
	// Output:
	// user text Build it.
	// assistant text Building.
	// user text Stop. What is the time?
	// messages[1].content[1] removed a tool call that has no result
}

// The client repairs each request, and what it repaired is kept in the history of the agent.
func ExampleMiddleware() {
	server, err := preflighttest.Start("anthropic", nil) // in place of the provider
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()
	client := anthropic.NewClient(option.WithBaseURL(server.URL), option.WithAPIKey("none"),
		option.WithMiddleware(preflightanthropicv2.Middleware(nil)))

	history := []anthropic.MessageParam{
		anthropic.NewUserMessage(anthropic.NewTextBlock("Build it.")),
		anthropic.NewAssistantMessage(anthropic.NewToolUseBlock("toolu_1", map[string]any{}, "build")),
		anthropic.NewUserMessage(anthropic.NewTextBlock("Stop. What is the time?")),
	}
	ctx := preflightanthropicv2.Keep(context.Background(), &history)
	answer, err := client.Messages.New(ctx, anthropic.MessageNewParams{
		Model: "claude-sonnet-4-5", MaxTokens: 1024, Messages: history,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	history = append(history, answer.ToParam())
	for _, m := range history {
		fmt.Println(roleOf(m), *blocksOf(m)[0].GetType())
	}
	// Output:
	// user text
	// assistant text
}
