//go:build unix

package command

import (
	"bufio"
	"fmt"
	"io"
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

// TestServeSignals runs the real program: a reload takes effect, a wrong configuration does not,
// and after SIGTERM it says that it is not ready while it serves on.
func TestServeSignals(t *testing.T) {
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, r.URL.Path)
	}))
	defer upstream.Close()
	config := filepath.Join(t.TempDir(), "config.json")
	write := func(text string) { require.NoError(t, os.WriteFile(config, []byte(text), 0o600)) }
	write(`{"routes":[{"prefix":"/a","upstream":"` + upstream.URL + `"}]}`)
	cmd := child("unlimited", "serve", "--config", config, "--listen", "127.0.0.1:0",
		"--drain-delay", "600ms")
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	log, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	defer func() { _ = cmd.Process.Kill() }()
	greeting, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	base := regexp.MustCompile(`http://[0-9.:]+`).FindString(greeting)
	lines := bufio.NewReader(log)
	status := func(path string) (int, string) {
		resp, err := http.Get(base + path)
		require.NoError(t, err)
		defer resp.Body.Close()
		text, _ := io.ReadAll(resp.Body)
		return resp.StatusCode, string(text)
	}
	got, _ := status("/b/x")
	require.Equal(t, http.StatusNotFound, got)
	write(`{"routes":[{"prefix":"/b","upstream":"` + upstream.URL + `"}]}`)
	require.NoError(t, cmd.Process.Signal(syscall.SIGHUP))
	said, err := lines.ReadString('\n')
	require.NoError(t, err)
	require.Contains(t, said, "read again")
	_, text := status("/b/x")
	require.Equal(t, "/x", text)
	write(`{"routes":`)
	require.NoError(t, cmd.Process.Signal(syscall.SIGHUP))
	said, err = lines.ReadString('\n')
	require.NoError(t, err)
	require.Contains(t, said, "kept as it was")
	_, text = status("/b/y")
	require.Equal(t, "/y", text)
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	require.Eventually(t, func() bool {
		got, text := status("/readyz")
		return got == http.StatusServiceUnavailable && strings.Contains(text, "draining")
	}, 500*time.Millisecond, 5*time.Millisecond)
	got, _ = status("/b/z")
	require.Equal(t, http.StatusOK, got)
	require.NoError(t, cmd.Wait())
	require.Equal(t, exitOK, cmd.ProcessState.ExitCode())
}
