//go:build unix

package command

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

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
