package wire_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/wire"
)

// This file tests cache breakpoints of whole requests, on tools and in messages.

func TestShortenedBreakpointKeepsItsMembers(t *testing.T) {
	const (
		short = `{"type":"ephemeral"}`
		long  = `{"type":"ephemeral","ttl":"1h","scope":"global"}`
	)
	tool := func(name, marker string) string {
		return fmt.Sprintf(`{"name":%q,"input_schema":{"type":"object"},"cache_control":%s}`,
			name, marker)
	}
	body := `{"model":"claude-sonnet-4-5","max_tokens":9,"tools":[` + tool("a", short) + `,` +
		tool("b", long) + `],"messages":[{"role":"user","content":[` +
		`{"type":"text","text":"x","cache_control":` + long + `}]}]}`
	result, err := wire.Sanitize(context.Background(), []byte(body), nil)
	require.NoError(t, err)
	assert.Equal(t, strings.ReplaceAll(body, `"ttl":"1h",`, ``), string(result.Body))
	assert.Len(t, result.Warnings, 2)
}
