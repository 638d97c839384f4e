package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAgents runs the session between each two of the agents.
func TestAgents(t *testing.T) {
	for from := range kinds {
		for to := range kinds {
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
user: Where were we?
model: We were deleting.
user: And now?
model: Still here.
user: Read the last file.
model: Done.
10 requests, 0 refused
`, told.String())
			})
		}
	}
}
