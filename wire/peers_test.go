package wire_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/internal/golden"
)

// wantRefused are cases whose output a strict fake refuses, and why that is right.
var wantRefused = map[string]string{
	"provider_executed_deferred": "the request lacks a container id, which preflight cannot know",
}

// TestPeers runs the cases of testdata/peers: histories that other agents and gateways met, and
// what each of them asks for. A strict fake of the provider accepts what comes out, and the lines
// under "holds" are true of it.
func TestPeers(t *testing.T) {
	eachGolden(t, "../testdata/peers/*/*.txtar", false, func(t *testing.T, c *goldenCase) {
		require.NoError(t, c.err)
		if wantRefused[c.name] == "" {
			require.Empty(t, c.refused)
		} else {
			require.NotEmpty(t, c.refused, "the exception is not needed")
		}
		in, out := c.archive.Get("input.json"), []byte(c.output())
		require.NoError(t, golden.Holds(string(c.archive.Get("holds")), in, out))
	})
}
