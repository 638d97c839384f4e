package main

import (
	"bytes"
	"context"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPlay: both sessions get through without a refusal, know in the end what was said in the
// beginning, send most of every request from the cache, and would not have got through by simply
// cutting.
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
	shares := regexp.MustCompile(`from the cache: (\d+) %`).FindAllStringSubmatch(out.String(), -1)
	require.Len(t, shares, 2)
	for _, s := range shares {
		n, err := strconv.Atoi(s[1])
		require.NoError(t, err)
		require.GreaterOrEqual(t, n, 85, out.String())
	}
}
