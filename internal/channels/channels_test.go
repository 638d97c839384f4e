package channels

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSplit(t *testing.T) {
	for text, want := range map[string][]Piece{
		"<|channel|>analysis<|message|>t<|end|><|start|>assistant<|channel|>final<|message|>a<|return|>": {
			{"t", true}, {"a", false},
		},
		"b <|channel|>analysis<|message|>t<|end|> c":          {{"b", false}, {"t", true}, {"c", false}},
		"<|channel|>analysis<|message|>t":                     {{"t", true}},
		"<|channel|>analysis<|message|>t<|channel|>x":         {{"t", true}, {"<|channel|>x", false}},
		"<|channel|>final<|message|>a <|x|> b":                {{"a <|x|> b", false}},
		"<|channel|>commentary to=f <|message|>c<|call|>":     {{"c", false}},
		"<|channel|>analysis<|message|> <|end|>a":             {{"a", false}},
		"<|start|>two words<|channel|>final<|message|>a":      {{"<|start|>two words", false}, {"a", false}},
		"<|channel|>analysis<|message|>a<|start|>x":           {{"a", true}, {"<|start|>x", false}},
		"<|channel|>analysis<|message|><|end|>":               nil,
		"<|channel|>final<|message|>a<|":                      {{"a<|", false}},
		"<|channel|>final<|message|>a<|<|end|> b <|message|>": {{"a<|", false}, {"b <|message|>", false}},
	} {
		require.True(t, In(text), text)
		require.Equal(t, want, Split(text), text)
	}
	for _, text := range []string{"", "see <|channel|>", "<|message|> and <|channel|>"} {
		require.False(t, In(text), text)
	}
}
