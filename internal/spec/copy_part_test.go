package spec

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
)

// TestCopyPart: a copy is a new value with equal fields, whatever the type, and nil stays nil.
func TestCopyPart(t *testing.T) {
	carried := preflight.Carried{Cache: json.RawMessage(`{}`)}
	for _, p := range []preflight.Part{
		&preflight.Text{Carried: carried, Text: "x"},
		&preflight.Reasoning{Carried: carried, Text: "x"},
		&preflight.ToolCall{Carried: carried, ID: "a", Input: json.RawMessage(`{}`)},
		&preflight.ToolResult{
			Carried: carried, CallID: "a", Content: []preflight.Part{&preflight.Text{Text: "x"}},
		},
		&preflight.Media{Carried: carried, Kind: "image"},
		&preflight.Other{Carried: carried, Kind: "x"},
	} {
		c := preflight.CopyPart(p)
		require.Equal(t, p, c)
		require.NotSame(t, p, c)
		preflight.CarriedBy(c).Cache = nil
		require.Equal(t, carried, *preflight.CarriedBy(p), "%T", p)
	}
	require.Nil(t, preflight.CopyPart(nil))
	require.Equal(t, (*preflight.Text)(nil), preflight.CopyPart((*preflight.Text)(nil)))
}
