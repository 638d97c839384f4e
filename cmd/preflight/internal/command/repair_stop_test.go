//go:build unix

package command

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// childArgs is the environment variable by which TestChild is a command line of preflight, with a
// line for each argument.
const childArgs = "PREFLIGHT_CHILD_ARGS"

// TestChild is run by other tests, in a process of its own.
func TestChild(t *testing.T) {
	args := os.Getenv(childArgs)
	if args == "" {
		t.Skip("it is run by other tests")
	}
	os.Exit(Run(strings.Split(args, "\n"), os.Stdin, os.Stdout, os.Stderr))
}

// child returns the command line in a process of its own, whose files may have so many blocks of
// 512 bytes.
func child(blocks string, args ...string) *exec.Cmd {
	cmd := exec.Command("sh", "-c", "ulimit -f "+blocks+`; exec "$0" -test.run '^TestChild$'`,
		os.Args[0])
	cmd.Env = append(os.Environ(), childArgs+"="+strings.Join(args, "\n"))
	return cmd
}

// TestRepairStopped: a repair of many files that is stopped, or whose reader is gone, leaves every
// file repaired or as it was, and nothing but the copies beside them.
func TestRepairStopped(t *testing.T) {
	for _, c := range []struct {
		signal syscall.Signal
		page   bool
	}{
		{syscall.SIGINT, false}, {syscall.SIGTERM, false}, {syscall.SIGPIPE, false},
		{syscall.SIGINT, true},
	} {
		t.Run(fmt.Sprint(c.signal, c.page), func(t *testing.T) {
			s := c.signal
			dir, files := t.TempDir(), 600
			if s == syscall.SIGPIPE { // it repairs all of them
				files = 60
			}
			for k := range files {
				writeOld(t, filepath.Join(dir, fmt.Sprintf("%d.jsonl", k)), brokenSession)
			}
			args, pages := []string{"repair", "--write", dir}, t.TempDir()
			if c.page {
				args = append(args, "--html", filepath.Join(pages, "page.html"))
			}
			cmd := child("unlimited", args...)
			out, err := cmd.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, cmd.Start())
			_, err = out.Read(make([]byte, 1)) // the first file was repaired
			require.NoError(t, err)
			if s == syscall.SIGPIPE {
				require.NoError(t, out.Close())
			} else {
				require.NoError(t, cmd.Process.Signal(s))
				drained := new(bytes.Buffer)
				_, err = drained.ReadFrom(out)
				require.NoError(t, err)
			}
			_ = cmd.Wait()
			require.Equal(t, 1, cmd.ProcessState.ExitCode())
			written, err := os.ReadDir(pages)
			require.NoError(t, err)
			for _, e := range written { // the page is whole, or not there
				require.Equal(t, "page.html", e.Name())
				require.Contains(t, readFile(t, filepath.Join(pages, e.Name())), "</html>")
			}
			entries, err := os.ReadDir(dir)
			require.NoError(t, err)
			repaired, copies := 0, 0
			for _, e := range entries {
				name := e.Name()
				text := readFile(t, filepath.Join(dir, name))
				switch filepath.Ext(name) {
				case ".jsonl":
					require.Contains(t, []string{brokenSession, mendedSession}, text)
					if text == mendedSession {
						repaired++
					}
				case ".bak":
					require.Equal(t, brokenSession, text)
					copies++
				default:
					t.Error("it left", name)
				}
			}
			require.Equal(t, repaired, copies)
			if s == syscall.SIGPIPE {
				require.Equal(t, files, repaired)
			}
		})
	}
}

// TestUnfinishedPage: a page for which there is no room leaves nothing.
func TestUnfinishedPage(t *testing.T) {
	dir := t.TempDir()
	page := filepath.Join(dir, "page.html")
	for k := range 200 {
		writeOld(t, filepath.Join(dir, "sessions", fmt.Sprintf("%d.jsonl", k)), brokenSession)
	}
	for _, blocks := range []string{"0", "8", "32"} {
		text, err := child(blocks, "repair", "--html", page, dir).CombinedOutput()
		require.Error(t, err)
		require.Contains(t, string(text), "too large")
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Len(t, entries, 1, "the sessions")
	}
	text, _ := child("unlimited", "repair", "--html", page, dir).CombinedOutput()
	require.Contains(t, readFile(t, page), "</html>", string(text))
}

// TestRepairUnreadFolder: a folder that cannot be read is named, and the exit code says so, since
// what is below it was not looked at.
func TestRepairUnreadFolder(t *testing.T) {
	dir := t.TempDir()
	writeOld(t, filepath.Join(dir, "a.jsonl"), mendedSession)
	// A path that is too long can be read by no user.
	folder, err := os.OpenRoot(dir)
	require.NoError(t, err)
	name := strings.Repeat("n", 250)
	for range 17 {
		require.NoError(t, folder.Mkdir(name, 0o700))
		below, err := folder.OpenRoot(name)
		require.NoError(t, err)
		require.NoError(t, folder.Close())
		folder = below
	}
	require.NoError(t, folder.Close())
	code, stdout, stderr := call(t, "", "repair", dir)
	require.Equal(t, 2, code, stderr)
	require.True(t, strings.HasSuffix(stdout, "\n1 session, 0 broken\n"))
	code, stdout, _ = call(t, "", "repair", "--json", dir)
	require.Equal(t, 2, code)
	require.True(t, strings.Contains(stdout, "name too long"))
}

// TestLeftTemporary: a temporary file that a killed command left does not stop the next one, though
// both have the same process id, as in containers.
func TestLeftTemporary(t *testing.T) {
	body := filepath.Join(t.TempDir(), "body.json")
	left := fmt.Sprintf("%s.%d.tmp", body, os.Getpid())
	for _, name := range []string{body, left} {
		require.NoError(t, os.WriteFile(name, []byte(reportBody), 0o600))
	}
	code, _, stderr := call(t, "", "fix", "--provider", "anthropic", "--write", body)
	require.Equal(t, 0, code, stderr)
	require.NotEqual(t, reportBody, readFile(t, body))
	require.Equal(t, reportBody, readFile(t, left))
}

// TestOwnerStays: when root repairs the files of a user, they stay the user's, with their copies.
func TestOwnerStays(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root may repair the files of others")
	}
	dir := t.TempDir()
	body := writeOld(t, filepath.Join(dir, "body.json"), reportBody)
	session := writeOld(t, filepath.Join(dir, "a.jsonl"), brokenSession)
	for _, name := range []string{body, session} {
		require.NoError(t, os.Chown(name, 1234, 2345))
	}
	code, _, stderr := call(t, "", "fix", "--provider", "anthropic", "--write", body)
	require.Equal(t, 0, code, stderr)
	code, _, stderr = call(t, "", "repair", "--write", dir)
	require.Equal(t, 0, code, stderr)
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 3)
	for _, e := range entries {
		info, err := e.Info()
		require.NoError(t, err)
		is := info.Sys().(*syscall.Stat_t)
		require.Equal(t, [2]uint32{1234, 2345}, [2]uint32{is.Uid, is.Gid}, e.Name())
	}
}
