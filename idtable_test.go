package preflight

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestIDTable: the table remembers what a map would, and forgets all of it, however much was in it at once.
func TestIDTable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var table idTable
		for range rapid.IntRange(1, 4).Draw(t, "histories") {
			want := make(map[string]int)
			for range rapid.IntRange(0, 200).Draw(t, "ids") {
				id := rapid.StringMatching(`[a-c]{0,6}`).Draw(t, "id")
				s, known := table.of(id)
				n, was := want[id]
				require.Equal(t, was, known)
				require.Equal(t, n, s.first)
				s.first++
				s.last = len(want)
				want[id]++
			}
			for id, n := range want {
				require.Equal(t, n, table.known(id).first)
			}
			require.Nil(t, table.known("none"))
			require.Len(t, table.places, len(want))
			table.reset()
			for id := range want {
				require.Nil(t, table.known(id))
			}
			for _, s := range table.slots {
				require.Zero(t, s, "an id is held on to")
			}
		}
	})
}
