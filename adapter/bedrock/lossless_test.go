package preflightbedrock_test

import (
	"encoding/json"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"

	"github.com/go-preflight/preflight/adapter"
	preflightbedrock "github.com/go-preflight/preflight/adapter/bedrock"
	"github.com/go-preflight/preflight/internal/clienttest"
)

// TestLossless: what the service accepted, as far as the SDK's types hold it.
func TestLossless(t *testing.T) {
	messages := clienttest.Types[types.Message]{
		Providers: []string{"bedrock"}, List: "messages", Repair: preflightbedrock.Messages,
		Read: func(raw json.RawMessage) (types.Message, error) {
			read, err := preflightbedrock.Unmarshal([]byte("[" + string(raw) + "]"))
			if err != nil {
				return types.Message{}, err
			}
			return read[0], nil
		},
		Write: func(m types.Message) ([]byte, error) {
			raw, err := preflightbedrock.Marshal([]types.Message{m})
			if err != nil {
				return nil, err
			}
			return raw[1 : len(raw)-1], nil
		},
		Same: func(a, b types.Message) bool {
			return len(a.Content) == len(b.Content) &&
				(len(a.Content) == 0 || &a.Content[0] == &b.Content[0])
		},
		Equal: adapter.Equal, Inexact: adapter.ErrInexact, Least: 500,
	}
	messages.Run(t)
}
