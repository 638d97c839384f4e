//go:build unix

package command

import (
	"bufio"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestServeLogReaderGone: the gateway serves on when what reads its log has ended.
func TestServeLogReaderGone(t *testing.T) {
	config := filepath.Join(t.TempDir(), "config.json")
	require.NoError(t, os.WriteFile(config, []byte(
		`{"routes":[{"prefix":"/a","upstream":"http://127.0.0.1:1"}]}`), 0o600))
	cmd := child("unlimited", "serve", "--log", "--config", config, "--listen", "127.0.0.1:0")
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	log, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	require.NoError(t, log.Close())
	greeting := make([]byte, 4096)
	n, err := out.Read(greeting)
	require.NoError(t, err)
	base := regexp.MustCompile(`http://[0-9.:]+`).FindString(string(greeting[:n]))
	require.NotEmpty(t, base)
	require.NoError(t, out.Close())
	for range 3 {
		resp, err := http.Post(base+"/a/v1/messages", "application/json",
			strings.NewReader(reportBody))
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, http.StatusBadGateway, resp.StatusCode)
	}
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	_ = cmd.Wait()
	require.True(t, cmd.ProcessState.Exited(), "and stops when it is told to")
}

// TestServeStuckReader: where standard error is full, and nobody reads it, the gateway still takes
// another configuration, and stops when it is told to.
func TestServeStuckReader(t *testing.T) {
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, r.URL.Path)
	}))
	defer upstream.Close()
	config := filepath.Join(t.TempDir(), "config.json")
	write := func(prefix string) {
		require.NoError(t, os.WriteFile(config, []byte(
			`{"routes":[{"prefix":"/`+prefix+`","upstream":"`+upstream.URL+`"}]}`), 0o600))
	}
	write("a")
	reader, full, err := os.Pipe()
	require.NoError(t, err)
	defer reader.Close()
	require.NoError(t, full.SetWriteDeadline(time.Now().Add(100*time.Millisecond)))
	for n := 4096; n > 0; n, _ = full.Write(make([]byte, 512)) {
	}
	cmd := child("unlimited", "serve", "--config", config, "--listen", "127.0.0.1:0")
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	cmd.Stderr = full
	require.NoError(t, cmd.Start())
	require.NoError(t, full.Close())
	defer func() { _ = cmd.Process.Kill() }()
	greeting, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	base := regexp.MustCompile(`http://[0-9.:]+`).FindString(greeting)
	for _, prefix := range []string{"b", "c", "d"} {
		write(prefix)
		require.NoError(t, cmd.Process.Signal(syscall.SIGHUP))
		require.Eventually(t, func() bool {
			resp, err := http.Get(base + "/" + prefix + "/x")
			if err != nil {
				return false
			}
			defer resp.Body.Close()
			return resp.StatusCode == http.StatusOK
		}, 5*time.Second, 5*time.Millisecond, "the reload for /%s", prefix)
	}
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		require.NoError(t, err)
	case <-time.After(20 * time.Second):
		require.Fail(t, "it does not stop")
	}
}
