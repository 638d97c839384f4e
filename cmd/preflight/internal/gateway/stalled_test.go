package gateway

import (
	"context"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestStopped: the upstream of a gateway that was stopped itself for a while has not stalled.
func TestStopped(t *testing.T) {
	from, to := io.Pipe()
	b := &watched{
		ReadCloser: from, ctx: context.Background(), stats: newStats(), flight: new(flight),
		idle: time.Hour,
	}
	b.timer = time.AfterFunc(b.idle, b.overdue)
	read := func() chan error {
		done := make(chan error, 1)
		go func() {
			_, err := b.Read(make([]byte, 9))
			done <- err
		}()
		require.Eventually(t, func() bool { return b.due.Load() != 0 }, 10*time.Second, time.Millisecond)
		return done
	}
	done := read()
	b.due.Add(-int64(2 * b.idle)) // it was to be called an hour ago
	b.overdue()
	_, err := io.WriteString(to, "sent")
	require.NoError(t, err)
	require.NoError(t, <-done)
	b.overdue() // no Read is under way

	done = read()
	b.due.Add(-int64(b.idle)) // it is called in time
	b.overdue()
	require.Error(t, <-done)
	require.Equal(t, resultTimeout, b.flight.result)
}
