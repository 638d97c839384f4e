package jsonscan

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestInspect(t *testing.T) {
	var doc Doc
	for in, want := range map[string]Kind{
		`{"a":"\u0000"}`: Object, `[1]`: Array, `"a"`: String, `1.0`: Number, `null`: Null,
	} {
		kind, flags, err := Inspect([]byte(in))
		require.NoError(t, err)
		require.Equal(t, want, kind, in)
		require.Equal(t, want == Object, flags&HasNUL != 0, in)
		again, same, err := doc.Inspect([]byte(in))
		require.NoError(t, err)
		require.Equal(t, kind, again)
		require.Equal(t, flags, same)
		require.Equal(t, Value{}, doc.Root(), "nothing of the caller's is kept")
	}
	_, _, err := Inspect([]byte(`{`))
	require.Error(t, err)
	borrowed := Borrow()
	require.NoError(t, borrowed.Parse([]byte(`[]`)))
	Return(borrowed)
	require.Equal(t, Value{}, borrowed.Root())
}
