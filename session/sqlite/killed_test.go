package sqlite

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/session"
)

// TestKilled kills a repair at many moments: the database is there, whole, with all rows as they
// were or all of them repaired.
func TestKilled(t *testing.T) {
	if file := os.Getenv("PREFLIGHT_REPAIR"); file != "" {
		_, err := session.RepairFile(file, &session.FileOptions{Write: true, Force: true})
		require.NoError(t, err)
		return
	}
	if testing.Short() {
		t.Skip("the many repairs take seconds")
	}
	var rows strings.Builder
	rows.WriteString(opencodeSchema)
	for k := range 3000 {
		fmt.Fprintf(&rows, "INSERT INTO part VALUES ('prt_5%04d', 'msg_2', 'ses_1', 5, "+
			`'{"type":"text","text":"","n":"%s"}');`, k, strings.Repeat("x", 300))
	}
	// one statement for all: a transaction
	file := create(t, "BEGIN;"+rows.String()+"COMMIT;", true)
	was := dump(t, file, all)
	kept := map[string][]byte{}
	for _, end := range []string{"", "-wal", "-shm"} {
		data, err := os.ReadFile(file + end)
		require.NoError(t, err)
		kept[end] = data
	}
	restore := func() {
		for end, data := range kept {
			require.NoError(t, os.WriteFile(file+end, data, 0o600))
		}
	}
	_, err := session.RepairFile(file, &session.FileOptions{Write: true, Force: true})
	require.NoError(t, err)
	repaired := dump(t, file, all)
	require.NotEqual(t, was, repaired)
	seen := map[bool]int{}
	for n := range 14 {
		restore()
		cmd := exec.Command(os.Args[0], "-test.run", "^TestKilled$")
		cmd.Env = append(os.Environ(), "PREFLIGHT_REPAIR="+file)
		require.NoError(t, cmd.Start())
		time.Sleep(time.Duration(n*n) * 4 * time.Millisecond)
		require.NoError(t, cmd.Process.Kill())
		_ = cmd.Wait() // it was killed, or it had ended
		now := dump(t, file, all)
		require.True(t, now == was || now == repaired, "half a repair after %d", n)
		require.Equal(t, "ok", dump(t, file, "PRAGMA integrity_check"))
		seen[now == repaired]++
	}
	t.Logf("%d times as it was, %d times repaired", seen[false], seen[true])
}

// FuzzWhole: what was written whole is valid JSON, whatever data is.
func FuzzWhole(f *testing.F) {
	f.Add(`{"a":1,"b":{"c":"\u00`)
	f.Add(`{"a":[{"b":1},{"c":2`)
	f.Fuzz(func(t *testing.T, data string) {
		value := whole(data)
		if value != nil {
			require.Equal(t, string(value), string(whole(string(value))), "it is whole itself")
		}
	})
}
