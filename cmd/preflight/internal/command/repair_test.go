package command

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// broken is a session of Qwen Code whose second record is lost; repaired is what repair makes of
// it.
const (
	qwenStart = `{"uuid":"u1","parentUuid":null,"sessionId":"s","cwd":"/p","type":"user",` +
		`"message":{"role":"user","parts":[{"text":"a secret"}]}}` + "\n"
	qwenEnd = `{"uuid":"u3","parentUuid":"u2","sessionId":"s","cwd":"/p","type":"assistant",` +
		`"message":{"role":"model","parts":[{"text":"Done."}]}}` + "\n"

	brokenSession = qwenStart + qwenEnd
)

var mendedSession = strings.Replace(brokenSession, `"parentUuid":"u2"`, `"parentUuid":"u1"`, 1)

// writeOld writes a file that was last changed an hour ago.
func writeOld(t *testing.T, name, text string) string {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
	require.NoError(t, os.WriteFile(name, []byte(text), 0o640))
	hour := time.Now().Add(-time.Hour)
	require.NoError(t, os.Chtimes(name, hour, hour))
	return name
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(data)
}

func TestRepairDryRun(t *testing.T) {
	name := writeOld(t, filepath.Join(t.TempDir(), "a.jsonl"), brokenSession)
	code, stdout, stderr := call(t, "", "repair", name)
	require.Equal(t, 1, code, stderr)
	require.Equal(t, brokenSession, readFile(t, name))
	require.Contains(t, stdout,
		"Qwen Code may forget 1 message without telling you, among them your task (line 1)")
	require.Contains(t, stdout, "line 2: the record before this one is missing")
	require.Contains(t, stdout, "nothing was written")
	require.NotContains(t, stdout, "secret")
}

func TestRepairWrite(t *testing.T) {
	dir := t.TempDir()
	name := writeOld(t, filepath.Join(dir, "sub", "a.jsonl"), brokenSession)
	sound := writeOld(t, filepath.Join(dir, "b.jsonl"), mendedSession)
	writeOld(t, filepath.Join(dir, "notes.jsonl"), `{"not":"a session"}`+"\n")
	require.NoError(t, os.Symlink(name, filepath.Join(dir, "link.jsonl")))

	code, stdout, stderr := call(t, "", "repair", "--write", dir)
	require.Equal(t, 0, code, stderr)
	require.Contains(t, stdout, "2 sessions, 1 broken, 1 repaired")
	require.Equal(t, mendedSession, readFile(t, name))
	require.Equal(t, mendedSession, readFile(t, sound))
	info, err := os.Stat(name)
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o640), info.Mode().Perm())
	copies, err := filepath.Glob(name + ".*.bak")
	require.NoError(t, err)
	require.Len(t, copies, 1)
	require.Equal(t, brokenSession, readFile(t, copies[0]))

	code, stdout, _ = call(t, "", "repair", "--write", dir)
	require.Equal(t, 0, code)
	require.Contains(t, stdout, "2 sessions, 0 broken")
	again, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	require.NoError(t, err)
	require.Len(t, again, 2, "a second run changes nothing")
}

func TestRepairInUse(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.jsonl")
	require.NoError(t, os.WriteFile(name, []byte(brokenSession), 0o600))
	code, stdout, _ := call(t, "", "repair", "--write", name)
	require.Equal(t, 1, code)
	require.Contains(t, stdout, "not written: the file is in use")
	require.Equal(t, brokenSession, readFile(t, name))
	code, _, _ = call(t, "", "repair", "--write", "--force", name)
	require.Equal(t, 0, code)
	require.Equal(t, mendedSession, readFile(t, name))
}

