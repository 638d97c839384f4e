package unionfind_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight"
	"github.com/go-preflight/preflight/compact/unionfind"
)

// TestClusterSize: no cluster holds more than ClusterSize messages or twice its fair share,
// whatever the messages are.
func TestClusterSize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := unionfind.Clustering{
			MaxClusters: rapid.IntRange(1, 6).Draw(t, "clusters"),
			ClusterSize: rapid.IntRange(1, 5).Draw(t, "size"),
			Threshold:   rapid.SampledFrom([]float64{-1, 0.1, 0.5, 2}).Draw(t, "threshold"),
		}
		w, err := unionfind.NewWindow(unionfind.Config{GraduateAt: 1, EvictAt: 1, Clustering: c})
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
