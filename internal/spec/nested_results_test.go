package spec

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/fixer"
	"github.com/go-preflight/preflight/preflighttest/histgen"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/redact"
	"github.com/go-preflight/preflight/stored"
	"github.com/go-preflight/preflight/wire"
)

// nestedResults are tool results that a walk of all paths would never end on.
var nestedResults = map[string]func() *preflight.ToolResult{
	"a result that holds itself": func() *preflight.ToolResult {
		r := &preflight.ToolResult{CallID: "a", Content: []preflight.Part{says("said")}}
		r.Content = append(r.Content, r, r)
		return r
	},
	"results that are shared": func() *preflight.ToolResult {
		r := &preflight.ToolResult{CallID: "a", Content: []preflight.Part{says("said")}}
		for range 60 {
			r = &preflight.ToolResult{CallID: "a", Content: []preflight.Part{r, r}}
		}
		return r
	},
}

func nestedHistory(r *preflight.ToolResult) []preflight.Message {
	call := &preflight.ToolCall{ID: "a", Name: "f", Input: []byte("{}")}
	return []preflight.Message{
		{Role: "user", Parts: []preflight.Part{says("q")}},
		{Role: "assistant", Parts: []preflight.Part{call}},
		{Role: "user", Parts: []preflight.Part{r}},
	}
}

// TestNestedResults: results inside of results become text, once, however they are linked.
func TestNestedResults(t *testing.T) {
	ctx, profile := context.Background(), provider.Anthropic("")
	for name, nested := range nestedResults {
		for what, run := range map[string]func([]preflight.Message){
			"Sanitize": func(h []preflight.Message) {
				options := &preflight.Options{
					Fixers: []preflight.Fixer{
						fixer.Truncate{MaxString: 9}.Fixer(), stored.Older{Keep: 1, MaxText: 9}.Fixer(),
					},
				}
				res, err := preflight.Sanitize(ctx, h, profile, options)
				require.NoError(t, err)
				result := res.Messages[2].Parts[0].(*preflight.ToolResult)
				require.Len(t, result.Content, 1)
				require.Equal(t, "said", result.Content[0].(*preflight.Text).Text)
			},
			"hooks": func(h []preflight.Message) {
				nest := preflight.Hook{Name: "nest", History: func(
					context.Context, []preflight.Message,
				) ([]preflight.Message, error) {
					return h, nil
				}}
				keep := messageHook("keep", func(*preflight.Message) {})
				_, err := preflight.Sanitize(ctx, h[:1], profile,
					&preflight.Options{Hooks: []preflight.Hook{nest, keep}})
				require.NoError(t, err)
			},
			"OpenCall": func(h []preflight.Message) {
				_, err := preflight.Sanitize(ctx, h[:2], profile, &preflight.Options{
					OpenCall: func(*preflight.ToolCall) preflight.Part { return h[2].Parts[0] },
				})
				require.NoError(t, err)
			},
			"Persist": func(h []preflight.Message) {
				_, err := stored.Persist(ctx, h, stored.PersistOptions())
				require.NoError(t, err)
			},
			"Resume": func(h []preflight.Message) {
				_, err := stored.Resume(ctx, h, nil, nil)
				require.NoError(t, err)
			},
			"Abort": func(h []preflight.Message) {
				_, err := stored.Abort(h, "", nil)
				require.NoError(t, err)
			},
			"HandOff": func(h []preflight.Message) {
				wire.HandOff("gemini").Apply(h, profile, nil)
			},
			"Check":   func(h []preflight.Message) { preflight.Check(h, profile, nil) },
			"Pairs":   func(h []preflight.Message) { preflight.Pairs(h, profile) },
			"TallyOf": func(h []preflight.Message) { preflight.TallyOf(h...) },
			"redact.Message": func(h []preflight.Message) {
				mapped := redact.Message(h[2], strings.ToUpper)
				require.Equal(t, []preflight.Part{says("SAID")},
					mapped.Parts[0].(*preflight.ToolResult).Content)
			},
			"JSON": func(h []preflight.Message) {
				_, err := h[2].MarshalJSON()
				require.Error(t, err)
			},
			"Encode": func(h []preflight.Message) {
				for _, format := range wire.Providers() {
					r, err := wire.Decode([]byte(`[{"role":"user","content":"q"}]`),
						&wire.Options{Provider: format})
					if err == nil {
						_, err = r.Encode(h)
						require.ErrorIs(t, err, wire.ErrEncode, format)
					}
				}
			},
		} {
			t.Run(name+"/"+what, func(t *testing.T) {
				done := make(chan bool)
				go func() {
					defer close(done)
					run(nestedHistory(nested()))
				}()
				select {
				case <-done:
				case <-time.After(20 * time.Second):
					t.Fatal("it does not end")
				}
			})
		}
	}
}

// TestNestedResultsKeepText: the text of each nested result is kept, in order.
func TestNestedResultsKeepText(t *testing.T) {
	inner := &preflight.ToolResult{CallID: "a", Content: []preflight.Part{says("2")}}
	outer := &preflight.ToolResult{CallID: "a", Content: []preflight.Part{
		says("1"), &preflight.ToolResult{Content: []preflight.Part{inner, says("3")}}, says("4"),
	}}
	in := nestedHistory(outer)
	res, err := preflight.Sanitize(context.Background(), histgen.Clone(in),
		provider.Anthropic(""), nil)
	require.NoError(t, err)
	var texts []string
	for _, p := range res.Messages[2].Parts[0].(*preflight.ToolResult).Content {
		texts = append(texts, p.(*preflight.Text).Text)
	}
	require.Equal(t, []string{"1", "2\n3", "4"}, texts)
}
