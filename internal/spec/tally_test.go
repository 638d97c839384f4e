package spec

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight"
)

// This file tests tallies.

// TestTallyTakesNil: parts that are nil count as nothing.
func TestTallyTakesNil(t *testing.T) {
	parts := []preflight.Part{
		nil, (*preflight.Text)(nil), (*preflight.Reasoning)(nil), (*preflight.ToolCall)(nil),
		(*preflight.ToolResult)(nil), (*preflight.Media)(nil), (*preflight.Other)(nil),
	}
	require.Zero(t, preflight.TallyOf(userMsg(parts...)))
}
