package preflightanthropicv2_test

import (
	"context"
	"testing"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"

	preflightanthropicv2 "github.com/go-preflight/preflight/adapter/anthropicv2"
	"github.com/go-preflight/preflight/internal/clienttest"
	"github.com/go-preflight/preflight/preflighthttp"
	"github.com/go-preflight/preflight/preflighthttp/remedy"
)

// TestRefusals: refused requests of the SDK's client are answered by a remedy.
func TestRefusals(t *testing.T) {
	clienttest.RunRefusals(t, "anthropic", func(
		ctx context.Context, to clienttest.Refusing, body []byte, stream bool,
	) (string, error) {
		client := anthropic.NewClient(option.WithBaseURL(to.URL), option.WithAPIKey("none"),
			option.WithMaxRetries(1),
			option.WithMiddleware(preflightanthropicv2.Middleware(remedying(to))))
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
