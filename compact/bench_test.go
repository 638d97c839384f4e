package compact_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/go-preflight/preflight/compact"
	"github.com/go-preflight/preflight/compact/unionfind"
	"github.com/go-preflight/preflight/provider"
)

// BenchmarkCompact shows what a message costs in a history of a thousand and of ten thousand: the
// figures should be alike.
func BenchmarkCompact(b *testing.B) {
	profile := provider.Anthropic("")
	for _, s := range []struct {
		name     string
		strategy compact.Strategy
	}{
		{"flat", compact.Flat{}},
		{"masking", compact.Masking{}},
		{"union-find", unionfind.Strategy{}},
	} {
		for _, n := range []int{1_000, 10_000} {
			h := agentLoop(n/2, 300)
			limits := compact.Limits{Budget: 50 * n / 4, Profile: profile}
			b.Run(fmt.Sprintf("%s/%d", s.name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := s.strategy.Compact(context.Background(), h, limits); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(h)), "ns/message")
			})
		}
	}
}
