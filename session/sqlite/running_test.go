package sqlite

import (
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-preflight/preflight/session"
	"github.com/go-preflight/preflight/session/internal/running"
)

// runs are the processes that the tests of this package see, whatever the machine runs.
var runs atomic.Pointer[[]running.Process]

func TestMain(m *testing.M) {
	running.List = func() (map[string]string, []running.Process, bool) {
		if now := runs.Load(); now != nil {
			return nil, *now, true
		}
		return nil, nil, true
	}
	os.Exit(m.Run())
}

// TestRunningClient: a database is not written while a process of its client runs, in whatever
// folder that works.
func TestRunningClient(t *testing.T) {
	file := create(t, opencodeSchema+opencodeRows(`{"type":"text","text":""}`), false)
	runs.Store(&[]running.Process{{ID: "7", Args: []string{"/usr/bin/node", "/opt/opencode"}}})
	defer runs.Store(nil)
	require.Eventually(t, func() bool { // the list of processes may be a second old
		found, err := session.RepairFile(file, nil)
		return err == nil && strings.Contains(found.InUse, "process 7 is its client")
	}, 20*time.Second, 50*time.Millisecond)
	_, err := session.RepairFile(file, &session.FileOptions{Write: true})
	require.ErrorIs(t, err, session.ErrInUse)

	runs.Store(nil)
	require.Eventually(t, func() bool {
		done, err := session.RepairFile(file, &session.FileOptions{Write: true})
		return err == nil && done.Backup != ""
	}, 20*time.Second, 50*time.Millisecond)
}
