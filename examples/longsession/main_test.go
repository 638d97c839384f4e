package main

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPlay: both sessions get through without a refusal, know in the end what was said in the
// beginning, and would not have got through by simply cutting.
func TestPlay(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, play(context.Background(), &out))
	require.Equal(t, 2, strings.Count(out.String(), "the request holds the answer: true"),
		out.String())
	require.Equal(t, 2, strings.Count(out.String(), "requests: 201, refused: 0; simply cut: "),
		out.String())
	require.NotContains(t, out.String(), "simply cut: 0 refused")
	require.Equal(t, 2,
		strings.Count(out.String(), "401 messages")+strings.Count(out.String(), "400 messages"),
		out.String())
}
