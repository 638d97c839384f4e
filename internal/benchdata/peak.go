package benchdata

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"time"
)

// Peak returns the most memory, in bytes, that pass holds at once beyond what was held before: what
// is reachable when the garbage collector looks, which it is made to do after every hundredth that
// the heap grows. What pools kept is dropped first. A pass of a millisecond may be over before the
// collector has looked, so that it is the largest of ten runs, and at least what is still held, in
// pools for one, when the pass is over. Where collections do not stop the program
// (GODEBUG=gcstoptheworld=1) it is too large, by what is allocated and let go while the collector
// looks.
func Peak(pass func()) float64 {
	most := 0.0
	for range 10 {
		most = max(most, PeakOnce(pass))
	}
	return most
}

// PeakOnce is Peak for a pass of many milliseconds: it runs once.
func PeakOnce(pass func()) float64 {
	defer debug.SetGCPercent(debug.SetGCPercent(1))
	runtime.GC()
	runtime.GC() // pools keep what they hold for one collection
	before := live()
	most := before
	var done atomic.Bool
	watched := make(chan struct{})
	go func() {
		for !done.Load() {
			most = max(most, live())
			time.Sleep(20 * time.Microsecond)
		}
		close(watched)
	}()
	pass()
	done.Store(true)
	<-watched
	runtime.GC()
	return float64(max(most, live()) - before)
}

// live returns what the last collection found reachable.
func live() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