func TestRepairJSON(t *testing.T) {
	name := writeOld(t, filepath.Join(t.TempDir(), "a.jsonl"), brokenSession)
	code, stdout, stderr := call(t, "", "repair", "--json", name)
	require.Equal(t, 1, code, stderr)
	var found []struct {
		File   string
		Broken []struct {
			Report struct {
				Client     string
				Lost       []int
				LosesStart bool `json:"loses_start"`
				Changed    bool
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(stdout), &found))
	require.Len(t, found, 1)
	require.Equal(t, name, found[0].File)
	require.Equal(t, "qwen-code", found[0].Broken[0].Report.Client)
	require.Equal(t, []int{1}, found[0].Broken[0].Report.Lost)
	require.True(t, found[0].Broken[0].Report.LosesStart)
	require.True(t, found[0].Broken[0].Report.Changed)
}

func TestRepairUsage(t *testing.T) {
	dir := t.TempDir()
	unknown := writeOld(t, filepath.Join(dir, "u.jsonl"), "no session\n")
	link := filepath.Join(dir, "link.jsonl")
	require.NoError(t, os.Symlink(unknown, link))
	for reason, test := range map[string]struct {
		args []string
		want string
	}{
		"a file that is no session": {[]string{unknown}, "not a stored session"},
		"a file that is not there":  {[]string{filepath.Join(dir, "none")}, "no such file"},
		"a link":                    {[]string{link}, "links are not followed"},
		"an unknown flag":           {[]string{"--nonsense"}, "nonsense"},
	} {
		code, stdout, stderr := call(t, "", append([]string{"repair"}, test.args...)...)
		require.Equal(t, 2, code, reason)
		require.Contains(t, stdout+stderr, test.want, reason)
	}
}

// Without arguments repair looks in the clients' folders, and only there.
func TestRepairFindsClients(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	writeOld(t, filepath.Join(home, ".qwen", "projects", "p", "chats", "a.jsonl"), brokenSession)
	writeOld(t, filepath.Join(home, "elsewhere", "b.jsonl"), brokenSession)
	code, stdout, _ := call(t, "", "repair")
	require.Equal(t, 1, code)
	require.Contains(t, stdout, "1 session, 1 broken")
	require.NotContains(t, stdout, "elsewhere")
}

// TestRepairKilled kills repair --write at many moments: the session is there, whole, as it was or
// repaired.
func TestRepairKilled(t *testing.T) {
	if os.Getenv("PREFLIGHT_REPAIR") != "" {
		os.Exit(Run([]string{"repair", "--write", "--force", os.Getenv("PREFLIGHT_REPAIR")},
			strings.NewReader(""), os.Stdout, os.Stderr))
	}
	filler := strings.Repeat(
		strings.Replace(qwenStart, `"type":"user","message"`, `"type":"system","systemPayload"`, 1),
		20_000)
	was := []byte(strings.ReplaceAll(filler, `"uuid":"u1"`, `"uuid":""`) + brokenSession)
	dir := t.TempDir()
	name := filepath.Join(dir, "a.jsonl")
	require.NoError(t, os.WriteFile(name, was, 0o600))
	repaired := func() []byte {
		copied := filepath.Join(dir, "copy.jsonl")
		require.NoError(t, os.WriteFile(copied, was, 0o600))
		call(t, "", "repair", "--write", "--force", copied)
		return []byte(readFile(t, copied))
	}()
	require.NotEqual(t, was, repaired)
	for n := range 12 {
		require.NoError(t, os.WriteFile(name, was, 0o600))
		cmd := exec.Command(os.Args[0], "-test.run", "^TestRepairKilled$")
		cmd.Env = append(os.Environ(), "PREFLIGHT_REPAIR="+name)
		require.NoError(t, cmd.Start())
		time.Sleep(time.Duration(n*n) * 2 * time.Millisecond)
		require.NoError(t, cmd.Process.Kill())
		_ = cmd.Wait()
		now := []byte(readFile(t, name))
		require.True(t, bytes.Equal(now, was) || bytes.Equal(now, repaired), "half a file after %d",
			n)
	}
}

// TestRepairLooked: where nothing is found, the report says where it looked, and what it saw there.
func TestRepairLooked(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.jsonl", "b.jsonl", "c.messages.json"} {
		writeOld(t, filepath.Join(dir, name), `{"not":"a session"}`+"\n")
	}
	code, stdout, stderr := call(t, "", "repair", dir)
	require.Equal(t, 0, code, stderr)
	require.Equal(t, "3 files of an unknown program; 0 sessions, 0 broken\n  "+
		filepath.Join(dir, "a.jsonl")+": it is one JSON object\n  "+
		filepath.Join(dir, "b.jsonl")+": it is one JSON object\n  "+
		filepath.Join(dir, "c.messages.json")+": it is one JSON object\nlooked in:\n  "+dir+"\n", stdout)

	t.Setenv("HOME", dir)
	for _, name := range []string{"CODEX_HOME", "CLAUDE_CONFIG_DIR", "COPILOT_HOME", "XDG_DATA_HOME",
		"PI_CODING_AGENT_DIR", "CLINE_DATA_DIR", "CLINE_SESSION_DATA_DIR"} {
		t.Setenv(name, "")
	}
	code, stdout, stderr = call(t, "", "repair")
	require.Equal(t, 0, code, stderr)
	require.Contains(t, stdout, "there is no folder of any of these clients: Claude Code, Codex,")
}
