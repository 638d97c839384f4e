package preflightanthropicv2_test

import (
	"context"
	"testing"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"

	"github.com/go-preflight/preflight/adapter"
	preflightanthropicv2 "github.com/go-preflight/preflight/adapter/anthropicv2"
	"github.com/go-preflight/preflight/internal/clienttest"
	"github.com/go-preflight/preflight/preflighthttp"
	"github.com/go-preflight/preflight/preflighttest"
	"github.com/go-preflight/preflight/wire"
)

type sender = clienttest.Sender[anthropic.MessageParam]

// client is the SDK's client with the middleware.
var client = clienttest.Client[anthropic.MessageParam]{
	Provider: "anthropic",
	New: func(_ *testing.T, url string, report clienttest.Report) sender {
		client := newClient(url, report)
		params := anthropic.MessageNewParams{Model: "claude-sonnet-4-5", MaxTokens: 64}
		return sender{
			Whole: func(ctx context.Context, history []anthropic.MessageParam) (string, error) {
				params.Messages = history
				answer, err := client.Messages.New(ctx, params)
				if err != nil {
					return "", err
				}
				return answer.Content[0].Text, nil
			},
			Streamed: func(ctx context.Context, history []anthropic.MessageParam) (string, error) {
				params.Messages = history
				stream := client.Messages.NewStreaming(ctx, params)
				defer stream.Close()
				var answer anthropic.Message
				for stream.Next() {
					if err := answer.Accumulate(stream.Current()); err != nil {
						return "", err
					}
				}
				if stream.Err() != nil {
					return "", stream.Err()
				}
				return answer.Content[0].Text, nil
			},
		}
	},
	Broken: func() []anthropic.MessageParam {
		return []anthropic.MessageParam{
			anthropic.NewUserMessage(anthropic.NewTextBlock("Build it.")),
			anthropic.NewAssistantMessage(anthropic.NewTextBlock("Building <main> & more."),
				anthropic.NewToolUseBlock("toolu_1", map[string]any{}, "build")),
			anthropic.NewUserMessage(anthropic.NewTextBlock("Stop.")),
		}
	},
	Keep:    preflightanthropicv2.Keep,
	Same:    func(a, b anthropic.MessageParam) bool { return &blocksOf(a)[0] == &blocksOf(b)[0] },
	Retries: true,
}

func newClient(url string, report clienttest.Report) anthropic.Client {
	return anthropic.NewClient(option.WithBaseURL(url), option.WithAPIKey("none"),
		option.WithMaxRetries(1),
		option.WithMiddleware(preflightanthropicv2.Middleware(&preflighthttp.Transport{
			Report: func(_ context.Context, r *preflighthttp.Report) { report(r.Warnings) },
		})))
}

func TestClient(t *testing.T) { client.Run(t) }

// TestBetaKeep: the beta API is kept in its own types.
func TestBetaKeep(t *testing.T) {
	server := preflighttest.New(t, "anthropic", nil)
	client := newClient(server.URL, func([]wire.Warning) {})
	history := []anthropic.BetaMessageParam{
		anthropic.NewBetaUserMessage(anthropic.NewBetaTextBlock("Build it.")),
		{OfAssistant: &anthropic.BetaAssistantMessageParam{
			Content: []anthropic.BetaContentBlockParamUnion{anthropic.NewBetaTextBlock("Done.")},
		}},
		anthropic.NewBetaUserMessage(
			anthropic.NewBetaToolResultBlock("toolu_1", "built", false)),
		anthropic.NewBetaUserMessage(anthropic.NewBetaTextBlock("Thanks.")),
	}
	first := &history[0].OfUser.Content[0]
	ctx := preflightanthropicv2.BetaKeep(context.Background(), &history)
	_, err := client.Beta.Messages.New(ctx, anthropic.BetaMessageNewParams{
		Model: "claude-sonnet-4-5", MaxTokens: 64, Messages: history,
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(history) != 3 || &history[0].OfUser.Content[0] != first {
		t.Errorf("the history is %s", clienttest.JSON(t, history))
	}
}

// TestParamsFromJSON: what is read is sent again as it was, and messages that the types can hold
// have fields.
func TestParamsFromJSON(t *testing.T) {
	body := `{"model":"claude-sonnet-4-5","max_tokens":64,"system":"Be terse.",` +
		`"new_setting":{"a":1.0},` +
		`"messages":[{"role":"user","content":[{"type":"text","text":"a"}]},` +
		`{"role":"assistant","content":[{"type":"new_block","n":12345678901234567890}]},` +
		`{"role":"user","content":"b"}],"tools":[{"name":"run","input_schema":{"type":"object"},` +
		`"new":true}]}`
	params, err := preflightanthropicv2.ParamsFromJSON([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	if got := clienttest.JSON(t, params); !adapter.Equal([]byte(got), []byte(body)) {
		t.Errorf("it is sent as %s", got)
	}
	if params.Model != "claude-sonnet-4-5" || params.MaxTokens != 64 ||
		blocksOf(params.Messages[0])[0].OfText.Text != "a" {
		t.Errorf("the fields are %+v", params)
	}
	if _, err := preflightanthropicv2.ParamsFromJSON([]byte(`{`)); err == nil {
		t.Error("no error for what is no JSON")
	}
}
