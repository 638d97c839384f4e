package preflightgenkit_test

import (
	"context"
	"fmt"

	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/genkit"

	preflightgenkit "github.com/go-preflight/preflight/adapter/genkit"
	"github.com/go-preflight/preflight/wire"
)

// The middleware repairs each request, and what it repaired is in the history of the response.
func ExampleMiddleware() {
	ctx := context.Background()
	g := genkit.Init(ctx)
	supports := &ai.ModelSupports{Multiturn: true}
	genkit.DefineModel(g, "own/model", &ai.ModelOptions{Supports: supports}, func(
		_ context.Context, request *ai.ModelRequest, _ ai.ModelStreamCallback,
	) (*ai.ModelResponse, error) { // in place of a provider
		return &ai.ModelResponse{
			Request: request, Message: ai.NewModelTextMessage("It is late."),
		}, nil
	})

	history := []*ai.Message{
		ai.NewUserTextMessage("Build it."),
		ai.NewModelMessage(ai.NewTextPart("Building."),
			ai.NewToolRequestPart(&ai.ToolRequest{Ref: "call_1", Name: "build"})),
	}
	response, err := genkit.Generate(ctx, g, ai.WithModelName("own/model"),
		ai.WithMessages(history...), ai.WithPrompt("Stop. What is the time?"),
		ai.WithMiddleware(preflightgenkit.Middleware(&wire.Options{Provider: "anthropic"},
			func(_ context.Context, warnings []wire.Warning, _ error) {
				for _, w := range warnings {
					fmt.Println("preflight:", w.Path, w.Detail)
				}
			})))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range response.History() {
		fmt.Println(m.Role, m.Text())
	}
	// Output:
	// preflight: messages[1].parts[1] removed a tool call that has no result
	// user Build it.
	// model Building.
	// user Stop. What is the time?
	// model It is late.
}
