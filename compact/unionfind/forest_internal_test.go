package unionfind

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFindCompressesPaths checks the parents, which are not exported.
func TestFindCompressesPaths(t *testing.T) {
	f := &Forest{parent: []int{0, 0, 1, 2, 3}} // a chain
	require.Equal(t, 0, f.Find(4))
	require.Equal(t, []int{0, 0, 0, 0, 0}, f.parent)
}

// TestShares: the budget is spent as far as it can be, and no share is larger than its text.
func TestShares(t *testing.T) {
	for _, c := range []struct {
		reason     string
		full, want []int
		total      int
	}{
		{"everything fits", []int{10, 20}, []int{10, 20}, 100},
		{"nothing to give", []int{10, 20}, []int{0, 0}, 0},
		{"less than nothing", []int{10}, []int{0}, -5},
		{"the square root of what each costs", []int{100, 400}, []int{20, 40}, 60},
		{"what a short one leaves is shared by the others", []int{1, 100}, []int{1, 59}, 60},
		{"a hidden one gets nothing", []int{0, 50}, []int{0, 30}, 30},
	} {
		require.Equal(t, c.want, shares(c.full, c.total), c.reason)
	}
}
