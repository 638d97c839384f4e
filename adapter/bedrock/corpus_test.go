package preflightbedrock_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"reflect"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/schemas"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"
	"github.com/aws/smithy-go/transport/http/protocol/restjson1"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/adapter"
	preflightbedrock "github.com/go-preflight/preflight/adapter/bedrock"
	"github.com/go-preflight/preflight/internal/clienttest"
	"github.com/go-preflight/preflight/wire"
)

// inputs are the request bodies of package wire's golden cases, by the name of the case, as far as
// the SDK can hold them.
func inputs(t *testing.T) map[string]*bedrockruntime.ConverseInput {
	t.Helper()
	out := make(map[string]*bedrockruntime.ConverseInput)
	for file, in := range clienttest.GoldenBodies(t, "bedrock") {
		var body types.ConverseTokensRequest
		if receiveBody(in, &body) != nil {
			continue // not a body that the SDK can hold
		}
		var named struct{ ModelID *string }
		if err := json.Unmarshal(in, &named); err != nil {
			t.Fatal(err)
		}
		out[file] = &bedrockruntime.ConverseInput{
			ModelId:                      named.ModelID,
			Messages:                     body.Messages,
			System:                       body.System,
			ToolConfig:                   body.ToolConfig,
			AdditionalModelRequestFields: body.AdditionalModelRequestFields,
		}
	}
	return out
}

// receiveBody reads a body as the SDK reads an answer, which leaves out what it does not know.
func receiveBody(body []byte, into smithy.Deserializable) error {
	answer := &smithyhttp.Response{
		Response: &http.Response{
			StatusCode: http.StatusOK,
			Body:       io.NopCloser(bytes.NewReader(body)),
		},
	}
	operation := smithy.NewOperationSchema(schemas.Converse, schemas.ConverseRequest,
		schemas.ConverseResponse)
	return restjson1.New(schemas.AmazonBedrockFrontendService).DeserializeResponse(
		context.Background(), operation, nil, answer, into)
}

// TestSentIsWhatWireSends: the SDK sends the repaired input as package wire repairs what the SDK
// would have sent.
func TestSentIsWhatWireSends(t *testing.T) {
	ctx := context.Background()
	tried := 0
	for file, input := range inputs(t) {
		for _, dangling := range []preflight.Dangling{
			preflight.DanglingRemove, preflight.DanglingAnswer,
		} {
			before, err := preflightbedrock.Write(input)
			if err != nil {
				t.Errorf("%s: %v", file, err)
				continue
			}
			options := &wire.Options{
				Provider: "bedrock",
				Options:  preflight.Options{Dangling: dangling},
			}
			if input.ModelId != nil {
				options.Model = *input.ModelId
			}
			want, wantErr := wire.Sanitize(ctx, before, options)
			out, warnings, err := preflightbedrock.Input(ctx, input,
				&wire.Options{Options: options.Options})
			if (err != nil) != (wantErr != nil) {
				t.Errorf("%s: error %v, want %v", file, err, wantErr)
				continue
			}
			got, err := preflightbedrock.Write(out)
			if err != nil || !adapter.Equal(got, want.Body) {
				t.Errorf("%s: %v\n got  %s\n want %s", file, err, got, want.Body)
			}
			if !reflect.DeepEqual(warnings, want.Warnings) {
				t.Errorf("%s: warnings\n got  %v\n want %v", file, warnings, want.Warnings)
			}
			if after, err := preflightbedrock.Write(input); err != nil ||
				!bytes.Equal(after, before) {
				t.Errorf("%s: the input was written to", file)
			}
			tried++
		}
	}
	if tried < 20 {
		t.Errorf("only %d bodies could be tried", tried)
	}
}
