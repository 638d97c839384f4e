package preflightanthropicv2_test

import (
	"context"
	"testing"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"

	preflightanthropicv2 "github.com/go-preflight/preflight/adapter/anthropicv2"
	"github.com/go-preflight/preflight/internal/clienttest"
	"github.com/go-preflight/preflight/preflighthttp"
)

// TestRefusals: refused requests of the SDK's client are answered by a remedy.
func TestRefusals(t *testing.T) {
	clienttest.RunRefusals(t, "anthropic", func(
		ctx context.Context, url string, transport *preflighthttp.Transport, body []byte, stream bool,
	) (string, error) {
		client := anthropic.NewClient(option.WithBaseURL(url), option.WithAPIKey("none"),
			option.WithMaxRetries(1), option.WithMiddleware(preflightanthropicv2.Middleware(transport)))
		given := option.WithRequestBody("application/json", body)
		if !stream {
			answer, err := client.Messages.New(ctx, anthropic.MessageNewParams{}, given)
			if err != nil {
				return "", err
			}
			return answer.Content[0].Text, nil
		}
		events := client.Messages.NewStreaming(ctx, anthropic.MessageNewParams{}, given)
		defer events.Close()
		var answer anthropic.Message
		for events.Next() {
			if err := answer.Accumulate(events.Current()); err != nil {
				return "", err
			}
		}
		if events.Err() != nil {
			return "", events.Err()
		}
		return answer.Content[0].Text, nil
	})
}
