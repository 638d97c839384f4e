package preflightgoopenai_test

import (
	"context"
	"errors"
	"io"
	"slices"
	"testing"

	openai "github.com/sashabaranov/go-openai"

	preflightgoopenai "github.com/go-preflight/preflight/adapter/goopenai"
	"github.com/go-preflight/preflight/internal/clienttest"
	"github.com/go-preflight/preflight/preflighthttp"
)

type message = openai.ChatCompletionMessage

// client is the SDK's client with an HTTPDoer that repairs.
var client = clienttest.Client[message]{
	Provider: "openai-chat",
	New: func(_ *testing.T, url string, report clienttest.Report) clienttest.Sender[message] {
		config := openai.DefaultConfig("none")
		config.BaseURL = url + "/v1"
		config.HTTPClient = preflightgoopenai.HTTPClient(config.HTTPClient,
			&preflighthttp.Transport{
				Report: func(_ context.Context, r *preflighthttp.Report) {
					report(r.Warnings)
				},
			})
		client := openai.NewClientWithConfig(config)
		return clienttest.Sender[message]{
			Whole: func(ctx context.Context, history []message) (string, error) {
				answer, err := client.CreateChatCompletion(ctx,
					openai.ChatCompletionRequest{Model: "gpt-5.4", Messages: history})
				if err != nil {
					return "", err
				}
				return answer.Choices[0].Message.Content, nil
			},
			Streamed: func(ctx context.Context, history []message) (text string, err error) {
				stream, err := client.CreateChatCompletionStream(ctx,
					openai.ChatCompletionRequest{Model: "gpt-5.4", Messages: history})
				if err != nil {
					return "", err
				}
				defer stream.Close()
				for {
					chunk, err := stream.Recv()
					if errors.Is(err, io.EOF) {
						return text, nil
					}
					if err != nil {
						return "", err
					}
					for _, choice := range chunk.Choices {
						text += choice.Delta.Content
					}
				}
			},
		}
	},
	Broken: func() []message {
		return []message{
			{Role: "user", Content: "Build it."},
			{
				Role: "assistant", Content: "Building <main> & more.",
				ToolCalls: []openai.ToolCall{{
					ID: "call_1", Type: "function",
					Function: openai.FunctionCall{Name: "build", Arguments: "{}"},
				}},
			},
			{Role: "user", Content: "Stop."},
		}
	},
	Keep: preflightgoopenai.Keep,
	Same: func(a, b message) bool {
		return a.Role == b.Role && a.Content == b.Content && slices.Equal(a.ToolCalls, b.ToolCalls)
	},
}

func TestClient(t *testing.T) { client.Run(t) }
