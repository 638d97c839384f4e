package preflightbedrock_test

import (
	"context"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/document"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"

	preflightbedrock "github.com/go-preflight/preflight/adapter/bedrock"
	"github.com/go-preflight/preflight/internal/clienttest"
	"github.com/go-preflight/preflight/preflighthttp"
)

// client is the SDK's client with the middleware.
var client = clienttest.Client[types.Message]{
	Provider: "bedrock",
	New: func(_ *testing.T, url string, report clienttest.Report) clienttest.Sender[types.Message] {
		client := newClient(url, with(&preflighthttp.Transport{
			Report: func(_ context.Context, r *preflighthttp.Report) { report(r.Warnings) },
		}), func(o *bedrockruntime.Options) { o.RetryMaxAttempts = 2 })
		return clienttest.Sender[types.Message]{
			Whole: func(ctx context.Context, history []types.Message) (string, error) {
				answer, err := client.Converse(ctx,
					&bedrockruntime.ConverseInput{ModelId: aws.String(sonnet), Messages: history})
				if err != nil {
					return "", err
				}
				message := answer.Output.(*types.ConverseOutputMemberMessage).Value
				return message.Content[0].(*types.ContentBlockMemberText).Value, nil
			},
			Streamed: func(ctx context.Context, history []types.Message) (text string, err error) {
				answer, err := client.ConverseStream(ctx, &bedrockruntime.ConverseStreamInput{
					ModelId: aws.String(sonnet), Messages: history,
				})
				if err != nil {
					return "", err
				}
				stream := answer.GetStream()
				defer stream.Close()
				for event := range stream.Events() {
					delta, ok := event.(*types.ConverseStreamOutputMemberContentBlockDelta)
					if !ok {
						continue
					}
					if part, ok := delta.Value.Delta.(*types.ContentBlockDeltaMemberText); ok {
						text += part.Value
					}
				}
				return text, stream.Err()
			},
		}
	},
	Broken: func() []types.Message {
		return []types.Message{
			user(&types.ContentBlockMemberText{Value: "Build it."}),
			{
				Role: types.ConversationRoleAssistant,
				Content: []types.ContentBlock{
					&types.ContentBlockMemberText{Value: "Building <main> & more."},
					&types.ContentBlockMemberToolUse{Value: types.ToolUseBlock{
						ToolUseId: aws.String("tooluse_1"), Name: aws.String("build"),
						Input: document.NewLazyDocument(map[string]any{"n": 1}),
					}},
				},
			},
			user(&types.ContentBlockMemberText{Value: "Stop."}),
		}
	},
	Keep:    preflightbedrock.Keep,
	Same:    func(a, b types.Message) bool { return &a.Content[0] == &b.Content[0] },
	Retries: true,
}

func TestClient(t *testing.T) { client.Run(t) }
