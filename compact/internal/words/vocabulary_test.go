package words

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestForget: a vocabulary keeps the words that are in most segments, and the others are rare still.
func TestForget(t *testing.T) {
	v := NewVocabulary()
	for k := range mostWords + 10 {
		v.Learn(fmt.Sprint("often w", k))
	}
	v.Forget()
	require.Len(t, v.with, 1)
	ids := v.Look("often w7")
	require.EqualValues(t, -1, ids[1])
	require.Greater(t, v.Rate(ids[1:]), v.Rate(ids[:1]))
}

// TestRate: a rare word among a few counts for more than many that are less rare.
func TestRate(t *testing.T) {
	v := NewVocabulary()
	for k := range 200 {
		v.Learn(fmt.Sprint("work fail w", k%20))
	}
	v.Learn("work fail b9d31e9")
	long := v.Look("w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 w15 w16")
	require.Greater(t, v.Rate(v.Look("work fail b9d31e9")), v.Rate(long))
}
