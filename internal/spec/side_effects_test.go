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

// TestGivenResultIsCopied: a result that OpenCall gives for several calls, and writes to
// afterwards, is another one in each place.
func TestGivenResultIsCopied(t *testing.T) {
	said := &preflight.Text{Text: "busy"}
	given := &preflight.ToolResult{Content: []preflight.Part{said, nil}, Output: []byte(`{"n":1}`)}
	options := &preflight.Options{
		OpenCall: func(*preflight.ToolCall) preflight.Part { return given },
	}
	in := history(userMsg(says("q")), botMsg(calls("a"), calls("b")))
	res, err := preflight.Sanitize(context.Background(), in, &anthropic, options)
	require.NoError(t, err)
	want := dump(res.Messages)
	said.Text, given.Content[0], given.Output[2] = "scribbled", nil, '!'
	require.Equal(t, want, dump(res.Messages))
	a := res.Messages[2].Parts[0].(*preflight.ToolResult)
	b := res.Messages[2].Parts[1].(*preflight.ToolResult)
	require.Equal(t, "busy", a.Content[0].(*preflight.Text).Text)
	require.NotSame(t, a.Content[0], b.Content[0])

	// one that holds only what a result may not hold says nothing
	given = &preflight.ToolResult{Content: []preflight.Part{nil, (*preflight.Text)(nil)}}
	res, err = preflight.Sanitize(context.Background(), in, &anthropic, options)
	require.NoError(t, err)
	require.Equal(t, `user: error a "`+pairing.DanglingText+`" | error b "`+pairing.DanglingText+`"`,
		lines(res.Messages)[2])
}
