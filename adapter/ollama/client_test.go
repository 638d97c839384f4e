package preflightollama_test

import (
	"context"
	"net/url"
	"testing"

	"github.com/ollama/ollama/api"

	preflightollama "github.com/go-preflight/preflight/adapter/ollama"
	"github.com/go-preflight/preflight/internal/clienttest"
	"github.com/go-preflight/preflight/preflighthttp"
)

// client is Ollama's client with an HTTP client that repairs.
var client = clienttest.Client[api.Message]{
	Provider: "ollama",
	New: func(t *testing.T, address string, report clienttest.Report) clienttest.Sender[api.Message] {
		base, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		client := api.NewClient(base, preflightollama.HTTPClient(nil, &preflighthttp.Transport{
			Report: func(_ context.Context, r *preflighthttp.Report) { report(r.Warnings) },
		}))
		chat := func(stream bool) func(context.Context, []api.Message) (string, error) {
			return func(ctx context.Context, history []api.Message) (text string, err error) {
				err = client.Chat(ctx,
					// whose template leaves out calls
					&api.ChatRequest{Model: "gemma3", Messages: history, Stream: &stream},
					func(r api.ChatResponse) error {
						text += r.Message.Content
						return nil
					})
				return text, err
			}
		}
		return clienttest.Sender[api.Message]{Whole: chat(false), Streamed: chat(true)}
	},
	Broken: func() []api.Message {
		arguments := api.NewToolCallFunctionArguments()
		arguments.Set("target", "main")
		return []api.Message{
			{Role: "user", Content: "Build it.", Images: []api.ImageData{[]byte("picture")}},
			{
				Role: "assistant", Content: "Building it.",
				ToolCalls: []api.ToolCall{{
					ID:       "call_1",
					Function: api.ToolCallFunction{Name: "build", Arguments: arguments},
				}},
			},
			{Role: "user", Content: "Stop.", Images: []api.ImageData{[]byte("picture")}},
		}
	},
	Keep: preflightollama.Keep,
	Same: func(a, b api.Message) bool {
		if len(a.ToolCalls) > 0 {
			return &a.ToolCalls[0] == &b.ToolCalls[0]
		}
		return &a.Images[0] == &b.Images[0]
	},
}

func TestClient(t *testing.T) { client.Run(t) }
