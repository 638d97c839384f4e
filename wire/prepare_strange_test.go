package wire_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/wire"
)

// embeds is no part, although the compiler takes it for one. It cannot be compared.
type embeds struct {
	*preflight.Text
	list []int
}

// TestPrepareStrangeParts: a result that holds itself, results in results, and parts that are nil
// or of another type are repaired for every provider.
func TestPrepareStrangeParts(t *testing.T) {
	foreign := preflight.Carried{Native: preflight.Native{Format: "other", JSON: []byte(`{}`)}}
	for _, carried := range []preflight.Carried{{}, foreign} {
		circle := &preflight.ToolResult{CallID: "call00001"}
		circle.Content = []preflight.Part{
			circle, &preflight.ToolResult{Content: []preflight.Part{circle}},
			nil, (*preflight.Media)(nil), embeds{},
			&preflight.Text{Text: "a", Carried: carried},
		}
		history := []preflight.Message{
			{Role: "user", Parts: []preflight.Part{
				&preflight.Text{Text: "q"}, embeds{nil, []int{1}}, (*preflight.ToolResult)(nil), nil,
			}},
			{Role: "assistant", Parts: []preflight.Part{
				&preflight.ToolCall{ID: "call00001", Name: "f"}, (*preflight.ToolCall)(nil),
			}},
			{Role: "tool", Parts: []preflight.Part{circle}},
		}
		for _, name := range wire.Providers() {
			out, err := wire.Prepare(context.Background(), name, "some-model", history,
				&wire.RequestOptions{MaxTokens: 10})
			require.NoError(t, err, name)
			found, err := wire.Check(out.Body, &wire.Options{Provider: name})
			require.NoError(t, err, name)
			require.Empty(t, found.Violations, "%s: %s", name, out.Body)
		}
	}
}
