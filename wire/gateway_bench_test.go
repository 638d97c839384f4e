package wire_test

import (
	"context"
	"fmt"
	"runtime"
	"runtime/metrics"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/internal/benchdata"
	"github.com/go-preflight/preflight/wire"
)

// This file measures what a gateway sees: many bodies at once on all processors, each in memory of
// its own, as one that was read from a connection.

// gatewayHeap is the memory in bytes that the process holds beside the bodies. Without any, the
// garbage collector would run after every few of them.
const gatewayHeap = 64 << 20

// gatewayBodies are the sizes of bodies, and the messages that take about as much.
var gatewayBodies = []struct {
	size     string
	messages int
}{
	{"10KB", 8}, {"100KB", 72}, {"1MB", 720},
}

// gatewayMixes are how many bodies there are for each broken one. A broken body has a fault in one
// message in a hundred, and at least one.
var gatewayMixes = []struct {
	name  string
	every int
}{
	{"clean", 0}, {"broken1", 100}, {"broken100", 1},
}

// BenchmarkGateway measures the bodies that are sanitized in a second, and as a floor those that
// are only copied into new memory, which every gateway does at least.
func BenchmarkGateway(b *testing.B) {
	options, held := &wire.Options{Provider: "anthropic"}, make([]byte, gatewayHeap)
	defer runtime.KeepAlive(held)
	for _, c := range gatewayBodies {
		clean := benchBody(b, "anthropic", benchdata.Clean, c.messages)
		broken := benchBody(b, "anthropic", benchdata.Dirty1, c.messages)
		b.Run(c.size+"/read", func(b *testing.B) {
			gateway(b, clean, nil, 0, func(body []byte) bool { return len(body) > 0 })
		})
		for _, mix := range gatewayMixes {
			b.Run(fmt.Sprintf("%s/%s", c.size, mix.name), func(b *testing.B) {
				gateway(b, clean, broken, mix.every, func(body []byte) bool {
					_, err := wire.Sanitize(context.Background(), body, options)
					return err == nil
				})
			})
		}
	}
}

// gateway calls serve with copies of bodies on all processors, and reports the share of the
// processor time that the garbage collector takes.
func gateway(b *testing.B, clean, broken []byte, every int, serve func(body []byte) bool) {
	var failed atomic.Bool
	collected, used := processorTime()
	b.RunParallel(func(pb *testing.PB) {
		for k := 1; pb.Next(); k++ {
			body := clean
			if every > 0 && k%every == 0 {
				body = broken
			}
			if !serve(append([]byte(nil), body...)) {
				failed.Store(true)
			}
		}
	})
	b.StopTimer()
	runtime.GC() // which brings the figures up to date
	nowCollected, nowUsed := processorTime()
	collected, used = nowCollected-collected, nowUsed-used
	require.False(b, failed.Load())
	b.ReportMetric(100*collected/(collected+used), "gc-%")
	b.ReportMetric(float64(len(clean)), "body-B")
}

// processorTime returns the processor time in seconds that the garbage collector and the program
// took, without what the collector took from processors that had nothing to do.
func processorTime() (collected, used float64) {
	samples := []metrics.Sample{
		{Name: "/cpu/classes/gc/total:cpu-seconds"}, {Name: "/cpu/classes/gc/mark/idle:cpu-seconds"},
		{Name: "/cpu/classes/user:cpu-seconds"},
	}
	metrics.Read(samples)
	return samples[0].Value.Float64() - samples[1].Value.Float64(), samples[2].Value.Float64()
}
