package channels

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSplit(t *testing.T) {
	says := func(s string) Piece { return Piece{Text: s} }
	thinks := func(s string) Piece { return Piece{Text: s, Analysis: true} }
	for _, row := range []struct {
		text string
		want []Piece
	}{
		{"<|channel|>analysis<|message|>t<|end|><|start|>assistant<|channel|>final<|message|>a" +
			"<|return|>", []Piece{thinks("t"), says("a")}},
		{"b <|channel|>analysis<|message|>t<|end|> c", []Piece{says("b"), thinks("t"), says("c")}},
		{"<|channel|>analysis<|message|>t", []Piece{thinks("t")}},
		{"<|channel|>analysis<|message|>t<|channel|>x", []Piece{thinks("t"), says("<|channel|>x")}},
		{"<|channel|>final<|message|>a <|x|> b", []Piece{says("a <|x|> b")}},
		{"<|channel|>commentary to=f <|message|>c<|call|>", []Piece{says("c")}},
		{"<|channel|>analysis<|message|> <|end|>a", []Piece{says("a")}},
		{"<|start|>two words<|channel|>final<|message|>a",
			[]Piece{says("<|start|>two words"), says("a")}},
		{"<|channel|>analysis<|message|>a<|start|>x", []Piece{thinks("a"), says("<|start|>x")}},
		{"<|channel|>analysis<|message|><|end|>", nil},
		{"<|channel|>final<|message|>a<|", []Piece{says("a<|")}},
		{"<|channel|>final<|message|>a<|<|end|> b <|message|>",
			[]Piece{says("a<|"), says("b <|message|>")}},
	} {
		require.True(t, In(row.text), row.text)
		require.Equal(t, row.want, Split(row.text), row.text)
	}
	for _, text := range []string{"", "see <|channel|>", "<|message|> and <|channel|>"} {
		require.False(t, In(text), text)
	}
}
