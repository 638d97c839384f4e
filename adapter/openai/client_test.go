package preflightopenai_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"

	"github.com/go-preflight/preflight/adapter"
	preflightopenai "github.com/go-preflight/preflight/adapter/openai"
	"github.com/go-preflight/preflight/internal/clienttest"
	"github.com/go-preflight/preflight/preflighthttp"
)

// This file tests the SDK's client with the middleware.

type (
	chatMessage = openai.ChatCompletionMessageParamUnion
	item        = responses.ResponseInputItemUnionParam
)

func newClient(url string, report clienttest.Report) openai.Client {
	return openai.NewClient(option.WithBaseURL(url+"/v1"), option.WithAPIKey("none"),
		option.WithMaxRetries(1),
		option.WithMiddleware(preflightopenai.Middleware(&preflighthttp.Transport{
			Report: func(_ context.Context, r *preflighthttp.Report) { report(r.Warnings) },
		})))
}

var chatClient = clienttest.Client[chatMessage]{
	Provider: "openai-chat",
	New: func(_ *testing.T, url string, report clienttest.Report) clienttest.Sender[chatMessage] {
		client := newClient(url, report)
		params := openai.ChatCompletionNewParams{Model: "gpt-5.4"}
		return clienttest.Sender[chatMessage]{
			Whole: func(ctx context.Context, history []chatMessage) (string, error) {
				params.Messages = history
				answer, err := client.Chat.Completions.New(ctx, params)
				if err != nil {
					return "", err
				}
				return answer.Choices[0].Message.Content, nil
			},
			Streamed: func(ctx context.Context, history []chatMessage) (string, error) {
				params.Messages = history
				stream := client.Chat.Completions.NewStreaming(ctx, params)
				defer stream.Close()
				var answer openai.ChatCompletionAccumulator
				for stream.Next() {
					answer.AddChunk(stream.Current())
				}
				if stream.Err() != nil {
					return "", stream.Err()
				}
				return answer.Choices[0].Message.Content, nil
			},
		}
	},
	Broken: func() []chatMessage {
		assistant := openai.AssistantMessage("Building <main> & more.")
		assistant.OfAssistant.ToolCalls = []openai.ChatCompletionMessageToolCallUnionParam{{
			OfFunction: &openai.ChatCompletionMessageFunctionToolCallParam{
				ID: "call_1",
				Function: openai.ChatCompletionMessageFunctionToolCallFunctionParam{
					Name: "build", Arguments: "{}",
				},
			},
		}}
		return []chatMessage{
			openai.UserMessage("Build it."), assistant, openai.UserMessage("Stop."),
		}
	},
	Keep: preflightopenai.KeepChat,
	Same: func(a, b chatMessage) bool {
		return a.OfUser == b.OfUser && a.OfAssistant == b.OfAssistant
	},
	Retries: true,
}

var responsesClient = clienttest.Client[item]{
	Provider: "openai-responses",
	New: func(_ *testing.T, url string, report clienttest.Report) clienttest.Sender[item] {
		client := newClient(url, report)
		params := responses.ResponseNewParams{Model: "gpt-5.4", Store: openai.Bool(false)}
		return clienttest.Sender[item]{
			Whole: func(ctx context.Context, history []item) (string, error) {
				params.Input.OfInputItemList = history
				answer, err := client.Responses.New(ctx, params)
				if err != nil {
					return "", err
				}
				return answer.OutputText(), nil
			},
			Streamed: func(ctx context.Context, history []item) (string, error) {
				params.Input.OfInputItemList = history
				stream := client.Responses.NewStreaming(ctx, params)
				defer stream.Close()
				var answer responses.Response
				for stream.Next() {
					if event := stream.Current(); event.Type == "response.completed" {
						answer = event.Response
					}
				}
				return answer.OutputText(), stream.Err()
			},
		}
	},
	Broken: func() []item {
		return []item{
			responses.ResponseInputItemParamOfMessage("Build <it> & more.", "user"),
			responses.ResponseInputItemParamOfFunctionCall("{}", "call_1", "build"),
			responses.ResponseInputItemParamOfMessage("Stop.", "user"),
		}
	},
	Keep: func(ctx context.Context, history *[]item) context.Context {
		return preflightopenai.KeepResponses(ctx, (*responses.ResponseInputParam)(history))
	},
	Same: func(a, b item) bool {
		return a.OfMessage == b.OfMessage && a.OfFunctionCall == b.OfFunctionCall
	},
	Retries: true,
}

func TestClient(t *testing.T) {
	t.Run("chat", chatClient.Run)
	t.Run("responses", responsesClient.Run)
}

// TestParamsFromJSON: what is read is sent again as it was, and messages that the types can hold
// have fields.
func TestParamsFromJSON(t *testing.T) {
	body := []byte(`{"model":"gpt-5.4","new_setting":1.0,"messages":[{"role":"user","content":"a"},` +
		`{"role":"assistant","content":"b","reasoning_content":"c"},` +
		`{"role":"user","content":[{"type":"new","n":12345678901234567890}]}]}`)
	params, err := preflightopenai.ChatParamsFromJSON(body)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := json.Marshal(params); err != nil || !adapter.Equal(got, body) {
		t.Errorf("it is sent as %s, %v", got, err)
	}
	if params.Messages[0].OfUser.Content.OfString.Value != "a" {
		t.Errorf("the fields are %+v", params.Messages[0])
	}

	for _, body := range []string{
		`{"model":"gpt-5.4","input":"Are you there?","store":false}`,
		`{"model":"gpt-5.4","input":[{"role":"user","content":"a"},{"type":"new","n":1.0},` +
			`{"type":"function_call","call_id":"call_1","name":"run","arguments":"{}"},` +
			`{"type":"function_call_output","call_id":"call_1","output":"ok"}],"new":[1.0]}`,
	} {
		params, err := preflightopenai.ResponseParamsFromJSON([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := json.Marshal(params); err != nil || !adapter.Equal(got, []byte(body)) {
			t.Errorf("it is sent as %s, %v", got, err)
		}
	}
}
