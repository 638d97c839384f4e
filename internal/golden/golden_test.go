package golden_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/internal/golden"
)

func TestArchiveIsReadAndWritten(t *testing.T) {
	text := "why\nit is there\n-- a --\n1\n2\n-- b --\n"
	a := golden.Parse([]byte(text))
	require.Equal(t, "why\nit is there\n", string(a.Comment))
	require.Equal(t, "1\n2\n", string(a.Get("a")))
	require.Empty(t, a.Get("b"))
	require.Nil(t, a.Get("c"))
	require.Equal(t, text, string(a.Bytes()))
	a.Set("a", []byte("3"))
	a.Set("c", []byte("4\n"))
	require.Equal(t, "why\nit is there\n-- a --\n3\n-- b --\n-- c --\n4\n", string(a.Bytes()))
}

func TestLayoutBreaksLongValuesOnly(t *testing.T) {
	long := `{"list":[{"text":"a long text that fills half of a line, or so"},` +
		`{"n":1.50,"text":"\ud83d a long text that fills half of a line"}],"empty":[], "n":1e2}`
	want := `{
  "list": [
    {"text": "a long text that fills half of a line, or so"},
    {"n": 1.50, "text": "\ud83d a long text that fills half of a line"}
  ],
  "empty": [],
  "n": 1e2
}
`
	require.Equal(t, want, string(golden.Layout([]byte(long))))
	require.Equal(t, want, string(golden.Layout([]byte(want))), "a layout is kept")
	require.Equal(t, "{\"a\": [1, 2]}\n", string(golden.Layout([]byte(`{ "a" : [ 1,2 ] }`))))
	require.Equal(t, "no JSON", string(golden.Layout([]byte("no JSON"))))
}
