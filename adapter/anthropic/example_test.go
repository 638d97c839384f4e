package preflightanthropic_test

import (
	"context"
	"fmt"

	"github.com/anthropics/anthropic-sdk-go"

	preflightanthropic "github.com/go-preflight/preflight/adapter/anthropic"
)

// The user has stopped a tool and asks something else: the call has no result.
func ExampleMessages() {
	history := []anthropic.MessageParam{
		anthropic.NewUserMessage(anthropic.NewTextBlock("Build it.")),
		anthropic.NewAssistantMessage(anthropic.NewTextBlock("Building."),
			anthropic.NewToolUseBlock("toolu_1", map[string]any{}, "build")),
		anthropic.NewUserMessage(anthropic.NewTextBlock("Stop. What is the time?")),
	}
	history, warnings, err := preflightanthropic.Messages(context.Background(), history, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range history {
		for _, b := range m.Content {
			fmt.Println(m.Role, *b.GetType(), *b.GetText())
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
