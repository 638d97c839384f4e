//go:build workcount

package pump

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/internal/work"
)

func TestStretches(t *testing.T) {
	body := `{"a":["x\"y",1],"b":2}`
	var got []string
	for _, s := range Stretches(body) {
		got = append(got, string(s.Times(body, 2)))
	}
	require.Equal(t, []string{
		`{"a":["x\"yx\"y",1],"b":2}`,
		`{"a":["x\"y","x\"y",1],"b":2}`, `{"a":["x\"y\ud800","x\"y\ud800",1],"b":2}`,
		`{"a":["x\"y",1,"x\"y",1],"b":2}`, `{"a":["x\"y\ud800",1,"x\"y\ud800",1],"b":2}`,
		`{"a":["x\"y",1,1],"b":2}`,
		`{"a":["x\"y",1],"x1a":["x\"y",1],"b":2}`,
		`{"a":["x\"y\ud800",1],"x1a":["x\"y\ud800",1],"b":2}`,
		`{"a":["x\"y",1],"b":2,"x1b":2}`,
		`{"x":"v","x1x":"v","a":["x\"y",1],"b":2}`,
		`{"x":"v\ud800","x1x":"v\ud800","a":["x\"y",1],"b":2}`,
	}, got)
	require.Equal(t, "abbc", string(Part("abc", 1, 2).Times("abc", 2)))
}

type recorder []string

func (r *recorder) Helper() {}

func (r *recorder) Fatalf(format string, args ...any) {
	*r = append(*r, fmt.Sprintf(format, args...))
}

func TestLinear(t *testing.T) {
	var found recorder
	steps := func(of func(n int) int) func(n int) func() {
		return func(n int) func() {
			return func() {
				for range of(n) {
					work.Done()
				}
			}
		}
	}
	Linear(&found, "linear", steps(func(n int) int { return 1000 * n }))
	require.Empty(t, found)
	Linear(&found, "quadratic", steps(func(n int) int { return 10 * n * n }))
	require.Len(t, found, 1)
}
