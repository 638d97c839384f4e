package preflightopenai_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/responses"

	"github.com/go-preflight/preflight/adapter"
	preflightopenai "github.com/go-preflight/preflight/adapter/openai"
	"github.com/go-preflight/preflight/internal/clienttest"
	"github.com/go-preflight/preflight/wire"
)

// TestSentIsWhatWireSends: the SDK sends the repaired params as package wire repairs what the SDK
// would have sent, whatever the params are made of.
func TestSentIsWhatWireSends(t *testing.T) {
	t.Run("openai-chat", func(t *testing.T) {
		requireSameAsWire(t, "openai-chat", "messages", preflightopenai.ChatParams,
			func(p *openai.ChatCompletionNewParams, messages []json.RawMessage) {
				p.Messages = nil
				for _, m := range messages {
					p.Messages = append(p.Messages,
						param.Override[openai.ChatCompletionMessageParamUnion](m))
				}
			},
			func(body []byte) openai.ChatCompletionNewParams {
				return param.Override[openai.ChatCompletionNewParams](json.RawMessage(body))
			})
	})
	t.Run("openai-responses", func(t *testing.T) {
		requireSameAsWire(t, "openai-responses", "input", preflightopenai.ResponseParams,
			func(p *responses.ResponseNewParams, items []json.RawMessage) {
				p.Input = responses.ResponseNewParamsInputUnion{}
				for _, item := range items {
					p.Input.OfInputItemList = append(p.Input.OfInputItemList,
						param.Override[responses.ResponseInputItemUnionParam](item))
				}
			},
			func(body []byte) responses.ResponseNewParams {
				return param.Override[responses.ResponseNewParams](json.RawMessage(body))
			})
	})
}

// requireSameAsWire tries the bodies of a provider in three forms: as raw JSON, typed, and typed
// with raw messages.
func requireSameAsWire[P any](
	t *testing.T,
	provider, list string,
	sanitize func(context.Context, P, *wire.Options) (P, []wire.Warning, error),
	setList func(*P, []json.RawMessage),
	override func([]byte) P,
) {
	t.Helper()
	function := clienttest.Params[P]{
		Provider: provider, Sanitize: sanitize, Equal: adapter.Equal,
	}
	tried := 0
	for file, body := range clienttest.GoldenBodies(t, provider) {
		var members map[string]json.RawMessage
		if err := json.Unmarshal(body, &members); err != nil {
			t.Fatal(err)
		}
		forms := []P{override(body)}
		var typed P
		if json.Unmarshal(body, &typed) == nil {
			forms = append(forms, typed)
		}
		var elements []json.RawMessage
		if json.Unmarshal(members[list], &elements) == nil {
			delete(members, list)
			rest, err := json.Marshal(members)
			if err != nil {
				t.Fatal(err)
			}
			var mixed P
			if json.Unmarshal(rest, &mixed) == nil {
				setList(&mixed, elements)
				forms = append(forms, mixed)
			}
		}
		for k, params := range forms {
			if function.Compare(t, fmt.Sprintf("%s, form %d", file, k), params) {
				tried++
			}
		}
	}
	if tried < 10 {
		t.Errorf("only %d params could be tried", tried)
	}
}
