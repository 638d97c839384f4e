package atomicfile_test

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/internal/atomicfile"
)

// TestLock: one holder at a time, who may be another process; what it holds is free when it is
// killed.
func TestLock(t *testing.T) {
	if file := os.Getenv("HOLD_LOCK_OF"); file != "" {
		_, err := atomicfile.Lock(file, 0)
		require.NoError(t, err)
		os.Stdout.WriteString("locked\n")
		time.Sleep(time.Minute)
	}
	file := filepath.Join(t.TempDir(), "a.json")
	unlock, err := atomicfile.Lock(file, 0)
	require.NoError(t, err)
	_, err = atomicfile.Lock(file, time.Millisecond)
	require.ErrorContains(t, err, "lock")
	time.AfterFunc(20*time.Millisecond, unlock)
	unlock, err = atomicfile.Lock(file, time.Minute)
	require.NoError(t, err)
	unlock()

	other := exec.Command(os.Args[0], "-test.run=^TestLock$")
	other.Env = append(os.Environ(), "HOLD_LOCK_OF="+file)
	out, err := other.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, other.Start())
	said, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "locked\n", said)
	_, err = atomicfile.Lock(file, time.Millisecond)
	require.Error(t, err)
	require.NoError(t, other.Process.Kill())
	_ = other.Wait()
	unlock, err = atomicfile.Lock(file, time.Minute)
	require.NoError(t, err)
	unlock()

	_, err = atomicfile.Lock(filepath.Join(t.TempDir(), "no", "a.json"), time.Minute)
	require.ErrorIs(t, err, os.ErrNotExist)
}
