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
// written then, and the result that the client appends later is the one that is sent.
func TestLivingClient(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("this system does not tell in which folder a process works")
	}
	project := t.TempDir()
	lines := strings.Split(strings.ReplaceAll(string(file(stored["claude-code"])),
		`"sessionId":"s"`, `"sessionId":"s","cwd":"`+project+`"`), "\n")
	name := filepath.Join(t.TempDir(), "a.jsonl")
	require.NoError(t, os.WriteFile(name, []byte(strings.Join(lines[:6], "\n")+"\n"), 0o600))
	quiet(t, name)

	client := exec.Command("sh", "-c", `late=$(cat); printf '%s\n' "$late" >> "$0"`, name)
	client.Args[0] = "claude" // as which the system lists it
	client.Dir = project
	input, err := client.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, client.Start())

	was, err := os.ReadFile(name)
	require.NoError(t, err)
	var found *session.File
	require.Eventually(t, func() bool { // the list of processes may be a second old
		found, err = session.RepairFile(name, nil)
		return err == nil && found.InUse != ""
	}, 20*time.Second, 50*time.Millisecond)
	require.Contains(t, found.InUse, "is its client")
	_, err = session.RepairFile(name, &session.FileOptions{Write: true})
	require.ErrorIs(t, err, session.ErrInUse)
	is, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, string(was), string(is), "written under a living client")

	_, err = io.WriteString(input, lines[6]+"\n"+lines[7]+"\n")
	require.NoError(t, err)
	require.NoError(t, input.Close())
	require.NoError(t, client.Wait())
	quiet(t, name)
	require.Eventually(t, func() bool {
		found, err = session.RepairFile(name, &session.FileOptions{Write: true})
		return err == nil
	}, 20*time.Second, 50*time.Millisecond)
	require.Empty(t, found.Broken)
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	s, err := session.Read(data)
	require.NoError(t, err)
	require.Contains(t, string(s.Body), `"content":"two"`)
	require.NotContains(t, string(s.Body), session.DefaultInterruptedText)
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
	require.Empty(t, found.Broken[0].Report.Findings[0].Done)

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
