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

// TestThreadTakesABreakpoint: of four breakpoints, a message thread leaves three, where the server
// has threads.
func TestThreadTakesABreakpoint(t *testing.T) {
	body := func(thread string, n int) string {
		var messages []string
		for k := range n {
			messages = append(messages, fmt.Sprintf(`{"role":%q,"content":[{"type":"text","text":"x",`+
				`"cache_control":{"type":"ephemeral"}}]}`, []string{"user", "assistant"}[k%2]))
		}
		return `{"model":"claude-sonnet-4-5","max_tokens":9,` + thread + `"messages":[` +
			strings.Join(messages, ",") + `]}`
	}
	const thread = `"thread":{"type":"create"},`
	for _, c := range []struct {
		provider, thread string
		most             int
	}{
		{"anthropic", "", 4}, {"anthropic", thread, 3},
		{"vertex-anthropic", thread, 3}, {"moonshot-anthropic", thread, 5},
	} {
		for n := 1; n <= 5; n += 2 {
			options := &wire.Options{Provider: c.provider}
			result, err := wire.Sanitize(context.Background(), []byte(body(c.thread, n)), options)
			require.NoError(t, err)
			kept := min(n, c.most)
			assert.Equal(t, kept, strings.Count(string(result.Body), "cache_control"), "%+v %d", c, n)
		}
	}
}
