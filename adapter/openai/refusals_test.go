package preflightopenai_test

import (
	"context"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"

	preflightopenai "github.com/go-preflight/preflight/adapter/openai"
	"github.com/go-preflight/preflight/internal/clienttest"
	"github.com/go-preflight/preflight/preflighthttp"
	"github.com/go-preflight/preflight/preflighthttp/remedy"
)

func refusedClient(to clienttest.Refusing) openai.Client {
	return openai.NewClient(option.WithBaseURL(to.URL+"/v1"), option.WithAPIKey("none"),
		option.WithMaxRetries(1), option.WithMiddleware(preflightopenai.Middleware(remedying(to))))
}

// TestChatRefusals: refused requests of the SDK's client are answered by a remedy.
func TestChatRefusals(t *testing.T) {
	clienttest.RunRefusals(t, "openai-chat", func(
		ctx context.Context, to clienttest.Refusing, body []byte, stream bool,
	) (string, error) {
		client := refusedClient(to)
		given := option.WithRequestBody("application/json", body)
		if !stream {
			answer, err := client.Chat.Completions.New(ctx, openai.ChatCompletionNewParams{}, given)
			if err != nil {
				return "", err
			}
			return answer.Choices[0].Message.Content, nil
		}
		events := client.Chat.Completions.NewStreaming(ctx, openai.ChatCompletionNewParams{}, given)
		defer events.Close()
		var answer openai.ChatCompletionAccumulator
		for events.Next() {
			answer.AddChunk(events.Current())
		}
		if events.Err() != nil {
			return "", events.Err()
		}
		return answer.Choices[0].Message.Content, nil
	})
}

// TestResponsesRefusals is TestChatRefusals for the Responses API.
func TestResponsesRefusals(t *testing.T) {
	clienttest.RunRefusals(t, "openai-responses", func(
		ctx context.Context, to clienttest.Refusing, body []byte, stream bool,
	) (string, error) {
		client := refusedClient(to)
		given := option.WithRequestBody("application/json", body)
		if !stream {
			answer, err := client.Responses.New(ctx, responses.ResponseNewParams{}, given)
			if err != nil {
				return "", err
			}
			return answer.OutputText(), nil
		}
		events := client.Responses.NewStreaming(ctx, responses.ResponseNewParams{}, given)
		defer events.Close()
		text := ""
		for events.Next() {
			text += events.Current().Delta
		}
		return text, events.Err()
	})
}

// remedying is a transport with all remedies.
func remedying(to clienttest.Refusing) *preflighthttp.Transport {
	t := &preflighthttp.Transport{
		Remedies: remedy.All(), Unknown: preflighthttp.RepairUnknown,
		Report: func(_ context.Context, r *preflighthttp.Report) { to.Tried(r.Remedy) },
	}
	if to.Provider != "" {
		t.Endpoints = []preflighthttp.Endpoint{{Host: to.Host, Provider: to.Provider}}
	}
	return t
}
