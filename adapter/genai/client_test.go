package preflightgenai_test

import (
	"context"
	"testing"

	"google.golang.org/genai"

	preflightgenai "github.com/go-preflight/preflight/adapter/genai"
	"github.com/go-preflight/preflight/internal/clienttest"
	"github.com/go-preflight/preflight/preflighthttp"
)

const plain = "gemini-2.5-flash" // does not sign its calls

// client is the SDK's client with an HTTP client that repairs.
var client = clienttest.Client[*genai.Content]{
	Provider: "gemini",
	New: func(t *testing.T, url string, report clienttest.Report) clienttest.Sender[*genai.Content] {
		attempts := int32(2)
		client, err := genai.NewClient(context.Background(), &genai.ClientConfig{
			Backend: genai.BackendGeminiAPI,
			APIKey:  "none",
			HTTPClient: preflightgenai.HTTPClient(nil, &preflighthttp.Transport{
				Report: func(_ context.Context, r *preflighthttp.Report) {
					report(r.Warnings)
				},
			}),
			HTTPOptions: genai.HTTPOptions{
				BaseURL: url, RetryOptions: &genai.HTTPRetryOptions{Attempts: &attempts},
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		return clienttest.Sender[*genai.Content]{
			Whole: func(ctx context.Context, history []*genai.Content) (string, error) {
				answer, err := client.Models.GenerateContent(ctx, plain, history, nil)
				if err != nil {
					return "", err
				}
				return answer.Text(), nil
			},
			Streamed: func(ctx context.Context, history []*genai.Content) (text string, err error) {
				for chunk, err := range client.Models.GenerateContentStream(ctx, plain, history,
					nil) {
					if err != nil {
						return "", err
					}
					text += chunk.Text()
				}
				return text, nil
			},
		}
	},
	Broken: func() []*genai.Content {
		return []*genai.Content{
			genai.NewContentFromText("Build it.", genai.RoleUser),
			genai.NewContentFromParts([]*genai.Part{
				genai.NewPartFromText("Building <main> & more."),
				{},
			}, genai.RoleModel),
			genai.NewContentFromText("Stop.", genai.RoleUser),
		}
	},
	Keep:    preflightgenai.Keep,
	Same:    func(a, b *genai.Content) bool { return a == b },
	Retries: true, RetriesErrors: true,
}

func TestClient(t *testing.T) { client.Run(t) }
