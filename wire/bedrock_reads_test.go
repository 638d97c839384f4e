package wire_test

import (
	"strings"
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
		r.Path(preflight.At(0, 2, 0)))
	require.Equal(t, "messages[0].content[4]",
		r.Path(preflight.At(0, 3)))
}

// TestCachePointBesideNothing: a block of another format that reads as nothing is not a block
// that a cache point belongs to.
func TestCachePointBesideNothing(t *testing.T) {
	const (
		point    = `{"cachePoint":{"type":"default"}}`
		nothing  = `{"type":"thinking","thinking":""}`
		question = `{"role":"user","content":[{"text":"q"}]}`
	)
	turn := func(blocks ...string) string {
		return `{"messages":[` + question + `,{"role":"assistant","content":[` +
			strings.Join(blocks, ",") + `]},` + question + `]}`
	}
	for body, want := range map[string]string{
		turn(nothing, point, `{"text":"a"}`): turn(`{"text":"a"}`, point),
		turn(`{"text":"a"}`, nothing, point): turn(`{"text":"a"}`, point),
		turn(point, nothing, `{"text":"a"}`): turn(`{"text":"a"}`, point),
		turn(nothing, point):                 `{"messages":[` + question + `,` + question + `]}`,
		`{"system":[` + point + `,` + nothing + `],"messages":[` + question + `]}`: `{"messages":[` +
			question + `]}`,
	} {
		options := &wire.Options{Provider: "bedrock"}
		result, err := wire.Sanitize(t.Context(), []byte(body), options)
		require.NoError(t, err, body)
		require.JSONEq(t, want, string(result.Body), body)
		requireGuarantees(t, []byte(body), options)
	}
}
