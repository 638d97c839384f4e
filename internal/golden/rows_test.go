package golden_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/internal/golden"
)

func TestRowsAreReadAndWritten(t *testing.T) {
	const text = "why\n-- a --\nin: {\"a\":\n \"b\": 1}\nout: \" x\\r\"\nwarning: p\nwarning: q\n" +
		"-- b --\nin: []\nout: \"\"\n"
	a := golden.Parse([]byte(text))
	rows := a.Rows()
	want := []golden.Row{
		{Name: "a", Fields: []golden.Field{
			{Key: "in", Value: "{\"a\":\n \"b\": 1}"},
			{Key: "out", Value: " x\r"},
			{Key: "warning", Value: "p"},
			{Key: "warning", Value: "q"},
		}},
		{Name: "b", Fields: []golden.Field{{Key: "in", Value: "[]"}, {Key: "out", Value: ""}}},
	}
	require.Empty(t, cmp.Diff(want, rows))
	a.SetRows(rows)
	require.Equal(t, text, string(a.Bytes()))

	r := &rows[0]
	require.Equal(t, []string{"p", "q"}, r.All("warning"))
	require.Empty(t, r.Get("message"))
	r.Set("out")
	r.Set("warning", "r")
	r.Set("message", "m", "key: in a value\nkey: on its second line")
	a.SetRows(rows[:1])
	require.Equal(t, "why\n-- a --\nin: {\"a\":\n \"b\": 1}\nwarning: r\nmessage: m\n"+
		`message: "key: in a value\nkey: on its second line"`+"\n", string(a.Bytes()))
}
