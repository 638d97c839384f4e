package wire_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/wire"
)

// TestBlockBinding: after an edit, reasoning that is bound to what comes before it leaves, unless
// the request says that the server drops what does not fit: it alone knows what that is.
func TestBlockBinding(t *testing.T) {
	const body = `{"model":"claude-opus-5-5","max_tokens":9,"thinking":{"type":"adaptive"‹more›},` +
		`"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1",` +
		`"content":"r"},{"type":"text","text":"a"}]},{"role":"assistant","content":[` +
		`{"type":"thinking","thinking":"t","signature":"c2ln"},{"type":"text","text":"b"}]},` +
		`{"role":"user","content":"c"}]}`
	for more, stays := range map[string]bool{
		``: false,
		`,"block_binding":{"prefix_mismatch_behavior":"error"}`:      false,
		`,"block_binding":{"prefix_mismatch_behavior":"drop_block"}`: true,
	} {
		res, err := wire.Sanitize(context.Background(), []byte(strings.Replace(body, "‹more›", more, 1)),
			nil)
		require.NoError(t, err)
		require.True(t, res.Changed)
		require.NotContains(t, string(res.Body), "toolu_1")
		require.Equal(t, stays, strings.Contains(string(res.Body), "c2ln"), more)
		require.Equal(t, 1, res.Warnings[0].Unbinds)
	}
}

// TestUnbindsOfFindings: what is repaired before the history is decoded may unbind reasoning, too,
// and says how much comes after it.
func TestUnbindsOfFindings(t *testing.T) {
	const body = `{"model":"claude-opus-5-5","max_tokens":9,"thinking":{"type":"adaptive",` +
		`"block_binding":{"prefix_mismatch_behavior":"drop_block"}},"messages":[` +
		`{"role":"user","content":"a"},{"role":"assistant","content":[` +
		`{"type":"thinking","thinking":"t","signature":"c2ln"},{"type":"text","text":"\ud800"},` +
		`{"type":"thinking","thinking":"u","signature":"c2ln"},{"type":"text","text":"c"}]},` +
		`{"role":"user","content":"c"},{"role":"assistant","content":[` +
		`{"type":"thinking","thinking":"t","signature":"c2ln"},{"type":"text","text":"b"}]},` +
		`{"role":"user","content":"c"}]}`
	res, err := wire.Sanitize(context.Background(), []byte(body), nil)
	require.NoError(t, err)
	require.Len(t, res.Warnings, 1)
	require.Equal(t, codes.TextRepaired, res.Warnings[0].Code)
	require.Equal(t, 2, res.Warnings[0].Unbinds)
	text, err := json.Marshal(res.Warnings[0])
	require.NoError(t, err)
	require.Contains(t, string(text), `"unbinds":2`)
	var read wire.Warning
	require.NoError(t, json.Unmarshal(text, &read))
	require.Equal(t, 2, read.Unbinds)
}
