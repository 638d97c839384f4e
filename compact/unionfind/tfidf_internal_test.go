package unionfind

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNormsAreBounded: of the vectors that are compared, few are kept in memory, and what is
// computed again is the same.
func TestNormsAreBounded(t *testing.T) {
	vectors := make([]Vector, 3*maxNorms)
	e := NewTFIDF()
	for k := range vectors {
		vectors[k] = e.vector(fmt.Sprintf("word%d word%d and more", k%7, k))
		e.Learn(vectors[k])
	}
	var before []float64
	for range 2 {
		var alike []float64
		for _, v := range vectors {
			alike = append(alike, e.Similarity(vectors[0], v))
			require.LessOrEqual(t, len(e.norms), maxNorms)
		}
		if before != nil {
			require.Equal(t, before, alike)
		}
		before = alike
	}
}
