package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/preflighttest"
)

// TestLoop runs the session between each two of the fake providers.
func TestLoop(t *testing.T) {
	for _, from := range preflighttest.Providers() {
		for _, to := range preflighttest.Providers() {
			t.Run(from+" to "+to, func(t *testing.T) {
				var told bytes.Buffer
				require.NoError(t, play(&told, from, to), told.String())
				require.Equal(t, `stopped
user: Go on.
model: You stopped me.
user: Delete it.
model: 
user: What are you doing?
model: I wait for your approval.
user: I have approved it.
model: It is deleted.
user: Read the last file.
model: Done.
7 requests, 0 refused
`, told.String())
			})
		}
	}
}

// TestUnknownTool: a model that calls a tool that there is not learns that.
func TestUnknownTool(t *testing.T) {
	for _, provider := range preflighttest.Providers() {
		t.Run(provider, func(t *testing.T) {
			server, err := preflighttest.Start(provider, nil)
			require.NoError(t, err)
			defer server.Close()
			server.Script(
				preflighttest.Reply{Calls: []preflighttest.Call{{Name: "write"}}},
				preflighttest.Reply{Text: "I cannot write."},
			)
			answer, err := newAgent(modelAt(server, provider)).Run(t.Context(), "Write it.")
			require.NoError(t, err)
			require.Equal(t, "I cannot write.", answer)
			require.Empty(t, server.Refused())
		})
	}
}
