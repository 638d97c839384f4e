package wire_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/wire"
)

// TestConverseReading: what parts of a Converse body are to everybody else.
func TestConverseReading(t *testing.T) {
	r, err := wire.Decode(
		[]byte(
			`{"modelId":"us.anthropic.claude-opus-5-5-v1:0","messages":[{"role":"assistant",`+
				`"content":[{"text":"a"},{"cachePoint":{"type":"default"}},`+
				`{"toolUse":{"toolUseId":"t","name":"nova_grounding","input":{},`+
				`"type":"server_tool_use"}},`+
				`{"toolResult":{"toolUseId":"t","type":"nova_grounding_result",`+
				`"content":[{"json":{"n":1.0}}]}},{"new":{}}]},
 {"role":"user","content":[{"toolResult":{"toolUseId":"t","type":"x","content":[]}},`+
				`{"image":{"source":{"stream":1}}},`+
				`{"document":{"name":"d","format":"md",`+
				`"source":{"s3Location":{"uri":"s3://b/k"}}}}]}]}`,
		),
		nil,
	)
	require.NoError(t, err)
	require.Equal(t, "bedrock", r.Provider)
	require.Equal(t, "us.anthropic.claude-opus-5-5-v1:0", r.Model)
	require.True(t, r.Profile.Reasoning.Bound)
	turn, user := r.Messages[0].Parts, r.Messages[1].Parts
	require.Len(t, turn, 4)
	require.Equal(t, `{"cachePoint":{"type":"default"}}`, string(turn[0].(*preflight.Text).Cache))
	require.True(t, turn[1].(*preflight.ToolCall).ProviderExecuted)
	result := turn[2].(*preflight.ToolResult)
	require.True(t, result.ProviderExecuted)
	require.Equal(t, `{"n":1.0}`, result.Content[0].(*preflight.Text).Text)
	require.Equal(t, "new", turn[3].(*preflight.Other).Kind)
	// for a call that Bedrock answered itself
	require.Equal(t, "toolResult", user[0].(*preflight.Other).Kind)
	require.Equal(t, "image", user[1].(*preflight.Other).Kind)
	require.Equal(t, "s3://b/k", user[2].(*preflight.Media).FileID)
	require.Equal(t, "text/markdown", user[2].(*preflight.Media).MediaType)
	require.Equal(t, "messages[0].content[3].toolResult.content[0]",
		r.Path(preflight.Position{Message: 0, Part: 2, Inner: 0}))
	require.Equal(t, "messages[0].content[4]",
		r.Path(preflight.Position{Message: 0, Part: 3, Inner: -1}))
}
