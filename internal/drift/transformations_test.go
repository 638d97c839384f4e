package drift

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/responses"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/preflighttest"
)

// TestTransformationsOfOpenAI: the newest SDK reads what the fake says of reasoning that it
// dropped, from a whole answer and from a stream. The SDK of the adapter is older than the member.
func TestTransformationsOfOpenAI(t *testing.T) {
	server := preflighttest.New(t, "openai-responses", nil)
	server.Script(preflighttest.Reply{Reasoning: "hm", Text: "a"})
	client := openai.NewClient(option.WithBaseURL(server.URL+"/v1/"),
		option.WithAPIKey("k"))
	params := responses.ResponseNewParams{
		Model: "gpt-6.2-astra", Store: openai.Bool(false),
		Include: []responses.ResponseIncludable{"reasoning.encrypted_content"},
	}
	ask := func(text string) responses.ResponseInputItemUnionParam {
		return responses.ResponseInputItemParamOfMessage(text, responses.EasyInputMessageRoleUser)
	}
	params.Input.OfInputItemList = responses.ResponseInputParam{ask("q")}
	first, err := client.Responses.New(context.Background(), params)
	require.NoError(t, err)
	require.Empty(t, first.InputTransformations)
	require.True(t, first.JSON.InputTransformations.Valid())

	history := responses.ResponseInputParam{ask("another")}
	for _, item := range first.Output {
		history = append(history, param.Override[responses.ResponseInputItemUnionParam](
			json.RawMessage(item.RawJSON())))
	}
	params.Input.OfInputItemList = append(history, ask("r"))
	second, err := client.Responses.New(context.Background(), params)
	require.NoError(t, err)
	stream := client.Responses.NewStreaming(context.Background(), params)
	var streamed responses.Response
	for stream.Next() {
		if e := stream.Current(); e.Type == "response.completed" {
			streamed = e.Response
		}
	}
	require.NoError(t, stream.Err())
	for _, answer := range []*responses.Response{second, &streamed} {
		require.Len(t, answer.InputTransformations, 1)
		dropped := answer.InputTransformations[0]
		require.Equal(t, first.Output[0].ID, dropped.ID)
		require.EqualValues(t, "removed", dropped.Action)
		require.EqualValues(t, "prefix_mismatch", dropped.Reason)
		require.EqualValues(t, "reasoning", dropped.Type)
	}
}
