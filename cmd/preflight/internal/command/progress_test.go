package command

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// lockedBuffer is a buffer that several goroutines write to.
type lockedBuffer struct {
	mutex  sync.Mutex
	buffer bytes.Buffer
}

func (b *lockedBuffer) Write(data []byte) (int, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.buffer.Write(data)
}

func (b *lockedBuffer) String() string {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.buffer.String()
}

// Progress is shown when the work takes long, also when it is one thing that does, and not else.
func TestProgress(t *testing.T) {
	var quickly, slowly lockedBuffer
	p := newProgress(&quickly, 3, "files", time.Hour)
	for range 3 {
		p.step()
	}
	p.end()
	require.Empty(t, quickly.String())

	p = newProgress(&slowly, 1, "files", time.Millisecond)
	require.Eventually(t, func() bool { return strings.Contains(slowly.String(), "0 of 1 files") },
		20*time.Second, time.Millisecond)
	p.step()
	p.end()
	require.True(t, strings.HasSuffix(slowly.String(), "\r\x1b[K"), "the line is left there")
	require.Nil(t, progressOn(&slowly, 1000, "files"), "it is no terminal")
}
