package compact

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGather: of a long history no more segments are held than there is room for, and those that
// matter are among them: what was asked at the beginning with its answer, and every exchange whole.
func TestGather(t *testing.T) {
	inputs := []Input{
		{Role: "assistant", Text: "Shall I delete the bucket zanzibar-7?"},
		{Role: "user", Text: "No, leave it alone."},
	}
	for k := range 700 {
		var log strings.Builder
		for line := range 100 {
			fmt.Fprintf(&log, "Step %d is done. ", line*k)
		}
		inputs = append(inputs, Input{Role: "assistant", Text: log.String()},
			Input{Role: "assistant", Text: fmt.Sprintf("May I start run %d?", k)},
			Input{Role: "user", Text: fmt.Sprintf("Yes, start %d.", k)})
	}
	most := 0
	g := &gathered{tokens: 500}
	found, span, _ := allSegments(func(all []segment, open int) []segment {
		most = max(most, len(all))
		return g.prune(all, open)
	}, slices.Values(inputs))
	require.LessOrEqual(t, most, 2*fewSegments+100)
	require.Less(t, len(found), len(inputs)*20)
	require.Equal(t, []int{0, len(inputs)}, span)
	sides := map[int]int{}
	for _, s := range found {
		if s.unit > 0 && s.answers {
			sides[s.unit] |= 1
		} else if s.unit > 0 {
			sides[s.unit] |= 2
		}
	}
	for unit, both := range sides {
		require.NotEqual(t, 1, both, "the answer of exchange %d is without its question", unit)
	}
	require.True(t, slices.ContainsFunc(found, func(s segment) bool {
		return s.text == "Shall I delete the bucket zanzibar-7?"
	}))
}
