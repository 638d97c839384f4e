package wire_test

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"runtime/debug"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/internal/benchdata"
	"github.com/go-preflight/preflight/wire"
)

// footprintSize is the body of BenchmarkFootprint in bytes.
const footprintSize = 256 << 20

// BenchmarkFootprint measures the most memory that the process has while it repairs one body of
// 256 MB, the body included, as the operating system counts it: with garbage, with what the runtime
// keeps, and with the collector's usual settings. Linux tells the high-water mark and can reset it.
func BenchmarkFootprint(b *testing.B) {
	for _, shape := range []benchdata.Shape{benchdata.Dirty1, benchdata.Dirty20} {
		b.Run(fmt.Sprintf("anthropic/%s/256MB", shape), func(b *testing.B) {
			small := len(benchBody(b, "anthropic", shape, 10_000))
			body := benchBody(b, "anthropic", shape, int(10_000*int64(footprintSize)/int64(small)))
			for b.Loop() {
				debug.FreeOSMemory()
				if os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) != nil {
					b.Skip("the system does not tell the high-water mark of memory")
				}
				result, err := wire.Sanitize(context.Background(), body,
					&wire.Options{Provider: "anthropic"})
				require.NoError(b, err)
				require.True(b, result.Changed)
			}
			b.ReportMetric(highWater(b), "rss-B")
			b.ReportMetric(float64(len(body)), "body-B")
		})
	}
}

// highWater is the most memory that the process had, in bytes.
func highWater(b *testing.B) float64 {
	status, err := os.ReadFile("/proc/self/status")
	require.NoError(b, err)
	m := regexp.MustCompile(`VmHWM:\s*(\d+) kB`).FindSubmatch(status)
	require.NotNil(b, m)
	kilobytes, err := strconv.Atoi(string(m[1]))
	require.NoError(b, err)
	return float64(kilobytes) * 1024
}
