package words

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestForget: a vocabulary keeps the words that are in most segments, and the others are rare
// still.
func TestForget(t *testing.T) {
	v := NewVocabulary()
	for k := range mostWords + 10 {
		v.Learn(fmt.Sprint("often w", k))
	}
	v.Forget()
	require.Len(t, v.with, 1)
	ids := v.Look("often w7")
	require.EqualValues(t, -1, ids[1])
	require.Greater(t, v.Rate(ids[1:], false), v.Rate(ids[:1], false))
}
