package wire_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/wire"
)

// TestConverseFallbackKeepsThinking: thinking is switched off where nothing but missing reasoning
// is wrong, and not where a fallback helps against something else.
func TestConverseFallbackKeepsThinking(t *testing.T) {
	const head = `{"modelId":"anthropic.claude-sonnet-4-5-20250929-v1:0",` +
		`"additionalModelRequestFields":{"thinking":{"type":"enabled","budget_tokens":1024}},` +
		`"messages":[`
	const ask = `{"role":"user","content":[{"text":"q"}]}`
	options := &wire.Options{
		Options: preflight.Options{Strict: true, FallbackToLastUser: true},
	}
	result, err := wire.Sanitize(context.Background(),
		[]byte(head+`{"role":"narrator","content":[{"text":"s"}]},`+ask+`]}`), options)
	require.NoError(t, err)
	require.Equal(t, head+ask+`]}`, string(result.Body))
	require.Len(t, result.Warnings, 1)
	require.Equal(t, codes.Fallback, result.Warnings[0].Code)
}
