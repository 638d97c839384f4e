package idtable_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/go-preflight/preflight/internal/idtable"
	"github.com/go-preflight/preflight/internal/rapidseed"
)

func TestMain(m *testing.M) { rapidseed.Main(m, 100) }

// TestTable: the table remembers what a map would, and forgets all of it, however much was in it
// at once.
func TestTable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var table idtable.Table
		for range rapid.IntRange(1, 4).Draw(t, "histories") {
			want := make(map[string]int)
			for range rapid.IntRange(0, 200).Draw(t, "ids") {
				id := rapid.StringMatching(`[a-c]{0,6}`).Draw(t, "id")
				s, known := table.Of(id)
				n, was := want[id]
				require.Equal(t, was, known)
				require.Equal(t, n, s.First)
				s.First++
				s.Last = len(want)
				want[id]++
			}
			for id, n := range want {
				require.Equal(t, n, table.Known(id).First)
			}
			require.Nil(t, table.Known("none"))
			require.Len(t, table.Places, len(want))
			table.Reset()
			for id := range want {
				require.Nil(t, table.Known(id))
			}
			for _, s := range table.Slots {
				require.Zero(t, s, "an id is held on to")
			}
		}
	})
}
