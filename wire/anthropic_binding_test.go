package wire_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

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
	}
}
