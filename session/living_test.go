package session_test

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/session"
)

// TestLivingClient: while a client runs a tool, its session is quiet and not open. It is not
// written then, also when another fault is in it, and the result that the client appends later is
// the one that is sent.
func TestLivingClient(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("this system does not tell in which folder a process works")
	}
	for client, test := range map[string]struct {
		program string
		result  int       // the line of the first result
		folder  [2]string // what is replaced to name the folder, and by what
	}{
		"claude-code": {"claude", 6, [2]string{"/home/dev", "FOLDER"}},
		"codex":       {"codex", 6, [2]string{`{"id":"thread"`, `{"id":"thread","cwd":"FOLDER"`}},
		"copilot-cli": {"copilot", 6, [2]string{
			`"copilotVersion"`, `"context":{"cwd":"FOLDER"},"copilotVersion"`,
		}},
		"gemini-cli": {"gemini", 5, [2]string{}}, // its sessions do not name the folder
		"pi":         {"pi", 5, [2]string{"/home/dev", "FOLDER"}},
		"qwen-code":  {"qwen", 4, [2]string{`"sessionId":"s"`, `"sessionId":"s","cwd":"FOLDER"`}},
	} {
		t.Run(client, func(t *testing.T) {
			t.Parallel()
			project := t.TempDir()
			to := strings.ReplaceAll(test.folder[1], "FOLDER", project)
			var lines []string
			for _, line := range stored[client] {
				if to != "" {
					line = strings.ReplaceAll(line, test.folder[0], to)
				}
				lines = append(lines, line)
			}
			half := lines[1][:len(lines[1])/2] // left by a crash
			first := append(append([]string{lines[0], half}, lines[1:test.result-1]...), "")
			name := filepath.Join(t.TempDir(), "a.jsonl")
			require.NoError(t, os.WriteFile(name, []byte(strings.Join(first, "\n")), 0o600))
			quiet(t, name)
			later := strings.Join(lines[test.result-1:], "\n") + "\n"
			livingClient(t, name, test.program, project, later)

			is, err := os.ReadFile(name)
			require.NoError(t, err)
			require.Equal(t, strings.Join(first, "\n")+later, string(is), "written under the client")
			if to == "" {
				is, _, err = session.Repair(is, nil) // another process of the client may run here
			} else {
				quiet(t, name)
				require.Eventually(t, func() bool {
					_, err = session.RepairFile(name, &session.FileOptions{Write: true})
					return err == nil
				}, 20*time.Second, 50*time.Millisecond)
				is, err = os.ReadFile(name)
			}
			require.NoError(t, err)
			require.NotContains(t, string(is), half+"\n")
			s, err := session.Read(is)
			require.NoError(t, err)
			requireAccepted(t, s, client)
			require.NotContains(t, string(s.Body), session.DefaultInterruptedText)
			for _, result := range []string{`"one"`, `"two"`} {
				if strings.Contains(later, result) {
					require.Contains(t, string(s.Body), result)
				}
			}
		})
	}
}

// livingClient runs a process that the system lists as a client's, requires that a session is not
// repaired while it runs, and then lets it append to the session and end.
func livingClient(t *testing.T, name, program, folder, later string) {
	t.Helper()
	client := exec.Command("sh", "-c", `late=$(cat); printf '%s\n' "$late" >> "$0"`, name)
	client.Args[0] = program
	client.Dir = folder
	input, err := client.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, client.Start())
	var found *session.File
	require.Eventually(t, func() bool { // the list of processes may be a second old
		found, err = session.RepairFile(name, nil)
		return err == nil && found.InUse != ""
	}, 20*time.Second, 50*time.Millisecond)
	require.Contains(t, found.InUse, "is its client")
	_, err = session.RepairFile(name, &session.FileOptions{Write: true})
	require.ErrorIs(t, err, session.ErrInUse)
	_, err = io.WriteString(input, later)
	require.NoError(t, err)
	require.NoError(t, input.Close())
	require.NoError(t, client.Wait())
}

// quiet makes a file one that was not changed for a while.
func quiet(t *testing.T, name string) {
	t.Helper()
	hour := time.Now().Add(-time.Hour)
	require.NoError(t, os.Chtimes(name, hour, hour))
}

// TestNewCall: a call that was just made may still get its result, from a client that cannot be
// seen from here.
func TestNewCall(t *testing.T) {
	lines := append([]string{}, stored["claude-code"][:5]...)
	now := `"sessionId":"s","timestamp":"` + time.Now().UTC().Format(time.RFC3339) + `"`
	for k := range lines {
		lines[k] = strings.Replace(strings.Replace(lines[k], `,"timestamp":"t3"`, "", 1),
			`"sessionId":"s"`, now, 1)
	}
	name := filepath.Join(t.TempDir(), "a.jsonl")
	require.NoError(t, os.WriteFile(name, file(lines), 0o600))
	quiet(t, name)
	found, err := session.RepairFile(name, &session.FileOptions{Write: true})
	require.ErrorIs(t, err, session.ErrInUse)
	require.ErrorContains(t, err, "the tool may still run")
	require.Empty(t, found.Broken[0].Report.Findings[0].Fix)

	// another fault beside it is repaired, and the call still left alone
	whole := file(lines)
	require.NoError(t, os.WriteFile(name, append(whole[:len(whole):len(whole)], `{"pare`...), 0o600))
	quiet(t, name)
	found, err = session.RepairFile(name, &session.FileOptions{Write: true})
	require.NoError(t, err)
	require.NotEmpty(t, found.Backup)
	require.Contains(t, found.InUse, "the tool may still run")
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, string(whole), string(data))
	quiet(t, name)

	found, err = session.RepairFile(name, &session.FileOptions{Write: true, Force: true})
	require.NoError(t, err)
	require.NotEmpty(t, found.Backup)
	require.Contains(t, found.InUse, "the tool may still run", "the risk has to be named")
}

// TestClientElsewhere: a client that works in another folder does not keep a session from being
// repaired, and one whose session does not name its folder may be any process of the client.
func TestClientElsewhere(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("this system does not tell in which folder a process works")
	}
	client := exec.Command("sh", "-c", "cat > /dev/null")
	client.Args[0] = "qwen" // as which the system lists it
	client.Dir = t.TempDir()
	input, err := client.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, client.Start())
	defer func() {
		require.NoError(t, input.Close())
		require.NoError(t, client.Wait())
	}()
	write := func(folder string) string {
		text := strings.ReplaceAll(string(file(stored["qwen-code"], 4)), `"sessionId":"s"`,
			`"sessionId":"s"`+folder)
		name := filepath.Join(t.TempDir(), "a.jsonl")
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
		quiet(t, name)
		return name
	}
	unknown := write("")
	require.Eventually(t, func() bool { // the list of processes may be a second old
		found, err := repairFile(unknown)
		return err == nil && strings.Contains(found.InUse, "is its client")
	}, 20*time.Second, 50*time.Millisecond)
	found, err := repairFile(write(`,"cwd":"` + t.TempDir() + `"`))
	require.NoError(t, err)
	require.Empty(t, found.InUse)
	require.NotEmpty(t, found.Broken)
}

func repairFile(name string) (*session.File, error) { return session.RepairFile(name, nil) }
