package spec

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/internal/pairing"
	"github.com/go-preflight/preflight/provider"
)

// TestSideEffects: the model sees the interrupted calls of tools that change something, and is not
// shown those of others.
func TestSideEffects(t *testing.T) {
	send, read := calls("a"), calls("b")
	send.Name, read.Name = "send_mail", "read_file"
	in := history(userMsg(says("q")), botMsg(says("x"), send, read), userMsg(says("r")))
	options := &preflight.Options{OpenCall: func(c *preflight.ToolCall) preflight.Part {
		if c.Name == "send_mail" {
			return &preflight.ToolResult{}
		}
		return nil
	}}
	res, err := preflight.Sanitize(context.Background(), in, provider.OpenAIChat(""), options)
	require.NoError(t, err)
	require.Equal(t, []string{
		`user: "q"`, `assistant: "x" | call a`,
		`tool: error a "` + pairing.DanglingText + `"`, `user: "r"`,
	}, lines(res.Messages))

	options.OpenCall = func(*preflight.ToolCall) preflight.Part { panic("no") }
	_, err = preflight.Sanitize(context.Background(), in, provider.OpenAIChat(""), options)
	require.ErrorIs(t, err, preflight.ErrHook)
	require.ErrorContains(t, err, "Options.OpenCall")
}
