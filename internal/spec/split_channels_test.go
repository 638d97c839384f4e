package spec

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/codes"
	"github.com/go-preflight/preflight/provider"
	"github.com/go-preflight/preflight/rule/problems"
)

// TestChannelTags: the template of gpt-oss refuses its own tags in the content
// (ggml-org/llama.cpp#15242). Analysis becomes reasoning, every other channel text.
func TestChannelTags(t *testing.T) {
	thinks := func(s string) preflight.Part { return &preflight.Reasoning{Text: s} }
	profile := &preflight.Profile{Content: provider.ContentRules{RefuseChannelTags: true}}
	for name, row := range map[string]struct {
		text string
		want []preflight.Part
	}{
		"analysis and answer": {"<|channel|>analysis<|message|>t<|end|><|start|>assistant" +
			"<|channel|>final<|message|>a<|return|>", []preflight.Part{thinks("t"), says("a")}},
		"text before and after": {"b <|channel|>analysis<|message|>t<|end|> c",
			[]preflight.Part{says("b"), thinks("t"), says("c")}},
		"no end": {"<|channel|>analysis<|message|>t", []preflight.Part{thinks("t")}},
		"no end before the next": {"<|channel|>analysis<|message|>t<|channel|>final<|message|>a",
			[]preflight.Part{thinks("t"), says("a")}},
		"other tags": {"<|channel|>final<|message|>a <|x|> b",
			[]preflight.Part{says("a <|x|> b")}},
		"commentary": {"<|channel|>commentary to=f <|message|>c<|call|>",
			[]preflight.Part{says("c")}},
		"an empty one":  {"<|channel|>analysis<|message|><|end|>a", []preflight.Part{says("a")}},
		"one tag alone": {"see <|channel|>", []preflight.Part{says("see <|channel|>")}},
	} {
		h := history(userMsg(says("q")), botMsg(says(row.text)), userMsg(says(row.text)))
		found := preflight.Check(h, profile, nil)
		res, err := preflight.Sanitize(context.Background(), h, profile, nil)
		require.NoError(t, err, name)
		require.Equal(t, row.want, res.Messages[1].Parts, name)
		require.Equal(t, h[2], res.Messages[2], "%s: a user may write about tags", name)
		if row.text == "see <|channel|>" {
			require.Empty(t, found, name)
			continue
		}
		require.Len(t, found, 1, name)
		require.Equal(t, problems.ChannelTags, found[0].Problem, name)
		require.Len(t, res.Warnings, 1, name)
		require.Equal(t, codes.PartChanged, res.Warnings[0].Code, name)
		require.Empty(t, preflight.Check(res.Messages, profile, nil), name)
	}
}
