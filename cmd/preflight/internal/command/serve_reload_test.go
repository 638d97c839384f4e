package command

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestWatch: with --watch, a file that is put in the place of the configuration is taken, as
// Kubernetes does it, and one that is wrong is reported once.
func TestWatch(t *testing.T) {
	dir := t.TempDir()
	f := serveFlags{config: filepath.Join(dir, "config.json"), watch: 5 * time.Millisecond}
	replace := func(text string) {
		next := filepath.Join(dir, "next")
		require.NoError(t, os.WriteFile(next, []byte(text), 0o600))
		require.NoError(t, os.Rename(next, f.config))
	}
	replace(`{"routes":[{"prefix":"/a","upstream":"http://127.0.0.1:1"}]}`)
	g, err := openGateway(f.config)
	require.NoError(t, err)
	said := new(told)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan bool)
	go func() {
		f.reloadOn(ctx, nil, g, stdio{nil, io.Discard, said})
		close(ended)
	}()
	time.Sleep(20 * time.Millisecond) // it has read the file
	replace(`{"routes":[{"prefix":"/b","upstream":"http://127.0.0.1:1"}]}`)
	require.Eventually(t, func() bool { return g.Routes()[0].Prefix == "/b" },
		5*time.Second, time.Millisecond)
	replace(`{"routes":[]}`)
	require.Eventually(t, func() bool { return said.has("kept as it was") },
		5*time.Second, time.Millisecond)
	time.Sleep(30 * time.Millisecond)
	stop()
	<-ended
	require.Equal(t, 1, bytes.Count(said.b.Bytes(), []byte("kept as it was")))
	require.Equal(t, "/b", g.Routes()[0].Prefix)
}

// told is what was written, by whatever goroutine.
type told struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (w *told) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.b.Write(p)
}

func (w *told) has(text string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return bytes.Contains(w.b.Bytes(), []byte(text))
}
