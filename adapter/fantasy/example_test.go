package preflightfantasy_test

import (
	"context"
	"fmt"

	"charm.land/fantasy"
	"charm.land/fantasy/providers/openaicompat"

	preflightfantasy "github.com/go-preflight/preflight/adapter/fantasy"
	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/wire"
)

// The user has stopped a tool: the call has no result. The model is Claude, which wants one.
func ExampleMessages() {
	history := []fantasy.Message{
		fantasy.NewUserMessage("Build it."),
		{Role: fantasy.MessageRoleAssistant, Content: []fantasy.MessagePart{
			fantasy.TextPart{Text: "Building."},
			fantasy.ToolCallPart{ToolCallID: "call_1", ToolName: "build", Input: "{}"},
		}},
		fantasy.NewUserMessage("Stop. What is the time?"),
	}
	history, warnings, err := preflightfantasy.Messages(context.Background(), history,
		&wire.Options{Provider: "anthropic"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range history {
		fmt.Println(m.Role, len(m.Content))
	}
	for _, w := range warnings {
		fmt.Println(w.Path, w.Detail)
	}
	// Output:
	// user 1
	// assistant 1
	// user 1
	// messages[1].parts[1] removed a tool call that has no result
}

// The models of a provider repair the prompts of an agent.
func ExampleProvider() {
	server, err := preflighttest.Start("openai-chat", nil) // in place of the provider
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()
	own, err := openaicompat.New(openaicompat.WithAPIKey("none"),
		openaicompat.WithBaseURL(server.URL+"/v1"))
	if err != nil {
		fmt.Println(err)
		return
	}
	provider := preflightfantasy.Provider(own, nil, nil)
	model, err := provider.LanguageModel(context.Background(), "gpt-4o")
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := fantasy.NewAgent(model).Generate(context.Background(), fantasy.AgentCall{
		Prompt: "What is the time?",
		Messages: []fantasy.Message{
			fantasy.NewUserMessage("Build it."),
			{Role: fantasy.MessageRoleAssistant, Content: []fantasy.MessagePart{
				fantasy.ToolCallPart{ToolCallID: "call_1", ToolName: "build", Input: "{}"},
			}},
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Response.Content.Text())
	// Output: ok
}
