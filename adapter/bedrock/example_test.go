package preflightbedrock_test

import (
	"context"
	"fmt"
	"log"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/document"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"

	preflightbedrock "github.com/go-preflight/preflight/adapter/bedrock"
	"github.com/go-preflight/preflight/preflighthttp"
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

// A client that repairs whatever it sends, and says so.
func ExampleMiddleware() {
	transport := &preflighthttp.Transport{
		Report: func(_ context.Context, r *preflighthttp.Report) {
			for _, w := range r.Warnings {
				log.Println(r.Model, w.Path, w.Detail)
			}
		},
	}
	client := bedrockruntime.New(bedrockruntime.Options{Region: "us-east-1"},
		bedrockruntime.WithAPIOptions(preflightbedrock.Middleware(transport)))
	_ = client // client.Converse, client.ConverseStream
}
