package compact_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact"
)

// TestClusterSize: no cluster holds more than ClusterSize messages or twice its fair share,
// whatever the messages are.
func TestClusterSize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := compact.Clustering{
			MaxClusters: rapid.IntRange(1, 6).Draw(t, "clusters"),
			ClusterSize: rapid.IntRange(1, 5).Draw(t, "size"),
			Threshold:   rapid.SampledFrom([]float64{-1, 0.1, 0.5, 2}).Draw(t, "threshold"),
		}
		w, err := compact.NewWindow(compact.Config{GraduateAt: 1, EvictAt: 1, Clustering: c})
		require.NoError(t, err)
		for _, text := range rapid.SliceOfN(
			rapid.SampledFrom([]string{"a b", "a", "b c", "?", "", "猫 鱼"}), 0, 60).Draw(t,
			"texts") {
			require.NoError(t, w.Append(context.Background(), say(preflight.RoleUser, text)))
		}
		cold := max(0, w.Len()-1)
		require.LessOrEqual(t, len(w.Clusters()), c.MaxClusters)
		in := 0
		for _, members := range w.Clusters() {
			in += len(members)
			require.LessOrEqual(t, len(members),
				max(c.ClusterSize, (2*cold+c.MaxClusters-1)/c.MaxClusters))
		}
		require.Equal(t, cold, in, "every message that has graduated is in exactly one cluster")
	})
}

func say(role preflight.Role, text string) preflight.Message {
	return preflight.Message{Role: role, Parts: []preflight.Part{&preflight.Text{Text: text}}}
}

// chatter is a conversation of n messages about seven topics.
func chatter(n int) []preflight.Message {
	h := make([]preflight.Message, n)
	for i := range h {
		role := preflight.RoleUser
		if i%2 == 1 {
			role = preflight.RoleAssistant
		}
		h[i] = say(role,
			fmt.Sprintf("message %d is about topic %d and the file src/topic%d.go", i, i/3%7,
				i/3%7))
	}
	return h
}

// chat is a window of n messages.
func chat(t testing.TB, config compact.Config, n int) *compact.Window {
	t.Helper()
	w, err := compact.NewWindow(config)
	require.NoError(t, err)
	require.NoError(t, w.Append(context.Background(), chatter(n)...))
	return w
}
