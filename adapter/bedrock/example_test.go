package preflightbedrock_test

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/document"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"

	preflightbedrock "github.com/go-preflight/preflight/adapter/bedrock"
	"github.com/go-preflight/preflight/preflighttest"
)

// The user has stopped a tool and asks something else: the call has no result.
func ExampleMessages() {
	history := []types.Message{
		{
			Role:    types.ConversationRoleUser,
			Content: []types.ContentBlock{&types.ContentBlockMemberText{Value: "Build it."}},
		},
		{
			Role: types.ConversationRoleAssistant,
			Content: []types.ContentBlock{
				&types.ContentBlockMemberText{Value: "Building."},
				&types.ContentBlockMemberToolUse{
					Value: types.ToolUseBlock{
						ToolUseId: aws.String("tooluse_1"),
						Name:      aws.String("build"),
						Input:     document.NewLazyDocument(map[string]any{}),
					},
				},
			},
		},
		{
			Role: types.ConversationRoleUser,
			Content: []types.ContentBlock{
				&types.ContentBlockMemberText{Value: "Stop. What is the time?"},
			},
		},
	}
	history, warnings, err := preflightbedrock.Messages(context.Background(), history, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range history {
		for _, b := range m.Content {
			fmt.Println(m.Role, b.(*types.ContentBlockMemberText).Value)
		}
	}
	for _, w := range warnings {
		fmt.Println(w.Path, w.Detail)
	}
	// Output:
	// user Build it.
	// assistant Building.
	// user Stop. What is the time?
	// messages[1].content[1] removed a tool call that has no result
}

// The client repairs each request before it is signed, and what it repaired is kept in the history
// of the agent.
func ExampleMiddleware() {
	server, err := preflighttest.Start("bedrock", nil) // in place of the service
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()
	client := bedrockruntime.New(bedrockruntime.Options{
		BaseEndpoint: aws.String(server.URL), Region: "us-east-1",
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "id", SecretAccessKey: "secret"}, nil
		}),
	}, bedrockruntime.WithAPIOptions(preflightbedrock.Middleware(nil)))

	text := func(s string) []types.ContentBlock {
		return []types.ContentBlock{&types.ContentBlockMemberText{Value: s}}
	}
	history := []types.Message{
		{Role: types.ConversationRoleUser, Content: text("Build it.")},
		{Role: types.ConversationRoleAssistant, Content: append(text("Building."),
			&types.ContentBlockMemberToolUse{Value: types.ToolUseBlock{
				ToolUseId: aws.String("tooluse_1"), Name: aws.String("build"),
				Input: document.NewLazyDocument(map[string]any{}),
			}})},
		{Role: types.ConversationRoleUser, Content: text("Stop. What is the time?")},
	}
	ctx := preflightbedrock.Keep(context.Background(), &history)
	output, err := client.Converse(ctx, &bedrockruntime.ConverseInput{
		ModelId: aws.String("anthropic.claude-sonnet-4-5"), Messages: history,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	history = append(history, output.Output.(*types.ConverseOutputMemberMessage).Value)
	for _, m := range history {
		fmt.Println(m.Role, len(m.Content), m.Content[0].(*types.ContentBlockMemberText).Value)
	}
	// Output:
	// user 1 Build it.
	// assistant 1 Building.
	// user 1 Stop. What is the time?
	// assistant 1 ok
}
